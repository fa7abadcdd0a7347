//! Links of a page to other files of the same import. Only what can be a link within it is looked at: `[a](b)`,
//! `![a](b)`, `[a]: b`, `[[b]]`, `![[b]]` and `src="b"` or `href="b"` of tags; never inside code.

use std::ops::Range;

use super::path::{is_markdown, resolved, unescaped};
use super::tree::Tree;

/// A destination is no longer; a page full of brackets must not cost its square.
const MAX_DESTINATION: usize = 1_000;

/// A link's destination, by where it stands in the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub at: Range<usize>,
    pub target: Target,
    /// What follows `#`.
    pub fragment: Option<String>,
    /// Written as `[[…]]`; `at` is all of it.
    pub wiki: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// By the page's path.
    Page(String),
    /// By the file's path.
    Attachment(String),
    /// It looks like a file of the import, and is not there.
    Missing(String),
}

/// The body with each destination as `destination` gives it; where it gives none, as it was. Wiki links are given as a
/// whole.
pub fn rewrite(body: &str, links: &[Link], destination: impl Fn(&Link) -> Option<String>) -> String {
    let mut rewritten = String::with_capacity(body.len());
    let mut from = 0;
    for link in links {
        let Some((before, new)) = body.get(from..link.at.start).zip(destination(link)) else { continue };
        rewritten.push_str(before);
        rewritten.push_str(&new);
        from = link.at.end;
    }
    rewritten.push_str(body.get(from..).unwrap_or_default());
    rewritten
}

pub(super) fn find(body: &str, path: &str, tree: &Tree) -> Vec<Link> {
    let mut links = Vec::new();
    let mut start = 0;
    let mut fence: Option<(char, usize)> = None;
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let sign = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = sign.map_or(0, |sign| trimmed.chars().take_while(|c| *c == sign).count());
        match (fence, sign) {
            (None, Some(sign)) if length >= 3 => fence = Some((sign, length)),
            (Some((open, least)), Some(sign)) if sign == open && length >= least => fence = None,
            (Some(_), _) => {}
            (None, _) => {
                for at in destinations(line) {
                    let at = start + at.start..start + at.end;
                    links.extend(link(&body[at.clone()], at, path, tree));
                }
            }
        }
        start += line.len();
    }
    links
}

