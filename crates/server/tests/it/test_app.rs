//! A server for one test, on a port of its own, and the people who use it.

use std::net::SocketAddr;

use baton_core::people::SignUp;
use baton_server::app::SharedApp;
use baton_server::connections::Door;
use baton_server::settings::{Given, Mode, Settings};
use baton_server::{connections, router, serve};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde_json::{Value, json};

use crate::database::TestDatabase;

pub struct TestApp {
    pub app: SharedApp,
    pub url: String,
    client: Client,
    pub database: TestDatabase,
}

impl TestApp {
    /// A server where everyone may sign up.
    pub async fn new() -> Self {
        Self::with(Given { sign_up: Some(SignUp::Open), ..Given::default() }).await
    }

    pub async fn with(given: Given) -> Self {
        Self::on(TestDatabase::new().await, given).await
    }

    /// Another node on the same database.
    pub async fn beside(other: &TestApp, given: Given) -> Self {
        let TestDatabase::Postgres { server, name } = &other.database else { panic!("only on Postgres") };
        Self::on(TestDatabase::Postgres { server: server.clone(), name: name.clone() }, given).await
    }

    async fn on(database: TestDatabase, given: Given) -> Self {
        let url = database.url();
        Self::reached(database, url, given).await
    }

    /// A server that reaches its database only through this address.
    pub async fn behind(database: TestDatabase, url: String, given: Given) -> Self {
        Self::reached(database, Some(url), given).await
    }

    async fn reached(database: TestDatabase, database_url: Option<String>, given: Given) -> Self {
        let data_dir = match &database {
            TestDatabase::Sqlite(dir) => Some(dir.path().to_owned()),
            TestDatabase::Postgres { .. } => None,
        };
        // Nodes on one Postgres have the same key; without one each would make a file in the current folder.
        let shared = database_url.as_ref().map(|_| "a key that all nodes of a test have".to_owned());
        let secret_key = given.secret_key.clone().or(shared);
        let given = Given { data_dir, database_url, database_connections: Some(5), secret_key, ..given };
        let app =
            serve::open(Settings::resolve(given, Mode::Plain).expect("settings")).await.expect("an app");
        app.engine.start().await;
        tokio::spawn(app.imports.clone().run(app.ending()));
        let listener = serve::listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let never = std::future::pending::<()>;
        let door = Door::new(0, Vec::new());
        tokio::spawn(connections::serve(listener, router::router(app.clone()), door, never(), never()));
        Self { app, url, client: Client::builder().no_proxy().build().expect("a client"), database }
    }

    pub async fn end(self) {
        self.app.end().await;
        self.app.database.close().await.expect("closed");
        self.database.drop().await;
    }

    /// Someone who signed in at another node.
    pub fn actor(&self, cookie: &str, workspace: &str) -> Actor<'_> {
        let workspace = workspace.to_owned();
        Actor { workspace, cookie: Some(cookie.to_owned()), ..self.anonymous() }
    }

    pub fn anonymous(&self) -> Actor<'_> {
        Actor::nobody(&self.url, &self.client)
    }

    /// Someone with an account and a workspace of their own.
    pub async fn person(&self, name: &str) -> Actor<'_> {
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "name": name});
        let mut actor = self.anonymous();
        let answer = actor.post("/api/auth/sign-up", body).await;
        let me = answer.expect(StatusCode::CREATED);
        actor.cookie = Some(answer.session());
        actor.id = text(&me["profile"]["id"]);
        actor.workspace = text(&me["workspaces"][0]["id"]);
        actor
    }

    /// Someone without an account, at a workspace's public address.
    pub async fn visitor(&self, slug: &str) -> Actor<'_> {
        let mut actor = self.anonymous();
        let answer = actor.get(&format!("/api/public/{slug}")).await;
        actor.workspace = text(&answer.expect(StatusCode::OK)["id"]);
        actor.cookie = answer.cookie("baton_visitor");
        assert!(actor.cookie.is_some(), "a cookie");
        actor
    }

    pub async fn make_premium(&self, person: &Actor<'_>) {
        let id = baton_core::ids::ProfileId(person.id.parse().expect("an id"));
        let premium = baton_core::people::Tier::Premium;
        let rights = baton_core::people::ProfileRights { tier: Some(premium), is_admin: None };
        self.app.store.set_rights(id, rights, None).await.expect("premium");
    }

    /// An admin of the server.
    pub async fn admin(&self) -> Actor<'_> {
        let actor = self.person("admin").await;
        let id = baton_core::ids::ProfileId(actor.id.parse().expect("an id"));
        let rights = baton_core::people::ProfileRights { is_admin: Some(true), tier: None };
        self.app.store.set_rights(id, rights, None).await.expect("an admin");
        actor
    }
}

