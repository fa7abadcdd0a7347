//! Counts of a source: what happened in buckets, what there was at their ends, what there is now.

use std::collections::BTreeMap;

use baton_core::figures::Cell;
use baton_core::reports::Period;
use baton_core::store::Result;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult};
use uuid::Uuid;

use super::sources::{At, By, Source};
use super::{Asked, Range, label, together};
use crate::db::OrStoreError;
use crate::reports::currency_of;
use crate::reports::sums::{Values, halves, wide};

impl Asked<'_> {
    /// What each of these ranges holds, by a time of its rows. `also` is a further condition.
    pub async fn count_ranges(
        &self,
        source: &Source,
        at: At,
        ranges: &[Range],
        also: &str,
    ) -> Result<Vec<Cell>> {
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let mut values = Values::default();
        let workspace = values.add(self.reading.workspace);
        let mut listed = Vec::new();
        for Range { number, period } in ranges {
            let begins = values.add(at.begin_of(period.from, self.scope)?);
            let ends = values.add(at.end_of(period.to, self.scope)?);
            listed.push(format!("({number}, {begins}, {ends})"));
        }
        let (columns, mut by) = source.series_columns();
        by.insert(0, "buckets.n");
        let (column, table) = (at.column(), source.table);
        let engine = self.reading.txn.get_database_backend();
        let within = format!(
            "r.workspace_id = {workspace} AND {column} >= buckets.begins AND {column} < buckets.ends AND {}{also}",
            source.filter
        );
        let ranges = match engine {
            // Bucket by bucket: Postgres may else compare every row of the workspace with all buckets. OFFSET keeps this apart.
            DbBackend::Postgres if source.joins.is_empty() => {
                format!("CROSS JOIN LATERAL (SELECT r.* FROM {table} r WHERE {within} OFFSET 0) r")
            }
            _ => format!("JOIN {table} r ON {within} {}", source.joins),
        };
        let sql = format!(
            "WITH buckets(n, begins, ends) AS (VALUES {}) SELECT CAST(buckets.n AS BIGINT) AS bucket, {columns}, \
             COUNT(*) AS number, {} FROM buckets {ranges} WHERE 1 = 1{} GROUP BY {}",
            listed.join(", "),
            halves(&source.amount(engine), "amount"),
            self.only_own(source, &mut values),
            by.join(", ")
        );
        self.cells(source, &self.reading.rows(&sql, values.0).await?).await
    }

    fn only_own(&self, source: &Source, values: &mut Values) -> String {
        let mine = self.is_own.then(|| source.is_mine(self.scope.profile_id.0, values)).flatten();
        mine.map(|mine| format!(" AND {mine}")).unwrap_or_default()
    }

    /// What counts today.
    pub async fn count_now(&self, source: &Source, number: usize) -> Result<Vec<Cell>> {
        let mut values = Values::default();
        let workspace = values.add(self.reading.workspace);
        let (columns, by) = source.series_columns();
        let current = match source.ends {
            Some(ends) => {
                let begun = values.add(source.begins.end_of(self.scope.today, self.scope)?);
                format!(" AND {} IS NULL AND {} < {begun}", ends.column(), source.begins.column())
            }
            None => String::new(),
        };
        let group = if by.is_empty() { String::new() } else { format!(" GROUP BY {}", by.join(", ")) };
        let sql = format!(
            "SELECT CAST({number} AS BIGINT) AS bucket, {columns}, COUNT(*) AS number, {} FROM {} r {} \
             WHERE r.workspace_id = {workspace} AND {}{current}{group}",
            halves(
                &format!("COALESCE({}, 0)", source.amount(self.reading.txn.get_database_backend())),
                "amount"
            ),
            source.table,
            source.joins,
            source.filter
        );
        let rows = self.reading.rows(&sql, values.0).await?;
        // Without groups there is a row even of nothing, with no sum.
        let rows: Vec<QueryResult> =
            rows.into_iter().filter(|row| row.try_get::<i64>("", "number").is_ok_and(|n| n > 0)).collect();
        self.cells(source, &rows).await
    }

    /// What there was at the ends of buckets: what there is now, without what began since and with what ceased since.
    pub async fn count_at_ends(
        &self,
        source: &Source,
        all: &[Period],
        unknown: &[bool],
    ) -> Result<Vec<Cell>> {
        let mut ends: Vec<_> = all
            .iter()
            .zip(unknown)
            .filter(|(_, unknown)| !**unknown)
            .map(|(one, _)| self.end_of(*one))
            .collect();
        ends.push(self.scope.today);
        ends.sort_unstable();
        ends.dedup();
        let between = ends.windows(2).enumerate().filter_map(|(number, two)| {
            Some(Range { number, period: Period { from: two[0].succ_opt()?, to: two[1] } })
        });
        let between: Vec<Range> = between.collect();
        let lasts = format!(" AND {}", source.lasts(self.reading.txn.get_database_backend()));
        let began = self.count_ranges(source, source.begins, &between, &lasts).await?;
        let ceased = match source.ends {
            Some(at) => self.count_ranges(source, at, &between, &lasts).await?,
            None => Vec::new(),
        };
        let mut now = self.count_now(source, ends.len() - 1).await?;
        let mut at_end: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for last in (0..ends.len()).rev() {
            at_end.insert(last, now.clone());
            let Some(number) = last.checked_sub(1) else { break };
            let of = |cells: &[Cell], times: i64| -> Vec<Cell> {
                let here = cells.iter().filter(|cell| cell.bucket == number);
                here.map(|cell| Cell {
                    count: cell.count * times,
                    sum: cell.sum * i128::from(times),
                    ..cell.clone()
                })
                .collect()
            };
            now.extend([of(&began, -1), of(&ceased, 1)].concat());
            now.iter_mut().for_each(|cell| cell.bucket = number);
            now = together(now);
        }
        let mut told = Vec::new();
        for (number, bucket) in all.iter().enumerate().filter(|(number, _)| !unknown[*number]) {
            let place = ends.iter().position(|end| *end == self.end_of(*bucket)).unwrap_or_default();
            let there = at_end.get(&place).map_or(&[][..], Vec::as_slice);
            told.extend(there.iter().map(|cell| Cell { bucket: number, ..cell.clone() }));
        }
        told.retain(|cell| (cell.count, cell.sum) != (0, 0));
        Ok(told)
    }

    async fn cells(&self, source: &Source, rows: &[QueryResult]) -> Result<Vec<Cell>> {
        let names = match source.series {
            By::Agent => self.agent_names().await?,
            _ => BTreeMap::new(),
        };
        let cell = |row: &QueryResult| {
            let (key, label) = match source.series {
                By::Agent => {
                    let id: Uuid = row.try_get("", "agent_id").db()?;
                    (
                        id.to_string(),
                        names.get(&id).cloned().unwrap_or_else(|| "An agent that is gone".to_owned()),
                    )
                }
                _ => {
                    let key: String = row.try_get("", "key").db()?;
                    let label = label(&key);
                    (key, label)
                }
            };
            let currency: Option<String> = row.try_get("", "currency").db()?;
            Ok(Cell {
                bucket: usize::try_from(row.try_get::<i64>("", "bucket").db()?).unwrap_or_default(),
                key,
                label,
                currency: currency.as_deref().map(currency_of).transpose()?,
                count: row.try_get("", "number").db()?,
                sum: wide(row, "amount")?,
            })
        };
        rows.iter().map(cell).collect()
    }

    /// Of all agents that the workspace ever hired.
    pub async fn agent_names(&self) -> Result<BTreeMap<Uuid, String>> {
        let sql = "SELECT id, name FROM agents WHERE workspace_id = $1";
        let name = |row: &QueryResult| Ok((row.try_get("", "id").db()?, row.try_get("", "name").db()?));
        self.reading.rows(sql, vec![self.reading.workspace.into()]).await?.iter().map(name).collect()
    }
}
