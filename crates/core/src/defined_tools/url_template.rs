//! Addresses with places for arguments, such as `https://api.example.org/users/{id}?fields={fields}`.
//!
//! What is hard: an argument comes from a model and must stay one value. It never gets into scheme, host or port, it is
//! percent-encoded whole, and it can't make a path lead elsewhere (`..`, or nothing at all).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq)]
pub struct UrlTemplate {
    /// Scheme, host and port.
    origin: String,
    /// Between slashes.
    segments: Vec<Vec<Piece>>,
    query: Vec<QueryPair>,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    Argument(String),
}

#[derive(Debug, Clone, PartialEq)]
struct QueryPair {
    key: String,
    /// `None`: a key alone.
    value: Option<Vec<Piece>>,
}

/// Scheme, host and port of an address or of a template.
pub fn origin_of(url: &str) -> Result<String, String> {
    split(url).map(|(origin, _)| origin.to_ascii_lowercase())
}

fn split(url: &str) -> Result<(&str, &str), String> {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    if url.chars().any(is_odd) {
        return Err("must not contain spaces, control characters or backslashes".into());
    }
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let scheme = scheme.ok_or("must begin with https:// or http://")?;
    let rest = &url[scheme.len()..];
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &rest[..end];
    if host.is_empty() {
        return Err("must name a host".into());
    }
    if host.contains('@') {
        return Err("must not hold a user name or a password: give them as a secret header".into());
    }
    if host.contains(['{', '}', '%']) {
        return Err("must name its host itself: an argument must not choose it".into());
    }
    Ok((&url[..scheme.len() + end], &rest[end..]))
}

impl UrlTemplate {
    pub fn parse(template: &str) -> Result<Self, String> {
        let (origin, rest) = split(template)?;
        if rest.contains('#') {
            return Err("must not hold a #".into());
        }
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let segments = path.strip_prefix('/').unwrap_or(path).split('/').map(pieces);
        let segments = segments.collect::<Result<Vec<_>, _>>()?;
        let query = query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty());
        let query = query.map(QueryPair::parse).collect::<Result<_, _>>()?;
        let template = Self { origin: origin.to_owned(), segments, query };
        if template.segments.iter().any(|segment| leads_elsewhere(&plain(segment))) {
            return Err("must not hold . or .. as a part of its path".into());
        }
        Ok(template)
    }

    pub fn in_path(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flatten().filter_map(Piece::argument)
    }

    pub fn arguments(&self) -> BTreeSet<&str> {
        let in_query = self.query.iter().flat_map(|pair| pair.value.iter().flatten());
        self.in_path().chain(in_query.filter_map(Piece::argument)).collect()
    }

    /// The address with these arguments in their places, and `more` at the end of its query.
    pub fn filled<'a>(
        &self,
        arguments: &Map<String, Value>,
        more: impl Iterator<Item = (&'a String, &'a Value)>,
    ) -> Result<String, String> {
        let mut url = self.origin.clone();
        for segment in &self.segments {
            url.push('/');
            let mut plain = String::new();
            for piece in segment {
                match piece {
                    Piece::Text(text) => {
                        plain.push_str(text);
                        url.push_str(text);
                    }
                    Piece::Argument(name) => {
                        let value = one(name, arguments.get(name).unwrap_or(&Value::Null))?;
                        plain.push_str(&value);
                        encode(&value, &mut url);
                    }
                }
            }
            if leads_elsewhere(&plain) {
                return Err(format!("{plain} can't be a part of the address"));
            }
        }
        let mut pairs = Vec::new();
        for pair in &self.query {
            pair.fill(arguments, &mut pairs)?;
        }
        for (name, value) in more {
            let mut key = String::new();
            encode(name, &mut key);
            push_values(&key, value, &mut pairs);
        }
        for (index, pair) in pairs.iter().enumerate() {
            url.push(if index == 0 { '?' } else { '&' });
            url.push_str(pair);
        }
        Ok(url)
    }
}

impl Piece {
    fn argument(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Argument(name) => Some(name),
        }
    }
}

impl QueryPair {
    fn parse(pair: &str) -> Result<Self, String> {
        let (key, value) = pair.split_once('=').map_or((pair, None), |(key, value)| (key, Some(value)));
        if key.contains(['{', '}']) {
            return Err("must name what it asks for itself: an argument must not choose it".into());
        }
        Ok(Self { key: key.to_owned(), value: value.map(pieces).transpose()? })
    }

    /// A pair whose argument isn't given is left out.
    fn fill(&self, arguments: &Map<String, Value>, pairs: &mut Vec<String>) -> Result<(), String> {
        let Some(pieces) = &self.value else {
            pairs.push(self.key.clone());
            return Ok(());
        };
        let given = |name: &str| arguments.get(name).filter(|value| !value.is_null());
        if pieces.iter().filter_map(Piece::argument).any(|name| given(name).is_none()) {
            return Ok(());
        }
        if let [Piece::Argument(name)] = pieces.as_slice() {
            push_values(&self.key, given(name).unwrap_or(&Value::Null), pairs);
            return Ok(());
        }
        let mut text = format!("{}=", self.key);
        for piece in pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Argument(name) => {
                    encode(&one(name, given(name).unwrap_or(&Value::Null))?, &mut text);
                }
            }
        }
        pairs.push(text);
        Ok(())
    }
}

/// A list is said once for each of its values, as most APIs read it.
fn push_values(key: &str, value: &Value, pairs: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Array(items) => items.iter().for_each(|item| push_values(key, item, pairs)),
        Value::String(text) => pairs.push(pair(key, text)),
        other => pairs.push(pair(key, &other.to_string())),
    }
}

fn pair(key: &str, value: &str) -> String {
    let mut text = format!("{key}=");
    encode(value, &mut text);
    text
}

/// A value that has its place within others.
fn one(name: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) if !text.is_empty() => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Null | Value::String(_) => Err(format!("{name} is part of the address and must not be empty")),
        Value::Array(_) | Value::Object(_) => {
            Err(format!("{name} is part of the address and must be text or a number"))
        }
    }
}

fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        let named = rest[open..].strip_prefix('{').and_then(|after| after.split_once('}'));
        let Some((name, after)) = named.filter(|(name, _)| is_name(name)) else {
            return Err("must name its arguments in braces, as in /users/{id}".into());
        };
        if open > 0 {
            pieces.push(Piece::Text(rest[..open].to_owned()));
        }
        pieces.push(Piece::Argument(name.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

fn is_name(name: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(is_safe)
}

fn plain(pieces: &[Piece]) -> String {
    // A place for an argument is no dot.
    pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "{}" }).collect()
}

/// Readers of addresses take these for the folder itself and for the one above, encoded or not.
fn leads_elsewhere(segment: &str) -> bool {
    let dots = segment.replace("%2e", ".").replace("%2E", ".");
    matches!(dots.as_str(), "." | "..")
}

fn encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            into.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests;
