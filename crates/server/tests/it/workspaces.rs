use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::test_app::{Actor, TestApp, text};

#[tokio::test]
async fn a_new_workspace_hires_the_seven() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let made = ana.post("/api/workspaces", json!({"name": "Zweite"})).await.expect(StatusCode::CREATED);
    let list = ana.get(&format!("/api/agents?workspaceId={}&hired_only=true", text(&made["id"]))).await;
    let list = list.expect(StatusCode::OK);
    assert_eq!(list["total"], 7);
    assert!(made["default_agent_id"].is_string());
    app.end().await;
}

#[tokio::test]
async fn a_workspace_one_is_not_in_is_forbidden_whether_it_exists_or_not() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let absent = "018f3c1e-0000-7000-8000-000000000000";
    for workspace in [ana.workspace.as_str(), absent] {
        for path in [
            format!("/api/agents?workspaceId={workspace}"),
            format!("/api/agents/stats?workspaceId={workspace}"),
            format!("/api/rules?workspaceId={workspace}"),
            format!("/api/workspaces/{workspace}"),
            format!("/api/workspaces/{workspace}/members"),
            format!("/api/workspaces/{workspace}/export"),
        ] {
            assert_eq!(ben.get(&path).await.refusal(), (403, "not_a_member"), "{path}");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn settings_are_for_admins() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let path = format!("/api/workspaces/{}", ana.workspace);
    let agent = ana.agent("Budget Coach").await["localAgentId"].clone();
    let body = json!({
        "name": "Ours", "time_zone": "Asia/Tokyo", "spend_cap_usd": 12.5, "public_chat": true,
        "default_agent_id": agent,
    });
    let changed = ana.patch(&path, body).await.expect(StatusCode::OK);
    assert_eq!((&changed["spend_cap_usd"], &changed["default_agent_id"]), (&json!(12.5), &agent));
    let cleared = ana.patch(&path, json!({"spend_cap_usd": null})).await.expect(StatusCode::OK);
    assert_eq!((&cleared["spend_cap_usd"], &cleared["name"]), (&json!(null), &json!("Ours")));
    for (body, field) in [
        (json!({"spend_cap_usd": -1}), "spend_cap_usd"),
        (json!({"spend_cap_usd": 1e300}), "spend_cap_usd"),
        (json!({"default_agent_id": ana.id}), "default_agent_id"),
        (json!({"name": ""}), "name"),
        (json!({"nmae": "typo"}), "nmae"),
    ] {
        let refused = ana.patch(&path, body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!(field)));
    }
    let all = json!({"fields": ["name", "time_zone", "spend_cap_usd", "public_chat", "default_agent_id"]});
    assert_eq!(told_of(&ana, "workspace.changed").await, [json!({"fields": ["spend_cap_usd"]}), all]);
    app.end().await;
}

/// What the audit tells of everything of a kind, the last first.
async fn told_of(actor: &Actor<'_>, action: &str) -> Vec<Value> {
    let audit = actor.get_owned(format!("/api/workspaces/{}/audit", actor.workspace)).await;
    let events = audit["events"].as_array().expect("events");
    events.iter().filter(|event| event["action"] == action).map(|event| event["details"].clone()).collect()
}

#[tokio::test]
async fn the_audit_names_what_is_not_there_any_more() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let tool = json!({
        "name": "to_coach", "type": "handoff", "description": "Hands over.", "config": {"target_agent_id": coach},
    });
    let other = ana.agent("Project Manager").await["localAgentId"].clone();
    let members = json!([{"agentId": coach, "isDefault": true}, {"agentId": other}]);
    let team = json!({"name": "Crew", "kind": "swarm", "members": members});
    let skill = json!({"name": "weekly-report", "description": "Reports.", "content": "# Do"});
    let rule = json!({"name": "Be brief", "content": "Be brief."});
    for (path, mut body, action) in [
        ("/api/tools", tool, "tool.deleted"),
        ("/api/teams", team, "team.deleted"),
        ("/api/skills", skill, "skill.deleted"),
        ("/api/rules", rule, "rule.deleted"),
        ("/api/auth/tokens", json!({"name": "Backup"}), "token.deleted"),
    ] {
        body["workspaceId"] = json!(ana.workspace);
        let made = ana.post(path, body.clone()).await.expect(StatusCode::CREATED);
        let gone = ana.delete(&format!("{path}/{}", text(&made["id"]))).await;
        assert!(gone.status.is_success(), "{path}: {}", gone.status);
        assert_eq!(told_of(&ana, action).await, [json!({"name": body["name"]})], "{action}");
    }
    ana.delete(&format!("/api/agents/{coach}/unhire")).await.expect(StatusCode::OK);
    assert_eq!(told_of(&ana, "agent.unhired").await, [json!({"name": "Budget Coach"})]);
    app.end().await;
}

#[tokio::test]
async fn an_export_has_no_one_elses_conversations_and_deleting_removes_all() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let invite = format!("/api/workspaces/{}/invitations", ana.workspace);
    let invitation = ana.post(&invite, json!({"role": "admin"})).await.expect(StatusCode::CREATED);
    ben.post(&format!("/api/invitations/{}/accept", text(&invitation["token"])), json!({})).await;
    let agent = ana.agent("Budget Coach").await["localAgentId"].clone();
    let body = json!({"agentId": agent, "workspaceId": ana.workspace, "title": "Ben's secret"});
    let theirs = ben.post("/api/agent-conversations", body).await.expect(StatusCode::CREATED);

    let path = format!("/api/workspaces/{}", ana.workspace);
    assert_eq!(ben.get(&format!("{path}/export")).await.refusal(), (403, "role_too_low"));
    let export = ana.get(&format!("{path}/export")).await.expect(StatusCode::OK);
    assert_eq!(export["agents"].as_array().expect("agents").len(), 7);
    assert!(!export.to_string().contains("secret"));
    assert_eq!(ben.delete(&path).await.refusal(), (403, "role_too_low"));
    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.status, 403);
    assert_eq!(ben.get(&format!("/api/agent-conversations/{}", text(&theirs["id"]))).await.status, 404);
    app.end().await;
}
