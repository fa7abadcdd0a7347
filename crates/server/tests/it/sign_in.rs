use baton_core::people::{LinkFor, SignUp};
use baton_server::routes::links::new_link;
use baton_server::settings::Given;
use baton_server::visitor::Visitor;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_app::{Answer, PASSWORD, TestApp, text};

#[tokio::test]
async fn signing_up_in_and_out() {
    let app = TestApp::new().await;
    let nobody = app.anonymous();
    assert_eq!(nobody.get("/api/auth/me").await.refusal(), (401, "unauthorized"));
    assert_eq!(nobody.get("/api/auth/session").await.expect(StatusCode::OK), json!({"session": null}));
    let ana = app.person("ana").await;
    let me = ana.get("/api/auth/me").await.expect(StatusCode::OK);
    assert_eq!(ana.get("/api/auth/session").await.expect(StatusCode::OK)["session"], me);
    assert_eq!(me["profile"]["email"], "ana@example.org");
    assert_eq!(me["profile"]["tier"], "free");
    assert_eq!(me["workspaces"][0]["role"], "owner");
    assert!(me["profile"].get("password_hash").is_none());

    let sign_in = |email: &str, password: &str| json!({"email": email, "password": password});
    let again = nobody.post("/api/auth/sign-in", sign_in("ANA@example.org", PASSWORD)).await;
    let second = nobody.with_cookie(&again.session());
    second.post("/api/auth/sign-out", json!({})).await.expect(StatusCode::OK);
    assert_eq!(second.get("/api/auth/me").await.status, 401, "signed out");
    assert_eq!(second.get("/api/auth/session").await.body, json!({"session": null}));
    ana.get("/api/auth/me").await.expect(StatusCode::OK);

    for (email, password) in [("ana@example.org", "wrong password"), ("nobody@example.org", PASSWORD)] {
        let refused = nobody.post("/api/auth/sign-in", sign_in(email, password)).await;
        assert_eq!(refused.refusal(), (401, "invalid_credentials"));
    }
    let taken = json!({"email": "Ana@Example.org", "password": PASSWORD, "name": "Other"});
    let taken = nobody.post("/api/auth/sign-up", taken).await;
    assert_eq!((taken.refusal(), &taken.body["field"]), ((409, "email_taken"), &json!("email")));
    app.end().await;
}

