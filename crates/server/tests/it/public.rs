//! A workspace's public address: what is open there, for whom, and what visitors and guests are sent.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

/// A workspace with a public address, and its default agent.
async fn opened<'a>(app: &'a TestApp) -> (Actor<'a>, String, String) {
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    (ana, slug, coach)
}

#[tokio::test]
async fn an_address_opens_and_closes() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let slug = text(&ana.get(&format!("/api/workspaces/{}", ana.workspace)).await.body["slug"]);
    let (data, page) = (format!("/api/public/{slug}"), format!("/w/{slug}"));
    let anyone = app.anonymous();
    assert_eq!(anyone.get(&data).await.refusal(), (404, "not_found"));
    assert_eq!(anyone.get(&page).await.status, StatusCode::NOT_FOUND);
    assert_eq!(anyone.get("/api/public/no-such-place").await.refusal(), (404, "not_found"));

    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    assert_eq!(ana.open_to_public(json!({"default_agent_id": coach})).await, slug);
    let answer = anyone.get(&data).await;
    let public = answer.expect(StatusCode::OK);
    assert_eq!((&public["id"], &public["slug"]), (&json!(ana.workspace), &json!(slug)));
    assert_eq!(public["default_agent_id"], json!(coach));
    assert_eq!(public["agents"].as_array().map(Vec::len), Some(1), "{public}");
    let cookie = answer.headers["set-cookie"].to_str().expect("text").to_owned();
    assert!(cookie.starts_with("baton_visitor=") && cookie.contains("HttpOnly"), "{cookie}");
    assert!(cookie.contains("SameSite=Lax") && !cookie.contains("Secure"), "{cookie}");
    let there = anyone.get(&page).await;
    assert_ne!(there.status, StatusCode::NOT_FOUND, "the app's page");
    assert!(there.cookie("baton_visitor").is_some());

    let visitor = app.visitor(&slug).await;
    assert_eq!(visitor.get(&data).await.cookie("baton_visitor"), None, "they have one");
    assert_eq!(ana.get(&data).await.cookie("baton_visitor"), None, "so does who is signed in");
    let id = visitor.conversation("Budget Coach").await;
    ana.patch(&format!("/api/workspaces/{}", ana.workspace), json!({"public_chat": false}))
        .await
        .expect(StatusCode::OK);
    assert_eq!(anyone.get(&data).await.status, StatusCode::NOT_FOUND);
    let read = visitor.get(&format!("/api/agent-conversations/{id}")).await;
    assert_eq!(read.refusal(), (401, "unauthorized"));
    app.end().await;
}

