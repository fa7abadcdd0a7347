//! Audit events, written in the same transaction as the change they record.

use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::store::Result;
use baton_core::workspaces::AuditEvent;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::audit_events;
use crate::write::Write;

/// Something a person did to something.
pub struct Happening<'a> {
    pub workspace: Option<WorkspaceId>,
    pub by: Option<ProfileId>,
    /// `noun.verb`, such as `agent.hired`.
    pub action: &'a str,
    pub subject: Uuid,
    pub details: Value,
}

impl<'a> Happening<'a> {
    pub fn new(action: &'a str, subject: impl Into<Uuid>) -> Self {
        Self { workspace: None, by: None, action, subject: subject.into(), details: json!({}) }
    }

    pub fn within(self, workspace: WorkspaceId) -> Self {
        Self { workspace: Some(workspace), ..self }
    }

    pub fn by(self, profile: ProfileId) -> Self {
        Self { by: Some(profile), ..self }
    }

    pub fn with(self, details: Value) -> Self {
        Self { details, ..self }
    }

    /// With the name it had, for what can't be looked up any more.
    pub fn of(self, name: &str) -> Self {
        self.with(json!({ "name": name }))
    }

    pub async fn record(self, write: &Write) -> Result<()> {
        let row = audit_events::ActiveModel {
            id: Set(Uuid::now_v7()),
            workspace_id: Set(self.workspace.map(|id| id.0)),
            profile_id: Set(self.by.map(|id| id.0)),
            action: Set(self.action.to_owned()),
            subject: Set(Some(self.subject.to_string())),
            details: Set(self.details),
            created_at: Set(now()),
        };
        audit_events::Entity::insert(row).exec_without_returning(&**write).await.db().map(drop)
    }
}

impl SqlStore {
    pub(crate) async fn audit_page(&self, id: WorkspaceId, window: Window) -> Result<Page<AuditEvent>> {
        let query = audit_events::Entity::find().filter(audit_events::Column::WorkspaceId.eq(id.0));
        let total = query.clone().count(&self.db).await.db()?;
        let rows = query
            .order_by_desc(audit_events::Column::Id)
            .limit(window.limit)
            .offset(window.offset)
            .all(&self.db)
            .await
            .db()?;
        Ok(Page { rows: rows.into_iter().map(event).collect(), total })
    }
}

fn event(row: audit_events::Model) -> AuditEvent {
    AuditEvent {
        id: row.id,
        profile_id: row.profile_id.map(ProfileId),
        action: row.action,
        subject: row.subject,
        details: row.details,
        created_at: row.created_at,
    }
}
