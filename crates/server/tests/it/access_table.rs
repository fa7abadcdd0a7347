//! The access table over HTTP, on all five paths: list, begin, message, select, and a model's switch.

use baton_core::ids::ConversationId;
use baton_core::log::Step;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::{Got, conversation_of, scripted};
use crate::test_app::{Actor, Answer, TestApp, text};

const SIGN_IN: &str = "Please sign in to access this agent.";
const PREMIUM: &str = "This agent requires a premium subscription.";
const AGENTS: [&str; 4] = ["Default", "Support", "Plain", "Restricted"];

/// What a person is told who wants each of [`AGENTS`], and what a model is told; `None`: it is open.
struct Row<'a> {
    who: &'static str,
    actor: Actor<'a>,
    person: [Option<&'static str>; 4],
    model: [Option<&'static str>; 4],
}

/// The agents of the table; each can hand to every other, wherever it works.
async fn gather(ana: &Actor<'_>) -> [String; 4] {
    let mut ids: [String; 4] = Default::default();
    for (id, name) in ids.iter_mut().zip(AGENTS) {
        let body = json!({
            "workspaceId": ana.workspace, "name": name, "system_prompt": format!("You are {name}."),
            "is_default": name == "Default", "is_restricted": name == "Restricted",
            "role": if name == "Support" { json!("support") } else { json!(null) },
        });
        *id = text(&ana.post("/api/agents", body).await.expect(StatusCode::CREATED)["id"]);
    }
    for (id, name) in ids.iter().zip(AGENTS) {
        let body = json!({
            "workspaceId": ana.workspace, "name": format!("to_{name}"), "type": "handoff",
            "description": "Hands over.", "config": {"target_agent_id": id},
        });
        ana.post("/api/tools", body).await.expect(StatusCode::CREATED);
    }
    for (id, name) in ids.iter().zip(AGENTS) {
        let tools: Vec<String> =
            AGENTS.iter().filter(|other| **other != name).map(|other| format!("to_{other}")).collect();
        let body = json!({"tools": tools, "public_tools": tools});
        ana.patch(&format!("/api/agents/{id}"), body).await.expect(StatusCode::OK);
    }
    ids
}

fn script() -> Value {
    let hand = |from: &str, to: &str| {
        json!({
            "match": format!("hand off to {to}"), "system": format!("You are {from}."), "after_tools": false,
            "calls": [{"name": format!("to_{to}"), "arguments": {}}],
        })
    };
    let mut replies = vec![hand("Default", "Support")];
    replies.extend(["Default", "Plain", "Restricted"].map(|to| hand("Support", to)));
    replies.push(json!({"after_tools": false, "text": "Here I am."}));
    replies.push(json!({"after_tools": true, "text": "I could not hand off."}));
    json!(replies)
}

fn check(who: &str, path: &str, agent: &str, answer: &Answer, expected: Option<&str>) {
    let told = (answer.status == StatusCode::FORBIDDEN).then(|| text(&answer.body["error"]));
    assert_eq!(told.as_deref(), expected, "{who}, {path}, {agent}: {} {}", answer.status, answer.body);
    assert!(expected.is_some() || answer.status.is_success(), "{who}, {path}, {agent}: {}", answer.status);
}

#[tokio::test]
async fn the_table_holds_on_all_five_paths() {
    let (app, _script) = scripted(script()).await;
    let ana = app.person("ana").await;
    let ids = gather(&ana).await;
    let slug = ana.open_to_public(json!({"default_agent_id": ids[0]})).await;
    let (visitor, free) = (app.visitor(&slug).await, app.person("free").await.at(&ana.workspace));
    let premium = app.person("premium").await.at(&ana.workspace);
    app.make_premium(&premium).await;
    let inside = member(&app, &ana, "inside").await;
    let open = [None; 4];
    let only_restricted = |told| [None, None, None, Some(told)];
    let premium_words = "Restricted: This agent requires a premium subscription.";
    let sign_in_words = |name: &str| -> &'static str {
        let words = format!(
            "Authentication required to access {name}. Please sign in or return to the default agent."
        );
        Box::leak(words.into_boxed_str())
    };
    let for_profiles = (only_restricted(PREMIUM), only_restricted(premium_words));
    let rows = [
        Row {
            who: "visitor",
            actor: visitor,
            person: [None, None, Some(SIGN_IN), Some(SIGN_IN)],
            model: [
                Some("Only the person can return to Default, the default agent: tell them to choose it."),
                None,
                Some(sign_in_words("Plain")),
                Some(sign_in_words("Restricted")),
            ],
        },
        Row { who: "free guest", actor: free, person: for_profiles.0, model: for_profiles.1 },
        Row { who: "free member", actor: inside, person: for_profiles.0, model: for_profiles.1 },
        Row { who: "premium guest", actor: premium, person: open, model: open },
    ];
    for row in rows {
        on_five_paths(&app, &row, &ids).await;
    }
    app.end().await;
}

