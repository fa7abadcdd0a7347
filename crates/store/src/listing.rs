//! The list of agents: a workspace's own and hired ones, and what it could hire.
//!
//! Two queries: a light one over both tables picks, filters by access and orders; a second one loads only the page.

use baton_core::access::{Gate, SUPPORT, Use, Viewer, may_use};
use baton_core::agents::Department;
use baton_core::catalog::AgentListing;
use baton_core::ids::{CatalogAgentId, DepartmentId, WorkspaceId};
use baton_core::listing::{AgentQuery, Page, Window};
use baton_core::store::{Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait};
use std::cmp::Reverse;
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, contains};
use crate::entities::{agents, ai_agents};
use crate::{agents as agent_rows, catalog};

#[derive(FromQueryResult)]
struct Light {
    id: Uuid,
    role: Option<String>,
    is_default: bool,
    is_restricted: bool,
    created_at: DateTime<Utc>,
}

enum Found {
    Hired(Light),
    /// The workspace's own agents that were let go and can be brought back.
    LetGo(Light),
    Catalog(Light),
}

impl Found {
    fn light(&self) -> &Light {
        match self {
            Self::Hired(light) | Self::LetGo(light) | Self::Catalog(light) => light,
        }
    }

    fn gate(&self) -> Gate {
        let light = self.light();
        Gate {
            is_default: light.is_default,
            is_support: light.role.as_deref() == Some(SUPPORT),
            is_restricted: light.is_restricted,
        }
    }
}

macro_rules! light {
    ($table:ident, $query:expr) => {{
        let mut select = $table::Entity::find().select_only().columns([
            $table::Column::Id,
            $table::Column::Role,
            $table::Column::IsDefault,
            $table::Column::IsRestricted,
            $table::Column::CreatedAt,
        ]);
        if let Some(search) = &$query.search {
            select = select.filter($table::Column::SearchText.like(contains(search)));
        }
        if let Some(category) = $query.category {
            select = select.filter($table::Column::Category.eq(category.as_str()));
        }
        if let Some(department) = $query.department_id {
            select = select.filter($table::Column::DepartmentId.eq(department.0));
        }
        select
    }};
}

impl SqlStore {
    pub(crate) async fn list_agents(&self, query: AgentQuery, viewer: Viewer) -> Result<Page<AgentListing>> {
        let mut found: Vec<Found> = self.hired(&query).await?.into_iter().map(Found::Hired).collect();
        if !query.hired_only {
            found.extend(self.hireable(&query).await?.into_iter().map(Found::Catalog));
            found.extend(self.let_go(&query).await?.into_iter().map(Found::LetGo));
        }
        found.retain(|agent| may_use(viewer, agent.gate(), Use::See).is_ok());
        found.sort_by_key(|agent| (Reverse(agent.light().created_at), agent.light().id));

        let total = found.len() as u64;
        let skip = usize::try_from(query.window.offset).unwrap_or(usize::MAX);
        let take = usize::try_from(query.window.limit).unwrap_or(usize::MAX);
        let page: Vec<Found> = found.into_iter().skip(skip).take(take).collect();
        Ok(Page { rows: self.load_listings(&page).await?, total })
    }

    async fn hired(&self, query: &AgentQuery) -> Result<Vec<Light>> {
        light!(agents, query)
            .filter(agents::Column::WorkspaceId.eq(query.workspace_id.0))
            .filter(agents::Column::IsActive.eq(true))
            .into_model::<Light>()
            .all(&self.db)
            .await
            .db()
    }

    /// Published and enabled entries that the workspace has no active copy of.
    async fn hireable(&self, query: &AgentQuery) -> Result<Vec<Light>> {
        let hired = agents::Entity::find()
            .select_only()
            .column(agents::Column::AiAgentId)
            .filter(agents::Column::WorkspaceId.eq(query.workspace_id.0))
            .filter(agents::Column::IsActive.eq(true))
            .filter(agents::Column::AiAgentId.is_not_null())
            .into_query();
        light!(ai_agents, query)
            .filter(ai_agents::Column::IsEnabled.eq(true))
            .filter(ai_agents::Column::PublishedVersion.is_not_null())
            .filter(ai_agents::Column::Id.not_in_subquery(hired))
            .into_model::<Light>()
            .all(&self.db)
            .await
            .db()
    }

