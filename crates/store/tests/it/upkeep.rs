//! What is cleaned up, and forks that are made in pieces.

use std::future::Future;
use std::time::Duration;

use baton_core::conversations::{ConversationQuery, NewConversation, Versions, With};
use baton_core::ids::{ConversationId, NodeId};
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::store::{Conversations, Forks, Sessions, Steps, Turns};
use baton_core::turns::{After, LeaseBefore};
use baton_core::visitors::Person;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait};
use tokio::time::sleep;

use crate::Told;
use crate::cast::{Begun, Cast, Place, done, said};
use crate::together::hang_up_after;

impl Told {
    async fn count(&self, from: &str) -> i64 {
        let raw = self.raw().await;
        let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) AS found FROM {from}");
        let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        row.unwrap().try_get("", "found").unwrap()
    }

    async fn run(&self, sql: &str) {
        self.raw().await.execute_unprepared(sql).await.unwrap();
    }

    /// As if the node had crashed a while ago. On SQLite every process but the one that asks has.
    pub async fn lose_lease(&self, node: NodeId) {
        if self.is_postgres() {
            let sql =
                format!("UPDATE nodes SET lease_until = now() - interval '1 second' WHERE id = '{node}'");
            self.run(&sql).await;
        }
    }
}

impl Cast {
    async fn listed(&self) -> Vec<ConversationId> {
        let query = ConversationQuery {
            workspace_id: self.workspace,
            with: With::Agent(self.agent),
            person: Person::Profile(self.ana),
            search: None,
            limit: 100,
            before: None,
        };
        self.told
            .store
            .conversations(query)
            .await
            .unwrap()
            .into_iter()
            .map(|found| found.conversation.id)
            .collect()
    }

