//! Channels over HTTP: who sees what, live notices, and what is done once.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::cluster_events::{elsewhere, two_nodes};
use crate::talk::Reading;
use crate::test_app::{Actor, Answer, TestApp, text};

impl Actor<'_> {
    async fn channel(&self, kind: &str, name: &str, people: &[&str]) -> String {
        let body = json!({"workspaceId": self.workspace, "kind": kind, "name": name, "people": people});
        text(&self.post("/api/channels", body).await.expect(StatusCode::CREATED)["id"])
    }

    async fn direct(&self, people: &[&str]) -> String {
        let body = json!({"workspaceId": self.workspace, "people": people});
        text(&self.post("/api/channels/direct", body).await.expect(StatusCode::OK)["id"])
    }

    async fn write_in(&self, channel: &str, words: &str) -> Value {
        let path = format!("/api/channels/{channel}/messages");
        self.post(&path, json!({"text": words})).await.expect(StatusCode::CREATED)
    }

    pub async fn messages_in(&self, channel: &str) -> Vec<Value> {
        let messages = self.get_owned(format!("/api/channels/{channel}/messages")).await;
        messages["messages"].as_array().expect("messages").clone()
    }

    pub async fn channels(&self) -> Value {
        self.get_owned(format!("/api/channels?workspaceId={}", self.workspace)).await
    }

    async fn notices(&self) -> Reading {
        let path = format!("/api/events?workspaceId={}", self.workspace);
        Reading::open(self.request(Method::GET, &path)).await
    }
}

#[tokio::test]
async fn who_may_do_what_in_which_channel() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = member(&app, &ana, "cleo").await;
    let eve = app.person("eve").await;
    let slug = ana.open_to_public(json!({})).await;
    let visitor = app.visitor(&slug).await;
    let made = |of: &Actor<'_>| json!({"name": "t", "workspaceId": of.workspace});
    let bens = ben.post("/api/auth/tokens", made(&ben)).await.expect(StatusCode::CREATED);
    let bens = ben.with_token(&text(&bens["token"]));
    let eves = eve.post("/api/auth/tokens", made(&eve)).await.expect(StatusCode::CREATED);
    let eves = eve.with_token(&text(&eves["token"]));
    let open = ana.channel("open", "general", &[]).await;
    let private = ana.channel("private", "board", &[&ben.id]).await;
    let direct = ana.direct(&[&ben.id]).await;
    let messages = [
        text(&ana.write_in(&open, "in the open").await["id"]),
        text(&ana.write_in(&private, "on the board").await["id"]),
        text(&ana.write_in(&direct, "to ben").await["id"]),
    ];
    // In the order open, private, direct; each reads and writes where they may, and meets nothing elsewhere.
    for (name, who, sees) in [
        ("owner", &ana, [200, 200, 200]),
        ("member in it", &ben, [200, 200, 200]),
        ("their token", &bens, [200, 200, 200]),
        ("member outside", &cleo, [200, 404, 404]),
        ("of another workspace", &eve, [404, 404, 404]),
        ("their token", &eves, [404, 404, 404]),
        ("visitor", &visitor, [401, 401, 401]),
    ] {
        for ((channel, message), status) in [&open, &private, &direct].into_iter().zip(&messages).zip(sees) {
            let at = |rest: &str| format!("/api/channels/{channel}{rest}");
            let one = at(&format!("/messages/{message}"));
            let thread = at(&format!("/messages?threadId={message}"));
            let created = if status == 200 { 201 } else { status };
            let is_own = name == "owner";
            let changed = if status == 200 && !is_own { 409 } else { status };
            let answers: [(Answer, u16); 10] = [
                (who.get(&at("")).await, status),
                (who.get(&at("/members")).await, status),
                (who.get(&at("/messages")).await, status),
                (who.get(&thread).await, status),
                (who.get(&one).await, status),
                (who.post(&at("/read"), json!({"number": 1})).await, status),
                (who.post(&at("/messages"), json!({"text": "hello"})).await, created),
                (who.post(&at("/messages"), json!({"text": "x", "thread_id": message})).await, created),
                (who.patch(&one, json!({"text": "changed"})).await, changed),
                (
                    who.get(&format!(
                        "/api/channels/search?workspaceId={}&search=x&channelId={channel}",
                        ana.workspace
                    ))
                    .await,
                    if name == "of another workspace" || (name == "their token" && status == 404) {
                        403
                    } else {
                        status
                    },
                ),
            ];
            for (at, (answer, expected)) in answers.iter().enumerate() {
                assert_eq!(answer.status.as_u16(), *expected, "{name}, request {at}: {}", answer.body);
            }
        }
    }
    assert_eq!(cleo.channels().await["channels"].as_array().expect("channels").len(), 1, "she wrote in one");
    assert_eq!(ben.channels().await["total"], 3);
    let path = format!("/api/channels?workspaceId={}", ana.workspace);
    assert_eq!(eve.get(&path).await.refusal(), (403, "not_a_member"));
    // Ids of one channel say nothing in another.
    let stray = format!("/api/channels/{open}/messages/{}", messages[1]);
    assert_eq!(ben.get(&stray).await.refusal(), (404, "not_found"));
    let stray = json!({"text": "x", "thread_id": messages[1]});
    let answer = ben.post(&format!("/api/channels/{open}/messages"), stray).await;
    assert_eq!(answer.refusal(), (404, "not_found"));

    // What the area says holds everywhere.
    let areas = format!("/api/workspaces/{}/areas", ana.workspace);
    let rule = |access: &str| json!({"rules": [{"role": "member", "area": "messages", "access": access}]});
    ana.patch(&areas, rule("read")).await.expect(StatusCode::OK);
    let write = ben.post(&format!("/api/channels/{open}/messages"), json!({"text": "x"})).await;
    assert_eq!(write.refusal(), (403, "area_refused"));
    ben.get(&format!("/api/channels/{open}/messages")).await.expect(StatusCode::OK);
    ana.patch(&areas, rule("none")).await.expect(StatusCode::OK);
    for rest in ["", "/messages", "/members"] {
        let answer = ben.get(&format!("/api/channels/{private}{rest}")).await;
        assert_eq!(answer.refusal(), (403, "area_refused"), "{rest}");
    }
    app.end().await;
}

