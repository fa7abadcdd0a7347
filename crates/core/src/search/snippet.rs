//! The piece of a text that shows why it was found.

use super::{Query, words};

/// About how many characters a snippet has.
const LENGTH: usize = 200;
/// What is shown before the first hit.
const BEFORE: usize = 60;
/// How much of a text is looked through: a snippet is worth no more.
const LOOKED_AT: usize = 100_000;

/// A piece of a text on one line, and where in it the hits stand, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    pub text: String,
    pub hits: Vec<(usize, usize)>,
}

impl Snippet {
    /// The text with its hits between two signs.
    pub fn marked(&self, before: &str, after: &str) -> String {
        let mut marked = String::new();
        let mut from = 0;
        for (start, end) in &self.hits {
            marked.push_str(&self.text[from..*start]);
            marked.push_str(before);
            marked.push_str(&self.text[*start..*end]);
            marked.push_str(after);
            from = *end;
        }
        marked.push_str(&self.text[from..]);
        marked
    }
}

/// The piece with the most different words of the query, the first of several; the beginning if there is none.
pub fn snippet(text: &str, query: &Query) -> Snippet {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    // Where hits stand, and which word of the query each is.
    let hits: Vec<(usize, usize, usize)> = words(text)
        .into_iter()
        .filter_map(|word| {
            let asked = query.words().iter().position(|asked| asked.matches(&word.folded))?;
            Some((word.start, word.end, asked))
        })
        .collect();
    let mut best = (0, 0);
    for at in 0..hits.len() {
        let mut seen = 0u32;
        for hit in hits[at..].iter().take(64).take_while(|hit| hit.1 <= hits[at].0 + LENGTH - BEFORE) {
            seen |= 1 << hit.2;
        }
        if seen.count_ones() > best.0 {
            best = (seen.count_ones(), hits[at].0);
        }
    }
    let start = boundary_before(text, best.1.saturating_sub(BEFORE));
    let end = boundary_after(text, (start + LENGTH).min(text.len()));
    cut(text, start, end, &hits)
}

/// On one line: line ends and runs of spaces become one space.
fn cut(text: &str, start: usize, end: usize, hits: &[(usize, usize, usize)]) -> Snippet {
    let mut snippet = Snippet::default();
    if start > 0 {
        snippet.text.push('…');
    }
    let mut hits = hits.iter().filter(|hit| hit.0 >= start && hit.1 <= end).peekable();
    for (at, c) in text[start..end].char_indices() {
        let at = start + at;
        while let Some(hit) = hits.peek()
            && hit.0 <= at
        {
            let (begun, length) = (snippet.text.len(), hit.1 - hit.0);
            if hit.0 == at {
                match snippet.hits.last_mut() {
                    // Pairs of one run overlap.
                    Some(last) if last.1 > begun => last.1 = begun + length,
                    _ => snippet.hits.push((begun, begun + length)),
                }
            }
            hits.next();
        }
        match c.is_whitespace() || c.is_control() {
            true if snippet.text.ends_with([' ', '…']) || snippet.text.is_empty() => {}
            true => snippet.text.push(' '),
            false => snippet.text.push(c),
        }
    }
    snippet.text.truncate(snippet.text.trim_end().len());
    if end < text.len() {
        snippet.text.push('…');
    }
    snippet
}

/// Where a word begins, at this place or somewhat before it.
fn boundary_before(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let near = text.floor_char_boundary(at.saturating_sub(30));
    if at == 0 {
        return 0;
    }
    text[near..at].rfind(char::is_whitespace).map_or(at, |space| {
        let space = near + space;
        space + text[space..].chars().next().map_or(1, char::len_utf8)
    })
}

fn boundary_after(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    let near = text.ceil_char_boundary((at + 30).min(text.len()));
    text[at..near].find(char::is_whitespace).map_or(near.min(at.max(near)), |space| at + space)
}
