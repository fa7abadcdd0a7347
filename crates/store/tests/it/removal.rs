//! Deleting a workspace or an account: gone at once, then removed in pieces, beside other people's turns, even if the
//! process ends in between.

use std::time::Duration;

use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::log::TurnStatus;
use baton_core::people::FirstWorkspace;
use baton_core::store::{Conversations, Error, People, Sessions, Turns, Workspaces};
use baton_core::turns::{After, Commit, Refused, RequestKey};
use baton_core::visitors::Person;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait};
use tokio::time::{sleep, timeout};

use crate::cast::{Cast, accepting, called, done, said, with_key};
use crate::together::hang_up_after;
use crate::{Told, new_profile};

const RUNNING: After = After::Running { progressed: true };
/// Tables of what a workspace holds.
const HELD: [&str; 22] = [
    "agent_conversations",
    "task_messages",
    "agent_messages",
    "activations",
    "tasks",
    "approvals",
    "snapshots",
    "request_keys",
    "tapes",
    "attachments",
    "agent_memories",
    "pages",
    "page_versions",
    "page_links",
    "page_files",
    "page_imports",
    "page_words",
    "agent_skills",
    "agent_rules",
    "teams",
    "tools",
    "agents",
];

impl Told {
    async fn number(&self, sql: &str) -> i64 {
        let raw = self.raw().await;
        let statement = Statement::from_string(raw.get_database_backend(), sql);
        let row = raw.query_one_raw(statement).await.unwrap();
        let number = row.unwrap().try_get("", "number").unwrap();
        raw.close().await.unwrap();
        number
    }

    /// How many rows each table has.
    async fn held(&self) -> Vec<i64> {
        let mut counts = Vec::new();
        for table in HELD {
            counts
                .push(self.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) AS number FROM {table}")).await);
        }
        counts
    }

    /// As an id is written in SQL.
    fn id(&self, id: impl std::fmt::Display) -> String {
        match self.is_postgres() {
            true => format!("'{id}'"),
            false => format!("X'{}'", id.to_string().replace('-', "")),
        }
    }
}

/// A conversation with so many steps, all in one turn that runs.
async fn long_conversation(cast: &Cast, steps: usize) -> crate::cast::Begun {
    let (accept, begun) = cast.fresh("A long one");
    let mut last = cast.told.store.commit(&accept).await.unwrap().last_seq;
    for _ in 0..steps.div_ceil(1_000) {
        let calls = (0..1_000).map(|number| called(&format!("c{number}"))).collect();
        last = cast.told.store.commit(&cast.commit(&begun, last, calls, RUNNING)).await.unwrap().last_seq;
    }
    begun
}

/// The same house, seen by someone else.
async fn another(cast: &Cast, email: &str) -> (ProfileId, WorkspaceId) {
    let own = FirstWorkspace::Own { name: "Elsewhere".into() };
    let id = cast.told.store.sign_up(new_profile(email), own).await.unwrap().id;
    (id, cast.told.first_workspace(id).await)
}

#[tokio::test]
async fn a_deleted_workspace_is_gone_at_once_and_its_turns_with_it() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let slug = store.workspace(cast.workspace).await.unwrap().slug;
    let name = store.workspace(cast.workspace).await.unwrap().name;
    let (accept, begun) = cast.fresh("Go");
    let last = store.commit(&accept).await.unwrap().last_seq;
    store.delete_workspace(cast.workspace, cast.ana).await.unwrap();
    assert!(matches!(store.workspace(cast.workspace).await, Err(Error::NotFound("workspace"))));
    assert!(matches!(store.workspace_by_slug(&slug).await, Err(Error::NotFound("workspace"))));
    assert_eq!(store.role(cast.workspace, cast.ana).await.unwrap(), None);
    assert!(store.memberships(cast.ana).await.unwrap().is_empty());
    let fenced = store.commit(&cast.commit(&begun, last, vec![called("c")], RUNNING)).await;
    assert!(matches!(fenced, Err(Refused::Fenced)), "{fenced:?}");
    let person = Person::Profile(cast.ana);
    assert!(store.read_conversation(begun.id, person, None, 1).await.is_err());
    assert!(store.delete_workspace(cast.workspace, cast.ana).await.is_err(), "once");
    assert_eq!(store.create_workspace(&name, cast.ana).await.unwrap().slug, slug, "its slug is free");
    cast.told.end().await;
}

