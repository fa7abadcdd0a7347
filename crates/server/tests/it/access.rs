use baton_core::ids::ProfileId;
use baton_core::people::{ProfileRights, Tier};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::test_app::{TestApp, text};

/// The access table over HTTP, as far as its paths exist: list, read, begin, hire.
#[tokio::test]
async fn restricted_agents_are_for_premium_profiles() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = ana.agent("Budget Coach").await;
    let local = coach["localAgentId"].as_str().expect("an id").to_owned();
    let path = format!("/api/agents/{local}");
    ana.patch(&path, json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let begin = json!({"agentId": local, "workspaceId": ana.workspace});

    assert_eq!(ana.agents("&hired_only=true").await["total"], 6, "not in a free profile's list");
    ana.get(&path).await.expect(StatusCode::OK);
    let refused = ana.post("/api/agent-conversations", begin.clone()).await;
    assert_eq!(refused.refusal(), (403, "premium_required"));
    assert_eq!(refused.body["error"], "This agent requires a premium subscription.");

    let id = ProfileId(ana.id.parse().expect("an id"));
    let premium = ProfileRights { tier: Some(Tier::Premium), is_admin: None };
    app.app.store.set_rights(id, premium, None).await.expect("premium");
    assert_eq!(ana.agents("&hired_only=true").await["total"], 7);
    ana.post("/api/agent-conversations", begin).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn hiring_needs_select() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let body = json!({"name": "Analyst", "system_prompt": "You analyse.", "is_restricted": true});
    let entry = admin.post("/api/admin/agents", body).await.expect(StatusCode::CREATED);
    let id = entry["id"].as_str().expect("an id").to_owned();
    admin.post(&format!("/api/admin/agents/{id}/publish"), json!({})).await.expect(StatusCode::OK);
    let ben = app.person("ben").await;
    let hire = json!({"workspaceId": ben.workspace});
    let refused = ben.post(&format!("/api/agents/{id}/hire"), hire.clone()).await;
    assert_eq!(refused.refusal(), (403, "premium_required"));
    assert_eq!(ben.get(&format!("/api/agents/{id}")).await.refusal(), (403, "premium_required"));
    assert_eq!(ben.agents("&search=analyst").await["total"], 0);
    let rights = json!({"tier": "premium"});
    admin.patch(&format!("/api/admin/profiles/{}", ben.id), rights).await.expect(StatusCode::OK);
    let hired = ben.post(&format!("/api/agents/{id}/hire"), hire).await.expect(StatusCode::CREATED);

    let path = format!("/api/agents/{}/update", hired["id"].as_str().expect("an id"));
    ben.post(&path, json!({})).await.expect(StatusCode::OK);
    let free = json!({"tier": "free"});
    admin.patch(&format!("/api/admin/profiles/{}", ben.id), free).await.expect(StatusCode::OK);
    let refused = ben.post(&path, json!({})).await;
    assert_eq!(refused.refusal(), (403, "premium_required"), "taking a version over is as hiring it");
    app.end().await;
}

/// Who may not see an agent reads neither its rules and skills nor its name.
#[tokio::test]
async fn a_restricted_agent_is_unknown_to_the_free_tier() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let (free, premium) = (member(&app, &ana, "free").await, member(&app, &ana, "premium").await);
    app.make_premium(&premium).await;
    let secret = ana.make_agent("Secret Plan", json!({"is_restricted": true})).await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let team = ana.make_team("swarm", &[&coach, &secret]).await;
    for (name, agents) in [("hidden", json!([secret])), ("both", json!([secret, coach])), ("open", json!([]))]
    {
        let place = json!({"workspaceId": ana.workspace, "name": name, "agent_ids": agents});
        let mut rule = place.clone();
        rule["content"] = json!("Be brief.");
        ana.post("/api/rules", rule).await.expect(StatusCode::CREATED);
        let mut skill = place;
        (skill["content"], skill["description"]) = (json!("Do it."), json!("How."));
        ana.post("/api/skills", skill).await.expect(StatusCode::CREATED);
    }
    let within = |path: &str| format!("/api/{path}?workspaceId={}", ana.workspace);
    let named = |list: &Value| -> Vec<String> {
        let mut names: Vec<String> =
            list.as_array().expect("a list").iter().map(|one| text(&one["name"])).collect();
        names.retain(|name| ["hidden", "both", "open"].contains(&name.as_str()));
        names.sort();
        names
    };
    for (who, seen) in [(&free, vec!["both", "open"]), (&premium, vec!["both", "hidden", "open"])] {
        let (rules, skills) = (who.get_owned(within("rules")).await, who.get_owned(within("skills")).await);
        assert_eq!((named(&rules["rules"]), named(&skills["skills"])), (to_owned(&seen), to_owned(&seen)));
        let teams = who.get_owned(within("teams")).await;
        let one = who.get_owned(format!("/api/teams/{team}")).await;
        let knows = seen.len() == 3;
        for told in [&teams, &one] {
            assert_eq!(told.to_string().contains("Secret Plan"), knows, "{told}");
            assert!(told.to_string().contains("Budget Coach"));
        }
        assert_eq!([rules, skills].iter().all(|list| list.to_string().contains(&secret)), knows);
    }
    let skills = ana.get_owned(within("skills")).await["skills"].clone();
    let hidden =
        skills.as_array().expect("skills").iter().find(|one| one["name"] == "hidden").expect("it").clone();
    let path = format!("/api/skills/{}", text(&hidden["id"]));
    assert_eq!(free.get(&path).await.refusal(), (404, "not_found"));
    premium.get(&path).await.expect(StatusCode::OK);
    app.end().await;
}

fn to_owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
