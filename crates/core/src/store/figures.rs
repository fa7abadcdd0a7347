//! Key figures of a workspace, and which of them it keeps in sight.

use async_trait::async_trait;

use super::Result;
use crate::figures::{Figure, FigureAnswer, FigureQuery, FigureRows, FigureScope, Grain, Pin, RowsQuery};
use crate::ids::{ProfileId, WorkspaceId};

#[async_trait]
pub trait Figures: Send + Sync {
    async fn figure(&self, scope: &FigureScope, query: FigureQuery) -> Result<FigureAnswer>;
    /// The rows that a figure counted in one bucket.
    async fn figure_rows(&self, scope: &FigureScope, query: RowsQuery) -> Result<FigureRows>;
    /// In the order in which they were pinned.
    async fn pins(&self, workspace: WorkspaceId) -> Result<Vec<Pin>>;
    /// Again for a figure that is pinned already: how it is shown changes.
    async fn pin(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        figure: &'static Figure,
        grain: Grain,
    ) -> Result<Pin>;
    async fn unpin(&self, workspace: WorkspaceId, figure: &'static Figure) -> Result<()>;
}
