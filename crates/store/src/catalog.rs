//! The catalog and its versions: a change makes a new version, publishing makes a version the one that people see and
//! hire.

use async_trait::async_trait;
use baton_core::agents::{AgentChanges, AgentDefinition, Department};
use baton_core::catalog::{Applied, CatalogAgent, CatalogVersion, Offer, Publish};
use baton_core::ids::{CatalogAgentId, DepartmentId, ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::packs::Pack;
use baton_core::store::{Catalog, Error, Result};
use baton_core::text;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde_json::json;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, contains, free_slug, now};
use crate::entities::{ai_agent_versions, ai_agents, departments};
use crate::write::Write;
use crate::{hiring, packs};

#[async_trait]
impl Catalog for SqlStore {
    async fn apply_pack(&self, pack: &Pack, publish: Publish) -> Result<Applied> {
        let write = self.patient().write().await?;
        write.lock_name("catalog").await?;
        let applied = packs::apply(&write, pack, publish).await?;
        write.commit().await?;
        Ok(applied)
    }

    async fn departments(&self) -> Result<Vec<Department>> {
        departments(&self.db).await
    }

    async fn catalog(&self, search: Option<&str>, window: Window) -> Result<Page<CatalogAgent>> {
        let mut select = ai_agents::Entity::find();
        if let Some(search) = search {
            select = select.filter(ai_agents::Column::SearchText.like(contains(search)));
        }
        let total = select.clone().count(&self.db).await.db()?;
        let rows = select
            .order_by_desc(ai_agents::Column::CreatedAt)
            .order_by_asc(ai_agents::Column::Id)
            .limit(window.limit)
            .offset(window.offset)
            .all(&self.db)
            .await
            .db()?;
        let current = rows.iter().fold(Condition::any(), |any, row| {
            let current = Condition::all()
                .add(ai_agent_versions::Column::AiAgentId.eq(row.id))
                .add(ai_agent_versions::Column::Version.eq(row.current_version));
            any.add(current)
        });
        let versions = match rows.is_empty() {
            true => Vec::new(),
            false => ai_agent_versions::Entity::find().filter(current).all(&self.db).await.db()?,
        };
        let page = rows.into_iter().map(|row| {
            let current = versions.iter().find(|version| version.ai_agent_id == row.id).cloned();
            let definition = version(current.ok_or(Error::NotFound("version"))?)?.definition;
            Ok(CatalogAgent { definition, ..seen(row)? })
        });
        let page = page.collect::<Result<_>>()?;
        Ok(Page { rows: page, total })
    }

    async fn catalog_agent(&self, id: CatalogAgentId) -> Result<CatalogAgent> {
        with_current(&self.db, find(&self.db, id).await?).await
    }

    async fn catalog_versions(&self, id: CatalogAgentId) -> Result<Vec<CatalogVersion>> {
        find(&self.db, id).await?;
        let rows = ai_agent_versions::Entity::find()
            .filter(ai_agent_versions::Column::AiAgentId.eq(id.0))
            .order_by_desc(ai_agent_versions::Column::Version)
            .all(&self.db)
            .await
            .db()?;
        rows.into_iter().map(version).collect()
    }

    async fn add_catalog_agent(&self, definition: AgentDefinition, by: ProfileId) -> Result<CatalogAgent> {
        let write = self.write().await?;
        write.lock_name("catalog").await?;
        check_department(&*write, &definition).await?;
        let slug = free_slug!(&write, ai_agents, Condition::all(), &definition.name, "agent");
        let row = add(&write, NewEntry { slug, definition, auto_hire: false, by: Some(by) }).await?;
        Happening::new("catalog.created", row.id).by(by).record(&write).await?;
        write.commit().await?;
        seen(row)
    }

    async fn change_catalog_agent(
        &self,
        id: CatalogAgentId,
        changes: AgentChanges,
        by: ProfileId,
    ) -> Result<CatalogAgent> {
        let write = self.write().await?;
        let row = lock(&write, id).await?;
        let old = with_current(&*write, row.clone()).await?.definition;
        let mut definition = old.clone();
        changes.apply(&mut definition)?;
        check_department(&*write, &definition).await?;
        let row =
            if definition == old { row } else { add_version(&write, row, &definition, Some(by)).await? };
        Happening::new("catalog.changed", id)
            .by(by)
            .with(json!({"version": row.current_version}))
            .record(&write)
            .await?;
        let agent = with_current(&*write, row).await?;
        write.commit().await?;
        Ok(agent)
    }

    async fn publish_catalog_agent(
        &self,
        id: CatalogAgentId,
        version: i32,
        by: ProfileId,
    ) -> Result<CatalogAgent> {
        let write = self.write().await?;
        let row = lock(&write, id).await?;
        let row = publish(&write, row, version).await?;
        let details = json!({"version": version});
        Happening::new("catalog.published", id).by(by).with(details).record(&write).await?;
        let agent = with_current(&*write, row).await?;
        write.commit().await?;
        Ok(agent)
    }

