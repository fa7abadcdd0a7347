use baton_core::agents::{AgentChanges, Author};
use baton_core::defined_tools::{ToolConfig, ToolDefinition};
use baton_core::handoff_tools::{HandoffConfig, Variable, VariableType};
use baton_core::ids::{AgentId, ToolId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::secrets::SecretChange;
use baton_core::store::{Agents, DefinedTools, Error, NewTool, Workspaces};
use baton_core::workspaces::Role;
use serde_json::json;

use crate::Told;
use crate::teams::agent;

pub fn handoff(name: &str, target_agent_id: AgentId) -> ToolDefinition {
    let priority = Variable {
        name: "priority".into(),
        kind: VariableType::String,
        required: false,
        description: Some("How soon.".into()),
        choices: Some(vec![json!("low"), json!("high")]),
    };
    let config = HandoffConfig {
        target_agent_id,
        context_variables: vec![priority],
        handoff_instructions: Some("Be quick.".into()),
    };
    let definition = ToolDefinition {
        name: name.into(),
        description: "Hands off.".into(),
        config: ToolConfig::Handoff(config),
    };
    definition.checked(|_| false).unwrap()
}

pub fn new(workspace_id: WorkspaceId, definition: ToolDefinition) -> NewTool {
    NewTool { id: ToolId::new(), workspace_id, definition, secrets: SecretChange::Keep }
}

#[tokio::test]
async fn a_tool_is_made_changed_and_deleted() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (ben, elsewhere) = told.person("ben@example.org").await;
    let (sdr, theirs) =
        (agent(&told, workspace, "SDR", ana.id).await, agent(&told, elsewhere, "SDR", ben.id).await);

    let made = store.create_tool(new(workspace, handoff("handoff_to_sdr", sdr)), ana.id).await.unwrap();
    assert_eq!(made.definition, handoff("handoff_to_sdr", sdr), "as it was given");
    assert_eq!(store.tool(made.id).await.unwrap(), made);
    let again = store.create_tool(new(workspace, handoff("handoff_to_sdr", sdr)), ana.id).await;
    assert!(matches!(again, Err(Error::NameTaken { what: "tool", field: "name" })));
    let again = store.check_new_tool(workspace, &handoff("handoff_to_sdr", sdr)).await;
    assert!(matches!(again, Err(Error::NameTaken { what: "tool", field: "name" })));
    store.check_new_tool(elsewhere, &handoff("handoff_to_sdr", theirs)).await.expect("free there");
    store.check_tool_change(made.id, &handoff("handoff_to_sdr", sdr)).await.expect("its own name");
    store
        .create_tool(new(elsewhere, handoff("handoff_to_sdr", theirs)), ben.id)
        .await
        .expect("another workspace's");
    for stranger in [theirs, AgentId::new()] {
        let refused = store.create_tool(new(workspace, handoff("x", stranger)), ana.id).await;
        assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
        let refused = store.change_tool(made.id, handoff("x", stranger), SecretChange::Keep, ana.id).await;
        assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
        let refused = store.check_new_tool(workspace, &handoff("x", stranger)).await;
        assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
        let refused = store.check_tool_change(made.id, &handoff("x", stranger)).await;
        assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
    }

    let other = store.create_tool(new(workspace, handoff("a-tool", sdr)), ana.id).await.unwrap();
    let taken = store.change_tool(other.id, handoff("handoff_to_sdr", sdr), SecretChange::Keep, ana.id).await;
    assert!(matches!(taken, Err(Error::NameTaken { .. })));
    let taken = store.check_tool_change(other.id, &handoff("handoff_to_sdr", sdr)).await;
    assert!(matches!(taken, Err(Error::NameTaken { .. })));
    let changed =
        store.change_tool(other.id, handoff("z_tool", sdr), SecretChange::Keep, ana.id).await.unwrap();
    assert_eq!((changed.id, changed.created_at), (other.id, other.created_at));
    let names: Vec<String> =
        store.tools(workspace).await.unwrap().into_iter().map(|tool| tool.definition.name).collect();
    assert_eq!(names, ["handoff_to_sdr", "z_tool"]);
    let export = crate::whole(store.export_workspace(workspace, ana.id).await.unwrap()).await;
    assert_eq!(export["tools"][0]["config"]["context_variables"][0]["enum"], json!(["low", "high"]));

    store.delete_tool(other.id, ana.id).await.unwrap();
    for gone in [other.id, ToolId::new()] {
        assert!(matches!(store.tool(gone).await, Err(Error::NotFound("tool"))));
        assert!(matches!(store.delete_tool(gone, ana.id).await, Err(Error::NotFound("tool"))));
    }
    let audit = store.audit(workspace, Window { limit: 50, offset: 0 }).await.unwrap();
    for action in ["tool.created", "tool.changed", "tool.deleted"] {
        assert!(audit.rows.iter().any(|event| event.action == action), "{action}");
    }
    told.end().await;
}

#[tokio::test]
async fn no_tool_leads_an_agent_to_itself() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (lead, sdr) =
        (agent(&told, workspace, "Lead", ana.id).await, agent(&told, workspace, "SDR", ana.id).await);
    let has = |tools: &[&str]| AgentChanges {
        tools: Some(tools.iter().map(|tool| (*tool).to_owned()).collect()),
        ..AgentChanges::default()
    };
    let tool = store.create_tool(new(workspace, handoff("to_sdr", sdr)), ana.id).await.unwrap();
    store
        .change_agent(lead, has(&["memory", "to_sdr"]), Author::in_person(ana.id, Role::Owner))
        .await
        .expect("the others may have it");
    let refused = store.change_agent(sdr, has(&["to_sdr"]), Author::in_person(ana.id, Role::Owner)).await;
    assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "tools"));

    // Listed first, defined later; and aimed at who has it already.
    store.change_agent(sdr, has(&["to_myself"]), Author::in_person(ana.id, Role::Owner)).await.unwrap();
    let refused = store.create_tool(new(workspace, handoff("to_myself", sdr)), ana.id).await;
    assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
    for wrong in [handoff("to_sdr", lead), handoff("to_myself", sdr)] {
        let refused = store.change_tool(tool.id, wrong, SecretChange::Keep, ana.id).await;
        assert!(matches!(refused, Err(Error::Invalid(wrong)) if wrong.field == "config.target_agent_id"));
    }
    assert_eq!(store.tool(tool.id).await.unwrap(), tool);
    told.end().await;
}
