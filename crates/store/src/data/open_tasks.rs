//! How far projects are, and which tasks are still to be done.

use async_trait::async_trait;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::{Assignee, Due, MOST_OPEN, OpenTasks, Progress, TasksBy};
use baton_core::data::rows::{DataScope, Filter, MAX_COUNTED, RowPage, Test};
use baton_core::store::{Projects, Result};
use chrono::NaiveDate;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use serde_json::json;
use uuid::Uuid;

use super::scoped::Scoped;
use super::{Record, list, search, titles};
use crate::connect::SqlStore;
use crate::db::OrStoreError;

const TABLE: &str = "project_tasks";
/// Written out, so that the index of only such rows is found to fit.
const IS_OPEN: &str = "status <> 'done'";

#[async_trait]
impl Projects for SqlStore {
    async fn task_progress(
        &self,
        scope: DataScope,
        by: TasksBy,
        today: NaiveDate,
    ) -> Result<Vec<(Uuid, Progress)>> {
        let scoped = Scoped::reading(scope, &PROJECT_TASKS)?;
        let mut select = scoped.select(TABLE);
        let column = match by {
            TasksBy::Project => "project_id",
            TasksBy::Assignee => {
                select.and_where(Expr::col("assignee_id").is_not_null());
                of_open_projects(scoped, &mut select);
                "assignee_id"
            }
        };
        let late = Expr::case(Expr::col("due_on").lt(today), 1).finally(0);
        select
            .columns([column, "status"])
            .expr_as(Expr::cust("COUNT(*)"), "number")
            .expr_as(Expr::expr(late).sum(), "late")
            .expr_as(Expr::col("due_on").min(), "next_due_on")
            .and_where(Expr::col("deleted_at").is_null())
            .group_by_columns([column, "status"])
            .order_by(column, Order::Asc);
        let mut all: Vec<(Uuid, Progress)> = Vec::new();
        for row in self.db.query_all(&select).await.db()? {
            let id: Uuid = row.try_get("", column).db()?;
            let number = row.try_get::<i64>("", "number").db()?.unsigned_abs();
            if all.last().is_none_or(|(last, _)| *last != id) {
                all.push((id, Progress::default()));
            }
            let Some((_, progress)) = all.last_mut() else { continue };
            let status: String = row.try_get("", "status").db()?;
            match status.as_str() {
                "done" => progress.done = number,
                "blocked" => progress.blocked = number,
                "in_progress" => progress.in_progress = number,
                _ => progress.todo = number,
            }
            if status != "done" {
                progress.overdue += row.try_get::<i64>("", "late").db()?.unsigned_abs();
                let due: Option<NaiveDate> = row.try_get("", "next_due_on").db()?;
                progress.next_due_on = [progress.next_due_on, due].into_iter().flatten().min();
            }
        }
        Ok(all)
    }

    async fn open_tasks(&self, scope: DataScope, asked: OpenTasks) -> Result<RowPage> {
        let scoped = Scoped::reading(scope, &PROJECT_TASKS)?;
        let hits = search::hits(&self.db, scoped, &PROJECT_TASKS, asked.search.as_deref()).await?;
        let Some(fitting) = hits.select(scoped, &PROJECT_TASKS) else {
            return Ok(RowPage { rows: Vec::new(), total: 0, is_counted: true, next_cursor: None });
        };
        let mut fitting = list::fit(fitting, &PROJECT_TASKS, &filters(&asked))?;
        fitting.and_where(Expr::cust(IS_OPEN));
        if asked.project.is_none() && asked.parent.is_none() {
            of_open_projects(scoped, &mut fitting);
        }
        let limit = asked.limit.clamp(1, MOST_OPEN);
        let with_day = || {
            let mut select = fitting.clone();
            select.and_where(Expr::col("due_on").is_not_null());
            select
        };
        let without = || {
            let mut select = fitting.clone();
            select.and_where(Expr::col("due_on").is_null());
            select
        };
        let (found, counted) = match asked.due {
            Due::Within(..) => (self.some_tasks(with_day(), limit).await?, with_day()),
            Due::Never => (self.some_tasks(without(), limit).await?, without()),
            Due::Whenever => {
                let mut found = self.some_tasks(with_day(), limit).await?;
                if (found.len() as u64) < limit {
                    found.extend(self.some_tasks(without(), limit - found.len() as u64).await?);
                }
                (found, fitting)
            }
        };
        let row = self.db.query_one(&scoped.count_to(counted, MAX_COUNTED + 1)).await.db()?;
        let number = row.map_or(Ok(0), |row| row.try_get::<i64>("", "number").db())?.unsigned_abs();
        let rows = titles::with_titles(&self.db, scoped, &PROJECT_TASKS, found).await?;
        Ok(RowPage {
            rows,
            total: Ord::min(number, MAX_COUNTED),
            is_counted: number <= MAX_COUNTED,
            next_cursor: None,
        })
    }
}

impl SqlStore {
    async fn some_tasks(&self, mut fitting: SelectStatement, limit: u64) -> Result<Vec<Record>> {
        list::select_row(&mut fitting, &PROJECT_TASKS);
        fitting.order_by("due_on", Order::Asc).order_by("id", Order::Asc).limit(limit);
        let rows = self.db.query_all(&fitting).await.db()?;
        rows.iter().map(|row| Record::read(row, &PROJECT_TASKS)).collect()
    }
}

fn of_open_projects(scoped: Scoped, tasks: &mut SelectStatement) {
    let mut closed = scoped.select(PROJECTS.name);
    closed.column("id").and_where(Expr::col("status").is_in(["completed", "cancelled"]));
    tasks.and_where(Expr::col("project_id").not_in_subquery(closed));
}

fn filters(asked: &OpenTasks) -> Vec<Filter> {
    let filter = |field, test| Filter { field, test };
    let mut filters = Vec::new();
    filters.extend(asked.project.map(|id| filter("project_id", Test::Is(json!(id)))));
    filters.extend(asked.parent.map(|id| filter("parent_id", Test::Is(json!(id)))));
    filters.extend(asked.assignee.map(|assignee| match assignee {
        Assignee::Person(id) => filter("assignee_id", Test::Is(json!(id))),
        Assignee::Nobody => filter("assignee_id", Test::IsNull),
    }));
    if !asked.statuses.is_empty() {
        let statuses = asked.statuses.iter().map(|status| json!(status)).collect();
        filters.push(filter("status", Test::OneOf(statuses)));
    }
    filters.extend(asked.priority.as_ref().map(|it| filter("priority", Test::Is(json!(it)))));
    if let Due::Within(from, to) = asked.due {
        filters.extend(from.map(|day| filter("due_on", Test::AtLeast(json!(day)))));
        filters.extend(to.map(|day| filter("due_on", Test::AtMost(json!(day)))));
    }
    filters
}
