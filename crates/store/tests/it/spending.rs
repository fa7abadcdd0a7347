//! Rows of model calls: reserved and settled with a turn's commits, and counted whatever ends the turn.

use baton_core::ids::{ConversationId, NodeId};
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::models::{PaidBy, Usage};
use baton_core::spending::{Account, CallRef, Ledger, UsageRow};
use baton_core::store::{Conversations, Spending, Store, Turns};
use baton_core::turns::{After, Refused};
use baton_core::visitors::Person;
use chrono::Duration;

use crate::cast::{Begun, Cast, call, done, now, said};

impl Cast {
    fn row(&self, begun: &Begun, call: CallRef, cost_micros: i64) -> UsageRow {
        UsageRow {
            call,
            is_open: false,
            task_id: begun.task,
            agent_id: self.agent,
            profile_id: Some(self.ana),
            model: "demo/demo".into(),
            usage: Usage { input_tokens: 10, output_tokens: 5, ..Usage::NOTHING },
            cost_micros: Some(cost_micros),
            is_estimate: false,
            is_public: false,
            paid_by: PaidBy::Server,
        }
    }

    fn reserved(&self, begun: &Begun, call: CallRef, cost_micros: i64) -> UsageRow {
        UsageRow { is_open: true, is_estimate: true, ..self.row(begun, call, cost_micros) }
    }

    /// What the rows that are stored come to, read anew.
    async fn spent(&self, account: Account) -> i64 {
        let lately = self.told.store.spent_lately(now() - Duration::hours(1)).await.unwrap();
        Ledger::new(lately, now()).spent(account, now() - Duration::hours(1), None)
    }

    async fn open(&self, of: ConversationId) -> Vec<CallRef> {
        let since = now() - Duration::hours(1);
        let rows = self.told.store.open_usage((of, self.workspace), since).await.unwrap();
        rows.into_iter().map(|row| row.call).collect()
    }
}

#[tokio::test]
async fn a_call_is_reserved_when_it_opens_and_settled_when_it_ends() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let here = Account::Workspace(cast.workspace);
    let (mut accept, begun) = cast.fresh("Go");
    let (first, second) = (CallRef::Agent { seq: 2 }, CallRef::Agent { seq: 4 });
    let router = CallRef::Router { seq: 1, attempt: 1 };
    accept.usage = vec![cast.reserved(&begun, first, 900), cast.reserved(&begun, router, 70)];
    store.commit(&accept).await.unwrap();
    assert_eq!((cast.spent(here).await, cast.open(begun.id).await), (970, vec![router, first]));
    assert_eq!(cast.spent(Account::Person(cast.ana)).await, 970);

    let mut reply = cast.commit(&begun, 2, vec![said("Look:", None)], After::Running { progressed: true });
    reply.next_call = Some(cast.step(begun.task, begun.message, call()));
    reply.usage = vec![
        UsageRow { is_public: true, ..cast.row(&begun, first, 300) },
        cast.row(&begun, router, 7),
        cast.reserved(&begun, second, 500),
    ];
    store.commit(&reply).await.unwrap();
    assert!(matches!(store.commit(&reply).await, Err(Refused::Moved)), "once");
    assert_eq!((cast.spent(here).await, cast.open(begun.id).await), (807, vec![second]));
    assert_eq!(cast.spent(Account::Public(cast.workspace)).await, 0, "whose it is was said when it opened");

    let steps = vec![said("Enough.", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
    let mut finish = cast.commit(&begun, 4, steps, After::Ended(TurnStatus::Completed));
    finish.usage = vec![UsageRow { cost_micros: None, ..cast.row(&begun, second, 0) }];
    store.commit(&finish).await.unwrap();
    assert_eq!((cast.spent(Account::Server).await, cast.open(begun.id).await), (307, vec![]));
    cast.told.end().await;
}

#[tokio::test]
async fn a_call_that_a_stop_keeps_from_opening_reserves_nothing() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (mut accept, begun) = cast.fresh("Go");
    accept.usage = vec![cast.reserved(&begun, CallRef::Agent { seq: 2 }, 900)];
    store.commit(&accept).await.unwrap();
    store.request_stop(begun.id, None, now()).await.unwrap();
    let mut reply = cast.commit(&begun, 2, vec![said("Look:", None)], After::Running { progressed: true });
    reply.next_call = Some(cast.step(begun.task, begun.message, call()));
    reply.usage = vec![
        cast.row(&begun, CallRef::Agent { seq: 2 }, 3),
        cast.reserved(&begun, CallRef::Agent { seq: 4 }, 500),
    ];
    assert_eq!(store.commit(&reply).await.unwrap().last_seq, 3);
    assert_eq!((cast.spent(Account::Server).await, cast.open(begun.id).await), (3, vec![]));
    cast.told.end().await;
}

