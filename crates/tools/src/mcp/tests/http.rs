//! Over HTTP. Each test is a server that does one thing, and what comes of it for those who use it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::mpsc;

use super::fake::{self, Answer, Fake};
use super::*;
use crate::mcp::{AskPerson, Asked, Question, Reply};

fn on_call(answer: impl Fn(&Value) -> Answer + Send + Sync + 'static) -> impl Fn(&Value) -> Option<Answer> {
    move |asked| (asked["method"] == "tools/call").then(|| answer(asked))
}

/// Another protocol: it is asked what it can do, and never greeted.
fn modern(asked: &Value, tool: impl Fn(&Value) -> Value) -> Option<Answer> {
    match asked["method"].as_str() {
        Some("server/discover") => Some(Answer::Result(json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "ttlMs": 1000, "cacheScope": "private",
        }))),
        Some("tools/list") => Some(Answer::Result(json!({
            "resultType": "complete", "ttlMs": 1000, "cacheScope": "private",
            "tools": [{"name": "echo", "inputSchema": {"type": "object"}}],
        }))),
        Some("tools/call") => Some(Answer::Result(tool(asked))),
        _ => None,
    }
}

#[tokio::test]
async fn tools_are_listed_and_called_and_a_call_is_sent_once() {
    let fake = Fake::start(|_| None).await;
    let (with, server) = (connections(options()), at(fake.url()));
    assert_eq!(names(&with.list(&server, None).await), ["echo"]);
    let (outcome, _) = call_with(&with, &server, "echo", json!({"a": 1})).await;
    assert_eq!(text(outcome), "done");
    let sent = fake.seen("tools/call");
    assert_eq!(sent.len(), 1);
    assert_eq!(
        (&sent[0]["params"]["name"], &sent[0]["params"]["arguments"]),
        (&json!("echo"), &json!({"a": 1}))
    );
    assert!(sent[0]["params"]["_meta"]["progressToken"].is_number(), "progress is asked for");
    assert_eq!(fake.seen("initialize").len(), 1);
}

#[tokio::test]
async fn a_server_of_the_newer_protocol_is_asked_and_not_greeted() {
    let fake = Fake::start(|asked| {
        modern(asked, |_| json!({"resultType": "complete", "content": [{"type": "text", "text": "new"}]}))
    })
    .await;
    let (with, server) = (connections(options()), at(fake.url()));
    assert_eq!(names(&with.list(&server, None).await), ["echo"]);
    assert_eq!(text(call(&with, &server, "echo").await), "new");
    assert_eq!((fake.seen("initialize").len(), fake.seen("server/discover").len()), (0, 1));
}

