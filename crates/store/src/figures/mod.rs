//! Counts key figures, and lists the rows behind them; which figures there are and what is made of counts is said in
//! `core/figures`.
//!
//! A figure over rows is a [`Source`]: where its rows are, which of them count, when and for how much. The same source counts
//! and lists, so what a figure opens to is what it counted. Each bucket is one range of an index on workspace and time.
//! Money is counted from kept sums (`store/reports/`) and listed from rows; a test compares the two.

mod listing;
mod money;
mod over_time;
mod pins;
mod sources;
mod sql;

use async_trait::async_trait;
use baton_core::data::areas::AreaAccess;
use baton_core::figures::{
    Cell, Counted, Figure, FigureAnswer, FigureArea, FigureQuery, FigureRows, FigureScope, Grain, Pin,
    RowsQuery, Told, answer, buckets,
};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::reports::Period;
use baton_core::store::{Error, Figures, Result};
use baton_core::text::Invalid;
use baton_core::workspaces::Role;
use chrono::NaiveDate;
use sea_orm::EntityTrait;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, stored};
use crate::entities::workspace_members;
use crate::reports::Reading;

#[async_trait]
impl Figures for SqlStore {
    async fn figure(&self, scope: &FigureScope, query: FigureQuery) -> Result<FigureAnswer> {
        let asked = Asked::begin(self, scope, query.figure).await?;
        let counted = asked.count(&query).await?;
        asked.reading.end().await?;
        Ok(answer(query, counted)?)
    }

    async fn figure_rows(&self, scope: &FigureScope, query: RowsQuery) -> Result<FigureRows> {
        let asked = Asked::begin(self, scope, query.figure).await?;
        let rows = asked.list(&query).await?;
        asked.reading.end().await?;
        Ok(rows)
    }

    async fn pins(&self, workspace: WorkspaceId) -> Result<Vec<Pin>> {
        pins::all(&self.db, workspace).await
    }

    async fn pin(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        figure: &'static Figure,
        grain: Grain,
    ) -> Result<Pin> {
        self.keep_pin(workspace, by, figure, grain).await
    }

    async fn unpin(&self, workspace: WorkspaceId, figure: &'static Figure) -> Result<()> {
        self.remove_pin(workspace, figure).await
    }
}

/// One moment of a workspace, as one person may see it.
struct Asked<'a> {
    reading: Reading,
    scope: &'a FigureScope,
    figure: &'static Figure,
    /// Of agents' work, members see their own.
    is_own: bool,
}

/// A period of which a source counts what happened, or what there was at its end.
#[derive(Clone, Copy, Debug)]
struct Range {
    number: usize,
    period: Period,
}

impl<'a> Asked<'a> {
    async fn begin(store: &SqlStore, scope: &'a FigureScope, figure: &'static Figure) -> Result<Self> {
        if let Some(area) = figure.area.area() {
            scope.areas.check(area, AreaAccess::Read)?;
        }
        let reading = Reading::begin(store, scope.workspace_id.0).await?;
        let member = (scope.workspace_id.0, scope.profile_id.0);
        let member = workspace_members::Entity::find_by_id(member).one(&reading.txn).await.db()?;
        let role: Role = stored("role", &member.ok_or(Error::RoleTooLow)?.role)?;
        let is_own = figure.area == FigureArea::Agents && role < Role::Admin;
        Ok(Self { reading, scope, figure, is_own })
    }

    async fn count(&self, query: &FigureQuery) -> Result<Counted> {
        let before = match query.is_compared {
            true => buckets(query.period.before(), query.by)?,
            false => Vec::new(),
        };
        let now = buckets(query.period, query.by)?;
        let all: Vec<Period> = before.iter().chain(&now).copied().collect();
        let mut unknown: Vec<bool> = vec![false; all.len()];
        let cells = match (sources::of(self.figure), self.figure.told) {
            (None, _) => self.count_money(&all, query.by, &mut unknown).await?,
            (Some(source), Told::InBucket) => {
                let ranges = all.iter().enumerate().map(|(number, period)| Range { number, period: *period });
                self.count_ranges(source, source.begins, &ranges.collect::<Vec<_>>(), "").await?
            }
            (Some(source), Told::AtEnd) => {
                self.mark_future(&all, &mut unknown);
                // It is compared with what there was just before: to know more, twice as much would be read.
                unknown[..before.len().saturating_sub(1)].fill(true);
                self.count_at_ends(source, &all, &unknown).await?
            }
            (Some(source), Told::Now) => {
                let today = all.iter().position(|bucket| bucket.contains(self.scope.today));
                (0..all.len()).for_each(|number| unknown[number] = Some(number) != today);
                match today {
                    Some(number) => self.count_now(source, number).await?,
                    None => Vec::new(),
                }
            }
        };
        Ok(Counted { before, now, cells, unknown, is_own: self.is_own })
    }

    /// Buckets that have not begun: what there will be at their ends is not known.
    fn mark_future(&self, all: &[Period], unknown: &mut [bool]) {
        for (bucket, unknown) in all.iter().zip(unknown) {
            *unknown = bucket.from > self.scope.today;
        }
    }

    /// The last day that a bucket tells of.
    fn end_of(&self, bucket: Period) -> NaiveDate {
        bucket.to.min(self.scope.today)
    }
}

/// As people read it: `rolled_back` is `Rolled back`.
fn label(key: &str) -> String {
    let words = key.replace('_', " ");
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    first + chars.as_str()
}

fn invalid(field: &'static str, words: &str) -> Error {
    Invalid::new(field, words).into()
}

/// Cells of the same bucket and series are one.
fn together(cells: Vec<Cell>) -> Vec<Cell> {
    let mut all: std::collections::BTreeMap<_, Cell> = std::collections::BTreeMap::new();
    for cell in cells {
        let key = (cell.bucket, cell.key.clone(), cell.currency);
        match all.entry(key) {
            std::collections::btree_map::Entry::Vacant(free) => drop(free.insert(cell)),
            std::collections::btree_map::Entry::Occupied(mut there) => {
                let there = there.get_mut();
                (there.count, there.sum) = (there.count + cell.count, there.sum + cell.sum);
            }
        }
    }
    all.into_values().collect()
}
