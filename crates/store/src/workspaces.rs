//! Workspaces: created with an owner and the default agents, changed, deleted with everything in them.

use async_trait::async_trait;
use baton_core::data::areas::{AreaRule, AreaRules, Areas};
use baton_core::ids::{AgentId, InvitationId, ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::people::Profile;
use baton_core::store::{Error, Pieces, Result, Workspaces};
use baton_core::workspaces::{
    AuditEvent, Invitation, MAX_WORKSPACES, Member, NewInvitation, Role, Workspace, WorkspaceChanges,
};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QuerySelect, Select,
};
use serde_json::json;

use crate::areas;
use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, free_slug, now, stored};
use crate::entities::{agents, api_tokens, workspace_invitations, workspace_members, workspaces};
use crate::members;
use crate::packs;
use crate::people as people_rows;
use crate::removal::Owner;
use crate::write::Write;

#[async_trait]
impl Workspaces for SqlStore {
    async fn create_workspace(&self, name: &str, owner: ProfileId) -> Result<Workspace> {
        let write = self.write().await?;
        let owner = people_rows::find_profile(&*write, owner).await?;
        let workspace = insert(&write, name, &owner).await?;
        write.commit().await?;
        Ok(workspace)
    }

    async fn workspace(&self, id: WorkspaceId) -> Result<Workspace> {
        find(&self.db, id).await
    }

    async fn workspace_by_slug(&self, slug: &str) -> Result<Workspace> {
        let named = there().filter(workspaces::Column::Slug.eq(slug));
        let row = named.one(&self.db).await.db()?.ok_or(Error::NotFound("workspace"))?;
        find(&self.db, WorkspaceId(row.id)).await
    }

    async fn role(&self, id: WorkspaceId, profile: ProfileId) -> Result<Option<Role>> {
        let row = workspace_members::Entity::find_by_id((id.0, profile.0)).one(&self.db).await.db()?;
        row.map(|row| stored("role", &row.role)).transpose()
    }

    async fn areas(&self, id: WorkspaceId, profile: ProfileId) -> Result<Areas> {
        areas::of(&self.db, id, profile).await
    }

    async fn area_rules(&self, id: WorkspaceId) -> Result<AreaRules> {
        areas::rules(&self.db, id).await
    }

    async fn set_area_rules(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        rules: Vec<AreaRule>,
    ) -> Result<AreaRules> {
        self.change_area_rules(id, by, rules).await
    }

