//! Rows are made, changed and deleted as their kind says, and only by who may.

use baton_core::data::areas::{Area, AreaAccess, AreaRule, AreaRules, Areas};
use baton_core::data::kinds::{
    ACCOUNTS, ACTIVITIES, BUDGETS, CATEGORIES, CATEGORY_RULES, COMPANIES, CONTACTS, DEALS, EXCHANGE_RATES,
    GOALS, KINDS, PROJECT_TASKS, TRANSACTIONS,
};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange, RowQuery};
use baton_core::store::{Error, Rows, Workspaces};
use baton_core::workspaces::Role;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, fields, words};
use crate::cast::Cast;

#[tokio::test]
async fn a_row_of_every_kind_is_kept_as_it_was_checked() {
    let desk = Desk::set_up().await;
    let (account, category) = (desk.account("Giro").await, desk.category("Groceries").await);
    let project = desk.project("Office move").await;
    let rows = [
        (&CATEGORY_RULES, json!({"text": "rewe", "category_id": category}), json!({"position": 0})),
        (
            &TRANSACTIONS,
            json!({"account_id": account, "booked_on": "2026-03-17", "value_on": "2026-03-18", "amount": -1250,
                   "payee": " Rewe ", "memo": "", "category_id": category, "notes": "a\nb"}),
            json!({"currency": "EUR", "payee": "Rewe", "memo": null, "is_split": false, "status": "booked",
                   "activity": "payment", "transfer_id": null, "foreign_rate": null, "value_on": "2026-03-18"}),
        ),
        (
            &BUDGETS,
            json!({"name": "Food", "category_id": category, "amount": 40_000, "currency": "eur", "starts_on": "2026-01-01"}),
            json!({"period": "month", "rolls_over": false, "ends_on": null, "currency": "EUR"}),
        ),
        (
            &GOALS,
            json!({"name": "Bike", "target_amount": 90_000, "currency": "EUR", "starts_on": "2026-01-01", "account_id": account}),
            json!({"status": "active", "saved_amount": 0, "target_on": null}),
        ),
        (
            &EXCHANGE_RATES,
            json!({"currency": "USD", "in_currency": "EUR", "rate": "0.920", "valid_from": "2026-01-01"}),
            json!({"rate": "0.92"}),
        ),
        (
            &PROJECT_TASKS,
            json!({"title": " Pack ", "project_id": project, "assignee_id": desk.cast.ana, "due_on": "2026-03-17"}),
            json!({"title": "Pack", "status": "todo", "priority": "normal", "position": 0, "completed_on": null}),
        ),
        (
            &COMPANIES,
            json!({"name": " Acme ", "domain": "WWW.acme.example"}),
            json!({"name": "Acme", "domain": "acme.example", "owner_id": null}),
        ),
        (
            &CONTACTS,
            json!({"name": "Ada", "status": "new", "owner_id": desk.cast.ana}),
            json!({"status": "new", "email": null, "merged_into": null, "owner_id": desk.cast.ana}),
        ),
        (
            &DEALS,
            json!({"name": "D", "currency": "eur"}),
            json!({"stage": "lead", "amount": 0, "currency": "EUR", "probability": null, "closed_on": null}),
        ),
        (
            &ACTIVITIES,
            json!({"subject": "Call", "due_on": "2026-03-17"}),
            json!({"type": "task", "due_on": "2026-03-17", "done_on": null}),
        ),
    ];
    for (kind, given, expected) in rows {
        let id = desk.made(kind, given.clone()).await;
        let row = desk.row(kind, id).await;
        for (name, value) in fields(expected) {
            assert_eq!(row.fields.get(&name), Some(&value), "{}.{name}", kind.name);
        }
        assert_eq!(row.fields.len(), kind.fields.len(), "{:?}", row.fields);
        assert_eq!(row.version, 1);
        if kind.field("category_id").is_some() && !row.fields["category_id"].is_null() {
            assert_eq!(row.titles["category"], "Groceries", "{}", kind.name);
        }
    }
    for kind in KINDS {
        let page = desk.page(kind, RowQuery { limit: 10, ..Default::default() }).await;
        assert_eq!((page.rows.len(), page.total, page.is_counted), (1, 1, true), "{}", kind.name);
    }
    desk.end().await;
}

