use super::*;
use serde_json::json;

fn member(stage: Option<&str>) -> Member {
    let stage = stage.map(|name| Stage {
        name: name.into(),
        output_schema: json!({"type": "object", "properties": {"size": {"type": "integer"}}}),
        instructions: None,
    });
    Member { agent_id: AgentId::new(), is_entry: false, priority: 0, stage }
}

fn team(kind: TeamKind, members: Vec<Member>) -> TeamDefinition {
    TeamDefinition {
        name: "Desk".into(),
        description: None,
        kind,
        members,
        router_model: None,
        router_instructions: None,
        is_public: false,
        starters: Vec::new(),
    }
}

#[test]
fn one_member_is_the_first_to_answer() {
    let made = team(TeamKind::Swarm, vec![member(None), member(None)]).checked().unwrap();
    assert_eq!(made.entry().unwrap().agent_id, made.members[0].agent_id);
    let mut second = member(None);
    second.is_entry = true;
    let made = team(TeamKind::Router, vec![member(None), second.clone()]).checked().unwrap();
    assert_eq!(made.entry().unwrap().agent_id, second.agent_id);
    assert!(!made.members[0].is_entry);
}

#[test]
fn mistakes_are_named() {
    use TeamKind::{Pipeline, Router, Swarm};
    let twice = member(None);
    let mut broken = member(Some("one"));
    if let Some(stage) = &mut broken.stage {
        stage.output_schema = json!({"type": "objekt"});
    }
    let entry = || Member { is_entry: true, ..member(None) };
    for (wrong, field) in [
        (team(Pipeline, vec![]), "members"),
        (team(Swarm, vec![member(None)]), "members"),
        (team(Swarm, vec![twice.clone(), twice]), "members[1].agentId"),
        (team(Swarm, vec![entry(), entry()]), "members"),
        (team(Router, vec![member(None), member(Some("x"))]), "members[1].stage"),
        (team(Pipeline, vec![member(None)]), "members[0].stage"),
        (team(Pipeline, vec![member(Some("a")), member(Some("a"))]), "members[1].stage.name"),
        (team(Pipeline, vec![broken]), "members[0].stage.outputSchema"),
    ] {
        let kind = wrong.kind;
        assert_eq!(wrong.checked().unwrap_err().field, field, "{kind}");
    }
}
