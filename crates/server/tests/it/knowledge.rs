//! Pages over HTTP: the tree, versions, search, and who may.

use std::io::{Cursor, Write};

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::agents::member;
use crate::test_app::{Actor, Answer, TestApp, text};

pub fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    zipped_bytes(&files)
}

pub fn zipped_bytes(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(*path, SimpleFileOptions::default()).expect("a file");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("a zip").into_inner()
}

pub async fn open_app() -> TestApp {
    TestApp::with(Given { sign_up: Some(SignUp::Open), ..Given::default() }).await
}

impl Actor<'_> {
    pub async fn write_page(&self, parent: Option<&Value>, title: &str, body: &str) -> Value {
        let page = json!({"workspaceId": self.workspace, "parent_id": parent, "title": title, "body": body});
        self.post("/api/knowledge", page).await.expect(StatusCode::CREATED)
    }

    pub async fn pages(&self, more: &str) -> Value {
        let path = format!("/api/knowledge?workspaceId={}{more}", self.workspace);
        self.get(&path).await.expect(StatusCode::OK)
    }

    pub async fn page(&self, id: &Value) -> Value {
        self.get(&format!("/api/knowledge/{}", text(id))).await.expect(StatusCode::OK)
    }

    async fn found(&self, words: &str) -> Vec<String> {
        let path = format!("/api/knowledge/search?workspaceId={}&search={words}", self.workspace);
        let found = self.get(&path).await.expect(StatusCode::OK);
        found["pages"].as_array().expect("pages").iter().map(|page| text(&page["title"])).collect()
    }
}

pub fn titles(list: &Value) -> Vec<String> {
    list["pages"].as_array().expect("pages").iter().map(|page| text(&page["title"])).collect()
}

#[tokio::test]
async fn pages_are_written_changed_moved_deleted_and_restored() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let handbook = ana.write_page(None, "Handbook", "").await;
    let refunds = ana.write_page(Some(&handbook["id"]), "Refunds", "Within 30 days.").await;
    assert_eq!(refunds["path"], "handbook/refunds");
    assert_eq!(refunds["last_change"]["profile_name"], "ana");
    assert_eq!(titles(&ana.pages("").await), ["Handbook"]);
    assert_eq!(ana.pages("").await["pages"][0]["children"], 1);
    let below = format!("&parentId={}", text(&handbook["id"]));
    assert_eq!(titles(&ana.pages(&below).await), ["Refunds"]);

    let path = format!("/api/knowledge/{}", text(&refunds["id"]));
    let change =
        json!({"version": 1, "body": "See [[handbook]].", "properties": [{"name": "owner", "value": "Ana"}]});
    let changed = ana.patch(&path, change.clone()).await.expect(StatusCode::OK);
    assert_eq!((&changed["version"], &changed["properties"][0]["value"]), (&json!(2), &json!("Ana")));
    assert_eq!(changed["body"], format!("See [handbook](page:{}).", text(&handbook["id"])));
    let stale = ana.patch(&path, change).await;
    assert_eq!(stale.refusal(), (409, "page_changed"));
    assert!(text(&stale.body["error"]).contains("you saw version 1, it is at version 2"));
    let links = ana.get(&format!("/api/knowledge/{}/links", text(&handbook["id"]))).await;
    assert_eq!(links.expect(StatusCode::OK)["backlinks"][0]["title"], "Refunds");
    let below_itself = json!({"version": 1, "parent_id": refunds["id"]});
    let refused = ana.post(&format!("/api/knowledge/{}/move", text(&handbook["id"])), below_itself).await;
    assert_eq!(refused.refusal(), (409, "not_possible"));
    let top = json!({"version": 2, "parent_id": null, "before_id": handbook["id"]});
    let moved = ana.post(&format!("{path}/move"), top).await.expect(StatusCode::OK);
    assert_eq!(moved["path"], "refunds");
    assert_eq!(titles(&ana.pages("").await), ["Refunds", "Handbook"]);

    let versions = ana.get(&format!("{path}/versions")).await.expect(StatusCode::OK);
    let what: Vec<String> =
        versions["versions"].as_array().expect("versions").iter().map(|one| text(&one["what"])).collect();
    assert_eq!(what, ["moved", "changed", "created"]);
    let first = ana.get(&format!("{path}/versions/1")).await.expect(StatusCode::OK);
    assert_eq!(first["body"], "Within 30 days.");
    assert_eq!(ana.get(&format!("{path}/versions/9")).await.refusal(), (404, "not_found"));
    let restored = ana.post(&format!("{path}/versions/1/restore"), json!({"version": 3})).await;
    assert_eq!(restored.expect(StatusCode::OK)["body"], "Within 30 days.");

    assert_eq!(ana.found("30%20day").await, ["Refunds"]);
    ana.delete(&format!("{path}?version=4")).await.expect(StatusCode::OK);
    assert!(ana.found("30").await.is_empty());
    assert_eq!(titles(&ana.pages("&order=deleted").await), ["Refunds"]);
    ana.delete(&path).await.expect(StatusCode::OK);
    ana.post(&format!("{path}/restore"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(ana.found("30").await, ["Refunds"]);
    app.end().await;
}

#[tokio::test]
async fn the_same_request_is_done_once() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let page = json!({"workspaceId": ana.workspace, "title": "Once"});
    let send = async |body: &Value| {
        let request = ana.request(Method::POST, "/api/knowledge").header("idempotency-key", "k1").json(body);
        Answer::read(request).await
    };
    let first = send(&page).await.expect(StatusCode::CREATED);
    let again = send(&page).await.expect(StatusCode::CREATED);
    assert_eq!(first["id"], again["id"]);
    assert_eq!(ana.pages("").await["total"], 1);
    let other = json!({"workspaceId": ana.workspace, "title": "Other"});
    assert_eq!(send(&other).await.refusal(), (422, "idempotency_key_reused"));
    app.end().await;
}

