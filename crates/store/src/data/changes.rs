//! The record of changes: who changed which row, how, and who approved it.

use std::collections::BTreeSet;

use baton_core::data::areas::AreaAccess;
use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::KINDS;
use baton_core::data::rows::{Author, ByAgent, DataScope, RecordedChange};
use baton_core::ids::{AgentId, ConversationId, ProfileId};
use baton_core::store::{ChangesOf, Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait, Order, QueryResult, Statement, Value as SqlValue};
use serde_json::Value;
use uuid::Uuid;

use super::ledger::{Ledger, Made};
use super::scoped::Scoped;
use crate::db::{OrStoreError, stored};
use crate::write::Write;

pub const TABLE: &str = "data_changes";
/// Changes in one statement.
const AT_ONCE: usize = 50;
/// The most that are read at once.
const MOST: u64 = 1_000;

/// `is_one`: all of them but the first are parts of it.
pub async fn record(ledger: &Ledger<'_>, scoped: Scoped, made: &[Made], is_one: bool) -> Result<()> {
    let (author, first) = (ledger.author, made.first().map(|made| made.id).filter(|_| is_one));
    let columns = [
        "id",
        "kind",
        "row_id",
        "action",
        "before",
        "after",
        "profile_id",
        "agent_id",
        "conversation_id",
        "seq",
        "approved_by",
        "undoes",
        "part_of",
        "created_at",
    ];
    let json = |fields: &Option<Fields>| fields.clone().map(Value::Object);
    for some in made.chunks(AT_ONCE) {
        let mut insert = scoped.insert(TABLE, columns);
        for one in some {
            let agent = author.agent;
            let values: [SqlValue; 14] = [
                one.id.into(),
                one.kind.name.into(),
                one.row.id.into(),
                one.action.as_str().into(),
                json(&one.before).into(),
                json(&one.after).into(),
                author.profile_id.0.into(),
                agent.map(|agent| agent.agent_id.0).into(),
                agent.map(|agent| agent.conversation_id.0).into(),
                agent.map(|agent| agent.seq).into(),
                ledger.approved_by.into(),
                one.undoes.into(),
                first.filter(|first| *first != one.id).into(),
                ledger.at.into(),
            ];
            insert.values_panic(scoped.row(values));
        }
        ledger.write.execute(&insert).await.db()?;
    }
    Ok(())
}

/// Who approved a call, if anyone was asked: only the conversation's own person can be.
pub async fn approver(db: &impl ConnectionTrait, call: ByAgent) -> Result<Option<Uuid>> {
    let call_id = match db.get_database_backend() {
        DbBackend::Postgres => "call.body ->> 'call_id'",
        _ => "json_extract(call.body, '$.call_id')",
    };
    let sql = format!(
        "SELECT agent_conversations.user_id FROM task_messages AS call JOIN approvals \
         ON approvals.conversation_id = call.conversation_id AND approvals.message_id = call.message_id \
         AND approvals.call_id = {call_id} JOIN agent_conversations ON agent_conversations.id = call.conversation_id \
         WHERE call.conversation_id = $1 AND call.seq = $2 AND approvals.status = 'approved' LIMIT 1"
    );
    let values: [SqlValue; 2] = [call.conversation_id.0.into(), call.seq.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await.db()?;
    row.map_or(Ok(None), |row| row.try_get("", "user_id").db())
}

/// The newest first, of kinds that the scope may see.
pub async fn read(
    db: &impl ConnectionTrait,
    scope: DataScope,
    of: ChangesOf,
    limit: u64,
) -> Result<Vec<RecordedChange>> {
    let is_asked = |kind: &&&'static Kind| match of {
        ChangesOf::Area { area, .. } => kind.area == area,
        _ => true,
    };
    let seen: Vec<&str> = KINDS
        .iter()
        .filter(|kind| scope.areas.access(kind.area) >= AreaAccess::Read)
        .filter(is_asked)
        .map(|kind| kind.name)
        .collect();
    let scoped = match of {
        ChangesOf::Row { kind, .. } => Scoped::reading(scope, kind)?,
        _ => match KINDS.iter().find(|kind| seen.contains(&kind.name)) {
            Some(kind) => Scoped::reading(scope, kind)?,
            None => return Ok(Vec::new()),
        },
    };
    let mut select = selected(scoped);
    match of {
        ChangesOf::Row { kind, id } => {
            select
                .and_where(Expr::col((TABLE, "kind")).eq(kind.name))
                .and_where(Expr::col((TABLE, "row_id")).eq(id));
        }
        ChangesOf::Call { conversation, seq } => {
            select
                .and_where(Expr::col((TABLE, "conversation_id")).eq(conversation.0))
                .and_where(Expr::col((TABLE, "seq")).eq(seq));
        }
        ChangesOf::Workspace { before: Some(before) } => {
            select.and_where(Expr::col((TABLE, "id")).lt(before));
        }
        ChangesOf::Workspace { before: None } => {}
        ChangesOf::Area { since, .. } => {
            // Ids grow with time: so an index serves it.
            select
                .and_where(Expr::col((TABLE, "id")).gte(first_id(since)))
                .and_where(Expr::col((TABLE, "created_at")).gte(since));
        }
    }
    if seen.len() < KINDS.len() {
        select.and_where(Expr::col((TABLE, "kind")).is_in(seen));
    }
    select.order_by((TABLE, "id"), Order::Desc).limit(limit.clamp(1, MOST));
    db.query_all(&select).await.db()?.iter().map(change).collect()
}

