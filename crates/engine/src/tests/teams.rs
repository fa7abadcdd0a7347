//! Teams for simulations.

use baton_core::ids::{AgentId, TeamId};
use baton_core::teams::{Member, Stage, Team, TeamDefinition, TeamKind};
use chrono::DateTime;
use fastrand::Rng;
use serde_json::json;

use super::ready_agents::workspace;

/// A team of some kind, or none.
pub fn any(dice: &mut Rng, agents: [AgentId; 3]) -> Option<Team> {
    let kinds = [TeamKind::Swarm, TeamKind::Router, TeamKind::Pipeline];
    let kind = *dice.choice(&kinds).expect("a kind");
    (dice.u8(..5) > 0).then(|| team(kind, agents))
}

pub fn team(kind: TeamKind, agents: [AgentId; 3]) -> Team {
    let members = agents.into_iter().enumerate().map(|(at, agent_id)| {
        let stage = Stage {
            name: format!("stage {at}"),
            output_schema: json!({
                "type": "object", "required": ["size"], "properties": {"size": {"type": "integer"}},
            }),
            instructions: None,
        };
        let stage = (kind == TeamKind::Pipeline).then_some(stage);
        Member { agent_id, is_entry: at == 0, priority: 0, stage }
    });
    Team {
        id: TeamId::new(),
        workspace_id: workspace().id,
        slug: "desk".into(),
        definition: TeamDefinition {
            name: "Desk".into(),
            description: None,
            kind,
            members: members.collect(),
            router_model: None,
            router_instructions: None,
            is_public: false,
            starters: vec![],
        },
        pack: None,
        created_by: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}