#[tokio::test]
async fn the_cookie_is_for_the_server_alone() {
    let app = TestApp::new().await;
    let body = json!({"email": "a@example.org", "password": PASSWORD, "name": "A"});
    let answer = app.anonymous().post("/api/auth/sign-up", body).await;
    let cookies = |answer: &Answer| {
        let cookies = answer.headers.get_all("set-cookie").iter();
        cookies.map(|value| value.to_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    let set = cookies(&answer);
    assert_eq!(set.len(), 2, "the session and the device: {set:?}");
    for cookie in set {
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"),
            "{cookie}"
        );
    }
    app.end().await;

    let public_url = "https://baton.example.org".parse().ok();
    let app = TestApp::with(Given { public_url, sign_up: Some(SignUp::Open), ..Given::default() }).await;
    let body = json!({"email": "a@example.org", "password": PASSWORD, "name": "A"});
    let answer = app.anonymous().post("/api/auth/sign-up", body).await;
    assert!(cookies(&answer).iter().all(|cookie| cookie.contains("Secure")));
    assert!(answer.headers.contains_key("strict-transport-security"));
    app.end().await;
}

#[tokio::test]
async fn guessing_passwords_ends_soon() {
    let app = TestApp::new().await;
    app.person("ana").await;
    let nobody = app.anonymous();
    let wrong = json!({"email": "ana@example.org", "password": "not this one"});
    for _ in 0..10 {
        assert_eq!(nobody.post("/api/auth/sign-in", wrong.clone()).await.status, 401);
    }
    let refused = nobody.post("/api/auth/sign-in", wrong).await;
    assert_eq!(refused.refusal(), (429, "too_many_attempts"));
    assert!(refused.headers.contains_key("retry-after"));
    let right = json!({"email": "ana@example.org", "password": PASSWORD});
    assert_eq!(nobody.post("/api/auth/sign-in", right).await.status, 429, "not even with the right one");
    app.end().await;
}

#[tokio::test]
async fn guessing_many_at_once_is_guessing_too() {
    let app = TestApp::new().await;
    app.person("ana").await;
    let nobody = app.anonymous();
    let wrong = json!({"email": "ana@example.org", "password": "not this one"});
    let guesses = (0..30).map(|_| nobody.post("/api/auth/sign-in", wrong.clone()));
    let answers = futures::future::join_all(guesses).await;
    let checked = answers.iter().filter(|answer| answer.status == 401).count();
    assert_eq!((checked, answers.len()), (10, 30), "ten are checked, the others wait");
    app.end().await;
}

#[tokio::test]
async fn one_account_is_guessed_no_more_from_many_addresses() {
    let proxies = Some(vec!["127.0.0.1/32".parse().expect("a network")]);
    let given = Given { trusted_proxies: proxies, sign_up: Some(SignUp::Open), ..Given::default() };
    let app = TestApp::with(given).await;
    app.person("ana").await;
    let wrong = json!({"email": "ana@example.org", "password": "not this one"});
    let mut checked = 0;
    for n in 0..60 {
        let request = app.anonymous().request(Method::POST, "/api/auth/sign-in").json(&wrong);
        let answer = Answer::read(request.header("x-forwarded-for", format!("203.0.113.{n}"))).await;
        checked += usize::from(answer.status == 401);
    }
    assert_eq!(checked, 50);
    app.end().await;
}

#[tokio::test]
async fn nobody_can_be_kept_out_of_their_account_where_they_signed_in_before() {
    let proxies = Some(vec!["127.0.0.1/32".parse().expect("a network")]);
    let given = Given { trusted_proxies: proxies, sign_up: Some(SignUp::Open), ..Given::default() };
    let app = TestApp::with(given).await;
    let mut devices = Vec::new();
    for name in ["ana", "ben"] {
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "name": name});
        let answer = app.anonymous().post("/api/auth/sign-up", body).await;
        answer.expect(StatusCode::CREATED);
        devices.push(answer.cookie("baton_device").expect("a device"));
    }
    let sign_in = async |device: Option<&str>, from: &str, password: &str| {
        let body = json!({"email": "ana@example.org", "password": password});
        let actor = device.map_or_else(|| app.anonymous(), |device| app.anonymous().with_cookie(device));
        let request = actor.request(Method::POST, "/api/auth/sign-in").json(&body);
        Answer::read(request.header("x-forwarded-for", from)).await
    };
    for n in 0..60 {
        sign_in(None, &format!("203.0.113.{n}"), "not this one").await;
    }
    let (hers, his) = (devices[0].as_str(), devices[1].as_str());
    let elsewhere = "198.51.100.1";
    for device in [None, Some(his), Some("baton_device=forged")] {
        let refused = sign_in(device, elsewhere, PASSWORD).await;
        assert_eq!(refused.refusal(), (429, "too_many_attempts"), "guessing goes no further: {device:?}");
    }
    // Also where the guesses come from.
    for from in [elsewhere, "203.0.113.1"] {
        let answer = sign_in(Some(hers), from, PASSWORD).await;
        answer.expect(StatusCode::OK);
        assert!(answer.cookie("baton_device").is_some());
    }
    assert_eq!(sign_in(None, elsewhere, PASSWORD).await.status, 429, "and nobody guesses on because of that");
    // It guesses no more than an address may.
    for _ in 0..10 {
        assert_eq!(sign_in(Some(hers), elsewhere, "not this one").await.status, 401);
    }
    assert_eq!(sign_in(Some(hers), elsewhere, PASSWORD).await.status, 429);
    app.end().await;
}

