//! Every table of a workspace is in its export, its deletion and its quota. The tables are read from the database itself: one
//! that someone adds and forgets here, or there, fails these tests.

use std::collections::BTreeSet;

use baton_core::channels::{ChannelChange, ChannelKind, NewChannel, Recipient};
use baton_core::data::imports::{ExportFile, NewImport};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{CATEGORIES, KINDS, PROJECTS, TRANSACTIONS};
use baton_core::data::money::Part;
use baton_core::data::rows::{Once, RowQuery};
use baton_core::ids::{ChannelId, ChannelMessageId, ConversationId, ExportId};
use baton_core::pages::NewPageFile;
use baton_core::store::{Channels, Conversations, Exports, FilePieces, Imports, Pages, Turns, Workspaces};
use chrono::Duration;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;
use crate::cast::now;
use crate::database::TestDatabase;
use crate::plans::UNHEARD;
use crate::whole;

/// Where rows are in the export of a workspace.
enum Export {
    In(&'static str),
    /// In none, because of this.
    Not(&'static str),
}

/// What becomes of rows when the workspace is removed.
enum Removal {
    Gone,
    /// They stay, because of this.
    Kept(&'static str),
}

/// How rows count in the workspace's space.
enum Quota {
    Counted,
    /// Their number or their size has a limit of its own, or they come with something that counts.
    Bounded,
}

use Export::{In, Not};
use Quota::{Bounded, Counted};
use Removal::{Gone, Kept};

/// Each table without a `workspace_id` whose rows hang on one of a workspace: by which column, on which table. They go with it.
const HANGING: &[(&str, &str, &str)] = &[
    ("activations", "conversation_id", "agent_conversations"),
    ("activity_words", "rowid", "activities"),
    ("agent_messages", "conversation_id", "agent_conversations"),
    ("agent_rule_assignments", "rule_id", "agent_rules"),
    ("agent_skill_assignments", "skill_id", "agent_skills"),
    ("allow_rules", "agent_id", "agents"),
    ("channel_message_docs", "id", "channel_messages"),
    ("channel_message_words", "id", "channel_messages"),
    ("company_words", "rowid", "companies"),
    ("contact_words", "rowid", "contacts"),
    ("deal_words", "rowid", "deals"),
    ("import_changes", "import_id", "imports"),
    ("import_remarks", "import_id", "imports"),
    ("page_docs", "id", "pages"),
    ("page_links", "page_id", "pages"),
    ("page_versions", "page_id", "pages"),
    ("page_words", "id", "pages"),
    ("pinned_tools", "tool_id", "tools"),
    ("request_keys", "conversation_id", "agent_conversations"),
    ("snapshots", "conversation_id", "agent_conversations"),
    ("tapes", "conversation_id", "agent_conversations"),
    ("task_messages", "conversation_id", "agent_conversations"),
    ("team_members", "team_id", "teams"),
    ("tool_effects", "conversation_id", "agent_conversations"),
    ("tool_permissions", "tool_id", "tools"),
    ("transaction_words", "rowid", "transactions"),
];

/// Tables of the server and of people, and the workspaces themselves.
const NOT_A_WORKSPACES: [&str; 13] = [
    "ai_agent_versions",
    "ai_agents",
    "departments",
    "generation",
    "instance_notes",
    "instance_secrets",
    "nodes",
    "profiles",
    "request_effects",
    "schema_version",
    "sessions",
    "sign_in_links",
    "workspaces",
];

/// What SQLite makes for itself behind an index of words.
const SHADOWS: [&str; 5] = ["_words_config", "_words_content", "_words_data", "_words_docsize", "_words_idx"];

/// Each table with a `workspace_id`.
const TABLES: &[(&str, Export, Removal, Quota)] = &[
    ("accounts", In("accounts"), Gone, Counted),
    ("activities", In("activities"), Gone, Counted),
    ("agent_conversations", In("conversations"), Gone, Counted),
    ("agent_memories", In("memories"), Gone, Bounded),
    ("agent_rules", In("rules"), Gone, Bounded),
    ("agent_skills", In("skills"), Gone, Bounded),
    ("agents", In("agents"), Gone, Bounded),
    ("api_tokens", Not("only hashes"), Gone, Bounded),
    ("approvals", Not("as parts of messages"), Gone, Counted),
    ("area_access", In("area_access"), Gone, Bounded),
    ("attachments", Not("as parts of messages"), Gone, Counted),
    ("audit_events", Not("the server's record"), Kept("the server's record"), Bounded),
    ("budgets", In("budgets"), Gone, Counted),
    ("calendar_feeds", Not("only hashes"), Gone, Bounded),
    ("categories", In("categories"), Gone, Counted),
    ("category_rules", In("category_rules"), Gone, Counted),
    ("channel_members", Not("as parts of channels"), Gone, Bounded),
    ("channel_mentions", Not("made from messages"), Gone, Bounded),
    ("channel_messages", Not("as parts of channels"), Gone, Counted),
    ("channels", In("channels"), Gone, Counted),
    ("companies", In("companies"), Gone, Counted),
    ("contacts", In("contacts"), Gone, Counted),
    ("data_changes", In("data_changes"), Gone, Counted),
    ("data_totals", Not("made from all rows"), Gone, Bounded),
    ("deal_stages", In("deals"), Gone, Bounded),
    ("deals", In("deals"), Gone, Counted),
    ("exchange_rates", In("exchange_rates"), Gone, Counted),
    ("exports", Not("files for a day, at their addresses"), Gone, Counted),
    ("figure_pins", In("figure_pins"), Gone, Bounded),
    ("file_pieces", Not("the bytes of imports and exports"), Gone, Counted),
    ("files", Not("pictures, at their addresses"), Gone, Bounded),
    ("goals", In("goals"), Gone, Counted),
    ("import_mappings", Not("asked for again with the next file"), Gone, Bounded),
    ("imports", Not("that files were brought in"), Gone, Counted),
    ("model_usage", Not("what was spent"), Kept("what was spent stays counted"), Bounded),
    ("model_providers", In("model_providers"), Gone, Bounded),
    ("month_sums", Not("made from transactions"), Gone, Bounded),
    ("page_files", In("pages"), Gone, Counted),
    ("page_imports", Not("that files were brought in"), Gone, Bounded),
    ("pages", In("pages"), Gone, Counted),
    ("project_tasks", In("project_tasks"), Gone, Counted),
    ("projects", In("projects"), Gone, Counted),
    ("result_files", Not("as parts of messages"), Gone, Counted),
    ("search_engines", Not("the one there can be, as search_engine"), Gone, Bounded),
    ("secrets", Not("never in any export"), Gone, Bounded),
    ("tasks", Not("as parts of messages"), Gone, Counted),
    ("teams", In("teams"), Gone, Bounded),
    ("tools", In("tools"), Gone, Bounded),
    ("transaction_splits", In("transactions"), Gone, Counted),
    ("transactions", In("transactions"), Gone, Counted),
    ("transitions", Not("as activations"), Kept("that a handoff took place"), Bounded),
    ("workspace_invitations", Not("only hashes"), Gone, Bounded),
    ("workspace_members", In("members"), Gone, Bounded),
];

async fn names(raw: &DatabaseConnection, sql: &str) -> BTreeSet<String> {
    let rows = raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "name").unwrap()).collect()
}

/// All of them.
async fn every_table(raw: &DatabaseConnection) -> BTreeSet<String> {
    let sql = match raw.get_database_backend() {
        DbBackend::Postgres => "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
        _ => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    };
    let mut tables = names(raw, sql).await;
    tables.retain(|table| !SHADOWS.iter().any(|end| table.ends_with(end)));
    tables
}

/// Those of a workspace.
async fn tables(raw: &DatabaseConnection) -> BTreeSet<String> {
    let sql = match raw.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT table_name AS name FROM information_schema.columns \
             WHERE table_schema = 'public' AND column_name = 'workspace_id'"
        }
        _ => {
            "SELECT tables.name AS name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns \
             WHERE tables.type = 'table' AND columns.name = 'workspace_id'"
        }
    };
    names(raw, sql).await
}

