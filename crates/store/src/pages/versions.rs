//! Versions of pages: what a page was after each change, and who made it. A version without a text has that of the one
//! before it.

use std::collections::HashMap;

use baton_core::data::rows::{Author, ByAgent};
use baton_core::ids::{AgentId, ConversationId, PageId, PageImportId, ProfileId};
use baton_core::pages::{MAX_VERSIONS, Made, PageVersion, Properties, Reader, VersionInfo};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement};
use uuid::Uuid;

use super::change::{By, run};
use super::rows::read_properties;
use crate::conversations;
use crate::db::{OrStoreError, stored};
use crate::entities::{agent_conversations, agents, page_versions, pages, profiles};
use crate::write::Write;

/// What a new version says of the page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    New,
    AsBefore,
}

/// Adds the version that the page is at now.
pub async fn add(within: &Write, row: &pages::Model, made: Made, text: Text, by: &By) -> Result<()> {
    let agent = by.author.agent;
    let version = page_versions::ActiveModel {
        page_id: Set(row.id),
        version: Set(row.version),
        what: Set(made.to_string()),
        parent_id: Set(row.parent_id),
        title: Set(row.title.clone()),
        body: Set((text == Text::New).then(|| row.body.clone())),
        properties: Set(row.properties.clone()),
        is_public: Set(row.is_public),
        profile_id: Set(Some(by.author.profile_id.0)),
        agent_id: Set(agent.map(|agent| agent.agent_id.0)),
        conversation_id: Set(agent.map(|agent| agent.conversation_id.0)),
        seq: Set(agent.map(|agent| agent.seq)),
        approved_by: Set(by.approved_by.clone()),
        import_id: Set(by.import.map(|id| id.0)),
        created_at: Set(row.updated_at),
    };
    page_versions::Entity::insert(version).exec_without_returning(&**within).await.db()?;
    match row.version > MAX_VERSIONS {
        true => forget_oldest(within, row.id, row.version - MAX_VERSIONS).await,
        false => Ok(()),
    }
}

/// Forgets the versions up to this one; the next keeps its text.
async fn forget_oldest(within: &Write, page: Uuid, last: i64) -> Result<()> {
    if let Some(next) = kept(&**within, page, last + 1).await? {
        let sql = "UPDATE page_versions SET body = $1 WHERE page_id = $2 AND version = $3 AND body IS NULL";
        run(within, sql, [next.body.into(), page.into(), (last + 1).into()]).await?;
    }
    let sql = "UPDATE pages SET bytes = bytes - (SELECT COALESCE(SUM(500 + COALESCE(octet_length(body), 0)), 0) \
               FROM page_versions WHERE page_id = $1 AND version <= $2) WHERE id = $1";
    run(within, sql, [page.into(), last.into()]).await?;
    let sql = "DELETE FROM page_versions WHERE page_id = $1 AND version <= $2";
    run(within, sql, [page.into(), last.into()]).await.map(drop)
}

/// What a version held.
pub struct Kept {
    pub row: page_versions::Model,
    pub title: String,
    pub body: String,
    pub properties: Properties,
}

pub async fn kept(db: &impl ConnectionTrait, page: Uuid, version: i64) -> Result<Option<Kept>> {
    let row = page_versions::Entity::find_by_id((page, version)).one(db).await.db()?;
    let Some(row) = row else { return Ok(None) };
    let body = match &row.body {
        Some(body) => Some(body.clone()),
        None => {
            let earlier = page_versions::Entity::find()
                .select_only()
                .column(page_versions::Column::Body)
                .filter(page_versions::Column::PageId.eq(page))
                .filter(page_versions::Column::Version.lt(version))
                .filter(page_versions::Column::Body.is_not_null())
                .order_by_desc(page_versions::Column::Version);
            earlier.into_tuple::<Option<String>>().one(db).await.db()?.flatten()
        }
    };
    let (title, properties) = (row.title.clone(), read_properties(&row.properties)?);
    Ok(Some(Kept { title, body: body.unwrap_or_default(), properties, row }))
}

