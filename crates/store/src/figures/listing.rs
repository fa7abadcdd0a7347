//! The rows that a figure counted in one bucket.

use baton_core::days;
use baton_core::figures::{FigureRow, FigureRows, OthersWork, RowsQuery, Told};
use baton_core::ids::{AgentId, ConversationId};
use baton_core::store::Result;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::sources::{At, By, Source};
use super::{Asked, invalid, sources};
use crate::db::OrStoreError;
use crate::reports::currency_of;
use crate::reports::sums::Values;

/// From where on nobody turns pages.
const MAX_OFFSET: u64 = 100_000;

impl Asked<'_> {
    pub async fn list(&self, query: &RowsQuery) -> Result<FigureRows> {
        if query.offset > MAX_OFFSET {
            return Err(invalid("offset", "is too far: ask for a shorter bucket, or for one series"));
        }
        // Of what is not known there is nothing to list.
        let is_unknown = match self.figure.told {
            Told::InBucket => false,
            Told::AtEnd => query.bucket.from > self.scope.today,
            Told::Now => !query.bucket.contains(self.scope.today),
        };
        if is_unknown {
            return Ok(FigureRows { rows: Vec::new(), next_offset: None, others: Vec::new() });
        }
        match sources::of(self.figure) {
            None => self.list_money(query).await,
            Some(source) => self.list_rows(source, query).await,
        }
    }

    pub async fn list_rows(&self, source: &Source, query: &RowsQuery) -> Result<FigureRows> {
        let mut values = Values::default();
        let fitting = self.fitting(source, query, &mut values)?;
        let mine = source.is_mine(self.scope.profile_id.0, &mut values);
        // Of a conversation that was deleted nothing is told but that there was work.
        let (title, conversation, agent) = match &source.work {
            Some(work) => (
                "CASE WHEN c.deleted_at IS NULL THEN COALESCE(c.title, '') ELSE '' END",
                "CASE WHEN c.deleted_at IS NULL THEN c.id END",
                work.agent,
            ),
            None => (source.title, "NULL", "NULL"),
        };
        let (columns, _) = source.series_columns();
        let when = source.begins.column();
        let also = mine.as_ref().map(|mine| format!(" AND {mine}")).unwrap_or_default();
        let columns = columns.replace(&format!(", {agent} AS agent_id"), "");
        let (more, skipped) = (values.add(query.limit as i64 + 1), values.add(query.offset as i64));
        let sql = format!(
            "SELECT {} AS id, {when} AS at, {title} AS title, {columns}, {} AS amount, {conversation} AS conversation_id, \
             {agent} AS agent FROM {} r {} WHERE {fitting}{also} ORDER BY {when} DESC, r.id DESC LIMIT {more} OFFSET {skipped}",
            source.id,
            source.amount(self.reading.txn.get_database_backend()),
            source.table,
            source.joins
        );
        let mut rows = Vec::new();
        for row in self.reading.rows(&sql, values.0).await? {
            rows.push(self.row(source, &row)?);
        }
        let most = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let next_offset = (rows.len() > most).then_some(query.offset + query.limit);
        rows.truncate(most);
        let others = match source.work.is_some() && !self.is_own && query.offset == 0 {
            true => self.others(source, query).await?,
            false => Vec::new(),
        };
        Ok(FigureRows { rows, next_offset, others })
    }

    /// The conditions on the rows behind a bucket.
    fn fitting(&self, source: &Source, query: &RowsQuery, values: &mut Values) -> Result<String> {
        let workspace = values.add(self.reading.workspace);
        let mut all = vec![format!("r.workspace_id = {workspace}"), source.filter.to_owned()];
        let begins = source.begins.column();
        match self.figure.told {
            Told::InBucket => {
                let from = values.add(source.begins.begin_of(query.bucket.from, self.scope)?);
                let to = values.add(source.begins.end_of(query.bucket.to, self.scope)?);
                all.push(format!("{begins} >= {from} AND {begins} < {to}"));
            }
            Told::AtEnd => {
                let end = self.end_of(query.bucket);
                let to = values.add(source.begins.end_of(end, self.scope)?);
                all.push(format!("{begins} < {to}"));
                if let Some(ends) = source.ends {
                    let after = values.add(ends.end_of(end, self.scope)?);
                    all.push(format!("({0} IS NULL OR {0} >= {after})", ends.column()));
                }
            }
            Told::Now => {}
        }
        match (source.series, query.key.as_deref()) {
            (_, None) | (By::Nothing, _) => {}
            (By::Word(word), Some(key)) => all.push(format!("{word} = {}", values.add(key))),
            (By::Agent, Some(key)) => {
                let id: Uuid = key.parse().map_err(|_| invalid("key", "must be the id of an agent"))?;
                let agent = source.work.as_ref().map_or("r.agent_id", |work| work.agent);
                all.push(format!("{agent} = {}", values.add(id)));
            }
        }
        if let (Some(column), Some(currency)) = (source.currency, query.currency) {
            all.push(format!("{column} = {}", values.add(currency.code())));
        }
        Ok(all.join(" AND "))
    }

    fn row(&self, source: &Source, row: &QueryResult) -> Result<FigureRow> {
        let (on, at) = match source.begins {
            At::Day(_) | At::DayAfter(_) => (row.try_get::<NaiveDate>("", "at").db()?, None),
            At::Moment(_) => {
                let at: DateTime<Utc> = row.try_get("", "at").db()?;
                (days::today(at, &self.scope.time_zone), Some(at))
            }
        };
        let agent: Option<Uuid> = row.try_get("", "agent").db()?;
        let key = match source.series {
            By::Agent => agent.map(|id| id.to_string()).unwrap_or_default(),
            _ => row.try_get("", "key").db()?,
        };
        let currency: Option<String> = row.try_get("", "currency").db()?;
        Ok(FigureRow {
            id: row.try_get("", "id").db()?,
            on,
            at,
            title: row.try_get("", "title").db()?,
            key,
            currency: currency.as_deref().map(currency_of).transpose()?,
            amount: row.try_get("", "amount").db()?,
            agent_id: agent.map(AgentId),
            conversation_id: row.try_get::<Option<Uuid>>("", "conversation_id").db()?.map(ConversationId),
        })
    }

    /// What agents did for other people: how much, by agent.
    async fn others(&self, source: &Source, query: &RowsQuery) -> Result<Vec<OthersWork>> {
        let mut values = Values::default();
        let fitting = self.fitting(source, query, &mut values)?;
        let (Some(mine), Some(work)) = (source.is_mine(self.scope.profile_id.0, &mut values), &source.work)
        else {
            return Ok(Vec::new());
        };
        let agent = work.agent;
        let (word, by) = match source.series {
            By::Word(word) => (word, format!("{agent}, {word}")),
            _ => ("''", agent.to_owned()),
        };
        let sql = format!(
            "SELECT {agent} AS agent, {word} AS key, COUNT(*) AS number, CAST(SUM({}) AS BIGINT) AS amount FROM {} r {} \
             WHERE {fitting} AND NOT {mine} GROUP BY {by} ORDER BY number DESC, agent",
            source.amount(self.reading.txn.get_database_backend()),
            source.table,
            source.joins
        );
        let rows = self.reading.rows(&sql, values.0).await?;
        let names = if rows.is_empty() { Default::default() } else { self.agent_names().await? };
        let one = |row: &QueryResult| {
            let agent: Uuid = row.try_get("", "agent").db()?;
            let key = match source.series {
                By::Agent => agent.to_string(),
                _ => row.try_get("", "key").db()?,
            };
            Ok(OthersWork {
                agent_id: AgentId(agent),
                agent: names.get(&agent).cloned().unwrap_or_else(|| "An agent that is gone".to_owned()),
                key,
                count: row.try_get("", "number").db()?,
                amount: row.try_get("", "amount").db()?,
            })
        };
        rows.iter().map(one).collect()
    }
}