#[tokio::test]
async fn no_table_of_a_workspace_is_forgotten() {
    let desk = Desk::set_up().await;
    let raw = desk.cast.told.raw().await;
    let known: BTreeSet<String> = TABLES.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let there = tables(&raw).await;
    let forgotten: Vec<_> = there.difference(&known).collect();
    assert!(
        forgotten.is_empty(),
        "say here where the export has them, whether they are removed (store/removal/owners.rs) and how they count \
         (store/space.rs): {forgotten:?}"
    );
    assert_eq!(there.len(), known.len(), "tables that are no longer there");
    let others: BTreeSet<String> = every_table(&raw).await.difference(&there).cloned().collect();
    let hanging = HANGING.iter().map(|(table, ..)| *table);
    let said: BTreeSet<String> = hanging.chain(NOT_A_WORKSPACES).map(str::to_owned).collect();
    let forgotten: Vec<_> = others.difference(&said).collect();
    assert!(forgotten.is_empty(), "say here on what their rows hang: {forgotten:?}");
    raw.close().await.unwrap();
    desk.end().await;
}

impl Desk {
    /// A row of each kind; the notes, where there are any, are so long.
    async fn samples(&self, notes: usize) -> Vec<(&'static Kind, Value)> {
        let (giro, food) = (self.account("Giro").await, self.category("Food").await);
        let project = self.made(&PROJECTS, json!({"name": "Old"})).await;
        let sample = |kind: &'static Kind| {
            let mut row = match kind.name {
                "accounts" => json!({"name": "Cash", "currency": "EUR"}),
                "categories" => json!({"name": "Fun"}),
                "category_rules" => json!({"text": "rewe", "category_id": food}),
                "transactions" => {
                    json!({"account_id": giro, "booked_on": "2026-03-17", "amount": -1250, "payee": "Rewe"})
                }
                "budgets" => json!({"name": "B", "amount": 1, "currency": "EUR", "starts_on": "2026-01-01"}),
                "goals" => {
                    json!({"name": "G", "target_amount": 1, "currency": "EUR", "starts_on": "2026-01-01"})
                }
                "exchange_rates" => {
                    json!({"currency": "USD", "in_currency": "EUR", "rate": "0.9", "valid_from": "2026-01-01"})
                }
                "companies" | "contacts" | "projects" => json!({"name": "Acme"}),
                "deals" => json!({"name": "D", "currency": "EUR"}),
                "activities" => json!({"subject": "A"}),
                "project_tasks" => json!({"title": "T", "project_id": project}),
                other => panic!("say here what a row of {other} is"),
            };
            if kind.field("notes").is_some() && notes > 0 {
                row["notes"] = "x".repeat(notes).into();
            }
            (kind, row)
        };
        KINDS.iter().map(|kind| sample(kind)).collect()
    }

    /// A row of every kind, with parts.
    async fn one_of_each(&self) {
        for (kind, row) in self.samples(0).await {
            // Those that others need are there.
            if self.page(kind, RowQuery { limit: 1, ..RowQuery::default() }).await.total == 0 {
                let id = self.made(kind, row).await;
                if kind == &TRANSACTIONS {
                    let food =
                        self.page(&CATEGORIES, RowQuery { limit: 1, ..RowQuery::default() }).await.rows[0].id;
                    let part = |amount| Part { category_id: Some(food), amount, memo: None };
                    self.split(id, vec![part(-1000), part(-250)]).await.unwrap();
                }
            }
        }
    }

    /// A channel with this message.
    async fn message(&self, text: String) {
        let channel = ChannelId::new();
        let new = NewChannel {
            kind: ChannelKind::Open,
            name: "General".into(),
            topic: String::new(),
            people: vec![],
        };
        let to = Recipient::Channel(channel);
        for change in [
            ChannelChange::Create { id: channel, new },
            ChannelChange::Send { id: ChannelMessageId::new(), to, text },
        ] {
            let store = &self.cast.told.store;
            store.change_channel(&Once::Unkeyed, self.cast.workspace, self.author, change).await.unwrap();
        }
    }

    async fn conversation(&self) -> ConversationId {
        let (accept, begun) = self.cast.fresh("Go");
        self.cast.told.store.commit(&accept).await.unwrap();
        begun.id
    }

    /// One connection that checks nothing.
    async fn unchecked(&self) -> DatabaseConnection {
        let url = match &self.cast.told.database {
            TestDatabase::Sqlite(dir) => format!("sqlite://{}", dir.path().join("baton.db").display()),
            TestDatabase::Postgres { .. } => format!("{}?{UNHEARD}", self.cast.told.database.url().unwrap()),
        };
        let mut options = ConnectOptions::new(url);
        options.max_connections(1);
        let raw = Database::connect(options).await.unwrap();
        if self.cast.told.is_postgres() {
            let drop = "DO $$ DECLARE one record; BEGIN FOR one IN SELECT conrelid::regclass AS of, conname FROM pg_constraint \
                        WHERE contype = 'c' AND connamespace = 'public'::regnamespace LOOP \
                        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.conname); END LOOP; END $$";
            raw.execute_unprepared(drop).await.unwrap();
            raw.execute_unprepared("SET session_replication_role = replica").await.unwrap();
        } else {
            raw.execute_unprepared("PRAGMA foreign_keys = OFF").await.unwrap();
            raw.execute_unprepared("PRAGMA ignore_check_constraints = ON").await.unwrap();
        }
        raw
    }

    /// Puts a row of this workspace into a table, whatever its columns are. `on`: the column by which it hangs on another table.
    async fn fill(
        &self,
        raw: &DatabaseConnection,
        table: &str,
        conversation: ConversationId,
        on: Option<(&str, &str)>,
    ) {
        let is_postgres = self.cast.told.is_postgres();
        let sql = match is_postgres {
            true => format!(
                "SELECT column_name AS name, data_type AS type FROM information_schema.columns \
                 WHERE table_schema = 'public' AND table_name = '{table}' AND (is_nullable = 'NO' OR column_name = 'workspace_id') \
                 AND is_generated = 'NEVER'"
            ),
            false => format!(
                "SELECT name, lower(type) AS type FROM pragma_table_info('{table}') WHERE \"notnull\" = 1 OR name IN ('id', 'workspace_id')"
            ),
        };
        let rows = raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        let id = |id: Uuid| match is_postgres {
            true => format!("'{id}'"),
            false => format!("X'{}'", id.simple()),
        };
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for row in &rows {
            let (name, of): (String, String) =
                (row.try_get("", "name").unwrap(), row.try_get("", "type").unwrap());
            values.push(match (name.as_str(), of.as_str()) {
                (name, _) if on.is_some_and(|on| on.0 == name) && name != "conversation_id" => {
                    let (_, parent) = on.unwrap();
                    format!(
                        "(SELECT id FROM {parent} WHERE workspace_id = {} LIMIT 1)",
                        id(self.cast.workspace.0)
                    )
                }
                (_, "tsvector") => "''".to_owned(),
                ("workspace_id", _) => id(self.cast.workspace.0),
                ("agent_id", _) => id(self.cast.agent.0),
                ("conversation_id", _) => id(conversation.0),
                ("profile_id" | "user_id" | "created_by", _) => id(self.cast.ana.0),
                (name, "uuid" | "blob") if name.ends_with("id") => id(Uuid::now_v7()),
                (_, "bytea" | "blob") => if is_postgres { "'\\x00'" } else { "X'00'" }.to_owned(),
                (_, "jsonb") => "'{}'".to_owned(),
                (_, "boolean") => "false".to_owned(),
                (_, "bigint" | "integer" | "double precision" | "real" | "numeric") => "0".to_owned(),
                (name, _) if name.ends_with("_at") => "'2026-01-01 00:00:00+00:00'".to_owned(),
                (name, "date" | "text") if name.ends_with("_on") || name == "month" => {
                    "'2026-01-01'".to_owned()
                }
                (_, "text") => "'{}'".to_owned(),
                other => panic!("{table}: {other:?}"),
            });
            columns.push(format!("\"{name}\""));
        }
        let insert = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), values.join(", "));
        raw.execute_unprepared(&insert).await.unwrap_or_else(|error| panic!("{error}: {insert}"));
    }

    async fn all_in(&self, raw: &DatabaseConnection, table: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) AS number FROM {table}");
        let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        row.unwrap().try_get("", "number").unwrap()
    }

    async fn rows_in(&self, raw: &DatabaseConnection, table: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) AS number FROM {table} WHERE workspace_id = $1");
        let (engine, values) = (raw.get_database_backend(), [self.cast.workspace.0.into()]);
        let row = raw.query_one_raw(Statement::from_sql_and_values(engine, sql, values)).await.unwrap();
        row.unwrap().try_get("", "number").unwrap()
    }
}

