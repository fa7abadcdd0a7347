//! Which text people may send, and the forms that are derived from it: folded text for search, slugs, titles.

use unicode_normalization::UnicodeNormalization;

/// A value that can't be taken, and the field it came in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {message}")]
pub struct Invalid {
    pub field: String,
    pub message: String,
}

impl Invalid {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// One line of text: trimmed, not empty, no control characters. It is as long as it was given.
pub fn line(field: &str, value: &str, max_chars: usize) -> Result<String, Invalid> {
    bounded(field, value, max_chars)?;
    let value = value.trim();
    if value.chars().any(char::is_control) {
        return Err(Invalid::new(field, "must be one line without control characters"));
    }
    visible(field, value)
}

/// Several lines of text: not empty, no NUL. Line ends and spaces stay as they were given.
pub fn prose(field: &str, value: &str, max_chars: usize) -> Result<String, Invalid> {
    if value.contains('\0') {
        return Err(Invalid::new(field, "must not contain a NUL character"));
    }
    bounded(field, value, max_chars)?;
    visible(field, value)
}

/// Text that may be left empty: of spaces alone, it is none. What is there is checked as `check` does.
pub fn optional(
    field: &str,
    value: Option<&str>,
    max_chars: usize,
    check: impl Fn(&str, &str, usize) -> Result<String, Invalid>,
) -> Result<Option<String>, Invalid> {
    let Some(value) = value else { return Ok(None) };
    bounded(field, value, max_chars)?;
    if value.trim().is_empty() { Ok(None) } else { check(field, value, max_chars).map(Some) }
}

/// What leaves nothing to see when it stands alone: spaces, joiners, direction marks.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn bounded(field: &str, value: &str, max_chars: usize) -> Result<(), Invalid> {
    if value.chars().count() > max_chars {
        return Err(Invalid::new(field, format!("must be at most {max_chars} characters")));
    }
    Ok(())
}

fn visible(field: &str, value: &str) -> Result<String, Invalid> {
    if value.chars().all(is_invisible) {
        return Err(Invalid::new(field, "must not be empty"));
    }
    Ok(value.to_owned())
}

/// Whether any text inside a JSON value holds a NUL, which Postgres can't keep.
pub fn has_nul(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(has_nul),
        serde_json::Value::Object(map) => map.iter().any(|(key, value)| key.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// How deep JSON may be nested. Readers of JSON give up at 128, and what is stored gets wrapped a few times on its way.
pub const MAX_DEPTH: usize = 64;

/// How deep a JSON value is nested: 0 for one that holds no other.
pub fn depth(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        serde_json::Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// JSON of a client that is to be kept: what both databases hold and give back.
pub fn json(field: &str, value: &serde_json::Value) -> Result<(), Invalid> {
    if has_nul(value) {
        return Err(Invalid::new(field, "must not contain a NUL character"));
    }
    if depth(value) > MAX_DEPTH {
        return Err(Invalid::new(field, format!("must not be nested deeper than {MAX_DEPTH} levels")));
    }
    Ok(())
}

/// An address as the person wrote it. [`email_key`] gives the form that is unique.
pub fn email(field: &str, value: &str) -> Result<String, Invalid> {
    let value = line(field, value, 254)?;
    let looks_right = value
        .split_once('@')
        .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if !looks_right || value.contains(char::is_whitespace) {
        return Err(Invalid::new(field, "must be an email address"));
    }
    Ok(value)
}

pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}

pub fn password(field: &str, value: &str) -> Result<(), Invalid> {
    if !(8..=256).contains(&value.chars().count()) || value.contains('\0') {
        return Err(Invalid::new(field, "must be 8 to 256 characters"));
    }
    Ok(())
}

pub fn time_zone(field: &str, value: &str) -> Result<String, Invalid> {
    match value.parse::<chrono_tz::Tz>() {
        Ok(zone) => Ok(zone.name().to_owned()),
        Err(_) => Err(Invalid::new(field, "must be an IANA time zone such as Europe/Zurich")),
    }
}

/// How many characters of a text can be searched.
pub const MAX_FOLDED: usize = 20_000;

/// The form in which text is searched: compatibility-normalised and without case, in every script, so that both
/// databases answer alike. Lower, upper, then lower case folds what one step keeps apart, such as ß, ẞ and SS. Some characters
/// become eighteen, so it ends after [`MAX_FOLDED`].
pub fn fold(value: &str) -> String {
    value
        .nfkc()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .take(MAX_FOLDED)
        .collect()
}

/// A short ASCII name made from a person's name for a thing; `fallback` when nothing of it is left.
pub fn slugify(name: &str, fallback: &str) -> String {
    let full = slug::slugify(name);
    let short = full.get(..60).unwrap_or(&full).trim_matches('-');
    if short.is_empty() { fallback.to_owned() } else { short.to_owned() }
}

/// `slug`, or the first of `slug-2`, `slug-3` … that isn't taken.
pub fn free_slug(slug: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(slug) {
        return slug.to_owned();
    }
    (2..).map(|n| format!("{slug}-{n}")).find(|candidate| !taken(candidate)).unwrap_or_default()
}

/// A conversation's title from its first user message: the first line, cut at a word.
pub fn title_from(message: &str) -> Option<String> {
    const MAX: usize = 60;
    let line = message.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= MAX {
        return Some(line);
    }
    let cut: String = line.chars().take(MAX).collect();
    let at_word = cut.rsplit_once(' ').map(|(head, _)| head).filter(|head| head.chars().count() > MAX / 2);
    Some(format!("{}…", at_word.unwrap_or(&cut).trim_end()))
}

#[cfg(test)]
mod tests;
