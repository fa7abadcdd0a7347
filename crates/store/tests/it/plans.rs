//! Indexes serve the queries: when a test ends, the plan of every statement that it caused is read, and no statement
//! may read all of a table that grows.
//!
//! On SQLite the statements are collected as the store makes them (`baton_store::sql`) and then explained. (Those of
//! the writer's thread are not collected: Postgres stands for them.) On Postgres the server itself sends the plan of
//! each statement that it runs (`auto_explain`); the store's connections tell it to read a whole table only where no
//! index will do (`store/pool.rs`).

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;
use std::sync::{Arc, Mutex};

use baton_core::allow_rules::NewAllowRule;
use baton_core::approvals::ApprovalStatus;
use baton_core::conversations::{ConversationQuery, With};
use baton_core::handoffs::{NewTransition, Trigger};
use baton_core::ids::{ConversationId, FileId, InvitationId};
use baton_core::store::{
    AllowRules, ApprovalQuery, Approvals, Conversations, Files, Forks, Handoffs, People, Sessions, Steps,
    Turns, UsageByDay, UsageQuery, Workspaces,
};
use baton_core::turns::Claimed;
use baton_core::visitors::Person;
use chrono::Duration;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber, span};

use crate::cast::{Cast, now};
use crate::database::TestDatabase;

const STATEMENTS: &str = "baton_store::sql";
const NOTICES: &str = "sqlx::postgres::notice";

/// There are never many rows in these (`holds` is one of a test's own).
const SMALL: [&str; 6] = ["ai_agents", "departments", "generation", "holds", "nodes", "schema_version"];

/// What may read all of a table: statements that hold these words.
const MAY: [&str; 11] = [
    // Now and then, by nobody who waits for it: what has run out, and what is left of a workspace or an account.
    r#"DELETE FROM "sessions" WHERE "sessions"."expires_at" <"#,
    r#"DELETE FROM "sign_in_links" WHERE "sign_in_links"."expires_at" <"#,
    r#"DELETE FROM "workspace_invitations" WHERE "workspace_invitations"."expires_at" <"#,
    "FROM request_keys WHERE created_at <",
    r#"DELETE FROM "api_tokens" WHERE "api_tokens"."workspace_id" ="#,
    r#"FROM "agent_memories" WHERE substr("path""#,
    "DELETE FROM channel_messages WHERE id IN (SELECT channel_messages.id FROM channels",
    "DELETE FROM channels WHERE id IN (SELECT id FROM channels WHERE kind <>",
    // A new workspace looks for a free name, and a server's admins for people.
    r#"FROM "workspaces" WHERE "workspaces"."slug" LIKE"#,
    r#"FROM "profiles" WHERE "profiles"."deleted_at" IS NULL"#,
    r#"FROM "profiles" WHERE "profiles"."is_admin" ="#,
];
/// Nothing is asked for: a list is empty.
const NOTHING: &str = "WHERE ? = ?";

/// Added to the URL of a connection whose plans nobody wants to know.
pub const UNHEARD: &str = "options=-c%20auto_explain.log_min_duration%3D-1";

/// Hears what is asked on this thread, until it is dropped.
pub struct Plans {
    heard: Heard,
    _ear: DefaultGuard,
}

impl Plans {
    /// To be called before anyone connects.
    pub async fn tell(database: &TestDatabase) {
        let TestDatabase::Postgres { server, name } = database else { return };
        let admin = Database::connect(server).await.expect("the test server");
        let settings = [
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_level = notice",
            "auto_explain.log_format = json",
        ];
        for setting in settings {
            admin.execute_unprepared(&format!("ALTER DATABASE {name} SET {setting}")).await.expect("set");
        }
        admin.close().await.expect("closed");
    }

    pub fn hear() -> Self {
        let heard = Heard::default();
        Self { _ear: tracing::subscriber::set_default(heard.clone()), heard }
    }

