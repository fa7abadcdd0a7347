//! Every route of the API, as each kind of person meets it: with their own conversation and with the owner's resources
//! in a workspace, each request complete and valid. A route without a line in the table fails the test.

use baton_core::ids::{ConversationId, WorkspaceId};
use baton_core::result_files::{NewResultFiles, of_result};
use baton_core::tools::Kept;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::approvals::decision;
use crate::talk::{conversation_of, scripted};
use crate::test_app::{Actor, TestApp, text};

/// Who walks, in the order of the table's columns. The visitor and the guest are at the owner's public address; the former
/// member was in a workspace that has none; the member is premium, the free one isn't, and the agent asked for is restricted;
/// the token is the member's.
const WALKERS: [&str; 6] = ["visitor", "guest", "former", "member", "free", "token"];

/// `+` where they get in, `.` where they are told that they may not, or that there is nothing.
const TABLE: &str = include_str!("walk.txt");

/// What the owner has; of conversations, what the walker has.
#[derive(Clone)]
struct Things {
    workspace: String,
    catalog: String,
    /// Restricted.
    agent: String,
    /// Whom one begins to talk to.
    talks_to: String,
    conversation: String,
    message: String,
    approval: Value,
    task: String,
    memory: String,
    team: String,
    tool: String,
    rule: String,
    skill: String,
    page: String,
    channel: String,
    channel_message: String,
    page_file: String,
    page_import: String,
    account: String,
    transaction: String,
    contact: String,
    deal: String,
    change: String,
    import: String,
    attachment: String,
    result_file: String,
    picture: String,
    provider: String,
    token: String,
    invitation: String,
    owner: String,
}

