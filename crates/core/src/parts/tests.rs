use super::*;

#[test]
fn a_pending_approval_of_before_names_its_arguments() {
    let asked =
        |status: &str| json!({"type": "approval", "toolName": "pay", "args": {"sum": 5}, "status": status});
    let mut parts = json!([{"type": "text", "text": "x"}, asked("pending"), asked("approved")]);
    name_arguments(&mut parts);
    let hash = arguments_hash("pay", json!({"sum": 5}).as_object().expect("an object"));
    assert_eq!(parts[1]["argsHash"], json!(hash));
    assert_eq!(parts[2], asked("approved"));
}

#[test]
fn results_are_put_where_a_part_names_their_step() {
    let call = |more: &str| -> Value {
        serde_json::from_str(&format!(r#"{{"type":"tool-call","toolCallId":"c"{more}}}"#)).expect("a part")
    };
    let mut parts =
        json!([{"type": "text", "text": "x"}, call(""), call(r#","resultSeq":4"#), call(r#","result":1"#)]);
    assert_eq!(result_seqs(&parts).collect::<Vec<_>>(), [4]);
    put_results(&mut parts, &HashMap::from([(4, json!({"n": 2}))]));
    let read = json!([{"type": "text", "text": "x"}, call(""), call(r#","result":{"n":2}"#), call(r#","result":1"#)]);
    assert_eq!(parts, read);
}

#[test]
fn what_a_client_brings_along_is_text() {
    let call = json!({"type": "tool-call", "toolName": "pay", "args": {"sum": 5}, "state": "pending"});
    let approval = json!({"type": "approval", "approvalId": "1", "status": "pending"});
    let given = json!([
        {"type": "text", "text": "Hello", "state": "pending"},
        {"type": "reasoning", "reasoning": "Hm", "more": 1},
        call, approval,
        {"type": "handoff", "to": "x"}, {"type": "stage"}, {"type": "text", "text": 5}, "bare", null,
    ]);
    let flat = flattened(&given);
    let parts = flat.as_array().expect("an array");
    assert_eq!(parts.len(), 9);
    assert_eq!(parts[0], json!({"type": "text", "text": "Hello"}));
    assert_eq!(parts[1], json!({"type": "reasoning", "reasoning": "Hm"}));
    for (part, given) in parts.iter().zip(given.as_array().expect("an array")).skip(2) {
        assert_eq!(*part, json!({"type": "text", "text": format!("Imported: {given}")}));
    }
    assert_eq!(flattened(&flat), flat, "what is flat stays as it is");
    assert_eq!(flattened(&json!({"type": "approval"})), Value::Null);
}
