//! What is asked about projects beyond their rows.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::Result;
use crate::data::projects::{OpenTasks, Progress, TasksBy};
use crate::data::rows::{DataScope, RowPage};
use crate::ids::{ProfileId, WorkspaceId};

#[async_trait]
pub trait Projects: Send + Sync {
    /// Of all projects, or people, that have tasks.
    async fn task_progress(
        &self,
        scope: DataScope,
        by: TasksBy,
        today: NaiveDate,
    ) -> Result<Vec<(Uuid, Progress)>>;
    /// By their days, those without a day last. The page has no cursor.
    async fn open_tasks(&self, scope: DataScope, asked: OpenTasks) -> Result<RowPage>;
}

/// Secret addresses under which calendars read what is due.
#[async_trait]
pub trait CalendarFeeds: Send + Sync {
    /// When the one of this person was made, if there is one.
    async fn calendar_feed(&self, workspace: WorkspaceId, person: ProfileId)
    -> Result<Option<DateTime<Utc>>>;
    /// In place of an earlier one.
    async fn make_calendar_feed(
        &self,
        workspace: WorkspaceId,
        person: ProfileId,
        token_hash: Vec<u8>,
    ) -> Result<DateTime<Utc>>;
    async fn delete_calendar_feed(&self, workspace: WorkspaceId, person: ProfileId) -> Result<()>;
    /// Whose it is. None also if they are no member any more.
    async fn calendar_feed_owner(&self, token_hash: &[u8]) -> Result<Option<(WorkspaceId, ProfileId)>>;
}
