//! The calls of the public API that a conversation in the terminal needs, and the fields of their answers that are
//! used.

use baton_core::ids::{AgentId, MessageId};
use baton_core::log::MessageStatus;
use baton_core::parts::Part;
use chrono::{DateTime, Utc};
use reqwest::{Method, RequestBuilder, header};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::approval::Wanted;
use crate::client::{Client, Failure};

const PAGE: usize = 200;

#[derive(Deserialize)]
pub struct Me {
    pub profile: Profile,
    pub workspaces: Vec<Workspace>,
}

#[derive(Deserialize)]
pub struct Profile {
    pub name: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Workspace {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
}

/// A hired agent.
#[derive(Debug, Clone, Deserialize)]
pub struct Agent {
    /// The catalog's id.
    pub id: Uuid,
    #[serde(rename = "localAgentId")]
    pub local_id: Option<Uuid>,
    pub name: String,
    pub slug: String,
}

/// Agents between whom control moves.
#[derive(Debug, Clone, Deserialize)]
pub struct Team {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    pub members: Vec<Member>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Member {
    pub name: String,
    pub is_default: bool,
}

impl Team {
    /// The first to answer.
    pub fn entry(&self) -> Option<&Member> {
        self.members.iter().find(|member| member.is_default).or(self.members.first())
    }
}

/// Who holds a conversation.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Active {
    pub agent_id: AgentId,
    pub agent_name: String,
    pub epoch: i64,
}

/// What came of a switch.
#[derive(Deserialize)]
pub struct Switched {
    pub active: Active,
    /// The agent's first words.
    pub message: Option<Greeting>,
}

#[derive(Deserialize)]
pub struct Greeting {
    pub id: MessageId,
    pub content: String,
}

#[derive(Deserialize)]
pub struct Conversation {
    pub workspace_id: Uuid,
    /// Nobody, if the agent is gone.
    pub active: Option<Active>,
    pub messages: Vec<Message>,
    pub cursor: String,
    /// Set while a turn is under way.
    pub turn: Option<Value>,
}

#[derive(Deserialize)]
pub struct Message {
    pub id: MessageId,
    pub agent_id: AgentId,
    pub role: String,
    pub content: String,
    /// Parts that we don't know are left out, not an error.
    pub parts: Option<Vec<Value>>,
    pub metadata: Value,
    pub status: MessageStatus,
    pub attempt: i32,
    pub created_at: DateTime<Utc>,
}

impl Message {
    /// Said by a person, not by Baton for them.
    pub fn is_persons(&self) -> bool {
        self.role == "user" && self.metadata["synthetic"] != true
    }

    pub fn known_parts(&self) -> Vec<Part> {
        match &self.parts {
            Some(parts) => {
                let read = parts.iter().filter_map(|part| serde_json::from_value(part.clone()).ok());
                read.filter(|part| !matches!(part, Part::Unknown(_))).collect()
            }
            None => vec![Part::Text { text: self.content.clone() }],
        }
    }
}

/// What a person says about a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Approve {
        /// Other arguments than the agent's.
        arguments: Option<Map<String, Value>>,
        /// For the rest of the conversation.
        remember: bool,
    },
    Reject {
        reason: Option<String>,
    },
}

impl Client {
    pub async fn me(&self) -> Result<Me, Failure> {
        self.get("/api/auth/me").await
    }

    /// Where it began with a session, that session ends.
    pub async fn sign_out(&self) -> Result<(), Failure> {
        self.post::<Value>("/api/auth/sign-out", &json!({})).await.map(drop)
    }

    pub async fn agents(&self, workspace: Uuid) -> Result<Vec<Agent>, Failure> {
        #[derive(Deserialize)]
        struct Page {
            agents: Vec<Agent>,
        }
        let mut all = Vec::new();
        loop {
            let offset = all.len();
            let path =
                format!("/api/agents?workspaceId={workspace}&hired_only=true&limit={PAGE}&offset={offset}");
            let page: Page = self.get(&path).await?;
            let is_last = page.agents.len() < PAGE;
            all.extend(page.agents);
            if is_last {
                return Ok(all);
            }
        }
    }

    pub async fn teams(&self, workspace: Uuid) -> Result<Vec<Team>, Failure> {
        #[derive(Deserialize)]
        struct List {
            teams: Vec<Team>,
        }
        let list: List = self.get(&format!("/api/teams?workspaceId={workspace}")).await?;
        Ok(list.teams)
    }

    /// Gives a conversation to an agent, by its id, or with `auto` to the team's router.
    pub async fn switch(&self, conversation: Uuid, to: &str) -> Result<Switched, Failure> {
        let path = format!("/api/agent-conversations/{conversation}/switch");
        self.post(&path, &json!({"agentId": to})).await
    }

    pub async fn default_agent(&self, workspace: Uuid) -> Result<Option<Uuid>, Failure> {
        #[derive(Deserialize)]
        struct View {
            default_agent_id: Option<Uuid>,
        }
        let view: View = self.get(&format!("/api/workspaces/{workspace}")).await?;
        Ok(view.default_agent_id)
    }

    /// Whether nothing but the demo model can answer.
    pub async fn has_only_the_demo(&self) -> Result<bool, Failure> {
        #[derive(Deserialize)]
        struct View {
            demo: bool,
        }
        let view: View = self.get("/api/models").await?;
        Ok(view.demo)
    }

    pub async fn conversation(&self, id: Uuid) -> Result<Conversation, Failure> {
        self.get(&format!("/api/agent-conversations/{id}")).await
    }

    pub fn say(&self, body: &Value, key: &str) -> RequestBuilder {
        let request = self.request(Method::POST, "/api/agent-chat").header("idempotency-key", key);
        request.header(header::ACCEPT, "text/event-stream").json(body)
    }

    pub fn retry(&self, conversation: Uuid, key: &str) -> RequestBuilder {
        let path = format!("/api/agent-chat/{conversation}/retry");
        let request = self.request(Method::POST, &path).header("idempotency-key", key);
        request.header(header::ACCEPT, "text/event-stream")
    }

    pub fn follow(&self, conversation: Uuid, after: &str) -> RequestBuilder {
        let path = format!("/api/agent-chat/{conversation}/stream");
        let request = self.request(Method::GET, &path).header("last-event-id", after);
        request.header(header::ACCEPT, "text/event-stream")
    }

    pub async fn stop(&self, conversation: Uuid) -> Result<(), Failure> {
        self.post::<Value>(&format!("/api/agent-chat/{conversation}/stop"), &json!({})).await.map(drop)
    }

    pub async fn decide(&self, wanted: &Wanted, verdict: &Verdict) -> Result<(), Failure> {
        let (verb, mut body) = match verdict {
            Verdict::Approve { arguments: None, remember } => ("approve", json!({"remember": remember})),
            Verdict::Approve { arguments: Some(arguments), remember } => {
                ("approve", json!({"arguments": arguments, "remember": remember}))
            }
            Verdict::Reject { reason: None } => ("reject", json!({})),
            Verdict::Reject { reason: Some(reason) } => ("reject", json!({"reason": reason})),
        };
        body["args_hash"] = json!(wanted.args_hash);
        self.post::<Value>(&format!("/api/approvals/{}/{verb}", wanted.id), &body).await.map(drop)
    }
}
