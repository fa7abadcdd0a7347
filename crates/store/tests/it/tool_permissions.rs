use baton_core::defined_tools::{ToolConfig, ToolDefinition, ToolType};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::secrets::{Sealed, SecretChange, StoredSecret};
use baton_core::server_tools::{Annotations, Definition, Level, Permission};
use baton_core::store::{DefinedTools, Error, ToolPermissions};
use serde_json::{Value, json};

use crate::Told;
use crate::teams::agent;
use crate::tools::new;

fn server(url: &str, trust: &str) -> ToolDefinition {
    let config = json!({"transport": "http", "url": url, "trust": trust});
    let config = ToolConfig::read(ToolType::McpServer, config).expect("a server");
    ToolDefinition { name: "files".into(), description: "Files.".into(), config }
}

fn weather(url: &str) -> ToolDefinition {
    let config = json!({"method": "GET", "url": url, "trusted_as": "unknown"});
    let config = ToolConfig::read(ToolType::HttpApi, config).expect("a request");
    ToolDefinition { name: "weather".into(), description: "Weather.".into(), config }
}

fn definition(name: &str, schema: Value) -> Definition {
    Definition {
        name: name.into(),
        title: None,
        description: "Reads.".into(),
        input_schema: schema,
        output_schema: None,
        annotations: Annotations { read_only: Some(true), ..Annotations::default() },
    }
}

#[tokio::test]
async fn definitions_are_pinned_as_they_were_allowed() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let files = store
        .create_tool(new(workspace, server("https://h.example/mcp", "untrusted")), ana.id)
        .await
        .unwrap();
    // The order of keys and how numbers are written don't count, whatever a database makes of them.
    let schema = json!({"type": "object", "properties": {"b": {"maximum": 1.0}, "a": {"const": "ü/~"}}});
    let (read, write) = (definition("Read-File", schema), definition("a.b", json!({"type": "object"})));
    store.pin_tools(files.id, vec![read.clone(), write.clone()], ana.id).await.unwrap();
    let pinned = store.pinned_tools(files.id).await.unwrap();
    let hashes = |all: &[Definition]| all.iter().map(Definition::hash).collect::<Vec<_>>();
    assert_eq!(hashes(&pinned), hashes(&[read.clone(), write.clone()]), "by name");

    let newer = Definition { description: "Reads more.".into(), ..read };
    store.pin_tools(files.id, vec![newer.clone()], ana.id).await.unwrap();
    assert_eq!(hashes(&store.pinned_tools(files.id).await.unwrap()), hashes(&[newer.clone(), write]));
    store.unpin_tools(files.id, vec!["a.b".into(), "unknown".into()], ana.id).await.unwrap();
    assert_eq!(hashes(&store.pinned_tools(files.id).await.unwrap()), hashes(&[newer]));
    let bad = store.pin_tools(files.id, vec![definition("x", json!({"const": "a\u{0}b"}))], ana.id).await;
    assert!(matches!(bad, Err(Error::Invalid(_))), "no database keeps it alike");

    // Whoever answers elsewhere was not allowed; who is trusted more is the same.
    let change = async |definition| {
        store.change_tool(files.id, definition, SecretChange::Keep, ana.id).await.unwrap();
        store.pinned_tools(files.id).await.unwrap().len()
    };
    assert_eq!(change(server("https://h.example/mcp", "trusted")).await, 1);
    assert_eq!(change(server("https://other.example/mcp", "trusted")).await, 0);
    let gone = store.pin_tools(ToolId::new(), vec![], ana.id).await;
    assert!(matches!(gone, Err(Error::NotFound("tool"))));
    told.end().await;
}

#[tokio::test]
async fn secrets_change_and_go_with_their_tool() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let mut api = new(workspace, weather("https://h.example/w"));
    let sealed = |text: &str| Sealed { key_id: "k".into(), bytes: text.as_bytes().to_vec() };
    let place = api.definition.secret_place(workspace, api.id).expect("a place");
    api.secrets = SecretChange::Set(StoredSecret { place: place.clone(), sealed: sealed("one") });
    let api = store.create_tool(api, ana.id).await.unwrap();
    assert_eq!(store.tool_secrets(api.id).await.unwrap(), Some(sealed("one")));
    let change = async |secrets| {
        store.change_tool(api.id, api.definition.clone(), secrets, ana.id).await.unwrap();
        store.tool_secrets(api.id).await.unwrap()
    };
    assert_eq!(change(SecretChange::Keep).await, Some(sealed("one")));
    let two = StoredSecret { place, sealed: sealed("two") };
    assert_eq!(change(SecretChange::Set(two.clone())).await, Some(sealed("two")));
    assert_eq!(change(SecretChange::Remove).await, None);
    assert_eq!(change(SecretChange::Set(two)).await, Some(sealed("two")));
    store.delete_tool(api.id, ana.id).await.unwrap();
    assert_eq!(store.tool_secrets(api.id).await.unwrap(), None);
    told.end().await;
}

#[tokio::test]
async fn permissions_are_decided_per_agent_and_tool() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let lead = agent(&told, workspace, "Lead", ana.id).await;
    let theirs = agent(&told, elsewhere, "Lead", ben.id).await;
    let make = async |workspace: WorkspaceId, definition| {
        store.create_tool(new(workspace, definition), ana.id).await.unwrap().id
    };
    let api = make(workspace, weather("https://h.example/w")).await;
    let files = make(workspace, server("https://h.example/mcp", "untrusted")).await;
    let may = |tool_id, raw_name: Option<&str>, level| Permission {
        agent_id: lead,
        tool_id,
        raw_name: raw_name.map(str::to_owned),
        level,
        definition_hash: raw_name.map(|name| format!("hash of {name}")),
    };
    let decided = [
        may(api, None, Level::Always),
        may(files, Some("a.b"), Level::Never),
        may(files, Some("a_b"), Level::Ask),
    ];
    for one in decided.iter().chain([&may(files, Some("a_b"), Level::Ask)]) {
        store.set_tool_permission(one.clone(), ana.id).await.unwrap();
    }
    assert_eq!(store.tool_permissions(lead).await.unwrap(), decided);
    let foreign = Permission { agent_id: theirs, ..decided[0].clone() };
    assert!(matches!(store.set_tool_permission(foreign, ana.id).await, Err(Error::NotFound("tool"))));

    store.change_tool(api, weather("https://h.example/other"), SecretChange::Keep, ana.id).await.unwrap();
    assert_eq!(
        store.tool_permissions(lead).await.unwrap(),
        decided[1..],
        "always was for the tool as it was"
    );
    store.remove_tool_permission(lead, files, Some("a.b"), ana.id).await.unwrap();
    let again = store.remove_tool_permission(lead, files, Some("a.b"), ana.id).await;
    assert!(matches!(again, Err(Error::NotFound("permission"))));
    // Whoever answers elsewhere is not who was allowed to do something unasked; what was to be asked about still is.
    store.set_tool_permission(may(files, Some("read"), Level::Always), ana.id).await.unwrap();
    let change = async |definition| {
        store.change_tool(files, definition, SecretChange::Keep, ana.id).await.unwrap();
        store.tool_permissions(lead).await.unwrap().len()
    };
    assert_eq!(change(server("https://h.example/mcp", "trusted")).await, 2, "it is the same server");
    assert_eq!(change(server("https://other.example/mcp", "trusted")).await, 1);
    assert_eq!(store.tool_permissions(lead).await.unwrap(), decided[2..]);
    store.delete_tool(files, ana.id).await.unwrap();
    assert_eq!(store.tool_permissions(lead).await.unwrap(), []);
    told.end().await;
}
