//! Memories of agents, as one person may see and change them, and as calls of the agent's memory tool write them.

use async_trait::async_trait;
use baton_core::effects::EffectRefused;
use baton_core::ids::{AgentId, MemoryId, ProfileId, WorkspaceId};
use baton_core::listing::Page;
use baton_core::memories::{
    MAX_MEMORIES, Memory, MemoryChange, MemoryChanges, MemoryQuery, MemoryWrite, NewMemory, PEOPLE, Rarity,
    Scope, fit, full_path, nothing_at, own_folder, paths_for, search_text,
};
use baton_core::store::{Error, Memories, Result, Written};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, Func, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, Order,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, contains, database_error, is_taken, now};
use crate::entities::agent_memories;
use crate::write::Write;

/// Memories whose texts are looked at to rank them.
const RANKED: u64 = 100;

#[async_trait]
impl Memories for SqlStore {
    async fn memories(&self, query: MemoryQuery) -> Result<Page<Memory>> {
        let mut select = seen(query.agent_id, query.person, query.scope);
        if let Some(search) = &query.search {
            select = select.filter(agent_memories::Column::SearchText.like(contains(search)));
        }
        let total = select.clone().count(&self.db).await.db()?;
        let rows =
            latest(select).limit(query.window.limit).offset(query.window.offset).all(&self.db).await.db()?;
        Ok(Page { rows: rows.into_iter().map(memory).collect(), total })
    }

    async fn recall(
        &self,
        agent: AgentId,
        person: Option<ProfileId>,
        scope: Option<Scope>,
        words: &[String],
        limit: u64,
    ) -> Result<Vec<Memory>> {
        let occurs = |word: &String| agent_memories::Column::SearchText.like(contains(word));
        let worth = |word, worth: i32| Expr::Case(Box::new(Expr::case(occurs(word), worth).finally(0)));
        let (rarities, total) = self.rarities(agent, person, scope, words).await?;
        // Enough of those with the rarest words; which of them fit best is seen in their texts.
        let rough = |rarity: &Rarity| Ord::min(1_000 * (total + 1) / (rarity.memories + 1), 1_000_000) as i32;
        let score = rarities.iter().map(|rarity| worth(&rarity.word, rough(rarity)));
        let Some(score) = score.reduce(|sum, one| sum.add(one)) else { return Ok(Vec::new()) };
        let any = words.iter().fold(Condition::any(), |any, word| any.add(occurs(word)));
        let best = seen(agent, person, scope).filter(any).order_by(score, Order::Desc);
        let rows = latest(best).limit(Ord::max(limit, RANKED)).all(&self.db).await.db()?;
        let mut found: Vec<(f64, Memory)> =
            rows.into_iter().map(memory).map(|memory| (fit(&memory, &rarities, total), memory)).collect();
        found.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(b.updated_at.cmp(&a.updated_at)));
        Ok(found.into_iter().take(limit as usize).map(|(_, memory)| memory).collect())
    }

    async fn memory(&self, agent: AgentId, id: MemoryId, person: Option<ProfileId>) -> Result<Memory> {
        find(&self.db, agent, id, person).await.map(memory)
    }

    async fn memory_at(
        &self,
        agent: AgentId,
        path: &str,
        person: Option<ProfileId>,
    ) -> Result<Option<Memory>> {
        let there = seen(agent, person, None).filter(agent_memories::Column::Path.eq(path));
        Ok(there.one(&self.db).await.db()?.map(memory))
    }

    async fn create_memory(&self, new: NewMemory, by: ProfileId) -> Result<Memory> {
        let write = self.write().await?;
        let there = seen(new.agent_id, Some(by), Some(new.scope)).count(&*write).await.db()?;
        at_most("memories of one agent", MAX_MEMORIES, there)?;
        let at = now();
        let path = full_path(new.scope, &new.path, by);
        let row = agent_memories::ActiveModel {
            id: Set(MemoryId::new().0),
            agent_id: Set(new.agent_id.0),
            workspace_id: Set(new.workspace_id.0),
            search_text: Set(search_text(&path, &new.content)),
            path: Set(path),
            content: Set(new.content),
            created_at: Set(at),
            updated_at: Set(at),
        };
        let row = agent_memories::Entity::insert(row).exec_with_returning(&*write).await;
        recorded(write, "memory.created", row.map_err(path_taken)?, by).await
    }

    async fn change_memory(
        &self,
        agent: AgentId,
        id: MemoryId,
        changes: MemoryChanges,
        by: ProfileId,
    ) -> Result<Memory> {
        let write = self.write().await?;
        agent_memories::Entity::find_by_id(id.0).lock_exclusive().one(&*write).await.db()?;
        let old = memory(find(&*write, agent, id, Some(by)).await?);
        let path = match &changes.path {
            Some(path) => full_path(old.scope(), path, by),
            None => old.path,
        };
        let content = changes.content.unwrap_or(old.content);
        let change = agent_memories::ActiveModel {
            id: Unchanged(id.0),
            search_text: Set(search_text(&path, &content)),
            path: Set(path),
            content: Set(content),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.update(&*write).await.map_err(path_taken)?;
        recorded(write, "memory.changed", row, by).await
    }

    async fn delete_memory(&self, agent: AgentId, id: MemoryId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let row = find(&*write, agent, id, Some(by)).await?;
        agent_memories::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        recorded(write, "memory.deleted", row, by).await.map(drop)
    }
}

