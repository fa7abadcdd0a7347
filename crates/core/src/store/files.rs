use async_trait::async_trait;

use super::Result;
use crate::files::{File, NewFile};
use crate::ids::FileId;

#[async_trait]
pub trait Files {
    async fn keep_file(&self, new: NewFile) -> Result<FileId>;
    async fn file(&self, id: FileId) -> Result<File>;
}