#[tokio::test]
async fn strangers_send_little() {
    let app = TestApp::new().await;
    let long = "x".repeat(16 * 1024);
    for path in ["sign-in", "sign-up", "links/preview", "links/redeem"] {
        let answer = app.anonymous().post(&format!("/api/auth/{path}"), json!({"token": long})).await;
        assert_eq!(answer.refusal(), (413, "too_large"), "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn who_may_sign_up_is_a_setting() {
    let body = json!({"email": "a@example.org", "password": PASSWORD, "name": "A"});
    for (sign_up, code) in [(SignUp::Invited, "invitation_required"), (SignUp::Closed, "sign_up_closed")] {
        let app = TestApp::with(Given { sign_up: Some(sign_up), ..Given::default() }).await;
        let nobody = app.anonymous();
        assert_eq!(nobody.post("/api/auth/sign-up", body.clone()).await.refusal(), (403, code));
        let options = nobody.get("/api/auth/options").await.expect(StatusCode::OK);
        assert_eq!(options, json!({"sign_up": sign_up.as_str(), "demo": false}));
        app.end().await;
    }
}

#[tokio::test]
async fn a_link_works_once_and_looking_at_it_spends_nothing() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let profile = app.app.store.profile_by_email("ana@example.org").await.expect("ana");
    let (path, _) = new_link(&app.app, LinkFor::Person(profile.id), None).await.expect("a link");
    let token = path.rsplit('#').next().expect("a token");
    let nobody = app.anonymous();
    for _ in 0..3 {
        let look =
            nobody.post("/api/auth/links/preview", json!({"token": token})).await.expect(StatusCode::OK);
        assert_eq!((&look["kind"], &look["name"]), (&json!("sign_in"), &json!("ana")));
    }
    let redeemed = nobody.post("/api/auth/links/redeem", json!({"token": token})).await;
    assert_eq!(redeemed.expect(StatusCode::OK)["profile"]["id"], ana.id.as_str());
    let again = nobody.post("/api/auth/links/redeem", json!({"token": token})).await;
    assert_eq!(again.refusal(), (410, "link_expired"));

    let by_link = nobody.with_cookie(&redeemed.session());
    let changed = by_link.patch("/api/auth/me", json!({"password": "a brand new one"})).await;
    changed.expect(StatusCode::OK);
    assert_eq!(ana.get("/api/auth/me").await.status, 401, "a new password ends other sessions");
    app.end().await;
}

#[tokio::test]
async fn the_first_admin_comes_through_the_link_only() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    assert_eq!(
        ana.get("/api/auth/me").await.body["profile"]["is_admin"],
        false,
        "the first to sign up is no admin"
    );
    let (path, _) = new_link(&app.app, LinkFor::FirstAdmin, None).await.expect("a link");
    let token = path.rsplit('#').next().expect("a token");
    let nobody = app.anonymous();
    let missing = nobody.post("/api/auth/links/redeem", json!({"token": token})).await;
    assert_eq!(missing.refusal(), (400, "invalid_field"));
    let body = json!({"token": token, "email": "root@example.org", "password": PASSWORD, "name": "Root"});
    let redeemed = nobody.post("/api/auth/links/redeem", body.clone()).await;
    let me = redeemed.expect(StatusCode::OK);
    assert_eq!(me["profile"]["is_admin"], true);
    assert_eq!(me["workspaces"].as_array().expect("workspaces").len(), 1);
    assert_eq!(nobody.post("/api/auth/links/redeem", body).await.status, 410);
    app.end().await;
}

#[tokio::test]
async fn a_visitors_conversations_move_at_sign_up_and_at_sign_in() {
    let app = TestApp::new().await;
    let owner = app.person("owner").await;
    let agent = text(&owner.agent("Project Manager").await["localAgentId"]);
    let sign_up = json!({"email": "new@example.org", "password": PASSWORD, "name": "New"});
    let sign_in = json!({"email": "new@example.org", "password": PASSWORD});
    for (path, body) in [("/api/auth/sign-up", sign_up), ("/api/auth/sign-in", sign_in)] {
        let workspace_id = baton_core::ids::WorkspaceId(owner.workspace.parse().expect("an id"));
        let visitor = Visitor::new(workspace_id);
        let new = baton_core::conversations::NewConversation {
            workspace_id,
            agent_id: baton_core::ids::AgentId(agent.parse().expect("an id")),
            team_id: None,
            person: baton_core::visitors::Person::Visitor(visitor.id),
            title: None,
        };
        let conversation = app.app.store.create_conversation(new).await.expect("a conversation");
        let cookie = format!("baton_visitor={}", app.app.visitors.sign(&visitor));
        let answer = app.anonymous().with_cookie(&cookie).post(path, body).await;
        assert!(answer.status.is_success(), "{}", answer.body);
        let profile = app.app.store.profile_by_email("new@example.org").await.expect("the person");
        let person = baton_core::visitors::Person::Profile(profile.id);
        app.app.store.conversation(conversation.id, person).await.expect("moved");
    }
    app.end().await;
}

/// A session that someone planted before does not become the session of who signs in.
#[tokio::test]
async fn signing_in_always_makes_a_new_session() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let mallory = app.person("mallory").await;
    let planted = mallory.cookie.clone().expect("a cookie");
    let credentials = json!({"email": "ana@example.org", "password": PASSWORD});
    for cookie in [planted.as_str(), "baton_session=chosen-by-somebody"] {
        let answer = app.anonymous().with_cookie(cookie).post("/api/auth/sign-in", credentials.clone()).await;
        answer.expect(StatusCode::OK);
        assert_ne!(answer.session(), cookie);
        let me = ana.with_cookie(&answer.session()).get("/api/auth/me").await.expect(StatusCode::OK);
        assert_eq!(me["profile"]["id"], json!(ana.id));
    }
    let who = ana.with_cookie(&planted).get("/api/auth/me").await.expect(StatusCode::OK);
    assert_eq!(who["profile"]["id"], json!(mallory.id), "it stays what it was");
    let chosen = ana.with_cookie("baton_session=chosen-by-somebody").get("/api/auth/me").await;
    assert_eq!(chosen.status, StatusCode::UNAUTHORIZED);
    app.end().await;
}
