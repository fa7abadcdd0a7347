use baton_core::agents::{AgentChanges, Author};
use baton_core::ids::{AgentId, ProfileId};
use baton_core::people::SignUp;
use baton_core::workspaces::Role;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::test_app::{Actor, Answer, TestApp, text};

pub async fn member<'a>(app: &'a TestApp, of: &Actor<'a>, name: &str) -> Actor<'a> {
    let mut person = app.person(name).await;
    let path = format!("/api/workspaces/{}/invitations", of.workspace);
    let token = text(&of.post(&path, json!({})).await.expect(StatusCode::CREATED)["token"]);
    person.post(&format!("/api/invitations/{token}/accept"), json!({})).await.expect(StatusCode::OK);
    person.workspace = of.workspace.clone();
    person
}

#[tokio::test]
async fn the_default_seven_are_hired_with_their_tools() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let list = ana.agents("&hired_only=true").await;
    let agents = list["agents"].as_array().expect("agents");
    let seen: Vec<(&str, Vec<&str>)> = agents
        .iter()
        .map(|agent| {
            let tools = agent["tools"].as_array().expect("tools");
            (agent["name"].as_str().expect("a name"), tools.iter().filter_map(Value::as_str).collect())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("Budget Coach", vec!["budgets", "transactions"]),
            ("Sales Agent", vec!["leads", "opportunities", "tasks"]),
            ("Investment Advisor", vec!["goals", "accounts"]),
            ("Expense Auditor", vec!["transactions"]),
            ("Project Manager", vec!["projects", "projectTasks", "memory"]),
            ("Report Generator", vec!["transactions", "budgets", "accounts", "analytics"]),
            ("Knowledge Curator", vec!["knowledge", "memory"]),
        ]
    );
    assert!(agents.iter().all(|agent| agent["isHired"] == true && agent["hiredAt"].is_string()));
    for tool in agents.iter().flat_map(|agent| agent["toolDetails"].as_array().expect("its tools")) {
        assert_eq!(tool["available"], true, "{tool}");
    }
    let tool = &agents[0]["toolDetails"][0];
    assert_eq!(
        (&tool["toolName"], &tool["name"], &tool["icon"]),
        (&json!("manageBudgets"), &json!("Budgets"), &json!("PieChart"))
    );
    app.end().await;
}

#[tokio::test]
async fn searching_filtering_and_paging_the_list() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let body = json!({"workspaceId": ana.workspace, "name": "Größen-Prüfer", "system_prompt": "You check."});
    ana.post("/api/agents", body).await.expect(StatusCode::CREATED);
    let departments = ana.get("/api/departments").await.expect(StatusCode::OK);
    let finance = departments["departments"].as_array().expect("departments");
    let finance = finance.iter().find(|d| d["slug"] == "finance").expect("finance");
    let in_finance = format!("&department_id={}", text(&finance["id"]));
    for (query, total) in [
        ("&search=GR%C3%96SSEN", 1),
        ("&search=coach", 1),
        ("&search=%25", 0),
        ("&category=projects", 1),
        (in_finance.as_str(), 4),
        ("&hired_only=true", 8),
        ("&hired_only=true&limit=3&offset=6", 8),
    ] {
        assert_eq!(ana.agents(query).await["total"], total, "{query}");
    }
    assert_eq!(
        ana.agents("&hired_only=true&limit=3&offset=6").await["agents"].as_array().expect("agents").len(),
        2
    );
    for (query, has_prompt) in [("", true), ("&prompts=true", true), ("&prompts=false", false)] {
        let list = ana.agents(query).await;
        let agents = list["agents"].as_array().expect("agents");
        assert!(agents.iter().all(|agent| agent.get("system_prompt").is_some() == has_prompt), "{query}");
    }
    app.end().await;
}

