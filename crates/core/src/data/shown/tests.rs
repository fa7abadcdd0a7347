use serde_json::json;

use super::*;
use crate::data::kinds::TRANSACTIONS;

#[test]
fn models_read_amounts_as_decimal_text() {
    let row = json!({
        "booked_on": "2026-03-17", "amount": -1250, "currency": "EUR", "payee": null, "category_id": "c", "is_split": true,
        "foreign_amount": 1300, "foreign_currency": "JPY",
        "splits": [{"category_id": "c", "category": "Food", "amount": -1000, "memo": null}],
    });
    let titles = json!({"category": "Groceries"});
    let shown = for_models(&TRANSACTIONS, row.as_object().unwrap(), titles.as_object().unwrap());
    let expected = json!({
        "bookedOn": "2026-03-17", "amount": "-12.50", "currency": "EUR", "categoryId": "c", "category": "Groceries",
        "isSplit": true, "foreignAmount": "1300", "foreignCurrency": "JPY",
        "parts": [{"categoryId": "c", "category": "Food", "amount": "-10.00"}],
    });
    assert_eq!(Value::Object(shown), expected);
    assert_eq!((title_name("category_id"), title_name("payee")), ("category", "payee"));
}
