//! The real server with its database, its person and its vendor: does what the test asks for, and reads what came of
//! it.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};

use super::holds;
use super::reference::{AGENTS, Answer, At, Decision, Kind, Op, State};
use super::vendor::{said, who};
use crate::approvals;
use crate::database::TestDatabase;
use crate::held_model::{Asked, HeldModel};
use crate::killed_in_handoff::serve;
use crate::process::{Server, post};
use crate::talk::{Got, Reading};
use crate::test_app::{Actor, text};

/// After this long nothing more comes, on any machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct World {
    dir: tempfile::TempDir,
    database: TestDatabase,
    raw: DatabaseConnection,
    server: Option<Server>,
    model: HeldModel,
    client: Client,
    cookie: String,
    workspace: String,
    pub agents: Vec<String>,
    teams: Vec<(Kind, String)>,
    pub conversation: String,
    /// The person's tab: it follows the conversation, and comes back to where it was.
    tab: Option<Reading>,
    pub events: Vec<Got>,
    /// The request that waits for an answer.
    held: Option<Asked>,
    /// The approval that waits for a decision.
    question: Option<Value>,
    words: usize,
    last_epoch: i64,
    pub requests: usize,
    pub crashes: usize,
}

/// What is there, as far as the reference speaks of it.
#[derive(Debug, PartialEq)]
pub struct Seen {
    held: Vec<(String, String)>,
    epoch: i64,
    pinned: bool,
    /// `running`, `waiting` or nothing, and who is being asked: an agent, or the router.
    turn: Option<String>,
    asked: Option<String>,
    ended: Vec<String>,
    said: usize,
}

impl Seen {
    /// What a state would look like.
    fn of(state: &State) -> Self {
        let (turn, asked) = match &state.turn {
            None => (None, None),
            Some(turn) => match turn.at {
                At::Routing => (Some("running"), Some("router")),
                At::Speaking => (Some("running"), Some(AGENTS[turn.speaker])),
                At::Waiting { .. } => (Some("waiting"), None),
            },
        };
        let held = state.held.iter().map(|held| (AGENTS[held.agent].to_owned(), held.status.to_owned()));
        Self {
            held: held.collect(),
            epoch: state.epoch,
            pinned: state.holder().pinned,
            turn: turn.map(str::to_owned),
            asked: asked.map(str::to_owned),
            ended: state.ended.iter().map(|how| (*how).to_owned()).collect(),
            said: state.said,
        }
    }
}

impl World {
    pub async fn open() -> Self {
        baton_tools::outbound::install_tls();
        let (dir, database) = (tempfile::tempdir().expect("a folder"), TestDatabase::new().await);
        let model = HeldModel::start().await;
        let client = Client::builder().no_proxy().build().expect("a client");
        let server = serve(dir.path(), &database, &model);
        let redeem = format!("{}/api/auth/links/redeem", server.url);
        let (_, me, cookie) = post(&redeem, json!({"token": server.link})).await;
        let workspace = text(&me["workspaces"][0]["id"]);
        let sqlite = format!("sqlite://{}", dir.path().join("data/baton.db").display());
        let raw = Database::connect(database.url().unwrap_or(sqlite)).await.expect("connected");
        let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
        let mut agents = Vec::new();
        for name in AGENTS {
            agents.push(owner.make_agent(name, json!({"tools": ["memory"], "max_turns": 60})).await);
        }
        let ids: Vec<&str> = agents.iter().map(String::as_str).collect();
        let schema =
            json!({"type": "object", "required": ["size"], "properties": {"size": {"type": "integer"}}});
        let mut teams = Vec::new();
        for (kind, name) in [(Kind::Swarm, "swarm"), (Kind::Router, "router"), (Kind::Pipeline, "pipeline")] {
            let members = ids.iter().enumerate().map(|(at, id)| match kind {
                Kind::Pipeline => {
                    json!({"agentId": id, "stage": {"name": format!("s{at}"), "outputSchema": schema}})
                }
                Kind::Swarm | Kind::Router => json!({"agentId": id, "isDefault": at == 0}),
            });
            let members: Value = members.collect();
            let body = json!({"workspaceId": workspace, "name": name, "kind": name, "members": members});
            let made = owner.post("/api/teams", body).await.expect(StatusCode::CREATED);
            teams.push((kind, text(&made["id"])));
        }
        Self {
            dir,
            database,
            raw,
            server: Some(server),
            model,
            client,
            cookie,
            workspace,
            agents,
            teams,
            conversation: String::new(),
            tab: None,
            events: Vec::new(),
            held: None,
            question: None,
            words: 0,
            last_epoch: 0,
            requests: 0,
            crashes: 0,
        }
    }