#[tokio::test]
async fn nothing_of_a_workspace_is_left_when_it_is_removed() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let conversation = desk.conversation().await;
    desk.one_of_each().await;
    // Their words are found by an index.
    desk.cast.write_page(None, "Notes", "About it").await;
    desk.message("About it".to_owned()).await;
    let raw = desk.unchecked().await;
    let there = tables(&raw).await;
    for table in &there {
        if desk.rows_in(&raw, table).await == 0 {
            desk.fill(&raw, table, conversation, None).await;
        }
        assert!(desk.rows_in(&raw, table).await > 0, "{table}");
    }
    // Each engine has some of its own.
    let every = every_table(&raw).await;
    let hanging: Vec<_> = HANGING.iter().filter(|(table, ..)| every.contains(*table)).collect();
    for (table, column, parent) in &hanging {
        if desk.all_in(&raw, table).await == 0 {
            desk.fill(&raw, table, conversation, Some((column, parent))).await;
        }
        assert!(desk.all_in(&raw, table).await > 0, "{table}");
    }
    store.delete_workspace(desk.cast.workspace, desk.cast.ana).await.unwrap();
    store.purge(now() + Duration::days(2)).await.unwrap();
    for table in &there {
        let left = desk.rows_in(&raw, table).await;
        match TABLES.iter().find(|(name, ..)| name == table) {
            Some((_, _, Kept(why), _)) => assert!(left > 0, "{table} was to stay: {why}"),
            _ => assert_eq!(left, 0, "{table}"),
        }
    }
    // What hangs on the catalog stays with it.
    for (table, column, parent) in hanging {
        let is_index = table.ends_with("_words") || table.ends_with("_docs");
        let orphans =
            format!("{table} WHERE NOT EXISTS (SELECT 1 FROM {parent} WHERE {parent}.id = {table}.{column})");
        let left = if is_index { (*table).to_owned() } else { orphans };
        assert_eq!(desk.all_in(&raw, &left).await, 0, "{table}, which hangs on {parent}");
    }
    raw.close().await.unwrap();
    desk.end().await;
}

