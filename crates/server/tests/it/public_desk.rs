//! A team at a public address.

use baton_core::ids::ConversationId;
use baton_core::log::Step;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::text;

#[tokio::test]
async fn visitors_talk_to_a_desk_and_are_handed_to_whom_they_may_see() {
    let (app, _script) = scripted(json!([
        {"match": "tender", "after_tools": false, "calls": [
            {"name": "switch_agent", "arguments": {"agent": "rfp-design", "reason": "a tender"}}]},
        {"match": "tender", "after_tools": true, "text": "You would have to sign in for that."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let hire = json!({"workspaceId": ana.workspace});
    let team = ana.post("/api/packs/procurement/teams/procurement-desk/hire", hire).await;
    let team = team.expect(StatusCode::CREATED);
    let of = |name: &str| -> Value {
        let members = team["members"].as_array().expect("members");
        members.iter().find(|member| member["name"] == name).expect("a member").clone()
    };
    let slug = ana.open_to_public(json!({"default_agent_id": of("Solutions")["agent_id"]})).await;
    let visitor = app.visitor(&slug).await;
    let public = visitor.get(&format!("/api/public/{slug}")).await.expect(StatusCode::OK);
    let there = &public["teams"][0];
    assert_eq!((&there["id"], &there["agent_id"]), (&team["id"], &of("Solutions")["agent_id"]));

    let body = json!({"message": "A tender, please", "teamId": team["id"], "workspaceId": visitor.workspace});
    let events = visitor.send(&body).await.rest().await;
    assert_eq!(text_of(&events), "You would have to sign in for that.");
    assert!(!names(&events).contains(&"handoff"));
    let id = ConversationId(conversation_of(&events).parse().expect("an id"));
    let loaded = app.app.store.load(id).await.expect("a log");
    let told = loaded.steps.iter().find_map(|logged| match &logged.step {
        Step::ToolResult(result) => Some(text(&result.result["error"])),
        _ => None,
    });
    assert_eq!(
        told.as_deref(),
        Some("Authentication required to access RFP Design. Please sign in or return to the default agent.")
    );
    app.end().await;
}
