use serde_json::json;

use super::*;

fn config(method: HttpMethod, url: &str, parameters: Value) -> HttpApiConfig {
    HttpApiConfig {
        method,
        url: url.to_owned(),
        headers: BTreeMap::new(),
        secret_headers: vec![],
        parameters,
        body_from: None,
        pick: None,
        trusted_as: TrustedAs::Unknown,
    }
}

fn note() -> HttpApiConfig {
    let parameters = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "text": {"type": "string"}, "tags": {"type": "array"}},
        "required": ["id"],
    });
    config(HttpMethod::Post, "https://h.example/notes/{id}", parameters)
}

fn planned(config: &HttpApiConfig, arguments: Value) -> PlannedRequest {
    config.plan(arguments.as_object().expect("an object")).expect("a request")
}

#[test]
fn what_has_no_place_in_the_url_is_the_body_or_the_query() {
    let arguments = json!({"id": "7", "text": "hi", "tags": ["a", "b"]});
    let sent = planned(&note(), arguments.clone());
    assert_eq!(sent.url, "https://h.example/notes/7");
    assert_eq!(sent.body, Some(json!({"text": "hi", "tags": ["a", "b"]})));

    let sent = planned(&HttpApiConfig { method: HttpMethod::Get, ..note() }, arguments.clone());
    assert_eq!(sent.url, "https://h.example/notes/7?tags=a&tags=b&text=hi");
    assert_eq!(sent.body, None);

    let sent = planned(&HttpApiConfig { body_from: Some("tags".into()), ..note() }, arguments);
    assert_eq!(sent.url, "https://h.example/notes/7?text=hi");
    assert_eq!(sent.body, Some(json!(["a", "b"])));
}

#[test]
fn mistakes_are_named() {
    let headers = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    let nothing_required = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    let wrong = [
        (HttpApiConfig { url: "https://h.example/{other}".into(), ..note() }, "config.url"),
        (HttpApiConfig { url: "https://{id}.example/".into(), ..note() }, "config.url"),
        (config(HttpMethod::Get, "https://h.example/{id}", nothing_required), "config.parameters"),
        (config(HttpMethod::Get, "https://h.example/", json!([])), "config.parameters"),
        (config(HttpMethod::Get, "https://h.example/", json!({"type": "array"})), "config.parameters"),
        (HttpApiConfig { body_from: Some("nothing".into()), ..note() }, "config.body_from"),
        (
            HttpApiConfig { body_from: Some("text".into()), method: HttpMethod::Get, ..note() },
            "config.body_from",
        ),
        (HttpApiConfig { pick: Some("data".into()), ..note() }, "config.pick"),
        (HttpApiConfig { headers: headers("Host", "evil.example"), ..note() }, "config.headers.Host"),
        (HttpApiConfig { headers: headers("X A", "1"), ..note() }, "config.headers.X A"),
        (HttpApiConfig { headers: headers("X-A", "1\r\nX-B: 2"), ..note() }, "config.headers.X-A"),
        (
            HttpApiConfig { secret_headers: vec!["Content-Length".into()], ..note() },
            "config.secret_headers[0]",
        ),
        (
            HttpApiConfig { headers: headers("x-key", "1"), secret_headers: vec!["X-Key".into()], ..note() },
            "config.headers",
        ),
    ];
    for (mut wrong, field) in wrong {
        assert_eq!(wrong.check().expect_err(field).field, field);
    }
    assert_eq!(note().check(), Ok(()));
}

/// Such schemas are other people's: what isn't known in them stops nobody.
#[test]
fn an_unknown_keyword_makes_no_tool_unusable() {
    let parameters = json!({
        "properties": {"id": {"type": "string", "nullable": true, "format": "made-up"}},
        "required": ["id"], "unevaluatedProperties": false, "$dynamicRef": "#x", "discriminator": {},
    });
    let mut config = config(HttpMethod::Get, "https://h.example/{id}", parameters);
    assert_eq!(config.check(), Ok(()));
    assert_eq!(config.parameters["type"], "object", "it is said, as vendors ask for it");
    assert_eq!(crate::schema::check(&config.parameters, &json!({"id": "x"})), Ok(()));
}

#[test]
fn too_much_is_not_sent() {
    let long = "x".repeat(9_000);
    assert!(note().plan(json!({"id": long}).as_object().expect("an object")).is_err());
    let large = "x".repeat(1 << 20);
    assert!(note().plan(json!({"id": "1", "text": large}).as_object().expect("an object")).is_err());
}