pub async fn list(
    db: &impl ConnectionTrait,
    page: PageId,
    before: Option<i64>,
    limit: u64,
    reader: Reader,
) -> Result<Vec<VersionInfo>> {
    let mut select = page_versions::Entity::find().filter(page_versions::Column::PageId.eq(page.0));
    if let Some(before) = before {
        select = select.filter(page_versions::Column::Version.lt(before));
    }
    let rows = select.order_by_desc(page_versions::Column::Version).limit(limit).all(db).await.db()?;
    infos(db, rows, reader).await
}

pub async fn read(
    db: &impl ConnectionTrait,
    page: PageId,
    version: i64,
    reader: Reader,
) -> Result<PageVersion> {
    let kept = kept(db, page.0, version).await?.ok_or(Error::NotFound("version"))?;
    let is_public = kept.row.is_public;
    let info = infos(db, vec![kept.row], reader).await?.pop().ok_or(Error::NotFound("version"))?;
    Ok(PageVersion { info, body: kept.body, properties: kept.properties, is_public })
}

async fn infos(
    db: &impl ConnectionTrait,
    rows: Vec<page_versions::Model>,
    reader: Reader,
) -> Result<Vec<VersionInfo>> {
    let people = profiles::Entity::find()
        .select_only()
        .columns([profiles::Column::Id, profiles::Column::Name])
        .filter(profiles::Column::Id.is_in(rows.iter().filter_map(|row| row.profile_id)))
        .into_tuple::<(Uuid, String)>();
    let people: HashMap<Uuid, String> = people.all(db).await.db()?.into_iter().collect();
    let hired = agents::Entity::find()
        .select_only()
        .columns([agents::Column::Id, agents::Column::Name])
        .filter(agents::Column::Id.is_in(rows.iter().filter_map(|row| row.agent_id)))
        .into_tuple::<(Uuid, String)>();
    let hired: HashMap<Uuid, String> = hired.all(db).await.db()?.into_iter().collect();
    let own: Vec<Uuid> = match reader {
        // Others' conversations do not exist for the reader.
        Some(reader) => {
            let ids = rows.iter().filter_map(|row| row.conversation_id);
            let own = conversations::there()
                .select_only()
                .column(agent_conversations::Column::Id)
                .filter(agent_conversations::Column::Id.is_in(ids))
                .filter(agent_conversations::Column::UserId.eq(reader.0));
            own.into_tuple().all(db).await.db()?
        }
        None => Vec::new(),
    };
    rows.into_iter().map(|row| info(row, &people, &hired, &own)).collect()
}

fn info(
    row: page_versions::Model,
    people: &HashMap<Uuid, String>,
    hired: &HashMap<Uuid, String>,
    own: &[Uuid],
) -> Result<VersionInfo> {
    let agent = match (row.agent_id, row.conversation_id, row.seq) {
        (Some(agent), Some(conversation), Some(seq)) => {
            Some(ByAgent { agent_id: AgentId(agent), conversation_id: ConversationId(conversation), seq })
        }
        _ => None,
    };
    Ok(VersionInfo {
        version: row.version,
        made: stored("what", &row.what)?,
        title: row.title,
        profile_name: row.profile_id.and_then(|id| people.get(&id).cloned()),
        author: row.profile_id.map(|id| Author { profile_id: ProfileId(id), agent }),
        agent_name: row.agent_id.and_then(|id| hired.get(&id).cloned()),
        conversation_id: row.conversation_id.filter(|id| own.contains(id)).map(ConversationId),
        approved_by: row.approved_by,
        import_id: row.import_id.map(PageImportId),
        created_at: row.created_at,
    })
}

/// Who allowed the call that makes a change, if anyone was asked.
pub async fn approver(within: &Write, author: Author, args_hash: Option<&str>) -> Result<Option<String>> {
    let (Some(agent), Some(hash)) = (author.agent, args_hash) else { return Ok(None) };
    let sql = "SELECT decided_by FROM approvals WHERE conversation_id = $1 AND args_hash = $2 AND status = 'approved' \
               ORDER BY decided_at DESC LIMIT 1";
    let values = [agent.conversation_id.0.into(), hash.into()];
    let statement = Statement::from_sql_and_values(within.get_database_backend(), sql, values);
    match within.query_one_raw(statement).await.db()? {
        Some(row) => row.try_get("", "decided_by").db(),
        None => Ok(None),
    }
}
