//! Pages of rows: order, filters, search, and a count that stays cheap.

use baton_core::data::kind::Direction;
use baton_core::data::kinds::{ACCOUNTS, KINDS, TRANSACTIONS};
use baton_core::data::rows::{Filter, MAX_COUNTED, RowQuery, Test};
use baton_core::store::{Error, Rows};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;

fn is(field: &'static str, value: Value) -> Filter {
    Filter { field, test: Test::Is(value) }
}

impl Desk {
    /// What a query finds, page by page, by payee.
    async fn all(&self, query: RowQuery) -> Vec<String> {
        let mut found = Vec::new();
        let mut cursor = None;
        loop {
            let page = self.page(&TRANSACTIONS, RowQuery { cursor: cursor.take(), ..query.clone() }).await;
            assert!(page.rows.len() as u64 <= query.limit);
            found.extend(page.rows.iter().map(|row| row.fields["payee"].as_str().unwrap_or("-").to_owned()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                assert_eq!((page.total, page.is_counted), (found.len() as u64, true));
                return found;
            }
        }
    }
}

#[tokio::test]
async fn every_order_goes_page_by_page() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    for (on, amount, payee) in [
        ("2026-03-01", 5, "apple"),
        ("2026-03-03", -7, "Éclair"),
        ("2026-03-02", 5, "Banana"),
        ("2026-03-02", 0, ""),
        ("2026-03-02", 9, "cherry"),
    ] {
        desk.transaction(giro, on, amount, payee).await;
    }
    let by = |field: &str, direction| Some((field.to_owned(), direction));
    for limit in [1, 2, 3, 10] {
        let query = |order| RowQuery { order, limit, ..Default::default() };
        for (order, expected) in [
            (None, ["Éclair", "cherry", "-", "Banana", "apple"]),
            (by("booked_on", Direction::Rising), ["apple", "Banana", "-", "cherry", "Éclair"]),
            (by("amount", Direction::Rising), ["Éclair", "-", "apple", "Banana", "cherry"]),
            (by("amount", Direction::Falling), ["cherry", "Banana", "apple", "-", "Éclair"]),
            (by("payee", Direction::Rising), ["-", "apple", "Banana", "cherry", "Éclair"]),
            (by("payee", Direction::Falling), ["Éclair", "cherry", "Banana", "apple", "-"]),
        ] {
            assert_eq!(desk.all(query(order.clone())).await, expected, "{order:?}, {limit} at a time");
        }
    }
    let store = &desk.cast.told.store;
    let refused = async |query: RowQuery| match store.rows(desk.scope, &TRANSACTIONS, query).await {
        Err(Error::Invalid(invalid)) => invalid.to_string(),
        other => panic!("{other:?}"),
    };
    let order = by("memo", Direction::Rising);
    assert!(
        refused(RowQuery { order, limit: 5, ..Default::default() })
            .await
            .starts_with("sort must be one of booked_on")
    );
    let first = desk.page(&TRANSACTIONS, RowQuery { limit: 1, ..Default::default() }).await.next_cursor;
    let other_order =
        RowQuery { order: by("amount", Direction::Rising), cursor: first, limit: 1, ..Default::default() };
    assert!(refused(other_order).await.starts_with("cursor must be what the page before ended with"));
    for cursor in ["", "x", "zz", "5b5d", "é", &"61".repeat(3_000)] {
        let query = RowQuery { cursor: Some(cursor.to_owned()), limit: 1, ..Default::default() };
        assert!(refused(query).await.starts_with("cursor must be"), "{cursor}");
    }
    // Every kind can be sorted by every field that says so, also where that is null.
    for kind in KINDS {
        for field in kind.fields.iter().filter(|field| field.is_sorted) {
            for direction in [Direction::Rising, Direction::Falling] {
                let query = RowQuery { order: by(field.name, direction), limit: 1, ..Default::default() };
                let page = desk.page(kind, query.clone()).await;
                if page.next_cursor.is_some() {
                    desk.page(kind, RowQuery { cursor: page.next_cursor, ..query }).await;
                }
            }
        }
    }
    desk.end().await;
}

