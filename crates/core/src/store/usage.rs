//! What models were used for, by day.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::Result;
use crate::ids::{ProfileId, WorkspaceId};

/// What models were used for, day by day.
#[async_trait]
pub trait UsageByDay {
    /// One answer per day, in the order of the days.
    async fn usage_by_day(&self, query: UsageQuery) -> Result<Vec<DayUsed>>;
}

#[derive(Debug, Clone)]
pub struct UsageQuery {
    pub workspace_id: WorkspaceId,
    /// Only what this person used.
    pub profile_id: Option<ProfileId>,
    /// Each from its first moment up to the next day's. Where a day begins is a matter of the time zone.
    pub days: Vec<(DateTime<Utc>, DateTime<Utc>)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayUsed {
    pub calls: i64,
    /// Cached ones included.
    pub input_tokens: i64,
    pub output_tokens: i64,
    /// Of the calls whose price is known.
    pub cost_micros: i64,
    pub unpriced_calls: i64,
}
