use std::sync::Mutex;

use baton_core::defined_tools::{ToolDefinition, ToolSecrets, ToolType};
use baton_core::ids::{AgentId, ProfileId, ToolId, WorkspaceId};
use baton_core::server_tools::{Annotations, Endpoint, Permission, PinState, Progress};
use baton_core::shortened::MAX_RESULT;
use baton_core::store::Result;
use baton_core::tools::TellProgress;
use baton_core::visitors::Person;
use chrono::Utc;

use super::*;
use crate::testing::context;

/// A server that says what it is told to say.
#[derive(Default)]
struct Told {
    listing: Mutex<Listing>,
    outcome: Mutex<Option<std::result::Result<Outcome, CallFailure>>>,
    pinned: Mutex<Vec<Definition>>,
    decided: Mutex<Vec<Permission>>,
    calls: Mutex<Vec<(String, Endpoint)>>,
}

#[async_trait]
impl ServerTools for Told {
    async fn list(&self, _server: &Server, _person: Option<Person>) -> Listing {
        self.listing.lock().expect("unpoisoned").clone()
    }

    fn trouble(&self, _server: ToolId, _person: Option<Person>) -> Option<Trouble> {
        self.listing.lock().expect("unpoisoned").trouble.clone()
    }

    async fn refresh(&self, server: &Server, person: Option<Person>) -> Listing {
        self.list(server, person).await
    }

    async fn call(&self, call: ServerCall<'_>) -> std::result::Result<Outcome, CallFailure> {
        call.context.progress.tell(Progress { done: 1.0, total: None, message: None });
        let called = (call.raw_name.to_owned(), call.server.endpoint.clone());
        self.calls.lock().expect("unpoisoned").push(called);
        self.outcome.lock().expect("unpoisoned").take().expect("an outcome")
    }
}

#[async_trait]
impl ToolPermissions for Told {
    async fn pinned_tools(&self, _server: ToolId) -> Result<Vec<Definition>> {
        Ok(self.pinned.lock().expect("unpoisoned").clone())
    }

    async fn pinned_tools_of(&self, _workspace: WorkspaceId) -> Result<Vec<(ToolId, Definition)>> {
        Ok(Vec::new())
    }

    async fn pin_tools(&self, _server: ToolId, _definitions: Vec<Definition>, _by: ProfileId) -> Result<()> {
        Ok(())
    }

    async fn unpin_tools(&self, _server: ToolId, _raw_names: Vec<String>, _by: ProfileId) -> Result<()> {
        Ok(())
    }

    async fn tool_permissions(&self, _agent: AgentId) -> Result<Vec<Permission>> {
        Ok(self.decided.lock().expect("unpoisoned").clone())
    }

    async fn set_tool_permission(&self, _permission: Permission, _by: ProfileId) -> Result<()> {
        Ok(())
    }

    async fn remove_tool_permission(
        &self,
        _agent: AgentId,
        _tool: ToolId,
        _raw_name: Option<&str>,
        _by: ProfileId,
    ) -> Result<()> {
        Ok(())
    }
}

struct Keys;

#[async_trait]
impl OpenSecrets for Keys {
    async fn secrets_of(&self, _tool: &DefinedTool) -> std::result::Result<ToolSecrets, ToolFailure> {
        Ok(ToolSecrets::from([("X-Key".into(), baton_core::secrets::SecretText::new("k3y"))]))
    }
}

fn definition(name: &str) -> Definition {
    Definition {
        name: name.into(),
        title: Some("Read a file".into()),
        description: "Reads.".into(),
        input_schema: json!({"type": "object"}),
        output_schema: None,
        annotations: Annotations { read_only: Some(true), ..Annotations::default() },
    }
}

fn row(trust: &str) -> DefinedTool {
    let config = json!({"transport": "http", "url": "https://h.example/mcp", "secret_headers": ["X-Key"], "trust": trust});
    let config = ToolConfig::read(ToolType::McpServer, config).expect("a server");
    DefinedTool {
        id: ToolId::new(),
        workspace_id: WorkspaceId::new(),
        definition: ToolDefinition { name: "files".into(), description: "Files.".into(), config },
        created_by: None,
        created_at: Utc::now(),
        updated_at: Utc::now(),
    }
}

/// A server whose tools are all allowed as they are.
fn allowed(names: &[&str]) -> (Arc<Told>, Servers) {
    let told = Arc::new(Told::default());
    let tools: Vec<Definition> = names.iter().map(|name| definition(name)).collect();
    *told.pinned.lock().expect("unpoisoned") = tools.clone();
    told.listing.lock().expect("unpoisoned").tools = Arc::new(tools);
    let servers = Servers {
        tools: told.clone(),
        permissions: told.clone(),
        secrets: Arc::new(Keys),
        configured: Arc::default(),
    };
    (told, servers)
}

