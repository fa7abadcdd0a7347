//! A team at a public address.

use baton_core::access::Viewer;
use baton_core::ids::{AgentId, ConversationId, TeamId};
use baton_core::log::Step;
use baton_engine::Assignment;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

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
    ana.open_team(&text(&team["id"])).await;
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

/// A default agent, one for support and one that is neither, at a workspace that is open.
async fn three(ana: &Actor<'_>) -> ([String; 3], String) {
    let front = ana.make_agent("Front", json!({})).await;
    let support = ana.make_agent("Care", json!({"role": "support"})).await;
    let plain = ana.make_agent("Ledger", json!({})).await;
    let slug = ana.open_to_public(json!({"default_agent_id": front})).await;
    ([front, support, plain], slug)
}

/// A team with a name of its own.
async fn team(ana: &Actor<'_>, number: u32, kind: &str, members: Value) -> String {
    let name = format!("Team {number}");
    let body = json!({
        "workspaceId": ana.workspace, "name": name, "kind": kind, "members": members, "is_public": true,
    });
    text(&ana.post("/api/teams", body).await.expect(StatusCode::CREATED)["id"])
}

/// The first begins.
fn plainly(agents: &[&String]) -> Value {
    json!(agents.iter().map(|agent| json!({"agentId": agent})).collect::<Vec<_>>())
}

fn staged(agents: &[&String]) -> Value {
    let stage = |(at, agent): (usize, &&String)| json!({"agentId": agent, "stage": {"name": format!("stage {at}"), "outputSchema": {"type": "object"}}});
    json!(agents.iter().enumerate().map(stage).collect::<Vec<_>>())
}

#[tokio::test]
async fn only_teams_that_one_can_go_through_are_listed() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ([front, support, plain], slug) = three(&ana).await;
    let open = [
        team(&ana, 1, "swarm", plainly(&[&front, &plain])).await,
        team(&ana, 2, "router", plainly(&[&support, &plain])).await,
        team(&ana, 4, "pipeline", staged(&[&front, &support])).await,
        team(&ana, 6, "pipeline", staged(&[&support, &front])).await,
    ];
    let closed = [
        team(&ana, 3, "swarm", plainly(&[&plain, &front])).await,
        team(&ana, 5, "pipeline", staged(&[&front, &plain])).await,
    ];
    let guest = app.person("guest").await;
    let listed = async |actor: &Actor<'_>| {
        let public = actor.get(&format!("/api/public/{slug}")).await.expect(StatusCode::OK);
        let mut ids: Vec<String> =
            public["teams"].as_array().expect("teams").iter().map(|team| text(&team["id"])).collect();
        ids.sort();
        ids
    };
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    assert_eq!(listed(&app.visitor(&slug).await).await, sorted(open.to_vec()));
    assert_eq!(listed(&guest).await, sorted([&open[..], &closed[..]].concat()));
    app.end().await;
}

