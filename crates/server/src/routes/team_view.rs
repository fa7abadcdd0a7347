//! How teams look in the API, and the fields that can be set on one.

use baton_core::agents::Agent;
use baton_core::ids::AgentId;
use baton_core::teams::{Member, Origin, Stage, Team, TeamDefinition, TeamKind};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_body::StarterBody;
use crate::http::{some, team_kind_schema};

/// Hired agents, and how control moves between them.
#[derive(Serialize, ToSchema)]
#[schema(as = Team)]
pub struct TeamView {
    id: Uuid,
    workspace_id: Uuid,
    slug: String,
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// `swarm`: agents hand off by tools. `router`: a router decides on each message. `pipeline`: ordered stages.
    #[schema(schema_with = team_kind_schema)]
    kind: TeamKind,
    /// In order.
    members: Vec<MemberView>,
    /// Only of a team with a router.
    #[schema(required)]
    router: Option<RouterView>,
    /// Visitors and guests reach it at the workspace's public address.
    is_public: bool,
    /// First messages that it offers; they come with a pack.
    starters: Vec<StarterBody>,
    /// The team of a pack that it was hired as.
    #[schema(required)]
    pack: Option<PackTeamName>,
    #[schema(required)]
    created_by: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TeamMember)]
pub struct MemberView {
    agent_id: Uuid,
    name: String,
    slug: String,
    #[schema(required)]
    avatar_url: Option<String>,
    /// False for one that was let go: it stays in the team, but nobody is handed to it.
    is_active: bool,
    /// Only for the premium tier.
    is_restricted: bool,
    /// The first to answer.
    is_default: bool,
    priority: i32,
    #[schema(required)]
    stage: Option<StageView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TeamStage)]
pub struct StageView {
    name: String,
    #[schema(value_type = Object)]
    output_schema: Value,
    #[schema(required)]
    instructions: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TeamRouter)]
pub struct RouterView {
    /// Null: the server's choice.
    #[schema(required)]
    model: Option<String>,
    #[schema(required)]
    instructions: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct PackTeamName {
    name: String,
    team: String,
}

impl From<Origin> for PackTeamName {
    fn from(origin: Origin) -> Self {
        Self { name: origin.pack, team: origin.team }
    }
}

impl TeamView {
    /// `agents`: the team's members, at least.
    pub fn new(team: Team, agents: &[Agent]) -> Self {
        let definition = team.definition;
        let router =
            RouterView { model: definition.router_model, instructions: definition.router_instructions };
        let members = definition.members.into_iter().filter_map(|member| {
            let agent = agents.iter().find(|agent| agent.id == member.agent_id)?;
            Some(MemberView::new(member, agent))
        });
        Self {
            id: team.id.0,
            workspace_id: team.workspace_id.0,
            slug: team.slug,
            name: definition.name,
            description: definition.description,
            kind: definition.kind,
            members: members.collect(),
            router: (definition.kind == TeamKind::Router).then_some(router),
            is_public: definition.is_public,
            starters: definition.starters.into_iter().map(Into::into).collect(),
            pack: team.pack.map(Into::into),
            created_by: team.created_by.map(|id| id.0),
            created_at: team.created_at,
            updated_at: team.updated_at,
        }
    }
}

impl MemberView {
    fn new(member: Member, agent: &Agent) -> Self {
        let stage = |stage: Stage| StageView {
            name: stage.name,
            output_schema: stage.output_schema,
            instructions: stage.instructions,
        };
        Self {
            agent_id: agent.id.0,
            name: agent.definition.name.clone(),
            slug: agent.slug.clone(),
            avatar_url: agent.definition.avatar_url.clone(),
            is_active: agent.is_active,
            is_restricted: agent.definition.is_restricted,
            is_default: member.is_entry,
            priority: member.priority,
            stage: member.stage.map(stage),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTeam {
    #[serde(rename = "workspaceId")]
    pub workspace_id: Uuid,
    /// One of its kind in the workspace.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[schema(max_length = 2_000)]
    description: Option<String>,
    #[schema(schema_with = team_kind_schema)]
    kind: TeamKind,
    /// In order; of a pipeline these are the stages.
    #[schema(min_items = 1, max_items = 20)]
    members: Vec<MemberBody>,
    /// Only for a team with a router.
    router: Option<RouterBody>,
    /// Whether visitors and guests reach it (admins and owners).
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_public: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = NewTeamMember)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MemberBody {
    /// An agent that the workspace has hired.
    agent_id: Uuid,
    /// The default member of a swarm, the general one of a router team; left out, the first.
    is_default: Option<bool>,
    /// Of two specialists that fit, a router takes the one with the higher.
    priority: Option<i32>,
    /// Every member of a pipeline has one, and no other.
    stage: Option<StageBody>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = NewTeamStage)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StageBody {
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// A JSON Schema of an object: what the stage's result must be.
    #[schema(value_type = Object)]
    output_schema: Value,
    #[schema(max_length = 8_000)]
    instructions: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = NewTeamRouter)]
#[serde(deny_unknown_fields)]
pub struct RouterBody {
    #[schema(max_length = 100)]
    model: Option<String>,
    #[schema(max_length = 8_000)]
    instructions: Option<String>,
}

/// A change: a field that is left out stays as it is, null empties one that can be empty.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamChanges {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<String>, max_length = 2_000)]
    description: Option<Option<String>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(schema_with = team_kind_schema)]
    kind: Option<TeamKind>,
    /// All members from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(min_items = 1, max_items = 20, nullable = false)]
    members: Option<Vec<MemberBody>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<RouterBody>)]
    router: Option<Option<RouterBody>>,
    /// Whether visitors and guests reach it (admins and owners).
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_public: Option<bool>,
}

impl From<NewTeam> for TeamDefinition {
    fn from(body: NewTeam) -> Self {
        let (router_model, router_instructions) = router(body.router);
        Self {
            name: body.name,
            description: body.description,
            kind: body.kind,
            members: body.members.into_iter().map(Into::into).collect(),
            router_model,
            router_instructions,
            is_public: body.is_public.unwrap_or(false),
            starters: Vec::new(),
        }
    }
}

impl TeamChanges {
    pub fn apply(self, to: TeamDefinition) -> TeamDefinition {
        let kind = self.kind.unwrap_or(to.kind);
        let (router_model, router_instructions) = match self.router {
            Some(body) => router(body),
            None if kind == TeamKind::Router => (to.router_model, to.router_instructions),
            // The router's settings go with the router.
            None => (None, None),
        };
        TeamDefinition {
            name: self.name.unwrap_or(to.name),
            description: self.description.unwrap_or(to.description),
            kind,
            members: match self.members {
                Some(members) => members.into_iter().map(Into::into).collect(),
                None => to.members,
            },
            router_model,
            router_instructions,
            is_public: self.is_public.unwrap_or(to.is_public),
            starters: to.starters,
        }
    }
}

fn router(body: Option<RouterBody>) -> (Option<String>, Option<String>) {
    body.map_or((None, None), |body| (body.model, body.instructions))
}

impl From<MemberBody> for Member {
    fn from(body: MemberBody) -> Self {
        let stage = |stage: StageBody| Stage {
            name: stage.name,
            output_schema: stage.output_schema,
            instructions: stage.instructions,
        };
        Self {
            agent_id: AgentId(body.agent_id),
            is_entry: body.is_default.unwrap_or(false),
            priority: body.priority.unwrap_or(0),
            stage: body.stage.map(stage),
        }
    }
}