#[tokio::test]
async fn a_deleted_account_is_gone_at_once_and_its_address_is_free() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Go");
    let last = store.commit(&accept).await.unwrap().last_seq;
    let email = store.profile(cast.ana).await.unwrap().email;
    store.delete_profile(cast.ana).await.unwrap();
    assert!(store.profile(cast.ana).await.is_err());
    assert!(store.profile_by_email(&email).await.is_err());
    assert!(store.credentials(&email).await.unwrap().is_none());
    let fenced = store.commit(&cast.commit(&begun, last, vec![called("c")], RUNNING)).await;
    assert!(matches!(fenced, Err(Refused::Fenced)), "{fenced:?}");
    let again =
        store.sign_up(new_profile(&email), FirstWorkspace::Own { name: "Again".into() }).await.unwrap();
    assert_ne!(again.id, cast.ana);
    store.delete_expired().await.unwrap();
    let sql = format!(
        "SELECT CAST(COUNT(*) AS BIGINT) AS number FROM profiles WHERE id = {}",
        cast.told.id(cast.ana)
    );
    assert_eq!(cast.told.number(&sql).await, 0, "nothing of it is left");
    cast.told.end().await;
}

/// Waits for what takes place in the background.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(20), waiting).await.unwrap_or_else(|_| panic!("{what}: never"));
}

#[tokio::test]
async fn a_workspace_is_removed_even_if_who_deleted_it_hung_up() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (mut polls, mut deleted_alone) = (0, 0);
    while deleted_alone < 3 {
        let workspace = store.create_workspace("W", cast.ana).await.unwrap().id;
        let agent = crate::conversations::first_agent(&cast.told, workspace).await;
        let (mut accept, begun) = cast.fresh("Go");
        accept.workspace_id = workspace;
        accepting(&mut accept).agent_id = agent;
        store.commit(&accept).await.unwrap();
        polls += 1;
        if hang_up_after(polls, store.delete_workspace(workspace, cast.ana)).await.is_some() {
            // How many polls it takes differs a little.
            polls -= polls.min(4);
            continue;
        }
        // A commit that was sent takes place.
        sleep(Duration::from_millis(20)).await;
        if store.workspace(workspace).await.is_ok() {
            continue;
        }
        deleted_alone += 1;
        until("its turn ends", async || {
            let turns = store.turns_of(cast.node).await.unwrap();
            turns.iter().all(|turn| turn.conversation_id != begun.id)
        })
        .await;
        until("it is removed", async || store_agents(&cast, workspace).await == 0).await;
    }
    cast.told.end().await;
}

#[tokio::test]
async fn removing_goes_on_wherever_it_was_broken_off() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    // Ben's workspace as it should stay.
    let (ben, his) = another(&cast, "ben@example.org").await;
    let untouched = cast.told.held().await;
    let agents = store_agents(&cast, cast.workspace).await;
    for _ in 0..3 {
        long_conversation(&cast, 1_000).await;
    }
    let top = cast.write_page(None, "Top", "").await;
    for number in 0..120 {
        cast.write_page(Some(top), &format!("Page {number}"), &format!("[up](page:{top})")).await;
    }
    // As a process leaves it that ends right after the mark.
    let raw = cast.told.raw().await;
    let sql = format!(
        "UPDATE workspaces SET deleted_at = '2020-01-01T00:00:00+00:00' WHERE id = {}",
        cast.told.id(cast.workspace)
    );
    raw.execute_unprepared(&sql).await.unwrap();
    raw.close().await.unwrap();
    let mut before = cast.told.held().await;
    for polls in (1..40).map(|round| round * 7) {
        hang_up_after(polls, store.delete_expired()).await;
        let left = cast.told.held().await;
        assert!(left.iter().zip(&before).all(|(left, before)| left <= before), "{before:?} {left:?}");
        before = left;
    }
    store.delete_expired().await.unwrap();
    let left = cast.told.held().await;
    let agents_table = HELD.len() - 1;
    assert_eq!(left[agents_table], untouched[agents_table] - agents);
    assert!(left[..9].iter().all(|rows| *rows == 0), "{left:?}");
    let pages = HELD.iter().zip(&left).filter(|(table, _)| table.starts_with("page"));
    assert!(pages.clone().count() == 6 && pages.clone().all(|(_, rows)| *rows == 0), "{left:?}");
    assert_eq!(store.role(his, ben).await.unwrap().map(|role| role.to_string()).as_deref(), Some("owner"));
    cast.told.end().await;
}