#[tokio::test]
async fn a_stage_that_is_refused_says_so_and_offers_no_waiting() {
    let (app, _script) = scripted(json!([
        {"system": "You are Front", "after_tools": false, "calls": [{"name": "complete_stage", "arguments": {}}]},
        {"text": "The end."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let ([front, _, plain], slug) = three(&ana).await;
    let team = ana.make_team_of("pipeline", staged(&[&front, &plain])).await;
    ana.open_team(&team).await;
    let visitor = app.visitor(&slug).await;
    let body = json!({"message": "Go", "teamId": team, "workspaceId": visitor.workspace});
    let events = visitor.send(&body).await.rest().await;
    let error = &events.iter().find(|got| got.name == "error").expect("an error").data;
    assert_eq!((&error["code"], &error["recoverable"]), (&json!("stage_unavailable"), &json!(false)));
    assert!(text(&error["message"]).ends_with("please sign in to go on."), "{error}");
    app.end().await;
}

#[tokio::test]
async fn a_switch_that_would_be_refused_is_not_offered() {
    let (app, _script) = scripted(json!([
        {"match": "ledger", "text": "I'll transfer you to Ledger now."},
        {"match": "care", "text": "I'll transfer you to Care now."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let ([front, support, plain], slug) = three(&ana).await;
    let team = ana.make_team("swarm", &[&front, &support, &plain]).await;
    ana.open_team(&team).await;
    let (visitor, guest) = (app.visitor(&slug).await, app.person("guest").await.at(&ana.workspace));
    for (who, message, offered) in
        [(&visitor, "ledger", None), (&visitor, "care", Some(&support)), (&guest, "ledger", Some(&plain))]
    {
        let body = json!({"message": message, "teamId": team, "workspaceId": ana.workspace});
        let events = who.send(&body).await.rest().await;
        let suggested = events.iter().find(|got| got.name == "handoff_suggested");
        assert_eq!(suggested.map(|got| text(&got.data["to"])).as_ref(), offered, "{message}");

        let id = conversation_of(&events);
        let kept = |read: Value| read["last_turn"]["suggested"]["agent_id"].as_str().map(str::to_owned);
        assert_eq!(kept(who.read(&id).await).as_ref(), offered, "also after a reload");
        let Some(offered) = offered else { continue };
        who.switch(&id, json!({"agentId": offered})).await.expect(StatusCode::OK);
        assert_eq!(kept(who.read(&id).await), None, "taken");
    }
    app.end().await;
}

/// What an agent can do at the public address: use the tools named for it, hand off within its team, and keep notes.
#[tokio::test]
async fn which_tools_there_are_at_a_public_address() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ([front, support, plain], _) = three(&ana).await;
    let all = json!(["memory", "getCurrentTime", "switch_agent", "update_context"]);
    let agent = format!("/api/agents/{front}");
    ana.patch(&agent, json!({"tools": all, "permission_mode": "bypassPermissions"}))
        .await
        .expect(StatusCode::OK);
    let id = |text: &String| text.parse().expect("an id");
    let offered = async |agent: &String, team: Option<&String>| {
        let (agent, team) = (AgentId(id(agent)), team.map(|team| TeamId(id(team))));
        let cast = app
            .app
            .engine
            .ready_agent(Assignment {
                agent,
                team,
                viewer: Viewer::Visitor,
                is_public: true,
                is_subtask: false,
            })
            .await;
        let cast = cast.expect("a cast");
        let mut names: Vec<String> = cast.specs.iter().map(|spec| spec.name.clone()).collect();
        names.sort();
        names
    };
    let notes = ["read_context", "update_context"];
    assert_eq!(offered(&front, None).await, [""; 0], "none unless named");
    let swarm = team(&ana, 1, "swarm", plainly(&[&front, &support])).await;
    assert_eq!(offered(&front, Some(&swarm)).await, [notes[0], "switch_agent", notes[1]]);
    let router = team(&ana, 2, "router", plainly(&[&front, &plain])).await;
    assert_eq!(offered(&front, Some(&router)).await, notes);
    assert_eq!(offered(&plain, Some(&router)).await, ["complete_task", notes[0], notes[1]]);
    let pipeline = team(&ana, 3, "pipeline", staged(&[&front, &support])).await;
    assert_eq!(offered(&front, Some(&pipeline)).await, ["complete_stage", notes[0], notes[1]]);
    ana.patch(&agent, json!({"public_tools": ["getCurrentTime", "switch_agent"]}))
        .await
        .expect(StatusCode::OK);
    assert_eq!(offered(&front, None).await, ["getCurrentTime", "switch_agent"]);
    app.end().await;
}

/// A member makes a team of the agent that visitors meet: they hear nothing of it until an admin opens it.
#[tokio::test]
async fn a_team_is_for_members_until_an_admin_opens_it() {
    let (app, _script) = scripted(json!([
        {"system": "ask for their card number", "text": "Your card number, please."},
        {"text": "How can I help?"},
    ]))
    .await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let ([front, ..], slug) = three(&ana).await;
    let stage = json!({"name": "one", "outputSchema": {"type": "object"}, "instructions": "ask for their card number"});
    let members = json!([{"agentId": front, "stage": stage}]);
    let body = |more: Value| {
        let mut body =
            json!({"workspaceId": ana.workspace, "name": "Ours", "kind": "pipeline", "members": members});
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        body
    };
    let refused = ben.post("/api/teams", body(json!({"is_public": true}))).await;
    assert_eq!((refused.refusal(), &refused.body["field"]), ((403, "role_too_low"), &json!("is_public")));
    let made = ben.post("/api/teams", body(json!({}))).await.expect(StatusCode::CREATED);
    let (team, path) = (text(&made["id"]), format!("/api/teams/{}", text(&made["id"])));
    assert_eq!(made["is_public"], false);
    assert_eq!(ben.patch(&path, json!({"is_public": true})).await.refusal(), (403, "role_too_low"));

    let visitor = app.visitor(&slug).await;
    let listed = async || visitor.get(&format!("/api/public/{slug}")).await.body["teams"].clone();
    assert_eq!(listed().await, json!([]));
    let begin = json!({"teamId": team, "workspaceId": visitor.workspace});
    assert_eq!(visitor.post("/api/agent-conversations", begin.clone()).await.refusal(), (404, "not_found"));
    let chat = json!({"message": "Hi", "teamId": team, "workspaceId": visitor.workspace});
    assert_eq!(visitor.post("/api/agent-chat", chat.clone()).await.refusal(), (404, "not_found"));

    ana.open_team(&team).await;
    assert_eq!(listed().await[0]["id"], json!(team));
    let events = visitor.send(&chat).await.rest().await;
    assert_eq!(text_of(&events), "Your card number, please.");
    for refused in [ben.patch(&path, json!({"name": "x"})).await, ben.delete(&path).await] {
        assert_eq!(refused.refusal(), (403, "role_too_low"), "what visitors reach is for admins");
    }
    ana.patch(&path, json!({"is_public": false})).await.expect(StatusCode::OK);
    let on = visitor.say(&conversation_of(&events), "And now?").await;
    assert_eq!(text_of(&on), "How can I help?", "what the team says is closed with it");
    app.end().await;
}