/// What an agent does to its notes, within the write of its call.
pub async fn write(within: &Write, write: MemoryWrite) -> Written {
    match &write.change {
        MemoryChange::Save { path, content } => save(within, &write, path.as_deref(), content).await,
        MemoryChange::Delete { path } => {
            let there = at(within, &write, path).await?;
            let there = there.ok_or_else(|| EffectRefused::NotNow(nothing_at(write.scope, path)))?;
            let deleted = agent_memories::Entity::delete_by_id(there.id).exec(&**within).await.db()?;
            match deleted.rows_affected {
                // Someone else has deleted it a moment ago.
                0 => Err(EffectRefused::NotNow(nothing_at(write.scope, path))),
                _ => Ok(write.outcome(path, true)),
            }
        }
    }
}

async fn save(within: &Write, write: &MemoryWrite, path: Option<&str>, content: &str) -> Written {
    let (path, before) = match path {
        Some(path) => (path.to_owned(), at(within, write, path).await?),
        None => free_path(within, write, content).await?,
    };
    if before.is_none() {
        let there_are = seen(write.agent_id, Some(write.person), Some(write.scope)).count(&**within).await;
        if there_are.db()? >= MAX_MEMORIES {
            let full = format!("There are {MAX_MEMORIES} notes, which is the limit: delete some first.");
            return Err(EffectRefused::NotNow(full));
        }
    }
    let (at, full_path) = (now(), full_path(write.scope, &path, write.person));
    let row = agent_memories::ActiveModel {
        id: Set(MemoryId::new().0),
        agent_id: Set(write.agent_id.0),
        workspace_id: Set(write.workspace_id.0),
        search_text: Set(search_text(&full_path, content)),
        path: Set(full_path),
        content: Set(content.to_owned()),
        created_at: Set(at),
        updated_at: Set(at),
    };
    // Another call may have written there a moment ago: the last one holds.
    let over = OnConflict::columns([agent_memories::Column::AgentId, agent_memories::Column::Path])
        .update_columns([
            agent_memories::Column::Content,
            agent_memories::Column::SearchText,
            agent_memories::Column::UpdatedAt,
        ])
        .to_owned();
    agent_memories::Entity::insert(row).on_conflict(over).exec_without_returning(&**within).await.db()?;
    Ok(write.outcome(&path, before.is_some()))
}

/// A path made from the content that covers no other note; the same note again keeps its place.
async fn free_path(
    within: &Write,
    write: &MemoryWrite,
    content: &str,
) -> std::result::Result<(String, Option<agent_memories::Model>), EffectRefused> {
    for path in paths_for(content) {
        match at(within, write, &path).await? {
            Some(other) if other.content != content => {}
            before => return Ok((path, before)),
        }
    }
    Err(EffectRefused::NotNow("Other notes lie where this one would: give a path.".to_owned()))
}

async fn at(within: &Write, write: &MemoryWrite, path_within: &str) -> Result<Option<agent_memories::Model>> {
    let path = full_path(write.scope, path_within, write.person);
    let there = seen(write.agent_id, Some(write.person), None).filter(agent_memories::Column::Path.eq(path));
    there.one(&**within).await.db()
}

impl SqlStore {
    /// In how many memories each of these words occurs, and of how many.
    async fn rarities(
        &self,
        agent: AgentId,
        person: Option<ProfileId>,
        scope: Option<Scope>,
        words: &[String],
    ) -> Result<(Vec<Rarity>, u64)> {
        let mut rarities = Vec::new();
        for word in words {
            let with_it = seen(agent, person, scope)
                .filter(agent_memories::Column::SearchText.like(contains(word)))
                .count(&self.db);
            let (word, memories) = (word.clone(), with_it.await.db()?);
            rarities.push(Rarity { word, memories });
        }
        Ok((rarities, seen(agent, person, scope).count(&self.db).await.db()?))
    }

