//! Memories of agents.

use async_trait::async_trait;

use super::Result;
use crate::ids::{AgentId, MemoryId, ProfileId};
use crate::listing::Page;
use crate::memories::{Memory, MemoryChanges, MemoryQuery, NewMemory, Scope};

/// An agent's memories, as one person sees them: the agent's own and theirs. Another person's are not there.
#[async_trait]
pub trait Memories: Send + Sync {
    /// The latest first.
    async fn memories(&self, query: MemoryQuery) -> Result<Page<Memory>>;
    /// Those that fit these (folded) words best, and of those that fit alike the latest: see [`fit`](crate::memories::fit).
    async fn recall(
        &self,
        agent: AgentId,
        person: Option<ProfileId>,
        scope: Option<Scope>,
        words: &[String],
        limit: u64,
    ) -> Result<Vec<Memory>>;
    async fn memory(&self, agent: AgentId, id: MemoryId, person: Option<ProfileId>) -> Result<Memory>;
    /// By its full path.
    async fn memory_at(
        &self,
        agent: AgentId,
        path: &str,
        person: Option<ProfileId>,
    ) -> Result<Option<Memory>>;
    async fn create_memory(&self, new: NewMemory, by: ProfileId) -> Result<Memory>;
    async fn change_memory(
        &self,
        agent: AgentId,
        id: MemoryId,
        changes: MemoryChanges,
        by: ProfileId,
    ) -> Result<Memory>;
    async fn delete_memory(&self, agent: AgentId, id: MemoryId, by: ProfileId) -> Result<()>;
}
