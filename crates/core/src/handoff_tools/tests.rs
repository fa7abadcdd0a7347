use super::*;
use crate::defined_tools::{ToolConfig, ToolDefinition};

fn variable(name: &str, kind: VariableType, required: bool) -> Variable {
    Variable { name: name.into(), kind, required, description: None, choices: None }
}

fn config() -> HandoffConfig {
    HandoffConfig {
        target_agent_id: AgentId::new(),
        context_variables: vec![
            variable("lead_id", VariableType::String, true),
            variable("campaign_type", VariableType::String, false),
        ],
        handoff_instructions: None,
    }
}

fn to_sdr() -> ToolDefinition {
    ToolDefinition {
        name: "handoff_to_sdr".into(),
        description: "For qualified leads.".into(),
        config: ToolConfig::Handoff(config()),
    }
}

#[test]
fn mistakes_are_named() {
    let named = |name: &str| ToolDefinition { name: name.into(), ..to_sdr() };
    let with = |variables: Vec<Variable>| {
        let config = HandoffConfig { context_variables: variables, ..config() };
        ToolDefinition { config: ToolConfig::Handoff(config), ..to_sdr() }
    };
    let string = |name: &str| variable(name, VariableType::String, true);
    let choice = |choices: Value| Variable { choices: choices.as_array().cloned(), ..string("x") };
    for (wrong, field) in [
        (named("two words"), "name"),
        (named(&"x".repeat(65)), "name"),
        (named("switch_agent"), "name"),
        (named("ask_sdr"), "name"),
        (named("manageMemory"), "name"),
        (ToolDefinition { description: " ".into(), ..to_sdr() }, "description"),
        (with(vec![string("_handoff_from")]), "config.context_variables[0].name"),
        (with(vec![string("a"), string("a")]), "config.context_variables[1].name"),
        (with(vec![choice(json!([]))]), "config.context_variables[0].enum"),
        (with(vec![choice(json!([1]))]), "config.context_variables[0].enum"),
    ] {
        let name = wrong.name.clone();
        let error = wrong.checked(|name| name == "manageMemory").unwrap_err();
        assert_eq!(error.field, field, "{name}");
    }
    assert!(to_sdr().checked(|_| false).is_ok());
}

#[test]
fn limits_are_what_they_say() {
    let fits = |config: HandoffConfig| {
        let tool = ToolDefinition { config: ToolConfig::Handoff(config), ..to_sdr() };
        tool.checked(|_| false).map(drop).map_err(|error| error.field)
    };
    let with = |variables: Vec<Variable>| HandoffConfig { context_variables: variables, ..config() };
    let many =
        |count| with((0..count).map(|at| variable(&format!("v{at}"), VariableType::String, true)).collect());
    assert_eq!(fits(many(MAX_VARIABLES)), Ok(()));
    assert_eq!(fits(many(MAX_VARIABLES + 1)), Err("config.context_variables".into()));
    let named = |name: &str| with(vec![variable(name, VariableType::String, true)]);
    for right in ["a", "a1_b", "Lead", &"x".repeat(64)] {
        assert_eq!(fits(named(right)), Ok(()), "{right}");
    }
    for wrong in ["", "1a", "_a", "a-b", "é", &"x".repeat(65)] {
        assert_eq!(fits(named(wrong)), Err("config.context_variables[0].name".into()), "{wrong}");
    }
    let choices = |choices: Vec<Value>| {
        let lead = variable("lead", VariableType::String, true);
        with(vec![Variable { choices: Some(choices), ..lead }])
    };
    let numbered = |count: usize| choices((0..count).map(|at| json!(at.to_string())).collect());
    assert_eq!(fits(numbered(50)), Ok(()));
    // With its quotes and brackets this one choice has 4 KiB.
    let long = |bytes: usize| choices(vec![json!("x".repeat(bytes - 4))]);
    assert_eq!(fits(long(4 * 1024)), Ok(()));
    for wrong in [numbered(51), long(4 * 1024 + 1), choices(vec![json!("\u{0}")])] {
        assert_eq!(fits(wrong), Err("config.context_variables[0].enum".into()));
    }
    let told = |instructions: String| HandoffConfig { handoff_instructions: Some(instructions), ..config() };
    assert_eq!(fits(told("x".repeat(MAX_INSTRUCTIONS))), Ok(()));
    assert_eq!(fits(told("x".repeat(MAX_INSTRUCTIONS + 1))), Err("config.handoff_instructions".into()));
}

#[test]
fn the_calling_model_is_told_what_each_variable_is() {
    let mut described = config();
    described.context_variables[0].description = Some("Of the campaign.".into());
    described.context_variables[1].choices = Some(vec![json!("cold"), json!("warm")]);
    let expected = json!({
        "type": "object",
        "properties": {
            "lead_id": {"type": "string", "description": "Of the campaign."},
            "campaign_type": {"type": "string", "enum": ["cold", "warm"]},
        },
        "required": ["lead_id"],
        "additionalProperties": false,
    });
    assert_eq!(described.parameters(), expected);
}

#[test]
fn the_calling_model_reads_what_the_target_will_be_told() {
    let tool = |instructions: Option<&str>| {
        let config = HandoffConfig { handoff_instructions: instructions.map(str::to_owned), ..config() };
        config.spec("handoff_to_sdr", "For qualified leads.")
    };
    assert_eq!(tool(None).description, "For qualified leads.");
    let told = tool(Some("Follow up within a day."));
    assert_eq!(told.description, "For qualified leads.\n\nThe next agent is told: Follow up within a day.");
    assert_eq!(
        (&told.name, &told.parameters["required"]),
        (&"handoff_to_sdr".to_owned(), &json!(["lead_id"]))
    );
}

#[test]
fn variables_are_what_they_must_be() {
    let config = config();
    let pass =
        |args: Value| config.variables(args.as_object().expect("an object")).map_err(|refusal| refusal.code);
    assert_eq!(
        pass(json!({"lead_id": "42", "campaign_type": null})).unwrap(),
        pass(json!({"lead_id": "42"})).unwrap()
    );
    for (args, code) in [
        (json!({}), "wrong_variables"),
        (json!({"lead_id": 42}), "wrong_variables"),
        (json!({"lead_id": null}), "wrong_variables"),
        (json!({"lead_id": "1", "_handoff_from": "x"}), "wrong_variables"),
        (json!({"lead_id": "x".repeat(1 << 20)}), "context_too_large"),
    ] {
        assert_eq!(pass(args).unwrap_err(), code);
    }
}
