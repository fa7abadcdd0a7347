//! Which figures a workspace keeps in sight.

use baton_core::figures::{Figure, Grain, MAX_PINS, Pin};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::{Error, Result};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now, stored};
use crate::entities::figure_pins;
use crate::workspaces;

/// A figure that this Baton doesn't know is left out.
pub async fn all(db: &impl ConnectionTrait, workspace: WorkspaceId) -> Result<Vec<Pin>> {
    let rows = figure_pins::Entity::find()
        .filter(figure_pins::Column::WorkspaceId.eq(workspace.0))
        .order_by_asc(figure_pins::Column::CreatedAt)
        .order_by_asc(figure_pins::Column::Figure);
    let pin = |row: figure_pins::Model| {
        let figure = Figure::find(&row.figure)?;
        let by = stored("grain", &row.grain);
        let (pinned_by, created_at) = (row.pinned_by.map(ProfileId), row.created_at);
        Some(by.map(|by| Pin { figure, by, pinned_by, created_at }))
    };
    rows.all(db).await.db()?.into_iter().filter_map(pin).collect()
}

impl SqlStore {
    pub(super) async fn keep_pin(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        figure: &'static Figure,
        grain: Grain,
    ) -> Result<Pin> {
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        let there = all(&*write, workspace).await?;
        let pinned = there.iter().find(|pin| pin.figure == figure);
        if pinned.is_none() && there.len() >= MAX_PINS {
            return Err(Error::TooMany { what: "pinned figures", limit: MAX_PINS as u64 });
        }
        let created_at = pinned.map_or_else(now, |pin| pin.created_at);
        let row = figure_pins::ActiveModel {
            workspace_id: Set(workspace.0),
            figure: Set(figure.name.to_owned()),
            grain: Set(grain.to_string()),
            pinned_by: Set(Some(by.0)),
            created_at: Set(created_at),
        };
        use figure_pins::Column::{Figure as Name, Grain as By, PinnedBy, WorkspaceId as Workspace};
        let over = OnConflict::columns([Workspace, Name]).update_columns([By, PinnedBy]).to_owned();
        figure_pins::Entity::insert(row).on_conflict(over).exec_without_returning(&*write).await.db()?;
        write.commit().await?;
        Ok(Pin { figure, by: grain, pinned_by: Some(by), created_at })
    }

    pub(super) async fn remove_pin(&self, workspace: WorkspaceId, figure: &'static Figure) -> Result<()> {
        let write = self.write().await?;
        let id = (workspace.0, figure.name.to_owned());
        figure_pins::Entity::delete_by_id(id).exec(&*write).await.db()?;
        write.commit().await
    }
}
