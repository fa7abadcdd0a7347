//! Pages as files: images, imports that can be undone, and an export that comes back the same.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::knowledge::{open_app, titles, zipped, zipped_bytes};
use crate::test_app::{Actor, Answer, text};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0000000000";

impl Actor<'_> {
    async fn import(&self, zip: Vec<u8>, more: &str) -> Answer {
        let path = format!("/api/knowledge/import?workspaceId={}&filename=wiki.zip{more}", self.workspace);
        Answer::read(self.request(Method::POST, &path).header("content-type", "application/zip").body(zip))
            .await
    }

    async fn export_zip(&self) -> Vec<u8> {
        let path = format!("/api/knowledge/export?workspaceId={}", self.workspace);
        let response = self.request(Method::GET, &path).send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "application/zip");
        response.bytes().await.expect("a zip").to_vec()
    }

    /// Every page by its path, with all of it but ids, in the order of the tree.
    async fn everything(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut open = vec![String::new()];
        while let Some(below) = open.pop() {
            let list = self.pages(&below).await;
            for (place, node) in list["pages"].as_array().expect("pages").iter().enumerate() {
                let page = self.page(&node["id"]).await;
                let links = self.get(&format!("/api/knowledge/{}/links", text(&node["id"]))).await;
                let files = self.get(&format!("/api/knowledge/{}/files", text(&node["id"]))).await;
                let names = |list: &Value, field: &str| -> Vec<Value> {
                    list.as_array().expect("a list").iter().map(|one| one[field].clone()).collect()
                };
                // Ids differ elsewhere: what they stand for is compared by the links.
                let body = text(&page["body"]);
                for shown in body.split("(file:").skip(1) {
                    let path = format!("/api/knowledge/files/{}", &shown[..36]);
                    assert_eq!(self.get(&path).await.status, StatusCode::OK, "{body}");
                }
                let body: Vec<&str> =
                    body.split(&[':', ')', '#'][..]).filter(|part| part.len() != 36).collect();
                all.push(json!({
                    "path": page["path"], "title": page["title"], "body": body, "place": place,
                    "properties": page["properties"], "is_public": page["is_public"],
                    "links": names(&links.body["links"], "title"), "files": names(&files.body["files"], "size"),
                }));
                open.push(format!("&parentId={}", text(&node["id"])));
            }
        }
        all.sort_by_key(|page| text(&page["path"]));
        all
    }
}

fn wiki() -> Vec<u8> {
    zipped_bytes(&[
        ("Guide/index.md", b"---\ntitle: The guide\nowner: Ana\n---\n\nStart [here](start.md#first), see ![logo](../img/logo.png)."),
        ("Guide/start.md", b"# Start\n\nBack to [[Guide/index]] and [[policies|the rules]]. [gone](nowhere.md)"),
        ("policies/refunds.md", b"# Refunds\n\n![again](../img/logo.png) [file](../notes.csv)"),
        ("policies.md", b"# Policies\n"),
        ("img/logo.png", PNG),
        ("notes.csv", b"a,b\n1,2\n"),
        ("../evil.md", b"x"),
    ])
}

