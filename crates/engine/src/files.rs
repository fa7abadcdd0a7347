//! The files a log speaks of, read for a view.

use std::collections::{HashMap, HashSet};

use baton_core::attachments::{Attachment, MAX_INLINED};
use baton_core::ids::FileId;
use baton_core::log::{LoggedStep, Step};
use baton_core::store::Store;
use baton_core::visitors::Person;

use crate::view::FileContent;

/// Of all images together, what one request carries; in base64 it stays below what vendors take.
const MAX_IMAGES_BYTES: u64 = 15 * 1024 * 1024;
const MAX_IMAGES: usize = 50;

pub async fn files_in(store: &dyn Store, log: &[LoggedStep], person: Person) -> HashMap<FileId, FileContent> {
    let (wanted, left_out) = wanted(log);
    let mut files: HashMap<FileId, FileContent> =
        left_out.into_iter().map(|id| (id, FileContent::LeftOut)).collect();
    for id in wanted {
        // One that is gone is shown as gone.
        if let Ok(attachment) = store.attachment(id, person).await {
            files.insert(id, content(attachment));
        }
    }
    files
}

/// Which files to read, and which images there is no room for: the oldest.
fn wanted(log: &[LoggedStep]) -> (HashSet<FileId>, HashSet<FileId>) {
    let newest_first = log.iter().rev().filter_map(|logged| match &logged.step {
        Step::User { attachments, .. } => Some(attachments.iter().rev()),
        _ => None,
    });
    let (mut wanted, mut left_out) = (HashSet::new(), HashSet::new());
    let (mut images, mut bytes) = (0, 0);
    for about in newest_first.flatten() {
        if about.media_type.starts_with("image/") && !wanted.contains(&about.id) {
            images += 1;
            bytes += about.size;
            if images > MAX_IMAGES || bytes > MAX_IMAGES_BYTES {
                left_out.insert(about.id);
                continue;
            }
        }
        wanted.insert(about.id);
    }
    (wanted, left_out)
}

fn content(attachment: Attachment) -> FileContent {
    let Attachment { about, bytes, .. } = attachment;
    if about.media_type.starts_with("image/") {
        return FileContent::Image { media_type: about.media_type, bytes: bytes.into() };
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > MAX_INLINED {
        let whole = text.len();
        let end = text.floor_char_boundary(MAX_INLINED);
        text.truncate(end);
        text.push_str(&format!("\n[The file has {whole} bytes; these were the first {end}.]"));
    }
    FileContent::Text(text)
}