async fn things(app: &TestApp, owner: &Actor<'_>) -> Things {
    let workspace = owner.workspace.clone();
    let made =
        async |path: &str, body: Value| -> Value { owner.post(path, body).await.expect(StatusCode::CREATED) };
    let curator = owner.agent("Knowledge Curator").await;
    let agent = text(&curator["localAgentId"]);
    let saved = conversation_of(&owner.chat("Knowledge Curator", "save this").await);
    let kept = Kept { name: "a.txt".into(), media_type: "text/plain".into(), bytes: b"Hello".into() };
    let new = NewResultFiles {
        workspace_id: WorkspaceId(workspace.parse().expect("an id")),
        conversation_id: ConversationId(saved.parse().expect("an id")),
        seq: 1,
        files: of_result(vec![kept]).0,
    };
    let result_file = app.app.store.keep_result_files(&new).await.expect("kept")[0].id.to_string();
    let note = json!({"path": "house/rules", "content": "No shoes.", "scope": "agent"});
    let memory = text(&made(&format!("/api/agents/{agent}/memories"), note).await["id"]);
    let coach = text(&owner.agent("Budget Coach").await["localAgentId"]);
    let members = json!([{"agentId": agent}, {"agentId": coach}]);
    let team = json!({"workspaceId": workspace, "name": "Desk", "kind": "swarm", "members": members});
    let tool = new_tool(&workspace, &agent, "to_curator");
    let rule =
        json!({"workspaceId": workspace, "name": "Brief", "content": "Be brief.", "agent_ids": [agent]});
    let skill = new_skill(&workspace, "tidy", json!([agent]));
    let upload = async |path: String, bytes: Vec<u8>, kind: &str| -> String {
        let request = owner.request(Method::POST, &path).header("content-type", kind.to_owned()).body(bytes);
        text(&crate::test_app::Answer::read(request).await.expect(StatusCode::CREATED)["id"])
    };
    let attachment =
        upload(format!("/api/attachments?workspaceId={workspace}&name=a.txt"), b"Hello".into(), "text/plain");
    let picture = upload(format!("/api/files?workspaceId={workspace}"), PNG.into(), "image/png");
    let page = text(&made("/api/knowledge", new_page(&workspace)).await["id"]);
    let lobby = json!({"workspaceId": workspace, "kind": "open", "name": "lobby"});
    let channel = text(&made("/api/channels", lobby).await["id"]);
    let message = made(&format!("/api/channels/{channel}/messages"), json!({"text": "Welcome"})).await;
    let page_file = upload(format!("/api/knowledge/{page}/files?name=a.png"), PNG.into(), "image/png").await;
    let zip = crate::knowledge::zipped(&[("walked.md", "# Walked")]);
    let path = format!("/api/knowledge/import?workspaceId={workspace}&filename=a.zip");
    let request = owner.request(Method::POST, &path).body(zip);
    let rows = |kind: &str| format!("/api/data/{kind}?workspaceId={workspace}");
    let account = made(&rows("accounts"), json!({"name": "Giro", "currency": "EUR"})).await;
    let spent = json!({"account_id": account["id"], "booked_on": "2026-03-17", "amount": -500});
    let transaction = made(&rows("transactions"), spent).await;
    let contact = made(&rows("contacts"), json!({"name": "Ada"})).await;
    let deal = made(&rows("deals"), json!({"name": "Engine", "currency": "EUR"})).await;
    // Nothing else asks for it: its creation is undone on the way.
    let category = made(&rows("categories"), json!({"name": "Food"})).await;
    let page_import = crate::test_app::Answer::read(request).await.expect(StatusCode::OK);
    let path = format!("/api/data/categories/import?workspaceId={workspace}&filename=a.csv");
    let import = owner.request(Method::POST, &path).body("Name,Type\nFood,spending\n");
    let import = crate::test_app::Answer::read(import).await.expect(StatusCode::ACCEPTED);
    let token = json!({"name": "t", "workspaceId": workspace});
    let invitations = format!("/api/workspaces/{workspace}/invitations");
    let things = Things {
        approval: owner.get_owned(format!("/api/approvals?workspaceId={workspace}")).await["approvals"][0]
            .clone(),
        team: text(&made("/api/teams", team).await["id"]),
        tool: text(&made("/api/tools", tool).await["id"]),
        provider: text(&made("/api/providers", new_provider(&workspace, "house")).await["id"]),
        rule: text(&made("/api/rules", rule).await["id"]),
        skill: text(&made("/api/skills", skill).await["id"]),
        page,
        channel,
        channel_message: text(&message["id"]),
        page_file,
        page_import: text(&page_import["import_id"]),
        account: text(&account["id"]),
        import: text(&import["import"]["id"]),
        change: text(&category["change_id"]),
        transaction: text(&transaction["id"]),
        contact: text(&contact["id"]),
        deal: text(&deal["id"]),
        attachment: attachment.await,
        result_file,
        picture: picture.await,
        token: text(&made("/api/auth/tokens", token).await["id"]),
        invitation: text(&made(&invitations, json!({"email": "x@example.org"})).await["id"]),
        catalog: text(&curator["id"]),
        owner: owner.id.clone(),
        talks_to: coach.clone(),
        workspace,
        agent,
        memory,
        conversation: String::new(),
        message: String::new(),
        task: String::new(),
    };
    let avatar = json!({"avatar_url": format!("/api/files/{}", things.picture)});
    owner.patch(&format!("/api/agents/{coach}"), avatar).await.expect(StatusCode::OK);
    let restricted = json!({"is_restricted": true});
    owner.patch(&format!("/api/agents/{}", things.agent), restricted).await.expect(StatusCode::OK);
    things
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0000000000";

fn new_tool(workspace: &str, target: &str, name: &str) -> Value {
    let config = json!({"target_agent_id": target});
    json!({"workspaceId": workspace, "name": name, "type": "handoff", "description": "To the curator.", "config": config})
}

fn new_provider(workspace: &str, name: &str) -> Value {
    json!({"workspaceId": workspace, "name": name, "wire": "openai", "key": "sk-of-the-house"})
}

fn new_page(workspace: &str) -> Value {
    json!({"workspaceId": workspace, "title": "Refunds", "body": "Within 30 days."})
}

fn new_skill(workspace: &str, name: &str, agent_ids: Value) -> Value {
    json!({"workspaceId": workspace, "name": name, "description": "Tidies.", "content": "Tidy up.", "agent_ids": agent_ids})
}

impl Things {
    /// As this walker meets them, with a conversation of their own.
    async fn met_by(&self, walker: &Actor<'_>) -> Self {
        let events = walker.chat("Budget Coach", "Hello").await;
        let conversation = conversation_of(&events);
        let message = text(&walker.read(&conversation).await["messages"][0]["id"]);
        let task = text(&events[0].data["sessionId"]);
        Self { conversation, message, task, ..self.clone() }
    }

    /// The path with the owner's ids, and a query that every route can take something from.
    fn filled(&self, path: &str) -> String {
        let id = match path {
            _ if path.ends_with("/hire") || path.starts_with("/api/admin/agents") => &self.catalog,
            _ if path.starts_with("/api/agents") => &self.agent,
            _ if path.starts_with("/api/agent-conversations") => &self.conversation,
            _ if path.starts_with("/api/approvals") => self.approval["id"].as_str().expect("an id"),
            _ if path.starts_with("/api/attachments") => &self.attachment,
            _ if path.starts_with("/api/result-files") => &self.result_file,
            _ if path.starts_with("/api/files") => &self.picture,
            _ if path.starts_with("/api/auth/tokens") => &self.token,
            _ if path.starts_with("/api/providers") => &self.provider,
            _ if path.starts_with("/api/rules") => &self.rule,
            _ if path.starts_with("/api/data/imports") => &self.import,
            _ if path.starts_with("/api/data/transactions") => &self.transaction,
            _ if path.starts_with("/api/data/contacts") => &self.contact,
            _ if path.starts_with("/api/data/deals") => &self.deal,
            _ if path.starts_with("/api/data") => &self.account,
            _ if path.starts_with("/api/channels") => &self.channel,
            _ if path.starts_with("/api/knowledge/files") => &self.page_file,
            _ if path.starts_with("/api/knowledge/imports") => &self.page_import,
            _ if path.starts_with("/api/knowledge") => &self.page,
            _ if path.starts_with("/api/skills") => &self.skill,
            _ if path.starts_with("/api/tasks") => &self.task,
            _ if path.starts_with("/api/teams") => &self.team,
            _ if path.starts_with("/api/tools") => &self.tool,
            _ if path.starts_with("/api/admin/profiles") => &self.owner,
            _ => &self.workspace,
        };
        let path = path
            .replace("{id}", id)
            .replace("{conversationId}", &self.conversation)
            .replace("{memoryId}", &self.memory)
            .replace("{messageId}", &self.channel_message)
            .replace("{profileId}", &self.owner)
            .replace("{kind}", "accounts")
            .replace("{version}", "1")
            .replace("{invitation_id}", &self.invitation)
            .replace("{profile_id}", &self.owner)
            .replace("{token}", "no-such-invitation")
            .replace("{report}", "balances")
            .replace("{figure}", "net-worth")
            .replace("{name}/teams/{slug}", "procurement/teams/procurement-desk")
            .replace("built-in/{name}", "built-in/memory");
        assert!(!path.contains('{'), "what is asked for in {path}?");
        if path.starts_with("/api/data") {
            // Whatever else stands there would be a filter.
            let file = if path.ends_with("/import") { "&filename=a.csv" } else { "" };
            return format!("{path}?workspaceId={}{file}", self.workspace);
        }
        if path.ends_with("/rows") {
            return format!("{path}?workspaceId={}&from=2026-03-01&to=2026-03-31", self.workspace);
        }
        format!(
            "{path}?workspaceId={}&agentId={}&toolName=manageMemory&toolId={}&name=a.txt&search=refunds&dryRun=true",
            self.workspace, self.agent, self.tool
        )
    }

    /// A body that the route would take.
    fn body(&self, method: &str, path: &str) -> Value {
        let (workspace, agent) = (&self.workspace, &self.agent);
        match (method, path) {
            ("post", "/api/agent-chat") => {
                json!({"message": "Hi", "agentId": self.talks_to, "workspaceId": workspace})
            }
            ("post", "/api/agent-conversations") => {
                json!({"agentId": self.talks_to, "workspaceId": workspace})
            }
            ("patch", "/api/agent-conversations/{id}") => json!({"title": "Mine now"}),
            ("post", "/api/agent-conversations/{id}/fork") => json!({"beforeMessageId": self.message}),
            ("post", "/api/agent-conversations/{id}/messages") => {
                json!({"messages": [{"role": "user", "content": "x"}]})
            }
            ("post", "/api/agent-conversations/{id}/switch") => json!({"agentId": self.talks_to}),
            ("post", "/api/agents") => {
                json!({"workspaceId": workspace, "name": "New", "system_prompt": "You are."})
            }
            ("patch", "/api/agents/{id}" | "/api/admin/agents/{id}") => json!({"name": "Mine now"}),
            ("post", "/api/agents/{id}/hire" | "/api/packs/{name}/teams/{slug}/hire") => {
                json!({"workspaceId": workspace})
            }
            ("put", "/api/agents/{id}/tool-permissions") => json!({"tool_id": self.tool, "level": "ask"}),
            ("post", "/api/tools/{id}/server-tools/allow") => {
                json!({"tools": [{"raw_name": "read", "hash": "0"}]})
            }
            ("post", "/api/tools/{id}/server-tools/hold-back") => json!({"raw_names": ["read"]}),
            ("post", "/api/agents/{id}/allow-rules") => json!({"tool_name": "manageMemory"}),
            ("post", "/api/agents/{id}/memories") => json!({"path": "x", "content": "y", "scope": "agent"}),
            ("patch", "/api/agents/{id}/memories/{memoryId}") => json!({"content": "Shoes."}),
            ("post", "/api/approvals/{id}/approve" | "/api/approvals/{id}/reject") => {
                decision(&self.approval, json!({}))
            }
            ("post", "/api/admin/agents") => json!({"name": "New", "system_prompt": "You are."}),
            ("patch", "/api/admin/profiles/{id}") => json!({"tier": "premium"}),
            ("patch", "/api/auth/me") => json!({"time_zone": "Europe/Zurich"}),
            ("delete", "/api/auth/me") => json!({"current_password": "a guess"}),
            ("post", "/api/auth/tokens") => json!({"name": "x", "workspaceId": workspace}),
            ("post", "/api/providers") => new_provider(workspace, "mine"),
            ("patch", "/api/providers/{id}") => json!({"position": 1}),
            ("post", "/api/providers/test") => json!({"workspaceId": workspace, "wire": "openai"}),
            ("put", "/api/analytics/pins/{figure}") => json!({"workspaceId": workspace, "by": "month"}),
            ("put", "/api/search-engine") | ("post", "/api/search-engine/test") => {
                json!({"workspaceId": workspace, "kind": "brave", "key": "mine"})
            }
            ("post", "/api/data/{kind}") => json!({"name": "Mine", "currency": "EUR"}),
            ("patch", "/api/data/{kind}/{id}") => json!({"name": "Mine now"}),
            ("post", "/api/data/changes/undo") => json!({"workspaceId": workspace, "changes": [self.change]}),
            ("post", "/api/data/transactions/transfers") => json!({"transactions": [self.transaction]}),
            ("post", "/api/data/transactions/{id}/split") => json!({"parts": []}),
            ("post", "/api/data/transactions/categorise") => {
                json!({"category_id": null, "ids": [self.transaction]})
            }
            ("post", "/api/data/contacts/{id}/merge") => json!({"merged": self.contact}),
            ("post", "/api/channels") => json!({"workspaceId": workspace, "kind": "private", "name": "mine"}),
            ("post", "/api/channels/direct") => json!({"workspaceId": workspace, "people": [self.owner]}),
            ("patch", "/api/channels/{id}") => json!({"topic": "Mine now"}),
            ("post", "/api/channels/{id}/members") => json!({"people": [self.owner]}),
            ("post", "/api/channels/{id}/read") => json!({"number": 1}),
            ("post", "/api/channels/{id}/messages") => json!({"text": "Mine"}),
            ("patch", "/api/channels/{id}/messages/{messageId}") => json!({"text": "Mine now"}),
            ("post", "/api/knowledge") => new_page(workspace),
            ("patch", "/api/knowledge/{id}") => json!({"version": 1, "title": "Mine now"}),
            ("post", "/api/knowledge/{id}/move") => json!({"version": 1}),
            ("post", "/api/rules") => json!({"workspaceId": workspace, "name": "Mine", "content": "x"}),
            ("patch", "/api/rules/{id}" | "/api/teams/{id}") => json!({"name": "Mine now"}),
            ("post", "/api/skills") => new_skill(workspace, "mine", json!([])),
            ("patch", "/api/skills/{id}") => json!({"description": "Mine now"}),
            ("post", "/api/teams") => {
                let members =
                    json!([{"agentId": agent, "stage": {"name": "one", "outputSchema": {"type": "object"}}}]);
                json!({"workspaceId": workspace, "name": "Mine", "kind": "pipeline", "members": members})
            }
            ("post", "/api/tools") => new_tool(workspace, agent, "mine"),
            ("post", "/api/tools/preview") => new_tool(workspace, agent, "mine_too"),
            ("post", "/api/tools/openapi") => {
                json!({"workspaceId": workspace, "document": "openapi: 3.1.0\npaths: {}"})
            }
            ("post", "/api/tools/{id}/test") => json!({"arguments": {}}),
            ("patch", "/api/tools/{id}") | ("post", "/api/tools/{id}/preview") => {
                json!({"description": "Mine now"})
            }
            ("post", "/mcp") => json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
            ("post", "/api/workspaces") => json!({"name": "Mine"}),
            ("patch", "/api/workspaces/{id}") => json!({"name": "Mine now"}),
            ("patch", "/api/workspaces/{id}/areas") => json!({"rules": []}),
            ("patch", "/api/workspaces/{id}/members/{profile_id}") => json!({"role": "member"}),
            _ => json!({}),
        }
    }
}

/// Whether they got in: they were neither told that they may not, nor that there is nothing.
async fn gets_in(walker: &Actor<'_>, things: &Things, method: &str, path: &str) -> bool {
    let http = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
    let request = walker.request(http, &things.filled(path)).json(&things.body(method, path));
    let response = request.send().await.expect("an answer");
    let status = response.status();
    if !status.is_client_error() {
        assert!(status.is_success(), "{method} {path}: {status}");
        // A stream has no end.
        return true;
    }
    let body: Value = response.json().await.unwrap_or_default();
    let is_closed = matches!(status.as_u16(), 401 | 403 | 404);
    !is_closed || body["code"] == "wrong_password"
}

/// Every operation that needs someone, those that end a conversation or a session last.
fn operations() -> Vec<(String, String)> {
    let document = serde_json::to_value(baton_server::router::openapi()).expect("a document");
    let mut all = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if operation["security"] != json!([{}]) {
                all.push((method.clone(), path.clone()));
            }
        }
    }
    let ends = |method: &str, path: &str| match (method, path) {
        ("delete", "/api/agent-conversations/{id}" | "/api/knowledge/{id}") => 1,
        ("post", "/api/auth/sign-out") => 2,
        _ => 0,
    };
    all.sort_by_key(|(method, path)| (ends(method, path), path.clone(), method.clone()));
    all
}