#[tokio::test]
async fn only_who_is_signed_in_learns_which_version_runs_here() {
    let app = TestApp::new().await;
    let (ana, slug, _) = opened(&app).await;
    let version = env!("CARGO_PKG_VERSION");
    let me = ana.get("/api/auth/me").await;
    assert_eq!(me.expect(StatusCode::OK)["server"]["version"], version);

    let visitor = app.visitor(&slug).await;
    let public = format!("/api/public/{slug}");
    for path in [
        public.as_str(),
        "/api/auth/options",
        "/api/auth/session",
        "/api/auth/me",
        "/api/openapi.json",
        "/api/docs",
        "/healthz",
        "/readyz",
    ] {
        for someone in [&visitor, &app.anonymous()] {
            let answer = someone.request(Method::GET, path).send().await.expect("an answer");
            let headers = format!("{:?}", answer.headers());
            let body = answer.text().await.expect("text");
            assert!(!body.contains(version) && !headers.contains(version), "{path}: {headers} {body}");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn only_admins_open_it_and_only_they_name_tools() {
    let app = TestApp::new().await;
    let (ana, _, coach) = opened(&app).await;
    let ben = crate::agents::member(&app, &ana, "ben").await;
    let path = format!("/api/workspaces/{}", ana.workspace);
    assert_eq!(ben.patch(&path, json!({"public_chat": false})).await.refusal(), (403, "role_too_low"));
    let own = json!({"workspaceId": ana.workspace, "name": "Bens", "system_prompt": "You help."});
    let own = text(&ben.post("/api/agents", own).await.expect(StatusCode::CREATED)["id"]);
    let tools = json!({"public_tools": ["getCurrentTime"]});
    let refused = ben.patch(&format!("/api/agents/{own}"), tools.clone()).await;
    assert_eq!((refused.refusal(), &refused.body["field"]), ((403, "role_too_low"), &json!("public_tools")));

    let agent = format!("/api/agents/{coach}");
    let named = ana.patch(&agent, tools).await.expect(StatusCode::OK);
    assert_eq!(named["public_tools"], json!(["getCurrentTime"]));
    for (name, words) in [
        ("memory", "Memory is never open to guests and visitors"),
        ("manageMemory", "Memory is never open"),
        ("transactions", "the workspace's money is never open"),
        ("messaging", "Messaging is never open"),
        ("load_skill", "there is no such tool"),
        ("handoff_to_nobody", "there is no such tool"),
        ("analytics", "Analytics is never open"),
        ("leads", "the workspace's customers are never open"),
        ("projects", "the workspace's projects are never open"),
    ] {
        let refused = ana.patch(&agent, json!({"public_tools": [name]})).await;
        assert_eq!(refused.refusal(), (400, "invalid_field"), "{name}");
        assert!(text(&refused.body["error"]).contains(words), "{name}: {}", refused.body);
    }
    let read = ben.get(&agent).await.expect(StatusCode::OK);
    assert_eq!(
        read["localAgent"]["public_tools"],
        json!(["getCurrentTime"]),
        "as it was, for members to see"
    );
    app.end().await;
}

#[tokio::test]
async fn a_visitor_talks_and_is_sent_no_more_than_they_should() {
    let (app, _script) = scripted(json!([
        {"match": "time", "after_tools": false, "reasoning": "My prompt says so.", "text": "Let me look.",
         "calls": [{"name": "getCurrentTime", "arguments": {"timeZone": "Asia/Tokyo"}}]},
        {"match": "time", "after_tools": true, "text": "It is late."},
        {"text": "Hello."},
    ]))
    .await;
    let (ana, slug, coach) = opened(&app).await;
    let agent = format!("/api/agents/{coach}");
    ana.patch(&agent, json!({"public_tools": ["getCurrentTime"]})).await.expect(StatusCode::OK);
    let visitor = app.visitor(&slug).await;
    let listed = visitor.agents("").await;
    let mut fields: Vec<&String> = listed["agents"][0].as_object().expect("an agent").keys().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "avatar_url",
            "category",
            "description",
            "id",
            "initial_prompt",
            "is_default",
            "localAgentId",
            "name",
            "role",
            "slug"
        ]
    );

    let events = visitor.chat("Budget Coach", "What time is it?").await;
    assert_eq!(text_of(&events), "Let me look.It is late.");
    assert!(names(&events).contains(&"tool_start") && !names(&events).contains(&"reasoning"));
    let of = |name: &str| events.iter().find(|got| got.name == name).expect("an event").data.clone();
    assert_eq!((&of("tool_start")["toolName"], &of("tool_start")["args"]), (&json!("tool"), &json!({})));
    assert_eq!(
        (&of("tool_start")["displayName"], &of("tool_result")["toolName"]),
        (&json!("Working…"), &json!("tool"))
    );
    assert_eq!((&of("tool_result")["result"], &of("tool_result")["success"]), (&Value::Null, &json!(true)));
    let done = of("done");
    assert_eq!((&done["usage"]["outputTokens"], &done["usage"]["costUsd"]), (&json!(0), &Value::Null));

    let id = conversation_of(&events);
    let read = visitor.read(&id).await;
    let answer = &read["messages"][1];
    assert_eq!(answer["metadata"], json!({}));
    let kinds: Vec<&Value> =
        answer["parts"].as_array().expect("parts").iter().map(|part| &part["type"]).collect();
    assert_eq!(kinds, ["text", "tool-call", "text"]);
    assert_eq!(answer["parts"][1]["args"], json!({}));
    let sent = format!("{read} {}", json!(events.iter().map(|got| &got.data).collect::<Vec<_>>()));
    for word in ["getCurrentTime", "Current time", "Tokyo", "prompt"] {
        assert!(!sent.contains(word), "{word} in {sent}");
    }
    // From any cursor the same.
    let mut again = visitor.follow(&id, "0.0").await;
    let mut heard = Vec::new();
    while heard.last().is_none_or(|name| name != "done") {
        heard.push(again.next().await.expect("more").name);
    }
    // Pieces may be cut elsewhere.
    let mut before: Vec<&str> = names(&events)[1..].to_vec();
    heard.dedup();
    before.dedup();
    assert_eq!(heard, before);
    app.end().await;
}

#[tokio::test]
async fn conversations_are_their_own_and_nobody_elses() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let (ana, slug, coach) = opened(&app).await;
    let (one, two) = (app.visitor(&slug).await, app.visitor(&slug).await);
    let guest = app.person("guest").await.at(&ana.workspace);
    let list = |actor: &Actor<'_>| {
        format!("/api/agent-conversations?agentId={coach}&workspaceId={}", actor.workspace)
    };
    for own in [&one, &guest] {
        let id = conversation_of(&own.chat("Budget Coach", "Hi").await);
        let path = format!("/api/agent-conversations/{id}");
        assert_eq!(own.get(&list(own)).await.body.as_array().map(Vec::len), Some(1));
        own.patch(&path, json!({"title": "Ours"})).await.expect(StatusCode::OK);
        for other in [&two, &ana] {
            assert_eq!(other.get(&list(other)).await.body, json!([]));
            assert_eq!(other.get(&path).await.refusal(), (404, "not_found"));
            assert_eq!(other.delete(&path).await.refusal(), (404, "not_found"));
            let stop = format!("/api/agent-chat/{id}/stop");
            assert_eq!(other.post(&stop, json!({})).await.refusal(), (404, "not_found"));
        }
        let stop = own.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await;
        assert_eq!(stop.expect(StatusCode::OK)["stopped"], false);
        own.delete(&path).await.expect(StatusCode::OK);
    }
    // At workspaces that are not open there is nothing.
    let closed = app.person("closed").await.workspace;
    let agents = format!("/api/agents?workspaceId={closed}");
    assert_eq!(one.get(&agents).await.refusal(), (401, "unauthorized"));
    assert_eq!(guest.get(&agents).await.refusal(), (403, "not_a_member"));
    let forged = one.cookie.clone().expect("a cookie") + "x";
    assert_eq!(one.with_cookie(&forged).get(&list(&one)).await.refusal(), (401, "unauthorized"));
    app.end().await;
}

