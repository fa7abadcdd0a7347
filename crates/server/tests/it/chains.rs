//! What handoffs leave in the database: the chain of tasks, and the transitions.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::{Got, conversation_of, names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn session(events: &[Got]) -> String {
    text(&events.iter().find(|got| got.name == "session").expect("a session").data["sessionId"])
}

/// Vera hands cars to Ben; of anything else she speaks herself.
async fn desk() -> (TestApp, tempfile::NamedTempFile) {
    scripted(json!([
        {"match": "car", "system": "You are Vera.", "reasoning": "Ben knows cars.", "text": "One moment.",
            "calls": [{"name": "switch_agent", "arguments": {"agent": "ben", "reason": "It is about a car."}}],
            "usage": {"input_tokens": 100, "output_tokens": 10}},
        {"system": "You are Ben.", "text": "Which car?", "usage": {"input_tokens": 40, "output_tokens": 4}},
        {"match": "ghost", "system": "You are Vera.",
            "calls": [{"name": "switch_agent", "arguments": {"agent": "nobody", "reason": "Who knows."}}]},
        {"match": "ghost", "system": "You are Vera.", "text": "I do it myself."},
    ]))
    .await
}

async fn team(of: &Actor<'_>) -> (String, String, String) {
    let vera = of.make_agent("Vera", json!({})).await;
    let ben = of.make_agent("Ben", json!({})).await;
    let team = of.make_team("swarm", &[&vera, &ben]).await;
    (vera, ben, team)
}

fn kinds(task: &Value) -> Vec<String> {
    list(&task["steps"]).iter().map(|step| text(&step["body"]["step"])).collect()
}

#[tokio::test]
async fn the_chain_of_a_handoff() {
    let (app, _script) = desk().await;
    let ana = app.person("ana").await;
    let (vera, ben, team) = team(&ana).await;
    let id = ana.begin("teamId", &team).await;
    let events = ana.say(&id, "I want a car").await;
    assert!(names(&events).contains(&"handoff"), "{events:#?}");
    let master = session(&events);
    let tree = ana.get_owned(format!("/api/tasks/{master}")).await;
    assert_eq!((&tree["id"], &tree["conversation_id"]), (&json!(master), &json!(id)));
    assert_eq!(tree["status"], "completed");
    assert!(tree["ended_at"].is_string() && tree["duration_ms"].is_number(), "{tree}");
    let [first, second] = list(&tree["tasks"]).as_slice() else { panic!("{tree:#}") };

    assert_eq!((&first["agent_name"], &second["agent_name"]), (&json!("Vera"), &json!("Ben")));
    assert_eq!((&first["agent_id"], &second["agent_id"]), (&json!(vera), &json!(ben)));
    assert_eq!((&first["parent_id"], &second["parent_id"]), (&Value::Null, &json!(master)));
    assert_eq!((&first["status"], &second["status"]), (&json!("completed"), &json!("completed")));
    assert_eq!(second["input"]["message"], "I want a car");
    let context = &second["context"];
    assert_eq!(
        (&context["_handoff_from"], &context["_handoff_tool"]),
        (&json!("vera"), &json!("switch_agent"))
    );
    assert_eq!(context["_handoff_chain"], json!(["vera"]));
    for (task, input, output) in [(first, 100, 10), (second, 40, 4), (&tree, 140, 14)] {
        let usage = &task["usage"];
        assert_eq!(
            (&usage["inputTokens"], &usage["outputTokens"]),
            (&json!(input), &json!(output)),
            "{usage}"
        );
        assert!(usage.get("costUsd").is_some());
    }

    assert_eq!(
        kinds(first),
        ["user", "call", "thinking", "said", "tool_call", "tool_result", "handoff", "message_end"]
    );
    assert_eq!(kinds(second), ["call", "said", "done"]);
    let thought = &list(&first["steps"])[2];
    assert_eq!((&thought["type"], &thought["body"]["text"]), (&json!("thinking"), &json!("Ben knows cars.")));
    let said = &list(&first["steps"])[3];
    assert_eq!(said["seq"], thought["seq"], "the closing step holds it");
    assert!(!said["body"].to_string().contains("knows cars"), "it is told once");
    assert_eq!((&said["type"], &said["agent_id"]), (&json!("assistant_message"), &json!(vera)));
    assert_eq!(
        (&said["body"]["text"], &said["body"]["usage"]["inputTokens"]),
        (&json!("One moment."), &json!(100))
    );
    assert!(said["message_id"].is_string() && said["created_at"].is_string() && said["seq"].is_number());
    let handoff = &list(&first["steps"])[6];
    assert_eq!((&handoff["type"], &handoff["body"]["to_name"]), (&json!("handoff"), &json!("Ben")));
    assert_eq!(handoff["body"]["task_id"], second["id"]);

    let held = ana.get_owned(format!("/api/agent-conversations/{id}/activations")).await;
    let read = ana.read(&id).await;
    let asked = &read["messages"][0]["id"];
    assert_eq!(
        (&held[0]["message_id"], &held[1]["message_id"], &read["active"]["messageId"]),
        (asked, asked, asked),
        "the message they began with"
    );

    // Any task of it leads to all of it, its own person only.
    let child = format!("/api/tasks/{}", text(&second["id"]));
    assert_eq!(ana.get_owned(child.clone()).await, tree);
    let dan = member(&app, &ana, "dan").await;
    let cleo = app.person("cleo").await;
    for other in [&dan, &cleo] {
        assert_eq!(other.get(&child).await.refusal(), (404, "not_found"));
    }
    assert_eq!(app.anonymous().get(&child).await.status, 401);
    assert_eq!(ana.get(&format!("/api/tasks/{id}")).await.refusal(), (404, "not_found"));
    assert_eq!(ana.get("/api/tasks/x").await.refusal(), (400, "invalid_field"));
    app.end().await;
}