    pub async fn close(self) {
        drop(self.server);
        self.raw.close().await.expect("closed");
        self.database.drop().await;
    }

    pub fn is_postgres(&self) -> bool {
        matches!(self.database, TestDatabase::Postgres { .. })
    }

    pub fn person(&self) -> Actor<'_> {
        let server = self.server.as_ref().expect("the server is there");
        Actor::nobody(&server.url, &self.client).with_cookie(&self.cookie).at(&self.workspace)
    }

    pub async fn begin(&mut self, kind: Kind) {
        let (_, team) = self.teams.iter().find(|(of, _)| *of == kind).expect("a team");
        self.conversation = self.person().begin("teamId", team).await;
        (self.events, self.last_epoch) = (Vec::new(), 1);
        self.tab = Some(self.person().follow(&self.conversation, "0.0").await);
    }

    pub async fn act(&mut self, op: &Op) {
        match op {
            Op::Reply(answer) => self.reply(*answer),
            Op::Crash => self.crash().await,
            other => self.asking(other).await.expect("the server is there"),
        }
    }

    /// Both at once; a crash after a moment.
    pub async fn race(&mut self, one: &Op, other: &Op, moment: Duration) {
        let asking = match one {
            Op::Reply(_) => None,
            one => Some(tokio::spawn(self.asking(one))),
        };
        let also = match other {
            Op::Crash => None,
            other => Some(tokio::spawn(self.asking(other))),
        };
        if let Op::Reply(answer) = one {
            self.reply(*answer);
        }
        if *other == Op::Crash {
            tokio::time::sleep(moment).await;
            self.crash().await;
        }
        for asking in asking.into_iter().chain(also) {
            asking.await.expect("no panic");
        }
    }

    fn reply(&mut self, answer: Answer) {
        let asked = self.held.take().expect("a request that waits");
        self.words += 1;
        let words = format!("{} says {}.", who(&asked), self.words);
        let reply = said(answer, &asked, words, self.words);
        asked.reply(reply);
    }

    /// Killed, and started again.
    async fn crash(&mut self) {
        self.crashes += 1;
        (self.held, self.tab) = (None, None);
        self.server = None; // SIGKILL
        if self.is_postgres() {
            // As if its lease had run out: nobody is there to renew it.
            self.raw.execute_unprepared("DELETE FROM nodes").await.expect("forgotten");
        }
        self.server = Some(serve(self.dir.path(), &self.database, &self.model));
        let after = self.events.iter().rev().find_map(|got| got.id.clone());
        let after = after.unwrap_or_else(|| "0.0".to_owned());
        self.tab = Some(self.person().follow(&self.conversation, &after).await);
    }

    /// What the person asks for; none if the server is gone.
    fn asking(&self, op: &Op) -> impl Future<Output = Option<()>> + Send + 'static {
        let id = &self.conversation;
        let switch = format!("/api/agent-conversations/{id}/switch");
        let (path, body) = match op {
            Op::Say => {
                let said = json!({"message": "Go on", "workspaceId": self.workspace, "conversationId": id});
                ("/api/agent-chat".to_owned(), said)
            }
            Op::Retry => (format!("/api/agent-chat/{id}/retry"), json!({})),
            Op::Stop => (format!("/api/agent-chat/{id}/stop"), json!({})),
            Op::Auto => (switch, json!({"agentId": "auto"})),
            Op::Switch(to, None) => (switch, json!({"agentId": self.agents[*to]})),
            Op::Switch(to, Some(epoch)) => (switch, json!({"agentId": self.agents[*to], "epoch": epoch})),
            Op::Decide(decision) => {
                let shown = self.question.as_ref().expect("a question");
                let verb = if *decision == Decision::Approve { "approve" } else { "reject" };
                (
                    format!("/api/approvals/{}/{verb}", text(&shown["id"])),
                    approvals::decision(shown, json!({})),
                )
            }
            Op::Crash | Op::Reply(_) => unreachable!("no person does this"),
        };
        let request = self.person().request(reqwest::Method::POST, &path).json(&body);
        async move {
            // Of an answer that streams only the beginning is waited for: closing a tab stops nothing.
            let status = request.send().await.ok()?.status();
            assert!(!status.is_server_error(), "{path}: {status}");
            Some(())
        }
    }

    /// Waits until everything is as one of these states says; those that look so are what is possible now.
    pub async fn settle(&mut self, possible: Vec<State>) -> Vec<State> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let seen = self.look().await;
            let is_asked = self.held.as_ref().is_some_and(|held| !held.is_gone());
            if possible.iter().any(|state| Seen::of(state) == seen) && is_asked == seen.asked.is_some() {
                self.check().await;
                return possible.into_iter().filter(|state| Seen::of(state) == seen).collect();
            }
            tokio::select! {
                got = self.tab.as_mut().expect("a tab").next() => {
                    self.events.push(got.expect("the stream goes on"));
                }
                asked = self.model.next() => {
                    holds::valid(&asked.body);
                    self.requests += 1;
                    assert!(self.held.as_ref().is_none_or(Asked::is_gone), "two requests at once");
                    self.held = Some(asked);
                }
                () = hung_up(&mut self.held) => self.held = None,
                () = tokio::time::sleep_until(deadline) => {
                    let wanted: Vec<Seen> = possible.iter().map(Seen::of).collect();
                    panic!("it is {seen:#?}\nand should be one of {wanted:#?}");
                }
            }
        }
    }

    async fn look(&self) -> Seen {
        let read = self.person().read(&self.conversation).await;
        let activations = self.activations().await;
        let held = holds::list(&activations).iter();
        let held = held.map(|one| (text(&one["agent_name"]), text(&one["status"])));
        let named = |name: &'static str| self.events.iter().filter(move |got| got.name == name);
        Seen {
            held: held.collect(),
            epoch: read["active"]["epoch"].as_i64().expect("an epoch"),
            pinned: read["active"]["pinned"] == true,
            turn: read["turn"]["status"].as_str().map(str::to_owned),
            asked: self.held.as_ref().map(who),
            ended: named("done").map(|got| text(&got.data["status"])).collect(),
            said: named("user_message").filter(|got| got.data["synthetic"] != true).count(),
        }
    }

    pub async fn activations(&self) -> Value {
        self.person().get_owned(format!("/api/agent-conversations/{}/activations", self.conversation)).await
    }

    async fn check(&mut self) {
        let read = self.person().read(&self.conversation).await;
        self.last_epoch = holds::one_holder(&read, &self.activations().await, self.last_epoch);
        holds::everyone_speaks_for_themselves(&read, &self.agents);
        holds::every_turn_has_a_visible_end(&self.events, &read);
        holds::no_task_without_a_runner(&read, &self.tasks().await);
        let pending = format!("/api/approvals?workspaceId={}&status=pending", self.workspace);
        let pending = self.person().get_owned(pending).await;
        let questions = holds::list(&pending["approvals"]);
        let is_waiting = read["turn"]["status"] == "waiting";
        assert_eq!(questions.len(), usize::from(is_waiting), "who waits has a question: {pending}");
        self.question = questions.first().cloned();
    }

    /// The status of each task of the conversation.
    async fn tasks(&self) -> Vec<String> {
        let id = uuid::Uuid::parse_str(&self.conversation).expect("an id");
        let backend = self.raw.get_database_backend();
        let sql = "SELECT status FROM tasks WHERE conversation_id = $1 ORDER BY id";
        let statement = Statement::from_sql_and_values(backend, sql, [id.into()]);
        let rows = self.raw.query_all_raw(statement).await.expect("rows");
        rows.iter().map(|row| row.try_get("", "status").expect("a status")).collect()
    }
}

async fn hung_up(held: &mut Option<Asked>) {
    match held {
        Some(asked) => asked.hung_up().await,
        None => std::future::pending().await,
    }
}
