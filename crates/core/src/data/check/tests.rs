use serde_json::json;

use super::*;
use crate::data::kinds::{ACCOUNTS, BUDGETS, CATEGORIES, EXCHANGE_RATES, KINDS, TRANSACTIONS};

fn fields(value: Value) -> Fields {
    value.as_object().unwrap().clone()
}

const ACCOUNT: &str = "01890000-0000-7000-8000-00000000000a";

#[test]
fn a_new_row_has_every_field_of_its_kind() {
    let row =
        created(&ACCOUNTS, &fields(json!({"name": " Giro ", "currency": "eur", "number": "  "}))).unwrap();
    let expected = json!({
        "name": "Giro", "type": "checking", "currency": "EUR", "number": null, "institution": null,
        "opening_balance": 0, "stated_balance": null, "stated_on": null, "notes": null, "is_closed": false,
    });
    assert_eq!(Value::Object(row), expected);
}

#[test]
fn what_is_wrong_is_said_with_the_fields_name() {
    let transaction = |name: &str, value: Value| {
        let mut row = fields(json!({"account_id": ACCOUNT, "booked_on": "2026-01-31", "amount": -1250}));
        row.insert(name.to_owned(), value);
        created(&TRANSACTIONS, &row)
    };
    for (name, value, said) in [
        ("payee", json!(12), "payee must be text"),
        ("payee", json!("a\nb"), "payee must be one line without control characters"),
        ("payee", json!("x".repeat(201)), "payee must be at most 200 characters"),
        ("notes", json!("a\0"), "notes must not contain a NUL character"),
        ("booked_on", json!("31.01.2026"), "booked_on must be a day such as 2026-01-31"),
        ("booked_on", json!("2026-02-30"), "booked_on must be a day such as 2026-01-31"),
        ("booked_on", json!("2026-1-3"), "booked_on must be a day such as 2026-01-31"),
        ("booked_on", json!("0026-01-31"), "booked_on must be a day such as 2026-01-31"),
        ("booked_on", Value::Null, "booked_on is required"),
        ("amount", json!(12.5), "amount must be an integer, in minor units (cents)"),
        ("amount", json!("12"), "amount must be an integer, in minor units (cents)"),
        ("amount", json!(MAX_AMOUNT + 1), "amount is too large"),
        ("amount", json!(-MAX_AMOUNT - 1), "amount is too large"),
        ("status", json!("done"), "status must be one of booked, pending"),
        ("status", Value::Null, "status must not be empty"),
        ("account_id", json!("giro"), "account_id must be an id"),
        ("currency", json!("EUR"), "currency is set by the server"),
        ("transfer_id", json!(ACCOUNT), "transfer_id is set by the server"),
        ("colour", json!("red"), "colour is no field of a transaction; there are account_id, booked_on"),
    ] {
        let error = transaction(name, value.clone()).expect_err(&format!("{name} {value}")).to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let most = transaction("amount", json!(-MAX_AMOUNT)).unwrap();
    assert_eq!(most["amount"], json!(-MAX_AMOUNT));
    let missing = created(&ACCOUNTS, &fields(json!({"name": "Giro"}))).unwrap_err();
    assert_eq!(missing.to_string(), "currency is required");
    let flag = created(&ACCOUNTS, &fields(json!({"name": "Giro", "currency": "EUR", "is_closed": "no"})));
    assert_eq!(flag.unwrap_err().to_string(), "is_closed must be true or false");
    let code = created(&ACCOUNTS, &fields(json!({"name": "Giro", "currency": "XXQ"})));
    assert_eq!(code.unwrap_err().to_string(), "currency must be a currency code such as EUR");
}

#[test]
fn values_have_one_form() {
    let rate = |rate: &str| {
        let row = json!({"currency": "USD", "in_currency": "EUR", "rate": rate, "valid_from": "2026-01-01"});
        created(&EXCHANGE_RATES, &fields(row)).map(|row| row["rate"].as_str().unwrap().to_owned())
    };
    for (given, kept) in
        [("01.0845", "1.0845"), ("0.50", "0.5"), ("7", "7"), ("7.000", "7"), (" 1.5 ", "1.5")]
    {
        assert_eq!(rate(given).as_deref(), Ok(kept));
    }
    for wrong in
        ["", ".", ".5", "0", "0.000", "-1", "+1", "1,5", "1e3", "1.5.", "1234567890123", "0.1234567890123"]
    {
        assert!(rate(wrong).is_err(), "{wrong}");
    }
    let id = created(
        &TRANSACTIONS,
        &fields(json!({"account_id": ACCOUNT.to_uppercase(), "booked_on": "2026-01-31", "amount": 1})),
    );
    assert_eq!(id.unwrap()["account_id"], ACCOUNT);
}

#[test]
fn a_change_keeps_what_it_does_not_name() {
    let before =
        created(&ACCOUNTS, &fields(json!({"name": "Giro", "currency": "EUR", "number": "1"}))).unwrap();
    let after =
        changed(&ACCOUNTS, &before, &fields(json!({"name": "Main", "number": null, "currency": "eur"})))
            .unwrap();
    assert_eq!(
        (&after["name"], &after["number"], &after["currency"]),
        (&json!("Main"), &Value::Null, &json!("EUR"))
    );
    assert_eq!(after["type"], before["type"]);
    for (given, said) in [
        (json!({"currency": "USD"}), "currency can't be changed once the row is there"),
        (json!({"name": null}), "name is required"),
        (json!({"name": "  "}), "name is required"),
        (json!({"stated_balance": 5}), "stated_balance is set by the server"),
    ] {
        assert_eq!(changed(&ACCOUNTS, &before, &fields(given)).unwrap_err().to_string(), said);
    }
}

#[test]
fn references_are_named_with_their_kind() {
    let category = "01890000-0000-7000-8000-00000000000c";
    let row = fields(json!({"account_id": ACCOUNT, "category_id": category, "transfer_id": category}));
    let named: Vec<_> =
        references(&TRANSACTIONS, &row).map(|(field, kind, id)| (field.name, kind, id.to_string())).collect();
    let expected =
        [("account_id", "accounts", ACCOUNT.to_owned()), ("category_id", "categories", category.to_owned())];
    assert_eq!(named, expected);
    assert_eq!(references(&BUDGETS, &Fields::new()).count(), 0);
}

#[test]
fn the_text_that_is_searched() {
    let name = fields(json!({"name": "Größe", "type": "spending"}));
    assert_eq!(search_text(&CATEGORIES, &name), "grösse");
    let row = fields(json!({"payee": "Café ZÜRICH", "memo": null, "notes": "2 × tea", "status": "booked"}));
    assert_eq!(search_text(&TRANSACTIONS, &row), " cafe zurich 2 tea ");
    assert_eq!(search_text(&TRANSACTIONS, &Fields::new()), " ");
}

/// Whatever a description says, an empty row and a row of nonsense are answered and not a panic.
#[test]
fn every_field_refuses_nonsense() {
    for kind in KINDS {
        for field in kind.fields.iter().filter(|field| field.presence != Presence::Derived) {
            let row = fields(json!({ field.name: {"a": []} }));
            assert!(
                created(kind, &row).is_err() && changed(kind, &Fields::new(), &row).is_err(),
                "{}",
                field.name
            );
            assert!(asked(field, &Value::Null).is_err());
        }
    }
}