#[tokio::test]
async fn a_call_that_is_never_answered_ends_with_both_limits_named_and_is_called_off() {
    let fake = Fake::start(on_call(|_| Answer::Silence)).await;
    let with = connections(Options { idle: Duration::from_secs(1), ..options() });
    let why = unknown(call(&with, &at(fake.url()), "echo").await);
    assert!(why.contains("1 seconds without") && why.contains("in all"), "{why}");
    fake.was_asked("notifications/cancelled", 1).await;
    assert_eq!(fake.seen("tools/call").len(), 1);
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_is_called_off() {
    let fake = Fake::start(on_call(|_| Answer::Silence)).await;
    let (with, server) = (connections(options()), at(fake.url()));
    tokio::select! {
        outcome = call(&with, &server, "echo") => panic!("{outcome:?}"),
        () = fake.was_asked("tools/call", 1) => {}
    }
    fake.was_asked("notifications/cancelled", 1).await;
    let (sent, called_off) = (fake.seen("tools/call"), fake.seen("notifications/cancelled"));
    assert_eq!(called_off[0]["params"]["requestId"], sent[0]["id"]);
}

#[tokio::test]
async fn progress_is_told_and_gives_a_call_more_time() {
    let fake = Fake::start(on_call(|asked| {
        let (tell, events) = mpsc::unbounded_channel();
        let (token, id) = (asked["params"]["_meta"]["progressToken"].clone(), asked["id"].clone());
        tokio::spawn(async move {
            for step in 1..=5 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let said = json!({"progressToken": token, "progress": step, "total": 5, "message": "on it"});
                let said = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": said});
                let _ = tell.send(said.to_string());
            }
            let result = json!({"content": [{"type": "text", "text": "late"}]});
            let _ = tell.send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
        });
        Answer::Events(events)
    }))
    .await;
    // Shorter than the call, and much longer than what lies between two signs.
    let with = connections(Options { idle: Duration::from_secs(4), ..options() });
    let (outcome, told) = call_with(&with, &at(fake.url()), "slow", Value::Null).await;
    assert_eq!(text(outcome), "late");
    assert!(!told.is_empty() && told.iter().all(|told| told.total == Some(5.0)), "{told:?}");
    assert_eq!(told[0].message.as_deref(), Some("on it"));
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_read() {
    let huge = Arc::new("x".repeat(16 * 1024 * 1024));
    for as_events in [false, true] {
        let huge = huge.clone();
        let fake = Fake::start(on_call(move |asked| {
            let result = json!({"content": [{"type": "text", "text": huge.as_str()}]});
            if !as_events {
                return Answer::Result(result);
            }
            let (tell, events) = mpsc::unbounded_channel();
            let _ = tell.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string());
            Answer::Events(events)
        }))
        .await;
        let (with, server) = (connections(Options { max_bytes: 1024 * 1024, ..options() }), at(fake.url()));
        let why = unknown(call(&with, &server, "huge").await);
        assert!(why.contains("more than 1048576 bytes"), "{why}");
        assert_eq!(names(&with.refresh(&server, None).await), ["echo"], "the server goes on being used");
        assert_eq!(fake.seen("tools/call").len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_dies_during_a_call_is_not_asked_again_by_itself() {
    let fake = Fake::start(on_call(|asked| match asked["params"]["name"].as_str() {
        Some("dies") => Answer::HangUp,
        _ => Answer::Result(json!({"content": [{"type": "text", "text": "alive"}]})),
    }))
    .await;
    let (with, server) = (connections(options()), at(fake.url()));
    let why = unknown(call(&with, &server, "dies").await);
    assert!(why.contains("nobody knows"), "{why}");
    assert_eq!(text(call(&with, &server, "lives").await), "alive");
    assert_eq!(fake.seen("tools/call").len(), 2);
}

#[tokio::test]
async fn a_stream_that_ends_before_the_answer_leaves_the_call_unknown() {
    let fake = Fake::start(on_call(|_| Answer::Events(mpsc::unbounded_channel().1))).await;
    let why = unknown(call(&connections(options()), &at(fake.url()), "echo").await);
    assert!(why.contains("connection broke"), "{why}");
    assert_eq!(fake.seen("tools/call").len(), 1);
}

#[tokio::test]
async fn what_is_no_mcp_server_is_said_to_be_none() {
    let page =
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\nconnection: close\r\n\r\n<p>hi";
    let away = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let moved = "HTTP/1.1 307 Moved\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    for (answer, expected) in [(page, "text/html"), (away, "169.254.169.254"), (moved, "169.254.169.254")] {
        let fake = Fake::start(move |_| Some(Answer::Http(answer.into()))).await;
        let (with, server) = (connections(options()), at(fake.url()));
        let listing = with.list(&server, None).await;
        assert!(down(&listing).contains(expected), "{listing:?}");
        let why = not_done(call(&with, &server, "echo").await);
        assert!(why.contains(expected), "{why}");
    }
}

#[tokio::test]
async fn an_address_inside_the_network_is_not_called() {
    let with = Connections::start(Arc::new(Outbound::new(vec![])), options());
    let fake = Fake::start(|_| None).await;
    let listing = with.list(&at(fake.url()), None).await;
    assert!(down(&listing).contains("not public"), "{listing:?}");
    assert_eq!(fake.seen("server/discover").len() + fake.seen("initialize").len(), 0);
}

#[tokio::test]
async fn a_redirect_within_the_server_is_followed() {
    let fake = Fake::start(|asked| {
        let again = asked["http"]["path"] == "/mcp";
        again.then(|| {
            let to =
                "HTTP/1.1 307 Moved\r\nlocation: /mcp/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            Answer::Http(to.into())
        })
    })
    .await;
    assert_eq!(names(&connections(options()).list(&at(fake.url()), None).await), ["echo"]);
}

#[tokio::test]
async fn one_tool_that_is_described_badly_takes_no_other_with_it() {
    let long = "n".repeat(200);
    let cyclic = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
    let tools = json!([
        {"name": long, "inputSchema": cyclic, "annotations": {"readOnlyHint": true}},
        {"name": "no schema"},
        {"inputSchema": {"type": "object"}},
        {"name": "fat", "description": "x".repeat(100_000), "inputSchema": {"type": "object"}},
        {"name": "twice", "description": "first", "inputSchema": {"type": "object"}},
        {"name": "twice", "description": "second", "inputSchema": {"type": "object"}},
    ]);
    let fake = Fake::start(move |asked| {
        (asked["method"] == "tools/list").then(|| Answer::Result(json!({"tools": tools})))
    })
    .await;
    let listing = connections(options()).list(&at(fake.url()), None).await;
    assert_eq!(names(&listing), [long_name().as_str(), "twice"]);
    assert_eq!(listing.tools[0].annotations.read_only, Some(true));
    assert_eq!(listing.tools[1].description, "first");
}

fn long_name() -> String {
    "n".repeat(200)
}

#[tokio::test]
async fn a_list_without_an_end_is_read_up_to_a_limit() {
    let pages = Arc::new(AtomicUsize::new(0));
    let counting = pages.clone();
    let fake = Fake::start(move |asked| {
        (asked["method"] == "tools/list").then(|| {
            let page = counting.fetch_add(1, Ordering::SeqCst);
            let tools = json!([{"name": format!("t{page}"), "inputSchema": {"type": "object"}}]);
            Answer::Result(json!({"tools": tools, "nextCursor": format!("{page}")}))
        })
    })
    .await;
    assert_eq!(connections(options()).list(&at(fake.url()), None).await.tools.len(), 50);
    assert_eq!(pages.load(Ordering::SeqCst), 50);
}

#[tokio::test]
async fn a_server_that_is_down_keeps_its_tools_and_says_so_until_it_is_back() {
    let is_down = Arc::new(AtomicBool::new(false));
    let switch = is_down.clone();
    let fake = Fake::start(move |_| {
        let unavailable = "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        switch.load(Ordering::SeqCst).then(|| Answer::Http(unavailable.into()))
    })
    .await;
    let (with, server) = (connections(options()), at(fake.url()));
    assert_eq!(with.list(&server, None).await.trouble, None);
    is_down.store(true, Ordering::SeqCst);
    let listing = with.refresh(&server, None).await;
    assert_eq!(names(&listing), ["echo"]);
    assert!(down(&listing).contains("HTTP 503"), "{listing:?}");
    is_down.store(false, Ordering::SeqCst);
    assert_eq!(with.refresh(&server, None).await.trouble, None);
}

#[tokio::test]
async fn an_error_of_a_tool_is_a_result_and_a_refusal_is_a_call_not_done() {
    let fake = Fake::start(on_call(|asked| match asked["params"]["name"].as_str() {
        Some("fails") => {
            Answer::Result(json!({"isError": true, "content": [{"type": "text", "text": "no"}]}))
        }
        Some("throws") => Answer::Error(-32000, "rate limited"),
        _ => Answer::Error(-32602, "Unknown tool"),
    }))
    .await;
    let (with, server) = (connections(options()), at(fake.url()));
    for (tool, said) in [("fails", "no"), ("throws", "rate limited")] {
        let outcome = call(&with, &server, tool).await.expect("an outcome");
        assert!(outcome.is_error);
        assert_eq!(outcome.said, Said::Text(said.into()));
    }
    let why = not_done(call(&with, &server, "other").await);
    assert!(why.contains("Unknown tool"), "{why}");
}

/// Greets with a session, each time another.
fn with_session(asked: &Value, sessions: &AtomicUsize) -> Option<Answer> {
    (asked["method"] == "initialize").then(|| {
        let session = format!("mcp-session-id: s{}\r\n", sessions.fetch_add(1, Ordering::SeqCst));
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "fake", "version": "1"}});
        fake::http("200 OK", &session, &json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
    })
}