#[tokio::test]
async fn a_zip_becomes_pages_with_their_links_and_images() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let tried = ana.import(wiki(), "&dryRun=true").await.expect(StatusCode::OK);
    assert_eq!(tried["import_id"], Value::Null);
    assert_eq!(
        tried["counts"],
        json!({"read": 4, "created": 4, "changed": 0, "same": 0, "deleted": 0, "refused": 1, "files": 2})
    );
    assert_eq!(
        tried["refused"][0],
        json!({"path": "../evil.md", "reason": "its path leads out of the import"})
    );
    assert_eq!(ana.pages("").await["total"], 0, "it was only tried");

    let done = ana.import(wiki(), "").await.expect(StatusCode::OK);
    assert_eq!(done["counts"], tried["counts"], "what was foretold");
    assert_eq!(titles(&ana.pages("").await), ["The guide", "Policies"]);
    let all = ana.everything().await;
    let of = |path: &str| {
        all.iter().find(|page| page["path"] == path).unwrap_or_else(|| panic!("{path}: {all:?}")).clone()
    };
    let guide = of("the-guide");
    assert_eq!(guide["properties"], json!([{"name": "owner", "value": "Ana"}]));
    assert_eq!((&guide["links"], &guide["files"]), (&json!(["Start"]), &json!([PNG.len()])));
    let start = of("the-guide/start");
    assert_eq!(start["links"], json!(["Policies", "The guide"]));
    assert!(
        start["body"].to_string().contains("the rules") && start["body"].to_string().contains("nowhere.md")
    );
    assert_eq!(of("policies/refunds")["files"], json!([8]));

    // The same again doubles nothing; what changed is changed, and what a person wrote since stays.
    let again = ana.import(wiki(), "").await.expect(StatusCode::OK);
    assert_eq!((&again["counts"]["same"], &again["counts"]["files"]), (&json!(4), &json!(0)));
    let policies = ana.pages("").await["pages"][1].clone();
    let path = format!("/api/knowledge/{}", text(&policies["id"]));
    ana.patch(&path, json!({"version": policies["version"], "body": "By hand."}))
        .await
        .expect(StatusCode::OK);
    let other = zipped(&[("policies.md", "# Policies\n"), ("Guide/index.md", "# The guide\n\nAnew.")]);
    let changed = ana.import(other, "").await.expect(StatusCode::OK);
    assert_eq!((&changed["counts"]["same"], &changed["counts"]["changed"]), (&json!(1), &json!(1)));
    assert_eq!(ana.page(&policies["id"]).await["body"], "By hand.");

    // Undone in turn: the changed page has its text again, and what was made goes but for what was changed by hand.
    let undo = async |done: &Value| {
        ana.delete(&format!("/api/knowledge/imports/{}", text(&done["import_id"])))
            .await
            .expect(StatusCode::OK)
    };
    assert_eq!(undo(&changed).await, json!({"removed": 0, "reset": 1, "kept": 0}));
    assert_eq!(undo(&done).await, json!({"removed": 2, "reset": 0, "kept": 2}));
    let imports = ana.get(&format!("/api/knowledge/imports?workspaceId={}", ana.workspace)).await;
    let undone: Vec<bool> = imports.body["imports"]
        .as_array()
        .expect("imports")
        .iter()
        .map(|one| !one["undone_at"].is_null())
        .collect();
    assert_eq!(undone, [true, false, true]);
    app.end().await;
}

#[tokio::test]
async fn an_export_comes_back_as_the_same_pages() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    ana.import(wiki(), "").await.expect(StatusCode::OK);
    // What Markdown alone would lose: the order, equal titles, names of folders' own pages, and who may read.
    let index = ana.write_page(None, "Index", "first\n\n- a\n  - b\n").await;
    let twin = ana.write_page(Some(&index["id"]), "Twin", "one [up](/index)").await;
    ana.write_page(Some(&index["id"]), "Twin", "two").await;
    ana.write_page(Some(&index["id"]), "Readme", "---\nno: front matter\n---\ntext").await;
    ana.write_page(Some(&index["id"]), "日本語: \"quoted\" #1", "text ").await;
    let first = ana.pages("").await["pages"][0].clone();
    let move_first = json!({"version": 1, "before_id": first["id"]});
    ana.post(&format!("/api/knowledge/{}/move", text(&index["id"])), move_first).await.expect(StatusCode::OK);
    let public =
        json!({"version": 1, "is_public": true, "properties": [{"name": "k: x", "value": "a\n\"b\""}]});
    ana.patch(&format!("/api/knowledge/{}", text(&twin["id"])), public).await.expect(StatusCode::OK);
    let before = ana.everything().await;
    assert_eq!(before.len(), 9);
    let zip = ana.export_zip().await;

    let again = ana.import(zip.clone(), "").await.expect(StatusCode::OK);
    assert_eq!(
        again["counts"],
        json!({"read": 9, "created": 0, "changed": 0, "same": 9, "deleted": 0, "refused": 0, "files": 0})
    );
    assert_eq!(ana.everything().await, before);

    let ben = app.person("ben").await;
    let there = ben.import(zip, "").await.expect(StatusCode::OK);
    assert_eq!((&there["counts"]["created"], &there["counts"]["files"]), (&json!(9), &json!(2)));
    assert_eq!(ben.everything().await, before);
    // Once more from there: the same names, the same order.
    let eve = app.person("eve").await;
    eve.import(ben.export_zip().await, "").await.expect(StatusCode::OK);
    assert_eq!(eve.everything().await, before);
    app.end().await;
}