pub const PASSWORD: &str = "correct horse battery";

/// Someone who sends requests: nobody, a person with a cookie, or a program with a token.
#[derive(Clone)]
pub struct Actor<'a> {
    url: &'a str,
    client: &'a Client,
    pub cookie: Option<String>,
    pub token: Option<String>,
    /// The first workspace, for convenience.
    pub workspace: String,
    pub id: String,
}

impl<'a> Actor<'a> {
    /// Someone at this address whom nobody knows.
    pub fn nobody(url: &'a str, client: &'a Client) -> Self {
        Self { url, client, cookie: None, token: None, workspace: String::new(), id: String::new() }
    }

    pub fn with_token(&self, token: &str) -> Actor<'a> {
        Actor { cookie: None, token: Some(token.to_owned()), ..self.clone() }
    }

    pub fn with_cookie(&self, cookie: &str) -> Actor<'a> {
        Actor { cookie: Some(cookie.to_owned()), token: None, ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        request
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::read(self.request(Method::GET, path)).await
    }

    pub async fn get_owned(&self, path: String) -> Value {
        self.get(&path).await.expect(StatusCode::OK)
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::read(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        Answer::read(self.request(Method::PATCH, path).json(&body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        Answer::read(self.request(Method::DELETE, path)).await
    }

    /// The same person at another workspace.
    pub fn at(&self, workspace: &str) -> Actor<'a> {
        Actor { workspace: workspace.to_owned(), ..self.clone() }
    }

    /// Opens the workspace's public address and says where it is.
    pub async fn open_to_public(&self, changes: Value) -> String {
        let mut body = json!({"public_chat": true});
        body.as_object_mut().expect("an object").extend(changes.as_object().cloned().unwrap_or_default());
        let path = format!("/api/workspaces/{}", self.workspace);
        text(&self.patch(&path, body).await.expect(StatusCode::OK)["slug"])
    }

    /// The list of agents, with more of the query if wanted.
    pub async fn agents(&self, more: &str) -> Value {
        self.get(&format!("/api/agents?workspaceId={}{more}", self.workspace)).await.expect(StatusCode::OK)
    }

    /// The entry of the list with this name.
    pub async fn agent(&self, name: &str) -> Value {
        let list = self.agents("").await;
        let found =
            list["agents"].as_array().expect("agents").iter().find(|agent| agent["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("no agent {name}"))
    }

    pub async fn conversation(&self, agent: &str) -> String {
        let agent = self.agent(agent).await["localAgentId"].clone();
        let body = json!({"agentId": agent, "workspaceId": self.workspace});
        text(&self.post("/api/agent-conversations", body).await.expect(StatusCode::CREATED)["id"])
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: header::HeaderMap,
    pub body: Value,
}

impl Answer {
    pub async fn read(request: RequestBuilder) -> Self {
        let response: Response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.expect("a body");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status, headers, body }
    }

    /// The body, if the status is this one.
    #[track_caller]
    pub fn expect(&self, status: StatusCode) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body.clone()
    }

    /// The status and the stable code.
    pub fn refusal(&self) -> (u16, &str) {
        (self.status.as_u16(), self.body["code"].as_str().unwrap_or_default())
    }

    pub fn session(&self) -> String {
        self.cookie("baton_session").expect("a session cookie")
    }

    /// A cookie that it sets, as it is sent back.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.get_all(header::SET_COOKIE);
        let mut values = cookies.iter().filter_map(|value| value.to_str().ok());
        let cookie = values.find(|value| value.starts_with(&format!("{name}=")))?;
        cookie.split(';').next().map(str::to_owned)
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}