/// Guests have no members' routes, and no members' view of what is open to them.
#[tokio::test]
async fn a_guest_is_no_member() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let (ana, _, coach) = opened(&app).await;
    let guest = app.person("guest").await.at(&ana.workspace);
    assert_eq!(guest.agents("").await["agents"][0].get("system_prompt"), None);
    assert_eq!(guest.get(&format!("/api/agents/{coach}")).await.refusal(), (404, "not_found"));
    let events = guest.chat("Budget Coach", "Hi").await;
    assert_eq!(events.last().expect("done").data["usage"]["inputTokens"], 0);
    let id = conversation_of(&events);
    let task = format!("/api/tasks/{}", text(&events[0].data["sessionId"]));
    assert_eq!(guest.get(&task).await.refusal(), (404, "not_found"));
    for path in ["activations", "snapshots"] {
        let path = format!("/api/agent-conversations/{id}/{path}");
        assert_eq!(guest.get(&path).await.refusal(), (404, "not_found"), "{path}");
    }
    let body = json!({"name": "t", "workspaceId": guest.workspace});
    assert_eq!(guest.post("/api/auth/tokens", body).await.refusal(), (403, "not_a_member"));
    app.end().await;
}

/// A cookie is good at the places where it was got, and nowhere else.
#[tokio::test]
async fn a_visitors_cookie_is_for_one_workspace_until_they_come_to_another() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let (ana, slug, coach) = opened(&app).await;
    let zoe = app.person("zoe").await;
    let other = text(&zoe.agent("Budget Coach").await["localAgentId"]);
    let other_slug = zoe.open_to_public(json!({"default_agent_id": other})).await;
    let visitor = app.visitor(&slug).await;
    let here = conversation_of(&visitor.chat("Budget Coach", "Hi").await);

    let elsewhere = visitor.at(&zoe.workspace);
    let refused = (401, "unauthorized");
    let begin = json!({"agentId": other, "workspaceId": zoe.workspace});
    let chat = json!({"message": "Hi", "agentId": other, "workspaceId": zoe.workspace});
    let list = format!("/api/agent-conversations?agentId={other}&workspaceId={}", zoe.workspace);
    let agents = format!("/api/agents?workspaceId={}", zoe.workspace);
    assert_eq!(elsewhere.get(&agents).await.refusal(), refused);
    assert_eq!(elsewhere.get(&list).await.refusal(), refused);
    assert_eq!(elsewhere.post("/api/agent-conversations", begin.clone()).await.refusal(), refused);
    assert_eq!(elsewhere.post("/api/agent-chat", chat).await.refusal(), refused);

    // Whoever comes there is the same visitor at both; the old cookie stays what it was.
    let came = elsewhere.get(&format!("/api/public/{other_slug}")).await;
    let both = elsewhere.with_cookie(&came.cookie("baton_visitor").expect("a cookie"));
    assert_eq!(both.get(&format!("/api/public/{slug}")).await.cookie("baton_visitor"), None);
    let there = text(&both.post("/api/agent-conversations", begin).await.expect(StatusCode::CREATED)["id"]);
    both.get(&format!("/api/agent-conversations/{here}")).await.expect(StatusCode::OK);
    let read = format!("/api/agent-conversations/{there}");
    assert_eq!(visitor.get(&read).await.refusal(), refused);
    let in_both = format!("/api/agent-conversations?agentId={coach}&workspaceId={}", ana.workspace);
    assert_eq!(both.get(&in_both).await.body.as_array().map(Vec::len), Some(1));

    let body = json!({"email": "vera@example.org", "password": "correct horse battery", "name": "Vera"});
    let vera = both.with_cookie(&both.post("/api/auth/sign-up", body).await.session());
    for id in [&here, &there] {
        assert!(vera.read(id).await["user_id"].is_string(), "all come along");
    }
    app.end().await;
}

