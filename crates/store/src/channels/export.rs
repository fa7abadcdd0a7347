//! Channels in exports. Of a workspace: those that its person may read, with their messages. Of an account: what the person wrote
//! in channels themselves, and nothing that others did.

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::Result;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    Value,
};
use serde_json::json;
use uuid::Uuid;

use super::{access, list, read};
use crate::areas;
use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::{channel_messages, channels};
use crate::json_pieces::JsonPieces;

const CHANNELS: u64 = 100;
const MESSAGES: u64 = 200;

impl SqlStore {
    pub(crate) async fn export_channels(
        &self,
        json: &mut JsonPieces,
        workspace: WorkspaceId,
        by: ProfileId,
    ) -> Result<()> {
        let areas = areas::of(&self.db, workspace, by).await?;
        if areas.check(Area::Messages, AreaAccess::Read).is_err() {
            return Ok(());
        }
        json.list("channels");
        let mut last = Uuid::nil();
        loop {
            let sql = format!(
                "SELECT channels.id FROM channels LEFT JOIN channel_members AS own ON own.channel_id = channels.id \
                 AND own.profile_id = $2 WHERE channels.workspace_id = $1 AND (channels.kind = 'open' \
                 OR own.profile_id IS NOT NULL) AND channels.id > $3 ORDER BY channels.id LIMIT {CHANNELS}"
            );
            let values: [Value; 3] = [workspace.0.into(), by.0.into(), last.into()];
            let statement = Statement::from_sql_and_values(self.db.get_database_backend(), sql, values);
            let mut ids = Vec::new();
            for row in self.db.query_all_raw(statement).await.db()? {
                ids.push(row.try_get::<Uuid>("", "id").db()?);
            }
            let Some(newest) = ids.last() else { return json.end().await };
            last = *newest;
            for id in ids {
                let seen = access::seen(&self.db, by, id).await?;
                self.export_channel(json, &seen.row, by).await?;
            }
        }
    }

    async fn export_channel(
        &self,
        json: &mut JsonPieces,
        row: &channels::Model,
        by: ProfileId,
    ) -> Result<()> {
        json.object();
        let members: Vec<serde_json::Value> = list::members(&self.db, row)
            .await?
            .iter()
            .map(|member| json!({"profile_id": member.profile_id, "name": member.name}))
            .collect();
        json.fields(&json!({
            "id": row.id, "kind": row.kind, "name": row.name, "topic": row.topic, "members": members,
            "created_at": row.created_at, "archived_at": row.archived_at,
        }))
        .await?;
        json.list("messages");
        let mut last = (Uuid::nil(), 0);
        loop {
            use channel_messages::Column::{ChannelId, Number, ParentId};
            // In the order of their index: a thread after the other.
            let rows = channel_messages::Entity::find()
                .filter(ChannelId.eq(row.id))
                .filter(
                    Condition::any()
                        .add(ParentId.gt(last.0))
                        .add(Condition::all().add(ParentId.eq(last.0)).add(Number.gt(last.1))),
                )
                .order_by_asc(ParentId)
                .order_by_asc(Number)
                .limit(MESSAGES);
            let rows = rows.all(&self.db).await.db()?;
            let Some(newest) = rows.last() else { break };
            last = (newest.parent_id, newest.number);
            for one in read::messages(&self.db, by, rows).await? {
                json.item(&exported(&one)).await?;
            }
        }
        json.end().await?;
        json.end().await
    }

    /// What a person wrote by hand, everywhere.
    pub(crate) async fn export_own_channel_messages(
        &self,
        json: &mut JsonPieces,
        person: ProfileId,
    ) -> Result<()> {
        json.list("channel_messages");
        let mut last = Uuid::nil();
        loop {
            let rows = channel_messages::Entity::find()
                .filter(channel_messages::Column::ProfileId.eq(person.0))
                .filter(channel_messages::Column::Id.gt(last))
                .order_by_asc(channel_messages::Column::Id)
                .limit(MESSAGES);
            let rows = rows.all(&self.db).await.db()?;
            let Some(newest) = rows.last() else { return json.end().await };
            last = newest.id;
            let own = rows.into_iter().filter(|row| row.agent_id.is_none() && row.deleted_at.is_none());
            for one in read::messages(&self.db, person, own.collect()).await? {
                let mut shown = exported(&one);
                shown["workspace_id"] = json!(one.workspace_id);
                shown["channel_id"] = json!(one.channel_id);
                json.item(&shown).await?;
            }
        }
    }
}

fn exported(message: &baton_core::channels::ChannelMessage) -> serde_json::Value {
    let agent = message.author.and_then(|author| author.agent);
    json!({
        "id": message.id, "thread_id": message.thread_id, "number": message.number, "text": message.text,
        "profile_id": message.author.map(|author| author.profile_id), "author": message.author_name,
        "agent_id": agent.map(|agent| agent.agent_id), "agent": message.agent_name,
        "approved_by": message.approved_by, "created_at": message.created_at, "edited_at": message.edited_at,
        "deleted_at": message.deleted_at,
    })
}
