use super::*;

#[test]
fn objects_say_their_properties_and_lists_their_items() {
    for (given, said) in [
        (json!({"type": "object"}), json!({"type": "object", "properties": {}})),
        (json!({"type": ["array", "null"]}), json!({"type": ["array", "null"], "items": {}})),
        (
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}}),
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {}}}}}),
        ),
        (json!({"anyOf": [{"type": "array"}]}), json!({"anyOf": [{"type": "array", "items": {}}]})),
        (json!({"type": "string"}), json!({"type": "string"})),
        (json!(true), json!(true)),
    ] {
        assert_eq!(spelled_out(given), said);
    }
}
