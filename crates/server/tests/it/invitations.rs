use baton_core::people::{LinkFor, SignUp};
use baton_server::routes::links::new_link;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::json;

use crate::test_app::{PASSWORD, TestApp, text};

#[tokio::test]
async fn an_invitation_lets_someone_sign_up_into_the_workspace() {
    let app = TestApp::with(Given { sign_up: Some(SignUp::Invited), ..Given::default() }).await;
    let (path, _) = new_link(&app.app, LinkFor::FirstAdmin, None).await.expect("a link");
    let body = json!({
        "token": path.rsplit('#').next(), "email": "root@example.org", "password": PASSWORD, "name": "Root",
    });
    let admin = app.anonymous().post("/api/auth/links/redeem", body).await;
    let workspace = text(&admin.expect(StatusCode::OK)["workspaces"][0]["id"]);
    let root = app.anonymous().with_cookie(&admin.session());

    let invite = format!("/api/workspaces/{workspace}/invitations");
    let made = root.post(&invite, json!({"email": "ben@example.org"})).await.expect(StatusCode::CREATED);
    let token = text(&made["token"]);
    let look = app.anonymous().get(&format!("/api/invitations/{token}")).await.expect(StatusCode::OK);
    assert_eq!((&look["workspace_name"], &look["invited_by"]), (&json!("Root's workspace"), &json!("Root")));

    let sign_up =
        |email: &str| json!({"email": email, "password": PASSWORD, "name": "Ben", "invitation": token});
    let stranger = app.anonymous().post("/api/auth/sign-up", sign_up("eve@example.org")).await;
    assert_eq!(stranger.refusal(), (403, "invited_someone_else"));
    let ben = app.anonymous().post("/api/auth/sign-up", sign_up("ben@example.org")).await;
    let me = ben.expect(StatusCode::CREATED);
    assert_eq!(me["workspaces"].as_array().expect("workspaces").len(), 1);
    assert_eq!(
        (&me["workspaces"][0]["id"], &me["workspaces"][0]["role"]),
        (&json!(workspace), &json!("member"))
    );
    assert_eq!(app.anonymous().get(&format!("/api/invitations/{token}")).await.status, 410);
    app.end().await;
}

#[tokio::test]
async fn roles_decide_who_invites_and_whom() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let invite = format!("/api/workspaces/{}/invitations", ana.workspace);
    let members = format!("/api/workspaces/{}/members", ana.workspace);
    let made = ana.post(&invite, json!({"role": "admin"})).await.expect(StatusCode::CREATED);
    ben.post(&format!("/api/invitations/{}/accept", text(&made["token"])), json!({}))
        .await
        .expect(StatusCode::OK);

    assert_eq!(ben.post(&invite, json!({"role": "owner"})).await.refusal(), (403, "role_too_low"));
    let open = ben.post(&invite, json!({"role": "member"})).await.expect(StatusCode::CREATED);
    assert_eq!(
        ben.get(&invite).await.expect(StatusCode::OK)["invitations"].as_array().expect("list").len(),
        1
    );
    ben.delete(&format!("{invite}/{}", text(&open["id"]))).await.expect(StatusCode::OK);
    assert_eq!(app.anonymous().get(&format!("/api/invitations/{}", text(&open["token"]))).await.status, 410);

    assert_eq!(
        ben.patch(&format!("{members}/{}", ana.id), json!({"role": "member"})).await.refusal(),
        (403, "role_too_low")
    );
    assert_eq!(ben.delete(&format!("{members}/{}", ana.id)).await.refusal(), (403, "role_too_low"));
    ana.patch(&format!("{members}/{}", ben.id), json!({"role": "member"})).await.expect(StatusCode::OK);
    assert_eq!(ben.post(&invite, json!({})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ana.delete(&format!("{members}/{}", ana.id)).await.refusal(), (409, "last_owner"));
    ben.delete(&format!("{members}/{}", ben.id)).await.expect(StatusCode::OK);
    assert_eq!(ben.get(&members).await.status, 403, "left");
    app.end().await;
}