    /// A conversation of so many turns.
    async fn talk(&self, turns: usize) -> (Begun, i64) {
        let (accept, first) = self.fresh("One");
        let mut last = self.told.store.commit(&accept).await.unwrap().last_seq;
        let mut begun = Begun { ..first };
        for turn in 1..=turns {
            let steps = vec![said("Hm.", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
            let end = self.commit(&begun, last, steps, After::Ended(TurnStatus::Completed));
            last = self.told.store.commit(&end).await.unwrap().last_seq;
            if turn < turns {
                let place = Place::Existing { id: begun.id, last_seq: last, ends: None };
                let (accept, next) = self.accept(place, "More");
                last = self.told.store.commit(&accept).await.unwrap().last_seq;
                begun = next;
            }
        }
        (begun, last)
    }

    /// Someone else holds the conversation until the first waits for it, and then the second behind it.
    async fn one_behind_the_other<A, B>(
        &self,
        held: ConversationId,
        first: impl Future<Output = A>,
        second: impl Future<Output = B>,
    ) -> (A, B) {
        let raw = self.told.raw().await;
        let holding = raw.begin().await.unwrap();
        let hold = format!("SELECT 1 FROM agent_conversations WHERE id = '{held}' FOR UPDATE");
        holding.execute_unprepared(&hold).await.unwrap();
        let (one_waits, both_wait) = (self.waiting(1), self.waiting(2));
        let second = async {
            one_waits.await;
            second.await
        };
        let release = async {
            both_wait.await;
            holding.rollback().await.unwrap();
        };
        let (first, second, ()) = tokio::join!(first, second, release);
        raw.close().await.unwrap();
        (first, second)
    }

    /// Until so many wait for a lock.
    async fn waiting(&self, many: i64) {
        let waiting = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while self.told.count(waiting).await < many {
            sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn nodes_that_crashed_are_forgotten() {
    let told = Told::begin().await;
    if !told.is_postgres() {
        return told.end().await;
    }
    let store = &told.store;
    let nodes = [NodeId::new(), NodeId::new(), NodeId::new()];
    for node in nodes {
        store.renew_lease(node).await.unwrap();
    }
    for (node, ago) in nodes.iter().zip(["2 hours", "5 minutes"]) {
        let sql = format!("UPDATE nodes SET lease_until = now() - interval '{ago}' WHERE id = '{node}'");
        told.run(&sql).await;
    }
    store.renew_lease(nodes[2]).await.unwrap();
    assert_eq!(told.count("nodes").await, 2, "only what is long gone");
    told.end().await;
}

#[tokio::test]
async fn a_renewal_tells_whether_the_lease_was_good_until_then() {
    let told = Told::begin().await;
    let (store, node) = (&told.store, NodeId::new());
    let first = store.renew_lease(node).await.unwrap();
    if !told.is_postgres() {
        assert_eq!(first, LeaseBefore::Good, "the folder's lock is the lease");
        return told.end().await;
    }
    assert_eq!(first, LeaseBefore::RunOut, "there was none");
    assert_eq!(store.renew_lease(node).await.unwrap(), LeaseBefore::Good);
    // Longer than what is forgotten, too: the machine slept.
    for ago in ["1 second", "2 hours"] {
        let sql = format!("UPDATE nodes SET lease_until = now() - interval '{ago}' WHERE id = '{node}'");
        told.run(&sql).await;
        assert_eq!(store.renew_lease(node).await.unwrap(), LeaseBefore::RunOut, "{ago}");
        assert_eq!(store.renew_lease(node).await.unwrap(), LeaseBefore::Good, "{ago}");
    }
    store.drop_lease(node).await.unwrap();
    assert_eq!(store.renew_lease(node).await.unwrap(), LeaseBefore::RunOut);
    told.end().await;
}

#[tokio::test]
async fn a_lease_is_good_for_five_seconds_by_the_databases_clock() {
    let told = Told::begin().await;
    if !told.is_postgres() {
        return told.end().await;
    }
    told.run("CREATE TABLE before AS SELECT now() AS at").await;
    told.store.renew_lease(NodeId::new()).await.unwrap();
    let asserted = "DO $$ BEGIN ASSERT (SELECT lease_until BETWEEN at + interval '5 seconds' AND now() + interval '5 seconds' \
                    FROM nodes, before); END $$";
    told.run(asserted).await;
    told.end().await;
}

#[tokio::test]
async fn what_was_deleted_is_purged_in_pieces() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let person = Person::Profile(cast.ana);
    let mut made = Vec::new();
    for _ in 0..45 {
        let new = NewConversation {
            workspace_id: cast.workspace,
            agent_id: cast.agent,
            team_id: None,
            person,
            title: None,
        };
        made.push(store.create_conversation(new).await.unwrap().id);
    }
    for id in &made[..44] {
        store.delete_conversation(*id, person, Versions::All).await.unwrap();
    }
    store.delete_expired().await.unwrap();
    assert_eq!(cast.told.count("agent_conversations").await, 45, "a driver may still write to them");
    let long_ago = "UPDATE agent_conversations SET deleted_at = '2020-01-01T00:00:00+00:00' WHERE deleted_at IS NOT NULL";
    cast.told.run(long_ago).await;
    store.delete_expired().await.unwrap();
    assert_eq!(cast.told.count("agent_conversations").await, 1);
    assert_eq!(cast.told.count("activations").await, 1);
    cast.told.end().await;
}

#[tokio::test]
async fn a_long_fork_is_whole_or_not_there() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let person = Person::Profile(cast.ana);
    let (begun, last) = cast.talk(120).await;
    let read = store.read_conversation(begun.id, person, None, 2).await.unwrap();
    let before = read.messages[0].id;
    for polls in [5, 10, 15, 20, 25, 30] {
        hang_up_after(polls, store.fork(begun.id, person, before)).await;
        let [listed] = cast.listed().await[..] else { panic!("more than one stands for both") };
        // Whoever hung up while it was being committed has a fork without having heard of it.
        if listed != begun.id {
            let copied = store.read_conversation(listed, person, None, 500).await.unwrap().messages;
            assert_eq!(copied.len(), 238, "half a copy after {polls} polls");
            store.delete_conversation(listed, person, Versions::This).await.unwrap();
        }
    }
    let fork = store.fork(begun.id, person, before).await.unwrap();
    let (copied, original) = (
        store.steps_after(fork.id, 0, 1_000).await.unwrap(),
        store.steps_after(begun.id, 0, 1_000).await.unwrap(),
    );
    assert_eq!((copied.len() as i64, original.len() as i64), (last - 4, last));
    assert!(
        copied.iter().zip(&original).all(|(copy, step)| (copy.seq, &copy.step) == (step.seq, &step.step))
    );
    let messages = store.read_conversation(fork.id, person, None, 500).await.unwrap().messages;
    assert_eq!(messages.len(), 238);
    let own: std::collections::HashSet<_> = messages.iter().map(|message| message.id).collect();
    assert!(copied.iter().all(|step| step.message_id.is_none_or(|id| own.contains(&id))));
    assert_eq!(cast.listed().await, [fork.id], "which stands for both");
    cast.told.end().await;
}

#[tokio::test]
async fn what_is_deleted_while_it_is_forked_stays_deleted() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let person = Person::Profile(cast.ana);
    for polls in [1, 3, 6, 10, 15] {
        let (begun, _) = cast.talk(30).await;
        let before = store.read_conversation(begun.id, person, None, 2).await.unwrap().messages[0].id;
        let delete = async {
            for _ in 0..polls {
                tokio::task::yield_now().await;
            }
            store.delete_conversation(begun.id, person, Versions::All).await.unwrap();
        };
        let (_, ()) = tokio::join!(store.fork(begun.id, person, before), delete);
        assert!(cast.listed().await.is_empty(), "after {polls} polls");
    }
    cast.told.end().await;
}

/// Postgres only: on SQLite one writes after the other.
#[tokio::test]
async fn a_fork_that_ends_first_is_renamed_and_deleted_with_the_rest() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let (store, person) = (&cast.told.store, Person::Profile(cast.ana));
    let (begun, _) = cast.talk(2).await;
    let before = store.read_conversation(begun.id, person, None, 2).await.unwrap().messages[0].id;

    let rename = store.rename_conversation(begun.id, person, "Renamed");
    let (fork, renamed) =
        cast.one_behind_the_other(begun.id, store.fork(begun.id, person, before), rename).await;
    assert_eq!(renamed.unwrap().len(), 2);
    let fork = store.conversation(fork.unwrap().id, person).await.unwrap();
    assert_eq!(fork.title.as_deref(), Some("Renamed"));

    let delete = store.delete_conversation(begun.id, person, Versions::All);
    let (fork, deleted) =
        cast.one_behind_the_other(begun.id, store.fork(begun.id, person, before), delete).await;
    fork.unwrap();
    assert_eq!(deleted.unwrap().len(), 3);
    assert!(cast.listed().await.is_empty());
    cast.told.end().await;
}
