//! Exports: a person's account, or a workspace. They leave out hashes, and other people's conversations and memories.
//! An export is written page by page, because it can be far larger than memory.

use std::collections::HashSet;

use baton_core::conversations::Message;
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::handoffs::Snapshot;
use baton_core::ids::{ConversationId, ProfileId, WorkspaceId};
use baton_core::public;
use baton_core::store::{DefinedTools, Error, Handoffs, Pieces, Result, Rules, Skills, Teams, Workspaces};
use baton_core::teams::{Member, Team};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::byte_pages::{self, Edge, Most};
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{activations, agent_conversations, agent_messages, agents};
use crate::json_pieces::{JsonPieces, written};
use crate::{areas, conversations, messages, people};

const FORMAT: &str = "baton-export-1";
/// Rows read at a time: of agents, activations and memories each can have many kilobytes.
const ROWS: u64 = 50;
const MESSAGES: Most = Most { rows: 200, bytes: 1024 * 1024 };

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
        "starters": definition.starters,
        "router": {"model": definition.router_model, "instructions": definition.router_instructions},
    })
}

fn exported_message(message: Message) -> Value {
    json!({
        "id": message.id, "role": message.role, "agent_id": message.agent_id, "content": message.content,
        "parts": message.parts, "metadata": message.metadata, "created_at": message.created_at,
    })
}

fn exported_conversation(row: &agent_conversations::Model) -> Value {
    json!({
        "id": row.id, "workspace_id": row.workspace_id, "agent_id": row.agent_id, "team_id": row.team_id,
        "title": row.title, "created_at": row.created_at, "updated_at": row.updated_at,
    })
}

fn exported_agent(row: agents::Model) -> Value {
    json!({
        "id": row.id, "slug": row.slug, "ai_agent_id": row.ai_agent_id, "is_active": row.is_active,
        "hired_at": row.hired_at, "hired_version": row.hired_version, "definition": row.definition(),
    })
}

fn exported_activation(row: activations::Model) -> Value {
    json!({
        "id": row.id, "agent_id": row.agent_id, "status": row.status, "trigger": row.trigger,
        "reason": row.reason, "summary": row.activation_summary, "context_data": row.context_data,
        "began_at": row.began_at, "ended_at": row.ended_at,
    })
}

fn exported_snapshot(one: Snapshot) -> Value {
    json!({
        "id": one.id, "stage": one.stage, "version": one.version, "agent_id": one.agent_id,
        "data": one.data, "created_at": one.created_at,
    })
}

impl SqlStore {
    pub(crate) async fn profile_export(&self, id: ProfileId) -> Result<Pieces> {
        let profile = people::find_profile(&self.db, id).await?;
        let memberships = people::memberships(&self.db, id).await?;
        let store = self.clone();
        Ok(written(move |mut json| async move {
            let workspaces: Vec<Value> = memberships
                .iter()
                .map(|m| json!({"id": m.workspace_id, "name": m.name, "slug": m.slug, "role": m.role}))
                .collect();
            json.object();
            json.fields(&json!({
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
            }))
            .await?;
            let member_of = memberships.iter().map(|membership| membership.workspace_id.0).collect();
            store.export_conversations(&mut json, id, Among::Everywhere { member_of }).await?;
            store.export_memories(&mut json, id, None).await?;
            store.export_own_channel_messages(&mut json, id).await?;
            json.end().await
        }))
    }

