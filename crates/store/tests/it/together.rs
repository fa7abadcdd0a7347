//! Several things at once: sibling calls of one reply, people who disconnect, busy connections, and locks that must
//! not deadlock.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use baton_core::ids::NodeId;
use baton_core::people::FirstWorkspace;
use baton_core::store::{People, Steps, Store, Turns, Workspaces};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::cast::Cast;
use crate::{Told, new_profile};

/// Works on it for so many polls, and then hangs up.
pub async fn hang_up_after<F: Future>(polls: usize, work: F) -> Option<F::Output> {
    let (mut work, mut left) = (pin!(work), polls);
    poll_fn(|context| match left.checked_sub(1) {
        None => Poll::Ready(None),
        Some(fewer) => {
            left = fewer;
            let poll = work.as_mut().poll(context).map(Some);
            if poll.is_pending() && left == 0 { Poll::Ready(None) } else { poll }
        }
    })
    .await
}

/// SQLite only: elsewhere nothing is kept.
#[tokio::test]
async fn a_change_is_seen_even_if_who_asked_for_it_hung_up() {
    let told = Told::begin().await;
    let (ana, _) = told.person("ana@example.org").await;
    let store = &told.store;
    let workspaces = async || store.memberships(ana.id).await.unwrap().len();
    let (mut polls, mut committed_alone) = (0, 0);
    while committed_alone < 3 {
        let (Some(generation), before) = (store.generation(), workspaces().await) else { break };
        polls += 1;
        if hang_up_after(polls, store.create_workspace("W", ana.id)).await.is_some() {
            polls = 0;
            continue;
        }
        sleep(Duration::from_millis(10)).await;
        if workspaces().await > before {
            committed_alone += 1;
            let seen = async {
                while store.generation() <= Some(generation) {
                    sleep(Duration::from_millis(1)).await;
                }
            };
            assert!(timeout(Duration::from_secs(5), seen).await.is_ok(), "after {polls} polls");
        }
    }
    told.end().await;
}

#[tokio::test]
async fn a_node_keeps_its_lease_while_all_other_connections_are_busy() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let raw = cast.told.raw().await;
    let locked = raw.begin().await.unwrap();
    locked.execute_unprepared("LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let waiting: Vec<_> = (0..8)
        .map(|_| {
            let (store, workspace) = (store.clone(), cast.workspace);
            tokio::spawn(async move { store.workspace(workspace).await })
        })
        .collect();
    // As many as there are connections.
    cast.told.until_waiting(5).await;
    let watch = async {
        store.renew_lease(cast.node).await.unwrap();
        assert!(store.claim_turns(cast.node).await.unwrap().is_empty());
        assert!(store.stops_requested(cast.node).await.unwrap().is_empty());
        assert_eq!(store.turns_of(cast.node).await.unwrap().len(), 1);
        assert_eq!(store.last_seqs(vec![begun.id]).await.unwrap(), [(begun.id, 2)]);
    };
    timeout(Duration::from_secs(5), watch).await.expect("in time");
    locked.rollback().await.unwrap();
    for read in waiting {
        read.await.unwrap().unwrap();
    }
    raw.close().await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn a_commit_and_a_deletion_never_wait_for_each_other() {
    let cast = Cast::gather().await;
    if !cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let store = &cast.told.store;
    let own = FirstWorkspace::Own { name: "Ben's".into() };
    let ben = store.sign_up(new_profile("ben@example.org"), own).await.unwrap().id;
    let his = cast.told.first_workspace(ben).await;
    assert_lets_commits_through(
        &cast,
        "Ana's workspace goes",
        store.delete_workspace(cast.workspace, cast.ana),
    )
    .await;
    assert!(store.workspace(cast.workspace).await.is_err());
    // Ben goes, and with him the workspace that was only his.
    let agent = crate::conversations::first_agent(&cast.told, his).await;
    let cast = Cast { ana: ben, workspace: his, agent, node: NodeId::new(), told: cast.told };
    assert_lets_commits_through(&cast, "Ben goes", cast.told.store.delete_profile(ben)).await;
    assert!(cast.told.store.workspace(his).await.is_err());
    cast.told.end().await;
}

/// A commit has locked its conversation and now looks at the workspace, as its foreign keys make it.
async fn assert_lets_commits_through<T>(
    cast: &Cast,
    what: &str,
    deletion: impl Future<Output = baton_core::store::Result<T>>,
) {
    let (accept, begun) = cast.fresh("Go");
    cast.told.store.commit(&accept).await.unwrap();
    let raw = cast.told.raw().await;
    let commit = raw.begin().await.unwrap();
    let guard = format!("SELECT 1 FROM agent_conversations WHERE id = '{}' FOR UPDATE", begun.id);
    commit.execute_unprepared(&guard).await.unwrap();
    let ended = Notify::new();
    let deletion = async {
        let deleted = deletion.await;
        ended.notify_one();
        deleted
    };
    let committing = async {
        // Whatever the deletion holds while it waits for the conversation, it holds now; or it didn't wait.
        tokio::select! {
            () = cast.told.until_waiting(1) => {}
            () = ended.notified() => {}
        }
        commit.execute_unprepared("SET LOCAL lock_timeout = '500ms'").await.unwrap();
        let look = format!("SELECT 1 FROM workspaces WHERE id = '{}' FOR KEY SHARE", cast.workspace);
        commit.execute_unprepared(&look).await.expect(what);
        commit.commit().await.unwrap();
    };
    let (deleted, ()) = tokio::join!(deletion, committing);
    deleted.map(drop).expect(what);
    raw.close().await.unwrap();
}
