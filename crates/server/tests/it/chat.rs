//! Turns over HTTP: what a person sees, and what is stored.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::text;

#[tokio::test]
async fn a_message_is_answered_and_stored() {
    let (app, _script) = scripted(json!([
        {"match": "Hello", "reasoning": "A greeting.", "text": "Hello, Ana. What is up?"},
        {"match": "Thanks", "text": "You are welcome."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let events = ana.chat("Budget Coach", "Hello there").await;
    assert_eq!(names(&events)[..3], ["session", "user_message", "message_start"]);
    assert_eq!(names(&events)[events.len() - 2..], ["message_complete", "done"]);
    assert_eq!(text_of(&events), "Hello, Ana. What is up?");
    let done = &events.last().expect("done").data;
    assert_eq!((&done["status"], &done["turnCount"]), (&json!("completed"), &json!(1)));

    let id = conversation_of(&events);
    let read = ana.read(&id).await;
    assert_eq!(read["title"], "Hello there");
    assert_eq!(read["cursor"], json!(events.last().and_then(|got| got.id.clone())));
    assert_eq!(read["turn"], json!(null));
    let answer = &read["messages"][1];
    assert_eq!(answer["status"], "complete");
    assert_eq!(
        answer["parts"],
        json!([{"type": "reasoning", "reasoning": "A greeting."}, {"type": "text", "text": "Hello, Ana. What is up?"}])
    );
    let events = ana.say(&id, "Thanks a lot").await;
    assert_eq!(text_of(&events), "You are welcome.");
    assert_eq!(events[0].data["isResumed"], true);
    app.end().await;
}

#[tokio::test]
async fn a_stream_goes_on_from_every_cursor() {
    let (app, _script) = scripted(json!([
        {"reasoning": "Let me look.", "text": "One moment.", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"text": "It is late. Grüße!"},
    ]))
    .await;
    let ana = app.person("ana").await;
    let events = ana.chat("Budget Coach", "What time is it?").await;
    let id = conversation_of(&events);
    let numbered: Vec<_> = events.iter().filter(|got| got.id.is_some()).collect();
    for (index, got) in numbered.iter().enumerate() {
        let mut rest = ana.follow(&id, got.id.as_deref().expect("an id")).await;
        let mut seen = String::new();
        for _ in index + 1..numbered.len() {
            let next = rest.next().await.expect("more");
            seen.push_str(next.data["content"].as_str().unwrap_or_default());
            if next.name == "done" {
                break;
            }
        }
        let expected: String =
            numbered[index + 1..].iter().filter_map(|got| got.data["content"].as_str()).collect();
        assert_eq!(seen, expected, "from {:?}", got.id);
    }
    for wrong in ["999.0", "1.5", "nonsense", ""] {
        assert_eq!(names(&ana.follow(&id, wrong).await.rest().await), ["reset"], "{wrong:?}");
    }
    app.end().await;
}

#[tokio::test]
async fn one_turn_at_a_time_and_stop() {
    let (app, _script) = scripted(json!([
        {"match": "long", "text": "word ".repeat(400), "delay_ms_per_word": 20},
        {"match": "again", "text": "Here I am."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let body = ana.chat_body("Budget Coach", "Tell me something long").await;
    let mut reading = ana.send(&body).await;
    let session = reading.until("session").await;
    let id = text(&session.data["conversationId"]);
    reading.until("text").await;
    let more = json!({"message": "again", "workspaceId": ana.workspace, "conversationId": id});
    assert_eq!(ana.post("/api/agent-chat", more).await.refusal(), (409, "turn_in_progress"));
    let import = json!({"messages": [{"role": "user", "content": "x"}]});
    let imported = ana.post(&format!("/api/agent-conversations/{id}/messages"), import).await;
    assert_eq!(imported.refusal(), (409, "turn_in_progress"));
    assert_eq!(ana.read(&id).await["turn"]["status"], "running");

    let stopped = ana.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(stopped["stopped"], true);
    let rest = reading.rest().await;
    assert_eq!(names(&rest)[rest.len() - 2..], ["message_complete", "done"]);
    assert_eq!(rest.last().expect("done").data["status"], "stopped");
    let read = ana.read(&id).await;
    assert_eq!(read["messages"][1]["status"], "stopped");
    assert!(text(&read["messages"][1]["content"]).starts_with("word"));
    let stopped = ana.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(stopped["stopped"], false, "nothing runs");
    assert_eq!(text_of(&ana.say(&id, "again").await), "Here I am.");
    app.end().await;
}

#[tokio::test]
async fn the_same_request_is_the_same_turn() {
    let (app, _script) = scripted(json!([{"text": "Once."}])).await;
    let ana = app.person("ana").await;
    let body = ana.chat_body("Budget Coach", "Say it").await;
    let post =
        |key: &str| ana.request(Method::POST, "/api/agent-chat").header("idempotency-key", key.to_owned());
    let first = crate::talk::Reading::open(post("k1").json(&body)).await.rest().await;
    let again = crate::talk::Reading::open(post("k1").json(&body)).await.rest().await;
    assert_eq!(first[1..], again[1..]);
    assert_eq!(first[0].data["sessionId"], again[0].data["sessionId"]);
    assert_eq!(ana.read(&conversation_of(&first)).await["messages"].as_array().expect("messages").len(), 2);
    let other = ana.chat_body("Budget Coach", "Say something else").await;
    let refused = crate::test_app::Answer::read(post("k1").json(&other)).await;
    assert_eq!(refused.refusal(), (422, "idempotency_key_reused"));
    let ben = app.person("ben").await;
    let his = ben.chat_body("Budget Coach", "Say it").await;
    let own = ben.request(Method::POST, "/api/agent-chat").header("idempotency-key", "k1").json(&his);
    assert_eq!(
        text_of(&crate::talk::Reading::open(own).await.rest().await),
        "Once.",
        "a key is one person's"
    );
    app.end().await;
}

#[tokio::test]
async fn errors_have_codes_and_can_be_tried_again() {
    let (app, _script) = scripted(json!([
        {"match": "broken", "error": "model_key_rejected"},
        {"match": "cut", "text": "The first half", "truncate": true},
        {"match": "silent", "text": ""},
        {"match": "endless", "text": "On and on", "stop": "max_tokens"},
        {"match": "filtered", "text": "Well", "stop": "refusal"},
    ]))
    .await;
    let ana = app.person("ana").await;
    for (message, code, content) in [
        ("broken", "model_key_rejected", ""),
        ("cut", "model_truncated", "The first half"),
        ("silent", "empty_answer", ""),
        ("endless", "answer_cut_short", "On and on"),
        ("filtered", "model_refused", "Well"),
    ] {
        let events = ana.chat("Budget Coach", message).await;
        assert_eq!(names(&events)[events.len() - 3..], ["message_complete", "error", "done"], "{message}");
        assert_eq!(events[events.len() - 2].data["code"], code);
        assert_eq!(events.last().expect("done").data["status"], "failed");
        let id = conversation_of(&events);
        let read = ana.read(&id).await;
        assert_eq!(
            (&read["messages"][1]["status"], &read["messages"][1]["content"]),
            (&json!("failed"), &json!(content))
        );
        let kept = &read["messages"][1]["metadata"];
        assert_eq!(kept["error"]["code"], code);
        assert_eq!(kept["error"]["recoverable"], events[events.len() - 2].data["recoverable"], "{message}");
        let task = ana.get_owned(format!("/api/tasks/{}", text(&kept["taskId"]))).await;
        assert_eq!(task["conversation_id"], json!(id), "the turn it was said in");
        let retry = ana.request(Method::POST, &format!("/api/agent-chat/{id}/retry"));
        let again = crate::talk::Reading::open(retry).await.rest().await;
        assert_eq!(names(&again)[..2], ["session", "message_start"]);
    }
    let done = ana.chat("Budget Coach", "nothing fits").await;
    assert_eq!(done[done.len() - 2].data["code"], "model_rejected");
    app.end().await;
}

#[tokio::test]
async fn nobody_else_reads_or_stops_it() {
    let (app, _script) = scripted(json!([{"text": "Secret."}])).await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let id = conversation_of(&ana.chat("Budget Coach", "Hi").await);
    for path in ["stop", "retry"] {
        assert_eq!(ben.post(&format!("/api/agent-chat/{id}/{path}"), json!({})).await.status, 404);
    }
    assert_eq!(ben.get(&format!("/api/agent-chat/{id}/stream?after=0.0")).await.status, 404);
    let body = json!({"message": "x", "workspaceId": ben.workspace, "conversationId": id});
    assert_eq!(ben.post("/api/agent-chat", body).await.status, 404);
    let mut body = ana.chat_body("Budget Coach", "x").await;
    assert_eq!(ben.post("/api/agent-chat", body.clone()).await.status, 403, "a workspace he is not in");
    body["workspaceId"] = json!(ben.workspace);
    assert_eq!(ben.post("/api/agent-chat", body).await.status, 404, "an agent of another workspace");
    assert_eq!(app.anonymous().get(&format!("/api/agent-chat/{id}/stream")).await.status, 401);
    app.end().await;
}
