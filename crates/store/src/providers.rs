//! Model providers and search engines that were set in the app, the server's and workspaces' own.

use async_trait::async_trait;
use baton_core::ids::{ProfileId, ProviderId, WorkspaceId};
use baton_core::providers::{MAX_PROVIDERS, ModelProvider, NewProvider, ProviderDefinition};
use baton_core::search_engines::{NewSearchEngine, SearchEngine};
use baton_core::secrets::{Sealed, SecretChange};
use baton_core::store::{Error, Providers, Result};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::SimpleExpr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, SqlErr,
};
use serde_json::{Value, json};

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, database_error, now};
use crate::entities::model_providers;
use crate::write::Write;
use crate::{search_engines, secrets, workspaces};

#[async_trait]
impl Providers for SqlStore {
    async fn model_providers(&self, workspace: Option<WorkspaceId>) -> Result<Vec<ModelProvider>> {
        load(&self.db, Condition::all().add(within(workspace))).await
    }

    async fn usable_providers(&self, workspace: WorkspaceId) -> Result<Vec<ModelProvider>> {
        let both = Condition::any().add(within(Some(workspace))).add(within(None));
        load(&self.db, both).await
    }

    async fn model_provider(&self, id: ProviderId) -> Result<ModelProvider> {
        one(&self.db, id).await
    }

    async fn add_model_provider(&self, new: NewProvider, by: ProfileId) -> Result<ModelProvider> {
        let write = self.write().await?;
        lock(&write, new.workspace_id).await?;
        let there_are =
            model_providers::Entity::find().filter(within(new.workspace_id)).count(&*write).await.db()?;
        at_most("model providers", MAX_PROVIDERS, there_are)?;
        let at = now();
        let definition = new.definition;
        let row = model_providers::ActiveModel {
            id: Set(new.id.0),
            workspace_id: Set(new.workspace_id.map(|id| id.0)),
            models: Set(models(&definition)?),
            name: Set(definition.name),
            wire: Set(definition.wire.to_string()),
            base_url: Set(definition.base_url),
            position: Set(definition.position),
            created_at: Set(at),
            updated_at: Set(at),
        };
        model_providers::Entity::insert(row).exec_without_returning(&*write).await.map_err(name_taken)?;
        secrets::change(&write, new.id.0, new.secret).await?;
        recorded(write, "provider.added", new.id, by).await
    }

