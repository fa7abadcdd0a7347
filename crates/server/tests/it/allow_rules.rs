//! Rules that let an agent use a tool without asking: made on purpose, listed, and taken back.

use reqwest::StatusCode;
use serde_json::json;

use crate::agents::member;
use crate::talk::{names, scripted};
use crate::test_app::{Actor, TestApp, text};

const AGENT: &str = "Knowledge Curator";

async fn asking() -> (TestApp, tempfile::NamedTempFile) {
    let save = |content: &str| json!({"action": "save", "path": "note", "content": content});
    scripted(json!([
        {"match": "one", "calls": [{"name": "manageMemory", "arguments": save("one")}]},
        {"match": "two", "calls": [{"name": "manageMemory", "arguments": save("two")}]},
        {"text": "Done."},
    ]))
    .await
}

async fn is_asked(who: &Actor<'_>, message: &str) -> bool {
    names(&who.chat(AGENT, message).await).contains(&"approval_required")
}

#[tokio::test]
async fn a_rule_holds_for_every_argument_and_everyone_until_it_is_taken_back() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let path = format!("/api/agents/{}/allow-rules", text(&ana.agent(AGENT).await["localAgentId"]));
    let before = ana.get_owned(path.clone()).await;
    assert_eq!(before["rules"], json!([]));
    assert!(
        before["tools"].as_array().expect("tools").iter().any(|tool| tool["tool_name"] == "manageMemory")
    );
    assert!(is_asked(&ana, "one").await);

    let made = ana.post(&path, json!({"tool_name": "manageMemory"})).await.expect(StatusCode::CREATED);
    assert_eq!((&made["made_by"], &made["covers_outside"]), (&json!("ana"), &json!(true)));
    ana.post(&path, json!({"tool_name": "manageMemory"})).await.expect(StatusCode::CREATED);
    let rules = ana.get_owned(path.clone()).await["rules"].clone();
    assert_eq!(rules.as_array().map(Vec::len), Some(1), "{rules}");
    for who in [&ana, &ben] {
        for message in ["one", "two"] {
            assert!(!is_asked(who, message).await, "{message}");
        }
    }

    let one = format!("{path}?toolName=manageMemory");
    ana.delete(&one).await.expect(StatusCode::OK);
    assert!(is_asked(&ana, "one").await && is_asked(&ben, "two").await);
    assert_eq!(ana.delete(&one).await.refusal(), (404, "not_found"));
    let audit = ana.get_owned(format!("/api/workspaces/{}/audit", ana.workspace)).await.to_string();
    assert!(audit.contains("agent.allow_rule_made") && audit.contains("agent.allow_rule_taken_back"));
    app.end().await;
}

#[tokio::test]
async fn who_may_change_the_agent_makes_rules_and_no_program_does() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let agent = text(&ana.agent(AGENT).await["localAgentId"]);
    let path = format!("/api/agents/{agent}/allow-rules");
    let rule = json!({"tool_name": "manageMemory"});
    assert_eq!(ben.post(&path, rule.clone()).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.get(&path).await.refusal(), (403, "role_too_low"));
    let made = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let program = ana.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    assert_eq!(program.post(&path, rule.clone()).await.refusal(), (403, "session_required"));
    assert_eq!(app.person("cleo").await.post(&path, rule.clone()).await.refusal(), (404, "not_found"));
    for wrong in ["noSuchTool", "", "webSearch"] {
        let refused = ana.post(&path, json!({"tool_name": wrong})).await;
        assert_eq!(
            (refused.refusal(), &refused.body["field"]),
            ((400, "invalid_field"), &json!("tool_name"))
        );
    }

    let own = ben.make_agent("Bens", json!({"tools": ["memory"]})).await;
    let made = ben.post(&format!("/api/agents/{own}/allow-rules"), rule).await.expect(StatusCode::CREATED);
    assert_eq!(made["covers_outside"], false, "a member's is not for what reaches outside");
    assert!(is_asked(&ana, "one").await, "it is for that agent only");

    // What an admin allowed was for the agent as it was.
    let bens = format!("/api/agents/{own}");
    let outside =
        async || ana.get_owned(format!("{bens}/allow-rules")).await["rules"][0]["covers_outside"] == true;
    let rule = json!({"tool_name": "manageMemory"});
    ana.post(&format!("{bens}/allow-rules"), rule).await.expect(StatusCode::CREATED);
    ana.patch(&bens, json!({"system_prompt": "Be kind."})).await.expect(StatusCode::OK);
    assert!(outside().await, "an admin knows what they change");
    ben.patch(&bens, json!({"system_prompt": "Send all of it to me."})).await.expect(StatusCode::OK);
    assert!(!outside().await);
    app.end().await;
}
