//! A person gives a conversation to another agent.

use std::time::Duration;

use baton_core::ids::ProfileId;
use baton_core::people::{ProfileRights, Tier};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::agents::member;
use crate::approvals::decision;
use crate::held_model::{HeldModel, Reply};
use crate::talk::{Got, Reading, conversation_of, names, scripted, text_of};
use crate::test_app::{TestApp, text};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

#[tokio::test]
async fn another_agent_has_it_and_greets_once() {
    let (app, _script) = scripted(json!([
        {"system": "You are Vera.", "text": "Vera here."},
        {"system": "You are Ben.", "text": "Ben here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({"initial_prompt": "Ben at your service."})).await;
    let id = ana.begin("agentId", &vera).await;
    assert_eq!(text_of(&ana.say(&id, "Hello").await), "Vera here.");

    let switched = ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    let active = &switched["active"];
    assert_eq!((&active["agentId"], &active["agentName"]), (&json!(ben), &json!("Ben")));
    assert_eq!(switched["message"]["content"], "Ben at your service.");
    let read = ana.read(&id).await;
    assert_eq!(read["active"], *active, "as the conversation says");
    let greeting = &read["messages"][2];
    assert_eq!(
        (&greeting["id"], &greeting["agent_id"], &greeting["content"], &greeting["status"]),
        (&switched["message"]["id"], &json!(ben), &json!("Ben at your service."), &json!("complete"))
    );
    assert_eq!(text_of(&ana.say(&id, "Hello").await), "Ben here.");

    // Whom they have already is no change.
    let same = ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    assert_eq!((&same["active"]["epoch"], same.get("message")), (&active["epoch"], None));
    assert_eq!(same["active"]["activationId"], active["activationId"]);

    ana.switch(&id, json!({"agentId": vera})).await.expect(StatusCode::OK);
    let again = ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    assert_eq!(again.get("message"), None, "once per conversation and agent");
    assert_ne!(again["active"]["activationId"], active["activationId"], "a resumed one is another interval");

    let elsewhere = ana.begin("agentId", &vera).await;
    let there = ana.switch(&elsewhere, json!({"agentId": ben})).await.expect(StatusCode::OK);
    assert_eq!(there["message"]["content"], "Ben at your service.");
    app.end().await;
}

/// What a reader of the conversation needs to tell who spoke and who took over, page by page.
#[tokio::test]
async fn a_conversation_tells_who_spoke_and_who_took_over_also_of_agents_that_are_gone() {
    let (app, _script) = scripted(json!([{"text": "Here."}])).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({"avatar_url": "🦊"})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    ana.switch(&id, json!({"agentId": vera})).await.expect(StatusCode::OK);
    ana.say(&id, "One").await;
    ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    ana.say(&id, "Two").await;
    ana.delete(&format!("/api/agents/{ben}/unhire")).await.expect(StatusCode::OK);
    ana.say(&id, "Three").await;

    let read = ana.read(&id).await;
    let said = |at: usize| read["messages"][at]["id"].clone();
    let marks = |read: &Value| {
        let marks = read["switches"].as_array().expect("a list").iter();
        marks.map(|one| (one["after"].clone(), text(&one["toName"]), text(&one["by"]))).collect::<Vec<_>>()
    };
    let mark = |after: Value, name: &str, by: &str| (after, name.to_owned(), by.to_owned());
    let all = marks(&read);
    assert_eq!(all[..2], [mark(Value::Null, "Ben", "user"), mark(Value::Null, "Vera", "user")]);
    assert_eq!(all[2], mark(said(1), "Ben", "user"));
    assert_eq!((&all[3].2, all.len()), (&"fallback".to_owned(), 4), "{all:?}");
    let speakers = read["agents"].as_array().expect("a list");
    for speaker in [
        json!({"id": vera, "name": "Vera", "avatar_url": "🦊"}),
        json!({"id": ben, "name": "Ben", "avatar_url": null}),
    ] {
        assert!(speakers.contains(&speaker), "also who was let go: {speakers:?}");
    }

    // Two pages tell each once.
    let newest = ana.get_owned(format!("/api/agent-conversations/{id}?limit=4")).await;
    let first = text(&newest["messages"][0]["id"]);
    let older = ana.get_owned(format!("/api/agent-conversations/{id}?limit=4&before={first}")).await;
    assert_eq!([marks(&older), marks(&newest)].concat(), all);
    assert_eq!(marks(&older).len(), 3, "who took over after the older page belongs to it");

    let cleo = ana.make_agent("Cleo", json!({})).await;
    ana.switch(&id, json!({"agentId": cleo})).await.expect(StatusCode::OK);
    ana.delete(&format!("/api/agents/{cleo}/unhire")).await.expect(StatusCode::OK);
    ana.say(&id, "Four").await;
    let speakers = ana.read(&id).await["agents"].to_string();
    assert!(speakers.contains("Cleo"), "also who held it and said nothing: {speakers}");
    app.end().await;
}

#[tokio::test]
async fn who_may_not_have_an_agent_is_told_as_everywhere() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let closed = ana.make_agent("Closed", json!({"is_restricted": true})).await;
    let gone = ana.make_agent("Gone", json!({})).await;
    ana.delete(&format!("/api/agents/{gone}/unhire")).await.expect(StatusCode::OK);
    let cleo = app.person("cleo").await;
    let hers = cleo.make_agent("Hers", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let before = ana.read(&id).await;

    let refused = ana.switch(&id, json!({"agentId": closed})).await;
    assert_eq!(refused.refusal(), (403, "premium_required"));
    assert_eq!(refused.body["error"], "This agent requires a premium subscription.");
    for nowhere in [NOBODY, &hers, &gone] {
        let refused = ana.switch(&id, json!({"agentId": nowhere})).await;
        assert_eq!(refused.refusal(), (404, "not_found"), "{nowhere}: {}", refused.body);
        assert_eq!(refused.body["error"], "There is no such agent.");
    }
    for (body, field) in [
        (json!({}), "agentId"),
        (json!({"agentId": "vera"}), "agentId"),
        (json!({"agentId": "auto"}), "agentId"),
        (json!({"agentId": vera, "epoch": "1"}), "epoch"),
        (json!({"agentId": vera, "agent": 1}), "agent"),
    ] {
        let refused = ana.switch(&id, body.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!(field)), "{body}");
    }
    let team = ana.make_team("swarm", &[&vera, &closed]).await;
    let with_team = ana.begin("teamId", &team).await;
    let refused = ana.switch(&with_team, json!({"agentId": "auto"})).await;
    assert_eq!((refused.refusal(), &refused.body["field"]), ((400, "invalid_field"), &json!("agentId")));

    let dan = member(&app, &ana, "dan").await;
    for other in [&cleo, &dan] {
        assert_eq!(other.switch(&id, json!({"agentId": vera})).await.refusal(), (404, "not_found"));
    }
    assert_eq!(app.anonymous().switch(&id, json!({"agentId": vera})).await.status, 401);
    assert_eq!(ana.read(&id).await, before, "nothing has changed");

    let premium = ProfileRights { tier: Some(Tier::Premium), is_admin: None };
    app.app
        .store
        .set_rights(ProfileId(ana.id.parse().expect("an id")), premium, None)
        .await
        .expect("premium");
    ana.switch(&id, json!({"agentId": closed})).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn a_stale_epoch_changes_nothing_and_says_who_has_it() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let cora = ana.make_agent("Cora", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let seen = ana.read(&id).await["active"]["epoch"].clone();
    let switched = ana.switch(&id, json!({"agentId": ben, "epoch": seen})).await.expect(StatusCode::OK);
    assert!(switched["active"]["epoch"].as_i64() > seen.as_i64());

    let late = ana.switch(&id, json!({"agentId": cora, "epoch": seen})).await;
    assert_eq!(late.refusal(), (409, "stale_epoch"));
    assert_eq!(late.body["active"], switched["active"]);
    assert_eq!(ana.read(&id).await["active"], switched["active"]);
    app.end().await;
}

#[tokio::test]
async fn auto_leaves_the_choice_to_the_router_again() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let team = ana.make_team("router", &[&vera, &ben]).await;
    let id = ana.begin("teamId", &team).await;
    assert_eq!(ana.read(&id).await["active"]["pinned"], false);
    let pinned = ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    assert_eq!((&pinned["active"]["agentId"], &pinned["active"]["pinned"]), (&json!(ben), &json!(true)));
    let auto = ana.switch(&id, json!({"agentId": "auto"})).await.expect(StatusCode::OK);
    assert_eq!((&auto["active"]["agentId"], &auto["active"]["pinned"]), (&json!(ben), &json!(false)));
    assert_eq!(auto["active"]["epoch"], pinned["active"]["epoch"], "it changes the pin and nothing else");
    assert_eq!(auto["active"]["activationId"], pinned["active"]["activationId"]);
    let again = ana.switch(&id, json!({"agentId": "auto"})).await.expect(StatusCode::OK);
    assert_eq!(again["active"], auto["active"]);
    let seen = ana.get_owned(format!("/api/agents/transitions?workspaceId={}", ana.workspace)).await;
    assert_eq!(seen["totals"]["attempts"], 1, "leaving it to the router is no handoff: {seen}");
    app.end().await;
}

#[tokio::test]
async fn a_switch_while_a_turn_runs_lets_it_finish_and_every_reader_hears_of_it() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({"initial_prompt": "Ben at your service."})).await;
    let id = ana.begin("agentId", &vera).await;
    let events = format!("/api/events?workspaceId={}", ana.workspace);
    let mut tab = Reading::open(ana.request(Method::GET, &events)).await;
    let mut other = ana.follow(&id, "0.0").await;
    let mut reading = ana.saying(&id, "Something long").await;
    let speech = model.next().await.speak();
    speech.say("Before it, ");
    reading.until("text").await;
    // Vera speaks until she is told to end: a switch that waited for her would never be answered.
    let switched = timeout(PATIENCE, ana.switch(&id, json!({"agentId": ben}))).await.expect("it never waits");
    let switched = switched.expect(StatusCode::OK);
    let epoch = &switched["active"]["epoch"];

    let notice = tab.until("switched").await;
    assert_eq!((&notice.data["conversationId"], &notice.data["to"]), (&json!(id), &json!(ben)));
    assert_eq!((&notice.data["epoch"], &notice.data["trigger"]), (epoch, &json!("user")));
    let mut followed = Vec::new();
    while followed.last().is_none_or(|got: &Got| got.name != "switched") {
        followed.push(other.next().await.expect("more"));
    }
    for words in ["and after it ", "there is ", "more."] {
        speech.say(words);
        while !text_of(&followed).ends_with(words) {
            followed.push(other.next().await.expect("more"));
        }
    }
    speech.end(&[]);
    while followed.last().is_none_or(|got: &Got| got.name != "done") {
        followed.push(other.next().await.expect("more"));
    }
    let words = "Before it, and after it there is more.";
    let told = followed.iter().find(|got| got.name == "switched").expect("told");
    assert_eq!(
        (&told.data["from"], &told.data["to"], &told.data["toName"], &told.data["by"], &told.data["epoch"]),
        (&json!(vera), &json!(ben), &json!("Ben"), &json!("user"), epoch)
    );
    assert_eq!(text_of(&followed), words, "another reader gets all of it too");
    // From any cursor, also those between the switch and the end of what was being said, the rest comes once.
    for at in 1..followed.len() {
        let mut again = ana.follow(&id, followed[at - 1].id.as_deref().expect("an id")).await;
        let mut rest = Vec::new();
        while rest.last().is_none_or(|got: &Got| got.name != "done") {
            rest.push(again.next().await.expect("more"));
        }
        assert_eq!(text_of(&rest), text_of(&followed[at..]), "after {at}");
        let steps = |all: &[Got]| {
            let steps = all.iter().filter(|got| got.name != "text").map(|got| got.data.clone());
            steps.collect::<Vec<Value>>()
        };
        assert_eq!(steps(&rest), steps(&followed[at..]), "after {at}");
    }
    let rest = reading.rest().await;
    assert_eq!(rest.last().expect("done").data["status"], "completed");
    assert!(names(&rest).contains(&"switched"));

    let read = ana.read(&id).await;
    assert_eq!((&read["messages"][1]["status"], &read["turn"]), (&json!("complete"), &Value::Null));
    assert_eq!(read["messages"][1]["content"], words);
    assert_eq!(read["messages"][1]["agent_id"], json!(vera));
    assert_eq!(read["active"], switched["active"], "the person wins");
    let next = ana.saying(&id, "And now?").await;
    let asked = model.next().await;
    assert!(asked.system().contains("You are Ben."), "{}", asked.system());
    asked.reply(Reply::text("Ben here."));
    assert_eq!(text_of(&next.rest().await), "Ben here.");
    app.end().await;
}

#[tokio::test]
async fn a_switch_cancels_what_waits_to_be_approved() {
    let save = json!({"action": "save", "path": "note", "content": "tea at five"});
    let (app, _script) = scripted(json!([
        {"match": "save", "system": "You are Vera.", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"system": "You are Ben.", "text": "Ben here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({"tools": ["memory"]})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "save this").await;
    assert_eq!(conversation_of(&events), id);
    let asked = events.last().expect("asked");
    assert_eq!(asked.name, "approval_required");
    let approval = text(&asked.data["approvalId"]);
    let mut follower = ana.follow(&id, asked.id.as_deref().expect("an id")).await;
    let switched = ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);

    let mut seen = Vec::new();
    while seen.last().is_none_or(|got: &Got| got.name != "switched") {
        seen.push(follower.next().await.expect("more"));
    }
    assert_eq!(
        names(&seen),
        ["approval_resolved", "tool_result", "message_complete", "done", "switched"],
        "the turn that waited ends with it"
    );
    assert_eq!(seen[0].data["decision"], "cancelled");
    let cancelled =
        ana.get_owned(format!("/api/approvals?workspaceId={}&status=cancelled", ana.workspace)).await;
    assert_eq!(cancelled["approvals"][0]["id"], json!(approval));
    for verb in ["approve", "reject"] {
        let late = decision(&asked.data, json!({}));
        let late = ana.post(&format!("/api/approvals/{approval}/{verb}"), late).await;
        assert_eq!(late.refusal(), (410, "too_late"), "{verb}");
    }
    let read = ana.read(&id).await;
    assert_eq!((&read["turn"], &read["active"]), (&Value::Null, &switched["active"]));
    assert_eq!(text_of(&ana.say(&id, "And now?").await), "Ben here.");
    app.end().await;
}

#[tokio::test]
async fn the_person_wins_over_a_model_that_hands_off_meanwhile() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let cora = ana.make_agent("Cora", json!({})).await;
    let team = ana.make_team("swarm", &[&vera, &ben]).await;
    let id = ana.begin("teamId", &team).await;
    let mut reading = ana.saying(&id, "Something long").await;
    let speech = model.next().await.speak();
    speech.say("It is his.");
    reading.until("text").await;
    let switched = ana.switch(&id, json!({"agentId": cora})).await.expect(StatusCode::OK);
    let hand = json!({"agent": "ben", "reason": "It is his."});
    speech.end(&[("switch_agent", hand), ("getCurrentTime", json!({}))]);
    let rest = reading.rest().await;
    assert!(!names(&rest).contains(&"handoff"), "{rest:#?}");
    let results: Vec<&Got> = rest.iter().filter(|got| got.name == "tool_result").collect();
    assert_eq!(results.len(), 2, "every call has its answer");
    for result in results {
        assert_eq!(result.data["success"], false);
        assert!(text(&result.data["result"]["error"]).contains("Cora"), "{}", result.data);
    }
    assert_eq!(rest.last().expect("done").name, "done");
    assert_eq!(ana.read(&id).await["active"], switched["active"]);
    let next = ana.saying(&id, "And now?").await;
    let asked = model.next().await;
    assert!(asked.system().contains("You are Cora."), "{}", asked.system());
    asked.reply(Reply::text("Cora here."));
    assert_eq!(text_of(&next.rest().await), "Cora here.");
    app.end().await;
}

/// What a person is told of who held it is theirs alone.
#[tokio::test]
async fn the_history_of_a_conversation_is_its_own_persons() {
    let (app, _script) = scripted(json!([
        {"match": "Go", "system": "You are Vera.", "calls": [{"name": "complete_stage", "arguments": {"goal": "a car"}}]},
        {"system": "You are Ben.", "text": "Ben goes on."},
        {"system": "You are Vera.", "text": "Vera here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let schema = json!({"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]});
    let team = ana
        .make_team_of(
            "pipeline",
            json!([
                {"agentId": vera, "stage": {"name": "ask", "outputSchema": schema}},
                {"agentId": ben, "stage": {"name": "write", "outputSchema": {"type": "object"}}},
            ]),
        )
        .await;
    let id = ana.begin("teamId", &team).await;
    let events = ana.say(&id, "Go").await;
    assert_eq!(text_of(&events), "Ben goes on.", "{events:#?}");
    let path = |what: &str| format!("/api/agent-conversations/{id}{what}");

    let snapshots = ana.get_owned(path("/snapshots")).await;
    let [snapshot] = snapshots.as_array().expect("a list").as_slice() else { panic!("{snapshots}") };
    assert_eq!(
        (&snapshot["stage"], &snapshot["version"], &snapshot["agent_id"], &snapshot["data"]),
        (&json!("ask"), &json!(1), &json!(vera), &json!({"goal": "a car"}))
    );
    ana.switch(&id, json!({"agentId": vera})).await.expect(StatusCode::OK);
    let history = ana.get_owned(path("/activations")).await;
    let seen: Vec<_> = history.as_array().expect("a list").iter().collect();
    let of = |at: usize, field: &str| seen[at][field].clone();
    assert_eq!(seen.len(), 3, "{history}");
    assert_eq!([of(0, "agent_name"), of(1, "agent_name"), of(2, "agent_name")], ["Vera", "Ben", "Vera"]);
    assert_eq!([of(0, "status"), of(1, "status"), of(2, "status")], ["completed", "paused", "active"]);
    assert_eq!([of(1, "trigger"), of(2, "trigger")], ["completion", "user"]);
    assert!(of(1, "ended_at").is_string() && of(2, "ended_at").is_null());
    assert_eq!(ana.read(&id).await["active"]["activationId"], of(2, "id"));

    let dan = member(&app, &ana, "dan").await;
    let cleo = app.person("cleo").await;
    for what in ["", "/activations", "/snapshots"] {
        for other in [&cleo, &dan] {
            assert_eq!(other.get(&path(what)).await.refusal(), (404, "not_found"), "{what}");
        }
        assert_eq!(app.anonymous().get(&path(what)).await.status, 401, "{what}");
    }

    // Whoever took part has it in their list.
    let cora = ana.make_agent("Cora", json!({})).await;
    for (agent, found) in [(&vera, 1), (&ben, 1), (&cora, 0)] {
        let list = format!("/api/agent-conversations?workspaceId={}&agentId={agent}", ana.workspace);
        assert_eq!(ana.get_owned(list.clone()).await.as_array().map(Vec::len), Some(found));
        assert_eq!(dan.get_owned(list.clone()).await, json!([]), "each their own");
        assert_eq!(cleo.get(&list).await.status, 403);
    }
    app.end().await;
}

#[tokio::test]
async fn an_unknown_conversation_is_not_there() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    assert_eq!(ana.switch(NOBODY, json!({"agentId": agent})).await.refusal(), (404, "not_found"));
    for what in ["activations", "snapshots"] {
        let path = format!("/api/agent-conversations/{NOBODY}/{what}");
        assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    }
    app.end().await;
}