    /// The statements that read a whole table, and which.
    pub async fn scans(&self, db: &DatabaseConnection) -> BTreeSet<String> {
        let heard = std::mem::take(&mut *self.heard.0.lock().unwrap());
        let schema = Schema::read(db).await;
        let mut scans = BTreeSet::new();
        for said in heard {
            let (statement, read_whole) = match db.get_database_backend() {
                DbBackend::Postgres => postgres(&said, &schema),
                _ => sqlite(db, said, &schema).await,
            };
            if !MAY.iter().chain([&NOTHING]).any(|words| statement.contains(words)) {
                let tables = read_whole.iter().filter(|table| !SMALL.contains(&table.as_str()));
                scans.extend(tables.map(|table| format!("all of {table}: {statement}")));
            }
        }
        scans
    }
}

/// The tables of the workspace's data beside those of kinds.
const DATA: [&str; 6] =
    ["transaction_splits", "transaction_words", "month_sums", "deal_stages", "data_changes", "data_totals"];

/// What is done to rows that name an account that is removed, in whatever workspace.
const FORGOTTEN: [&str; 2] = ["SET owner_id = NULL WHERE", "SET assignee_id = NULL WHERE"];

impl Plans {
    /// Statements on the workspace's data that don't say whose it is.
    pub fn unscoped(&self) -> BTreeSet<String> {
        let heard = self.heard.0.lock().unwrap();
        let is_data = |word: &str| DATA.contains(&word) || baton_core::data::kinds::find(word).is_some();
        // An account is removed from all of its workspaces.
        let is_forgotten = |said: &str| FORGOTTEN.iter().any(|words| said.contains(words));
        let is_unscoped = |said: &&String| {
            if is_forgotten(said) {
                return false;
            }
            // On Postgres the plan follows, with names of tables and of what is filtered by.
            let asked = said.split("\"Plan\":").next().unwrap_or_default();
            let mut words = asked.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.clone().any(is_data) && !words.any(|word| word == "workspace_id")
        };
        heard.iter().filter(is_unscoped).cloned().collect()
    }

    /// Whether something was asked that begins with these words and is cut into pieces.
    pub fn is_in_pieces(&self, words: &str) -> bool {
        let heard = self.heard.0.lock().unwrap();
        heard.iter().any(|said| said.contains(words) && said.contains("LIMIT $2"))
    }

    /// The plans of what was asked with these words.
    pub async fn of(&self, words: &str, db: &DatabaseConnection) -> Vec<String> {
        let heard = self.heard.0.lock().unwrap().clone();
        let mut plans = Vec::new();
        for said in heard {
            let is_postgres = db.get_database_backend() == DbBackend::Postgres;
            // The server quotes what it was asked.
            let asked = if is_postgres { said.replace(r#"\""#, r#"""#) } else { said.clone() };
            if !asked.contains(words) {
                continue;
            }
            if is_postgres {
                plans.extend(Some(said).filter(|said| said.contains("plan:\n")));
                continue;
            }
            let explain = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {said}"));
            let rows = db.query_all_raw(explain).await.unwrap();
            let details = rows.iter().map(|row| row.try_get::<String>("", "detail").unwrap());
            plans.push(details.collect::<Vec<_>>().join("\n"));
        }
        plans
    }
}

struct Schema {
    tables: BTreeSet<String>,
    /// Reading all of one is what it is for: it has only some of the rows.
    partial_indexes: BTreeSet<String>,
}

impl Schema {
    async fn read(db: &DatabaseConnection) -> Self {
        let (tables, partial_indexes) = match db.get_database_backend() {
            DbBackend::Postgres => (
                "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
                "SELECT indexname AS name FROM pg_indexes WHERE indexdef LIKE '% WHERE %'",
            ),
            _ => (
                "SELECT name FROM sqlite_schema WHERE type = 'table'",
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'",
            ),
        };
        Self { tables: names(db, tables).await, partial_indexes: names(db, partial_indexes).await }
    }

    /// The table that goes by this name in a statement; none if the statement made it.
    fn table<'a>(&'a self, statement: &str, name: &'a str) -> Option<&'a str> {
        if self.tables.contains(name) {
            return Some(name);
        }
        let statement = statement.replace('"', "");
        let words: Vec<&str> = statement.split([' ', ',', '(', ')']).collect();
        let is_it = |table: &&String| {
            let (plain, with_as) = ([table.as_str(), name], [table.as_str(), "AS", name]);
            words.windows(2).any(|two| two == plain) || words.windows(3).any(|three| three == with_as)
        };
        self.tables.iter().find(is_it).map(String::as_str)
    }
}

async fn names(db: &DatabaseConnection, sql: &str) -> BTreeSet<String> {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "name").unwrap()).collect()
}

