//! A node of an older version beside a newer one: the log holds steps, words and parts that the older one doesn't
//! know. Nothing fails because of them, and the numbering goes on.

use reqwest::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use serde_json::{Value, json};

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::{TestApp, text};

/// What a newer node did to the rows.
struct Newer(DatabaseConnection);

impl Newer {
    async fn node(app: &TestApp) -> Self {
        let url = match &app.database {
            TestDatabase::Sqlite(dir) => format!("sqlite://{}", dir.path().join("baton.db").display()),
            TestDatabase::Postgres { .. } => app.database.url().expect("a URL"),
        };
        Self(Database::connect(url).await.expect("connected"))
    }

    async fn run(&self, sql: &str) {
        let done = self.0.execute_unprepared(sql).await.expect(sql);
        assert_eq!(done.rows_affected(), 1, "{sql}");
    }

    fn id(&self, id: &str) -> String {
        match self.0.get_database_backend() {
            sea_orm::DbBackend::Postgres => format!("'{id}'"),
            _ => format!("x'{}'", id.replace('-', "")),
        }
    }

    /// Adds a step at the end of a log, of the turn that runs if one does.
    async fn adds(&self, conversation: &str, body: Value) {
        let id = self.id(conversation);
        self.run(&format!("UPDATE agent_conversations SET last_seq = last_seq + 1 WHERE id = {id}")).await;
        self.run(&format!(
            "INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, type, body, created_at) \
             SELECT id, last_seq, turn_task_id, agent_id, 'status_change', '{body}', created_at \
             FROM agent_conversations WHERE id = {id}"
        ))
        .await;
    }

    async fn changes(&self, conversation: &str, table: &str, column: &str, from: &str, to: &str) {
        let id = self.id(conversation);
        let (text, back) = match self.0.get_database_backend() {
            sea_orm::DbBackend::Postgres => (format!("{column}::text"), "::jsonb"),
            _ => (column.to_owned(), ""),
        };
        let sql = format!(
            "UPDATE {table} SET {column} = CAST(replace({text}, '{from}', '{to}') AS TEXT){back} \
             WHERE conversation_id = {id} AND {text} LIKE '%{from}%'"
        );
        self.run(&sql).await;
    }
}

#[tokio::test]
async fn what_is_not_known_is_passed_over_wherever_the_log_is_read() {
    let (app, _script) = scripted(json!([
        {"match": "Look", "reasoning": "I should look.", "text": "A moment.", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"match": "Look", "text": "It is late."},
        {"text": "Still here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let turn = ana.chat("Project Manager", "Look at the clock").await;
    let id = conversation_of(&turn);
    let before = ana.read(&id).await;

    let newer = Newer::node(&app).await;
    newer.adds(&id, json!({"step": "levitated", "height": 3, "who": {"knows": []}})).await;
    newer.changes(&id, "task_messages", "body", "completed", "postponed").await;
    let space = if app.database.url().is_some() { ": " } else { ":" };
    let (part, hologram) = (format!("\"type\"{space}\"reasoning\""), format!("\"type\"{space}\"hologram\""));
    newer.changes(&id, "agent_messages", "parts", &part, &hologram).await;

    // The stored conversation, and its end.
    let read = ana.read(&id).await;
    assert_eq!(read["messages"][1]["content"], "A moment.\n\nIt is late.");
    assert_eq!(read["messages"][1]["parts"][0]["type"], "hologram", "it is kept as it is");
    let seq = |read: &Value| -> i64 {
        text(&read["cursor"]).split('.').next().expect("a number").parse().expect("a number")
    };
    assert_eq!(seq(&read), seq(&before) + 1);

    // A reader from the beginning, and on into the next turn.
    let mut stream = ana.follow(&id, "0.0").await;
    let done = stream.until("done").await;
    assert_eq!(done.data["status"], "stopped", "it ended, and nobody here knows how");
    let next = ana.say(&id, "Are you there?").await;
    assert_eq!(text_of(&next), "Still here.");
    let said = stream.until("done").await;
    assert_eq!(said.data["status"], "completed", "the cursor went over what has no event");

    // The task page of the first turn, an import's fork, the export, who held it.
    let session = turn.iter().find(|got| got.name == "session").expect("a session");
    let task = text(&session.data["sessionId"]);
    newer.adds(&id, json!({"step": "levitated"})).await;
    let tree = ana.get_owned(format!("/api/tasks/{task}")).await;
    assert_eq!(tree["tasks"][0]["steps"].as_array().map(|steps| steps.len() > 5), Some(true));
    let third = ana.read(&id).await["messages"][2]["id"].clone();
    let fork =
        ana.post(&format!("/api/agent-conversations/{id}/fork"), json!({"beforeMessageId": third})).await;
    let fork = text(&fork.expect(StatusCode::CREATED)["id"]);
    assert_eq!(text_of(&ana.say(&fork, "And here?").await), "Still here.");
    ana.get_owned(format!("/api/workspaces/{}/export", ana.workspace)).await;
    ana.get_owned(format!("/api/agent-conversations/{id}/activations")).await;
    app.end().await;
}

#[tokio::test]
async fn a_turn_that_holds_a_step_nobody_here_knows_ends_in_an_error_that_can_be_retried() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let mut turn = ana.send(&ana.chat_body("Project Manager", "Begin").await).await;
    let id = text(&turn.until("session").await.data["conversationId"]);
    let asked = model.next().await;
    Newer::node(&app).await.adds(&id, json!({"step": "levitated"})).await;
    asked.reply(Reply::text("Begun."));
    let rest = turn.rest().await;
    let error = rest.iter().find(|got| got.name == "error").expect("an error");
    assert_eq!((&error.data["code"], &error.data["recoverable"]), (&json!("newer_version"), &json!(true)));
    assert_eq!(rest.last().map(|got| &got.data["status"]), Some(&json!("failed")), "{:?}", names(&rest));
    let message = ana.read(&id).await["messages"][1].clone();
    assert_eq!(message["content"], "Begun.", "what was said is kept");

    let retry = ana.request(Method::POST, &format!("/api/agent-chat/{id}/retry"));
    let retried = tokio::spawn(retry.send());
    model.next().await.reply(Reply::text("Again."));
    assert_eq!(retried.await.expect("sent").expect("an answer").status(), StatusCode::OK);
    app.end().await;
}