#[tokio::test]
async fn filters_are_by_the_type_of_their_field() {
    let desk = Desk::set_up().await;
    let (giro, cash, food) =
        (desk.account("Giro").await, desk.account("Cash").await, desk.category("Food").await);
    desk.transaction(giro, "2026-03-01", -500, "one").await;
    let two = desk.transaction(cash, "2026-03-02", -700, "two").await;
    let three = desk.transaction(giro, "2026-04-01", 900, "three").await;
    desk.set(&TRANSACTIONS, two, json!({"category_id": food})).await.unwrap();
    desk.set(&TRANSACTIONS, three, json!({"status": "pending"})).await.unwrap();
    let range = |field, test| Filter { field, test };
    for (filters, expected) in [
        (vec![is("account_id", json!(giro))], vec!["three", "one"]),
        (vec![is("account_id", json!(giro)), is("status", json!("booked"))], vec!["one"]),
        (vec![is("status", json!("pending"))], vec!["three"]),
        (vec![is("category_id", json!(food))], vec!["two"]),
        (vec![range("category_id", Test::IsNull)], vec!["three", "one"]),
        (vec![range("account_id", Test::OneOf(vec![json!(giro), json!(cash)]))], vec!["three", "two", "one"]),
        (
            vec![
                range("booked_on", Test::AtLeast(json!("2026-03-02"))),
                range("booked_on", Test::AtMost(json!("2026-03-31"))),
            ],
            vec!["two"],
        ),
        (vec![range("amount", Test::AtMost(json!(-600)))], vec!["two"]),
        (vec![is("account_id", json!(Uuid::now_v7()))], vec![]),
    ] {
        let query = RowQuery { filters: filters.clone(), limit: 1, ..Default::default() };
        assert_eq!(desk.all(query).await, expected, "{filters:?}");
    }
    let store = &desk.cast.told.store;
    for filter in [is("memo", json!("x")), is("amount", json!("x")), is("status", json!("x' OR '1'='1"))] {
        let query = RowQuery { filters: vec![filter], limit: 1, ..Default::default() };
        assert!(matches!(store.rows(desk.scope, &TRANSACTIONS, query).await, Err(Error::Invalid(_))));
    }
    desk.end().await;
}

#[tokio::test]
async fn words_of_transactions_are_found() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    let cafe = desk.transaction(giro, "2026-03-01", -500, "Café Zürich").await;
    desk.transaction(giro, "2026-03-02", -700, "Kiosk").await;
    desk.transaction(giro, "2026-03-03", -700, "東京都タクシー").await;
    desk.set(&TRANSACTIONS, cafe, json!({"memo": "Two O'Brien's 50%_off", "notes": "late"})).await.unwrap();
    let found = async |search: &str| {
        desk.all(RowQuery { search: Some(search.to_owned()), limit: 2, ..Default::default() }).await
    };
    for (search, expected) in [
        ("cafe", vec!["Café Zürich"]),
        ("ZUR", vec!["Café Zürich"]),
        ("late zurich", vec!["Café Zürich"]),
        ("zurich kiosk", vec![]),
        ("o'brien", vec!["Café Zürich"]),
        ("50%", vec!["Café Zürich"]),
        ("京都", vec!["東京都タクシー"]),
        ("\" OR *", vec![]),
        ("k", vec![]),
        ("ki", vec!["Kiosk"]),
        ("!!", vec![]),
    ] {
        assert_eq!(found(search).await, expected, "{search}");
    }
    desk.set(&TRANSACTIONS, cafe, json!({"payee": "Bakery"})).await.unwrap();
    assert_eq!(found("zurich").await, Vec::<String>::new());
    assert_eq!(found("bakery").await, ["Bakery"]);
    desk.delete(&TRANSACTIONS, cafe).await.unwrap();
    assert_eq!(found("bakery").await, Vec::<String>::new());
    // Kinds with few rows are found by any part of their text.
    let query = RowQuery { search: Some("IR".into()), limit: 2, ..Default::default() };
    assert_eq!(desk.page(&ACCOUNTS, query).await.total, 1);
    desk.end().await;
}