async fn offered(servers: &Servers, trust: &str) -> Vec<ServedTool> {
    let row = row(trust);
    let pinned = servers.permissions.pinned_tools(row.id).await.expect("tools");
    servers.offered(&row, &pinned.into_iter().map(|pinned| (row.id, pinned)).collect::<Vec<_>>())
}

async fn only_tool(servers: &Servers, trust: &str) -> ServedTool {
    let mut offered = offered(servers, trust).await;
    assert_eq!(offered.len(), 1);
    offered.remove(0)
}

async fn call(
    told: &Told,
    tool: &ServedTool,
    outcome: std::result::Result<Outcome, CallFailure>,
) -> ToolAnswer {
    *told.outcome.lock().expect("unpoisoned") = Some(outcome);
    tool.call(&context().0, Map::new()).await.expect("an answer")
}

fn says(said: Said) -> Outcome {
    Outcome { is_error: false, said, files: Vec::new(), whole: Value::Null }
}

#[tokio::test]
async fn an_allowed_tool_is_offered_by_its_models_name_and_called_by_its_own() {
    let (told, servers) = allowed(&["read.file"]);
    let tool = only_tool(&servers, "untrusted").await;
    let name = tool.spec().name;
    assert!(name.starts_with("files__read_file-"), "{name}");
    assert_eq!(
        (tool.display_name().as_str(), tool.nature(&Map::new())),
        ("files: Read a file", Nature::UNKNOWN)
    );
    let answer = call(&told, &tool, Ok(says(Said::Text("hello".into())))).await;
    assert_eq!((answer.ended, answer.value), (Ended::Well, json!("hello")));
    let (raw_name, endpoint) = told.calls.lock().expect("unpoisoned").remove(0);
    assert_eq!(raw_name, "read.file");
    assert!(matches!(endpoint, Endpoint::Url { headers, .. } if headers[0].1.reveal() == "k3y"));
    assert!(!only_tool(&servers, "trusted").await.nature(&Map::new()).writes, "an admin believes it");
}

#[tokio::test]
async fn what_is_not_as_it_was_allowed_is_not_called() {
    type Change = fn(&mut Listing);
    let (told, servers) = allowed(&["read"]);
    let tool = only_tool(&servers, "untrusted").await;
    let now = |change: Change| {
        let mut listing = told.listing.lock().expect("unpoisoned");
        *listing = Listing { tools: Arc::new(vec![definition("read")]), trouble: None };
        change(&mut listing);
    };
    let changes: [(Change, &str); 4] = [
        (|l| Arc::make_mut(&mut l.tools)[0].description = "Reads, and tells me.".into(), "held back"),
        (|l| l.tools = Arc::default(), "doesn't have this tool any more"),
        (|l| l.trouble = Some(Trouble::Down("files is down.".into())), "files is down. Go on without it"),
        (|l| l.trouble = Some(Trouble::NeedsSignIn), "sign in to files"),
    ];
    for (change, why) in changes {
        now(change);
        let told_person = Arc::<Mutex<Vec<Progress>>>::default();
        let telling = told_person.clone();
        let progress = TellProgress::new(move |one| telling.lock().expect("unpoisoned").push(one));
        let watched = ToolContext { progress, ..context().0 };
        let refused = tool.call(&watched, Map::new()).await.expect_err(why);
        let is_down = why.contains("is down");
        assert_eq!(told_person.lock().expect("unpoisoned").len(), usize::from(is_down), "{why}");
        assert!(refused.0.contains(why), "{refused}");
        assert_eq!(offered(&servers, "untrusted").await.len(), 1, "it stays in sight");
    }
    assert!(told.calls.lock().expect("unpoisoned").is_empty(), "nothing was sent");
}