#[tokio::test]
async fn what_can_not_be_is_refused_in_words() {
    let desk = Desk::set_up().await;
    let (account, category) = (desk.account("Giro").await, desk.category("Straße").await);
    let nobody = Uuid::now_v7();
    let transaction = |name: &str, value: Value| {
        let mut row = json!({"account_id": account, "booked_on": "2026-03-17", "amount": -1250});
        row[name] = value;
        row
    };
    for (kind, row, said) in [
        (
            &TRANSACTIONS,
            transaction("account_id", json!(nobody)),
            "account_id names no account of this workspace",
        ),
        (
            &TRANSACTIONS,
            transaction("category_id", json!(nobody)),
            "category_id names no category of this workspace",
        ),
        (
            &TRANSACTIONS,
            transaction("category_id", json!(account)),
            "category_id names no category of this workspace",
        ),
        (
            &TRANSACTIONS,
            transaction("amount", json!(1.5)),
            "amount must be an integer, in minor units (cents)",
        ),
        (&CATEGORIES, json!({"name": "STRASSE"}), "there is a category with this name already"),
        (
            &BUDGETS,
            json!({"name": "B", "amount": 0, "currency": "EUR", "starts_on": "2026-01-01"}),
            "amount must be more than 0",
        ),
        (
            &BUDGETS,
            json!({"name": "B", "amount": 1, "currency": "EUR", "starts_on": "2026-01-02", "ends_on": "2026-01-01"}),
            "ends_on must not be before starts_on",
        ),
        (
            &GOALS,
            json!({"name": "G", "target_amount": 5, "currency": "USD", "starts_on": "2026-01-01", "account_id": account}),
            "currency must be EUR, as its account has",
        ),
        (
            &EXCHANGE_RATES,
            json!({"currency": "EUR", "in_currency": "EUR", "rate": "1", "valid_from": "2026-01-01"}),
            "in_currency must be another currency than the first",
        ),
    ] {
        assert_eq!(words(desk.create(kind, row).await), said);
    }
    let rate = json!({"currency": "USD", "in_currency": "EUR", "rate": "0.9", "valid_from": "2026-01-01"});
    desk.made(&EXCHANGE_RATES, rate.clone()).await;
    let again = words(desk.create(&EXCHANGE_RATES, rate).await);
    assert_eq!(again, "valid_from has a rate between these currencies already: change that one");
    // The same category may change the case of its own name.
    desk.set(&CATEGORIES, category, json!({"name": "STRASSE"})).await.unwrap();
    desk.end().await;
}

#[tokio::test]
async fn what_others_refer_to_stays() {
    let desk = Desk::set_up().await;
    let (account, category) = (desk.account("Giro").await, desk.category("Food").await);
    let id = desk.transaction(account, "2026-03-17", -1250, "Rewe").await;
    desk.set(&TRANSACTIONS, id, json!({"category_id": category})).await.unwrap();
    let rule = desk.made(&CATEGORY_RULES, json!({"text": "rewe", "category_id": category})).await;
    let told = words(desk.delete(&CATEGORIES, category).await);
    assert_eq!(
        told,
        "This category can't be deleted: it is used by 1 transaction, 1 category rule. Give those another category first."
    );
    assert!(
        words(desk.delete(&ACCOUNTS, account).await)
            .contains("it is used by 1 transaction. Close it instead")
    );
    desk.delete(&CATEGORY_RULES, rule).await.unwrap();
    desk.delete(&TRANSACTIONS, id).await.unwrap();
    desk.delete(&CATEGORIES, category).await.expect("deleted transactions are in nobody's way");
    assert!(words(desk.delete(&ACCOUNTS, account).await).contains("transactions that were deleted are kept"));
    // What comes back has lost the category that is gone.
    desk.change(&TRANSACTIONS, Change::Restore { id }).await.unwrap();
    assert_eq!(desk.row(&TRANSACTIONS, id).await.fields["category_id"], Value::Null);
    let twice = words(desk.change(&TRANSACTIONS, Change::Restore { id }).await);
    assert_eq!(twice, "This transaction is not deleted.");
    let empty = desk.account("Cash").await;
    desk.delete(&ACCOUNTS, empty).await.unwrap();
    desk.end().await;
}

