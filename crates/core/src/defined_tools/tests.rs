use serde_json::json;

use super::*;

fn tool(name: &str, kind: ToolType, config: Value) -> ToolDefinition {
    let config = ToolConfig::read(kind, config).expect("a configuration");
    ToolDefinition { name: name.into(), description: "Does something.".into(), config }
}

fn all() -> Vec<ToolDefinition> {
    vec![
        tool("to_sales", ToolType::Handoff, json!({"target_agent_id": uuid::Uuid::nil()})),
        tool(
            "files",
            ToolType::McpServer,
            json!({"transport": "http", "url": "https://h.example/mcp", "secret_headers": ["Authorization"]}),
        ),
        tool(
            "local",
            ToolType::McpServer,
            json!({"transport": "stdio", "program": "files", "secret_environment": ["KEY"]}),
        ),
        tool(
            "weather",
            ToolType::HttpApi,
            json!({"method": "GET", "url": "https://H.example/w", "secret_headers": ["X-Key"], "trusted_as": "reads"}),
        ),
        tool(
            "total",
            ToolType::SupabaseRpc,
            json!({"base_url": "https://abc.supabase.co/", "function": "total", "trusted_as": "unknown"}),
        ),
        tool(
            "spending",
            ToolType::Internal,
            json!({"tool": "queryAnalytics", "arguments": {"figure": "spending"}}),
        ),
    ]
}

#[test]
fn each_type_is_checked_stored_and_read_back() {
    for tool in all() {
        let name = tool.name.clone();
        let checked = tool.checked(|_| false).expect(&name);
        let stored = checked.config.stored().expect("JSON");
        assert_eq!(
            ToolConfig::read(checked.kind(), stored).expect("a configuration"),
            checked.config,
            "{name}"
        );
        assert_eq!(checked.config.kind().to_string().parse(), Ok(checked.kind()));
    }
}

#[test]
fn secrets_are_named_and_go_to_one_place() {
    let told: Vec<(Vec<String>, Option<String>)> =
        all().iter().map(|tool| (tool.config.secret_names(), tool.config.secrets_go_to())).collect();
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            (names(&[]), None),
            (names(&["Authorization"]), Some("https://h.example".into())),
            (names(&["KEY"]), Some("program files".into())),
            (names(&["X-Key"]), Some("https://h.example".into())),
            (names(&["apikey"]), Some("https://abc.supabase.co".into())),
            (names(&[]), None),
        ]
    );
}

#[test]
fn secrets_are_kept_as_one_text() {
    let secrets =
        ToolSecrets::from([("X-Key".into(), SecretText::new("a\"b")), ("Y".into(), SecretText::new("ü"))]);
    assert_eq!(split_secrets(&join_secrets(&secrets)), Some(secrets));
    assert_eq!(split_secrets(&SecretText::new("no JSON")), None);
}

#[test]
fn names_leave_room_for_servers_tools() {
    let named = |name: &str| {
        let checked =
            all().into_iter().map(|tool| ToolDefinition { name: name.into(), ..tool }.checked(|_| false));
        checked.filter(Result::is_ok).count()
    };
    assert_eq!(named("plain-name_1"), 6);
    assert_eq!(named("a__b"), 1, "handoffs had such names before there were servers");
    assert_eq!(named(&"x".repeat(40)), 4, "all but servers");
    assert_eq!(named("ends_"), 4, "all but servers");
    assert_eq!(named("call_tool"), 0);
}

#[test]
fn a_function_is_called_where_it_is() {
    let ToolConfig::SupabaseRpc(mut config) = all().remove(4).config else { panic!("a function") };
    config.database_schema = Some("shop".into());
    config.check().expect("a configuration");
    let planned = config.plan(json!({"month": 3}).as_object().expect("an object")).expect("a request");
    assert_eq!(planned.url, "https://abc.supabase.co/rest/v1/rpc/total");
    assert_eq!(planned.headers.get("Content-Profile").map(String::as_str), Some("shop"));
    assert_eq!(planned.body, Some(json!({"month": 3})));
    for wrong in ["", "a/b", "a b", "1a", "a?b"] {
        let mut config = SupabaseRpcConfig { function: wrong.into(), ..config.clone() };
        assert_eq!(config.check().expect_err(wrong).field, "config.function");
    }
}

#[test]
fn no_server_is_named_as_tools_that_ask_agents() {
    let config = all().into_iter().find(|one| one.kind() == ToolType::McpServer).expect("a server").config;
    let named = |name: &str| {
        ToolDefinition { name: name.into(), description: "Files.".into(), config: config.clone() }
            .checked(|_| false)
    };
    assert!(named("asks").is_ok());
    for wrong in ["ask", "ask_", "ask_files", "a__b", "files_"] {
        assert_eq!(named(wrong).expect_err(wrong).field, "name");
    }
}

#[test]
fn what_is_preset_is_not_the_models_to_say() {
    let parameters = json!({
        "type": "object",
        "properties": {"figure": {"type": "string", "enum": ["spending", "income"]}, "months": {"type": "integer"}},
        "required": ["figure"],
    });
    let preset = |arguments: Value| PresetConfig {
        tool: "queryAnalytics".into(),
        arguments: arguments.as_object().cloned().expect("an object"),
    };
    let spending = preset(json!({"figure": "spending"}));
    assert_eq!(spending.check_against(&parameters), Ok(()));
    assert_eq!(
        spending.parameters(&parameters),
        json!({"type": "object", "properties": {"months": {"type": "integer"}}, "required": []})
    );
    let said = json!({"figure": "income", "months": 3});
    let completed = spending.completed(said.as_object().cloned().expect("an object"));
    assert_eq!(Value::Object(completed), json!({"figure": "spending", "months": 3}));
    for (wrong, field) in [(json!({"figure": "x"}), "figure"), (json!({"colour": 1}), "colour")] {
        let refused = preset(wrong).check_against(&parameters).expect_err(field);
        assert_eq!(refused.field, format!("config.arguments.{field}"));
    }
}
