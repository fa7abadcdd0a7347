//! Files that Baton keeps: images for avatars. The type of a file is read from its bytes; what the client says about
//! it is ignored.

use chrono::{DateTime, Utc};

use crate::ids::{FileId, ProfileId, WorkspaceId};

pub const MAX_IMAGE_BYTES: usize = 1024 * 1024;
/// Per workspace.
pub const MAX_FILES: u64 = 1_000;

#[derive(Debug, Clone)]
pub struct NewFile {
    /// `None` for the catalog's files, which everyone who is signed in may see.
    pub workspace_id: Option<WorkspaceId>,
    pub uploaded_by: Option<ProfileId>,
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct File {
    pub id: FileId,
    pub workspace_id: Option<WorkspaceId>,
    pub content_type: String,
    pub bytes: Vec<u8>,
    pub created_at: DateTime<Utc>,
}

/// The type of an image by its first bytes. SVG is left out on purpose: it can carry scripts.
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
