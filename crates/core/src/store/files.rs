//! Files that Baton keeps: images for avatars.

use async_trait::async_trait;

use super::Result;
use crate::files::{File, NewFile};
use crate::ids::{FileId, WorkspaceId};

#[async_trait]
pub trait Files {
    async fn keep_file(&self, new: NewFile) -> Result<FileId>;
    async fn file(&self, id: FileId) -> Result<File>;
    /// Whose a file is; `None` for the catalog's.
    async fn file_workspace(&self, id: FileId) -> Result<Option<WorkspaceId>>;
}
