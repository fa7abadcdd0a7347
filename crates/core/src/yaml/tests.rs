use serde_json::json;

use super::*;

#[test]
fn a_document_is_read_as_json() {
    let text = r#"
openapi: 3.1.0
version: "1.0"
numbers: [1, -2, 2.5, 1e3, 007, 0x10]
words: [yes, ~, null, true, "true", 2026-01-01]
nested:
  - name: a
    more: {x: {y: []}}
  - |
    two
    lines
/users/{id}: &anchored
  404: missing
"#;
    let want = json!({
        "openapi": "3.1.0", "version": "1.0",
        "numbers": [1, -2, 2.5, 1000.0, 7, "0x10"],
        "words": ["yes", null, null, true, "true", "2026-01-01"],
        "nested": [{"name": "a", "more": {"x": {"y": []}}}, "two\nlines\n"],
        "/users/{id}": {"404": "missing"},
    });
    assert_eq!(read(text), Ok(want));
}

#[test]
fn what_could_grow_without_an_end_is_refused() {
    let deep = "[".repeat(200);
    for wrong in ["a: &x [1]\nb: *x", deep.as_str(), "", "a: 1\n---\nb: 2", "{a: ", "? [a]\n: b"] {
        assert!(read(wrong).is_err(), "{wrong:.40}");
    }
}
