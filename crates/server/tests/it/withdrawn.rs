//! A hired agent whose catalog entry is disabled disappears everywhere, and comes back when the entry does.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::held_model::{HeldModel, Reply};
use crate::talk::{names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

/// The admin's address of a catalog entry that this person's workspace hired.
async fn entry(of: &Actor<'_>, name: &str) -> String {
    format!("/api/admin/agents/{}", text(&of.agent(name).await["id"]))
}

async fn hired(of: &Actor<'_>) -> Vec<String> {
    let list = of.agents("&hired_only=true").await;
    list["agents"].as_array().expect("agents").iter().map(|agent| text(&agent["name"])).collect()
}

#[tokio::test]
async fn it_is_listed_begun_selected_handed_to_and_asked_nowhere_until_it_is_back() {
    let (app, _script) = scripted(json!([
        {"system": "You are Vera.", "match": "over", "calls": [{"name": "switch_agent", "arguments": {"agent": "budget-coach"}}]},
        {"text": "Here."},
    ]))
    .await;
    let (admin, ana) = (app.admin().await, app.person("ana").await);
    let vera = ana.make_agent("Vera", json!({"tools": ["ask_budget-coach"]})).await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let entry = entry(&ana, "Budget Coach").await;
    let team = ana.make_team("swarm", &[&vera, &coach]).await;
    let talk = ana.begin("agentId", &vera).await;
    ana.say(&talk, "Hello").await;
    let with_coach = ana.begin("agentId", &vera).await;
    ana.say(&with_coach, "Hello").await;
    ana.switch(&with_coach, json!({"agentId": coach})).await.expect(StatusCode::OK);
    let offered = |agent: &Value| -> Vec<String> {
        let tools = agent["localAgent"]["toolDetails"].as_array().expect("tools").clone();
        tools.iter().filter(|tool| tool["available"] == true).map(|tool| text(&tool["id"])).collect()
    };
    let vera_path = format!("/api/agents/{vera}");
    assert_eq!(offered(&ana.get(&vera_path).await.expect(StatusCode::OK)), ["ask_budget-coach"]);

    admin.post(&format!("{entry}/disable"), json!({})).await.expect(StatusCode::OK);
    assert!(!hired(&ana).await.contains(&"Budget Coach".to_owned()));
    assert_eq!(ana.agents("&search=coach").await["total"], 0, "nor is it offered again");
    let begin = json!({"workspaceId": ana.workspace, "agentId": coach});
    assert_eq!(ana.post("/api/agent-conversations", begin.clone()).await.status, 404);
    let chat = json!({"workspaceId": ana.workspace, "agentId": coach, "message": "Hi"});
    assert_eq!(ana.post("/api/agent-chat", chat).await.status, 404);
    assert_eq!(ana.switch(&talk, json!({"agentId": coach})).await.status, 404);
    assert!(offered(&ana.get(&vera_path).await.expect(StatusCode::OK)).is_empty(), "nobody to ask");
    let handed = ana.say(&ana.begin("teamId", &team).await, "Hand it over").await;
    let refused = handed.iter().find(|got| got.name == "tool_result").expect("a result");
    assert_eq!((&refused.data["success"], names(&handed).contains(&"handoff")), (&json!(false), false));
    let hire = json!({"workspaceId": ana.workspace});
    let catalog = entry.rsplit('/').next().expect("an id");
    assert_eq!(ana.post(&format!("/api/agents/{catalog}/hire"), hire.clone()).await.status, 404);
    assert_eq!(ana.post(&format!("/api/agents/{coach}/hire"), hire).await.status, 404, "nor brought back");

    // Who was talking to it is answered by the agent before, and told so.
    let fallen = ana.say(&with_coach, "Are you there?").await;
    let notice = text(&fallen[0].data["notice"]);
    assert_eq!(notice, "Budget Coach isn't available any more, so Vera answers.");
    let active = ana.read(&with_coach).await["active"].clone();
    assert_eq!(active["agentName"], "Vera");

    admin.post(&format!("{entry}/enable"), json!({})).await.expect(StatusCode::OK);
    assert!(hired(&ana).await.contains(&"Budget Coach".to_owned()));
    ana.switch(&talk, json!({"agentId": coach})).await.expect(StatusCode::OK);
    assert_eq!(text_of(&ana.say(&talk, "And you?").await), "Here.");
    app.end().await;
}

#[tokio::test]
async fn a_running_turn_keeps_it_and_what_was_let_go_stays_so() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let (admin, ana, ben) = (app.admin().await, app.person("ana").await, app.person("ben").await);
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let of_ben = text(&ben.agent("Budget Coach").await["localAgentId"]);
    ben.delete(&format!("/api/agents/{of_ben}/unhire")).await.expect(StatusCode::OK);
    let entry = entry(&ana, "Budget Coach").await;
    let id = ana.begin("agentId", &coach).await;
    let turn = ana.saying(&id, "Look").await;
    let asked = model.next().await;
    admin.post(&format!("{entry}/disable"), json!({})).await.expect(StatusCode::OK);
    asked.reply(Reply::call("getCurrentTime", json!({})));
    model.next().await.reply(Reply::text("Done."));
    let events = turn.rest().await;
    assert_eq!(events.last().map(|got| &got.data["status"]), Some(&json!("completed")));
    assert_eq!(text_of(&events), "Done.");
    let workspace = format!("/api/workspaces/{}", ana.workspace);
    let next = ana.get(&workspace).await.expect(StatusCode::OK)["default_agent_id"].clone();
    assert_ne!(next, json!(coach), "who is gone is nobody's default");

    admin.post(&format!("{entry}/enable"), json!({})).await.expect(StatusCode::OK);
    assert!(hired(&ana).await.contains(&"Budget Coach".to_owned()));
    assert!(!hired(&ben).await.contains(&"Budget Coach".to_owned()), "ben had let it go himself");
    app.end().await;
}
