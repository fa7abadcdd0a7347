//! Attachments: files a person sends along with a message. Images go to the model as images, text is inlined.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::files::image_type;
use crate::ids::{FileId, WorkspaceId};
use crate::visitors::Person;

pub const MAX_BYTES: usize = 5 * 1024 * 1024;
/// With one message.
pub const MAX_PER_MESSAGE: usize = 10;
/// Of one file's text, what a model is shown.
pub const MAX_INLINED: usize = 100_000;
/// Per person and workspace.
pub const MAX_KEPT: u64 = 1_000;
pub const MAX_NAME: usize = 200;

/// What messages and events say of an attachment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentRef {
    pub id: FileId,
    pub name: String,
    pub media_type: String,
    pub size: u64,
}

#[derive(Debug, Clone)]
pub struct NewAttachment {
    pub workspace_id: WorkspaceId,
    pub person: Person,
    pub name: String,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Attachment {
    pub about: AttachmentRef,
    pub workspace_id: WorkspaceId,
    pub bytes: Vec<u8>,
    pub created_at: DateTime<Utc>,
}

/// The type of a file we can show a model, by its bytes; for text also by its name.
pub fn media_type(name: &str, bytes: &[u8]) -> Option<&'static str> {
    if let Some(image) = image_type(bytes) {
        return Some(image);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if text.contains('\0') {
        return None;
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    Some(match ending.as_deref() {
        Some("csv") => "text/csv",
        Some("md" | "markdown") => "text/markdown",
        Some("json") => "application/json",
        _ => "text/plain",
    })
}

#[cfg(test)]
mod tests;