async fn sqlite(db: &DatabaseConnection, statement: String, schema: &Schema) -> (String, Vec<String>) {
    let explain = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {statement}"));
    let rows = db.query_all_raw(explain).await.unwrap_or_else(|error| panic!("{error}: {statement}"));
    let mut tables = Vec::new();
    for row in rows {
        let detail: String = row.try_get("", "detail").unwrap();
        let words: Vec<&str> = detail.split(' ').collect();
        let whole = match words[..] {
            ["SCAN", _, "USING", .., index] => !schema.partial_indexes.contains(index),
            ["SCAN", _, "VIRTUAL", ..] | ["SCAN", "CONSTANT", ..] => false,
            ["SCAN", ..] => true,
            // Made for this query, of all rows.
            ["SEARCH", ..] => detail.contains("AUTOMATIC"),
            _ => false,
        };
        if whole {
            tables.extend(schema.table(&statement, words[1]).map(str::to_owned));
        }
    }
    (statement, tables)
}

fn postgres(notice: &str, schema: &Schema) -> (String, Vec<String>) {
    let Some((_, plan)) = notice.split_once("plan:\n") else { return (notice.to_owned(), Vec::new()) };
    let plan: Value = serde_json::from_str(plan).expect("a plan");
    let mut tables = Vec::new();
    read(&plan["Plan"], None, schema, &mut tables);
    (plan["Query Text"].as_str().unwrap().to_owned(), tables)
}

fn read(node: &Value, table: Option<&str>, schema: &Schema, tables: &mut Vec<String>) {
    let table = node["Relation Name"].as_str().or(table);
    let whole = match node["Node Type"].as_str().unwrap() {
        "Seq Scan" => true,
        "Index Scan" | "Index Only Scan" | "Bitmap Index Scan" => {
            node["Index Cond"].is_null()
                && !schema.partial_indexes.contains(node["Index Name"].as_str().unwrap())
        }
        _ => false,
    };
    if whole && let Some(table) = table {
        tables.push(table.to_owned());
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        read(child, table, schema, tables);
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<BTreeSet<String>>>);

impl Subscriber for Heard {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.target() == STATEMENTS || about.target() == NOTICES
    }

    fn event(&self, event: &Event<'_>) {
        struct Words(String);
        impl Visit for Words {
            fn record_str(&mut self, field: &Field, value: &str) {
                if field.name() == "message" || field.name() == "sql" {
                    self.0 = value.to_owned();
                }
            }
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                self.record_str(field, &format!("{value:?}"));
            }
        }
        let mut words = Words(String::new());
        event.record(&mut words);
        self.0.lock().unwrap().insert(words.0);
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

/// What no other test asks.
#[tokio::test]
async fn the_rest_of_what_the_store_is_asked() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (ana, at) = (Person::Profile(cast.ana), now());
    let (accept, begun) = cast.fresh("How much is left?");
    store.commit(&accept).await.unwrap();

    assert!(store.open_call(begun.id, 2).await.unwrap().is_some());
    assert!(store.find_request(ana, "key", at).await.unwrap().is_none());
    assert!(store.token_of_task(begun.task).await.unwrap().is_none());
    let claimed = Claimed { conversation_id: begun.id, task_id: begun.task };
    assert!(store.claim_again(cast.node, claimed).await.unwrap());
    let read = store.read_conversation(begun.id, ana, None, 10).await.unwrap();
    assert!(store.fork_points(&read.conversation).await.unwrap().is_empty());
    for (conversation_id, status) in [(None, None), (Some(begun.id), Some(ApprovalStatus::Pending))] {
        let query =
            ApprovalQuery { workspace_id: cast.workspace, person: ana, conversation_id, status, limit: 9 };
        assert!(store.approvals(query).await.unwrap().is_empty());
    }
    let attempt = NewTransition::completed(Trigger::Model, cast.agent, cast.agent);
    store.record_attempt(begun.id, attempt).await.unwrap();

    let rule = NewAllowRule { agent_id: cast.agent, tool_name: "fetch".into(), covers_outside: true };
    store.make_allow_rule(rule, cast.ana).await.unwrap();
    assert_eq!(store.allow_rules(cast.agent).await.unwrap().len(), 1);
    store.take_back_allow_rule(cast.agent, "fetch", cast.ana).await.unwrap();

    for profile_id in [None, Some(cast.ana)] {
        let days = vec![(at - Duration::days(1), at), (at, at + Duration::days(1))];
        let query = UsageQuery { workspace_id: cast.workspace, profile_id, days };
        assert_eq!(store.usage_by_day(query).await.unwrap().len(), 2);
    }
    assert!(store.file_workspace(FileId::new()).await.is_err());
    assert!(store.password_hash(cast.ana).await.unwrap().is_some());
    assert!(!store.instance_secret("test").await.unwrap().is_empty());
    store.set_note("test", "noted").await.unwrap();
    store.close_session(b"nobody's").await.unwrap();
    assert!(store.revoke_invitation(cast.workspace, cast.ana, InvitationId::new()).await.is_err());
    cast.told.end().await;
}

