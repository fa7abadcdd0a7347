//! Reads the files that a log mentions, for a view of it.

use std::char::REPLACEMENT_CHARACTER;
use std::collections::{HashMap, HashSet};

use baton_core::attachments::{Attachment, MAX_INLINED};
use baton_core::ids::FileId;
use baton_core::log::{LoggedStep, Step};
use baton_core::store::{EngineStore, Error};
use baton_core::visitors::Person;

use crate::prompt::view::FileContent;

/// The most bytes of images in one request; as base64 this stays below the vendors' limits.
const MAX_IMAGES_BYTES: u64 = 15 * 1024 * 1024;
const MAX_IMAGES: usize = 50;
/// The most bytes of text files in one request. This is more than a view can hold, so older files belong to turns
/// that are left out anyway.
const MAX_TEXT_BYTES: u64 = 2 * 1024 * 1024;
/// Read with one query.
const BATCH: usize = 100;

pub async fn files_in(
    store: &dyn EngineStore,
    log: &[LoggedStep],
    person: Person,
) -> Result<HashMap<FileId, FileContent>, Error> {
    let Wanted { ids, mut left_out } = wanted(log);
    for batch in ids.chunks(BATCH) {
        let found = store.attachments(batch, person, MAX_INLINED).await?;
        // One that is gone is shown as gone.
        left_out.extend(found.into_iter().map(|found| (found.about.id, content(found))));
    }
    Ok(left_out)
}

/// Which files to read, and the note that replaces the oldest files when there are too many.
struct Wanted {
    ids: Vec<FileId>,
    left_out: HashMap<FileId, FileContent>,
}

fn wanted(log: &[LoggedStep]) -> Wanted {
    let newest_first = log.iter().rev().filter_map(|logged| match &logged.step {
        Step::User { attachments, .. } => Some(attachments.iter().rev()),
        _ => None,
    });
    let (mut ids, mut left_out, mut seen) = (Vec::new(), HashMap::new(), HashSet::new());
    let (mut images, mut image_bytes, mut text_bytes) = (0, 0, 0);
    for about in newest_first.flatten() {
        if !seen.insert(about.id) {
            continue;
        }
        if about.media_type.starts_with("image/") {
            images += 1;
            image_bytes += about.size;
            if images > MAX_IMAGES || image_bytes > MAX_IMAGES_BYTES {
                left_out.insert(about.id, FileContent::LeftOut);
                continue;
            }
        } else {
            text_bytes += about.size.min(MAX_INLINED as u64);
            if text_bytes > MAX_TEXT_BYTES {
                left_out.insert(about.id, FileContent::Text(TOO_FAR_BACK.to_owned()));
                continue;
            }
        }
        ids.push(about.id);
    }
    Wanted { ids, left_out }
}

const TOO_FAR_BACK: &str = "[The file is too far back to be shown again.]";

fn content(attachment: Attachment) -> FileContent {
    let Attachment { about, bytes, .. } = attachment;
    if about.media_type.starts_with("image/") {
        return FileContent::Image { media_type: about.media_type, bytes: bytes.into() };
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if about.size > bytes.len() as u64 {
        // The cut may have gone through a character.
        text.truncate(text.trim_end_matches(REPLACEMENT_CHARACTER).len());
        let (whole, end) = (about.size, text.len());
        text.push_str(&format!("\n[The file has {whole} bytes; these were the first {end}.]"));
    }
    FileContent::Text(text)
}

#[cfg(test)]
mod tests;