async fn on_five_paths(app: &TestApp, row: &Row<'_>, ids: &[String; 4]) {
    let Row { who, actor, person, model } = row;
    let listed = actor.agents("&hired_only=true").await;
    let support = actor.post("/api/agent-conversations", begin(actor, &ids[1])).await;
    let support = text(&support.expect(StatusCode::CREATED)["id"]);
    for (at, name) in AGENTS.iter().enumerate() {
        let is_listed = listed["agents"].as_array().expect("agents").iter().any(|one| one["name"] == *name);
        assert_eq!(is_listed, person[at].is_none(), "{who} sees {name}");
        let begun = actor.post("/api/agent-conversations", begin(actor, &ids[at])).await;
        check(who, "begin", name, &begun, person[at]);
        let mut message = begin(actor, &ids[at]);
        message["message"] = json!("Hello");
        let said = actor.post("/api/agent-chat", message).await;
        check(who, "message", name, &said, person[at]);
        let path = format!("/api/agent-conversations/{support}/switch");
        let selected = actor.post(&path, json!({"agentId": ids[at]})).await;
        check(who, "select", name, &selected, person[at]);

        let from = if *name == "Support" { &ids[0] } else { &ids[1] };
        let mut message = begin(actor, from);
        message["message"] = json!(format!("Please hand off to {name}"));
        let events = actor.send(&message).await.rest().await;
        let told = told_to_model(app, &events).await;
        assert_eq!(told.as_deref(), model[at], "{who}, a model's switch to {name}");
        let arrived = events.iter().any(|got| got.name == "handoff" && got.data["to"] == json!(ids[at]));
        assert_eq!(arrived, model[at].is_none(), "{who}, a model's switch to {name}");
    }
}

fn begin(actor: &Actor<'_>, agent: &str) -> Value {
    json!({"agentId": agent, "workspaceId": actor.workspace})
}

/// Why a handoff was refused, as the model was told; people at a public address aren't.
async fn told_to_model(app: &TestApp, events: &[Got]) -> Option<String> {
    let id = ConversationId(conversation_of(events).parse().expect("an id"));
    let loaded = app.app.store.load(id).await.expect("a log");
    loaded.steps.iter().find_map(|logged| match &logged.step {
        Step::ToolResult(result) if !result.success => Some(text(&result.result["error"])),
        _ => None,
    })
}

/// Whose access ends in the middle goes on with the next agent in line.
#[tokio::test]
async fn a_holder_that_is_closed_meanwhile_answers_no_more() {
    let (app, _script) = scripted(script()).await;
    let ana = app.person("ana").await;
    let ids = gather(&ana).await;
    let slug = ana.open_to_public(json!({"default_agent_id": ids[0]})).await;
    let visitor = app.visitor(&slug).await;
    let mut message = begin(&visitor, &ids[1]);
    message["message"] = json!("Hello");
    let id = conversation_of(&visitor.send(&message).await.rest().await);
    ana.patch(&format!("/api/agents/{}", ids[1]), json!({"role": null})).await.expect(StatusCode::OK);
    let events = visitor.say(&id, "And now?").await;
    let notice = text(&events[0].data["notice"]);
    assert_eq!(notice, "Support isn't available any more, so Default answers.");
    ana.patch(&format!("/api/agents/{}", ids[0]), json!({"is_restricted": true}))
        .await
        .expect(StatusCode::OK);
    let body = json!({"message": "Still?", "conversationId": id, "workspaceId": visitor.workspace});
    assert_eq!(visitor.post("/api/agent-chat", body).await.refusal(), (409, "no_agent"));
    app.end().await;
}