    pub(crate) async fn workspace_export(&self, id: WorkspaceId, by: ProfileId) -> Result<Pieces> {
        let workspace = self.workspace(id).await?;
        let store = self.clone();
        Ok(written(move |mut json| async move {
            json.object();
            json.fields(&json!({
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
                    "public_unpriced": workspace.public_unpriced,
                    "default_agent_id": workspace.default_agent_id,
                    "created_at": workspace.created_at,
                },
            }))
            .await?;
            json.list("members");
            for m in store.members(id).await? {
                let member = json!({
                    "profile_id": m.profile_id, "name": m.name, "email": m.email,
                    "role": m.role, "joined_at": m.joined_at,
                });
                json.item(&member).await?;
            }
            json.end().await?;
            let (providers, engine) = store.exported_providers(id).await?;
            json.fields(&json!({"model_providers": providers, "search_engine": engine})).await?;
            store.export_agents(&mut json, id).await?;
            store.export_what_agents_use(&mut json, id).await?;
            store.export_memories(&mut json, by, Some(id)).await?;
            // Nobody takes along more than they may see.
            if areas::of(&store.db, id, by).await?.access(Area::Knowledge) >= AreaAccess::Read {
                store.export_pages(&mut json, id).await?;
            }
            store.export_data(&mut json, id, by).await?;
            store.export_channels(&mut json, id, by).await?;
            store.export_conversations(&mut json, by, Among::In(id)).await?;
            json.end().await
        }))
    }

    async fn export_agents(&self, json: &mut JsonPieces, id: WorkspaceId) -> Result<()> {
        json.list("agents");
        let mut last = Uuid::nil();
        loop {
            let rows = agents::Entity::find()
                .filter(agents::Column::WorkspaceId.eq(id.0))
                .filter(agents::Column::Id.gt(last))
                .order_by_asc(agents::Column::Id)
                .limit(ROWS)
                .all(&self.db)
                .await
                .db()?;
            let Some(newest) = rows.last() else { return json.end().await };
            last = newest.id;
            for row in rows {
                json.item(&exported_agent(row)).await?;
            }
        }
    }

    /// Rules, skills, teams and tools: of each there can be only so many.
    async fn export_what_agents_use(&self, json: &mut JsonPieces, id: WorkspaceId) -> Result<()> {
        json.list("rules");
        for rule in self.rules(Some(id)).await? {
            let rule = json!({
                "id": rule.id, "name": rule.name, "content": rule.content, "active": rule.active,
                "position": rule.position, "agent_ids": rule.agent_ids,
            });
            json.item(&rule).await?;
        }
        json.end().await?;
        json.list("skills");
        for skill in self.skills(id).await? {
            let skill = json!({
                "id": skill.id, "name": skill.name, "display_name": skill.display_name,
                "description": skill.description, "icon": skill.icon, "content": skill.content,
                "is_active": skill.is_active, "agent_ids": skill.agent_ids,
            });
            json.item(&skill).await?;
        }
        json.end().await?;
        json.list("teams");
        for team in self.teams(id).await? {
            json.item(&exported_team(team)).await?;
        }
        json.end().await?;
        json.list("tools");
        for tool in self.tools(id).await? {
            let definition = tool.definition;
            let config = definition.config.stored().map_err(|error| Error::Database(Box::new(error)))?;
            let tool = json!({
                "id": tool.id, "name": definition.name, "type": definition.kind(),
                "description": definition.description, "config": config,
            });
            json.item(&tool).await?;
        }
        json.end().await
    }

    /// A person's own memories everywhere, or all that they see in a workspace.
    async fn export_memories(
        &self,
        json: &mut JsonPieces,
        person: ProfileId,
        workspace: Option<WorkspaceId>,
    ) -> Result<()> {
        json.list("memories");
        let mut last = Uuid::nil();
        loop {
            let page = self.exported_memories(person, workspace, last, ROWS).await?;
            let Some((newest, _)) = page.last() else { return json.end().await };
            last = *newest;
            for (_, memory) in page {
                json.item(&memory).await?;
            }
        }
    }

    /// Where the person is a member all there is, elsewhere what guests are shown.
    async fn export_conversations(&self, json: &mut JsonPieces, id: ProfileId, among: Among) -> Result<()> {
        json.list("conversations");
        let mut last = Uuid::nil();
        loop {
            let mut select = conversations::there()
                .filter(agent_conversations::Column::UserId.eq(id.0))
                .filter(agent_conversations::Column::Id.gt(last));
            if let Among::In(workspace) = among {
                select = select.filter(agent_conversations::Column::WorkspaceId.eq(workspace.0));
            }
            let page = select.order_by_asc(agent_conversations::Column::Id).limit(ROWS);
            let rows = page.all(&self.db).await.db()?;
            let Some(newest) = rows.last() else { return json.end().await };
            last = newest.id;
            for row in rows {
                if among.shows_all_of(&row) {
                    self.export_whole(json, &row).await?;
                } else if row.parent_id.is_none() {
                    self.export_as_guests_see(json, &row).await?;
                }
            }
        }
    }

    async fn export_whole(&self, json: &mut JsonPieces, row: &agent_conversations::Model) -> Result<()> {
        json.object();
        json.fields(&exported_conversation(row)).await?;
        json.field("parent_id", &row.parent_id).await?;
        self.export_messages(json, row.id, Some).await?;
        json.list("activations");
        let mut seen = 0;
        loop {
            let rows = activations::Entity::find()
                .filter(activations::Column::ConversationId.eq(row.id))
                .order_by_asc(activations::Column::BeganSeq)
                .order_by_asc(activations::Column::Id)
                .offset(seen)
                .limit(ROWS)
                .all(&self.db)
                .await
                .db()?;
            if rows.is_empty() {
                break;
            }
            seen += rows.len() as u64;
            for row in rows {
                json.item(&exported_activation(row)).await?;
            }
        }
        json.end().await?;
        json.list("snapshots");
        for one in self.snapshots(ConversationId(row.id)).await? {
            json.item(&exported_snapshot(one)).await?;
        }
        json.end().await?;
        json.end().await
    }

    async fn export_as_guests_see(
        &self,
        json: &mut JsonPieces,
        row: &agent_conversations::Model,
    ) -> Result<()> {
        json.object();
        json.fields(&exported_conversation(row)).await?;
        self.export_messages(json, row.id, public::message).await?;
        json.end().await
    }

    async fn export_messages(
        &self,
        json: &mut JsonPieces,
        conversation: Uuid,
        shown: impl Fn(Message) -> Option<Message>,
    ) -> Result<()> {
        json.list("messages");
        let mut last = 0;
        loop {
            let (engine, edge) = (self.db.get_database_backend(), Edge::After(last));
            let page = byte_pages::messages(engine, conversation, edge, MESSAGES);
            let rows = page.into_partial_model::<agent_messages::Read>().all(&self.db).await.db()?;
            let messages = messages::read(&self.db, rows, edge, MESSAGES.bytes).await?;
            let Some(newest) = messages.last() else { return json.end().await };
            last = newest.seq;
            for message in messages.into_iter().filter_map(&shown) {
                json.item(&exported_message(message)).await?;
            }
        }
    }
}

/// Which of a person's conversations.
enum Among {
    Everywhere { member_of: HashSet<Uuid> },
    In(WorkspaceId),
}

impl Among {
    /// Not only what guests are shown.
    fn shows_all_of(&self, row: &agent_conversations::Model) -> bool {
        match self {
            Self::Everywhere { member_of } => member_of.contains(&row.workspace_id),
            Self::In(_) => true,
        }
    }
}