#[tokio::test]
async fn what_cannot_be_removed_keeps_nothing_else() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (_, his) = another(&cast, "ben@example.org").await;
    let (accept, _) = cast.fresh("Once");
    let key = Some(RequestKey { key: "k".into(), body_hash: b"one".to_vec() });
    let elsewhere = store.create_workspace("Stays", cast.ana).await.unwrap().id;
    let agent = crate::conversations::first_agent(&cast.told, elsewhere).await;
    let mut accept = Commit { workspace_id: elsewhere, ..with_key(key, accept) };
    accepting(&mut accept).agent_id = agent;
    store.commit(&accept).await.unwrap();
    let raw = cast.told.raw().await;
    let (hers, held) = (cast.told.id(cast.workspace), cast.told.id(cast.agent));
    let changes = [
        format!(
            "CREATE TABLE holds (id {} REFERENCES agents (id))",
            if cast.told.is_postgres() { "UUID" } else { "BLOB" }
        ),
        format!("INSERT INTO holds VALUES ({held})"),
        format!("UPDATE workspaces SET deleted_at = '2020-01-01T00:00:00+00:00' WHERE id = {hers}"),
        format!(
            "UPDATE workspaces SET deleted_at = '2020-01-01T00:00:00+00:00' WHERE id = {}",
            cast.told.id(his)
        ),
        "UPDATE request_keys SET created_at = '2020-01-01T00:00:00+00:00'".to_owned(),
    ];
    for change in changes {
        raw.execute_unprepared(&change).await.unwrap();
    }
    raw.execute_unprepared("ALTER TABLE exports RENAME TO no_exports").await.unwrap();
    store.delete_expired().await.expect_err("one thing can't be removed");
    let keys = "SELECT CAST(COUNT(*) AS BIGINT) AS number FROM request_keys";
    assert_eq!(cast.told.number(keys).await, 0, "what comes after it is removed");
    raw.execute_unprepared("ALTER TABLE no_exports RENAME TO exports").await.unwrap();
    raw.close().await.unwrap();
    store.delete_expired().await.expect("the rest is removed");
    assert!(store_agents(&cast, cast.workspace).await > 0, "one is held");
    assert_eq!(store_agents(&cast, his).await, 0);
    cast.told.end().await;
}

async fn store_agents(cast: &Cast, workspace: WorkspaceId) -> i64 {
    let sql = format!(
        "SELECT CAST(COUNT(*) AS BIGINT) AS number FROM agents WHERE workspace_id = {}",
        cast.told.id(workspace)
    );
    cast.told.number(&sql).await
}

#[tokio::test]
async fn other_peoples_commits_go_in_between() {
    let cast = Cast::gather().await;
    let store = cast.told.store.clone();
    let (ben, his) = another(&cast, "ben@example.org").await;
    long_conversation(&cast, 20_000).await;
    let agent = crate::conversations::first_agent(&cast.told, his).await;
    let (hers, ana) = (cast.workspace, cast.ana);
    let cast = Cast { ana: ben, workspace: his, agent, node: cast.node, told: cast.told };
    let (accept, begun) = cast.fresh("Go");
    let mut last = store.commit(&accept).await.unwrap().last_seq;
    let is_removed = std::cell::Cell::new(false);
    let removing = async {
        store.delete_workspace(hers, ana).await.unwrap();
        store.delete_expired().await.unwrap();
        is_removed.set(true);
    };
    let mut commits = 0;
    let committing = async {
        while !is_removed.get() {
            let commit = cast.commit(&begun, last, vec![called("c")], RUNNING);
            last = store.commit(&commit).await.unwrap().last_seq;
            commits += 1;
        }
    };
    tokio::join!(removing, committing);
    assert!(commits > 20, "only {commits} commits in between");
    let left = "SELECT CAST(COUNT(*) AS BIGINT) AS number FROM agent_conversations";
    assert_eq!(cast.told.number(left).await, 1, "all that was deleted is gone");
    let end =
        vec![said("Done.", Some(baton_core::log::MessageStatus::Complete)), done(TurnStatus::Completed)];
    store.commit(&cast.commit(&begun, last, end, After::Ended(TurnStatus::Completed))).await.unwrap();
    cast.told.end().await;
}

