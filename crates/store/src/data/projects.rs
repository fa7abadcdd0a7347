//! What tasks of projects ask for beyond their fields: a parent in the same project and no circle, a place in their column,
//! and that what belongs together is moved, deleted and brought back together.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::{MAX_LEVELS, complete_task, place_after};
use baton_core::data::rows::MAX_CHANGES;
use baton_core::effects::EffectRefused;
use baton_core::store::{Error, Result};
use baton_core::text::Invalid;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::{Expr, Func, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use serde_json::Value;
use uuid::Uuid;

use super::ledger::Ledger;
use super::scoped::Scoped;
use super::{Record, records};
use crate::db::OrStoreError;

type Done = std::result::Result<(), EffectRefused>;
type Refused = EffectRefused;

const TABLE: &str = "project_tasks";

/// Sets what the server sets of a task, and refuses what can't be.
pub async fn task(ledger: &Ledger<'_>, id: Uuid, before: Option<&Record>, after: &mut Fields) -> Done {
    let is_done = after.get("status").and_then(Value::as_str) == Some("done");
    let today = if is_done { ledger.today().await? } else { NaiveDate::default() };
    complete_task(before.map(|before| &before.fields), after, today).map_err(Error::Invalid)?;
    let was = |name: &str| before.and_then(|before| before.fields.get(name));
    let is_placed = after.get("position").is_some_and(|place| !place.is_null());
    let is_moved =
        before.is_some() && was("status") != after.get("status") && was("position") == after.get("position");
    if !is_placed || is_moved {
        let place = place_after(last_place(ledger, after).await?);
        // Never the number that it had: then its place would not be taken back with its status.
        let is_same = was("position").and_then(Value::as_i64) == Some(place);
        after.insert("position".to_owned(), (place + i64::from(is_same)).into());
    }
    match was("parent_id") == after.get("parent_id") {
        true => Ok(()),
        false => no_circle(ledger, id, after).await,
    }
}

async fn last_place(ledger: &Ledger<'_>, after: &Fields) -> Result<Option<i64>> {
    let place = || Func::coalesce([Expr::col("position"), Expr::cust("0")]);
    let mut select = Scoped::writing(ledger.scope, &PROJECT_TASKS)?.select(TABLE);
    let status = after.get("status").and_then(Value::as_str).unwrap_or_default();
    select.column("position").and_where(Expr::col("status").eq(status));
    select.and_where(Expr::col("deleted_at").is_null());
    select.order_by_expr(place().into(), Order::Desc).order_by("id", Order::Desc).limit(1);
    let last = ledger.write.query_one(&select).await.db()?;
    last.map_or(Ok(None), |row| row.try_get("", "position").db())
}

async fn no_circle(ledger: &Ledger<'_>, id: Uuid, after: &Fields) -> Done {
    let mut above = after.get("parent_id").and_then(check::id);
    for _ in 0..MAX_LEVELS {
        let Some(parent) = above else { return Ok(()) };
        if parent == id {
            let message = "must not be the task itself or one of its subtasks";
            return Err(Error::Invalid(Invalid::new("parent_id", message)).into());
        }
        let found = ledger.find(&PROJECT_TASKS, parent).await?;
        above = found.and_then(|found| found.fields.get("parent_id").and_then(check::id));
    }
    let message = format!("must not make more than {MAX_LEVELS} levels of subtasks");
    Err(Error::Invalid(Invalid::new("parent_id", message)).into())
}

/// Subtasks of a task that is in another project now: they go with it.
pub async fn left_behind(ledger: &Ledger<'_>, task: Uuid, project: &Value) -> Result<Vec<Record>> {
    let mut children = of(ledger, "parent_id", &[task])?;
    children.and_where(Expr::col("deleted_at").is_null());
    let mut found = read(ledger, children).await?;
    found.retain(|child| child.fields.get("project_id") != Some(project));
    Ok(found)
}

/// Refuses a write that leaves a task in another project than its parent. Looked at when all of it is done, as several
/// changes may be needed to come there.
pub async fn hold_together(ledger: &Ledger<'_>, changed: &[Uuid]) -> Done {
    let scoped = Scoped::writing(ledger.scope, &PROJECT_TASKS)?;
    for some in changed.chunks(200) {
        let is_apart = || {
            let mut parents =
                scoped.select_as(TABLE, "above", Expr::col(("above", "id")).equals((TABLE, "parent_id")));
            parents.and_where(Expr::col(("above", "project_id")).ne(Expr::col((TABLE, "project_id"))));
            Expr::exists(parents)
        };
        for column in ["id", "parent_id"] {
            let mut apart = scoped.select(TABLE);
            apart.column((TABLE, "title")).and_where(Expr::col((TABLE, column)).is_in(some.iter().copied()));
            apart.and_where(Expr::col((TABLE, "deleted_at")).is_null()).and_where(is_apart()).limit(1);
            if let Some(row) = ledger.write.query_one(&apart).await.db()? {
                let title: String = row.try_get("", "title").db()?;
                let message = format!(
                    "must be a task of the same project, and {title:?} would have one of another: take it from its parent first"
                );
                return Err(Error::Invalid(Invalid::new("parent_id", message)).into());
            }
        }
    }
    Ok(())
}

/// What is deleted with a row: the tasks of a project, the subtasks of a task. Those that hang on others come first.
pub async fn dependants(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    id: Uuid,
) -> std::result::Result<Vec<Record>, Refused> {
    let found = below(ledger, kind, id, None).await?;
    match found.len() > MAX_CHANGES - 1 {
        true => Err(EffectRefused::NotNow(format!(
            "This {} has more than {} tasks, which would be deleted with it. Delete some of them first; a project can also be \
             completed or cancelled.",
            kind.one,
            MAX_CHANGES - 1
        ))),
        false => Ok(found),
    }
}

/// What was deleted with a row, at this moment. Those on which others hang come first.
pub async fn went_along(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<Vec<Record>> {
    let mut found = below(ledger, kind, id, Some(at)).await?;
    found.reverse();
    Ok(found)
}

/// All that hangs on a row, level by level, the last level first: what is there, or what went at this moment.
async fn below(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    id: Uuid,
    at: Option<DateTime<Utc>>,
) -> Result<Vec<Record>> {
    let first = match kind.name {
        name if name == PROJECTS.name => "project_id",
        TABLE => "parent_id",
        _ => return Ok(Vec::new()),
    };
    let matching = |mut select: SelectStatement| {
        match at {
            Some(at) => select.and_where(Expr::col("deleted_at").eq(at)),
            None => select.and_where(Expr::col("deleted_at").is_null()),
        };
        select.limit(MAX_CHANGES as u64 + 1);
        select
    };
    let mut found = read(ledger, matching(of(ledger, first, &[id])?)).await?;
    if first == "project_id" {
        sort_by_level(&mut found);
        return Ok(found);
    }
    let mut level: Vec<Uuid> = found.iter().map(|row| row.id).collect();
    for _ in 0..MAX_LEVELS {
        if level.is_empty() || found.len() > MAX_CHANGES {
            break;
        }
        let next = read(ledger, matching(of(ledger, first, &level)?)).await?;
        level = next.iter().map(|row| row.id).collect();
        found.extend(next);
    }
    found.reverse();
    Ok(found)
}

/// The deepest first.
fn sort_by_level(tasks: &mut [Record]) {
    let parents: std::collections::HashMap<Uuid, Option<Uuid>> =
        tasks.iter().map(|task| (task.id, task.fields.get("parent_id").and_then(check::id))).collect();
    let level = |task: &Record| {
        let mut above = parents.get(&task.id).copied().flatten();
        let mut level = 0;
        while let Some(parent) = above.filter(|_| level <= MAX_LEVELS) {
            level += 1;
            above = parents.get(&parent).copied().flatten();
        }
        std::cmp::Reverse(level)
    };
    tasks.sort_by_cached_key(level);
}

/// The ids of tasks that refer to these.
fn of(ledger: &Ledger<'_>, column: &'static str, ids: &[Uuid]) -> Result<SelectStatement> {
    let mut select = Scoped::writing(ledger.scope, &PROJECT_TASKS)?.select(TABLE);
    select.column("id").and_where(Expr::col(column).is_in(ids.iter().copied()));
    Ok(select)
}

async fn read(ledger: &Ledger<'_>, select: SelectStatement) -> Result<Vec<Record>> {
    let rows = ledger.write.query_all(&select).await.db()?;
    let ids = rows.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    records(&**ledger.write, Scoped::writing(ledger.scope, &PROJECT_TASKS)?, &PROJECT_TASKS, &ids).await
}