#[tokio::test]
async fn whoever_lost_the_turn_settles_what_is_still_open_and_nothing_else() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (mut accept, begun) = cast.fresh("Go");
    let (one, router) = (CallRef::Agent { seq: 2 }, CallRef::Router { seq: 1, attempt: 1 });
    accept.usage = vec![cast.reserved(&begun, one, 900), cast.reserved(&begun, router, 70)];
    store.commit(&accept).await.unwrap();
    let ana = Person::Profile(cast.ana);
    store.delete_conversation(begun.id, ana, baton_core::conversations::Versions::This).await.unwrap();
    assert_eq!(cast.spent(Account::Server).await, 970, "a deleted conversation's calls count");
    let steps = vec![said("Enough.", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
    let mut finish = cast.commit(&begun, 2, steps, After::Ended(TurnStatus::Completed));
    finish.usage = vec![cast.row(&begun, one, 300)];
    assert!(matches!(store.commit(&finish).await, Err(Refused::Fenced)));
    let never = cast.row(&begun, CallRef::Agent { seq: 9 }, 1_000);
    let settled = store.settle(begun.id, &[cast.row(&begun, one, 300), never]).await.unwrap();
    assert_eq!(settled, [cast.row(&begun, one, 300)]);
    assert_eq!((cast.spent(Account::Server).await, cast.open(begun.id).await), (370, vec![router]));
    assert!(store.settle(begun.id, &[cast.row(&begun, one, 5)]).await.unwrap().is_empty(), "once");
    assert_eq!(cast.spent(Account::Server).await, 370);
    cast.told.end().await;
}

#[tokio::test]
async fn other_nodes_read_what_has_changed() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    if store.generation().is_some() {
        return cast.told.end().await; // Nobody else writes to SQLite.
    }
    let other = NodeId::new();
    let since = store.spent_lately(now()).await.unwrap().read_at;
    let (mut accept, begun) = cast.fresh("Go");
    accept.usage = vec![cast.reserved(&begun, CallRef::Agent { seq: 2 }, 900)];
    store.commit(&accept).await.unwrap();
    let alone = store.spending_changes(cast.node, since).await.unwrap();
    assert!(alone.changed.is_empty(), "it knows its own");
    let seen = store.spending_changes(other, since).await.unwrap();
    assert_eq!(
        seen.changed.iter().map(|row| (row.cost_micros, row.is_open)).collect::<Vec<_>>(),
        [(900, true)]
    );
    store.settle(begun.id, &[cast.row(&begun, CallRef::Agent { seq: 2 }, 20)]).await.unwrap();
    let then = store.spending_changes(other, seen.read_at).await.unwrap();
    assert_eq!(
        then.changed.iter().map(|row| (row.cost_micros, row.is_open)).collect::<Vec<_>>(),
        [(20, false)]
    );
    assert!(store.spending_changes(other, then.read_at).await.unwrap().changed.is_empty());
    cast.told.end().await;
}