/// The least id that a change made at this moment can have. (A change has its moment before its id.)
fn first_id(at: DateTime<Utc>) -> Uuid {
    let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

/// These changes, whatever they are of; the newest first.
pub async fn by_ids(write: &Write, scope: DataScope, ids: &[Uuid]) -> Result<Vec<RecordedChange>> {
    let mut select = selected(anywhere(scope)?);
    select.and_where(Expr::col((TABLE, "id")).is_in(ids.iter().copied()));
    select.order_by((TABLE, "id"), Order::Desc);
    let found = write.query_all(&select).await.db()?.iter().map(change).collect::<Result<Vec<_>>>()?;
    // Those of an area that someone may not change are refused when they are taken back.
    if found.len() < ids.len() {
        return Err(Error::NotFound("change"));
    }
    with_parts(write, scope, found).await
}

/// With all that belong together with one of these.
async fn with_parts(
    write: &Write,
    scope: DataScope,
    found: Vec<RecordedChange>,
) -> Result<Vec<RecordedChange>> {
    let firsts: BTreeSet<Uuid> = found.iter().map(|change| change.part_of.unwrap_or(change.id)).collect();
    let mut select = selected(anywhere(scope)?);
    let is_part = Expr::col((TABLE, "part_of")).is_in(firsts.iter().copied());
    let is_first = Expr::col((TABLE, "id")).is_in(firsts.iter().copied());
    select.and_where(is_part.or(is_first)).order_by((TABLE, "id"), Order::Desc);
    write.query_all(&select).await.db()?.iter().map(change).collect()
}

/// Of any area in which something may be changed.
fn anywhere(scope: DataScope) -> Result<Scoped> {
    let may = |kind: &&&'static Kind| scope.check(kind, AreaAccess::Write).is_ok();
    Scoped::writing(scope, KINDS.iter().find(may).unwrap_or(&KINDS[0]))
}

pub fn selected(scoped: Scoped) -> SelectStatement {
    let undone = scoped.select_as(TABLE, "later", Expr::col(("later", "undoes")).equals((TABLE, "id")));
    let mut select = scoped.select(TABLE);
    select.columns(
        [
            "id",
            "kind",
            "row_id",
            "action",
            "before",
            "after",
            "profile_id",
            "agent_id",
            "conversation_id",
            "seq",
            "approved_by",
            "undoes",
            "part_of",
            "created_at",
        ]
        .map(|name| (TABLE, name)),
    );
    select.expr_as(Expr::exists(undone), "is_undone");
    select
}

pub fn change(row: &QueryResult) -> Result<RecordedChange> {
    let id = |name: &str| row.try_get::<Option<Uuid>>("", name).db();
    let fields = |name: &str| {
        let value = row.try_get::<Option<Value>>("", name).db()?;
        Ok::<_, Error>(match value {
            Some(Value::Object(fields)) => Some(fields),
            _ => None,
        })
    };
    let kind: String = row.try_get("", "kind").db()?;
    let agent = match (id("agent_id")?, id("conversation_id")?, row.try_get::<Option<i64>>("", "seq").db()?) {
        (Some(agent), Some(conversation), Some(seq)) => {
            Some(ByAgent { agent_id: AgentId(agent), conversation_id: ConversationId(conversation), seq })
        }
        _ => None,
    };
    Ok(RecordedChange {
        id: row.try_get("", "id").db()?,
        kind,
        row_id: row.try_get("", "row_id").db()?,
        action: stored("action", &row.try_get::<String>("", "action").db()?)?,
        before: fields("before")?,
        after: fields("after")?,
        author: id("profile_id")?.map(|profile| Author { profile_id: ProfileId(profile), agent }),
        approved_by: id("approved_by")?.map(ProfileId),
        undoes: id("undoes")?,
        part_of: id("part_of")?,
        is_undone: row.try_get("", "is_undone").db()?,
        created_at: row.try_get("", "created_at").db()?,
    })
}