    async fn change_model_provider(
        &self,
        id: ProviderId,
        definition: ProviderDefinition,
        secret: SecretChange,
        by: ProfileId,
    ) -> Result<ModelProvider> {
        let write = self.write().await?;
        lock(&write, one(&*write, id).await?.workspace_id).await?;
        let change = model_providers::ActiveModel {
            id: Unchanged(id.0),
            models: Set(models(&definition)?),
            name: Set(definition.name),
            wire: Set(definition.wire.to_string()),
            base_url: Set(definition.base_url),
            position: Set(definition.position),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.map_err(name_taken)?;
        secrets::change(&write, id.0, secret).await?;
        recorded(write, "provider.changed", id, by).await
    }

    async fn delete_model_provider(&self, id: ProviderId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let provider = one(&*write, id).await?;
        lock(&write, provider.workspace_id).await?;
        secrets::remove(&write, id.0).await?;
        model_providers::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        let deleted = Happening::new("provider.removed", id).by(by).of(&provider.definition.name);
        Happening { workspace: provider.workspace_id, ..deleted }.record(&write).await?;
        write.commit().await
    }

    async fn search_engine(&self, workspace: Option<WorkspaceId>) -> Result<Option<SearchEngine>> {
        search_engines::find(&self.db, workspace).await
    }

    async fn set_search_engine(&self, new: NewSearchEngine, by: ProfileId) -> Result<SearchEngine> {
        let write = self.write().await?;
        lock(&write, new.workspace_id).await?;
        let engine = search_engines::set(&write, new, by).await?;
        write.commit().await?;
        Ok(engine)
    }

    async fn delete_search_engine(&self, workspace: Option<WorkspaceId>, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        lock(&write, workspace).await?;
        search_engines::delete(&write, workspace, by).await?;
        write.commit().await
    }
}

async fn recorded(write: Write, action: &str, id: ProviderId, by: ProfileId) -> Result<ModelProvider> {
    let provider = one(&*write, id).await?;
    let details = json!({"name": provider.definition.name, "base_url": provider.definition.base_url});
    let happening = Happening::new(action, id).by(by).with(details);
    Happening { workspace: provider.workspace_id, ..happening }.record(&write).await?;
    write.commit().await?;
    Ok(provider)
}

/// Changes of one place wait for each other.
async fn lock(write: &Write, workspace: Option<WorkspaceId>) -> Result<()> {
    match workspace {
        Some(workspace) => workspaces::lock(write, workspace).await,
        None => write.lock_name("the server's providers").await,
    }
}

fn within(workspace: Option<WorkspaceId>) -> SimpleExpr {
    match workspace {
        Some(workspace) => model_providers::Column::WorkspaceId.eq(workspace.0),
        None => model_providers::Column::WorkspaceId.is_null(),
    }
}

/// In the order in which aliases try them: a workspace's own first.
async fn load(db: &impl ConnectionTrait, which: Condition) -> Result<Vec<ModelProvider>> {
    let rows = model_providers::Entity::find().filter(which).all(db).await.db()?;
    let mut sealed = secrets::of(db, rows.iter().map(|row| row.id).collect()).await?;
    let mut providers = Vec::with_capacity(rows.len());
    for row in rows {
        let own = sealed.iter().position(|(owner, _)| *owner == row.id);
        providers.push(provider(row, own.map(|i| sealed.swap_remove(i).1))?);
    }
    providers.sort_by_key(|one| (one.workspace_id.is_none(), one.definition.position, one.id));
    Ok(providers)
}

async fn one(db: &impl ConnectionTrait, id: ProviderId) -> Result<ModelProvider> {
    let row = model_providers::Entity::find_by_id(id.0).one(db).await.db()?;
    let row = row.ok_or(Error::NotFound("provider"))?;
    let sealed = secrets::of(db, vec![row.id]).await?.pop();
    provider(row, sealed.map(|(_, sealed)| sealed))
}

fn provider(row: model_providers::Model, sealed: Option<Sealed>) -> Result<ModelProvider> {
    let unreadable = |wrong: String| Error::Database(wrong.into());
    Ok(ModelProvider {
        id: ProviderId(row.id),
        workspace_id: row.workspace_id.map(WorkspaceId),
        definition: ProviderDefinition {
            name: row.name,
            wire: row.wire.parse().map_err(unreadable)?,
            base_url: row.base_url,
            models: serde_json::from_value(row.models).map_err(|wrong| unreadable(wrong.to_string()))?,
            position: row.position,
        },
        sealed,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn models(definition: &ProviderDefinition) -> Result<Value> {
    serde_json::to_value(&definition.models).map_err(|wrong| Error::Database(wrong.into()))
}

fn name_taken(error: DbErr) -> Error {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Error::NameTaken { what: "provider", field: "name" },
        _ => database_error(error),
    }
}

impl SqlStore {
    /// A workspace's own providers and engine as its export shows them: without keys.
    pub(crate) async fn exported_providers(&self, id: WorkspaceId) -> Result<(Vec<Value>, Option<Value>)> {
        let providers = self.model_providers(Some(id)).await?.into_iter().map(|provider| {
            let ProviderDefinition { name, wire, base_url, models, position } = provider.definition;
            json!({
                "id": provider.id, "name": name, "wire": wire, "base_url": base_url, "models": models,
                "position": position,
            })
        });
        let engine = self.search_engine(Some(id)).await?;
        let engine = engine.map(|engine| json!({"kind": engine.kind, "base_url": engine.base_url}));
        Ok((providers.collect(), engine))
    }
}