    /// What people take with them: a person's own everywhere, or all that they see in a workspace. A page of it, with ids.
    pub(crate) async fn exported_memories(
        &self,
        person: ProfileId,
        workspace: Option<WorkspaceId>,
        after: Uuid,
        limit: u64,
    ) -> Result<Vec<(Uuid, Value)>> {
        let which = match workspace {
            Some(workspace) => {
                visible(Some(person), None).add(agent_memories::Column::WorkspaceId.eq(workspace.0))
            }
            None => visible(Some(person), Some(Scope::Own)),
        };
        let select =
            agent_memories::Entity::find().filter(which).filter(agent_memories::Column::Id.gt(after));
        let page = select.order_by_asc(agent_memories::Column::Id).limit(limit);
        let rows = page.all(&self.db).await.db()?;
        let exported = |row: agent_memories::Model| {
            let (id, workspace_id) = (row.id, row.workspace_id);
            let memory = memory(row);
            let shown = json!({
                "id": memory.id, "agent_id": memory.agent_id, "workspace_id": workspace_id,
                "scope": memory.scope(), "path": memory.path_within(), "content": memory.content,
                "created_at": memory.created_at, "updated_at": memory.updated_at,
            });
            (id, shown)
        };
        Ok(rows.into_iter().map(exported).collect())
    }
}

/// A person's own memories, of every agent.
pub async fn ids_of(db: &impl ConnectionTrait, person: ProfileId) -> Result<Vec<Uuid>> {
    let own = visible(Some(person), Some(Scope::Own));
    let ids = agent_memories::Entity::find().select_only().column(agent_memories::Column::Id).filter(own);
    ids.into_tuple().all(db).await.db()
}

/// What [`baton_core::memories::may_touch`] says, in SQL. Not LIKE: on SQLite that one ignores case.
fn visible(person: Option<ProfileId>, scope: Option<Scope>) -> Condition {
    let begins = |folder: &str| {
        let path = Expr::col(agent_memories::Column::Path);
        let start = Func::cust("substr").arg(path).arg(1).arg(folder.chars().count() as i32);
        Expr::expr(start).eq(folder)
    };
    let agents = begins(PEOPLE).not();
    let own = person.map(|person| begins(&own_folder(person)));
    let mut any = Condition::any();
    if scope != Some(Scope::Own) {
        any = any.add(agents);
    }
    if scope != Some(Scope::Agent)
        && let Some(own) = own
    {
        any = any.add(own);
    }
    let nothing = any.is_empty();
    let all = Condition::all().add(any);
    if nothing { all.add(Expr::cust("1 = 0")) } else { all }
}

fn seen(agent: AgentId, person: Option<ProfileId>, scope: Option<Scope>) -> Select<agent_memories::Entity> {
    agent_memories::Entity::find()
        .filter(agent_memories::Column::AgentId.eq(agent.0))
        .filter(visible(person, scope))
}

fn latest(select: Select<agent_memories::Entity>) -> Select<agent_memories::Entity> {
    select.order_by_desc(agent_memories::Column::UpdatedAt).order_by_desc(agent_memories::Column::Id)
}

async fn find(
    db: &impl ConnectionTrait,
    agent: AgentId,
    id: MemoryId,
    person: Option<ProfileId>,
) -> Result<agent_memories::Model> {
    let there = seen(agent, person, None).filter(agent_memories::Column::Id.eq(id.0));
    there.one(db).await.db()?.ok_or(Error::NotFound("memory"))
}

/// The event says that a memory changed, and nothing of what it holds: admins read it.
async fn recorded(write: Write, action: &str, row: agent_memories::Model, by: ProfileId) -> Result<Memory> {
    let workspace = WorkspaceId(row.workspace_id);
    Happening::new(action, row.id).within(workspace).by(by).record(&write).await?;
    write.commit().await?;
    Ok(memory(row))
}

fn memory(row: agent_memories::Model) -> Memory {
    Memory {
        id: MemoryId(row.id),
        agent_id: AgentId(row.agent_id),
        path: row.path,
        content: row.content,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

fn path_taken(error: DbErr) -> Error {
    if is_taken(&error, "path") {
        Error::NameTaken { what: "memory", field: "path" }
    } else {
        database_error(error)
    }
}