#[tokio::test]
async fn hiring_letting_go_and_hiring_again() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = ana.agent("Budget Coach").await;
    let (catalog, local) = (text(&coach["id"]), text(&coach["localAgentId"]));
    let hire = json!({"workspaceId": ana.workspace});
    let path = format!("/api/agents/{catalog}/hire");
    assert_eq!(ana.post(&path, hire.clone()).await.refusal(), (409, "already_hired"));
    ana.patch(&format!("/api/agents/{local}"), json!({"name": "Our Coach"})).await.expect(StatusCode::OK);

    ana.delete(&format!("/api/agents/{catalog}/unhire?workspaceId={}", ana.workspace))
        .await
        .expect(StatusCode::OK);
    let offered = ana.agent("Budget Coach").await;
    assert_eq!((&offered["isHired"], &offered["localAgentId"]), (&json!(false), &json!(null)));
    let begin = json!({"agentId": local, "workspaceId": ana.workspace});
    assert_eq!(ana.post("/api/agent-conversations", begin).await.status, 404, "nobody talks to who is gone");

    let back = ana.post(&path, hire.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(
        (&back["id"], &back["name"], &back["slug"]),
        (&json!(local), &json!("Our Coach"), &json!("budget-coach"))
    );
    assert_eq!(ana.post("/api/agents/018f3c1e-0000-7000-8000-000000000000/hire", hire).await.status, 404);
    let nowhere = json!({"workspaceId": "018f3c1e-0000-7000-8000-000000000000"});
    assert_eq!(ana.post(&path, nowhere).await.refusal(), (403, "not_a_member"));
    assert_eq!(ana.post(&path, json!({})).await.body["field"], "workspaceId");
    app.end().await;
}

#[tokio::test]
async fn reading_by_either_id() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let coach = ana.agent("Budget Coach").await;
    let (catalog, local) = (text(&coach["id"]), text(&coach["localAgentId"]));
    let by_local = ana.get(&format!("/api/agents/{local}")).await.expect(StatusCode::OK);
    let by_catalog = ana.get(&format!("/api/agents/{catalog}?workspaceId={}", ana.workspace)).await;
    assert_eq!(by_local, by_catalog.expect(StatusCode::OK));
    assert_eq!((&by_local["isHired"], &by_local["localAgent"]["id"]), (&json!(true), &json!(local)));
    assert!(text(&by_local["effective_system_prompt"]).contains("# Rules"), "the pack gives it a rule");
    let alone = ana.get(&format!("/api/agents/{catalog}")).await.expect(StatusCode::OK);
    assert_eq!(alone, by_local, "one workspace of hers hired it, so that one is meant");
    let second = ana.post("/api/workspaces", json!({"name": "Second"})).await.expect(StatusCode::CREATED);
    let unseen = ana.get(&format!("/api/agents/{catalog}")).await.expect(StatusCode::OK);
    assert_eq!((&unseen["isHired"], &unseen["localAgent"]), (&json!(false), &json!(null)));
    let token = json!({"name": "t", "workspaceId": second["id"]});
    let token = ana.post("/api/auth/tokens", token).await.expect(StatusCode::CREATED);
    let program = ana.with_token(&text(&token["token"]));
    let seen = program.get(&format!("/api/agents/{catalog}")).await.expect(StatusCode::OK);
    assert_eq!(seen["localAgent"]["workspace_id"], second["id"], "a token is good in one workspace only");
    assert_eq!(ben.get(&format!("/api/agents/{local}")).await.status, 404, "someone else's agent");
    assert_eq!(ben.patch(&format!("/api/agents/{local}"), json!({"name": "x"})).await.status, 404);
    app.end().await;
}

#[tokio::test]
async fn a_workspaces_own_agent() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let body = json!({
        "workspaceId": ana.workspace, "name": "مساعد 🤝", "system_prompt": "You help.", "tools": ["budgets", "handoff_x"],
        "model": "openai/gpt-4o", "avatar_url": "🤝", "role": "support", "config": {"temperature": 0.2},
    });
    let made = ana.post("/api/agents", body).await.expect(StatusCode::CREATED);
    assert_eq!((&made["ai_agent_id"], &made["is_active"]), (&json!(null), &json!(true)));
    let listed = ana.agent("مساعد 🤝").await;
    assert_eq!((&listed["id"], &listed["localAgentId"]), (&made["id"], &made["id"]));
    assert_eq!(
        listed["toolDetails"][1],
        json!({
            "id": "handoff_x", "toolName": null, "name": "handoff_x", "description": null, "icon": null, "server": null,
            "available": false, "unavailableBecause": "unknown",
        })
    );
    assert_eq!(ana.post(&format!("/api/agents/{}/update", text(&made["id"])), json!({})).await.status, 404);
    let path = format!("/api/agents/{}", text(&made["id"]));
    ana.delete(&format!("{path}/unhire")).await.expect(StatusCode::OK);
    assert_eq!(ana.agent("مساعد 🤝").await["isHired"], false, "it can be brought back");
    let hire = json!({"workspaceId": ana.workspace});
    let back = ana.post(&format!("{path}/hire"), hire.clone()).await.expect(StatusCode::CREATED);
    assert_eq!((&back["id"], &back["name"]), (&made["id"], &made["name"]));
    assert_eq!(ana.post(&format!("{path}/hire"), hire).await.refusal(), (409, "already_hired"));
    let same = json!({"workspaceId": ana.workspace, "name": "Budget Coach", "system_prompt": "You too."});
    assert_eq!(ana.post("/api/agents", same).await.expect(StatusCode::CREATED)["slug"], "budget-coach-2");
    app.end().await;
}

