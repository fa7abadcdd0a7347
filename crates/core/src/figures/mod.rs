//! Key figures: what a workspace is measured by, in time, compared with the period before. A [`Figure`] describes one; the
//! API, the tool and the page follow from its description, and the store has the query that counts it
//! (`store/figures/`). What is made of its counts is said here, pure.
//!
//! A figure is counted in buckets: days, weeks (from Monday) or months, the first and the last cut at the period's ends.

mod answer;
mod buckets;
mod forecast;
mod list;

pub use answer::{Cell, Counted, FigureAnswer, Series, Total, answer};
pub use buckets::{Bucket, Grain, MAX_BUCKETS, buckets, usual_period};
pub use forecast::{
    Accuracy, BACKTEST_MOST, Forecast, ForecastPoint, History, INTERVAL_PERCENT, Interval, MAX_HORIZON,
    NoForecast, SeasonalModel, forecast, history_period,
};
pub use list::FIGURES;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::data::areas::{Area, AreaAccess, Areas};
use crate::ids::{AgentId, ConversationId, ProfileId, WorkspaceId};
use crate::money::Currency;
use crate::reports::Period;
use crate::words;

/// What there is to know about a figure, for people, programs and models.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    /// In addresses: `deals-won`.
    pub name: &'static str,
    pub label: &'static str,
    /// What counts, in one or two sentences.
    pub about: &'static str,
    pub area: FigureArea,
    pub unit: Unit,
    pub told: Told,
    pub measure: Measure,
    /// What its series are told apart by; one series if there is none. (Money has one per currency, too.)
    pub series: Option<SeriesBy>,
    /// What is behind it, for people: the rows that its counts open to.
    pub rows: &'static str,
    pub better: Better,
}

words! {
    /// Whose data a figure is about.
    FigureArea { Money => "money", Sales => "sales", Projects => "projects", Agents => "agents" }
}

words! {
    Unit {
        Count => "count",
        /// In minor units of a currency.
        Money => "money",
        Tokens => "tokens",
        /// What models cost, in millionths of a US dollar.
        Cost => "cost",
        /// In tenths of a percent.
        Share => "share",
        /// In tenths of a day.
        Days => "days",
    }
}

words! {
    /// What a bucket says.
    Told {
        /// What happened in it.
        InBucket => "in_bucket",
        /// What there was at its end.
        AtEnd => "at_end",
        /// What there is now: how it was earlier is not kept.
        Now => "now",
    }
}

words! {
    /// How rows become a value.
    Measure {
        Count => "count",
        Sum => "sum",
        /// The part of the rows that are as hoped for.
        Share => "share",
        Average => "average",
    }
}

words! {
    SeriesBy { Stage => "stage", Outcome => "outcome", Status => "status", Agent => "agent" }
}

words! {
    /// Which change is good news.
    Better { More => "more", Less => "less", Neither => "neither" }
}

impl FigureArea {
    /// Whether someone may see its figures. Agents' work is everyone's to see: members see their own.
    pub fn is_open(self, areas: &Areas) -> bool {
        self.area().is_none_or(|area| areas.access(area) >= AreaAccess::Read)
    }

    pub fn area(self) -> Option<Area> {
        match self {
            Self::Money => Some(Area::Money),
            Self::Sales => Some(Area::Sales),
            Self::Projects => Some(Area::Projects),
            Self::Agents => None,
        }
    }
}

impl Figure {
    pub fn find(name: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|figure| figure.name == name)
    }

    /// Whether it can be forecast. Shares, averages and figures that are known only for now can't.
    pub fn can_be_forecast(&self) -> bool {
        self.told != Told::Now && matches!(self.measure, Measure::Count | Measure::Sum)
    }
}

/// For whom figures are counted: with the rights and the clock of one person.
#[derive(Debug, Clone)]
pub struct FigureScope {
    pub workspace_id: WorkspaceId,
    pub areas: Areas,
    pub profile_id: ProfileId,
    pub time_zone: String,
    pub today: NaiveDate,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FigureQuery {
    pub figure: &'static Figure,
    pub period: Period,
    pub by: Grain,
    /// Whether the period before is counted too.
    pub is_compared: bool,
}

/// Which rows are asked for: those behind one bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct RowsQuery {
    pub figure: &'static Figure,
    pub bucket: Bucket,
    /// Only of this series.
    pub key: Option<String>,
    pub currency: Option<Currency>,
    pub limit: u64,
    pub offset: u64,
}

/// A page of the rows that a figure counted.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRows {
    pub rows: Vec<FigureRow>,
    /// What is left is asked for from here.
    pub next_offset: Option<u64>,
    /// Of agents' work for other people: how much, and nothing of what. On the first page.
    pub others: Vec<OthersWork>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    pub id: Uuid,
    /// When it counts, as a day of the person's time zone.
    pub on: NaiveDate,
    /// And the moment, where that is known.
    pub at: Option<DateTime<Utc>>,
    pub title: String,
    /// The series it counts in.
    pub key: String,
    pub currency: Option<Currency>,
    /// What it adds to the sum; 1 or 0 of a share.
    pub amount: i64,
    pub agent_id: Option<AgentId>,
    pub conversation_id: Option<ConversationId>,
}

/// Agents' work in conversations that are not the asking person's own.
#[derive(Debug, Clone, PartialEq)]
pub struct OthersWork {
    pub agent_id: AgentId,
    pub agent: String,
    pub key: String,
    pub count: i64,
    pub amount: i64,
}

/// A figure that a workspace keeps in sight, and how it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    pub figure: &'static Figure,
    pub by: Grain,
    pub pinned_by: Option<ProfileId>,
    pub created_at: DateTime<Utc>,
}

/// The most figures that a workspace pins.
pub const MAX_PINS: usize = 12;

#[cfg(test)]
mod tests;
