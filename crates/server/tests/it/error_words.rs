//! Errors name fields, never Rust's types: every field of every body and every query is sent with a wrong type.

use reqwest::{Method, StatusCode, header};
use serde_json::{Map, Value, json};

use crate::bad_input::nested;
use crate::test_app::{Actor, TestApp};

/// What a client must never read: parsers and types of the language it is written in.
const OURS: &[&str] = &[
    "struct ",
    "enum ",
    "untagged",
    "variant",
    "serde",
    "tuple",
    "invalid type",
    "invalid value",
    "expected a",
    "expected i",
    "expected u",
    "expected f",
    "sequence",
    "newtype",
    "::",
    "Option",
    "Vec<",
    "i32",
    "u32",
    "i64",
    "u64",
    "usize",
    "f64",
    "Deserial",
    "panicked",
    "unit value",
    "borrowed",
    "`",
];

/// The document, and how its parts are found.
struct Document(Value);

impl Document {
    fn now() -> Self {
        let text = baton_server::router::openapi().to_json().expect("json");
        Self(serde_json::from_str(&text).expect("json"))
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let Some(name) = schema["$ref"].as_str() else { return schema };
        self.resolved(self.0.pointer(name.trim_start_matches('#')).expect("a component"))
    }

    /// The alternative that isn't null.
    fn plain<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let schema = self.resolved(schema);
        let choices =
            schema["oneOf"].as_array().or(schema["anyOf"].as_array()).or(schema["allOf"].as_array());
        let chosen = choices.and_then(|all| all.iter().find(|one| one["type"] != "null"));
        chosen.map_or(schema, |one| self.plain(one))
    }

    fn kind<'a>(&'a self, schema: &'a Value) -> &'a str {
        let kind = &schema["type"];
        let listed = || kind.as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")?.as_str());
        kind.as_str().or_else(listed).unwrap_or("any")
    }

    /// Something that fits, as far as the document says.
    fn example(&self, schema: &Value, depth: usize) -> Value {
        let schema = self.plain(schema);
        if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
            return word.clone();
        }
        match self.kind(schema) {
            "object" if depth < 6 => {
                let fields = schema["properties"].as_object().into_iter().flatten();
                Value::Object(fields.map(|(name, of)| (name.clone(), self.example(of, depth + 1))).collect())
            }
            "array" if depth < 6 => json!([self.example(&schema["items"], depth + 1)]),
            "array" => json!([]),
            "string" if schema["format"] == "uuid" => json!("018f3c1e-0000-7000-8000-000000000000"),
            "string" if schema["format"] == "date-time" => json!("2026-01-01T00:00:00Z"),
            "string" => json!("text"),
            "integer" | "number" => json!(1),
            "boolean" => json!(true),
            _ => json!({}),
        }
    }
}

/// Where something is, in a body and as errors name it.
fn places(value: &Value, pointer: &str, into: &mut Vec<String>) {
    into.push(pointer.to_owned());
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                places(inner, &format!("{pointer}/{name}"), into);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                places(inner, &format!("{pointer}/{index}"), into);
            }
        }
        _ => {}
    }
}

fn wrong_values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-7),
        json!(1.5),
        json!(1e300),
        json!("no such word"),
        json!([]),
        json!([[1], null]),
        json!({}),
        json!({"x": {"y": 1}}),
        nested(100),
    ]
}

/// Sends it, and reads what an error says.
async fn check(request: reqwest::RequestBuilder, what: &str) -> Option<Map<String, Value>> {
    let response = request.send().await.expect("an answer");
    let status = response.status();
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{what}");
    let is_stream =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if status.is_success() || is_stream {
        return None;
    }
    let body: Value = response.json().await.unwrap_or_else(|_| panic!("{what}: {status} without JSON"));
    let told = format!("{} {}", body["error"], body["message"]);
    let field = body["field"].as_str().unwrap_or_default();
    // A field may be called what a type is.
    let besides = told.replace(field, "");
    for ours in OURS {
        assert!(!besides.contains(ours), "{what} → {body} says {ours:?}");
    }
    if body["code"] == "invalid_field" {
        assert!(!field.is_empty() && told.contains(field), "{what} → {body} names no field");
    }
    body.as_object().cloned()
}