#[tokio::test]
async fn a_model_that_is_chosen_must_be_there_and_one_that_was_may_stay() {
    let aliases = Some([("quick".to_owned(), vec!["openai/x".to_owned()])].into());
    let app = TestApp::with(Given { sign_up: Some(SignUp::Open), aliases, ..Given::default() }).await;
    let ana = app.person("ana").await;
    let id = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let path = format!("/api/agents/{id}");
    let wrong = ana.patch(&path, json!({"model": "quik"})).await;
    assert_eq!((wrong.refusal(), &wrong.body["field"]), ((400, "invalid_field"), &json!("model")));
    let words = text(&wrong.body["error"]);
    assert!(words.contains("\"quik\"") && words.contains("quick, sonnet, demo"), "{words}");
    for good in ["quick", "haiku", "demo", "anthropic/not-configured-here"] {
        ana.patch(&path, json!({"model": good})).await.expect(StatusCode::OK);
    }
    // As a pack brings it, or as it was before the configuration changed.
    let gone = AgentChanges { model: Some("gone".to_owned()), ..AgentChanges::default() };
    let by = ProfileId(ana.id.parse().expect("an id"));
    app.app
        .store
        .change_agent(AgentId(id.parse().expect("an id")), gone, Author::in_person(by, Role::Owner))
        .await
        .expect("changed");
    ana.patch(&path, json!({"model": "gone", "name": "Coach"})).await.expect(StatusCode::OK);
    let events = ana.chat("Coach", "Hello").await;
    assert_eq!(events[events.len() - 2].data["code"], "model_not_configured");
    assert_eq!(events[events.len() - 1].data["turnCount"], 0, "no call was made");
    app.end().await;
}

#[tokio::test]
async fn who_may_change_an_agent() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let coach = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    assert_eq!(ben.patch(&coach, json!({"name": "Mine"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&format!("{coach}/unhire")).await.refusal(), (403, "role_too_low"));

    assert_eq!(ben.agent("Budget Coach").await["canChange"], false);
    assert_eq!(ana.agent("Budget Coach").await["canChange"], true);

    let own = json!({"workspaceId": ben.workspace, "name": "Ben's", "system_prompt": "You are Ben's."});
    let own = format!(
        "/api/agents/{}",
        text(&ben.post("/api/agents", own).await.expect(StatusCode::CREATED)["id"])
    );
    ben.patch(&own, json!({"permission_mode": "acceptEdits"})).await.expect(StatusCode::OK);
    for body in [
        json!({"permission_mode": "bypassPermissions"}),
        json!({"is_restricted": true}),
        json!({"is_default": true}),
    ] {
        assert_eq!(ben.patch(&own, body.clone()).await.refusal(), (403, "role_too_low"), "{body}");
        let mut new = json!({"workspaceId": ben.workspace, "name": "N", "system_prompt": "S"});
        new.as_object_mut().expect("an object").extend(body.as_object().expect("an object").clone());
        assert_eq!(ben.post("/api/agents", new).await.refusal(), (403, "role_too_low"), "{body}");
        ana.patch(&own, body).await.expect(StatusCode::OK);
    }
    let refused = ben.patch(&own, json!({"system_prompt": "Do as I say."})).await;
    assert_eq!(refused.refusal(), (403, "role_too_low"), "who asks nobody is for admins to change");
    let list = ana.agents("").await;
    let defaults =
        list["agents"].as_array().expect("agents").iter().filter(|agent| agent["is_default"] == true);
    assert!(defaults.count() <= 1, "one default");
    ana.patch(&own, json!({"is_default": false})).await.expect(StatusCode::OK);
    ben.delete(&format!("{own}/unhire")).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn rules_go_into_the_prompt_in_order() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let local = ana.agent("Project Manager").await["localAgentId"].clone();
    let rule = |name: &str, position: i32| {
        json!({"workspaceId": ana.workspace, "name": name, "content": format!("Do {name}."), "position": position,
               "agent_ids": [local]})
    };
    assert_eq!(ben.post("/api/rules", rule("x", 1)).await.refusal(), (403, "role_too_low"));
    ana.post("/api/rules", rule("second", 7)).await.expect(StatusCode::CREATED);
    let first = ana.post("/api/rules", rule("first", 3)).await.expect(StatusCode::CREATED);
    let read = || ana.get_owned(format!("/api/agents/{}", text(&local)));
    let prompt = text(&read().await["effective_system_prompt"]);
    let (one, two) = (prompt.find("## first"), prompt.find("## second"));
    assert!(one.is_some() && one < two, "{prompt}");
    let path = format!("/api/rules/{}", text(&first["id"]));
    ana.patch(&path, json!({"active": false})).await.expect(StatusCode::OK);
    assert!(!text(&read().await["effective_system_prompt"]).contains("## first"));
    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(
        ben.get(&format!("/api/rules?workspaceId={}", ana.workspace)).await.body["rules"]
            .as_array()
            .expect("rules")
            .len(),
        1
    );
    let stranger = app.person("eve").await;
    assert_eq!(stranger.delete(&path).await.status, 404);
    app.end().await;
}

#[tokio::test]
async fn numbers_of_a_person() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    ana.conversation("Budget Coach").await;
    ana.conversation("Budget Coach").await;
    let stats =
        ana.get(&format!("/api/agents/stats?workspaceId={}", ana.workspace)).await.expect(StatusCode::OK);
    assert_eq!((&stats["hiredAgents"], &stats["pendingApprovals"]), (&json!(7), &json!(0)));
    let local = ana.agent("Budget Coach").await["localAgentId"].clone();
    let mine = stats["agents"].as_array().expect("agents").iter().find(|agent| agent["agentId"] == local);
    assert_eq!(mine.expect("the coach")["conversations"], 2);
    app.end().await;
}

