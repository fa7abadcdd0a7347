//! What is done with transactions: parts, transfers, categories for many. All of it can be undone.

use baton_core::data::kinds::{CATEGORY_RULES, TRANSACTIONS};
use baton_core::data::money::{Part, Transfer, Which};
use baton_core::data::rows::{Filter, Once, Test};
use baton_core::store::{MoneyRows, Split, Written};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, changes_of, words};

fn part(category: Uuid, amount: i64) -> Part {
    Part { category_id: Some(category), amount, memo: Some("part".into()) }
}

impl Desk {
    pub async fn split(&self, transaction: Uuid, parts: Vec<Part>) -> Written {
        let split = Split { transaction, seen: None, parts };
        self.cast.told.store.split_transaction(&Once::Unkeyed, self.scope, self.author, split).await
    }

    pub async fn transfer(&self, transfer: Transfer) -> Written {
        self.cast.told.store.mark_transfer(&Once::Unkeyed, self.scope, self.author, transfer).await
    }

    pub async fn unmark(&self, transaction: Uuid) -> Written {
        self.cast.told.store.unmark_transfer(&Once::Unkeyed, self.scope, self.author, transaction).await
    }

    pub async fn categorise(&self, which: Which, category: Option<Uuid>) -> Written {
        self.cast.told.store.categorise(&Once::Unkeyed, self.scope, self.author, which, category).await
    }

    async fn field(&self, id: Uuid, name: &str) -> Value {
        self.row(&TRANSACTIONS, id).await.fields.get(name).cloned().unwrap_or_default()
    }
}

#[tokio::test]
async fn a_transaction_is_split_and_made_whole_again() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    let (food, fun) = (desk.category("Food").await, desk.category("Fun").await);
    let id = desk.transaction(giro, "2026-03-17", -1250, "Rewe").await;
    desk.set(&TRANSACTIONS, id, json!({"category_id": fun})).await.unwrap();
    let done = desk.split(id, vec![part(food, -1000), part(fun, -250)]).await.unwrap();
    let row = desk.row(&TRANSACTIONS, id).await;
    assert_eq!((&row.fields["is_split"], &row.fields["category_id"]), (&json!(true), &Value::Null));
    assert_eq!(
        row.fields["splits"][0],
        json!({"category_id": food, "category": "Food", "amount": -1000, "memo": "part"})
    );
    assert_eq!(done["rows"][0]["splits"], row.fields["splits"]);
    for (given, said) in [
        (json!({"amount": -1}), "its parts add up to its amount"),
        (json!({"category_id": food}), "its parts have the categories"),
    ] {
        assert!(words(desk.set(&TRANSACTIONS, id, given).await).contains(said), "{said}");
    }
    assert!(
        words(desk.delete(&baton_core::data::kinds::CATEGORIES, food).await)
            .contains("it is used by 1 transaction.")
    );
    desk.set(&TRANSACTIONS, id, json!({"payee": "Edeka"})).await.expect("the rest of it can change");
    assert!(words(desk.categorise(Which::These(vec![id]), Some(food)).await).contains("is split"));
    let told = words(desk.split(id, vec![part(food, -1000), part(Uuid::now_v7(), -250)]).await);
    assert_eq!(told, "category_id of a part names no category of this workspace");
    desk.undo(changes_of(&done)).await.unwrap();
    let row = desk.row(&TRANSACTIONS, id).await;
    assert_eq!((&row.fields["is_split"], &row.fields["category_id"]), (&json!(false), &json!(fun)));
    assert!(row.fields.get("splits").is_none());
    desk.split(id, vec![part(food, -1000), part(fun, -250)]).await.unwrap();
    let deleted = desk.delete(&TRANSACTIONS, id).await.unwrap();
    desk.undo(changes_of(&deleted)).await.unwrap();
    assert_eq!(desk.field(id, "splits").await.as_array().unwrap().len(), 2, "parts come back too");
    let whole = desk.split(id, vec![]).await.unwrap();
    assert_eq!(desk.field(id, "is_split").await, false);
    desk.undo(changes_of(&whole)).await.unwrap();
    assert_eq!(desk.field(id, "splits").await.as_array().unwrap().len(), 2);
    desk.end().await;
}

#[tokio::test]
async fn transfers_are_proposed_marked_and_unmarked() {
    let desk = Desk::set_up().await;
    let (giro, cash) = (desk.account("Giro").await, desk.account("Cash").await);
    let from = desk.transaction(giro, "2026-03-17", -5000, "ATM").await;
    let to = desk.transaction(cash, "2026-03-18", 5000, "ATM").await;
    let other = desk.transaction(cash, "2026-03-18", -300, "Kiosk").await;
    let proposed = desk.cast.told.store.propose_transfers(desk.scope, 10).await.unwrap();
    assert_eq!(proposed.iter().map(|pair| (pair.from, pair.to)).collect::<Vec<_>>(), [(from, to)]);
    assert!(
        words(desk.transfer(Transfer::Pair(from, other)).await)
            .contains("must be negative and the other positive")
    );
    assert!(words(desk.transfer(Transfer::Pair(from, from)).await).contains("two sides"));
    let marked = desk.transfer(Transfer::Pair(from, to)).await.unwrap();
    let id = desk.field(from, "transfer_id").await;
    assert!(id.is_string() && desk.field(to, "transfer_id").await == id);
    assert!(words(desk.transfer(Transfer::OneSide(to)).await).contains("is a transfer already"));
    assert!(desk.cast.told.store.propose_transfers(desk.scope, 10).await.unwrap().is_empty());
    desk.undo(changes_of(&marked)).await.unwrap();
    assert_eq!(
        (desk.field(from, "transfer_id").await, desk.field(to, "transfer_id").await),
        (Value::Null, Value::Null)
    );
    desk.transfer(Transfer::OneSide(other)).await.unwrap();
    desk.transfer(Transfer::Pair(to, from)).await.unwrap();
    let unmarked = desk.unmark(to).await.unwrap();
    assert_eq!(unmarked["changed"], 2);
    assert!(words(desk.unmark(to).await).contains("is not marked as a transfer"));
    assert!(desk.field(other, "transfer_id").await.is_string(), "another transfer stays");
    desk.end().await;
}

