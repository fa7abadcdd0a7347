use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::test_app::{Answer, TestApp, text};

/// (method, path, body, the field that must be named)
type Case = (Method, String, Value, &'static str);

pub fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}

#[tokio::test]
async fn wrong_fields_are_named_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let conversation = ana.conversation("Budget Coach").await;
    let workspace = ana.workspace.clone();
    let before = ana.agents("").await;
    let new_agent =
        |name: Value, prompt: Value| json!({"workspaceId": workspace, "name": name, "system_prompt": prompt});
    let agents = || "/api/agents".to_owned();
    let patch = || format!("/api/agents/{agent}");
    let import = || format!("/api/agent-conversations/{conversation}/messages");
    let said = |content: &str| json!({"messages": [{"role": "user", "content": content}]});
    let cases: Vec<Case> = vec![
        (Method::POST, agents(), new_agent(json!(5), json!("x")), "name"),
        (Method::POST, agents(), new_agent(json!("a\u{0}b"), json!("x")), "name"),
        (Method::POST, agents(), new_agent(json!("line\nbreak"), json!("x")), "name"),
        (Method::POST, agents(), new_agent(json!("x".repeat(101)), json!("x")), "name"),
        (Method::POST, agents(), new_agent(json!("x"), json!("a\u{0}b")), "system_prompt"),
        (Method::POST, agents(), new_agent(json!("x"), json!("   ")), "system_prompt"),
        (Method::POST, agents(), json!({"name": "x", "system_prompt": "y"}), "workspaceId"),
        (
            Method::POST,
            agents(),
            json!({"workspaceId": "no", "name": "x", "system_prompt": "y"}),
            "workspaceId",
        ),
        (Method::PATCH, patch(), json!({"max_turns": 0}), "max_turns"),
        (Method::PATCH, patch(), json!({"max_turns": 99999999999i64}), "max_turns"),
        (Method::PATCH, patch(), json!({"model": "unknown/x"}), "model"),
        (Method::PATCH, patch(), json!({"model": "sonet"}), "model"),
        (
            Method::POST,
            agents(),
            {
                let mut new = new_agent(json!("x"), json!("y"));
                new["model"] = json!("sonet");
                new
            },
            "model",
        ),
        (Method::PATCH, patch(), json!({"permission_mode": "yolo"}), "permission_mode"),
        (Method::PATCH, patch(), json!({"category": 7}), "category"),
        (Method::PATCH, patch(), json!({"tools": ["a", 5]}), "tools[1]"),
        (Method::PATCH, patch(), json!({"tools": vec!["t"; 101]}), "tools"),
        (Method::PATCH, patch(), json!({"config": [1]}), "config"),
        (Method::PATCH, patch(), json!({"config": {"deep": {"a\u{0}": 1}}}), "config"),
        (
            Method::PATCH,
            patch(),
            json!({"department_id": "018f3c1e-0000-7000-8000-000000000000"}),
            "department_id",
        ),
        (Method::PATCH, patch(), json!({"avatar_url": "javascript:alert(1)"}), "avatar_url"),
        (Method::PATCH, patch(), json!({"avatar_url": "http://169.254.169.254/latest"}), "avatar_url"),
        (Method::PATCH, patch(), json!({"nmae": "typo"}), "nmae"),
        (Method::PATCH, patch(), json!({"name": null}), "name"),
        (Method::PATCH, patch(), json!({"system_prompt": null}), "system_prompt"),
        (Method::PATCH, patch(), json!({"is_free": null}), "is_free"),
        (Method::PATCH, patch(), json!({"name": "\u{200b}"}), "name"),
        (Method::PATCH, patch(), json!({"tools": ["ok", "x".repeat(101)]}), "tools[1]"),
        (
            Method::POST,
            agents(),
            json!({"workspaceId": workspace, "name": "x", "system_prompt": "y", "max_turn": 5}),
            "max_turn",
        ),
        (
            Method::POST,
            format!("/api/workspaces/{workspace}/invitations"),
            json!({"Email": "x@y.z"}),
            "Email",
        ),
        (Method::PATCH, patch(), json!({"description": "a\u{0}"}), "description"),
        (Method::POST, import(), json!({"messages": []}), "messages"),
        (Method::POST, import(), said(""), "messages[0].content"),
        (Method::POST, import(), said("a\u{0}"), "messages[0].content"),
        (
            Method::POST,
            import(),
            json!({"messages": [{"role": "system", "content": "x"}]}),
            "messages[0].role",
        ),
        (Method::POST, import(), json!({"messages": [{"role": "user"}]}), "messages[0].content"),
        (
            Method::POST,
            import(),
            json!({"messages": [{"role": "user", "content": "x", "parts": [{"type": "t", "a": "\u{0}"}]}]}),
            "messages[0].parts",
        ),
        (Method::PATCH, patch(), json!({"config": {"deep": nested(64)}}), "config"),
        (
            Method::POST,
            import(),
            json!({"messages": [{"role": "user", "content": "x", "parts": [{"type": "t", "a": nested(63)}]}]}),
            "messages[0].parts",
        ),
        (
            Method::POST,
            import(),
            json!({"messages": vec![json!({"role": "user", "content": "x"}); 101]}),
            "messages",
        ),
        (
            Method::PATCH,
            format!("/api/agent-conversations/{conversation}"),
            json!({"title": "a\u{0}"}),
            "title",
        ),
        (Method::PATCH, format!("/api/agent-conversations/{conversation}"), json!({}), "title"),
        (Method::POST, "/api/workspaces".into(), json!({"name": "\u{0}"}), "name"),
        (
            Method::POST,
            "/api/rules".into(),
            json!({"workspaceId": workspace, "name": "x", "content": "\u{0}"}),
            "content",
        ),
        (
            Method::POST,
            "/api/rules".into(),
            json!({"workspaceId": workspace, "name": "x", "content": "y", "agent_ids": [ana.id]}),
            "agent_ids",
        ),
        (Method::POST, "/api/auth/tokens".into(), json!({"workspaceId": workspace, "name": ""}), "name"),
        (Method::PATCH, "/api/auth/me".into(), json!({"email": "not an address"}), "email"),
    ];
    for (method, path, body, field) in cases {
        let answer = Answer::read(ana.request(method.clone(), &path).json(&body)).await;
        let named = answer.body["field"].as_str().unwrap_or_default();
        assert_eq!((answer.status.as_u16(), named), (400, field), "{method} {path} {body} → {}", answer.body);
    }
    assert_eq!(ana.agents("").await, before);
    let read = ana.get(&format!("/api/agent-conversations/{conversation}")).await.expect(StatusCode::OK);
    assert_eq!(read["messages"], json!([]));
    app.end().await;
}

