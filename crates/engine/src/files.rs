//! The files a log speaks of, read for a view.

use std::collections::{HashMap, HashSet};

use baton_core::attachments::{Attachment, MAX_INLINED};
use baton_core::ids::FileId;
use baton_core::log::{LoggedStep, Step};
use baton_core::store::Store;
use baton_core::visitors::Person;

use crate::view::FileContent;

pub async fn files_in(store: &dyn Store, log: &[LoggedStep], person: Person) -> HashMap<FileId, FileContent> {
    let named: HashSet<FileId> = log
        .iter()
        .filter_map(|logged| match &logged.step {
            Step::User { attachments, .. } => Some(attachments.iter().map(|about| about.id)),
            _ => None,
        })
        .flatten()
        .collect();
    let mut files = HashMap::with_capacity(named.len());
    for id in named {
        // One that is gone is shown as gone.
        if let Ok(attachment) = store.attachment(id, person).await {
            files.insert(id, content(attachment));
        }
    }
    files
}

fn content(attachment: Attachment) -> FileContent {
    let Attachment { about, bytes, .. } = attachment;
    if about.media_type.starts_with("image/") {
        return FileContent::Image { media_type: about.media_type, bytes: bytes.into() };
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > MAX_INLINED {
        let whole = text.len();
        let mut end = MAX_INLINED;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(&format!("\n[The file has {whole} bytes; these were the first {end}.]"));
    }
    FileContent::Text(text)
}