#[tokio::test]
async fn a_row_that_changed_since_it_was_seen_is_left_alone() {
    let desk = Desk::set_up().await;
    let account = desk.account("Giro").await;
    let set = async |seen: i64, name: &str| {
        desk.change(
            &ACCOUNTS,
            Change::Set { id: account, seen: Some(seen), fields: fields(json!({"name": name})) },
        )
        .await
    };
    assert_eq!(set(1, "Main").await.unwrap()["rows"][0]["version"], 2);
    let told = words(set(1, "Other").await);
    assert!(told.contains("changed since it was read") && told.contains("version 2"), "{told}");
    let nothing = set(2, "Main").await.unwrap();
    assert_eq!((nothing["changed"].clone(), desk.row(&ACCOUNTS, account).await.version), (json!(0), 2));
    let old = desk.change(&ACCOUNTS, Change::Delete { id: account, seen: Some(1) }).await;
    assert!(words(old).contains("Read it again"));
    // All or nothing.
    let changes = vec![
        RowChange {
            kind: &ACCOUNTS,
            change: Change::Set { id: account, seen: None, fields: fields(json!({"name": "X"})) },
        },
        RowChange { kind: &ACCOUNTS, change: Change::Delete { id: Uuid::now_v7(), seen: None } },
    ];
    let both = desk.cast.told.store.change_rows(&Once::Unkeyed, desk.scope, desk.author, changes).await;
    assert_eq!(words(both), "there is no such account");
    assert_eq!(desk.row(&ACCOUNTS, account).await.fields["name"], "Main");
    desk.end().await;
}

#[tokio::test]
async fn nobody_reaches_another_workspace_or_more_than_they_may() {
    let desk = Desk::set_up().await;
    let (account, category) = (desk.account("Giro").await, desk.category("Food").await);
    let id = desk.transaction(account, "2026-03-17", -1250, "Rewe").await;
    let (bob, elsewhere) = desk.cast.told.person("bob@example.org").await;
    let bobs = Desk {
        cast: Cast { ana: bob.id, workspace: elsewhere, ..desk.cast },
        scope: DataScope { workspace_id: elsewhere, areas: Areas::WRITE },
        author: Author { profile_id: bob.id, agent: None },
    };
    let store = &bobs.cast.told.store;
    let gone = store.row(bobs.scope, &TRANSACTIONS, id).await;
    assert!(matches!(gone, Err(Error::NotFound("transaction"))), "{gone:?}");
    for kind in KINDS {
        for search in [None, Some("rewe".to_owned())] {
            let page = bobs.page(kind, RowQuery { limit: 10, search, ..Default::default() }).await;
            assert_eq!((page.rows.len(), page.total), (0, 0), "{}", kind.name);
        }
    }
    assert_eq!(
        words(bobs.set(&TRANSACTIONS, id, json!({"amount": 1})).await),
        "there is no such transaction"
    );
    assert_eq!(words(bobs.delete(&ACCOUNTS, account).await), "there is no such account");
    let row = json!({"account_id": account, "booked_on": "2026-03-17", "amount": 1});
    assert_eq!(words(bobs.create(&TRANSACTIONS, row).await), "account_id names no account of this workspace");
    let own = bobs.account("Own").await;
    let row = json!({"account_id": own, "booked_on": "2026-03-17", "amount": 1, "category_id": category});
    assert_eq!(
        words(bobs.create(&TRANSACTIONS, row).await),
        "category_id names no category of this workspace"
    );

    let limited = |access| Desk::limited(&bobs, access);
    for (access, may_read) in [(AreaAccess::None, false), (AreaAccess::Read, true)] {
        let scope = limited(access);
        let read = store.rows(scope, &ACCOUNTS, RowQuery { limit: 5, ..Default::default() }).await;
        assert_eq!(read.is_ok(), may_read, "{access:?}");
        let changes = vec![RowChange { kind: &ACCOUNTS, change: Change::Delete { id: own, seen: None } }];
        let told = words(store.change_rows(&Once::Unkeyed, scope, bobs.author, changes).await);
        assert!(told.contains("may not change data of the area money"), "{told}");
    }
    bobs.end().await;
}

impl Desk {
    fn limited(&self, access: AreaAccess) -> DataScope {
        DataScope { areas: Areas::WRITE.with(Area::Money, access), ..self.scope }
    }
}

#[tokio::test]
async fn owners_say_what_a_role_may_do() {
    let desk = Desk::set_up().await;
    let (store, workspace) = (&desk.cast.told.store, desk.cast.workspace);
    let rule = AreaRule { role: Role::Member, area: Area::Money, access: AreaAccess::Read };
    assert_eq!(store.area_rules(workspace).await.unwrap(), AreaRules::default());
    for access in [AreaAccess::None, AreaAccess::Read] {
        let rules = vec![AreaRule { access, ..rule }];
        assert_eq!(
            store.set_area_rules(workspace, desk.cast.ana, rules.clone()).await.unwrap(),
            AreaRules(rules)
        );
    }
    assert_eq!(store.area_rules(workspace).await.unwrap(), AreaRules(vec![rule]));
    assert_eq!(store.areas(workspace, desk.cast.ana).await.unwrap(), Areas::WRITE, "owners keep all");
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    assert_eq!(store.areas(workspace, bob.id).await.unwrap(), Areas::NONE, "no member");
    desk.end().await;
}