/// Postgres only: SQLite has one writer.
#[tokio::test]
async fn who_deletes_waits_no_longer_than_a_request_may() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let store = &cast.told.store;
    let (accept, _) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let raw = cast.told.raw().await;
    let locked = raw.begin().await.unwrap();
    locked.execute_unprepared("SELECT id FROM agent_conversations FOR UPDATE").await.unwrap();
    let deleted = timeout(Duration::from_secs(15), store.delete_workspace(cast.workspace, cast.ana)).await;
    deleted.expect("in time").expect("marked");
    assert_eq!(store.turns_of(cast.node).await.unwrap().len(), 1, "its row is locked");
    locked.rollback().await.unwrap();
    until("its turn ends", async || store.turns_of(cast.node).await.unwrap().is_empty()).await;
    until("it is removed", async || store_agents(&cast, cast.workspace).await == 0).await;
    cast.told.end().await;
}

/// Postgres only: SQLite has one writer.
#[tokio::test]
async fn conversations_that_begin_during_a_deletion_never_wait_in_a_circle() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let store = &cast.told.store;
    for round in 0..10 {
        let workspace = store.create_workspace(&format!("Round {round}"), cast.ana).await.unwrap().id;
        let agent = crate::conversations::first_agent(&cast.told, workspace).await;
        let begins = (0..8).map(|_| {
            let (mut accept, _) = cast.fresh("Go");
            accept.workspace_id = workspace;
            accepting(&mut accept).agent_id = agent;
            let store = store.clone();
            tokio::spawn(async move { store.commit(&accept).await })
        });
        let begins: Vec<_> = begins.collect();
        let deleted = timeout(Duration::from_secs(60), store.delete_workspace(workspace, cast.ana)).await;
        deleted.expect("in time").unwrap();
        for begun in begins {
            match begun.await.unwrap() {
                Ok(_) | Err(Refused::Store(Error::NotFound(_))) => {}
                Err(other) => panic!("round {round}: {other:?}"),
            }
        }
        store.delete_expired().await.unwrap();
        assert_eq!(store_agents(&cast, workspace).await, 0);
    }
    cast.told.end().await;
}

/// Columns that refer to a profile and lead no index: the removal of a profile would look through their whole table.
const WITHOUT_INDEX: [&str; 2] = [
    "SELECT tables.name || '.' || refers.\"from\" AS named FROM sqlite_master AS tables, \
     pragma_foreign_key_list(tables.name) AS refers WHERE tables.type = 'table' AND refers.\"table\" = 'profiles' \
     AND NOT EXISTS (SELECT 1 FROM pragma_index_list(tables.name) AS indexes, pragma_index_info(indexes.name) AS parts \
                     WHERE parts.seqno = 0 AND parts.name = refers.\"from\")",
    "SELECT conrelid::regclass || '.' || attname AS named FROM pg_constraint \
     JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] \
     WHERE contype = 'f' AND confrelid = 'profiles'::regclass \
     AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1])",
];

#[tokio::test]
async fn whatever_refers_to_a_profile_is_found_by_an_index() {
    let told = Told::begin().await;
    let raw = told.raw().await;
    let sql = WITHOUT_INDEX[usize::from(told.is_postgres())];
    let rows = raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
    let named: Vec<String> = rows.iter().map(|row| row.try_get("", "named").unwrap()).collect();
    assert!(named.is_empty(), "{named:?}");
    raw.close().await.unwrap();
    told.end().await;
}

