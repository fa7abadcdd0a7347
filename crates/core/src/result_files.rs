//! Files of results: what a tool's answer holds that a model is not given, pictures and the whole of what was shortened, kept
//! for the person of the conversation. They belong to the conversation and go with it.

use std::sync::Arc;

use async_trait::async_trait;

use crate::attachments::{AttachmentRef, MAX_NAME};
use crate::files::image_type;
use crate::ids::{ConversationId, FileId, WorkspaceId};
use crate::store::Error;
use crate::tools::Kept;

/// The most bytes of all files of one result; what comes after them is left out.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;
/// The longest media type that is believed.
const MAX_TYPE: usize = 100;
/// The most files of one result.
pub const MAX_FILES: usize = 24;

/// The files of one call, with the ids that they will have: kept again after a lost answer, they are the same.
#[derive(Debug, Clone)]
pub struct NewResultFiles {
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    /// The number of the call's step.
    pub seq: i64,
    pub files: Vec<KeptFile>,
}

/// What is told of a file, and its bytes.
pub type KeptFile = (AttachmentRef, Arc<[u8]>);

/// A file, and where it was made.
#[derive(Debug, Clone)]
pub struct ResultFile {
    pub about: AttachmentRef,
    pub workspace_id: WorkspaceId,
    pub bytes: Vec<u8>,
}

/// Files as they are kept, as many as one result may have, and whether all of them are there.
pub fn of_result(kept: Vec<Kept>) -> (Vec<KeptFile>, bool) {
    let (mut files, mut bytes, mut is_whole) = (Vec::new(), 0, true);
    for Kept { name, media_type, bytes: content } in kept {
        if files.len() == MAX_FILES || bytes + content.len() > MAX_BYTES {
            is_whole = false;
            continue;
        }
        bytes += content.len();
        let media_type = type_of(&media_type, &content);
        let about =
            AttachmentRef { id: FileId::new(), name: named(&name), media_type, size: content.len() as u64 };
        files.push((about, content.into()));
    }
    (files, is_whole)
}

/// A name of one line.
fn named(given: &str) -> String {
    let name: String = given.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    let name = name.trim();
    if name.is_empty() { "file".to_owned() } else { name.to_owned() }
}

/// What a file is served as. Pictures and text are known by their bytes; of the rest, what plays or prints is believed.
fn type_of(claimed: &str, bytes: &[u8]) -> String {
    if let Some(image) = image_type(bytes) {
        return image.to_owned();
    }
    let claimed = claimed.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let claimed = if claimed.len() > MAX_TYPE { String::new() } else { claimed };
    let is_plain = claimed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '+' | '.'));
    let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
    match claimed.as_str() {
        "application/json" | "text/csv" | "text/markdown" if is_text => claimed,
        _ if is_text => "text/plain".to_owned(),
        "application/pdf" => claimed,
        _ if is_plain && (claimed.starts_with("audio/") || claimed.starts_with("video/")) => claimed,
        _ => "application/octet-stream".to_owned(),
    }
}

/// Says whether a workspace has room for more.
#[async_trait]
pub trait Room: Send + Sync {
    /// Whether there is room for so many bytes; then they count from now on.
    async fn take(&self, workspace: WorkspaceId, bytes: usize) -> Result<bool, Error>;
}

/// There is always room.
pub struct NoLimit;

#[async_trait]
impl Room for NoLimit {
    async fn take(&self, _: WorkspaceId, _: usize) -> Result<bool, Error> {
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