#[tokio::test]
async fn who_may_is_what_owners_say() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let page = ana.write_page(None, "Refunds", "x").await;
    let path = format!("/api/knowledge/{}", text(&page["id"]));
    let allow = async |access: &str| {
        let rules = json!({"rules": [{"role": "member", "area": "knowledge", "access": access}]});
        ana.patch(&format!("/api/workspaces/{}/areas", ana.workspace), rules).await.expect(StatusCode::OK);
    };
    let change = json!({"version": 1, "title": "Mine"});
    allow("read").await;
    assert_eq!(ben.page(&page["id"]).await["title"], "Refunds");
    assert_eq!(ben.patch(&path, change.clone()).await.refusal(), (403, "area_refused"));
    let zip = ben.request(Method::POST, &format!("/api/knowledge/import?workspaceId={}", ana.workspace));
    assert_eq!(Answer::read(zip.body(zipped(&[("a.md", "a")]))).await.refusal(), (403, "area_refused"));
    allow("none").await;
    for path in
        [path.clone(), format!("{path}/versions"), format!("/api/knowledge?workspaceId={}", ana.workspace)]
    {
        let refused = ben.get(&path).await;
        assert_eq!(refused.refusal(), (403, "area_refused"), "{path}");
        let said = refused.body["error"].as_str().unwrap_or_default();
        assert!(said.starts_with("In this workspace"), "as of other areas: {said}");
    }
    let all = ben.get(&format!("/api/workspaces/{}/export", ana.workspace)).await;
    assert!(all.body.get("pages").is_none());
    allow("write").await;
    ben.patch(&path, change).await.expect(StatusCode::OK);
    // For who is elsewhere it does not exist.
    let eve = app.person("eve").await;
    assert_eq!(eve.get(&path).await.refusal(), (404, "not_found"));
    let theirs = format!("/api/knowledge?workspaceId={}", ana.workspace);
    assert_eq!(eve.get(&theirs).await.refusal(), (403, "not_a_member"));
    app.end().await;
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let page = ana.write_page(None, "Refunds", "x").await;
    let path = format!("/api/knowledge/{}", text(&page["id"]));
    let workspace = &ana.workspace;
    for (body, field) in [
        (json!({"workspaceId": workspace, "title": " "}), "title"),
        (json!({"workspaceId": workspace, "title": "a", "body": "x".repeat(200_001)}), "body"),
        (
            json!({"workspaceId": workspace, "title": "a", "properties": [{"name": "title", "value": ""}]}),
            "properties",
        ),
        (json!({"workspaceId": workspace, "title": "a", "more": 1}), "more"),
    ] {
        let refused = ana.post("/api/knowledge", body).await;
        assert_eq!((refused.status, refused.body["field"].as_str()), (StatusCode::BAD_REQUEST, Some(field)));
    }
    assert_eq!(ana.patch(&path, json!({"title": "a"})).await.body["field"], "version");
    let nowhere = json!({"workspaceId": workspace, "title": "a", "parent_id": workspace});
    assert_eq!(ana.post("/api/knowledge", nowhere).await.refusal(), (409, "not_possible"));
    let none = ana.get(&format!("/api/knowledge/search?workspaceId={workspace}&search=%3F%21")).await;
    assert_eq!(none.expect(StatusCode::OK)["total"], 0);
    app.end().await;
}
