//! Changes of a page's text: all of it, or a piece.

use super::{MAX_BODY, checked_body};
use crate::text::Invalid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyChange {
    Whole(String),
    /// After an empty line at the end.
    Append(String),
    /// What stands below a heading, up to the next heading of the same rank or a higher one.
    Section {
        heading: String,
        text: String,
    },
    /// A piece of text that is there exactly once.
    Replace {
        old: String,
        new: String,
    },
}

impl BodyChange {
    pub fn checked(self) -> Result<Self, Invalid> {
        Ok(match self {
            Self::Whole(body) => Self::Whole(checked_body(&body)?),
            Self::Append(text) => Self::Append(checked_body(&text)?),
            Self::Section { heading, text } => Self::Section { heading, text: checked_body(&text)? },
            Self::Replace { old, .. } if old.is_empty() => {
                return Err(Invalid::new("oldText", "must not be empty"));
            }
            Self::Replace { old, new } => Self::Replace {
                old: old.replace("\r\n", "\n"),
                new: checked_body(&format!("x{new}"))?[1..].to_owned(),
            },
        })
    }

    /// The text with the change, or why it can't be made, in words.
    pub fn applied(&self, body: &str) -> Result<String, String> {
        let changed = match self {
            Self::Whole(body) => body.clone(),
            Self::Append(text) if body.trim().is_empty() => text.clone(),
            Self::Append(text) => format!("{}\n\n{text}", body.trim_end()),
            Self::Section { heading, text } => with_section(body, heading, text)?,
            Self::Replace { old, new } => match body.matches(old.as_str()).count() {
                1 => body.replacen(old.as_str(), new, 1),
                0 => {
                    return Err("The page doesn't have this text: read it again and copy the text exactly."
                        .to_owned());
                }
                times => {
                    return Err(format!(
                        "The page has this text {times} times: give more of what stands around it."
                    ));
                }
            },
        };
        let changed = checked_body(&changed).map_err(|invalid| format!("The page's {invalid}."))?;
        debug_assert!(changed.chars().count() <= MAX_BODY);
        Ok(changed)
    }
}

/// A heading line of Markdown (`## Words`): its rank and its words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rank = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line.get(rank..)?;
    let is_heading = (1..=6).contains(&rank) && (words.is_empty() || words.starts_with([' ', '\t']));
    is_heading.then(|| (rank, words.trim().trim_end_matches('#').trim_end()))
}

/// The lines of a text that are no code, with where they stand.
pub(super) fn lines_of_prose(body: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let mut fence: Option<(char, usize)> = None;
    body.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start();
        let sign = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = sign.map_or(0, |sign| trimmed.chars().take_while(|c| *c == sign).count());
        match (fence, sign) {
            (None, Some(sign)) if length >= 3 => {
                fence = Some((sign, length));
                None
            }
            (Some((open, least)), Some(sign)) if sign == open && length >= least => {
                fence = None;
                None
            }
            (Some(_), _) => None,
            (None, _) => Some((start, line)),
        }
    })
}

/// The words of all headings.
pub fn headings(body: &str) -> impl Iterator<Item = &str> {
    lines_of_prose(body).filter_map(|(_, line)| heading(line.trim_end()).map(|(_, words)| words))
}

fn with_section(body: &str, wanted: &str, text: &str) -> Result<String, String> {
    let found: Vec<(usize, usize, usize, &str)> = lines_of_prose(body)
        .filter_map(|(start, line)| {
            let (rank, words) = heading(line.trim_end())?;
            Some((start, start + line.len(), rank, words))
        })
        .collect();
    let wanted_words = wanted.trim().trim_start_matches('#').trim();
    let same: Vec<usize> =
        (0..found.len()).filter(|at| found[*at].3.eq_ignore_ascii_case(wanted_words)).collect();
    let at = match same[..] {
        [at] => at,
        [] => {
            let there: Vec<&str> = found.iter().map(|heading| heading.3).take(30).collect();
            let there = if there.is_empty() { "none".to_owned() } else { there.join("; ") };
            return Err(format!("The page has no heading {wanted_words:?}. Its headings: {there}."));
        }
        _ => {
            return Err(format!(
                "The page has several headings {wanted_words:?}: replace an exact piece of text instead."
            ));
        }
    };
    let (_, from, rank, _) = found[at];
    let to = found[at + 1..].iter().find(|next| next.2 <= rank).map_or(body.len(), |next| next.0);
    let (before, after) = (body[..from].trim_end(), &body[to..]);
    let middle = text.trim_matches('\n');
    Ok(match after.is_empty() {
        true => format!("{before}\n\n{middle}\n"),
        false => format!("{before}\n\n{middle}\n\n{after}"),
    })
}
