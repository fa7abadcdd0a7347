use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::test_app::{Actor, TestApp, text};

fn to(of: &Actor<'_>, name: &str, target: &str) -> Value {
    json!({
        "workspaceId": of.workspace, "name": name, "type": "handoff",
        "description": "For qualified leads.",
        "config": {
            "target_agent_slug": target,
            "context_variables": [
                {"name": "lead_id", "type": "string", "required": true, "description": "The lead"},
                {"name": "priority", "type": "string", "required": false, "enum": ["low", "high"]},
            ],
            "handoff_instructions": "Follow up.",
        },
    })
}

#[tokio::test]
async fn a_tool_can_be_sent_back_as_it_was_read() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let made =
        ana.post("/api/tools", to(&ana, "handoff_to_sales", "sales-agent")).await.expect(StatusCode::CREATED);
    let path = format!("/api/tools/{}", text(&made["id"]));
    let read = ana.get(&path).await.expect(StatusCode::OK);
    let mut same = ana.patch(&path, read.clone()).await.expect(StatusCode::OK);
    assert_ne!(same["updated_at"], read["updated_at"]);
    same["updated_at"] = read["updated_at"].clone();
    assert_eq!(same, read);

    let with = |pointer: &str, value: Value| {
        let mut body = read.clone();
        body.as_object_mut().expect("an object").remove("updated_at");
        *body.pointer_mut(pointer).expect("a field") = value;
        body
    };
    for (body, field) in [
        (with("/config/target_agent_slug", json!("budget-coach")), "config.target_agent_slug"),
        (with("/config/target_agent_slug", json!("nobody")), "config.target_agent_slug"),
        (with("/config/target_agent_id", json!(coach)), "config.target_agent_slug"),
        (with("/id", json!(coach)), "id"),
        (with("/workspace_id", json!(coach)), "workspace_id"),
        (with("/created_by", json!(coach)), "created_by"),
        (with("/created_at", json!("2020-01-01T00:00:00Z")), "created_at"),
        (read.clone(), "updated_at"),
    ] {
        let refused = ana.patch(&path, body).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["field"]),
            (400, &json!(field)),
            "{}",
            refused.body
        );
    }
    app.end().await;
}

