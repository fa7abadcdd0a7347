use std::io::{Cursor, Write};

use baton_core::ids::AgentId;
use baton_core::tools::{ToolPlace, Toolbox};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::agents::member;
use crate::test_app::{Actor, Answer, TestApp, text};

fn report(of: &Actor<'_>) -> Value {
    json!({"workspaceId": of.workspace, "name": "weekly-report", "description": "Reports.", "content": "# Do"})
}

async fn names(of: &Actor<'_>) -> Vec<String> {
    let list = of.get_owned(format!("/api/skills?workspaceId={}", of.workspace)).await;
    list["skills"].as_array().expect("skills").iter().map(|skill| text(&skill["name"])).collect()
}

#[tokio::test]
async fn a_skill_from_making_to_an_agents_prompt() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let made = ana.post("/api/skills", report(&ana)).await.expect(StatusCode::CREATED);
    assert_eq!((&made["display_name"], &made["icon"]), (&json!("Weekly report"), &json!("📋")));
    assert_eq!((&made["is_active"], &made["agent_ids"]), (&json!(true), &json!([])));
    let taken = ana.post("/api/skills", report(&ana)).await;
    assert_eq!((taken.refusal(), &taken.body["field"]), ((409, "name_taken"), &json!("name")));

    let path = format!("/api/skills/{}", text(&made["id"]));
    let changed = ana.patch(&path, json!({"agent_ids": [agent], "icon": "🧾"})).await.expect(StatusCode::OK);
    assert_eq!((&changed["agent_ids"], &changed["content"]), (&json!([agent]), &json!("# Do")));
    assert_eq!(ana.get(&path).await.expect(StatusCode::OK), changed);

    let store = &app.app.store;
    let tools = &app.app.tools;
    let place = ToolPlace { in_team: false, is_public: false };
    let agent = store.agent(AgentId(agent.parse().expect("an id"))).await.expect("an agent");
    let offer = tools.offered(&agent, place).await.expect("an offer");
    assert!(offer.skills.expect("a block").contains("- weekly-report: Reports."));
    ana.patch(&path, json!({"is_active": false})).await.expect(StatusCode::OK);
    assert_eq!(tools.offered(&agent, place).await.expect("an offer").skills, None);

    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    assert!(names(&ana).await.is_empty());
    app.end().await;
}

