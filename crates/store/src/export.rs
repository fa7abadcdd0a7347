//! What people take with them: their account, or their workspace. Hashes, and other people's
//! conversations and notes, stay here.

use baton_core::conversations::Message;
use baton_core::handoffs::Snapshot;
use baton_core::ids::{ConversationId, ProfileId, WorkspaceId};
use baton_core::public;
use baton_core::store::{DefinedTools, Handoffs, Result, Rules, Skills, Teams, Workspaces};
use baton_core::teams::{Member, Team};
use baton_core::workspaces::Membership;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{activations, agent_conversations, agent_messages, agents};
use crate::{conversations, messages, people};

const FORMAT: &str = "baton-export-1";

fn exported_team(team: Team) -> Value {
    let member = |member: Member| {
        let stage = member.stage.map(|stage| {
            json!({
                "name": stage.name, "output_schema": stage.output_schema, "instructions": stage.instructions,
            })
        });
        json!({
            "agent_id": member.agent_id, "is_default": member.is_entry, "priority": member.priority,
            "stage": stage,
        })
    };
    let definition = team.definition;
    let members: Vec<Value> = definition.members.into_iter().map(member).collect();
    json!({
        "id": team.id, "slug": team.slug, "name": definition.name, "description": definition.description,
        "kind": definition.kind, "members": members, "is_public": definition.is_public,
        "router": {"model": definition.router_model, "instructions": definition.router_instructions},
    })
}

fn exported_message(message: Message) -> Value {
    json!({
        "id": message.id, "role": message.role, "agent_id": message.agent_id, "content": message.content,
        "parts": message.parts, "metadata": message.metadata, "created_at": message.created_at,
    })
}

fn exported_conversation(row: &agent_conversations::Model, messages: Vec<Value>) -> Value {
    json!({
        "id": row.id, "workspace_id": row.workspace_id, "agent_id": row.agent_id, "team_id": row.team_id,
        "title": row.title, "created_at": row.created_at, "updated_at": row.updated_at, "messages": messages,
    })
}

impl SqlStore {
    pub(crate) async fn profile_export(&self, id: ProfileId) -> Result<Value> {
        let profile = people::find_profile(&self.db, id).await?;
        let memberships = people::memberships(&self.db, id).await?;
        let workspaces: Vec<Value> = memberships
            .iter()
            .map(|m| json!({"id": m.workspace_id, "name": m.name, "slug": m.slug, "role": m.role}))
            .collect();
        Ok(json!({
            "format": FORMAT,
            "exported_at": now(),
            "profile": {
                "id": profile.id,
                "email": profile.email,
                "name": profile.name,
                "time_zone": profile.time_zone,
                "tier": profile.tier,
                "is_admin": profile.is_admin,
                "created_at": profile.created_at,
            },
            "workspaces": workspaces,
            "conversations": self.conversations_everywhere(id, &memberships).await?,
            "memories": self.exported_memories(id, None).await?,
        }))
    }

    pub(crate) async fn workspace_export(&self, id: WorkspaceId, by: ProfileId) -> Result<Value> {
        let workspace = self.workspace(id).await?;
        let members: Vec<Value> = self
            .members(id)
            .await?
            .into_iter()
            .map(|m| {
                json!({
                    "profile_id": m.profile_id, "name": m.name, "email": m.email,
                    "role": m.role, "joined_at": m.joined_at,
                })
            })
            .collect();
        let rules: Vec<Value> = self
            .rules(Some(id))
            .await?
            .into_iter()
            .map(|rule| {
                json!({
                    "id": rule.id, "name": rule.name, "content": rule.content, "active": rule.active,
                    "position": rule.position, "agent_ids": rule.agent_ids,
                })
            })
            .collect();
        let skills: Vec<Value> = self
            .skills(id)
            .await?
            .into_iter()
            .map(|skill| {
                json!({
                    "id": skill.id, "name": skill.name, "display_name": skill.display_name,
                    "description": skill.description, "icon": skill.icon, "content": skill.content,
                    "is_active": skill.is_active, "agent_ids": skill.agent_ids,
                })
            })
            .collect();
        let teams: Vec<Value> = self.teams(id).await?.into_iter().map(exported_team).collect();
        let tools: Vec<Value> = self
            .tools(id)
            .await?
            .into_iter()
            .map(|tool| {
                let definition = tool.definition;
                json!({
                    "id": tool.id, "name": definition.name, "type": definition.kind,
                    "description": definition.description, "config": definition.config,
                })
            })
            .collect();
        Ok(json!({
            "format": FORMAT,
            "exported_at": now(),
            "workspace": {
                "id": workspace.id,
                "name": workspace.name,
                "slug": workspace.slug,
                "time_zone": workspace.time_zone,
                "public_spend_cap_usd": workspace.public_spend_cap_micros.map(|micros| micros as f64 / 1e6),
                "spend_cap_usd": workspace.spend_cap_micros.map(|micros| micros as f64 / 1e6),
                "public_chat": workspace.public_chat,
                "default_agent_id": workspace.default_agent_id,
                "created_at": workspace.created_at,
            },
            "members": members,
            "agents": self.agents_of(id).await?,
            "rules": rules,
            "skills": skills,
            "teams": teams,
            "tools": tools,
            "memories": self.exported_memories(by, Some(id)).await?,
            "conversations": self.conversations_of(by, id).await?,
        }))
    }

