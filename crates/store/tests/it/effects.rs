//! The writes of Baton's own tools: done once, and only while the call is its turn's.

use std::time::{Duration, Instant};

use baton_core::conversations::Versions;
use baton_core::data::rows::Once;
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::ids::TaskId;
use baton_core::listing::Window;
use baton_core::log::TurnStatus;
use baton_core::memories::{
    MAX_MEMORIES, MemoryChange, MemoryQuery, MemoryWrite, Scope, full_path, paths_for,
};
use baton_core::store::{Conversations, Effects, Memories, Turns};
use baton_core::turns::After;
use baton_core::visitors::Person;
use chrono::Duration as Days;
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait, Value};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::cast::{Begun, Cast, done, now};
use crate::together::hang_up_after;

impl Cast {
    /// A turn under way.
    async fn turn(&self) -> Begun {
        let (accept, begun) = self.fresh("Go");
        self.told.store.commit(&accept).await.unwrap();
        begun
    }

    fn save(&self, scope: Scope, path: Option<&str>, content: &str) -> MemoryWrite {
        let path = path.map(str::to_owned);
        self.write(scope, MemoryChange::Save { path, content: content.to_owned() })
    }

    fn write(&self, scope: Scope, change: MemoryChange) -> MemoryWrite {
        MemoryWrite { workspace_id: self.workspace, agent_id: self.agent, person: self.ana, scope, change }
    }

    /// What there is, by path.
    async fn notes(&self) -> Vec<(String, String)> {
        let query = MemoryQuery {
            agent_id: self.agent,
            person: Some(self.ana),
            scope: None,
            search: None,
            window: Window { limit: 100, offset: 0 },
        };
        let rows = self.told.store.memories(query).await.unwrap().rows;
        let mut notes: Vec<_> =
            rows.iter().map(|note| (note.path_within().to_owned(), note.content.clone())).collect();
        notes.sort();
        notes
    }
}

fn effect(begun: &Begun, seq: i64) -> Effect {
    Effect {
        call: CallPlace { conversation_id: begun.id, seq, fence: begun.fence() },
        args_hash: "these".to_owned(),
        deadline: Instant::now() + Duration::from_secs(60),
        shown: Shown::default(),
    }
}

#[tokio::test]
async fn a_write_is_done_once_and_asked_again_says_what_came_of_it() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let begun = cast.turn().await;
    let saved = store.write_memory(&effect(&begun, 3), cast.save(Scope::Own, Some("diet"), "No meat")).await;
    assert_eq!(saved.unwrap(), json!({"done": "saved", "path": "diet", "scope": "person"}));
    // Another call writes over it, and only then the first is tried again: it changes nothing.
    let over = store.write_memory(&effect(&begun, 4), cast.save(Scope::Own, Some("diet"), "No fish")).await;
    assert_eq!(over.unwrap()["done"], "replaced");
    let again = store.write_memory(&effect(&begun, 3), cast.save(Scope::Own, Some("diet"), "No meat")).await;
    assert_eq!(again.unwrap()["done"], "saved", "what it was told the first time");
    assert_eq!(cast.notes().await, [("diet".into(), "No fish".into())]);

    let others = Effect { args_hash: "others".into(), ..effect(&begun, 3) };
    let refused = store.write_memory(&others, cast.save(Scope::Own, Some("diet"), "Anything")).await;
    assert!(matches!(refused, Err(EffectRefused::OtherArguments)), "{refused:?}");

    let found = store.effects(begun.id, &[4, 3, 5]).await.unwrap();
    let did: Vec<_> = found.iter().map(|(seq, outcome)| (*seq, outcome["done"].as_str().unwrap())).collect();
    assert_eq!(did, [(3, "saved"), (4, "replaced")]);
    for (seq, did) in [(3, Some("saved")), (4, Some("replaced")), (5, None)] {
        let found = store.done_before(&Once::Call(effect(&begun, seq))).await.unwrap();
        assert_eq!(found.as_ref().and_then(|outcome| outcome["done"].as_str()), did, "call {seq}");
    }

    // A turn has ended: what was done is known, and nothing new is.
    let ends = cast.commit(&begun, 2, vec![done(TurnStatus::Completed)], After::Ended(TurnStatus::Completed));
    store.commit(&ends).await.unwrap();
    let late = store.write_memory(&effect(&begun, 4), cast.save(Scope::Own, Some("diet"), "No fish")).await;
    assert_eq!(late.unwrap()["done"], "replaced");
    let new = store.write_memory(&effect(&begun, 6), cast.save(Scope::Own, Some("diet"), "Late")).await;
    assert!(matches!(new, Err(EffectRefused::Fenced)), "{new:?}");
    cast.told.end().await;
}