/// A turn has its tools from its beginning, and may go on for long.
#[tokio::test]
async fn what_an_admin_decides_holds_in_a_turn_under_way() {
    let (told, servers) = allowed(&["read"]);
    let tool = only_tool(&servers, "untrusted").await;
    let refused = async |why: &str| {
        let said = tool.call(&context().0, Map::new()).await.expect_err(why).0;
        assert!(said.contains(why), "{said}");
    };
    *told.pinned.lock().expect("unpoisoned") = Vec::new();
    refused("held back this tool").await;
    *told.pinned.lock().expect("unpoisoned") =
        vec![Definition { description: "More.".into(), ..definition("read") }];
    refused("held back this tool").await;
    *told.pinned.lock().expect("unpoisoned") = vec![definition("read")];
    let (agent_id, raw_name) = (AgentId::new(), Some("read".to_owned()));
    let never =
        Permission { agent_id, tool_id: tool.row.id, raw_name, level: Level::Never, definition_hash: None };
    *told.decided.lock().expect("unpoisoned") = vec![never.clone()];
    refused("taken this tool from you").await;
    assert!(told.calls.lock().expect("unpoisoned").is_empty(), "nothing was sent");
    *told.decided.lock().expect("unpoisoned") = vec![Permission { tool_id: ToolId::new(), ..never }];
    *told.outcome.lock().expect("unpoisoned") = Some(Ok(says(Said::Text("Here.".into()))));
    assert_eq!(tool.call(&context().0, Map::new()).await.expect("an answer").value, json!("Here."));
}

#[tokio::test]
async fn outcomes_are_told_as_they_are() {
    let (told, servers) = allowed(&["read"]);
    let tool = only_tool(&servers, "untrusted").await;
    let failed = Outcome { is_error: true, ..says(Said::Text("no such file".into())) };
    let answer = call(&told, &tool, Ok(failed)).await;
    assert_eq!((answer.ended, answer.value), (Ended::Badly, json!("no such file")));
    let answer = call(&told, &tool, Ok(says(Said::Structured(json!({"lines": 3}))))).await;
    assert_eq!((answer.ended, answer.value), (Ended::Well, json!({"lines": 3})));
    let answer = call(&told, &tool, Ok(says(Said::Text("x".repeat(200_000))))).await;
    assert!(
        answer.value.as_str().is_some_and(|text| text.len() <= MAX_RESULT && text.contains("Ask for less"))
    );
    let whole: Vec<_> = answer.kept.iter().map(|kept| (kept.name.as_str(), kept.bytes.len())).collect();
    assert_eq!(whole, [("result.txt", 200_000)], "the person can open all of it");
    let long = json!({"lines": vec!["word"; 20_000]});
    let answer = call(&told, &tool, Ok(says(Said::Structured(long.clone())))).await;
    assert!(answer.value.as_str().is_some_and(|text| text.len() <= MAX_RESULT));
    let read = serde_json::from_slice::<Value>(&answer.kept[0].bytes).expect("json");
    assert_eq!((answer.kept[0].name.as_str(), read), ("result.json", long));
    let picture = OutcomeFile { name: "a.png".into(), media_type: "image/png".into(), bytes: vec![1, 2] };
    let answer =
        call(&told, &tool, Ok(Outcome { files: vec![picture], ..says(Said::Text("here".into())) })).await;
    let files = json!([{"name": "a.png", "media_type": "image/png", "bytes": 2}]);
    assert_eq!(answer.value, json!({"result": "here", "files": files}));
    let picture = Kept { name: "a.png".into(), media_type: "image/png".into(), bytes: vec![1, 2] };
    assert_eq!(answer.kept, [picture]);
    // Data beside words are kept, unless the words say the same.
    for (text, kept) in [("three lines", 1), (r#"{"lines": 3}"#, 0)] {
        let whole = json!({"structuredContent": {"lines": 3}});
        let answer = call(&told, &tool, Ok(Outcome { whole, ..says(Said::Text(text.into())) })).await;
        assert_eq!((answer.value, answer.kept.len()), (json!(text), kept));
    }
    let answer = call(&told, &tool, Err(CallFailure::Unknown("The server died.".into()))).await;
    assert_eq!(answer.ended, Ended::Unknown);
    *told.outcome.lock().expect("unpoisoned") = Some(Err(CallFailure::NotDone("It refused.".into())));
    assert_eq!(tool.call(&context().0, Map::new()).await, Err(ToolFailure("It refused.".into())));
}

#[tokio::test]
async fn pins_tell_what_is_new_what_changed_and_what_is_gone() {
    let (told, servers) = allowed(&["b", "c", "d"]);
    let mut tools = vec![definition("a"), definition("b"), definition("c")];
    tools[2].description = "Something else.".into();
    let listing = Listing { tools: Arc::new(tools), trouble: None };
    let pins = servers.pins(ToolId::new(), &listing).await.expect("pins");
    let states: Vec<_> = pins.iter().map(|pin| pin.state().expect("something")).collect();
    assert_eq!(states, [PinState::New, PinState::Allowed, PinState::Changed, PinState::Gone]);
    drop(told);
}
