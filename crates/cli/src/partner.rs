//! With whom to talk: the agent, the team or the conversation that the command line names.

use baton_core::ids::AgentId;
use uuid::Uuid;

use crate::api::{Agent, Conversation};
use crate::choice;
use crate::client::Client;
use crate::options::Options;
use crate::session::Session;
use crate::turn::With;

pub struct Partner {
    pub workspace: Uuid,
    /// All that are hired there.
    pub agents: Vec<Agent>,
    /// Of a new conversation.
    pub with: Option<With>,
    pub holder: Option<AgentId>,
    /// Who answers, in words.
    pub hello: String,
}

impl Partner {
    pub async fn meant(session: &Session, options: &Options) -> anyhow::Result<Self> {
        let client = &session.client;
        if let Some(id) = options.conversation {
            let conversation = named(client, id).await?;
            let agents = client.agents(conversation.workspace_id).await?;
            return Ok(Self::of(conversation, agents));
        }
        let workspace = choice::workspace(&session.me.workspaces, options.workspace.as_deref())?.id;
        let agents = client.agents(workspace).await?;
        if let Some(named) = &options.team {
            let teams = client.teams(workspace).await?;
            let team = choice::team(&teams, named)?;
            let begins = team.entry().map(|member| format!(" ({} begins)", member.name));
            let hello = format!("Talking to {}{}", team.name, begins.unwrap_or_default());
            return Ok(Self { workspace, agents, with: Some(With::Team(team.id)), holder: None, hello });
        }
        let default = client.default_agent(workspace).await?;
        let agent = choice::agent(&agents, options.agent.as_deref(), default)?;
        let (id, hello) = (agent.local_id, format!("Talking to {}", agent.name));
        Ok(Self { workspace, agents, with: id.map(With::Agent), holder: id.map(AgentId), hello })
    }

    fn of(conversation: Conversation, agents: Vec<Agent>) -> Self {
        let active = conversation.active;
        let hello = active.as_ref().map(|active| format!("Going on with {}", active.agent_name));
        Self {
            workspace: conversation.workspace_id,
            agents,
            with: None,
            holder: active.map(|active| active.agent_id),
            hello: hello.unwrap_or_else(|| "Going on".to_owned()),
        }
    }
}

/// The conversation that the command line names.
async fn named(client: &Client, id: Uuid) -> anyhow::Result<Conversation> {
    let found = client.conversation(id).await;
    found.map_err(|failure| match failure.code() {
        "not_found" => {
            anyhow::anyhow!("--conversation: there is no conversation {id} here that you could go on with")
        }
        _ => failure.into(),
    })
}