/// Where destinations stand in a line. Each begins after the one before it.
fn destinations(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    if let Some(range) = definition(line) {
        return vec![range];
    }
    while at < bytes.len() {
        let rest = &line[at..];
        let range = match bytes[at] {
            b'\\' => {
                at += 1 + line[at + 1..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            b'`' => {
                let ticks = rest.bytes().take_while(|b| *b == b'`').count();
                let rest = near(rest);
                let ticks = ticks.min(rest.len());
                let close = rest[ticks..].find(&rest[..ticks]).map_or(ticks, |close| ticks + close + ticks);
                at += close;
                continue;
            }
            b'[' if rest.starts_with("[[") => near(rest).find("]]").map(|end| at..at + end + 2),
            b']' if rest.starts_with("](") => {
                inline(near(rest)).map(|range| at + range.start..at + range.end)
            }
            b's' | b'h' if at > 0 && bytes[at - 1].is_ascii_whitespace() => {
                quoted(near(rest)).map(|range| at + range.start..at + range.end)
            }
            _ => None,
        };
        at = range.as_ref().map_or(at + rest.chars().next().map_or(1, char::len_utf8), |range| range.end);
        found.extend(range);
    }
    found
}

fn near(rest: &str) -> &str {
    &rest[..rest.floor_char_boundary(MAX_DESTINATION)]
}

/// `](b "title")` and `](<b c>)`.
fn inline(rest: &str) -> Option<Range<usize>> {
    let from = 2 + rest[2..].len() - rest[2..].trim_start().len();
    if rest[from..].starts_with('<') {
        let end = rest[from..].find('>')?;
        return Some(from + 1..from + end);
    }
    let mut depth = 0usize;
    for (at, c) in rest[from..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(from..from + at).filter(|range| !range.is_empty()),
            ')' => depth -= 1,
            c if c.is_whitespace() => {
                // A title may follow; then the destination is all before it. Otherwise spaces are part of it, as some
                // programs write them.
                let close = rest[from..].find(')')?;
                let title = rest[from..from + close]
                    .find([' ', '\t'])
                    .filter(|space| rest[from + space..].trim_start().starts_with(['"', '\'']));
                return Some(from..from + title.unwrap_or(close));
            }
            _ => {}
        }
    }
    None
}

/// `[a]: b`.
fn definition(line: &str) -> Option<Range<usize>> {
    let begun = line.len() - line.trim_start().len();
    let rest = &line[begun..];
    let end = rest.strip_prefix('[')?.find("]:")? + 3;
    if rest.starts_with("[^") || begun > 3 {
        return None;
    }
    let from = end + rest[end..].len() - rest[end..].trim_start().len();
    if let Some(inner) = rest[from..].strip_prefix('<') {
        return Some(begun + from + 1..begun + from + 1 + inner.find('>')?);
    }
    let length = rest[from..].find(char::is_whitespace).unwrap_or(rest.len() - from);
    Some(begun + from..begun + from + length).filter(|range| !range.is_empty())
}

/// `src="b"` and `href="b"` of a tag.
fn quoted(rest: &str) -> Option<Range<usize>> {
    let value = rest.strip_prefix("src=").or_else(|| rest.strip_prefix("href="))?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let from = rest.len() - value.len() + 1;
    let length = rest[from..].find(quote)?;
    Some(from..from + length).filter(|range| !range.is_empty())
}

fn link(written: &str, at: Range<usize>, from: &str, tree: &Tree) -> Option<Link> {
    if let Some(inner) = written.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")) {
        return wiki(inner, at, from, tree);
    }
    let lower = written.to_ascii_lowercase();
    let has_scheme = lower.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    });
    if has_scheme || written.starts_with("//") || written.starts_with('#') {
        return None;
    }
    let (destination, fragment) = match written.split_once('#') {
        Some((destination, fragment)) => (destination, Some(fragment.to_owned())),
        None => (written, None),
    };
    let destination = unescaped(destination.split('?').next().unwrap_or(destination));
    let target = match resolved(from, &destination) {
        Some(path) => target(&path, tree),
        // It leads out of the import: there is nothing that it could be.
        None => Target::Missing(destination),
    };
    Some(Link { at, target, fragment, wiki: false })
}

fn target(path: &str, tree: &Tree) -> Target {
    let with_ending = format!("{path}.md");
    if let Some(found) = tree.find(path).or_else(|| tree.find(&with_ending)) {
        let found = found.to_owned();
        return if is_markdown(&found) { Target::Page(found) } else { Target::Attachment(found) };
    }
    match tree.page_of_folder(path) {
        Some(page) => Target::Page(page.to_owned()),
        None => Target::Missing(path.to_owned()),
    }
}

/// `[[Page]]`, `[[Page#part|words]]`: beside the page first, then from the top, then by name anywhere.
fn wiki(inner: &str, at: Range<usize>, from: &str, tree: &Tree) -> Option<Link> {
    let name = inner.split('|').next()?.trim();
    let (name, fragment) = match name.split_once('#') {
        Some((name, fragment)) => (name, Some(fragment.to_owned())),
        None => (name, None),
    };
    let places = [resolved(from, name), resolved("", name)].into_iter().flatten();
    let there = places.map(|path| target(&path, tree)).find(|found| !matches!(found, Target::Missing(_)));
    let target = match there {
        Some(found) => found,
        None => match tree.by_name(name) {
            Some(path) if is_markdown(path) => Target::Page(path.to_owned()),
            Some(path) => Target::Attachment(path.to_owned()),
            None => Target::Missing(name.to_owned()),
        },
    };
    (!name.is_empty()).then_some(Link { at, target, fragment, wiki: true })
}
