//! Tags and text of OFX (SGML, whose elements are often not closed, or XML) and of CAMT (XML), in bounded memory, each
//! with its line. Nothing is expanded but the five names of XML and numbers of characters; definitions of documents are
//! passed over. What is hard: files that are not what they say. So nothing here fails but reading itself: `<` or `&`
//! that begin nothing are text.

use std::io::{self, BufRead};

/// Longer text, or longer tags, are cut.
const MAX_TOKEN: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// Name without its prefix, in the case it was written in, and attributes as they stand.
    Open {
        name: String,
        attributes: String,
    },
    Close {
        name: String,
    },
    /// Without the spaces at its ends, never empty.
    Text(String),
}

pub struct Tokens<R> {
    file: R,
    /// The line of what is read next.
    line: u64,
    /// `/` of `<a/>`: the close that comes next.
    close: Option<String>,
    /// Whether a `<` was read, and what follows it not yet.
    at_tag: bool,
    /// A `<` that begins no tag: the beginning of text.
    text: String,
}

impl<R: BufRead> Tokens<R> {
    pub fn new(file: R) -> Self {
        Self { file, line: 1, close: None, at_tag: false, text: String::new() }
    }

    /// The next token and the line that it begins in; none at the end.
    pub fn next_token(&mut self) -> io::Result<Option<(Token, u64)>> {
        if let Some(name) = self.close.take() {
            return Ok(Some((Token::Close { name }, self.line)));
        }
        loop {
            if std::mem::take(&mut self.at_tag) {
                match self.tag()? {
                    Some(token) => return Ok(Some(token)),
                    None => continue,
                }
            }
            let line = self.line;
            let mut raw = std::mem::take(&mut self.text).into_bytes();
            self.at_tag = self.read_until(b'<', &mut raw)?;
            let text = String::from_utf8_lossy(&raw);
            let cut = text.trim();
            if !cut.is_empty() {
                let before = text.len() - text.trim_start().len();
                let line = line + newlines(&text.as_bytes()[..before]);
                return Ok(Some((Token::Text(unescaped(cut)), line)));
            }
            if !self.at_tag {
                return Ok(None);
            }
        }
    }

    /// Reads up to and past the sign, which is not kept. False at the end of the file.
    fn read_until(&mut self, sign: u8, into: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            let buffer = self.file.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let end = memchr::memchr(sign, buffer);
            let length = end.unwrap_or(buffer.len());
            let room = MAX_TOKEN.saturating_sub(into.len());
            into.extend_from_slice(&buffer[..length.min(room)]);
            self.line += newlines(&buffer[..length]);
            self.file.consume(length + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.file.fill_buf()?.first().copied())
    }

    /// What follows a `<`; none for what is passed over.
    fn tag(&mut self) -> io::Result<Option<(Token, u64)>> {
        let line = self.line;
        match self.peek()? {
            Some(b'!') => return self.declaration(line),
            Some(b'?' | b'/' | b'_' | b'a'..=b'z' | b'A'..=b'Z') => {}
            _ => {
                self.text = "<".to_owned();
                return Ok(None);
            }
        }
        let mut raw = Vec::new();
        self.read_until(b'>', &mut raw)?;
        let tag = String::from_utf8_lossy(&raw);
        if tag.starts_with('?') {
            return Ok(None);
        }
        if let Some(name) = tag.strip_prefix('/') {
            return Ok(Some((Token::Close { name: local(name.trim()) }, line)));
        }
        let (tag, closed) = match tag.trim_end().strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag.as_ref(), false),
        };
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let name = local(name);
        self.close = closed.then(|| name.clone());
        Ok(Some((Token::Open { name, attributes: attributes.to_owned() }, line)))
    }

    /// `<![CDATA[…]]>` is text; comments and definitions are passed over.
    fn declaration(&mut self, line: u64) -> io::Result<Option<(Token, u64)>> {
        let mut raw = Vec::new();
        self.read_until(b'>', &mut raw)?;
        let begins = |raw: &[u8], with: &[u8]| raw.starts_with(with);
        let end: &[u8] = match () {
            () if begins(&raw, b"![CDATA[") => b"]]",
            () if begins(&raw, b"!--") => b"--",
            () => return Ok(None),
        };
        let mut tail = raw.clone();
        while !tail.ends_with(end) {
            tail.clear();
            let more = self.read_until(b'>', &mut tail)?;
            if raw.len() < MAX_TOKEN && !tail.is_empty() {
                raw.push(b'>');
                raw.extend_from_slice(&tail);
            }
            if !more {
                break;
            }
        }
        let text = String::from_utf8_lossy(&raw);
        let text = text.strip_prefix("![CDATA[").map(|text| text.strip_suffix("]]").unwrap_or(text).trim());
        Ok(text.filter(|text| !text.is_empty()).map(|text| (Token::Text(text.to_owned()), line)))
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

fn local(name: &str) -> String {
    name.rsplit(':').next().unwrap_or_default().to_owned()
}

/// The value of an attribute.
pub fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let at = attributes.match_indices(name).map(|(at, _)| at).find(|&at| {
        let whole = at == 0 || attributes[..at].ends_with(|c: char| c.is_whitespace() || c == ':');
        whole && attributes[at + name.len()..].trim_start().starts_with('=')
    })?;
    let value = attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next()
}

fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let found =
            rest.find(';').filter(|end| *end <= 10).and_then(|end| Some((entity(&rest[1..end])?, end + 1)));
        let (c, length) = found.unwrap_or(('&', 1));
        plain.push(c);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some((token, line)) = tokens.next_token().unwrap() {
            seen.push(match token {
                Token::Open { name, attributes } => format!("{line} <{name}{attributes}>"),
                Token::Close { name } => format!("{line} </{name}>"),
                Token::Text(text) => format!("{line} {text}"),
            });
        }
        seen
    }

    #[test]
    fn tags_and_text_with_their_lines() {
        for (text, expected) in [
            ("<A>1\n<B>AT&T &amp; Co &#65;\n</A>", &["1 <A>", "1 1", "2 <B>", "2 AT&T & Co A", "3 </A>"][..]),
            ("<?xml v?>\n<n:A x=\"1\"/>", &["2 <Ax=\"1\">", "2 </A>"]),
            ("<A><![CDATA[a <b> ]] > c ]]></A>", &["1 <A>", "1 a <b> ]] > c", "1 </A>"]),
            ("<!DOCTYPE x>\n<!-- <B> > -->\n<A>\n\n  x\n</A>", &["3 <A>", "5 x", "6 </A>"]),
            ("<A>1 < 2 <3</A>", &["1 <A>", "1 1", "1 < 2", "1 <3", "1 </A>"]),
            ("<A", &["1 <A>"]),
            ("<!-- never", &[]),
            ("<![CDATA[ ", &[]),
            ("&#0;&bogus;&", &["1 &#0;&bogus;&"]),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn attributes_by_their_whole_name() {
        for (attributes, expected) in [
            ("Ccy=\"EUR\"", Some("EUR")),
            ("xCcy=\"A\" Ccy = 'EUR' ", Some("EUR")),
            ("n:Ccy=\"EUR\"", Some("EUR")),
            ("Ccy", None),
            ("Ccy=EUR", None),
        ] {
            assert_eq!(attribute(attributes, "Ccy"), expected, "{attributes}");
        }
    }
}
