//! What comes back for the bytes of a POST, without HTTP.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::*;

/// Echoes `echo`, tells of its progress with `slow`, and remembers nothing.
struct Echo;

#[async_trait]
impl Offer for Echo {
    fn about(&self) -> About {
        About {
            name: "echo".into(),
            title: "Echo".into(),
            version: "1".into(),
            instructions: None,
            capabilities: json!({"tools": {}}),
            extensions: vec![TASKS],
        }
    }

    async fn answer(&self, request: Request) -> Result<Reply, Failure> {
        let result = Object::from_iter([("said".to_owned(), json!(request.params.get("name")))]);
        match request.method.as_str() {
            "tools/call" if request.params.get("name") == Some(&json!("slow")) => Ok(Reply::told(vec![
                Told::Progress { progress: 1, message: "half way".into() },
                Told::Result(Ok(result)),
            ])),
            "tools/list" | "tools/call" => Ok(Reply::Now(result)),
            other => Err(Failure::no_such_method(other)),
        }
    }

    async fn hear(&self, _notification: Notification) {}
}

fn headers(given: &[(&'static str, &str)]) -> HeaderMap {
    let pairs = given
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value")));
    pairs.collect()
}

/// The status and the only message.
async fn one(given: &[(&'static str, &str)], body: Value) -> (u16, Value) {
    match answer(&Echo, &headers(given), body.to_string().as_bytes()).await {
        Answer::One { status, message, .. } => (status, message),
        Answer::Accepted => (202, Value::Null),
        Answer::Many(_) => panic!("a stream"),
    }
}

fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

const NOW: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

#[tokio::test]
async fn what_is_no_message_is_refused() {
    for (body, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"id": 1, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#, -32600),
    ] {
        let Answer::One { status, message, .. } = answer(&Echo, &headers(&[]), body.as_bytes()).await else {
            panic!("{body}");
        };
        assert_eq!((status, message["error"]["code"].as_i64()), (400, Some(code)), "{body}");
        assert!(message.get("id").is_none_or(|id| *id == 1), "{body}: {message}");
    }
    let (status, said) = one(&[], json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert_eq!((status, said), (202, Value::Null));
}

#[tokio::test]
async fn a_version_is_agreed_on() {
    for (asked, given) in [
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2024-11-05"), "2025-11-25"),
        (json!("2026-07-28"), "2025-11-25"),
        (Value::Null, "2025-11-25"),
    ] {
        let (status, said) = one(&[], request("initialize", json!({"protocolVersion": asked}))).await;
        assert_eq!((status, &said["result"]["protocolVersion"]), (200, &json!(given)), "{asked}");
        let capabilities = &said["result"]["capabilities"];
        assert_eq!(*capabilities, json!({"tools": {}}), "extensions need requests that declare them");
    }
    let discover = request("server/discover", json!({"_meta": meta("2026-07-28")}));
    let (status, said) = one(&[NOW, ("mcp-method", "server/discover")], discover).await;
    assert_eq!(status, 200);
    assert_eq!(said["result"]["supportedVersions"], json!(SUPPORTED));
    assert_eq!(said["result"]["capabilities"]["extensions"], json!({TASKS: {}}));
    assert_eq!(said["result"]["resultType"], "complete");
    assert_eq!(said["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "echo");
}

/// Headers, parameters, and what is the matter with them.
#[tokio::test]
async fn a_request_says_what_its_headers_say() {
    let list = ("mcp-method", "tools/list");
    let call = ("mcp-method", "tools/call");
    let full = json!({"_meta": meta("2026-07-28")});
    let named = json!({"name": "Grüße", "_meta": meta("2026-07-28")});
    let bare = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    type Case<'a> = (Vec<(&'a str, &'a str)>, &'a str, Value, u16, Option<i64>);
    let cases: Vec<Case> = vec![
        (vec![NOW, list], "tools/list", full.clone(), 200, None),
        (vec![], "tools/list", json!({}), 200, None),
        (vec![("mcp-protocol-version", "2025-11-25")], "tools/list", json!({}), 200, None),
        (vec![NOW, list], "tools/list", json!({}), 400, Some(-32602)),
        (vec![NOW, list], "tools/list", bare, 400, Some(-32602)),
        (vec![list], "tools/list", full.clone(), 400, Some(-32020)),
        (vec![NOW], "tools/list", full.clone(), 400, Some(-32020)),
        (vec![NOW, call], "tools/list", full.clone(), 400, Some(-32020)),
        (vec![NOW, NOW, list], "tools/list", json!({"_meta": meta("v9")}), 400, Some(-32020)),
        (
            vec![("mcp-protocol-version", "v9"), list],
            "tools/list",
            json!({"_meta": meta("v9")}),
            400,
            Some(-32022),
        ),
        (vec![("mcp-protocol-version", "v9")], "tools/list", json!({}), 400, Some(-32022)),
        (vec![NOW, call], "tools/call", named.clone(), 400, Some(-32020)),
        (vec![NOW, call, ("mcp-name", "other")], "tools/call", named.clone(), 400, Some(-32020)),
        (vec![NOW, call, ("mcp-name", "=?base64?R3LDvMOfZQ==?=")], "tools/call", named, 200, None),
        (vec![NOW, ("mcp-method", "nope")], "nope", full.clone(), 404, Some(-32601)),
        (vec![NOW, ("mcp-method", "ping")], "ping", full.clone(), 404, Some(-32601)),
        (vec![NOW, ("mcp-method", "initialize")], "initialize", full, 404, Some(-32601)),
        (vec![], "ping", json!({}), 200, None),
        (vec![], "nope", json!({}), 404, Some(-32601)),
    ];
    for (given, method, params, status, code) in cases {
        let (got, said) = one(&given, request(method, params.clone())).await;
        let case = format!("{given:?} {method} {params}: {said}");
        assert_eq!((got, said["error"]["code"].as_i64()), (status, code), "{case}");
        assert_eq!(said["id"], 7, "{case}");
    }
}

#[tokio::test]
async fn progress_is_told_to_who_asked_for_it() {
    let streams = ("accept", "application/json, text/event-stream");
    let call = |params| request("tools/call", params).to_string();
    let asked = call(json!({"name": "slow", "_meta": {"progressToken": "p"}}));
    let told = answer(&Echo, &headers(&[streams]), asked.as_bytes()).await.messages().await;
    let progress = json!({"progressToken": "p", "progress": 1, "message": "half way"});
    assert_eq!((told.len(), &told[0]["params"]), (2, &progress));
    assert_eq!(told[1], json!({"jsonrpc": "2.0", "id": 7, "result": {"said": "slow"}}));

    let silent = call(json!({"name": "slow"}));
    let told = answer(&Echo, &headers(&[streams]), silent.as_bytes()).await.messages().await;
    assert_eq!(told.len(), 1, "{told:?}");
    let (status, said) =
        one(&[("accept", "application/json")], request("tools/call", json!({"name": "slow"}))).await;
    assert_eq!((status, &said["result"]["said"]), (200, &json!("slow")), "who can't read a stream waits");
}

#[tokio::test]
async fn lists_may_be_kept_and_calls_may_not() {
    let params = json!({"name": "x", "_meta": meta("2026-07-28")});
    let list = one(&[NOW, ("mcp-method", "tools/list")], request("tools/list", params.clone())).await.1;
    assert_eq!(
        (&list["result"]["cacheScope"], &list["result"]["ttlMs"]),
        (&json!("private"), &json!(60_000))
    );
    let called =
        one(&[NOW, ("mcp-method", "tools/call"), ("mcp-name", "x")], request("tools/call", params)).await.1;
    assert_eq!(called["result"].get("ttlMs"), None);
}