#[tokio::test]
async fn members_read_and_admins_decide() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let made = ana.post("/api/skills", report(&ana)).await.expect(StatusCode::CREATED);
    let path = format!("/api/skills/{}", text(&made["id"]));
    let list = format!("/api/skills?workspaceId={}", ana.workspace);
    let import = format!("/api/skills/import?workspaceId={}", ana.workspace);

    assert_eq!(names(&ben).await, ["weekly-report"]);
    ben.get(&path).await.expect(StatusCode::OK);
    assert_eq!(ben.post("/api/skills", report(&ana)).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.patch(&path, json!({"icon": "x"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&path).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.post(&import, json!({})).await.refusal(), (403, "role_too_low"));

    assert_eq!(cleo.get(&list).await.refusal(), (403, "not_a_member"));
    assert_eq!(cleo.post("/api/skills", report(&ana)).await.refusal(), (403, "not_a_member"));
    assert_eq!(cleo.post(&import, json!({})).await.refusal(), (403, "not_a_member"));
    for refused in [cleo.get(&path).await, cleo.patch(&path, json!({})).await, cleo.delete(&path).await] {
        assert_eq!(refused.refusal(), (404, "not_found"));
    }
    assert_eq!(app.anonymous().get(&list).await.status, 401);

    let other = ana.post("/api/workspaces", json!({"name": "Other"})).await.expect(StatusCode::CREATED);
    let token = ana.post("/api/auth/tokens", json!({"name": "x", "workspaceId": other["id"]})).await;
    let program = ana.with_token(&text(&token.expect(StatusCode::CREATED)["token"]));
    assert_eq!(program.get(&list).await.refusal(), (403, "not_a_member"), "a token is for one workspace");
    assert_eq!(program.get(&path).await.refusal(), (404, "not_found"));

    let theirs = text(&cleo.agent("Budget Coach").await["localAgentId"]);
    assert_eq!(ana.patch(&path, json!({"agent_ids": [theirs]})).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn wrong_fields_of_skills_are_named() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    for (field, value) in [
        ("name", json!("Not Plain")),
        ("name", json!("a--b")),
        ("name", json!("x".repeat(65))),
        ("description", json!("")),
        ("description", json!("x".repeat(1_025))),
        ("content", json!("a\u{0}")),
        ("content", json!("x".repeat(100_001))),
        ("display_name", json!("a\nb")),
        ("icon", json!("x".repeat(41))),
        ("agent_ids", json!(vec![ana.id.clone(); 201])),
        ("nmae", json!("typo")),
    ] {
        let mut body = report(&ana);
        body[field] = value;
        let answer = ana.post("/api/skills", body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{}", answer.body);
    }
    assert!(names(&ana).await.is_empty());
    app.end().await;
}

fn skill_md(name: &str, content: &str) -> String {
    format!("---\nname: {name}\ndescription: >\n  Does\n  {name}.\nlicense: MIT\n---\n\n{content}\n")
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in files {
        zip.start_file(*path, SimpleFileOptions::default()).expect("a file");
        zip.write_all(content.as_bytes()).expect("written");
    }
    zip.finish().expect("a zip").into_inner()
}

#[tokio::test]
async fn importing_a_file_and_a_zip() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let path = format!("/api/skills/import?workspaceId={}", ana.workspace);
    let send = |kind: &'static str, body: Vec<u8>| {
        Answer::read(ana.request(Method::POST, &path).header("content-type", kind).body(body))
    };
    let one = send("text/markdown", skill_md("pdf", "# Old").into_bytes()).await.expect(StatusCode::OK);
    assert_eq!(one["created"][0]["description"], "Does pdf.");
    assert_eq!((&one["created"][0]["content"], &one["left_out"]), (&json!("# Old"), &json!([])));

    let (pdf, docx) = (skill_md("pdf", "# New"), skill_md("docx", "# Words"));
    let files =
        [("pdf/SKILL.md", pdf.as_str()), ("docx/SKILL.md", docx.as_str()), ("pdf/scripts/x.py", "print()")];
    let several = send("application/zip", zipped(&files)).await.expect(StatusCode::OK);
    assert_eq!(
        (&several["created"][0]["name"], &several["updated"][0]["name"]),
        (&json!("docx"), &json!("pdf"))
    );
    assert_eq!(several["updated"][0]["content"], "# New");
    assert_eq!(several["left_out"], json!(["pdf/scripts/x.py"]));
    assert_eq!(names(&ana).await, ["docx", "pdf"]);

    let wrong = send("text/markdown", b"# No front matter".to_vec()).await;
    assert_eq!((wrong.refusal(), &wrong.body["field"]), ((400, "invalid_skill"), &json!("front_matter")));
    let half = zipped(&[("new/SKILL.md", &skill_md("new", "x")), ("bad/SKILL.md", "x")]);
    assert_eq!(send("application/zip", half).await.refusal(), (400, "invalid_skill"));
    let spaces = " ".repeat(3 * 1024 * 1024);
    let bomb = zipped(&[("new/SKILL.md", &skill_md("new", &spaces))]);
    assert_eq!(send("application/zip", bomb).await.refusal(), (413, "too_large"));
    assert_eq!(send("application/zip", vec![0; 9 * 1024 * 1024]).await.refusal(), (413, "too_large"));
    assert_eq!(send("application/zip", b"\xff\x00".to_vec()).await.refusal(), (415, "unsupported_type"));
    assert_eq!(send("application/zip", vec![]).await.status, 400);
    assert_eq!(names(&ana).await, ["docx", "pdf"], "what was refused left nothing behind");
    app.end().await;
}
