//! What happened with a contact: activities, stages of deals and changes of the contact itself, in one order, page by page.
//! Entries are sorted by their day, and within a day by their ids, which grow with time.

use baton_core::data::check;
use baton_core::data::kinds::{ACTIVITIES, CONTACTS, DEALS};
use baton_core::data::rows::DataScope;
use baton_core::data::sales::{HistoryEntry, HistoryOf, HistoryPage};
use baton_core::store::{Error, Result};
use baton_core::text::Invalid;
use chrono::NaiveDate;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait, Order};
use uuid::Uuid;

use super::scoped::Scoped;
use super::{Record, changes, list, records, stages, titles};
use crate::connection::Db;
use crate::db::OrStoreError;

pub const MOST: u64 = 200;
/// How many contacts may have been merged into one, for its history.
const MOST_MERGED: u64 = 1_000;

pub async fn page(
    db: &Db,
    scope: DataScope,
    contact: Uuid,
    limit: u64,
    cursor: Option<String>,
) -> Result<HistoryPage> {
    let scoped = Scoped::reading(scope, &CONTACTS)?;
    let found = records(db, scoped, &CONTACTS, &[contact]).await?;
    if !found.iter().any(|found| !found.is_deleted) {
        return Err(Error::NotFound(CONTACTS.one));
    }
    let asked =
        Asked { db, scoped, limit: limit.clamp(1, MOST), before: cursor.map(|at| read(&at)).transpose()? };
    let mut entries = asked.activities(contact).await?;
    entries.extend(asked.stages(contact).await?);
    entries.extend(asked.changes(contact).await?);
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.day, entry.id)));
    let has_more = entries.len() as u64 > asked.limit;
    entries.truncate(asked.limit as usize);
    let next_cursor = entries.last().filter(|_| has_more).map(|last| format!("{}.{}", last.day, last.id));
    Ok(HistoryPage { entries, next_cursor })
}

fn read(cursor: &str) -> Result<(NaiveDate, Uuid)> {
    let parts = cursor.split_once('.').and_then(|(day, id)| Some((check::day(day)?, id.parse().ok()?)));
    let wrong = || Invalid::new("cursor", "must be what the page before ended with");
    parts.ok_or_else(|| wrong().into())
}

struct Asked<'a> {
    db: &'a Db,
    scoped: Scoped,
    limit: u64,
    /// What the page before ended with.
    before: Option<(NaiveDate, Uuid)>,
}

impl Asked<'_> {
    async fn activities(&self, contact: Uuid) -> Result<Vec<HistoryEntry>> {
        let mut select = self.scoped.select(ACTIVITIES.name);
        list::select_row(&mut select, &ACTIVITIES);
        select.and_where(Expr::col("contact_id").eq(contact));
        let recorded = self.day_of("created_at");
        self.cut(&mut select, &format!("COALESCE(done_on, due_on, {recorded})"), "id");
        let rows = self.db.query_all(&select).await.db()?;
        let found = rows.iter().map(|row| Record::read(row, &ACTIVITIES)).collect::<Result<Vec<_>>>()?;
        let rows = titles::with_titles(self.db, self.scoped, &ACTIVITIES, found).await?;
        let entry = |row: baton_core::data::rows::Row| {
            let day = |name: &str| row.fields.get(name).and_then(|day| check::day(day.as_str()?));
            let day = day("done_on").or_else(|| day("due_on")).unwrap_or(row.created_at.date_naive());
            HistoryEntry { id: row.id, day, at: row.created_at, of: HistoryOf::Activity(Box::new(row)) }
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    async fn stages(&self, contact: Uuid) -> Result<Vec<HistoryEntry>> {
        let mut select = stages::select(self.scoped);
        select
            .and_where(Expr::col((DEALS.name, "contact_id")).eq(contact))
            .and_where(Expr::col((DEALS.name, "deleted_at")).is_null());
        self.cut(&mut select, &self.day_of("entered_at"), "deal_stages.id");
        let rows = self.db.query_all(&select).await.db()?;
        let entry = |row| {
            let stage = stages::read(row)?;
            let (id, at) = (stage.id, stage.entered_at);
            Ok(HistoryEntry { id, day: at.date_naive(), at, of: HistoryOf::Stage(stage) })
        };
        rows.iter().map(entry).collect()
    }

    async fn changes(&self, contact: Uuid) -> Result<Vec<HistoryEntry>> {
        let mut select = changes::selected(self.scoped);
        select
            .and_where(Expr::col((changes::TABLE, "kind")).eq(CONTACTS.name))
            .and_where(Expr::col((changes::TABLE, "row_id")).is_in(self.with_merged(contact).await?));
        self.cut(&mut select, &self.day_of("data_changes.created_at"), "data_changes.id");
        let rows = self.db.query_all(&select).await.db()?;
        let entry = |row| {
            let change = changes::change(row)?;
            let (id, at) = (change.id, change.created_at);
            Ok(HistoryEntry { id, day: at.date_naive(), at, of: HistoryOf::Change(Box::new(change)) })
        };
        rows.iter().map(entry).collect()
    }

    /// The contact, and those that were merged into it, one after the other.
    async fn with_merged(&self, contact: Uuid) -> Result<Vec<Uuid>> {
        let (mut all, mut newest) = (vec![contact], vec![contact]);
        while !newest.is_empty() && (all.len() as u64) < MOST_MERGED {
            let mut select = self.scoped.select(CONTACTS.name);
            select.column("id").and_where(Expr::col("merged_into").is_in(newest)).limit(MOST_MERGED);
            let rows = self.db.query_all(&select).await.db()?;
            let found = rows.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
            newest = found.into_iter().filter(|id| !all.contains(id)).collect();
            all.extend(&newest);
        }
        Ok(all)
    }

    /// The last that come before the cursor, one more than a page has.
    fn cut(&self, select: &mut SelectStatement, day: &str, id: &'static str) {
        if let Some((before, last)) = self.before {
            let here = Expr::tuple([Expr::cust(day.to_owned()), Expr::cust(id)]);
            select.and_where(here.lt(Expr::tuple([Expr::val(before), Expr::val(last)])));
        }
        select
            .order_by_expr(Expr::cust(day.to_owned()), Order::Desc)
            .order_by_expr(Expr::cust(id), Order::Desc)
            .limit(self.limit + 1);
    }

    /// The day of a moment.
    fn day_of(&self, column: &str) -> String {
        match self.db.get_database_backend() {
            DbBackend::Postgres => format!("CAST({column} AT TIME ZONE 'UTC' AS DATE)"),
            _ => format!("substr({column}, 1, 10)"),
        }
    }
}
