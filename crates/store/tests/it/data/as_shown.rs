//! What a person allowed is done only to rows that are still as they were shown.

use baton_core::data::kinds::BUDGETS;
use baton_core::data::rows::{Author, ByAgent, Change, Once, RowChange};
use baton_core::effects::{SeenRow, Shown};
use baton_core::store::{Rows, Turns, Written};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, call, fields, words};
use crate::cast::Begun;

impl Desk {
    /// A call of a reply that began with step 3, by which this row becomes so. Its person was shown these versions.
    async fn allowed(&self, begun: &Begun, seq: i64, shown: &[(Uuid, i64)], id: Uuid, row: Value) -> Written {
        let seen =
            |(id, version): &(Uuid, i64)| SeenRow { kind: "budgets".into(), id: *id, version: *version };
        let mut once = call(begun, seq);
        if let Once::Call(effect) = &mut once {
            effect.shown = Shown { rows: shown.iter().map(seen).collect(), first_call: 3 };
        }
        let agent = ByAgent { agent_id: self.cast.agent, conversation_id: begun.id, seq };
        let author = Author { agent: Some(agent), ..self.author };
        let change = Change::Set { id, seen: None, fields: fields(row) };
        let changes = vec![RowChange { kind: &BUDGETS, change }];
        self.cast.told.store.change_rows(&once, self.scope, author, changes).await
    }
}

#[tokio::test]
async fn a_row_that_changed_since_it_was_shown_is_left_alone() {
    let desk = Desk::set_up().await;
    let budget = async |name: &str| {
        let row = json!({"name": name, "amount": 40_000, "currency": "EUR", "starts_on": "2026-01-01"});
        desk.made(&BUDGETS, row).await
    };
    let (food, fun, gone) = (budget("Food").await, budget("Fun").await, budget("Gone").await);
    let (accept, begun) = desk.cast.fresh("Go");
    desk.cast.told.store.commit(&accept).await.unwrap();
    desk.set(&BUDGETS, food, json!({"amount": 45_000})).await.unwrap();
    let refused = words(desk.allowed(&begun, 3, &[(food, 1)], food, json!({"amount": 50_000})).await);
    assert!(
        refused.contains("the budget Food was changed since") && refused.contains("Read it again"),
        "{refused}"
    );
    assert_eq!(desk.row(&BUDGETS, food).await.fields["amount"], 45_000);
    // One of several that were shown is enough, also if it is not the one that changes.
    let refused = words(desk.allowed(&begun, 3, &[(fun, 1), (food, 1)], fun, json!({"amount": 1})).await);
    assert!(refused.contains("Food"), "{refused}");
    desk.delete(&BUDGETS, gone).await.unwrap();
    let refused = words(desk.allowed(&begun, 3, &[(gone, 1)], gone, json!({"amount": 1})).await);
    assert!(refused.contains("has been deleted"), "{refused}");

    // Read again and asked anew, it is done. The other calls of the reply were shown together with it.
    desk.allowed(&begun, 3, &[(food, 2)], food, json!({"amount": 50_000})).await.unwrap();
    desk.allowed(&begun, 4, &[(food, 2)], food, json!({"notes": "More"})).await.unwrap();
    assert_eq!(desk.row(&BUDGETS, food).await.version, 4);
    // A person's change among those of its reply is none of them.
    desk.set(&BUDGETS, food, json!({"notes": "Less"})).await.unwrap();
    let refused = words(desk.allowed(&begun, 5, &[(food, 2)], food, json!({"amount": 1})).await);
    assert!(refused.contains("was changed since"), "{refused}");
    // Nor is what an earlier reply of the same conversation changed.
    desk.allowed(&begun, 2, &[], food, json!({"notes": "Earlier"})).await.unwrap();
    let refused = words(desk.allowed(&begun, 5, &[(food, 5)], food, json!({"amount": 1})).await);
    assert!(refused.contains("was changed since"), "{refused}");
    desk.end().await;
}