async fn walkers<'a>(app: &'a TestApp, owner: &Actor<'a>, slug: &str) -> [Actor<'a>; 6] {
    let visitor = app.visitor(slug).await;
    let guest = app.person("guest").await.at(&owner.workspace);
    let (premium, free) = (member(app, owner, "premium").await, member(app, owner, "free").await);
    app.make_premium(&premium).await;
    let made = premium.post("/api/auth/tokens", json!({"name": "t", "workspaceId": owner.workspace})).await;
    let token = premium.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    [visitor, guest.clone(), guest, premium, free, token]
}

#[tokio::test]
async fn everyone_gets_in_where_the_table_says_and_nowhere_else() {
    let save = json!({"action": "save", "path": "note", "content": "tea"});
    let (app, _script) = scripted(json!([
        {"match": "save", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"text": "Hello."},
    ]))
    .await;
    let owner = app.person("owner").await;
    let here = things(&app, &owner).await;
    let coach = owner.agent("Budget Coach").await["localAgentId"].clone();
    let slug = owner.open_to_public(json!({"default_agent_id": coach})).await;
    let closed = app.person("closed").await;
    let there = things(&app, &closed).await;
    let mut walkers = walkers(&app, &owner, &slug).await;
    walkers[2] = member(&app, &closed, "former").await;
    let mut met = Vec::new();
    for (at, walker) in walkers.iter().enumerate() {
        met.push(if WALKERS[at] == "former" {
            there.met_by(walker).await
        } else {
            here.met_by(walker).await
        });
    }
    met[4].talks_to = here.agent.clone();
    let path = format!("/api/workspaces/{}/members/{}", closed.workspace, walkers[2].id);
    closed.delete(&path).await.expect(StatusCode::OK);

    let mut found = String::from("# ");
    found.push_str(&WALKERS.join(" "));
    found.push('\n');
    for (method, path) in operations() {
        let mut marks = String::new();
        for (at, walker) in walkers.iter().enumerate() {
            marks.push(if gets_in(walker, &met[at], &method, &path).await { '+' } else { '.' });
        }
        found.push_str(&format!("{marks} {method} {path}\n"));
    }
    let missing: Vec<&str> =
        found.lines().filter(|line| !TABLE.lines().any(|known| known == *line)).collect();
    assert!(missing.is_empty(), "these are not in walk.txt:\n{}\n\nall of it:\n{found}", missing.join("\n"));
    assert_eq!(found.lines().count(), TABLE.lines().count(), "walk.txt has lines for what isn't there");
    app.end().await;
}
