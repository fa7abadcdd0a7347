use baton_core::ids::ProfileId;
use baton_core::people::{ProfileRights, Tier};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::test_app::{Actor, TestApp, text};

async fn packs(of: &Actor<'_>) -> Vec<Value> {
    let list = of.get_owned(format!("/api/packs?workspaceId={}", of.workspace)).await;
    list["packs"].as_array().expect("packs").clone()
}

fn names(values: &Value, key: &str) -> Vec<String> {
    values.as_array().expect("a list").iter().map(|value| text(&value[key])).collect()
}

#[tokio::test]
async fn every_packs_team_is_hired_in_one_step() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let default =
        ana.get_owned(format!("/api/workspaces/{}", ana.workspace)).await["default_agent_id"].clone();
    let offered = packs(&ana).await;
    assert_eq!(names(&json!(offered), "name"), ["default", "procurement", "assessment", "outreach", "fleet"]);
    assert!(offered[0]["agents"].as_array().expect("agents").iter().all(|agent| agent["is_hired"] == true));
    assert_eq!(ana.agents("&hired_only=true").await["total"], 7, "the others wait to be hired");
    assert_eq!(ana.agent("Vehicle Offers").await["isHired"], false, "in Discover");

    for (pack, team, members, entry) in [
        ("procurement", "procurement-desk", 3, "Solutions"),
        ("assessment", "readiness-assessment", 3, "Qualifier"),
        ("outreach", "outreach", 4, "Outreach Lead"),
        ("fleet", "fleet-office", 5, "Fleet Assistant"),
    ] {
        let path = format!("/api/packs/{pack}/teams/{team}/hire");
        let hire = json!({"workspaceId": ana.workspace});
        let hired = ana.post(&path, hire.clone()).await.expect(StatusCode::CREATED);
        let there: Vec<&Value> = hired["members"].as_array().expect("members").iter().collect();
        assert_eq!(there.len(), members, "{pack}");
        assert!(there.iter().all(|member| member["is_active"] == true));
        let first = there.iter().find(|member| member["is_default"] == true).expect("a default member");
        assert_eq!(first["name"], entry);
        assert_eq!(hired["pack"], json!({"name": pack, "team": team}));
        assert_eq!(ana.post(&path, hire).await.refusal(), (409, "already_hired"));
        let begin = json!({"workspaceId": ana.workspace, "teamId": hired["id"]});
        let begun = ana.post("/api/agent-conversations", begin).await.expect(StatusCode::CREATED);
        assert_eq!(begun["agent_id"], first["agent_id"]);
    }
    for pack in packs(&ana).await {
        for team in pack["teams"].as_array().expect("teams") {
            assert!(team["is_hired"] == true && team["team_id"].is_string(), "{team}");
        }
        assert!(pack["agents"].as_array().expect("agents").iter().all(|agent| agent["is_hired"] == true));
    }
    let tools = ana.get_owned(format!("/api/tools?workspaceId={}", ana.workspace)).await;
    assert_eq!(
        names(&tools["tools"], "name"),
        ["handoff_to_sdr", "handoff_to_support", "handoff_to_translator"]
    );
    let lead = ana.agent("Outreach Lead").await;
    assert!(lead["toolDetails"].as_array().expect("tools").iter().all(|tool| tool["available"] == true));
    assert_eq!(ana.agent("Support").await["role"], "support");
    let now = ana.get_owned(format!("/api/workspaces/{}", ana.workspace)).await["default_agent_id"].clone();
    assert_eq!(now, default, "a team's default is not the workspace's");
    app.end().await;
}

#[tokio::test]
async fn hiring_a_team_is_for_those_who_may_hire_its_agents() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let path = "/api/packs/outreach/teams/outreach/hire";
    let hire = json!({"workspaceId": ana.workspace});
    assert_eq!(cleo.post(path, hire.clone()).await.refusal(), (403, "not_a_member"));
    let list = format!("/api/packs?workspaceId={}", ana.workspace);
    assert_eq!(cleo.get(&list).await.refusal(), (403, "not_a_member"));
    assert_eq!(app.anonymous().get(&list).await.status, 401);
    for (path, what) in [
        ("/api/packs/nothing/teams/outreach/hire", "pack"),
        ("/api/packs/outreach/teams/nothing/hire", "team"),
        ("/api/packs/default/teams/default/hire", "team"),
    ] {
        let answer = ben.post(path, hire.clone()).await;
        assert_eq!(answer.refusal(), (404, "not_found"));
        assert_eq!(answer.body["error"], format!("There is no such {what}."));
    }
    assert_eq!(ben.post(path, json!({})).await.body["field"], "workspaceId");
    assert_eq!(ben.post(path, json!({"workspaceId": ana.workspace, "x": 1})).await.body["field"], "x");

    // An admin of the server makes one of its agents premium, and takes another out of the catalog.
    let admin = app.admin().await;
    let entry = |list: &Value| format!("/api/admin/agents/{}", text(&list["agents"][0]["id"]));
    let sdr =
        entry(&admin.get("/api/admin/agents?search=follows%20up%20qualified").await.expect(StatusCode::OK));
    admin.patch(&sdr, json!({"is_restricted": true})).await.expect(StatusCode::OK);
    admin.post(&format!("{sdr}/publish"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(ben.post(path, hire.clone()).await.refusal(), (403, "premium_required"));
    assert_eq!(ana.agents("&hired_only=true").await["total"], 7, "nobody was hired on the way");
    let premium = ProfileRights { tier: Some(Tier::Premium), is_admin: None };
    let id = ProfileId(ben.id.parse().expect("an id"));
    app.app.store.set_rights(id, premium, None).await.expect("premium");
    let translator = entry(&admin.get("/api/admin/agents?search=translator").await.expect(StatusCode::OK));
    admin.post(&format!("{translator}/disable"), json!({})).await.expect(StatusCode::OK);
    let offered = packs(&ben).await;
    let agents = offered[3]["agents"].as_array().expect("agents");
    let gone = agents.iter().find(|agent| agent["slug"] == "outreach-translator").expect("the translator");
    assert_eq!((&gone["is_offered"], &gone["is_hired"]), (&json!(false), &json!(false)));
    assert_eq!(ben.post(path, hire.clone()).await.refusal(), (404, "not_found"));
    admin.post(&format!("{translator}/enable"), json!({})).await.expect(StatusCode::OK);
    let hired = ben.post(path, hire).await.expect(StatusCode::CREATED);
    assert_eq!(hired["created_by"], json!(ben.id), "members hire teams as they hire agents");
    app.end().await;
}
