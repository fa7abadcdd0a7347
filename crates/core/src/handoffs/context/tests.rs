use super::*;
use serde_json::json;

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

#[test]
fn context_gathers_and_newer_values_win() {
    let first = merged(
        &Map::new(),
        &map(json!({"lead_id": "1", "_handoff_from": "forged"})),
        &Marks { from: "a", tool: Some("to_b"), instructions: Some("Be kind.") },
    );
    assert_eq!(first["_handoff_from"], "a");
    let second = merged(
        &first,
        &map(json!({"lead_id": "2", "sum": 3})),
        &Marks { from: "b", tool: Some("to_c"), instructions: None },
    );
    assert_eq!(
        Value::Object(second.clone()),
        json!({
            "lead_id": "2", "sum": 3, "_handoff_from": "b", "_handoff_tool": "to_c",
            "_handoff_chain": ["a", "b"],
        }),
        "the instructions were for b alone"
    );
    let third = merged(&second, &Map::new(), &Marks { from: "c", tool: None, instructions: None });
    assert_eq!(
        (&third["_handoff_chain"], &third["sum"], third.get("_handoff_tool")),
        (&json!(["a", "b", "c"]), &json!(3), None),
        "the whole path, whatever turn it is"
    );
}

#[test]
fn the_path_is_bounded() {
    let mut context = Map::new();
    for number in 0..=MAX_CHAIN {
        let from = number.to_string();
        context = merged(&context, &Map::new(), &Marks { from: &from, tool: None, instructions: None });
    }
    let chain = context["_handoff_chain"].as_array().cloned().unwrap_or_default();
    assert_eq!((chain.len(), &chain[0]), (MAX_CHAIN, &json!("1")), "the oldest is left out");
}

#[test]
fn what_is_passed_along_is_bounded_without_the_marks() {
    let text = |bytes: usize| map(json!({"text": "x".repeat(bytes), "_handoff_from": "somebody"}));
    let frame = r#"{"text":""}"#.len();
    assert!(fits(&text(MAX_CONTEXT - frame)).is_ok());
    let refused = fits(&text(MAX_CONTEXT - frame + 1)).unwrap_err();
    assert_eq!(refused.code, "context_too_large");
    assert!(refused.words.contains("16385 bytes"), "{}", refused.words);
}