    async fn agents_of(&self, id: WorkspaceId) -> Result<Vec<Value>> {
        let rows = agents::Entity::find()
            .filter(agents::Column::WorkspaceId.eq(id.0))
            .order_by_asc(agents::Column::Id)
            .all(&self.db)
            .await
            .db()?;
        rows.into_iter()
            .map(|row| {
                Ok(json!({
                    "id": row.id, "slug": row.slug, "ai_agent_id": row.ai_agent_id, "is_active": row.is_active,
                    "hired_at": row.hired_at, "hired_version": row.hired_version, "definition": row.definition(),
                }))
            })
            .collect()
    }

    /// A person's conversations: where they are a member all there is, elsewhere what guests are shown.
    async fn conversations_everywhere(&self, id: ProfileId, member_of: &[Membership]) -> Result<Vec<Value>> {
        let select = conversations::there().filter(agent_conversations::Column::UserId.eq(id.0));
        let rows = select.order_by_asc(agent_conversations::Column::Id).all(&self.db).await.db()?;
        let is_member = |row: &agent_conversations::Model| {
            member_of.iter().any(|membership| membership.workspace_id.0 == row.workspace_id)
        };
        let mut conversations = Vec::with_capacity(rows.len());
        for row in rows {
            if is_member(&row) {
                conversations.push(self.whole_conversation(row).await?);
            } else if row.parent_id.is_none() {
                conversations.push(self.as_guests_see(row).await?);
            }
        }
        Ok(conversations)
    }

    async fn conversations_of(&self, id: ProfileId, workspace: WorkspaceId) -> Result<Vec<Value>> {
        let select = conversations::there()
            .filter(agent_conversations::Column::UserId.eq(id.0))
            .filter(agent_conversations::Column::WorkspaceId.eq(workspace.0));
        let rows = select.order_by_asc(agent_conversations::Column::Id).all(&self.db).await.db()?;
        let mut conversations = Vec::with_capacity(rows.len());
        for row in rows {
            conversations.push(self.whole_conversation(row).await?);
        }
        Ok(conversations)
    }

    async fn whole_conversation(&self, row: agent_conversations::Model) -> Result<Value> {
        let messages = self.messages_in(row.id).await?.into_iter().map(exported_message).collect();
        let mut exported = exported_conversation(&row, messages);
        exported["parent_id"] = json!(row.parent_id);
        exported["activations"] = self.activations_in(row.id).await?.into();
        exported["snapshots"] = self.snapshots_in(row.id).await?.into();
        Ok(exported)
    }

    async fn as_guests_see(&self, row: agent_conversations::Model) -> Result<Value> {
        let messages = self.messages_in(row.id).await?.into_iter().filter_map(public::message);
        Ok(exported_conversation(&row, messages.map(exported_message).collect()))
    }

    async fn messages_in(&self, conversation: Uuid) -> Result<Vec<Message>> {
        let rows = agent_messages::Entity::find()
            .filter(agent_messages::Column::ConversationId.eq(conversation))
            .order_by_asc(agent_messages::Column::Seq)
            .all(&self.db)
            .await
            .db()?;
        messages::read(&self.db, rows).await
    }

    async fn activations_in(&self, conversation: Uuid) -> Result<Vec<Value>> {
        let rows = activations::Entity::find()
            .filter(activations::Column::ConversationId.eq(conversation))
            .order_by_asc(activations::Column::BeganSeq)
            .all(&self.db)
            .await
            .db()?;
        let shown = |row: activations::Model| {
            json!({
                "id": row.id, "agent_id": row.agent_id, "status": row.status, "trigger": row.trigger,
                "reason": row.reason, "summary": row.activation_summary, "context_data": row.context_data,
                "began_at": row.began_at, "ended_at": row.ended_at,
            })
        };
        Ok(rows.into_iter().map(shown).collect())
    }

    async fn snapshots_in(&self, conversation: Uuid) -> Result<Vec<Value>> {
        let kept = self.snapshots(ConversationId(conversation)).await?;
        let shown = |one: Snapshot| {
            json!({
                "id": one.id, "stage": one.stage, "version": one.version, "agent_id": one.agent_id,
                "data": one.data, "created_at": one.created_at,
            })
        };
        Ok(kept.into_iter().map(shown).collect())
    }
}
