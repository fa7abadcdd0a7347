//! Every change is recorded and can be taken back, as long as nothing else was changed since.

use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, TRANSACTIONS};
use baton_core::data::rows::{Change, ChangeAction, DataScope, Once};
use baton_core::store::{ChangesOf, Rows};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, changes_of, fields, words};

impl Desk {
    pub async fn undo(&self, changes: Vec<Uuid>) -> baton_core::store::Written {
        self.cast.told.store.undo(&Once::Unkeyed, self.scope, self.author, changes).await
    }
}

#[tokio::test]
async fn changes_are_recorded_and_taken_back() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let made = desk.create(&CATEGORIES, json!({"name": "Food"})).await.unwrap();
    let food: Uuid = made["rows"][0]["id"].as_str().unwrap().parse().unwrap();
    let named = desk.set(&CATEGORIES, food, json!({"name": "Eating"})).await.unwrap();
    let typed = desk.set(&CATEGORIES, food, json!({"type": "income"})).await.unwrap();

    let of = ChangesOf::Row { kind: &CATEGORIES, id: food };
    let recorded = store.changes(desk.scope, of, 10).await.unwrap();
    let told: Vec<_> = recorded.iter().map(|one| (one.action, one.is_undone)).collect();
    assert_eq!(
        told,
        [(ChangeAction::Changed, false), (ChangeAction::Changed, false), (ChangeAction::Created, false)]
    );
    assert_eq!(recorded[1].before, Some(fields(json!({"name": "Food"}))));
    assert_eq!(recorded[1].after, Some(fields(json!({"name": "Eating"}))));
    assert_eq!((recorded[2].before.clone(), recorded[1].author), (None, Some(desk.author)));
    assert_eq!(recorded[1].id, changes_of(&named)[0]);

    // The name is still as that change left it, though the row has changed elsewhere.
    desk.undo(changes_of(&named)).await.unwrap();
    let row = desk.row(&CATEGORIES, food).await;
    assert_eq!((&row.fields["name"], &row.fields["type"]), (&json!("Food"), &json!("income")));
    let told = words(desk.undo(changes_of(&named)).await);
    assert_eq!(told, "This can't be undone: the category \"Eating\" was changed back already.");
    // The creation can't be: the type is another since.
    let told = words(desk.undo(changes_of(&made)).await);
    assert!(told.contains("was changed since: its Type is \"income\" now, and was \"spending\""), "{told}");
    // Both together can, the newest first.
    desk.undo([changes_of(&made), changes_of(&typed)].concat()).await.unwrap();
    assert!(store.row(desk.scope, &CATEGORIES, food).await.is_err());
    let recorded = store.changes(desk.scope, of, 10).await.unwrap();
    assert_eq!(recorded.iter().filter(|one| one.is_undone).count(), 3);
    assert_eq!(recorded[0].undoes, Some(changes_of(&made)[0]));
    // And that can be undone: the row is there again, with its number of changes going on.
    desk.undo(vec![recorded[0].id]).await.unwrap();
    let back = desk.row(&CATEGORIES, food).await;
    assert_eq!(
        (back.fields["name"].clone(), back.fields["type"].clone()),
        (json!("Food"), json!("spending"))
    );
    assert!(back.version > row.version);
    let all = store.changes(desk.scope, ChangesOf::Workspace { before: None }, 3).await.unwrap();
    assert_eq!(all.len(), 3);
    let next = store.changes(desk.scope, ChangesOf::Workspace { before: Some(all[2].id) }, 50).await.unwrap();
    assert_eq!(next.len(), 4);
    desk.end().await;
}

#[tokio::test]
async fn deleted_rows_come_back_as_they_were() {
    let desk = Desk::set_up().await;
    let (giro, food) = (desk.account("Giro").await, desk.category("Food").await);
    let id = desk.transaction(giro, "2026-03-17", -1250, "Rewe").await;
    desk.set(&TRANSACTIONS, id, json!({"category_id": food, "notes": "x"})).await.unwrap();
    let before = desk.row(&TRANSACTIONS, id).await;
    let deleted = desk.delete(&TRANSACTIONS, id).await.unwrap();
    assert_eq!(deleted["rows"][0]["done"], "deleted");
    desk.undo(changes_of(&deleted)).await.unwrap();
    let after = desk.row(&TRANSACTIONS, id).await;
    assert_eq!((after.fields, after.titles), (before.fields, before.titles));
    let told = words(desk.undo(changes_of(&deleted)).await);
    assert!(told.contains("was changed back already"), "{told}");

    // What would break a rule is refused as any change would be.
    let gone = desk.made(&CATEGORIES, json!({"name": "Travel"})).await;
    let deleted = desk.delete(&CATEGORIES, gone).await.unwrap();
    desk.category("TRAVEL").await;
    assert_eq!(words(desk.undo(changes_of(&deleted)).await), "there is a category with this name already");
    let set = desk.set(&ACCOUNTS, giro, json!({"name": "Main"})).await.unwrap();
    let nobodys = desk.undo(vec![Uuid::now_v7()]).await;
    assert_eq!(words(nobodys), "there is no such change");
    for access in [AreaAccess::None, AreaAccess::Read] {
        let scope = DataScope { areas: Areas::WRITE.with(Area::Money, access), ..desk.scope };
        let refused = desk.cast.told.store.undo(&Once::Unkeyed, scope, desk.author, changes_of(&set)).await;
        assert!(words(refused).contains("may not change data of the area money"));
        let seen =
            desk.cast.told.store.changes(scope, ChangesOf::Workspace { before: None }, 10).await.unwrap();
        assert_eq!(seen.is_empty(), access == AreaAccess::None);
    }
    desk.change(&ACCOUNTS, Change::Set { id: giro, seen: None, fields: fields(json!({"name": "Third"})) })
        .await
        .unwrap();
    let told = words(desk.undo(changes_of(&set)).await);
    assert!(told.contains("its Name is \"Third\" now, and was \"Main\""), "{told}");
    assert_eq!(desk.row(&ACCOUNTS, giro).await.fields["notes"], Value::Null);
    desk.end().await;
}