#[tokio::test]
async fn an_export_has_what_its_person_may_see() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    desk.conversation().await;
    desk.one_of_each().await;
    let export = whole(store.export_workspace(desk.cast.workspace, desk.cast.ana).await.unwrap()).await;
    for (table, place, ..) in TABLES {
        match place {
            In(name) => assert!(export[*name].is_array(), "{table} in {name}"),
            Not(why) => assert!(export.get(*table).is_none(), "{table}: {why}"),
        }
    }
    for kind in baton_core::data::kinds::KINDS {
        assert_eq!(export[kind.name].as_array().unwrap().len(), 1, "{}", kind.name);
    }
    let transaction = &export["transactions"][0];
    assert_eq!((&transaction["amount"], &transaction["account"]), (&json!(-1250), &json!("Giro")));
    assert_eq!(transaction["splits"].as_array().unwrap().len(), 2);
    assert!(transaction.get("source_key").is_none() && transaction["id"].is_string());
    assert_eq!(export["data_changes"].as_array().unwrap().len(), 14);
    assert_eq!(export["deals"][0]["stages"][0]["stage"], "lead");
    // Somebody who sees nothing of it takes nothing of it along.
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    let export = whole(store.export_workspace(desk.cast.workspace, bob.id).await.unwrap()).await;
    assert!(export.get("transactions").is_none() && export["data_changes"] == Value::Array(vec![]));
    desk.end().await;
}

