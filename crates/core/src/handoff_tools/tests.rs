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
