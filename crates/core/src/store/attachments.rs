//! Attachments: files that a person sends with messages.

use async_trait::async_trait;

use super::Result;
use crate::attachments::{Attachment, AttachmentRef, NewAttachment};
use crate::ids::{FileId, WorkspaceId};
use crate::listing::{Page, Window};
use crate::visitors::Person;

/// An attachment is there for its own person only.
#[async_trait]
pub trait Attachments: Send + Sync {
    async fn keep_attachment(&self, new: NewAttachment) -> Result<AttachmentRef>;
    async fn attachment(&self, id: FileId, person: Person) -> Result<Attachment>;
    /// The latest first.
    async fn own_attachments(
        &self,
        workspace: WorkspaceId,
        person: Person,
        window: Window,
    ) -> Result<Page<AttachmentRef>>;
    /// Messages it was sent with go on naming it; models are told that it is no longer kept.
    async fn delete_attachment(&self, id: FileId, person: Person) -> Result<()>;
    /// Those of these that are this person's, in no order; images whole, of text the first `max_text` bytes.
    async fn attachments(&self, ids: &[FileId], person: Person, max_text: usize) -> Result<Vec<Attachment>>;
    /// What is said of all of these, in this order, or `NotFound` if one isn't this person's in this workspace.
    async fn attachment_refs(
        &self,
        ids: &[FileId],
        workspace: WorkspaceId,
        person: Person,
    ) -> Result<Vec<AttachmentRef>>;
}