#[tokio::test]
async fn a_routers_decision_and_its_tokens_are_seen() {
    let (app, _script) = scripted(json!([
        {"system": "You route the messages",
            "calls": [{"name": "route", "arguments": {"decision": "switch", "agent": "ben", "summary": "They want a car."}}],
            "usage": {"input_tokens": 30, "output_tokens": 3}},
        {"system": "You are Ben.", "text": "Which car?", "usage": {"input_tokens": 40, "output_tokens": 4}},
    ]))
    .await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let team = ana.make_team("router", &[&vera, &ben]).await;
    let id = ana.begin("teamId", &team).await;
    let events = ana.say(&id, "I want a car").await;
    assert_eq!(text_of(&events), "Which car?", "{events:#?}");
    let tree = ana.get_owned(format!("/api/tasks/{}", session(&events))).await;
    let [first, second] = list(&tree["tasks"]).as_slice() else { panic!("{tree:#}") };
    assert_eq!(kinds(first), ["user", "routed", "handoff"]);
    let decided = &list(&first["steps"])[1]["body"];
    assert_eq!((&decided["decision"], &decided["to"]), (&json!("switch"), &json!(ben)));
    assert_eq!((&decided["summary"], &decided["problem"]), (&json!("They want a car."), &Value::Null));
    assert_eq!(
        (&decided["usage"]["inputTokens"], &decided["usage"]["outputTokens"]),
        (&json!(30), &json!(3))
    );
    assert_eq!(first["usage"]["inputTokens"], 30, "counted with the task that asked");
    assert_eq!((&second["usage"]["inputTokens"], &tree["usage"]["inputTokens"]), (&json!(40), &json!(70)));
    let done = events.last().expect("done");
    assert_eq!(done.data["usage"]["inputTokens"], 70, "and with the turn");
    assert_eq!(ana.read(&id).await["active"]["summary"], "They want a car.");
    app.end().await;
}