    async fn change_workspace(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        changes: WorkspaceChanges,
    ) -> Result<Workspace> {
        let write = self.write().await?;
        lock(&write, id).await?;
        let old = find(&*write, id).await?;
        let details = json!({ "fields": changes.fields() });
        let change = workspaces::ActiveModel {
            id: Unchanged(id.0),
            name: Set(changes.name.unwrap_or(old.name)),
            time_zone: Set(changes.time_zone.unwrap_or(old.time_zone)),
            spend_cap_micros: Set(changes.spend_cap_micros.unwrap_or(old.spend_cap_micros)),
            public_spend_cap_micros: Set(changes
                .public_spend_cap_micros
                .unwrap_or(old.public_spend_cap_micros)),
            public_chat: Set(changes.public_chat.unwrap_or(old.public_chat)),
            public_unpriced: Set(changes.public_unpriced.unwrap_or(old.public_unpriced)),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        if let Some(agent) = changes.default_agent_id {
            set_default_agent(&write, id, agent).await?;
        }
        Happening::new("workspace.changed", id).within(id).by(by).with(details).record(&write).await?;
        let workspace = find(&*write, id).await?;
        write.commit().await?;
        Ok(workspace)
    }

    async fn export_workspace(&self, id: WorkspaceId, by: ProfileId) -> Result<Pieces> {
        self.patient().workspace_export(id, by).await
    }

    async fn delete_workspace(&self, id: WorkspaceId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        lock(&write, id).await?;
        mark_deleted(&write, id, by).await?;
        self.commit_removal(write, vec![Owner::Workspace(id.0)]).await
    }

    async fn audit(&self, id: WorkspaceId, window: Window) -> Result<Page<AuditEvent>> {
        self.audit_page(id, window).await
    }

    async fn members(&self, id: WorkspaceId) -> Result<Vec<Member>> {
        members::all(&self.db, id).await
    }

    async fn set_role(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        member: ProfileId,
        role: Role,
    ) -> Result<Member> {
        self.change_role(id, by, member, role).await
    }

    async fn remove_member(&self, id: WorkspaceId, by: ProfileId, member: ProfileId) -> Result<()> {
        self.end_membership(id, by, member).await
    }

    async fn invite(&self, new: NewInvitation) -> Result<Invitation> {
        self.add_invitation(new).await
    }

    async fn invitations(&self, id: WorkspaceId) -> Result<Vec<Invitation>> {
        self.open_invitations(id).await
    }

    async fn revoke_invitation(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        invitation: InvitationId,
    ) -> Result<()> {
        self.delete_invitation(id, by, invitation).await
    }

    async fn invitation(&self, token_hash: &[u8]) -> Result<Invitation> {
        self.open_invitation(token_hash).await
    }

    async fn accept_invitation(&self, token_hash: &[u8], profile: ProfileId) -> Result<WorkspaceId> {
        let write = self.write().await?;
        let profile = people_rows::find_profile(&*write, profile).await?;
        let workspace = members::accept(&write, token_hash, &profile).await?;
        write.commit().await?;
        Ok(workspace)
    }
}

/// A workspace with its owner and the agents that new workspaces hire.
pub async fn insert(write: &Write, name: &str, owner: &Profile) -> Result<Workspace> {
    let made = workspaces::Entity::find().filter(workspaces::Column::CreatedBy.eq(owner.id.0));
    at_most("workspaces", MAX_WORKSPACES, made.count(&**write).await.db()?)?;
    write.lock_name("workspace slugs").await?;
    let slug = free_slug!(write, workspaces, Condition::all(), name, "workspace");
    let at = now();
    let id = WorkspaceId::new();
    let row = workspaces::ActiveModel {
        id: Set(id.0),
        name: Set(name.to_owned()),
        slug: Set(slug),
        time_zone: Set(owner.time_zone.clone()),
        spend_cap_micros: Set(None),
        public_spend_cap_micros: Set(None),
        public_chat: Set(false),
        public_unpriced: Set(false),
        created_by: Set(Some(owner.id.0)),
        created_at: Set(at),
        updated_at: Set(at),
        deleted_at: Set(None),
        removed_at: Set(None),
    };
    workspaces::Entity::insert(row).exec_without_returning(&**write).await.db()?;
    members::add(write, id, owner.id, Role::Owner).await?;
    packs::hire_defaults(write, id, owner.id).await?;
    Happening::new("workspace.created", id).within(id).by(owner.id).record(write).await?;
    find(&**write, id).await
}

/// Marks a workspace as deleted: it has no members, nothing leads to it, its slug is free. Its content is removed
/// later. No conversation is touched here, because turns lock their conversation first and the workspace after it.
pub async fn mark_deleted(write: &Write, id: WorkspaceId, by: ProfileId) -> Result<()> {
    let mark = workspaces::ActiveModel {
        id: Unchanged(id.0),
        name: Set(String::new()),
        slug: Set(format!("deleted-{id}")),
        public_chat: Set(false),
        created_by: Set(None),
        deleted_at: Set(Some(now())),
        ..Default::default()
    };
    mark.update(&**write).await.db()?;
    let members = workspace_members::Column::WorkspaceId.eq(id.0);
    workspace_members::Entity::delete_many().filter(members).exec(&**write).await.db()?;
    let invitations = workspace_invitations::Column::WorkspaceId.eq(id.0);
    workspace_invitations::Entity::delete_many().filter(invitations).exec(&**write).await.db()?;
    let tokens = api_tokens::Column::WorkspaceId.eq(id.0);
    api_tokens::Entity::delete_many().filter(tokens).exec(&**write).await.db()?;
    Happening::new("workspace.deleted", id).within(id).by(by).record(write).await
}

/// Workspaces that are not marked as deleted.
fn there() -> Select<workspaces::Entity> {
    workspaces::Entity::find().filter(workspaces::Column::DeletedAt.is_null())
}

/// Locks the workspace's row: what must hold for a workspace as a whole is checked behind it.
pub async fn lock(write: &Write, id: WorkspaceId) -> Result<()> {
    let row = there().filter(workspaces::Column::Id.eq(id.0)).lock_exclusive().one(&**write).await.db()?;
    row.map(drop).ok_or(Error::NotFound("workspace"))
}

/// Makes `agent` the only default of the workspace, or leaves it without one.
pub async fn set_default_agent(write: &Write, id: WorkspaceId, agent: Option<AgentId>) -> Result<()> {
    agents::Entity::update_many()
        .col_expr(agents::Column::IsDefault, Expr::value(false))
        .filter(agents::Column::WorkspaceId.eq(id.0))
        .filter(agents::Column::IsDefault.eq(true))
        .exec(&**write)
        .await
        .db()?;
    let Some(agent) = agent else { return Ok(()) };
    let done = agents::Entity::update_many()
        .col_expr(agents::Column::IsDefault, Expr::value(true))
        .filter(agents::Column::WorkspaceId.eq(id.0))
        .filter(agents::Column::Id.eq(agent.0))
        .filter(agents::Column::IsActive.eq(true))
        .exec(&**write)
        .await
        .db()?;
    if done.rows_affected == 0 { Err(Error::NotFound("agent")) } else { Ok(()) }
}

async fn find(db: &impl ConnectionTrait, id: WorkspaceId) -> Result<Workspace> {
    let row = there().filter(workspaces::Column::Id.eq(id.0)).one(db).await.db()?;
    let row = row.ok_or(Error::NotFound("workspace"))?;
    let default = agents::Entity::find()
        .filter(agents::Column::WorkspaceId.eq(id.0))
        .filter(agents::Column::IsDefault.eq(true))
        .filter(agents::Column::IsActive.eq(true))
        .one(db)
        .await
        .db()?;
    Ok(Workspace {
        id,
        name: row.name,
        slug: row.slug,
        time_zone: row.time_zone,
        spend_cap_micros: row.spend_cap_micros,
        public_spend_cap_micros: row.public_spend_cap_micros,
        public_chat: row.public_chat,
        public_unpriced: row.public_unpriced,
        default_agent_id: default.map(|agent| AgentId(agent.id)),
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