#[tokio::test]
async fn nothing_is_written_for_a_turn_that_is_not_the_calls_any_more() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let note = || cast.save(Scope::Own, Some("note"), "x");
    let fenced = async |effect: Effect, why: &str| {
        let refused = store.write_memory(&effect, note()).await;
        assert!(matches!(refused, Err(EffectRefused::Fenced)), "{why}: {refused:?}");
    };
    let begun = cast.turn().await;
    let mut other = effect(&begun, 3);
    other.call.fence.attempt = 2;
    fenced(other, "another attempt").await;
    let mut other = effect(&begun, 3);
    other.call.fence.task_id = TaskId::new();
    fenced(other, "another task").await;
    let late = Effect { deadline: Instant::now() - Duration::from_millis(1), ..effect(&begun, 3) };
    fenced(late, "nobody waits for it").await;
    store.request_stop(begun.id, None, now()).await.unwrap();
    fenced(effect(&begun, 3), "it was stopped").await;

    let begun = cast.turn().await;
    cast.told.lose_lease(cast.node).await;
    let next = baton_core::ids::NodeId::new();
    store.renew_lease(next).await.unwrap();
    assert!(store.claim_turns(next).await.unwrap().iter().any(|turn| turn.task_id == begun.task));
    fenced(effect(&begun, 3), "another node has it").await;

    let begun = cast.turn().await;
    store.delete_conversation(begun.id, Person::Profile(cast.ana), Versions::All).await.unwrap();
    fenced(effect(&begun, 3), "it was deleted").await;
    assert!(cast.notes().await.is_empty());
    cast.told.end().await;
}

#[tokio::test]
async fn what_is_refused_leaves_no_trace() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let begun = cast.turn().await;
    let delete = || cast.write(Scope::Own, MemoryChange::Delete { path: "note".into() });
    let refused = store.write_memory(&effect(&begun, 3), delete()).await;
    let Err(EffectRefused::NotNow(words)) = refused else { panic!("{refused:?}") };
    assert!(words.contains("There is no note"), "{words}");
    assert!(store.effects(begun.id, &[3]).await.unwrap().is_empty());
    // The same call may come through later: nothing was done yet.
    store.write_memory(&effect(&begun, 4), cast.save(Scope::Own, Some("note"), "x")).await.unwrap();
    let deleted = store.write_memory(&effect(&begun, 3), delete()).await.unwrap();
    assert_eq!(deleted, json!({"done": "deleted", "path": "note", "scope": "person"}));
    cast.told.end().await;
}

#[tokio::test]
async fn tries_that_meet_and_callers_that_hang_up_change_one_thing_once() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let begun = cast.turn().await;
    let save = |at: i64| cast.save(Scope::Own, None, &format!("note {at}"));
    let at_once = (0..8).map(|_| async { store.write_memory(&effect(&begun, 3), save(3)).await.unwrap() });
    let told = join_all(at_once).await;
    assert!(told.iter().all(|outcome| *outcome == told[0]), "{told:?}");
    assert_eq!(cast.notes().await.len(), 1);

    // Whoever asked has gone at once; what was asked for is done all the same.
    let here = effect(&begun, 4);
    assert!(hang_up_after(1, store.write_memory(&here, save(4))).await.is_none());
    for _ in 0..500 {
        if !store.effects(begun.id, &[4]).await.unwrap().is_empty() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(store.effects(begun.id, &[4]).await.unwrap().len(), 1, "nobody waits for it, and it goes on");
    assert_eq!(cast.notes().await.len(), 2);
    cast.told.end().await;
}

impl Cast {
    /// So many notes more of the kind that is at this path.
    async fn multiply(&self, path: &str, count: u64) {
        let raw = self.told.raw().await;
        let id = if self.told.is_postgres() { "gen_random_uuid()" } else { "randomblob(16)" };
        let sql = format!(
            "INSERT INTO agent_memories (id, agent_id, workspace_id, path, content, search_text, created_at, updated_at) \
             WITH RECURSIVE copies(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < {count}) \
             SELECT {id}, agent_id, workspace_id, path || '-' || number, content, search_text, created_at, updated_at \
             FROM agent_memories, copies WHERE path = '{path}'"
        );
        raw.execute_unprepared(&sql).await.unwrap();
    }
}

#[tokio::test]
async fn notes_without_a_path_and_notes_that_are_too_many() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let begun = cast.turn().await;
    let mut seq = 2;
    let mut write = async |write: MemoryWrite| {
        seq += 1;
        store.write_memory(&effect(&begun, seq), write).await
    };
    let mut windows = paths_for("Likes window seats");
    let (taken, free) = (windows.next().unwrap(), windows.next().unwrap());
    write(cast.save(Scope::Own, Some(&taken), "Likes aisle seats")).await.unwrap();
    for did in ["saved", "replaced"] {
        let outcome = write(cast.save(Scope::Own, None, "Likes window seats")).await.unwrap();
        assert_eq!(
            outcome,
            json!({"done": did, "path": free, "scope": "person"}),
            "the same note keeps its place"
        );
    }
    write(cast.save(Scope::Agent, Some("diet"), "Cook fresh")).await.unwrap();
    assert_eq!(cast.notes().await.len(), 3);

    cast.multiply(&full_path(Scope::Own, &taken, cast.ana), MAX_MEMORIES - 2).await;
    let full = write(cast.save(Scope::Own, Some("new"), "x")).await;
    let Err(EffectRefused::NotNow(words)) = full else { panic!("{full:?}") };
    assert!(words.contains("delete some first"), "{words}");
    write(cast.save(Scope::Own, Some(&free), "y")).await.expect("what is there can still change");
    write(cast.save(Scope::Agent, Some("new"), "x")).await.expect("nor is the agent's own kept from growing");
    cast.told.end().await;
}