#[tokio::test]
async fn a_query_that_has_lost_its_index_is_seen() {
    let cast = Cast::gather().await;
    let (store, plans) = (&cast.told.store, &cast.told.plans);
    let ask = async || {
        store.last_seqs(vec![ConversationId::new()]).await.unwrap();
        store.remembered(ConversationId::new(), cast.agent).await.unwrap();
        store.stops_requested(cast.node).await.unwrap();
    };
    ask().await;
    let raw = cast.told.raw().await;
    assert_eq!(plans.scans(&raw).await, BTreeSet::new());
    for index in ["idx_approvals_conversation", "idx_agent_conversations_turns"] {
        raw.execute_unprepared(&format!("DROP INDEX {index}")).await.unwrap();
    }
    ask().await;
    // Over another connection: this one has plans of before.
    let scans = plans.scans(&cast.told.raw().await).await;
    let tables: Vec<&str> = scans.iter().filter_map(|scan| scan.split(':').next()).collect();
    assert_eq!(tables, ["all of agent_conversations", "all of approvals"]);
    cast.told.end().await;
}

/// Someone may have very many, in many workspaces: a page of them is read and nothing else is, nothing is sorted.
#[tokio::test]
async fn all_of_a_persons_conversations_come_in_the_order_of_an_index() {
    let cast = Cast::gather().await;
    let (store, raw) = (&cast.told.store, cast.told.raw().await);
    for before in [None, Some((now(), ConversationId::new()))] {
        let person = Person::Profile(cast.ana);
        let (workspace_id, with) = (cast.workspace, With::Anyone);
        let query = ConversationQuery { workspace_id, with, person, search: None, limit: 12, before };
        store.conversations(query).await.unwrap();
    }
    let plans = cast.told.plans.of(r#"ORDER BY "agent_conversations"."updated_at" DESC"#, &raw).await;
    assert_eq!(plans.len(), 2);
    for plan in plans {
        assert!(plan.contains("idx_agent_conversations_user"), "{plan}");
        assert!(!plan.contains("USE TEMP B-TREE") && !plan.contains(r#""Node Type": "Sort""#), "{plan}");
    }
    cast.told.end().await;
}

/// So that none of it goes without its plan being read.
#[test]
fn everything_that_the_store_can_be_asked_is_asked_by_a_test() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let asked = text_of(&here.join("tests/it"));
    for line in text_of(&here.join("../core/src/store")).lines() {
        let Some((_, name)) = line.split_once("    async fn ") else { continue };
        let (name, _) = name.split_once('(').unwrap();
        assert!(asked.contains(&format!(".{name}(")), "{name}");
    }
}

/// All that the files of a folder say.
fn text_of(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        text += &if path.is_dir() { text_of(&path) } else { std::fs::read_to_string(path).unwrap() };
    }
    text
}
