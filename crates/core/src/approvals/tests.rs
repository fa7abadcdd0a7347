use super::*;
use serde_json::json;

#[test]
fn the_hash_knows_arguments_whatever_their_order() {
    let hash = |tool: &str, args: Value| arguments_hash(tool, args.as_object().expect("an object"));
    let one = hash("pay", json!({"to": "Ana", "sum": {"eur": 5, "note": ["a", "b"]}}));
    assert_eq!(one, hash("pay", json!({"sum": {"note": ["a", "b"], "eur": 5}, "to": "Ana"})));
    assert_ne!(one, hash("pay", json!({"sum": {"note": ["b", "a"], "eur": 5}, "to": "Ana"})));
    assert_ne!(one, hash("owe", json!({"to": "Ana", "sum": {"eur": 5, "note": ["a", "b"]}})));
    assert_eq!(one, hash("pay", json!({"to": "Ana", "sum": {"eur": 5.0, "note": ["a", "b"]}})));
    assert_ne!(one, hash("pay", json!({"to": "Ana", "sum": {"eur": 5.5, "note": ["a", "b"]}})));
    assert_eq!(hash("pay", json!({"x": -0.0})), hash("pay", json!({"x": 0})));
}