#[tokio::test]
async fn a_session_that_the_server_forgot_is_begun_again_also_where_it_says_401() {
    for refusal in ["404 Not Found", "401 Unauthorized"] {
        let sessions = AtomicUsize::new(0);
        let fake = Fake::start(move |asked| {
            let forgotten = asked["method"] == "tools/call" && asked["http"]["session"] == "s0";
            if forgotten {
                return Some(fake::http(refusal, "", &json!("unknown session")));
            }
            with_session(asked, &sessions)
        })
        .await;
        let (with, server) = (connections(options()), at(fake.url()));
        assert_eq!(text(call(&with, &server, "echo").await), "done", "{refusal}");
        let sessions: Vec<_> =
            fake.seen("tools/call").iter().map(|asked| asked["http"]["session"].clone()).collect();
        assert_eq!(sessions, [json!("s0"), json!("s1")]);
    }
}

#[tokio::test]
async fn a_connection_that_nobody_uses_ends_and_what_is_known_of_the_server_stays() {
    let sessions = AtomicUsize::new(0);
    let fake = Fake::start(move |asked| with_session(asked, &sessions)).await;
    let second = Duration::from_secs(1);
    let with = connections(Options { unused: second, upkeep: second / 20, ..options() });
    let server = at(fake.url());
    assert_eq!(names(&with.list(&server, None).await), ["echo"]);
    fake.was_asked("delete", 1).await;
    assert_eq!(text(call(&with, &server, "echo").await), "done");
    // Which protocol it speaks is not found out again.
    assert_eq!((fake.seen("server/discover").len(), fake.seen("initialize").len()), (1, 2));
}