/// Columns that name a profile, or a membership by the profile in it; and what hangs on rows of a workspace without
/// having a `workspace_id` itself.
const NAMES: [[&str; 2]; 2] = [
    [
        "SELECT DISTINCT tables.name || '.' || refers.\"from\" AS named FROM sqlite_master AS tables, \
         pragma_foreign_key_list(tables.name) AS refers WHERE tables.type = 'table' AND (refers.\"table\" = 'profiles' \
         OR refers.\"table\" = 'workspace_members' AND refers.\"to\" = 'profile_id')",
        "SELECT DISTINCT tables.name || ' of ' || refers.\"table\" AS named FROM sqlite_master AS tables, \
         pragma_foreign_key_list(tables.name) AS refers WHERE tables.type = 'table' AND refers.on_delete = 'CASCADE' \
         AND NOT EXISTS (SELECT 1 FROM pragma_table_info(tables.name) WHERE name = 'workspace_id') \
         AND EXISTS (SELECT 1 FROM pragma_table_info(refers.\"table\") WHERE name = 'workspace_id')",
    ],
    [
        "SELECT DISTINCT conrelid::regclass || '.' || own.attname AS named FROM pg_constraint \
         CROSS JOIN LATERAL unnest(conkey, confkey) AS pairs(own_key, their_key) \
         JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = own_key \
         JOIN pg_attribute AS their ON their.attrelid = confrelid AND their.attnum = their_key \
         WHERE contype = 'f' AND (confrelid = 'profiles'::regclass \
         OR confrelid = 'workspace_members'::regclass AND their.attname = 'profile_id')",
        "SELECT DISTINCT conrelid::regclass || ' of ' || confrelid::regclass AS named FROM pg_constraint \
         WHERE contype = 'f' AND confdeltype = 'c' AND NOT EXISTS (SELECT 1 FROM pg_attribute \
         WHERE attrelid = conrelid AND attname = 'workspace_id') \
         AND EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = confrelid AND attname = 'workspace_id')",
    ],
];

/// Few of each row that they hang on, or gone before it, with what they are part of.
const FEW: [&str; 9] = [
    "agent_rule_assignments",
    "agent_skill_assignments",
    "allow_rules",
    "page_links",
    "pinned_tools",
    "team_members",
    "tool_permissions",
    // Its words, on Postgres.
    "page_words",
    "channel_message_words",
];

/// Left to a foreign key, all of it would be one transaction, however much there is.
#[tokio::test]
async fn whatever_goes_with_an_account_or_a_workspace_goes_in_pieces() {
    let cast = Cast::gather().await;
    let (store, raw) = (&cast.told.store, cast.told.raw().await);
    let (ben, his) = another(&cast, "ben@example.org").await;
    let (accept, _) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    store.delete_workspace(his, ben).await.unwrap();
    store.delete_profile(cast.ana).await.unwrap();
    store.delete_expired().await.unwrap();
    let named = async |sql: &str| {
        let rows = raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        rows.iter().map(|row| row.try_get::<String>("", "named").unwrap()).collect::<Vec<_>>()
    };
    let [columns, hanging] = NAMES[usize::from(cast.told.is_postgres())];
    let plans = &cast.told.plans;
    let columns = named(columns).await;
    assert!(columns.len() > 25, "{columns:?}");
    for named in columns {
        let (table, column) = named.split_once('.').unwrap();
        // All conversations are removed before.
        let is_removed = table == "agent_conversations"
            || plans.is_in_pieces(&format!("DELETE FROM {table} WHERE"))
            || plans.is_in_pieces(&format!("UPDATE {table} SET {column} = NULL WHERE"));
        assert!(is_removed, "say in store/removal/profiles.rs what becomes of {named}");
    }
    for named in named(hanging).await {
        let (table, _) = named.split_once(" of ").unwrap();
        let is_removed = FEW.contains(&table) || plans.is_in_pieces(&format!("DELETE FROM {table} WHERE"));
        assert!(is_removed, "say in store/removal that {named} goes in pieces, or here that there are few");
    }
    raw.close().await.unwrap();
    cast.told.end().await;
}