fn url(path: &str) -> String {
    let id = "018f3c1e-0000-7000-8000-000000000000";
    let parts = path.split('/').map(|part| if part.starts_with('{') { id } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn methods() -> [(&'static str, Method); 5] {
    [
        ("get", Method::GET),
        ("post", Method::POST),
        ("patch", Method::PATCH),
        ("put", Method::PUT),
        ("delete", Method::DELETE),
    ]
}

#[tokio::test]
async fn wrong_types_in_every_field_of_every_body_are_told_in_the_apis_own_words() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let document = Document::now();
    let (mut bodies, mut refused) = (0, 0);
    for (path, operations) in document.0["paths"].as_object().expect("paths") {
        for (name, method) in methods() {
            let schema = &operations[name]["requestBody"]["content"]["application/json"]["schema"];
            if schema.is_null() {
                continue;
            }
            bodies += 1;
            let good = document.example(schema, 0);
            let mut all = Vec::new();
            places(&good, "", &mut all);
            for pointer in all {
                for wrong in wrong_values() {
                    let mut body = good.clone();
                    *body.pointer_mut(&pointer).expect("a place") = wrong.clone();
                    let what = format!("{method} {path} with {pointer} = {wrong}");
                    refused += usize::from(
                        check(admin.request(method.clone(), &url(path)).json(&body), &what).await.is_some(),
                    );
                }
            }
        }
    }
    assert!(bodies > 25 && refused > 1_000, "{bodies} bodies, {refused} refusals");
    app.end().await;
}

#[tokio::test]
async fn wrong_queries_paths_headers_and_texts_are_told_in_the_apis_own_words() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let document = Document::now();
    for (path, operations) in document.0["paths"].as_object().expect("paths") {
        let parameters = operations["get"]["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().expect("a name");
            for wrong in ["", "x", "-1", "1.5", "99999999999999999999999", "true,", "%00", "%ff", "[]"] {
                let workspace = if name == "workspaceId" {
                    String::new()
                } else {
                    format!("&workspaceId={}", admin.workspace)
                };
                let at = format!("{}?{name}={wrong}{workspace}", url(path));
                check(admin.request(Method::GET, &at), &format!("GET {at}")).await;
            }
        }
        for (name, method) in methods().into_iter().filter(|(name, _)| !operations[*name].is_null()) {
            let at = url(path).replace("018f3c1e-0000-7000-8000-000000000000", "not-an-id");
            if at != *path && path.contains('{') {
                check(admin.request(method.clone(), &at).json(&json!({})), &format!("{method} {at}")).await;
            }
            if operations[name]["requestBody"].is_object() {
                texts(&admin, &method, &url(path)).await;
            }
        }
    }
    let chat = || {
        admin
            .request(Method::POST, "/api/agent-chat")
            .json(&json!({"message": "Hi", "workspaceId": admin.workspace}))
    };
    for (header, value) in [
        ("idempotency-key", ""),
        ("idempotency-key", "ä"),
        ("authorization", "Bearer"),
        ("last-event-id", "x.y"),
    ] {
        check(chat().header(header, value), header).await;
    }
    app.end().await;
}

/// Bodies that aren't what they claim to be.
async fn texts(admin: &Actor<'_>, method: &Method, path: &str) {
    let deep = "[".repeat(500);
    for text in
        ["", "{", "nul", "[1]", "5", "\"x\"", "{\"a\":1,\"a\":2}", "{} {}", "\u{feff}{}", deep.as_str()]
    {
        let request = admin
            .request(method.clone(), path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(text.to_owned());
        check(request, &format!("{method} {path} with the body {text:.20}")).await;
    }
    let plain = admin.request(method.clone(), path).header(header::CONTENT_TYPE, "text/plain").body("{}");
    check(plain, &format!("{method} {path} as text")).await;
}
