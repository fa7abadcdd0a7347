//! What people are shown of a handoff tool is what models are sent of it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::held_model::{Asked, HeldModel, Reply};
use crate::test_app::{Actor, TestApp, text};

fn to_ben(of: &Actor<'_>, name: &str, ben: &str) -> Value {
    json!({
        "workspaceId": of.workspace, "name": name, "type": "handoff", "description": " Hands leads to Ben. ",
        "config": {
            "target_agent_id": ben,
            "context_variables": [
                {"name": "lead_id", "type": "string", "required": true, "description": "The lead"},
                {"name": "priority", "type": "string", "enum": ["low", "high"]},
                {"name": "seats", "type": "integer"},
                {"name": "wishes", "type": "array"},
                {"name": "car", "type": "object"},
            ],
            "handoff_instructions": "Follow up.\nWithin a day.",
        },
    })
}

fn sent(asked: &Asked, name: &str) -> Value {
    let tools = asked.body["tools"].as_array().expect("tools");
    let found = tools.iter().find(|tool| tool["function"]["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is not offered: {tools:?}"))["function"].clone()
}

/// A prompt that ends in the data of a handoff, with `…` in place of values and of the calling agent.
fn without_values(prompt: &str) -> String {
    let (before, data) = prompt.rsplit_once('\n').expect("lines");
    let mut data: Value = serde_json::from_str(data).expect("data");
    for (key, value) in data.as_object_mut().expect("an object") {
        match key.as_str() {
            "_handoff_tool" => (),
            "_handoff_chain" => *value = json!(["…"]),
            _ => *value = json!("…"),
        }
    }
    format!("{before}\n{data}")
}

async fn tools_of(of: &Actor<'_>) -> Value {
    of.get_owned(format!("/api/tools?workspaceId={}", of.workspace)).await["tools"].clone()
}

#[tokio::test]
async fn a_preview_is_what_models_are_sent() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let vera = ana.make_agent("Vera", json!({"tools": ["to_ben"]})).await;

    let preview = ana.post("/api/tools/preview", to_ben(&ana, "to_ben", &ben)).await.expect(StatusCode::OK);
    assert_eq!(tools_of(&ana).await, json!([]), "a preview stores nothing");
    let made = ana.post("/api/tools", to_ben(&ana, "to_ben", &ben)).await.expect(StatusCode::CREATED);
    let path = format!("/api/tools/{}/preview", text(&made["id"]));
    assert_eq!(ana.get(&path).await.expect(StatusCode::OK), preview);
    assert_eq!(ana.post(&path, json!({})).await.expect(StatusCode::OK), preview);
    assert_eq!(ana.post(&path, made.clone()).await.expect(StatusCode::OK), preview, "sent back as read");

    let id = ana.begin("agentId", &vera).await;
    let reading = ana.saying(&id, "I want a car").await;
    let asked = model.next().await;
    assert_eq!(sent(&asked, "to_ben"), preview["tool"]);
    let parameters = &preview["tool"]["parameters"]["properties"];
    assert_eq!(parameters["wishes"], json!({"type": "array", "items": {}}), "as every vendor accepts it");

    let passed =
        json!({"lead_id": "L-1", "priority": "low", "seats": 5, "wishes": ["red"], "car": {"doors": 4}});
    asked.reply(Reply::call("to_ben", passed));
    let asked = model.next().await;
    let (told, shown) = (without_values(asked.system()), text(&preview["target_context"]));
    assert!(shown.starts_with("# Instructions for this handoff\nFollow up.\nWithin a day.\n\n"), "{shown}");
    assert!(told.ends_with(&shown), "shown:\n{shown}\n\nsent:\n{told}");
    asked.reply(Reply::text("Hello."));
    reading.rest().await;

    // A change is shown before it is made.
    let change = json!({"name": "to_ben_2", "description": "Later.", "config": {"target_agent_id": ben}});
    let changed = ana.post(&path, change.clone()).await.expect(StatusCode::OK);
    assert_eq!(changed["tool"]["description"], "Later.");
    assert_eq!(tools_of(&ana).await, json!([made]), "a preview changes nothing");
    ana.patch(path.trim_end_matches("/preview"), change).await.expect(StatusCode::OK);
    ana.patch(&format!("/api/agents/{vera}"), json!({"tools": ["to_ben_2"]})).await.expect(StatusCode::OK);
    let id = ana.begin("agentId", &vera).await;
    let reading = ana.saying(&id, "I want a car").await;
    let asked = model.next().await;
    assert_eq!(sent(&asked, "to_ben_2"), changed["tool"]);
    asked.reply(Reply::text("Which?"));
    reading.rest().await;
    app.end().await;
}