#[tokio::test]
async fn every_row_takes_space() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let samples = desk.samples(1_500).await;
    let taken = async || store.space_taken(desk.cast.workspace).await.unwrap().all.bytes;
    let mut before = taken().await;
    for (kind, row) in samples {
        let length = row.to_string().len() as u64;
        desk.made(kind, row).await;
        let after = taken().await;
        // The row, and the record of it.
        assert!(after > before + length, "{}", kind.name);
        before = after;
    }
    for (table, _, _, quota) in TABLES {
        let is_data = baton_core::data::kinds::find(table).is_some();
        assert!(!is_data || matches!(quota, Counted), "{table}");
    }
    desk.end().await;
}

/// What else counts, by the ways in which it comes.
#[tokio::test]
async fn pages_messages_and_files_take_space() {
    let desk = Desk::set_up().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let taken = async || store.space_taken(cast.workspace).await.unwrap().all.bytes;
    let mut before = taken().await;
    let mut grown = async |what: &str, least: u64| {
        let after = taken().await;
        assert!(after >= before + least, "{what}: {before}, then {after}");
        before = after;
    };
    let page = cast.write_page(None, "Notes", &"x".repeat(5_000)).await;
    grown("pages", 5_000).await;
    let file = NewPageFile {
        page_id: page,
        name: "logo.png".into(),
        media_type: "image/png".into(),
        bytes: vec![7; 3_000],
    };
    store.keep_page_file(cast.workspace, cast.ana, file).await.unwrap();
    grown("page_files", 3_000).await;

    desk.message("x".repeat(2_000)).await;
    grown("channel_messages", 2_000).await;

    let new = NewImport {
        workspace_id: cast.workspace,
        profile_id: cast.ana,
        kind: "transactions",
        filename: "a.csv".to_owned(),
        is_dry_run: false,
        account_id: None,
    };
    let import = store.begin_import(new).await.unwrap();
    store.keep_piece(cast.workspace, import.0, 0, vec![b'x'; 1_000]).await.unwrap();
    store.end_upload(import, 1_000).await.unwrap();
    grown("imports", 1_000).await;
    let id = ExportId::new();
    store.keep_piece(cast.workspace, id.0, 0, vec![b'x'; 500]).await.unwrap();
    let export = ExportFile {
        id,
        workspace_id: cast.workspace,
        profile_id: cast.ana,
        kind: "accounts".into(),
        format: "csv".into(),
        filename: "accounts.csv".into(),
        rows: 1,
        size: 500,
        expires_at: now() + Duration::days(1),
    };
    store.keep_export(export).await.unwrap();
    grown("exports", 500).await;
    desk.end().await;
}