#[tokio::test]
async fn many_get_a_category() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    let (food, fun) = (desk.category("Food").await, desk.category("Fun").await);
    let mut ids = Vec::new();
    for (payee, amount) in [("Rewe", -1), ("Kino", -2), ("Rewe City", -3), ("Kiosk", -4)] {
        ids.push(desk.transaction(giro, "2026-03-17", amount, payee).await);
    }
    desk.split(ids[3], vec![part(food, -1), part(fun, -3)]).await.unwrap();
    let done = desk.categorise(Which::These(ids[..2].to_vec()), Some(fun)).await.unwrap();
    assert_eq!((&done["changed"], &done["more"]), (&json!(2), &json!(false)));
    let again = desk.categorise(Which::These(ids[..2].to_vec()), Some(fun)).await.unwrap();
    assert_eq!(again["changed"], 0, "nothing to do");
    desk.undo(changes_of(&done)).await.unwrap();
    let fitting = |search: Option<&str>, filters: Vec<Filter>| Which::Fitting {
        filters,
        search: search.map(str::to_owned),
        count: None,
    };
    let done = desk.categorise(fitting(Some("rewe"), vec![]), Some(food)).await.unwrap();
    assert_eq!(done["changed"], 2);
    assert_eq!(desk.row(&TRANSACTIONS, ids[2]).await.titles["category"], "Food");
    assert!(
        words(desk.categorise(fitting(Some("rewe"), vec![]), Some(food)).await)
            .contains("No transaction fits")
    );
    assert!(
        words(desk.categorise(fitting(Some("!"), vec![]), Some(food)).await).contains("No transaction fits")
    );
    // Who has counted is told if there are not as many, and nothing is changed.
    let counted = |count| Which::Fitting { filters: vec![], search: Some("rewe".into()), count: Some(count) };
    for count in [0, 1, 3] {
        let told = words(desk.categorise(counted(count), Some(fun)).await);
        assert!(told.contains(&format!("2 undivided transactions fit, not {count}")), "{told}");
    }
    assert_eq!(desk.row(&TRANSACTIONS, ids[2]).await.titles["category"], "Food");
    let done = desk.categorise(counted(2), Some(fun)).await.unwrap();
    assert_eq!(done["changed"], 2);
    desk.undo(changes_of(&done)).await.unwrap();
    // Asked again with its key, it finds what it did, though nothing fits any more.
    let keyed = Once::Request { profile_id: desk.cast.ana, key: "k".into(), request_hash: "h".into() };
    let store = &desk.cast.told.store;
    let kino = fitting(Some("kino"), vec![]);
    let first = store.categorise(&keyed, desk.scope, desk.author, kino.clone(), Some(food)).await.unwrap();
    assert_eq!(first["changed"], 1);
    let again = store.categorise(&keyed, desk.scope, desk.author, kino, Some(food)).await.unwrap();
    assert_eq!(again, first);
    desk.undo(changes_of(&first)).await.unwrap();
    let filter = Filter { field: "category_id", test: Test::Is(json!(food)) };
    assert_eq!(desk.categorise(fitting(None, vec![filter]), None).await.unwrap()["changed"], 2);
    assert_eq!(
        words(desk.categorise(Which::These(vec![ids[0]]), Some(giro)).await),
        "category_id names no category of this workspace"
    );
    assert_eq!(
        words(desk.categorise(Which::These(vec![giro]), Some(food)).await),
        "there is no such transaction"
    );

    for (text, category, position) in [("kino", fun, 1), ("REWE", food, 2), ("city", fun, 3)] {
        desk.made(&CATEGORY_RULES, json!({"text": text, "category_id": category, "position": position}))
            .await;
    }
    desk.set(&TRANSACTIONS, ids[0], json!({"category_id": fun})).await.unwrap();
    let store = &desk.cast.told.store;
    let ruled = store.apply_category_rules(&Once::Unkeyed, desk.scope, desk.author).await.unwrap();
    assert_eq!(
        (&ruled["changed"], &ruled["looked_at"], &ruled["more"]),
        (&json!(2), &json!(2), &json!(false))
    );
    for (id, category) in [(ids[0], fun), (ids[1], fun), (ids[2], food)] {
        assert_eq!(desk.field(id, "category_id").await, json!(category), "what had one keeps it");
    }
    desk.undo(changes_of(&ruled)).await.unwrap();
    assert_eq!(desk.field(ids[1], "category_id").await, Value::Null);
    desk.end().await;
}