#[tokio::test]
async fn messages_threads_mentions_and_what_is_refused() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let channel = ana.channel("open", "#General", &[&ben.id]).await;
    let path = format!("/api/channels/{channel}/messages");
    // The same request again is the same message.
    let send = async |key: &str, words: &str| {
        let request = ana.request(Method::POST, &path).header("idempotency-key", key.to_owned());
        Answer::read(request.json(&json!({"text": words}))).await
    };
    let first = send("k", "Hello @ben").await.expect(StatusCode::CREATED);
    assert_eq!(send("k", "Hello @ben").await.expect(StatusCode::CREATED)["id"], first["id"]);
    assert_eq!(send("k", "Other").await.refusal(), (422, "idempotency_key_reused"));
    assert_eq!(first["text"], format!("Hello [@ben](person:{})", ben.id));
    let reply = json!({"text": "Hi", "thread_id": first["id"]});
    ben.post(&path, reply).await.expect(StatusCode::CREATED);
    let mentions = |of: &str| format!("/api/channels/mentions?workspaceId={of}");
    let bens = ben.get_owned(mentions(&ben.workspace)).await;
    assert_eq!((&bens["unread"], &bens["mentions"][0]["reason"]), (&json!(1), &json!("named")));
    let anas = ana.get_owned(mentions(&ana.workspace)).await;
    assert_eq!((&anas["unread"], &anas["mentions"][0]["reason"]), (&json!(1), &json!("replied")));
    let seen = &ben.channels().await["channels"][0];
    assert_eq!(
        (&seen["name"], &seen["unread"], &seen["unread_mentions"]),
        (&json!("General"), &json!(1), &json!(1))
    );
    ben.post(&format!("/api/channels/{channel}/read"), json!({"number": 1})).await.expect(StatusCode::OK);
    let list = ben.channels().await;
    assert_eq!((&list["channels"][0]["unread"], &list["unread_mentions"]), (&json!(0), &json!(0)));

    let one = format!("{path}/{}", text(&first["id"]));
    let edited = ana.patch(&one, json!({"text": "Good morning"})).await.expect(StatusCode::OK);
    assert_eq!((edited["text"].as_str(), edited["edited_at"].is_string()), (Some("Good morning"), true));
    let gone = ana.delete(&one).await.expect(StatusCode::OK);
    assert_eq!((gone["text"].as_str(), gone["deleted_at"].is_string()), (Some(""), true));
    assert_eq!(ana.delete(&one).await.refusal(), (409, "not_possible"));

    for (answer, expected, field) in [
        (ana.post(&path, json!({"text": " "})).await, (400, "invalid_field"), "text"),
        (ana.post(&path, json!({"text": "x".repeat(10_001)})).await, (400, "invalid_field"), "text"),
        (ana.get(&format!("{path}?before=1&after=2")).await, (400, "invalid_field"), "before"),
        (ana.get(&format!("{path}?limit=0")).await, (400, "invalid_field"), "limit"),
        (
            ana.post("/api/channels", json!({"workspaceId": ana.workspace, "kind": "direct", "name": "x"}))
                .await,
            (400, "invalid_field"),
            "kind",
        ),
        (
            ana.post(
                "/api/channels",
                json!({"workspaceId": ana.workspace, "kind": "open", "name": "general"}),
            )
            .await,
            (409, "name_taken"),
            "name",
        ),
    ] {
        assert_eq!((answer.refusal(), &answer.body["field"]), (expected, &json!(field)), "{}", answer.body);
    }
    let alone =
        ana.post("/api/channels/direct", json!({"workspaceId": ana.workspace, "people": [ana.id]})).await;
    assert_eq!(alone.refusal(), (409, "not_possible"));
    app.end().await;
}