/// More than are looked at in an index of words, and more than are counted.
#[tokio::test]
async fn very_many_hits_come_in_order_and_are_counted_so_far() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    desk.transaction(giro, "2026-03-01", -500, "Rewe Markt").await;
    let number = MAX_COUNTED + 500;
    desk.multiply(number).await;
    let (search, limit) = (Some("rewe".to_owned()), 3);
    let page =
        desk.page(&TRANSACTIONS, RowQuery { search: search.clone(), limit, ..Default::default() }).await;
    assert_eq!((page.rows.len(), page.is_counted), (3, false));
    let days: Vec<_> = page.rows.iter().map(|row| row.fields["booked_on"].as_str().unwrap()).collect();
    assert!(days.is_sorted_by(|one, other| one >= other), "{days:?}");
    let filters = vec![Filter { field: "amount", test: Test::AtMost(json!(-500)) }];
    let page = desk.page(&TRANSACTIONS, RowQuery { search, limit, filters, ..Default::default() }).await;
    assert_eq!((page.rows.len(), page.is_counted), (3, false));
    let filters = vec![is("status", json!("booked"))];
    let page = desk.page(&TRANSACTIONS, RowQuery { limit, filters, ..Default::default() }).await;
    assert_eq!((page.total, page.is_counted), (MAX_COUNTED, false));
    let few = RowQuery { search: Some("number77 rewe".into()), limit, ..Default::default() };
    let page = desk.page(&TRANSACTIONS, few).await;
    assert_eq!((page.total, page.is_counted), (1, true), "{:?}", page.rows);
    desk.end().await;
}

impl Desk {
    /// So many more of the one transaction there is, around the store.
    pub async fn multiply(&self, count: u64) {
        let raw = self.cast.told.raw().await;
        let (id, doc, day) = match self.cast.told.is_postgres() {
            true => ("gen_random_uuid()", "", "booked_on + CAST(number % 365 AS INTEGER)"),
            false => ("randomblob(16)", "", "date(booked_on, '+' || (number % 365) || ' days')"),
        };
        let columns = "workspace_id, account_id, amount, currency, payee, is_split, status, activity, version, created_at, updated_at";
        let sql = format!(
            "INSERT INTO transactions (id, booked_on, source_key, search_text{doc}, {columns}) \
             WITH RECURSIVE copies(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < {count}) \
             SELECT {id}, {day}, 'copy' || number, search_text || 'number' || number || ' ', {columns} FROM transactions, copies"
        );
        raw.execute_unprepared(&sql).await.unwrap();
        raw.close().await.unwrap();
    }
}

/// However many there are: a page is read in the order of an index, and nothing is sorted.
#[tokio::test]
async fn pages_of_transactions_come_in_the_order_of_an_index() {
    let desk = Desk::set_up().await;
    let giro = desk.account("Giro").await;
    desk.transaction(giro, "2026-03-01", -500, "Rewe Markt").await;
    desk.multiply(3_000).await;
    let raw = desk.cast.told.raw().await;
    if desk.cast.told.is_postgres() {
        raw.execute_unprepared("ANALYZE").await.unwrap();
    }
    let by = |field: &str| Some((field.to_owned(), Direction::Falling));
    for (order, filters, index) in [
        (None, vec![], "idx_transactions_booked"),
        (None, vec![is("account_id", json!(giro))], ""),
        (None, vec![Filter { field: "category_id", test: Test::IsNull }], ""),
        (by("amount"), vec![], "idx_transactions_amount"),
        (by("payee"), vec![], "idx_transactions_payee"),
    ] {
        let query = RowQuery { order, filters, limit: 20, ..Default::default() };
        let page = desk.page(&TRANSACTIONS, query.clone()).await;
        desk.page(&TRANSACTIONS, RowQuery { cursor: page.next_cursor, ..query.clone() }).await;
        let field = query.order.as_ref().map_or("booked_on", |(field, _)| field);
        let words = match field {
            "payee" => "ORDER BY lower(".to_owned(),
            field => format!(r#"ORDER BY "{field}" DESC, "id" DESC"#),
        };
        let plans = desk.cast.told.plans.of(&words, &raw).await;
        assert!(plans.len() >= 2, "{words}");
        for plan in plans {
            let sorts = plan.contains("USE TEMP B-TREE") || plan.contains(r#""Node Type": "Sort""#);
            assert!(!sorts && plan.contains(index), "{words}: {plan}");
        }
    }
    raw.close().await.unwrap();
    desk.end().await;
}