#[tokio::test]
async fn effects_are_forgotten_after_a_day_once_their_turn_is_over() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (over, runs) = (cast.turn().await, cast.turn().await);
    for begun in [&over, &runs] {
        store.write_memory(&effect(begun, 3), cast.save(Scope::Own, None, "note")).await.unwrap();
    }
    let ends = cast.commit(&over, 2, vec![done(TurnStatus::Completed)], After::Ended(TurnStatus::Completed));
    store.commit(&ends).await.unwrap();
    let kept = async |begun: &Begun| store.effects(begun.id, &[3]).await.unwrap().len();
    store.purge(now() + Days::hours(23)).await.unwrap();
    assert_eq!((kept(&over).await, kept(&runs).await), (1, 1));
    store.purge(now() + Days::hours(25)).await.unwrap();
    assert_eq!(
        (kept(&over).await, kept(&runs).await),
        (0, 1),
        "one whose turn goes on is kept, however long"
    );
    // A turn that waited for days ends: from then on it is a day.
    let raw = cast.told.raw().await;
    let sql = "UPDATE tool_effects SET created_at = $1 WHERE conversation_id = $2";
    let values: [Value; 2] = [(now() - Days::days(3)).into(), runs.id.0.into()];
    raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values)).await.unwrap();
    // Its first task may have ended long ago, as with a handoff, and the turn goes on.
    for ended_at in [Some(now() - Days::days(3)), None] {
        let sql = "UPDATE tasks SET ended_at = $1 WHERE id = $2";
        let values: [Value; 2] = [ended_at.into(), runs.task.0.into()];
        let statement = Statement::from_sql_and_values(raw.get_database_backend(), sql, values);
        raw.execute_raw(statement).await.unwrap();
        store.purge(now()).await.unwrap();
        assert_eq!(kept(&runs).await, 1, "its turn may still look for it");
    }
    raw.close().await.unwrap();
    let ends = cast.commit(&runs, 2, vec![done(TurnStatus::Completed)], After::Ended(TurnStatus::Completed));
    store.commit(&ends).await.unwrap();
    store.purge(now() + Days::hours(23)).await.unwrap();
    assert_eq!(kept(&runs).await, 1, "the day begins with the end of its turn");
    store.purge(now() + Days::hours(25)).await.unwrap();
    assert_eq!(kept(&runs).await, 0);
    cast.told.end().await;
}

/// Postgres only: on SQLite there is one writer.
#[tokio::test]
async fn a_write_under_way_is_waited_for_and_none_follows_a_stop() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let store = &cast.told.store;
    let begun = cast.turn().await;
    let raw = cast.told.raw().await;
    let held = raw.begin().await.unwrap();
    let lock = format!("SELECT id FROM agent_conversations WHERE id = '{}' FOR SHARE", begun.id);
    held.execute_unprepared(&lock).await.unwrap();
    let insert = format!(
        "INSERT INTO tool_effects (conversation_id, seq, task_id, args_hash, outcome, created_at) \
         VALUES ('{}', 3, '{}', 'these', '{{\"done\": \"so\"}}', now())",
        begun.id, begun.task
    );
    held.execute_unprepared(&insert).await.unwrap();
    let mut looks = Box::pin(store.effects(begun.id, &[3]));
    let mut stops = Box::pin(store.request_stop(begun.id, None, now()));
    let soon = Duration::from_millis(150);
    assert!(timeout(soon, &mut looks).await.is_err(), "who looks waits for it");
    assert!(timeout(soon, &mut stops).await.is_err(), "and so does who stops");
    held.commit().await.unwrap();
    assert_eq!(looks.await.unwrap(), [(3, json!({"done": "so"}))]);
    stops.await.unwrap();

    // The other way round: a stop that is being stored makes a write wait, and then refuses it.
    let begun = cast.turn().await;
    let held = raw.begin().await.unwrap();
    let stop = format!("UPDATE agent_conversations SET stop_requested_at = now() WHERE id = '{}'", begun.id);
    held.execute_unprepared(&stop).await.unwrap();
    let here = effect(&begun, 3);
    let mut writes = Box::pin(store.write_memory(&here, cast.save(Scope::Own, Some("late"), "x")));
    assert!(timeout(soon, &mut writes).await.is_err(), "a write waits for a stop");
    held.commit().await.unwrap();
    let refused = writes.await;
    assert!(matches!(refused, Err(EffectRefused::Fenced)), "{refused:?}");
    assert!(cast.notes().await.is_empty());
    raw.close().await.unwrap();
    cast.told.end().await;
}