#[tokio::test]
async fn a_preview_is_refused_as_the_tool_would_be() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let target = ana.make_agent("Ben", json!({"tools": ["to_myself"]})).await;
    let new = "/api/tools/preview";
    let made = ana.post("/api/tools", to_ben(&ana, "hers", &target)).await.expect(StatusCode::CREATED);
    let other = ana.post("/api/tools", to_ben(&ana, "other", &target)).await.expect(StatusCode::CREATED);
    let hers = format!("/api/tools/{}/preview", text(&made["id"]));

    let config =
        |variables: Value| json!({"config": {"target_agent_id": target, "context_variables": variables}});
    for (change, status, field) in [
        (json!({"name": "two words"}), 400, "name"),
        (json!({"name": "switch_agent"}), 400, "name"),
        (json!({"name": "other"}), 409, "name"),
        (json!({"name": "to_myself"}), 400, "config.target_agent_id"),
        (json!({"description": " "}), 400, "description"),
        (json!({"config": {"target_agent_id": ana.id}}), 400, "config.target_agent_id"),
        (config(json!([{"name": "1st", "type": "string"}])), 400, "config.context_variables[0].name"),
        (json!({"id": other["id"]}), 400, "id"),
    ] {
        let refused = ana.post(&hers, change.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (status, &json!(field)), "{change}");
    }
    for (name, status, field) in
        [("hers", 409, "name"), ("to_myself", 400, "config.target_agent_id"), ("_own", 400, "name")]
    {
        let refused = ana.post(new, to_ben(&ana, name, &target)).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (status, &json!(field)), "{name}");
    }

    // Members read what is there, write their own, and slip nothing in under a name that an agent waits for.
    ben.get(&hers).await.expect(StatusCode::OK);
    assert_eq!(ben.post(&hers, json!({})).await.refusal(), (403, "role_too_low"));
    ben.post(new, to_ben(&ana, "his", &target)).await.expect(StatusCode::OK);
    ana.make_agent("Waiting", json!({"tools": ["later"]})).await;
    assert_eq!(ben.post(new, to_ben(&ana, "later", &target)).await.refusal(), (403, "role_too_low"));
    assert_eq!(cleo.post(new, to_ben(&ana, "x", &target)).await.refusal(), (403, "not_a_member"));
    for refused in [cleo.get(&hers).await, cleo.post(&hers, json!({})).await] {
        assert_eq!(refused.refusal(), (404, "not_found"));
    }
    assert_eq!(app.anonymous().get(&hers).await.status, 401);
    app.end().await;
}

#[tokio::test]
async fn what_a_tool_of_batons_own_takes_is_what_models_are_sent() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({"tools": ["memory"]})).await;
    let shown = ana.get("/api/tools/built-in/manageMemory").await.expect(StatusCode::OK);
    assert_eq!(
        ana.get("/api/tools/built-in/memory").await.expect(StatusCode::OK),
        shown,
        "by another of its names"
    );
    let id = ana.begin("agentId", &vera).await;
    let reading = ana.saying(&id, "I like tea").await;
    let asked = model.next().await;
    assert_eq!(sent(&asked, "manageMemory"), shown);
    asked.reply(Reply::text("Noted."));
    reading.rest().await;
    ana.get("/api/tools/built-in/manageWeather").await.expect(StatusCode::NOT_FOUND);
    app.end().await;
}