    async fn offer_catalog_agent(
        &self,
        id: CatalogAgentId,
        offer: Offer,
        by: ProfileId,
    ) -> Result<(CatalogAgent, Vec<WorkspaceId>)> {
        let write = self.write().await?;
        if offer == Offer::Enabled {
            // Workspaces are locked before the catalog's rows, as where one hires.
            hiring::lock_withdrawn(&write, id).await?;
        }
        lock(&write, id).await?;
        let change = ai_agents::ActiveModel {
            id: Unchanged(id.0),
            is_enabled: Set(offer == Offer::Enabled),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.update(&*write).await.db()?;
        let action = match offer {
            Offer::Enabled => "catalog.enabled",
            Offer::Disabled => "catalog.disabled",
        };
        let changed = match offer {
            Offer::Enabled => hiring::restore(&write, id).await?,
            Offer::Disabled => hiring::withdraw(&write, id).await?,
        };
        Happening::new(action, id).by(by).record(&write).await?;
        let agent = with_current(&*write, row).await?;
        write.commit().await?;
        Ok((agent, changed))
    }
}

pub struct NewEntry {
    pub slug: String,
    pub definition: AgentDefinition,
    pub auto_hire: bool,
    pub by: Option<ProfileId>,
}

/// A new entry at version 1, unpublished.
pub async fn add(write: &Write, new: NewEntry) -> Result<ai_agents::Model> {
    let at = now();
    let row = ai_agents::ActiveModel {
        id: Set(CatalogAgentId::new().0),
        slug: Set(new.slug),
        is_enabled: Set(true),
        auto_hire: Set(new.auto_hire),
        current_version: Set(1),
        published_version: Set(None),
        pack_digest: Set(None),
        pack_version: Set(None),
        created_at: Set(at),
        updated_at: Set(at),
        ..Default::default()
    };
    let row = row.define(&new.definition);
    let row = ai_agents::Entity::insert(row).exec_with_returning(&**write).await.db()?;
    insert_version(write, &row, 1, &new.definition, new.by).await?;
    Ok(row)
}

/// A new current version. An entry that was never published shows its draft.
pub async fn add_version(
    write: &Write,
    row: ai_agents::Model,
    definition: &AgentDefinition,
    by: Option<ProfileId>,
) -> Result<ai_agents::Model> {
    let version = row.current_version + 1;
    insert_version(write, &row, version, definition, by).await?;
    let change = ai_agents::ActiveModel {
        id: Unchanged(row.id),
        current_version: Set(version),
        updated_at: Set(now()),
        ..Default::default()
    };
    let change = if row.published_version.is_none() { change.define(definition) } else { change };
    change.update(&**write).await.db()
}

/// Puts a version in force: the row shows it from now on.
pub async fn publish(write: &Write, row: ai_agents::Model, version: i32) -> Result<ai_agents::Model> {
    let chosen = ai_agent_versions::Entity::find_by_id((row.id, version)).one(&**write).await.db()?;
    let definition = self::version(chosen.ok_or(Error::NotFound("version"))?)?.definition;
    let change = ai_agents::ActiveModel {
        id: Unchanged(row.id),
        published_version: Set(Some(version)),
        updated_at: Set(now()),
        ..Default::default()
    };
    change.define(&definition).update(&**write).await.db()
}

pub async fn departments(db: &impl ConnectionTrait) -> Result<Vec<Department>> {
    let rows = departments::Entity::find().order_by_asc(departments::Column::Name).all(db).await.db()?;
    let department = |row: departments::Model| Department {
        id: DepartmentId(row.id),
        slug: row.slug,
        name: row.name,
        icon: row.icon,
    };
    Ok(rows.into_iter().map(department).collect())
}

pub async fn check_department(db: &impl ConnectionTrait, definition: &AgentDefinition) -> Result<()> {
    let Some(id) = definition.department_id else { return Ok(()) };
    match departments::Entity::find_by_id(id.0).one(db).await.db()? {
        Some(_) => Ok(()),
        None => Err(text::Invalid::new("department_id", "is not the id of a department").into()),
    }
}

/// The entry as its row shows it: the published version, or the draft of one never published.
pub fn seen(row: ai_agents::Model) -> Result<CatalogAgent> {
    Ok(CatalogAgent {
        definition: row.definition(),
        id: CatalogAgentId(row.id),
        slug: row.slug,
        is_enabled: row.is_enabled,
        auto_hire: row.auto_hire,
        current_version: row.current_version,
        published_version: row.published_version,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

async fn with_current(db: &impl ConnectionTrait, row: ai_agents::Model) -> Result<CatalogAgent> {
    let current = ai_agent_versions::Entity::find_by_id((row.id, row.current_version)).one(db).await.db()?;
    let definition = version(current.ok_or(Error::NotFound("version"))?)?.definition;
    Ok(CatalogAgent { definition, ..seen(row)? })
}

fn version(row: ai_agent_versions::Model) -> Result<CatalogVersion> {
    let definition = serde_json::from_value(row.definition);
    Ok(CatalogVersion {
        version: row.version,
        definition: definition.map_err(|error| Error::Database(Box::new(error)))?,
        created_by: row.created_by.map(ProfileId),
        created_at: row.created_at,
    })
}

async fn insert_version(
    write: &Write,
    row: &ai_agents::Model,
    version: i32,
    definition: &AgentDefinition,
    by: Option<ProfileId>,
) -> Result<()> {
    let row = ai_agent_versions::ActiveModel {
        ai_agent_id: Set(row.id),
        version: Set(version),
        definition: Set(json!(definition)),
        created_by: Set(by.map(|id| id.0)),
        created_at: Set(now()),
    };
    ai_agent_versions::Entity::insert(row).exec_without_returning(&**write).await.db().map(drop)
}

pub async fn find(db: &impl ConnectionTrait, id: CatalogAgentId) -> Result<ai_agents::Model> {
    ai_agents::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("agent"))
}

/// An entry that stays as it is until this is over: what is hired while it is enabled must not miss that it is disabled.
pub async fn hold(write: &Write, id: CatalogAgentId) -> Result<ai_agents::Model> {
    let row = ai_agents::Entity::find_by_id(id.0).lock_shared().one(&**write).await.db()?;
    row.ok_or(Error::NotFound("agent"))
}

async fn lock(write: &Write, id: CatalogAgentId) -> Result<ai_agents::Model> {
    let row = ai_agents::Entity::find_by_id(id.0).lock_exclusive().one(&**write).await.db()?;
    row.ok_or(Error::NotFound("agent"))
}
