//! Links in the text of a page. They name pages and files by their ids (`page:ID`, `file:ID`), so they hold whatever is
//! renamed or moved. People and models may also write `[[Title]]`, `[words](/path/of/page)` or the address of a page: saving
//! makes ids of them.

use std::ops::Range;

use uuid::Uuid;

use super::PageRef;
use super::body::lines_of_prose;
use crate::ids::{PageFileId, PageId};

/// A destination is no longer; a page full of brackets must not cost its square.
const MAX_DESTINATION: usize = 500;
/// Links of one page that are looked at.
const MAX_LINKS: usize = 1_000;
/// Where a page is in the web app.
const ADDRESS: &str = "/knowledge/";

/// What stands in a text as a link to a page or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// `page:ID` and what follows: `#part`.
    Page {
        at: Range<usize>,
        id: PageId,
        fragment: String,
    },
    File {
        at: Range<usize>,
        id: PageFileId,
    },
    /// A name that may be a page's: all of `[[Title|words]]`, with the words, or the destination of `](/path)`.
    Named {
        at: Range<usize>,
        name: PageRef,
        words: Option<String>,
        fragment: String,
    },
}

impl Destination {
    pub fn at(&self) -> Range<usize> {
        match self {
            Self::Page { at, .. } | Self::File { at, .. } | Self::Named { at, .. } => at.clone(),
        }
    }
}

pub fn page_link(id: PageId) -> String {
    format!("page:{id}")
}

pub fn file_link(id: PageFileId) -> String {
    format!("file:{id}")
}

/// All links of a text to pages and files, in order, outside of code.
pub fn destinations(body: &str) -> Vec<Destination> {
    let mut found = Vec::new();
    for (start, line) in lines_of_prose(body) {
        in_line(start, line, &mut found);
        if found.len() >= MAX_LINKS {
            found.truncate(MAX_LINKS);
            break;
        }
    }
    found
}

/// The text with each link as `new` gives it; where it gives none, as it was.
pub fn rewrite(body: &str, new: impl Fn(&Destination) -> Option<String>) -> String {
    let mut rewritten = String::with_capacity(body.len());
    let mut from = 0;
    for link in destinations(body) {
        let Some(text) = new(&link) else { continue };
        let at = link.at();
        rewritten.push_str(&body[from..at.start]);
        rewritten.push_str(&text);
        from = at.end;
    }
    rewritten.push_str(&body[from..]);
    rewritten
}

fn in_line(start: usize, line: &str, found: &mut Vec<Destination>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &line[at..];
        let near = &rest[..rest.floor_char_boundary(MAX_DESTINATION)];
        let step = match bytes[at] {
            b'\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            b'`' => {
                let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
                let close = near.get(ticks..).and_then(|after| after.find(&rest[..ticks]));
                close.map_or(ticks, |close| ticks + close + ticks)
            }
            b'[' if rest.starts_with("[[") => match near.find("]]") {
                Some(end) => {
                    found.extend(wiki(&near[2..end], start + at..start + at + end + 2));
                    end + 2
                }
                None => 2,
            },
            b']' if rest.starts_with("](") => match near[2..].find([')', ' ', '\n']) {
                Some(length) => {
                    let (from, to) = (start + at + 2, start + at + 2 + length);
                    found.extend(inline(&near[2..2 + length], from..to));
                    2 + length
                }
                None => 2,
            },
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += step;
    }
}

fn wiki(inner: &str, at: Range<usize>) -> Option<Destination> {
    let (name, words) = match inner.split_once('|') {
        Some((name, words)) => (name.trim(), words.trim()),
        None => (inner.trim(), inner.trim()),
    };
    let (name, fragment) = split_fragment(name);
    if name.is_empty() || words.is_empty() || name.contains(['[', ']']) {
        return None;
    }
    let name = PageRef::Named(name.to_owned());
    Some(Destination::Named { at, name, words: Some(words.to_owned()), fragment: fragment.to_owned() })
}

fn inline(written: &str, at: Range<usize>) -> Option<Destination> {
    let (destination, fragment) = split_fragment(written);
    let fragment = fragment.to_owned();
    if let Some(id) = destination.strip_prefix("page:") {
        let id = PageId(Uuid::parse_str(id).ok()?);
        return Some(Destination::Page { at, id, fragment });
    }
    if let Some(id) = destination.strip_prefix("file:") {
        return Some(Destination::File { at, id: PageFileId(Uuid::parse_str(id).ok()?) });
    }
    // The address of a page, of this server or without a host.
    if let Some((_, id)) = destination.split_once(ADDRESS)
        && let Ok(id) = Uuid::parse_str(id.split(['/', '?']).next().unwrap_or(id))
    {
        return Some(Destination::Named { at, name: PageRef::Id(PageId(id)), words: None, fragment });
    }
    let path = destination.strip_prefix('/').filter(|path| !path.is_empty() && !path.starts_with('/'))?;
    let name = PageRef::Named(path.trim_end_matches('/').to_owned());
    Some(Destination::Named { at, name, words: None, fragment })
}

/// `#part` stays with its sign.
fn split_fragment(written: &str) -> (&str, &str) {
    written.split_at(written.find('#').unwrap_or(written.len()))
}
