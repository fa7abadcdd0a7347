//! Files of tools' results.

use async_trait::async_trait;

use super::Result;
use crate::attachments::AttachmentRef;
use crate::ids::FileId;
use crate::result_files::{NewResultFiles, ResultFile};
use crate::visitors::Person;

/// A file is there for the person of its conversation only, and as long as the conversation.
#[async_trait]
pub trait ResultFiles: Send + Sync {
    /// Keeps them before the result that names them is stored. What no result names in the end is removed a day later.
    async fn keep_result_files(&self, new: &NewResultFiles) -> Result<Vec<AttachmentRef>>;
    async fn result_file(&self, id: FileId, person: Person) -> Result<ResultFile>;
}