    async fn let_go(&self, query: &AgentQuery) -> Result<Vec<Light>> {
        light!(agents, query)
            .filter(agents::Column::WorkspaceId.eq(query.workspace_id.0))
            .filter(agents::Column::IsActive.eq(false))
            .filter(agents::Column::AiAgentId.is_null())
            .into_model::<Light>()
            .all(&self.db)
            .await
            .db()
    }

    /// The ids of the workspace's agents that the viewer may see.
    pub(crate) async fn visible_hired(&self, workspace: WorkspaceId, viewer: Viewer) -> Result<Vec<Uuid>> {
        let everything = AgentQuery {
            workspace_id: workspace,
            search: None,
            category: None,
            department_id: None,
            hired_only: true,
            window: Window { limit: u64::MAX, offset: 0 },
        };
        let hired = self.hired(&everything).await?.into_iter().map(Found::Hired);
        let seen = hired.filter(|agent| may_use(viewer, agent.gate(), Use::See).is_ok());
        Ok(seen.map(|agent| agent.light().id).collect())
    }

    async fn load_listings(&self, page: &[Found]) -> Result<Vec<AgentListing>> {
        let hired_ids = page.iter().filter_map(|found| match found {
            Found::Hired(light) | Found::LetGo(light) => Some(light.id),
            Found::Catalog(_) => None,
        });
        let hired =
            agents::Entity::find().filter(agents::Column::Id.is_in(hired_ids)).all(&self.db).await.db()?;
        let entry_ids = page
            .iter()
            .filter_map(|found| match found {
                Found::Catalog(light) => Some(light.id),
                Found::Hired(_) | Found::LetGo(_) => None,
            })
            .chain(hired.iter().filter_map(|row| row.ai_agent_id));
        let entries = ai_agents::Entity::find()
            .filter(ai_agents::Column::Id.is_in(entry_ids))
            .all(&self.db)
            .await
            .db()?;
        let departments = catalog::departments(&self.db).await?;
        page.iter()
            .map(|found| {
                let id = found.light().id;
                let agent = hired.iter().find(|row| row.id == id).cloned();
                let entry_id = agent.as_ref().map_or(Some(id), |row| row.ai_agent_id);
                let entry = entries.iter().find(|row| Some(row.id) == entry_id).cloned();
                listing(entry, agent, &departments)
            })
            .collect()
    }

    pub(crate) async fn find_listing(
        &self,
        id: Uuid,
        workspace: Option<WorkspaceId>,
    ) -> Result<AgentListing> {
        let departments = catalog::departments(&self.db).await?;
        if let Some(agent) = agents::Entity::find_by_id(id).one(&self.db).await.db()? {
            let entry = match agent.ai_agent_id {
                Some(entry) => ai_agents::Entity::find_by_id(entry).one(&self.db).await.db()?,
                None => None,
            };
            return listing(entry, Some(agent), &departments);
        }
        let entry = catalog::find(&self.db, CatalogAgentId(id)).await?;
        let agent = match workspace {
            Some(workspace) => {
                let hired = agents::Entity::find()
                    .filter(agents::Column::WorkspaceId.eq(workspace.0))
                    .filter(agents::Column::AiAgentId.eq(id));
                hired.one(&self.db).await.db()?
            }
            None => None,
        };
        let offered = entry.is_enabled && entry.published_version.is_some();
        if !offered && agent.as_ref().is_none_or(|agent| !agent.is_active) {
            return Err(Error::NotFound("agent"));
        }
        listing(Some(entry), agent, &departments)
    }
}

fn listing(
    entry: Option<ai_agents::Model>,
    agent: Option<agents::Model>,
    departments: &[Department],
) -> Result<AgentListing> {
    let mut listing = AgentListing {
        catalog: entry.map(catalog::seen).transpose()?,
        hired: agent.map(agent_rows::agent).transpose()?,
        department: None,
    };
    let department: Option<DepartmentId> =
        listing.definition().and_then(|definition| definition.department_id);
    listing.department = departments.iter().find(|d| Some(d.id) == department).cloned();
    Ok(listing)
}