#[tokio::test]
async fn bombs_and_what_is_no_zip_are_refused_whole() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let zeros = vec![b'0'; 4 << 20];
    let bomb = ana.import(zipped_bytes(&[("a.md", &zeros)]), "").await;
    assert_eq!(bomb.refusal(), (400, "unreadable_file"));
    assert!(text(&bomb.body["error"]).contains("far more than it is"));
    assert_eq!(ana.import(b"no zip".to_vec(), "").await.refusal(), (400, "unreadable_file"));
    // One page that is too long is refused alone, and what lies below it moves up.
    let long = "a b ".repeat(60_000);
    let taken = ana.import(zipped(&[("a.md", &long), ("a/b.md", "# B"), ("c.md", "# C")]), "").await;
    let taken = taken.expect(StatusCode::OK);
    assert_eq!((&taken["counts"]["created"], &taken["counts"]["refused"]), (&json!(2), &json!(1)));
    assert_eq!(titles(&ana.pages("").await), ["B", "C"]);
    // Below a page, and not below one that is deleted.
    let root = ana.write_page(None, "Root", "").await;
    let below = format!("&parentId={}", text(&root["id"]));
    ana.import(zipped(&[("c.md", "# C")]), &below).await.expect(StatusCode::OK);
    assert_eq!(titles(&ana.pages(&below).await), ["C"]);
    ana.delete(&format!("/api/knowledge/{}", text(&root["id"]))).await.expect(StatusCode::OK);
    assert_eq!(ana.import(zipped(&[("c.md", "# C")]), &below).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn what_people_deleted_stays_deleted() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let zip = || zipped(&[("a.md", "# A"), ("a/b.md", "# B"), ("c.md", "# C")]);
    ana.import(zip(), "").await.expect(StatusCode::OK);
    let a = ana.pages("").await["pages"][0].clone();
    ana.delete(&format!("/api/knowledge/{}", text(&a["id"]))).await.expect(StatusCode::OK);
    let again = ana.import(zip(), "").await.expect(StatusCode::OK);
    assert_eq!((&again["counts"]["deleted"], &again["counts"]["same"]), (&json!(2), &json!(1)));
    assert_eq!(titles(&ana.pages("").await), ["C"]);
    app.end().await;
}

#[tokio::test]
async fn a_pages_files_are_served_to_who_may_read_it_and_never_run() {
    let app = open_app().await;
    let ana = app.person("ana").await;
    let page = ana.write_page(None, "Logo", "x").await;
    let path = format!("/api/knowledge/{}/files?name=lo%20go.png", text(&page["id"]));
    let kept = Answer::read(ana.request(Method::POST, &path).body(PNG)).await.expect(StatusCode::CREATED);
    assert_eq!(
        (&kept["media_type"], &kept["link"]),
        (&json!("image/png"), &json!(format!("file:{}", text(&kept["id"]))))
    );
    let html = format!("/api/knowledge/{}/files?name=a.html", text(&page["id"]));
    let html =
        Answer::read(ana.request(Method::POST, &html).body("<script>")).await.expect(StatusCode::CREATED);
    let served = ana.get(&format!("/api/knowledge/files/{}", text(&html["id"]))).await;
    assert_eq!(served.headers["content-type"], "application/octet-stream");
    assert_eq!(served.headers["content-security-policy"], "default-src 'none'; sandbox");
    assert!(served.headers["content-disposition"].to_str().expect("text").starts_with("attachment"));
    let eve = app.person("eve").await;
    let theirs = eve.get(&format!("/api/knowledge/files/{}", text(&kept["id"]))).await;
    assert_eq!(theirs.refusal(), (404, "not_found"));
    let empty = Answer::read(ana.request(Method::POST, &path)).await;
    assert_eq!(empty.refusal(), (400, "empty_file"));
    app.end().await;
}
