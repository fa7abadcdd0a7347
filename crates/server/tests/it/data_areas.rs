//! Who may see and change which part of a workspace's data, and who hears of changes.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::agents::member;
use crate::data::Rows;
use crate::talk::Reading;
use crate::test_app::{TestApp, text};

#[tokio::test]
async fn owners_decide_what_members_may_do_with_data() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let path = format!("/api/workspaces/{}/areas", ana.workspace);
    let areas = ben.get(&path).await.expect(StatusCode::OK);
    assert_eq!(areas["own"][0], json!({"area": "money", "access": "write"}));
    assert_eq!(areas["rules"].as_array().expect("rules").len(), 10);
    let rule =
        |role: &str, access: &str| json!({"rules": [{"role": role, "area": "money", "access": access}]});
    assert_eq!(ben.patch(&path, rule("member", "write")).await.refusal(), (403, "role_too_low"));
    for (body, field) in [
        (rule("owner", "none"), "role"),
        (json!({"rules": [{"role": "member", "area": "moon", "access": "none"}]}), "rules[0].area"),
        (rule("member", "all"), "rules[0].access"),
        (json!({}), "rules"),
    ] {
        let answer = ana.patch(&path, body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{}", answer.body);
    }
    let cleo = app.person("cleo").await;
    assert_eq!(cleo.get(&path).await.refusal(), (403, "not_a_member"));
    let made = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let token = ana.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    assert_eq!(token.patch(&path, rule("member", "none")).await.refusal(), (403, "session_required"));

    let hers = Rows(&ana);
    let giro = hers.made("accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    let his = Rows(&ben);
    assert_eq!(his.get("accounts").await.expect(StatusCode::OK)["total"], 1);
    let one = format!("accounts/{}", text(&giro["id"]));

    ana.patch(&path, rule("member", "read")).await.expect(StatusCode::OK);
    assert_eq!(his.get("accounts").await.expect(StatusCode::OK)["total"], 1);
    let kinds = his.get("kinds").await.expect(StatusCode::OK);
    assert_eq!(kinds["kinds"][0]["access"], "read");
    let refused = his.patch("accounts", &giro["id"], json!({"name": "Mine"})).await;
    assert_eq!(refused.refusal(), (403, "area_refused"));
    assert_eq!(
        text(&refused.body["error"]),
        "In this workspace this person may not change data of the area money."
    );
    assert_eq!(
        his.post("accounts", json!({"name": "X", "currency": "EUR"})).await.refusal(),
        (403, "area_refused")
    );
    assert_eq!(his.delete("accounts", &giro["id"]).await.refusal(), (403, "area_refused"));

    ana.patch(&path, rule("member", "none")).await.expect(StatusCode::OK);
    for rest in ["accounts", one.as_str(), "transactions/transfers"] {
        assert_eq!(his.get(rest).await.refusal(), (403, "area_refused"), "{rest}");
    }
    let kinds = his.get("kinds").await.expect(StatusCode::OK);
    assert!(!kinds.to_string().contains("accounts"), "{kinds}");
    assert_eq!(his.get("changes").await.expect(StatusCode::OK)["changes"], json!([]));
    assert_eq!(hers.get("accounts").await.expect(StatusCode::OK)["total"], 1, "owners always may");

    // Another workspace's rows are not there; a workspace one is not in says so.
    let theirs = Rows(&cleo);
    assert_eq!(theirs.get(&one).await.refusal(), (404, "not_found"));
    assert_eq!(theirs.delete("accounts", &giro["id"]).await.refusal(), (404, "not_found"));
    let inside = format!("/api/data/accounts?workspaceId={}", ana.workspace);
    assert_eq!(cleo.get(&inside).await.refusal(), (403, "not_a_member"));
    // A token is a person in one workspace.
    assert_eq!(token.get(&inside).await.expect(StatusCode::OK)["total"], 1);
    let outside = format!("/api/data/accounts?workspaceId={}", cleo.workspace);
    assert_eq!(token.get(&outside).await.refusal(), (403, "not_a_member"));
    app.end().await;
}

#[tokio::test]
async fn who_may_see_an_area_hears_that_its_data_changed() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let path = format!("/api/workspaces/{}/areas", ana.workspace);
    let hidden = json!({"rules": [{"role": "member", "area": "money", "access": "none"}]});
    ana.patch(&path, hidden).await.expect(StatusCode::OK);
    let events = format!("/api/events?workspaceId={}", ana.workspace);
    let mut hers = Reading::open(ana.request(Method::GET, &events)).await;
    let mut his = Reading::open(ben.request(Method::GET, &events)).await;
    let rows = Rows(&ana);
    rows.made("accounts", json!({"name": "Giro", "currency": "EUR"})).await;
    assert_eq!(hers.until("data_changed").await.data["kind"], "accounts");
    // The next that he hears is something else, though both were told in this order.
    ana.patch(&path, json!({"rules": []})).await.expect(StatusCode::OK);
    assert_eq!(his.next().await.expect("a notice").name, "workspace_changed");
    let shown = json!({"rules": [{"role": "member", "area": "money", "access": "read"}]});
    ana.patch(&path, shown).await.expect(StatusCode::OK);
    rows.made("categories", json!({"name": "Food"})).await;
    assert_eq!(his.until("data_changed").await.data["kind"], "categories");
    app.end().await;
}