/// Of other things what can't be changed is named.
#[tokio::test]
async fn what_is_read_can_be_sent_back_or_says_what_can_not() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let team =
        ana.make_team("swarm", &[&coach, &text(&ana.agent("Sales Agent").await["localAgentId"])]).await;
    let skill =
        json!({"workspaceId": ana.workspace, "name": "count", "description": "Counts.", "content": "Count."});
    let skill = text(&ana.post("/api/skills", skill).await.expect(StatusCode::CREATED)["id"]);
    let rule = json!({"workspaceId": ana.workspace, "name": "Be kind", "content": "Be kind."});
    let rule = ana.post("/api/rules", rule).await.expect(StatusCode::CREATED);
    let agent = ana.get_owned(format!("/api/agents/{coach}")).await["localAgent"].clone();
    let read = |path: String| async { (ana.get_owned(path.clone()).await, path) };
    for (mut body, path) in [
        (agent, format!("/api/agents/{coach}")),
        (rule.clone(), format!("/api/rules/{}", text(&rule["id"]))),
        read(format!("/api/teams/{team}")).await,
        read(format!("/api/skills/{skill}")).await,
        read(format!("/api/workspaces/{}", ana.workspace)).await,
    ] {
        // Each refusal names a field that was read; without those it is accepted.
        loop {
            let answer = ana.patch(&path, body.clone()).await;
            if answer.status == StatusCode::OK {
                break;
            }
            let field = answer.body["field"].as_str().unwrap_or_default();
            let field = field.split(['.', '[']).next().unwrap_or_default().to_owned();
            let removed = body.as_object_mut().expect("an object").remove(&field);
            assert!(answer.status == 400 && removed.is_some(), "{path}: {}", answer.body);
        }
        assert!(body.as_object().is_some_and(|body| !body.is_empty()), "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn a_handoff_tool_from_making_to_an_agents_list() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let sales = text(&ana.agent("Sales Agent").await["localAgentId"]);
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let coach = format!("/api/agents/{coach}");
    ana.patch(&coach, json!({"tools": ["budgets", "handoff_to_sales"]})).await.expect(StatusCode::OK);
    let detail = |agent: &Value| agent["localAgent"]["toolDetails"][1].clone();
    let before = detail(&ana.get(&coach).await.expect(StatusCode::OK));
    assert_eq!((&before["toolName"], &before["available"]), (&json!(null), &json!(false)));

    let made = ana.post("/api/tools", to(&ana, "handoff_to_sales", "sales-agent")).await;
    let made = made.expect(StatusCode::CREATED);
    assert_eq!((&made["type"], &made["created_by"]), (&json!("handoff"), &json!(ana.id)));
    assert_eq!(
        made["config"],
        json!({
            "target_agent_id": sales, "target_agent_slug": "sales-agent",
            "context_variables": [
                {"name": "lead_id", "type": "string", "required": true, "description": "The lead"},
                {"name": "priority", "type": "string", "required": false, "description": null, "enum": ["low", "high"]},
            ],
            "handoff_instructions": "Follow up.",
        })
    );
    let after = ana.get(&coach).await.expect(StatusCode::OK);
    assert_eq!(
        detail(&after),
        json!({
            "id": "handoff_to_sales", "toolName": "handoff_to_sales", "name": "handoff_to_sales",
            "description": "For qualified leads.", "icon": "ArrowRightLeft", "server": "handoff-tools", "available": true, "unavailableBecause": null,
        })
    );
    assert_eq!(ana.agent("Budget Coach").await["toolDetails"][1]["available"], true);
    let taken = ana.post("/api/tools", to(&ana, "handoff_to_sales", "sales-agent")).await;
    assert_eq!((taken.refusal(), &taken.body["field"]), ((409, "name_taken"), &json!("name")));

    let path = format!("/api/tools/{}", text(&made["id"]));
    let changed = ana.patch(&path, json!({"description": "For all leads."})).await.expect(StatusCode::OK);
    assert_eq!((&changed["description"], &changed["config"]), (&json!("For all leads."), &made["config"]));
    let plain = json!({"config": {"target_agent_id": sales}});
    let plain = ana.patch(&path, plain).await.expect(StatusCode::OK);
    assert_eq!(plain["config"]["context_variables"], json!([]));
    assert_eq!(ana.get(&path).await.expect(StatusCode::OK), plain);
    ana.delete(&format!("/api/agents/{sales}/unhire")).await.expect(StatusCode::OK);
    let orphan = ana.get(&path).await.expect(StatusCode::OK);
    assert_eq!(orphan["config"]["target_agent_slug"], json!(null), "who was let go");
    let list = ana.get_owned(format!("/api/tools?workspaceId={}", ana.workspace)).await;
    assert_eq!(list["tools"], json!([orphan]));
    let built_in = list["built_in"].as_array().expect("built-in tools");
    let memory = built_in.iter().find(|tool| tool["id"] == "manageMemory").expect("memory");
    assert_eq!((&memory["available"], &memory["name"]), (&json!(true), &json!("Memory")));

    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn no_agent_hands_off_to_itself() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let coach = format!("/api/agents/{coach}");
    let made = ana.post("/api/tools", to(&ana, "to_coach", "budget-coach")).await.expect(StatusCode::CREATED);
    let own = ana.patch(&coach, json!({"tools": ["to_coach"]})).await;
    assert_eq!((own.refusal(), &own.body["field"]), ((400, "invalid_field"), &json!("tools")));

    ana.patch(&coach, json!({"tools": ["to_myself"]})).await.expect(StatusCode::OK);
    let named = ana.post("/api/tools", to(&ana, "to_myself", "budget-coach")).await;
    assert_eq!((named.status.as_u16(), &named.body["field"]), (400, &json!("config.target_agent_id")));
    let path = format!("/api/tools/{}", text(&made["id"]));
    let renamed = ana.patch(&path, json!({"name": "to_myself"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.body["field"]), (400, &json!("config.target_agent_id")));
    ana.post("/api/tools", to(&ana, "to_myself", "sales-agent")).await.expect(StatusCode::CREATED);
    app.end().await;
}

/// What visitors' agents can do is an admin's, also where the tool or the agent is a member's own.
#[tokio::test]
async fn what_is_open_to_visitors_is_not_a_members_to_change() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let his = ben.post("/api/tools", to(&ana, "his", "sales-agent")).await.expect(StatusCode::CREATED);
    let his = format!("/api/tools/{}", text(&his["id"]));
    let coach = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    let own = json!({"workspaceId": ana.workspace, "name": "Bens", "system_prompt": "You help."});
    let bens = ben.post("/api/agents", own).await.expect(StatusCode::CREATED);
    let bens = format!("/api/agents/{}", text(&bens["id"]));
    let too_low = (403, "role_too_low");
    for agent in [&coach, &bens] {
        ana.patch(agent, json!({"public_tools": ["his"]})).await.expect(StatusCode::OK);
        assert_eq!(ben.patch(&his, json!({"description": "x"})).await.refusal(), too_low, "{agent}");
        let elsewhere = json!({"config": {"target_agent_slug": "bens"}});
        assert_eq!(ben.patch(&his, elsewhere).await.refusal(), too_low, "{agent}");
        assert_eq!(ben.delete(&his).await.refusal(), too_low, "{agent}");
        ana.patch(agent, json!({"public_tools": []})).await.expect(StatusCode::OK);
    }
    // Nor may he slip one in under a name that waits there, or make it lead to who has it.
    ana.patch(&coach, json!({"public_tools": ["his"]})).await.expect(StatusCode::OK);
    let looped = ana.patch(&his, json!({"config": {"target_agent_slug": "budget-coach"}})).await;
    assert_eq!((looped.status.as_u16(), &looped.body["field"]), (400, &json!("config.target_agent_id")));
    ana.delete(&his).await.expect(StatusCode::OK);
    assert_eq!(ben.post("/api/tools", to(&ana, "his", "bens")).await.refusal(), too_low);
    app.end().await;
}

#[tokio::test]
async fn members_define_tools_and_touch_no_agent_that_is_not_theirs() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let hers = ana.post("/api/tools", to(&ana, "hers", "sales-agent")).await.expect(StatusCode::CREATED);
    let hers = format!("/api/tools/{}", text(&hers["id"]));
    let his = ben.post("/api/tools", to(&ana, "his", "sales-agent")).await.expect(StatusCode::CREATED);
    let his = format!("/api/tools/{}", text(&his["id"]));
    ben.get(&hers).await.expect(StatusCode::OK);
    assert_eq!(ben.patch(&hers, json!({"description": "x"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&hers).await.refusal(), (403, "role_too_low"));
    ben.patch(&his, json!({"description": "Ben's."})).await.expect(StatusCode::OK);
    ana.patch(&his, json!({"description": "Ana's."})).await.expect(StatusCode::OK);

    // Once an agent has it that is not his, it isn't his to change any more; nor may he slip one in under its name.
    let coach = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    ana.patch(&coach, json!({"tools": ["his", "later"]})).await.expect(StatusCode::OK);
    assert_eq!(ben.patch(&his, json!({"description": "x"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&his).await.refusal(), (403, "role_too_low"));
    assert_eq!(
        ben.post("/api/tools", to(&ana, "later", "sales-agent")).await.refusal(),
        (403, "role_too_low")
    );
    ana.delete(&his).await.expect(StatusCode::OK);

    let list = format!("/api/tools?workspaceId={}", ana.workspace);
    assert_eq!(cleo.get(&list).await.refusal(), (403, "not_a_member"));
    assert_eq!(cleo.post("/api/tools", to(&ana, "x", "sales-agent")).await.refusal(), (403, "not_a_member"));
    for refused in [cleo.get(&hers).await, cleo.patch(&hers, json!({})).await, cleo.delete(&hers).await] {
        assert_eq!(refused.refusal(), (404, "not_found"));
    }
    assert_eq!(app.anonymous().get(&list).await.status, 401);
    app.end().await;
}

#[tokio::test]
async fn wrong_fields_of_tools_are_named() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let sales = text(&ana.agent("Sales Agent").await["localAgentId"]);
    let theirs = text(&ben.agent("Sales Agent").await["localAgentId"]);
    let config = |key: &str, value: Value| {
        let mut config = json!({"target_agent_id": sales});
        config[key] = value;
        json!({"config": config})
    };
    let variables = |variables: Value| config("context_variables", variables);
    let one = |name: &str, kind: Value| variables(json!([{"name": name, "type": kind}]));
    let choice = |choices: Value| variables(json!([{"name": "x", "type": "integer", "enum": choices}]));
    let name = "config.context_variables[0].name";
    let choices = "config.context_variables[0].enum";
    let mut cases = vec![
        (json!({"name": "two words"}), "name"),
        (json!({"name": "ärger"}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(65)}), "name"),
        (json!({"type": "graphql"}), "type"),
        (json!({"type": null}), "type"),
        (json!({"description": " "}), "description"),
        (json!({"description": "x".repeat(2_001)}), "description"),
        (json!({"descripton": "typo"}), "descripton"),
        (json!({"config": {}}), "config.target_agent_id"),
        (json!({"config": "sales-agent"}), "config"),
        (json!({"config": {"target_agent_id": theirs}}), "config.target_agent_id"),
        (json!({"config": {"target_agent_id": ana.id}}), "config.target_agent_id"),
        (json!({"config": {"target_agent_id": "x"}}), "config.target_agent_id"),
        (json!({"config": {"target_agent_slug": "nobody"}}), "config.target_agent_slug"),
        (config("target_agent_slug", json!("budget-coach")), "config.target_agent_slug"),
        (config("instructions", json!("x")), "config.instructions"),
        (config("handoff_instructions", json!("x".repeat(8_001))), "config.handoff_instructions"),
        (config("handoff_instructions", json!("x".repeat(1_000_000))), "config.handoff_instructions"),
        (config("handoff_instructions", json!("a\u{0}")), "config.handoff_instructions"),
        (one("lead_id", json!("text")), "config.context_variables[0].type"),
        (one("lead_id", json!(7)), "config.context_variables[0].type"),
        (one("_handoff_from", json!("string")), name),
        (one("lead id", json!("string")), name),
        (one("1st", json!("string")), name),
        (one("", json!("string")), name),
        (variables(json!([{"type": "string"}])), name),
        (
            variables(json!([{"name": "a", "type": "string"}, {"name": "a", "type": "string"}])),
            "config.context_variables[1].name",
        ),
        (variables(json!(vec![json!({"name": "a", "type": "string"}); 21])), "config.context_variables"),
        (choice(json!([])), choices),
        (choice(json!(["low"])), choices),
        (choice(json!([1.5])), choices),
        (variables(json!([{"name": "x", "type": "string", "enum": ["x".repeat(5_000)]}])), choices),
        (variables(json!([{"name": "x", "type": "string", "enum": ["a\u{0}"]}])), choices),
    ];
    for reserved in [
        "switch_agent",
        "complete_task",
        "complete_stage",
        "update_context",
        "read_context",
        "load_skill",
        "route",
        "ask_sales",
        "_own",
        "getCurrentTime",
        "manageMemory",
        "memory",
        "manageCRM",
        "searchWeb",
    ] {
        cases.push((json!({"name": reserved}), "name"));
    }
    cases.push((json!({"config": []}), "config"));
    for (change, field) in cases {
        let mut body = to(&ana, "handoff_to_sales", "sales-agent");
        for (name, value) in change.as_object().expect("an object") {
            body[name] = value.clone();
        }
        for path in ["/api/tools", "/api/tools/preview"] {
            let answer = ana.post(path, body.clone()).await;
            let seen = (answer.status.as_u16(), &answer.body["field"]);
            assert_eq!(seen, (400, &json!(field)), "{path}: {}", answer.body);
        }
    }
    let large = config("handoff_instructions", json!("x".repeat(4 * 1024 * 1024)));
    assert_eq!(ana.post("/api/tools", large).await.refusal(), (413, "too_large"));
    let list = ana.get_owned(format!("/api/tools?workspaceId={}", ana.workspace)).await;
    assert_eq!(list["tools"], json!([]), "nothing of it was stored");
    app.end().await;
}
