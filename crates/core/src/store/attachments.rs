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
    /// All of these, in this order, or `NotFound` if one isn't this person's in this workspace.
    async fn attachments(
        &self,
        ids: &[FileId],
        workspace: WorkspaceId,
        person: Person,
    ) -> Result<Vec<Attachment>>;
    /// The same without their bytes.
    async fn attachment_refs(
        &self,
        ids: &[FileId],
        workspace: WorkspaceId,
        person: Person,
    ) -> Result<Vec<AttachmentRef>>;
}
