//! Who may see and change which part of a workspace's data: what owners have set, per role and area.

use baton_core::data::areas::{AreaRule, AreaRules, Areas};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::Result;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::json;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, stored};
use crate::entities::{area_access, workspace_members};
use crate::workspaces;

/// What someone may do now; nothing if they are no member. Also for use within a write, on fresh rows.
pub async fn of(db: &impl ConnectionTrait, id: WorkspaceId, profile: ProfileId) -> Result<Areas> {
    let member = workspace_members::Entity::find_by_id((id.0, profile.0)).one(db).await.db()?;
    match member {
        Some(member) => Ok(rules(db, id).await?.areas_of(stored("role", &member.role)?)),
        None => Ok(Areas::NONE),
    }
}

pub async fn rules(db: &impl ConnectionTrait, id: WorkspaceId) -> Result<AreaRules> {
    let set = area_access::Entity::find()
        .filter(area_access::Column::WorkspaceId.eq(id.0))
        .order_by_asc(area_access::Column::Role)
        .order_by_asc(area_access::Column::Area);
    let rule = |row: area_access::Model| {
        Ok(AreaRule {
            role: stored("role", &row.role)?,
            area: stored("area", &row.area)?,
            access: stored("access", &row.access)?,
        })
    };
    set.all(db).await.db()?.into_iter().map(rule).collect::<Result<Vec<_>>>().map(AreaRules)
}

impl SqlStore {
    pub(crate) async fn change_area_rules(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        changes: Vec<AreaRule>,
    ) -> Result<AreaRules> {
        let write = self.write().await?;
        workspaces::lock(&write, id).await?;
        for rule in &changes {
            let row = area_access::ActiveModel {
                workspace_id: Set(id.0),
                role: Set(rule.role.to_string()),
                area: Set(rule.area.to_string()),
                access: Set(rule.access.to_string()),
            };
            use area_access::Column::{Access, Area, Role, WorkspaceId};
            let over = OnConflict::columns([WorkspaceId, Role, Area]).update_column(Access).to_owned();
            area_access::Entity::insert(row).on_conflict(over).exec_without_returning(&*write).await.db()?;
        }
        let told: Vec<String> =
            changes.iter().map(|rule| format!("{} {} {}", rule.role, rule.area, rule.access)).collect();
        let details = json!({ "rules": told });
        Happening::new("area_access.changed", id).within(id).by(by).with(details).record(&write).await?;
        let rules = rules(&*write, id).await?;
        write.commit().await?;
        Ok(rules)
    }
}
