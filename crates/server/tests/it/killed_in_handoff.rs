//! `kill -9` between a handoff's commit and the next agent's first word: the next agent speaks at the next start, and
//! nothing is left half done.

use std::path::Path;

use reqwest::Client;
use serde_json::{Value, json};

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::process::{Server, post, start_with};
use crate::talk::names;
use crate::test_app::{Actor, text};

/// How the conversation comes from Vera to Ben.
struct Case {
    kind: &'static str,
    reply: Reply,
    /// Who spoke, in order.
    speakers: &'static [&'static str],
    /// What became of Vera's activation, and why Ben's began.
    left: (&'static str, &'static str),
}

fn cases() -> [Case; 3] {
    let says = |name: &str, arguments: Value| Reply::Says {
        text: "One moment.".into(),
        calls: vec![(name.into(), arguments)],
    };
    [
        Case {
            kind: "swarm",
            reply: says("switch_agent", json!({"agent": "ben", "reason": "It is his."})),
            speakers: &["Vera", "Ben"],
            left: ("completed", "model"),
        },
        Case {
            kind: "router",
            reply: says("route", json!({"decision": "switch", "agent": "ben", "summary": "A car."})),
            speakers: &["Ben"],
            left: ("paused", "router"),
        },
        Case {
            kind: "pipeline",
            reply: says("complete_stage", json!({"goal": "a car"})),
            speakers: &["Vera", "Ben"],
            left: ("completed", "completion"),
        },
    ]
}

async fn team(of: &Actor<'_>, kind: &str, agents: [&str; 2]) -> String {
    if kind != "pipeline" {
        return of.make_team(kind, &agents).await;
    }
    let schema = json!({"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]});
    let stage = |at: usize| json!({"agentId": agents[at], "stage": {"name": format!("s{at}"), "outputSchema": schema}});
    of.make_team_of(kind, json!([stage(0), stage(1)])).await
}

/// The real server, with this vendor behind it.
pub fn serve(dir: &Path, database: &TestDatabase, model: &HeldModel) -> Server {
    let url = database.url();
    let mut env = vec![("OPENAI_BASE_URL", Path::new(&model.url)), ("OPENAI_MODEL", Path::new("fake"))];
    env.extend(url.as_deref().map(|url| ("DATABASE_URL", Path::new(url))));
    start_with(dir, &["--demo"], &env)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_a_handoff_and_the_next_agents_first_word_it_still_speaks() {
    baton_tools::outbound::install_tls();
    for case in cases() {
        check(case).await;
    }
}

async fn check(case: Case) {
    let Case { kind, reply, speakers, left } = case;
    let dir = tempfile::tempdir().expect("a folder");
    let database = TestDatabase::new().await;
    let mut model = HeldModel::start().await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let server = serve(dir.path(), &database, &model);
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let (_, me, cookie) = post(&redeem, json!({"token": server.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
    let vera = owner.make_agent("Vera", json!({})).await;
    let ben = owner.make_agent("Ben", json!({})).await;
    let team = team(&owner, kind, [&vera, &ben]).await;
    let id = owner.begin("teamId", &team).await;

    let mut reading = owner.saying(&id, "I want a car").await;
    let master = text(&reading.until("session").await.data["sessionId"]);
    model.next().await.reply(reply);
    let never_answered = model.next().await;
    assert!(never_answered.system().starts_with("You are Ben."), "{kind}: {}", never_answered.body);
    let between = owner.read(&id).await;
    assert_eq!(
        (&between["active"]["agentId"], &between["active"]["epoch"]),
        (&json!(ben), &json!(2)),
        "{kind}"
    );
    assert_eq!(between["turn"]["status"], "running", "{kind}: {between}");
    drop(server); // SIGKILL
    drop(reading);

    let server = serve(dir.path(), &database, &model);
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
    let again = model.next().await;
    assert_eq!(again.body, never_answered.body, "{kind}: the same request");
    let mut reading = owner.follow(&id, &text(&between["cursor"])).await;
    again.reply(Reply::text("Ben here."));
    let mut heard = Vec::new();
    while heard.last().is_none_or(|got: &crate::talk::Got| got.name != "done") {
        heard.push(reading.next().await.expect("more"));
    }
    assert_eq!(heard.last().expect("done").data["status"], "completed", "{kind}");
    assert_eq!(names(&heard)[0], "message_start", "{kind}: it starts again");

    let read = owner.read(&id).await;
    assert_eq!((&read["turn"], &read["active"]), (&Value::Null, &between["active"]), "{kind}");
    let messages = read["messages"].as_array().expect("messages");
    let said: Vec<_> = messages.iter().filter(|message| message["role"] == "assistant").collect();
    let by: Vec<&str> =
        said.iter().map(|message| if message["agent_id"] == json!(ben) { "Ben" } else { "Vera" }).collect();
    assert_eq!(by, speakers, "{kind}: {messages:#?}");
    let last = said.last().expect("an answer");
    assert_eq!((&last["content"], &last["status"]), (&json!("Ben here."), &json!("complete")), "{kind}");
    assert!(said.iter().rev().skip(1).all(|message| message["content"] == "One moment."), "{kind}");

    let held = owner.get_owned(format!("/api/agent-conversations/{id}/activations")).await;
    let held: Vec<_> = held.as_array().expect("a list").iter().collect();
    let of = |at: usize| [&held[at]["agent_id"], &held[at]["status"], &held[at]["trigger"]];
    assert_eq!(held.len(), 2, "{kind}");
    assert_eq!(of(0)[..2], [&json!(vera), &json!(left.0)], "{kind}");
    assert_eq!(of(1), [&json!(ben), &json!("active"), &json!(left.1)], "{kind}");

    let tree = owner.get_owned(format!("/api/tasks/{master}")).await;
    let tasks: Vec<_> = tree["tasks"].as_array().expect("tasks").iter().collect();
    let chain: Vec<_> = tasks.iter().map(|task| (&task["agent_id"], &task["status"])).collect();
    assert_eq!(chain, [(&json!(vera), &json!("completed")), (&json!(ben), &json!("completed"))], "{kind}");
    assert_eq!((&tasks[1]["parent_id"], &tree["status"]), (&json!(master), &json!("completed")), "{kind}");
    drop(server);
    database.drop().await;
}