#[tokio::test]
async fn a_message_reaches_open_pages_at_once_and_only_those_of_its_readers() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = member(&app, &ana, "cleo").await;
    let private = ana.channel("private", "board", &[&ben.id]).await;
    let direct = ana.direct(&[&cleo.id]).await;
    let (mut bens, mut cleos) = (ben.notices().await, cleo.notices().await);
    let sent = ana.write_in(&private, "Hello @ben").await;
    let told = bens.until("channel_message").await;
    assert_eq!((&told.data["messageId"], &told.data["change"]), (&sent["id"], &json!("sent")));
    assert_eq!(bens.until("mentioned").await.data["messageId"], sent["id"]);
    // The next that Cleo hears is hers, though all were told in this order.
    ana.write_in(&direct, "only for you").await;
    let told = cleos.next().await.expect("a notice");
    assert_eq!((told.name.as_str(), &told.data["channelId"]), ("channel_message", &json!(direct)));
    // Reading is told to one's own other pages.
    ben.post(&format!("/api/channels/{private}/read"), json!({"number": 1})).await.expect(StatusCode::OK);
    let told = bens.next().await.expect("a notice");
    assert_eq!((told.name.as_str(), &told.data["channelId"]), ("channel_changed", &json!(private)));
    // Who is taken out hears that, and then nothing more.
    ana.delete(&format!("/api/channels/{private}/members/{}", ben.id)).await.expect(StatusCode::OK);
    assert_eq!(bens.next().await.expect("a notice").name, "channel_changed");
    ana.write_in(&private, "without ben").await;
    ana.channel("open", "lobby", &[]).await;
    let told = bens.next().await.expect("a notice");
    assert!(told.name == "channel_changed" && told.data["channelId"] != json!(private), "{told:?}");
    app.end().await;
}

#[tokio::test]
async fn a_message_shows_at_the_other_node() {
    let Some((app, second, _script)) = two_nodes(json!([{"text": "Hi."}])).await else { return };
    let ana = app.person("ana").await;
    let channel = ana.channel("private", "board", &[]).await;
    let there = elsewhere(&second, &ana);
    let mut tab = there.notices().await;
    let sent = ana.write_in(&channel, "Hello").await;
    let told = tokio::time::timeout(Duration::from_secs(10), tab.until("channel_message")).await;
    assert_eq!(told.expect("in time").data["messageId"], sent["id"]);
    assert_eq!(there.messages_in(&channel).await[0]["text"], "Hello");
    second.end().await;
    app.end().await;
}
