use serde_json::json;

use super::*;

fn filled(template: &str, arguments: Value) -> Result<String, String> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    UrlTemplate::parse(template).expect(template).filled(&arguments, std::iter::empty())
}

#[test]
fn arguments_are_encoded_whole() {
    let url = "https://api.example.org/users/{id}/notes?q={q}&page={page}&sort=asc";
    let got = filled(url, json!({"id": "a/b?c#d&e=ü", "q": "1&admin=true", "page": 2}));
    let want =
        "https://api.example.org/users/a%2Fb%3Fc%23d%26e%3D%C3%BC/notes?q=1%26admin%3Dtrue&page=2&sort=asc";
    assert_eq!(got.as_deref(), Ok(want));
    assert_eq!(filled("https://h.example", json!({})).as_deref(), Ok("https://h.example/"));
    assert_eq!(filled("https://h.example?a", json!({})).as_deref(), Ok("https://h.example/?a"));
}

#[test]
fn what_is_not_given_is_not_asked_for() {
    let url = "https://h.example/x?a={a}&b=no-{b}-no&c={c}";
    assert_eq!(filled(url, json!({})).as_deref(), Ok("https://h.example/x"));
    assert_eq!(filled(url, json!({"a": null, "b": 1})).as_deref(), Ok("https://h.example/x?b=no-1-no"));
    assert_eq!(filled(url, json!({"c": ["x", "y z"]})).as_deref(), Ok("https://h.example/x?c=x&c=y%20z"));
}

#[test]
fn no_argument_makes_the_path_lead_elsewhere() {
    for (template, arguments) in [
        ("https://h.example/users/{id}", json!({"id": ".."})),
        ("https://h.example/users/{id}", json!({"id": "."})),
        ("https://h.example/users/{a}{b}/x", json!({"a": ".", "b": "."})),
        ("https://h.example/users/.{a}/x", json!({"a": "."})),
        ("https://h.example/users/{id}", json!({"id": "%2e%2E"})),
        ("https://h.example/users/{id}", json!({"id": ""})),
        ("https://h.example/users/{id}", json!({"id": null})),
        ("https://h.example/users/{id}", json!({})),
        ("https://h.example/users/{id}", json!({"id": ["a"]})),
        ("https://h.example/users/{id}", json!({"id": {"a": 1}})),
        ("https://h.example/users?x=a-{id}", json!({"id": ["a"]})),
    ] {
        assert!(filled(template, arguments.clone()).is_err(), "{template} {arguments}");
    }
    let three = filled("https://h.example/{id}", json!({"id": "..."}));
    assert_eq!(three.as_deref(), Ok("https://h.example/..."));
}

#[test]
fn only_the_tool_says_where_it_leads() {
    for wrong in [
        "ftp://h.example/",
        "h.example/x",
        "https://",
        "https:///x",
        "https://{host}/x",
        "https://api.{tenant}.example/x",
        "https://h.example:{port}/",
        "{scheme}://h.example/",
        "https://me:pw@h.example/",
        "https://h.example%2f@evil.example/",
        "https://h.example/a b",
        "https://h.example\\@evil.example/",
        "https://h.example/a\\b",
        "https://h.example/#x",
        "https://h.example/../x",
        "https://h.example/%2e%2e/x",
        "https://h.example/{id",
        "https://h.example/id}",
        "https://h.example/{}",
        "https://h.example/{a b}",
        "https://h.example/{{id}}",
        "https://h.example/?{key}=1",
    ] {
        assert!(UrlTemplate::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(origin_of("HTTPS://H.example:8443/x?y").as_deref(), Ok("https://h.example:8443"));
}