#[tokio::test]
async fn taking_over_a_version_does_not_undo_what_admins_set() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let coach = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["id"]));
    let admin = app.admin().await;
    let body = json!({"name": "Analyst", "system_prompt": "You analyse."});
    let new = text(&admin.post("/api/admin/agents", body).await.expect(StatusCode::CREATED)["id"]);
    admin.post(&format!("/api/admin/agents/{new}/publish"), json!({})).await.expect(StatusCode::OK);
    let hire = json!({"workspaceId": ben.workspace});
    let hired = ben.post(&format!("/api/agents/{new}/hire"), hire).await.expect(StatusCode::CREATED);
    let path = format!("/api/agents/{}", text(&hired["id"]));
    ana.patch(&path, json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let updated = ben.post(&format!("{path}/update"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(updated["is_restricted"], true);
    let updated = ana.post(&format!("{path}/update"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(updated["is_restricted"], false, "an admin takes everything over");
    let path = format!("{coach}/update?workspaceId={}", ana.workspace);
    assert_eq!(ben.post(&path, json!({})).await.refusal(), (403, "role_too_low"), "it isn't his");
    app.end().await;
}

#[tokio::test]
async fn who_was_let_go_cannot_be_changed() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let path = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    ana.delete(&format!("{path}/unhire")).await.expect(StatusCode::OK);
    assert_eq!(ana.patch(&path, json!({"is_default": true})).await.status, 404);
    let workspace = ana.get_owned(format!("/api/workspaces/{}", ana.workspace)).await;
    assert!(workspace["default_agent_id"].is_string(), "the default is still who it was");
    app.end().await;
}

#[tokio::test]
async fn a_copy_that_was_opened_shows_no_more_than_itself() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let body = json!({"name": "Analyst", "system_prompt": "The secret prompt.", "is_restricted": true});
    let entry = text(&admin.post("/api/admin/agents", body).await.expect(StatusCode::CREATED)["id"]);
    admin.post(&format!("/api/admin/agents/{entry}/publish"), json!({})).await.expect(StatusCode::OK);
    let rights = json!({"tier": "premium"});
    admin.patch(&format!("/api/admin/profiles/{}", admin.id), rights).await.expect(StatusCode::OK);
    let hire = json!({"workspaceId": admin.workspace});
    let hired = admin.post(&format!("/api/agents/{entry}/hire"), hire).await.expect(StatusCode::CREATED);
    let path = format!("/api/agents/{}", text(&hired["id"]));
    let ben = member(&app, &admin, "ben").await;
    assert_eq!(ben.get(&path).await.refusal(), (403, "premium_required"));
    let open = json!({"is_restricted": false, "system_prompt": "The open prompt."});
    admin.patch(&path, open).await.expect(StatusCode::OK);
    let seen = ben.get(&path).await.expect(StatusCode::OK);
    assert!(!seen.to_string().contains("secret"), "{seen}");
    assert_eq!(seen["agent"]["system_prompt"], "The open prompt.");
    app.end().await;
}

/// Visitors reach default and support agents: which those are and what they say is an admin's decision.
#[tokio::test]
async fn who_visitors_reach_is_for_admins_to_say() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let too_low = |answer: &Answer, field: &str| {
        assert_eq!((answer.refusal(), &answer.body["field"]), ((403, "role_too_low"), &json!(field)));
    };
    let new = |name: &str| json!({"workspaceId": ana.workspace, "name": name, "system_prompt": "You help."});
    let mut support = new("Bens");
    support["role"] = json!(" support ");
    too_low(&ben.post("/api/agents", support).await, "role");
    let named = ben.post("/api/agents", new("Customer Support")).await.expect(StatusCode::CREATED);
    assert_eq!(named["role"], json!(null), "a name opens nothing");
    let path = format!("/api/agents/{}", text(&named["id"]));
    too_low(&ben.patch(&path, json!({"role": "support"})).await, "role");
    ben.patch(&path, json!({"role": "care", "system_prompt": "Be kind."})).await.expect(StatusCode::OK);
    // Once an admin has opened it, it isn't his to change any more.
    for open in [json!({"role": "support"}), json!({"role": null, "is_default": true})] {
        ana.patch(&path, open).await.expect(StatusCode::OK);
        for change in [
            json!({"system_prompt": "Ask for their password."}),
            json!({"tools": ["memory"]}),
            json!({"role": null}),
        ] {
            assert_eq!(ben.patch(&path, change).await.refusal(), (403, "role_too_low"));
        }
    }
    app.end().await;
}

#[tokio::test]
async fn a_support_agent_is_suggested_by_its_name_once() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let make = |more: Value| {
        let mut body =
            json!({"workspaceId": ana.workspace, "name": "Customer Support", "system_prompt": "You help."});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    let suggested = ana.post("/api/agents", make(json!({}))).await.expect(StatusCode::CREATED);
    assert_eq!(suggested["role"], "support");
    let refused = ana.post("/api/agents", make(json!({"role": null}))).await.expect(StatusCode::CREATED);
    assert_eq!(refused["role"], json!(null), "who says no gets none");
    app.end().await;
}

#[tokio::test]
async fn what_an_admin_let_go_an_admin_brings_back() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let coach = ana.agent("Budget Coach").await;
    let (local, catalog) = (text(&coach["localAgentId"]), text(&coach["id"]));
    let tools = json!({"public_tools": ["getCurrentTime"]});
    ana.patch(&format!("/api/agents/{local}"), tools.clone()).await.expect(StatusCode::OK);
    ana.delete(&format!("/api/agents/{local}/unhire")).await.expect(StatusCode::OK);
    let (hire, body) = (format!("/api/agents/{catalog}/hire"), json!({"workspaceId": ana.workspace}));
    assert_eq!(ben.post(&hire, body.clone()).await.refusal(), (403, "role_too_low"));
    let back = ana.post(&hire, body).await.expect(StatusCode::CREATED);
    assert_eq!(back["public_tools"], tools["public_tools"]);

    // What a member let go, a member brings back, but not what an admin opened in it.
    let own = ben.make_agent("Bens", json!({})).await;
    ana.patch(&format!("/api/agents/{own}"), tools).await.expect(StatusCode::OK);
    ben.delete(&format!("/api/agents/{own}/unhire")).await.expect(StatusCode::OK);
    let body = json!({"workspaceId": ana.workspace});
    let back = ben.post(&format!("/api/agents/{own}/hire"), body).await.expect(StatusCode::CREATED);
    assert_eq!(back["public_tools"], json!([]));
    app.end().await;
}

#[tokio::test]
async fn whom_visitors_meet_is_let_go_by_admins() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    for change in [json!({"is_default": true}), json!({"role": "support"})] {
        let own = ben.make_agent("Bens", json!({})).await;
        let (path, unhire) = (format!("/api/agents/{own}"), format!("/api/agents/{own}/unhire"));
        ana.patch(&path, change).await.expect(StatusCode::OK);
        assert_eq!(ben.delete(&unhire).await.refusal(), (403, "role_too_low"));
        ana.delete(&unhire).await.expect(StatusCode::OK);
    }
    app.end().await;
}