#[tokio::test]
async fn a_task_that_waits_says_so() {
    let save = json!({"action": "save", "path": "note", "content": "tea at five"});
    let (app, _script) = scripted(json!([
        {"match": "save", "calls": [{"name": "manageMemory", "arguments": save}]}, {"text": "Saved."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let events = ana.chat("Knowledge Curator", "save this").await;
    let path = format!("/api/tasks/{}", session(&events));
    let tree = ana.get_owned(path.clone()).await;
    assert_eq!((&tree["status"], &tree["ended_at"]), (&json!("waiting"), &Value::Null), "{tree:#}");
    ana.delete(&format!("/api/agent-conversations/{}", conversation_of(&events)))
        .await
        .expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn attempts_are_counted_by_pair_and_reasons_stay_with_their_person() {
    let (app, _script) = desk().await;
    let ana = app.person("ana").await;
    let path = |more: &str| format!("/api/agents/transitions?workspaceId={}{more}", ana.workspace);
    let nothing = ana.get_owned(path("")).await;
    assert_eq!((&nothing["pairs"], &nothing["totals"]["success_rate"]), (&json!([]), &Value::Null));

    let (vera, ben, team) = team(&ana).await;
    let cora = ana.make_agent("Cora", json!({})).await;
    let id = ana.begin("teamId", &team).await;
    ana.say(&id, "I want a car").await;
    let other = ana.begin("teamId", &team).await;
    assert_eq!(text_of(&ana.say(&other, "A ghost").await), "I do it myself.");
    ana.switch(&other, json!({"agentId": cora})).await.expect(StatusCode::OK);

    let told = ana.get_owned(path("")).await;
    let totals = &told["totals"];
    assert_eq!((&totals["attempts"], &totals["completed"]), (&json!(3), &json!(2)));
    assert!((totals["success_rate"].as_f64().expect("a rate") - 2.0 / 3.0).abs() < 1e-9);
    assert!(totals["average_latency_ms"].is_number());
    let pair = |from: &str, to: Value| {
        let is = |pair: &&Value| pair["from_agent_id"] == json!(from) && pair["to_agent_id"] == to;
        list(&told["pairs"]).iter().find(is).unwrap_or_else(|| panic!("no such pair in {told:#}")).clone()
    };
    let handed = pair(&vera, json!(ben));
    assert_eq!((&handed["from_name"], &handed["to_name"]), (&json!("Vera"), &json!("Ben")));
    assert_eq!((&handed["attempts"], &handed["success_rate"]), (&json!(1), &json!(1.0)));
    let (full, sent) =
        (handed["tokens_full"].as_i64().expect("tokens"), handed["tokens_sent"].as_i64().expect("tokens"));
    assert!(sent > 0 && full >= sent, "{handed}");
    assert_eq!(handed["tokens_saved"], json!(full - sent));
    let refused = pair(&vera, Value::Null);
    assert_eq!((&refused["to_name"], &refused["completed"]), (&Value::Null, &json!(0)));

    let newest = list(&told["transitions"]);
    assert_eq!(newest.len(), 3);
    assert_eq!((&newest[0]["trigger"], &newest[0]["to_name"]), (&json!("user"), &json!("Cora")));
    assert_eq!(newest[1]["outcome"], "refused");
    assert!(newest[1]["code"].is_string());
    assert_eq!(
        (&newest[2]["reason"], &newest[2]["conversation_id"], &newest[2]["outcome"]),
        (&json!("It is about a car."), &json!(id), &json!("completed"))
    );

    let of_ben = ana.get_owned(path(&format!("&agentId={ben}&days=1&limit=5"))).await;
    assert_eq!((&of_ben["totals"]["attempts"], list(&of_ben["transitions"]).len()), (&json!(1), 1));
    let one = ana.get_owned(path("&limit=1")).await;
    assert_eq!((list(&one["transitions"]).len(), &one["totals"]["attempts"]), (1, &json!(3)));

    let dan = member(&app, &ana, "dan").await;
    let seen = dan.get_owned(path("")).await;
    assert_eq!((&seen["pairs"], &seen["totals"]), (&told["pairs"], &told["totals"]));
    for one in list(&seen["transitions"]) {
        assert_eq!((&one["reason"], &one["conversation_id"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(app.person("cleo").await.get(&path("")).await.refusal(), (403, "not_a_member"));
    for (more, field) in
        [("&days=0", "days"), ("&days=4000", "days"), ("&limit=0", "limit"), ("&agentId=x", "agentId")]
    {
        let wrong = ana.get(&path(more)).await;
        assert_eq!((wrong.status.as_u16(), &wrong.body["field"]), (400, &json!(field)), "{more}");
    }
    app.end().await;
}

#[tokio::test]
async fn tokens_by_day_are_everyones_to_admins_and_their_own_to_members() {
    let (app, _script) = desk().await;
    let ana = app.person("ana").await;
    let (_, _, team) = team(&ana).await;
    let bob = member(&app, &ana, "bob").await;
    let id = ana.begin("teamId", &team).await;
    ana.say(&id, "I want a car").await;

    let (workspace, path) = (&ana.workspace, "/api/agents/usage?days=3&workspaceId=");
    let seen = ana.get_owned(format!("{path}{workspace}")).await;
    assert_eq!((&seen["whose"], list(&seen["days"]).len()), (&json!("workspace"), 3), "{seen:#}");
    let today = &seen["days"][2];
    for of in [today, &seen["total"]] {
        assert_eq!(
            (&of["input_tokens"], &of["output_tokens"], &of["calls"]),
            (&json!(140), &json!(14), &json!(2))
        );
        // A scripted model costs nothing.
        assert_eq!((&of["cost_usd"], &of["unpriced_calls"]), (&json!(0.0), &json!(0)));
    }
    assert_eq!((&seen["days"][0]["calls"], &seen["days"][0]["cost_usd"]), (&json!(0), &json!(0.0)));

    let seen = bob.get_owned(format!("{path}{workspace}")).await;
    assert_eq!((&seen["whose"], &seen["total"]["calls"]), (&json!("own"), &json!(0)), "{seen:#}");
    let stranger = app.person("eve").await;
    let refused = stranger.get(&format!("{path}{workspace}")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn conversations_are_listed_by_agent_by_team_or_all() {
    let (app, _script) = desk().await;
    let ana = app.person("ana").await;
    let (vera, _, team) = team(&ana).await;
    let (alone, together) = (ana.begin("agentId", &vera).await, ana.begin("teamId", &team).await);
    let of = async |filter: String| {
        let path = format!("/api/agent-conversations?workspaceId={}&{filter}", ana.workspace);
        let found = ana.get_owned(path).await;
        list(&found).iter().map(|row| text(&row["id"])).collect::<Vec<_>>()
    };
    assert_eq!(of(format!("teamId={team}")).await, std::slice::from_ref(&together));
    assert_eq!(of(format!("agentId={vera}")).await, [together.clone(), alone.clone()]);
    assert_eq!(of(String::new()).await, [together, alone]);
    let path = format!("/api/agent-conversations?workspaceId={}", &ana.workspace);
    for filter in [format!("&agentId={vera}&teamId={team}"), format!("&teamId={vera}")] {
        assert!(ana.get(&format!("{path}{filter}")).await.status.is_client_error(), "{filter}");
    }
}