#[tokio::test]
async fn sign_up_names_what_is_wrong() {
    let app = TestApp::new().await;
    let cases = [
        (json!({"email": "x", "password": "long enough", "name": "A"}), "email"),
        (json!({"email": "a@b\u{0}", "password": "long enough", "name": "A"}), "email"),
        (json!({"email": "a@b.c", "password": "short", "name": "A"}), "password"),
        (json!({"email": "a@b.c", "password": "x".repeat(10_000), "name": "A"}), "password"),
        (json!({"email": "a@b.c", "password": "long enough", "name": " "}), "name"),
        (json!({"email": "a@b.c", "password": "long enough"}), "name"),
    ];
    for (body, field) in cases {
        let answer = app.anonymous().post("/api/auth/sign-up", body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)));
    }
    app.end().await;
}

#[tokio::test]
async fn wrong_queries_are_named() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    for (query, field) in [
        ("", "workspaceId"),
        ("workspaceId=no", "workspaceId"),
        ("workspaceId={w}&limit=0", "limit"),
        ("workspaceId={w}&limit=99999999999999999999", "limit"),
        ("workspaceId={w}&limit=-1", "limit"),
        ("workspaceId={w}&offset=99999999999", "offset"),
        ("workspaceId={w}&hired_only=maybe", "hired_only"),
        ("workspaceId={w}&category=nonsense", "category"),
        ("workspaceId={w}&department_id=7", "department_id"),
        ("workspaceId={w}&search=%00", "search"),
        ("workspaceId={w}&workspaceId={w}", "workspaceId"),
    ] {
        let answer = ana.get(&format!("/api/agents?{}", query.replace("{w}", &ana.workspace))).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{query}");
    }
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let list =
        format!("/api/agent-conversations?workspaceId={}&agentId={agent}&before=nonsense", ana.workspace);
    assert_eq!(ana.get(&list).await.body["field"], "before");
    assert_eq!(ana.get("/api/agents/not-an-id").await.body["field"], "id");
    assert_eq!(ana.get("/api/agents/018f3c1e-0000-7000-8000-000000000000").await.status, 404);
    app.end().await;
}

#[tokio::test]
async fn bodies_that_are_no_bodies() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let send = |kind: &'static str, body: Vec<u8>| {
        let request =
            ana.request(Method::POST, "/api/workspaces").header(header::CONTENT_TYPE, kind).body(body);
        Answer::read(request)
    };
    let json_type = "application/json";
    for (kind, body, status) in [
        (json_type, b"{".to_vec(), 400),
        (json_type, b"".to_vec(), 400),
        (json_type, b"null".to_vec(), 400),
        (json_type, b"[1]".to_vec(), 400),
        (json_type, b" [\"a name\"]".to_vec(), 400),
        (json_type, b"{\"name\":\"a\"} trailing".to_vec(), 400),
        (json_type, b"{\"name\":\"\\ud800\"}".to_vec(), 400),
        (json_type, b"\xff\xfe".to_vec(), 400),
        (json_type, "[".repeat(100_000).into_bytes(), 400),
        (json_type, vec![b' '; 10 * 1024 * 1024], 413),
        ("text/plain", b"{\"name\":\"a\"}".to_vec(), 415),
    ] {
        let answer = send(kind, body).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
        assert!(answer.body["error"].is_string() && answer.body["code"].is_string(), "{}", answer.body);
    }
    app.end().await;
}

#[tokio::test]
async fn text_of_every_script_is_kept_as_it_was() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    for name in ["👩🏽‍💻🇨🇭", "مرحبا \u{202e}abc", "日本語テスト", "Ω≈ç√∫˜µ≤", "𝕌𝕟𝕚𝕔𝕠𝕕𝕖", "e\u{301}\u{327}"]
    {
        let body =
            json!({"workspaceId": ana.workspace, "name": name, "system_prompt": name, "description": name});
        let made = ana.post("/api/agents", body).await.expect(StatusCode::CREATED);
        assert_eq!((&made["name"], &made["system_prompt"]), (&json!(name), &json!(name)));
        let slug = text(&made["slug"]);
        assert!(!slug.is_empty() && slug.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{slug}");
        assert_eq!(ana.agent(name).await["description"], json!(name));
    }
    app.end().await;
}
