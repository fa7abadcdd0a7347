//! Whether a workspace has room for more. The space it takes is measured now and then, because that means adding up
//! all its conversations. Large additions (files, imports, forks) count at once. Messages may pass the limit for half
//! a minute; other limits bound how far.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use axum::http::StatusCode;
use baton_core::conversations::{SpaceSum, SpaceTaken};
use baton_core::ids::WorkspaceId;
use baton_core::result_files::Room;
use baton_core::store::{self, Store};

use crate::http::ApiError;

/// A measure is good for so long.
const GOOD: Duration = Duration::from_secs(30);
/// Workspaces whose measure is kept.
const MOST: usize = 10_000;
/// What a conversation takes, however little is said in it.
const EACH: u64 = 1_000;
const MEGABYTE: u64 = 1_000_000;

/// How much there may be in one workspace; 0 is any number.
#[derive(Debug, Clone, Copy)]
pub struct SpaceLimits {
    pub workspace_megabytes: u64,
    /// Of visitors and guests together.
    pub visitor_conversations: u64,
    pub visitor_megabytes: u64,
}

/// What someone is about to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adds {
    Conversation,
    /// A message, or a file.
    More,
}

pub struct Space {
    limits: SpaceLimits,
    store: Arc<dyn Store>,
    measured: Arc<Mutex<Measured>>,
}

type Measured = HashMap<WorkspaceId, (Instant, SpaceTaken)>;

impl Space {
    pub fn new(limits: SpaceLimits, store: Arc<dyn Store>) -> Self {
        Self { limits, store, measured: Arc::default() }
    }

    /// Refuses what a member adds if the workspace is full.
    pub async fn check(&self, workspace: WorkspaceId) -> Result<(), ApiError> {
        if self.is_full(workspace, 0).await? {
            let error =
                "This workspace holds as much as it may. Delete conversations or files that nobody needs.";
            let message = "Whoever runs this server can raise workspace_megabytes.";
            return Err(full("workspace_full", error).with_message(message));
        }
        Ok(())
    }

    /// Whether a workspace that takes so many bytes more holds as much as it may.
    async fn is_full(&self, workspace: WorkspaceId, more: u64) -> Result<bool, store::Error> {
        let most = self.limits.workspace_megabytes;
        if most == 0 {
            return Ok(false);
        }
        let SpaceSum { conversations, bytes } = self.taken(workspace).await?.all;
        Ok(is_full(bytes + EACH * conversations + more, most))
    }

    /// Refuses this many bytes more if the workspace has no space for them; else they count from now on.
    pub async fn take(&self, workspace: WorkspaceId, bytes: usize) -> Result<(), ApiError> {
        self.check(workspace).await?;
        self.count(workspace, bytes);
        Ok(())
    }

    /// So many bytes more are there, until it is measured again.
    fn count(&self, workspace: WorkspaceId, bytes: usize) {
        if let Some((_, taken)) = self.measured().get_mut(&workspace) {
            taken.all.bytes += bytes as u64;
        }
    }

    /// Refuses what a guest or a visitor adds if there is no space for it.
    pub async fn check_public(&self, workspace: WorkspaceId, adds: Adds) -> Result<(), ApiError> {
        self.check(workspace).await?;
        let SpaceLimits { visitor_conversations: most, visitor_megabytes, .. } = self.limits;
        if most == 0 && visitor_megabytes == 0 {
            return Ok(());
        }
        let public = self.taken(workspace).await?.public;
        let has_too_many = adds == Adds::Conversation && most > 0 && public.conversations >= most;
        if has_too_many || is_full(public.bytes, visitor_megabytes) {
            tracing::warn!(%workspace, ?public, "no room for visitors: raise visitor_conversations or visitor_megabytes, or lower visitor_days");
            let error = "There is no room for more conversations here. Delete one of yours, or try again another day.";
            let message = "Whoever runs this server can raise visitor_conversations and visitor_megabytes, or lower visitor_days.";
            return Err(full("visitors_full", error).with_message(message));
        }
        Ok(())
    }

    /// As it was measured last. One that is old is measured anew meanwhile.
    async fn taken(&self, workspace: WorkspaceId) -> Result<SpaceTaken, store::Error> {
        let known = self.measured().get(&workspace).copied();
        let Some((at, taken)) = known else {
            let taken = self.store.space_taken(workspace).await?;
            keep(&mut self.measured(), workspace, taken);
            return Ok(taken);
        };
        if at.elapsed() >= GOOD {
            // Nobody else measures it meanwhile.
            keep(&mut self.measured(), workspace, taken);
            let (store, measured) = (self.store.clone(), self.measured.clone());
            tokio::spawn(async move {
                match store.space_taken(workspace).await {
                    Ok(taken) => keep(&mut lock(&measured), workspace, taken),
                    Err(error) => tracing::warn!(%error, "could not measure a workspace"),
                }
            });
        }
        Ok(taken)
    }

    /// The next who asks measures anew.
    pub fn forget(&self, workspace: WorkspaceId) {
        self.measured().remove(&workspace);
    }

    fn measured(&self) -> MutexGuard<'_, Measured> {
        lock(&self.measured)
    }
}

#[async_trait]
impl Room for Space {
    async fn take(&self, workspace: WorkspaceId, bytes: usize) -> Result<bool, store::Error> {
        if self.is_full(workspace, bytes as u64).await? {
            return Ok(false);
        }
        self.count(workspace, bytes);
        Ok(true)
    }
}

fn lock(measured: &Mutex<Measured>) -> MutexGuard<'_, Measured> {
    measured.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(measured: &mut Measured, workspace: WorkspaceId, taken: SpaceTaken) {
    if measured.len() >= MOST {
        measured.clear();
    }
    measured.insert(workspace, (Instant::now(), taken));
}

fn is_full(bytes: u64, megabytes: u64) -> bool {
    megabytes > 0 && bytes >= megabytes.saturating_mul(MEGABYTE)
}

fn full(code: &'static str, error: &str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, code, error)
}