#[tokio::test]
async fn a_server_that_wants_a_sign_in_says_so() {
    let fake = Fake::start(|_| {
        let refused = "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer scope=\"read\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        Some(Answer::Http(refused.into()))
    })
    .await;
    let (with, server) = (connections(options()), at(fake.url()));
    assert_eq!(with.list(&server, None).await.trouble, Some(Trouble::NeedsSignIn));
    assert_eq!(call(&with, &server, "echo").await, Err(CallFailure::NeedsSignIn));
}

/// Answers with its name, and remembers what it was asked.
#[derive(Default)]
struct Ada(Mutex<Vec<Question>>);

#[async_trait]
impl AskPerson for Ada {
    async fn ask(&self, asked: Asked) -> Reply {
        self.0.lock().expect("a lock").push(asked.question);
        Reply::Accepted(json!({"name": "Ada"}).as_object().expect("an object").clone())
    }
}

fn form() -> Value {
    json!({"mode": "form", "message": "Who are you?", "requestedSchema":
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}})
}

#[tokio::test]
async fn a_question_during_a_call_reaches_its_person_and_the_reply_the_server() {
    let (replied, replies) = mpsc::unbounded_channel::<Value>();
    let replies = Arc::new(tokio::sync::Mutex::new(replies));
    let fake = Fake::start(move |asked| {
        if asked["id"] == "q1" {
            let _ = replied.send(asked["result"].clone());
            return None;
        }
        (asked["method"] == "tools/call").then(|| {
            let (tell, events) = mpsc::unbounded_channel();
            let question =
                json!({"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create", "params": form()});
            let _ = tell.send(question.to_string());
            let (id, replies) = (asked["id"].clone(), replies.clone());
            tokio::spawn(async move {
                let reply = replies.lock().await.recv().await.expect("a reply");
                let result = json!({"content": [{"type": "text", "text": reply.to_string()}]});
                let _ = tell.send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
            });
            Answer::Events(events)
        })
    })
    .await;
    let ada = Arc::<Ada>::default();
    let with = connections(Options { people: Some(ada.clone()), ..options() });
    let said = text(call(&with, &at(fake.url()), "greet").await);
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(said, json!({"action": "accept", "content": {"name": "Ada"}}));
    let asked = ada.0.lock().expect("a lock").clone();
    assert!(matches!(&asked[..], [Question::Form { message, .. }] if message == "Who are you?"), "{asked:?}");
}

#[tokio::test]
async fn in_the_newer_protocol_a_call_is_made_again_with_the_reply() {
    let fake = Fake::start(|asked| {
        modern(asked, |asked| match asked["params"].get("inputResponses") {
            None => json!({"resultType": "input_required", "requestState": "sealed",
                "inputRequests": {"who": {"method": "elicitation/create", "params": form()}}}),
            Some(replies) => {
                json!({"resultType": "complete", "content": [{"type": "text", "text": replies.to_string()}]})
            }
        })
    })
    .await;
    let with = connections(Options { people: Some(Arc::<Ada>::default()), ..options() });
    let said = text(call(&with, &at(fake.url()), "greet").await);
    assert!(said.contains("Ada"), "{said}");
    let sent = fake.seen("tools/call");
    assert_eq!((sent.len(), &sent[1]["params"]["requestState"]), (2, &json!("sealed")));
    assert_ne!(sent[0]["id"], sent[1]["id"]);
}

#[tokio::test]
async fn without_anybody_to_ask_a_question_is_declined_and_never_invited() {
    let fake = Fake::start(|asked| {
        modern(asked, |asked| match asked["params"].get("inputResponses") {
            None => json!({"resultType": "input_required", "requestState": "s",
                "inputRequests": {"who": {"method": "elicitation/create", "params": form()}}}),
            Some(replies) => {
                json!({"resultType": "complete", "content": [{"type": "text", "text": replies.to_string()}]})
            }
        })
    })
    .await;
    let said = text(call(&connections(options()), &at(fake.url()), "greet").await);
    assert!(said.contains("decline"), "{said}");
    let said_of_us = fake.seen("tools/call")[0]["params"]["_meta"].to_string();
    assert!(!said_of_us.contains("elicitation"), "{said_of_us}");
}

#[tokio::test]
async fn what_is_known_to_be_wrong_is_told_without_asking() {
    let fake = Fake::start(|_| None).await;
    let (with, server) = (connections(options()), at(fake.url()));
    assert_eq!(with.trouble(server.id, None), None, "nobody has looked");
    assert_eq!(names(&with.list(&server, None).await), ["echo"]);
    assert_eq!(with.trouble(server.id, None), None);
    fake.end().await;
    let why = down(&with.refresh(&server, None).await);
    assert_eq!(with.trouble(server.id, None), Some(Trouble::Down(why)));
    with.close().await;
}
