//! Removes an account row by row. Each column that names a profile is listed here; a test finds them in the database's own
//! catalog. Left to the foreign keys, all that somebody wrote in years would be changed in one transaction.

use baton_core::ids::ProfileId;
use baton_core::store::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::owners::FILES;
use super::{ROWS, execute};
use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::agent_memories;
use crate::memories;

/// Table, primary key, column: rows that stay and forget who it was.
const FORGET: [(&str, &str, &str); 21] = [
    ("workspaces", "id", "created_by"),
    ("workspace_invitations", "id", "invited_by"),
    ("ai_agent_versions", "ai_agent_id, version", "created_by"),
    ("agents", "id", "created_by"),
    ("agent_rules", "id", "created_by"),
    ("agent_skills", "id", "created_by"),
    ("files", "id", "uploaded_by"),
    ("teams", "id", "created_by"),
    ("tools", "id", "created_by"),
    ("allow_rules", "agent_id, tool_name", "made_by"),
    ("page_versions", "page_id, version", "profile_id"),
    ("page_imports", "id", "profile_id"),
    ("companies", "id", "owner_id"),
    ("contacts", "id", "owner_id"),
    ("deals", "id", "owner_id"),
    ("activities", "id", "assignee_id"),
    ("channels", "id", "created_by"),
    ("channel_messages", "id", "profile_id"),
    ("figure_pins", "workspace_id, figure", "pinned_by"),
    ("pinned_tools", "tool_id, raw_name", "allowed_by"),
    ("tool_permissions", "agent_id, tool_id, raw_name", "decided_by"),
];

/// The same of rows that go.
const GO: [(&str, &str, &str); 6] = [
    ("sessions", "token_hash", "profile_id"),
    ("sign_in_links", "token_hash", "profile_id"),
    ("api_tokens", "id", "profile_id"),
    ("request_effects", "profile_id, key", "profile_id"),
    ("exports", "id", "profile_id"),
    ("calendar_feeds", "workspace_id, profile_id", "profile_id"),
];

/// Rows that go with a membership, and name the profile together with the workspace.
const GO_WITH_MEMBERSHIP: [(&str, &str); 2] =
    [("channel_mentions", "message_id"), ("channel_members", "channel_id")];

impl SqlStore {
    pub(super) async fn remove_rest_of_profile(&self, id: Uuid) -> Result<()> {
        for piece in memories::ids_of(&self.db, ProfileId(id)).await?.chunks(ROWS as usize) {
            let write = self.write().await?;
            let ids = agent_memories::Column::Id.is_in(piece.iter().copied());
            agent_memories::Entity::delete_many().filter(ids).exec(&*write).await.db()?;
            write.commit_unkept().await?;
        }
        self.in_pieces(&gone("attachments", "id", "user_id"), id.into(), FILES).await?;
        for (table, key, column) in FORGET {
            let which = format!("({key}) IN (SELECT {key} FROM {table} WHERE {column} = $1 LIMIT $2)");
            self.in_pieces(&format!("UPDATE {table} SET {column} = NULL WHERE {which}"), id.into(), ROWS)
                .await?;
        }
        for (table, key, column) in GO {
            self.in_pieces(&gone(table, key, column), id.into(), ROWS).await?;
        }
        for (table, key) in GO_WITH_MEMBERSHIP {
            let sql = format!(
                "DELETE FROM {table} WHERE ({key}, profile_id) IN (SELECT {table}.{key}, {table}.profile_id FROM workspace_members \
                 JOIN {table} ON {table}.workspace_id = workspace_members.workspace_id \
                 AND {table}.profile_id = workspace_members.profile_id WHERE workspace_members.profile_id = $1 LIMIT $2)"
            );
            self.in_pieces(&sql, id.into(), ROWS).await?;
        }
        self.in_pieces(&gone("workspace_members", "workspace_id, profile_id", "profile_id"), id.into(), ROWS)
            .await?;
        // What a request wrote that had not heard of it is left to the foreign keys.
        let write = self.write().await?;
        execute(&write, "DELETE FROM profiles WHERE id = $1", [id.into()]).await?;
        write.commit_unkept().await
    }
}

fn gone(table: &str, key: &str, column: &str) -> String {
    format!("DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {column} = $1 LIMIT $2)")
}