/// Signing up takes along what is there, also while an answer is under way.
#[tokio::test]
async fn signing_up_moves_conversations_and_ends_the_visitors_streams() {
    let (app, _script) = scripted(json!([
        {"match": "long", "text": "word ".repeat(100), "delay_ms_per_word": 10},
        {"text": "Welcome."},
    ]))
    .await;
    let (ana, slug, _) = opened(&app).await;
    let visitor = app.visitor(&slug).await;
    let mut reading = visitor.send(&visitor.chat_body("Budget Coach", "Something long").await).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    reading.until("text").await;
    let body = json!({"email": "vera@example.org", "password": "correct horse battery", "name": "Vera"});
    let answer = visitor.post("/api/auth/sign-up", body).await;
    answer.expect(StatusCode::CREATED);
    assert_eq!(answer.cookie("baton_visitor").as_deref(), Some("baton_visitor="), "it is taken away");
    let vera = visitor.with_cookie(&answer.session());
    assert!(reading.rest().await.iter().all(|got| got.name != "done"), "the visitor's stream ends at once");

    let read = vera.read(&id).await;
    assert_eq!((&read["turn"]["status"], read["user_id"].is_string()), (&json!("running"), true));
    assert_eq!(visitor.get(&format!("/api/agent-conversations/{id}")).await.refusal(), (404, "not_found"));
    let mut follower = vera.follow(&id, "0.0").await;
    let mut words = 0;
    loop {
        let got = follower.next().await.expect("more");
        words += got.data["content"].as_str().unwrap_or_default().matches("word ").count();
        if got.name == "done" {
            assert_eq!(got.data["usage"]["outputTokens"], 0, "they are a guest there");
            break;
        }
    }
    assert_eq!(words, 100);
    assert_eq!(text_of(&vera.say(&id, "And now?").await), "Welcome.");
    assert_eq!(ana.get(&format!("/api/agent-conversations/{id}")).await.refusal(), (404, "not_found"));
    app.end().await;
}
