use super::*;

const DESK: &str = r#"
    name = "desk"
    title = "Desk"
    description = "Two agents."
    [[agents]]
    slug = "front"
    name = "Front"
    description = "Greets."
    category = "general"
    tools = ["to_back"]
    system_prompt = "You greet."
    [[agents]]
    slug = "back"
    name = "Back"
    description = "Works."
    category = "general"
    system_prompt = "You work."
    [[teams]]
    slug = "desk"
    name = "Desk"
    description = "Greets, then works."
    kind = "pipeline"
    [[teams.members]]
    agent = "front"
    stage = { name = "greet", output_schema = { type = "object", properties = { size = { type = "integer" } } } }
    [[teams.members]]
    agent = "back"
    stage = { name = "work", output_schema = { type = "object" }, instructions = "Work." }
    [[tools]]
    name = "to_back"
    type = "handoff"
    description = "For work."
    target = "back"
    context_variables = [{ name = "order", type = "string", required = true }]
"#;

#[test]
fn a_team_is_of_the_agents_its_slugs_stand_for() {
    let pack = Pack::parse(DESK).unwrap();
    let ids = [AgentId::new(), AgentId::new()];
    let of = |slug: &str| Some(ids[usize::from(slug == "back")]);
    let team = pack.team("desk").unwrap().definition(of).unwrap();
    assert_eq!(team.members.iter().map(|member| member.agent_id).collect::<Vec<_>>(), ids);
    assert_eq!(team.entry().unwrap().agent_id, ids[0]);
    let schema = &team.members[0].stage.as_ref().unwrap().output_schema;
    assert_eq!(schema["properties"]["size"]["type"], "integer");
    let tool = pack.tools[0].definition(ids[1]).unwrap();
    assert_eq!(
        tool.config.handoff().expect("a handoff").parameters()["required"],
        serde_json::json!(["order"])
    );
}

#[test]
fn mistakes_are_named() {
    for (from, to, expected) in [
        ("kind = \"pipeline\"", "kind = \"relay\"", "must be one of"),
        ("agent = \"back\"", "agent = \"bakc\"", "bakc is not in this pack"),
        ("agent = \"back\"", "agent = \"front\"", "is a member already"),
        ("type = \"integer\"", "type = \"int\"", "outputSchema"),
        ("kind = \"pipeline\"", "kind = \"swarm\"", "stage is only for a pipeline"),
        ("name = \"work\", output", "nmae = \"work\", output", "nmae"),
        ("kind = \"pipeline\"", "kind = \"pipeline\"\nrouter = { model = \"sonnet\" }", "router"),
        ("slug = \"desk\"", "slug = \"The Desk\"", "not a slug"),
        ("target = \"back\"", "target = \"bakc\"", "bakc is not in this pack"),
        ("target = \"back\"", "target = \"front\"", "hand off to itself"),
        ("name = \"to_back\"", "name = \"switch_agent\"", "name is the name of a tool"),
        ("name = \"order\"", "name = \"_order\"", "context_variables[0].name"),
        ("type = \"handoff\"", "type = \"http\"", "must be one of"),
    ] {
        let error = Pack::parse(&DESK.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} should name {expected}");
    }
}
