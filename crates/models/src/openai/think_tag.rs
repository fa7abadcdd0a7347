//! Reasoning that a server leaves in the content: `<think>…</think>` at the very beginning, possibly cut at any byte.

use crate::events::Events;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Sorts content into reasoning and text as it arrives.
#[derive(Debug)]
pub enum ThinkTag {
    /// All that came may still become the opening tag.
    Undecided(String),
    /// Inside, with an end that may become the closing tag.
    Inside(String),
    /// After the closing tag, before the first word.
    Gap,
    Outside,
}

impl Default for ThinkTag {
    fn default() -> Self {
        Self::Undecided(String::new())
    }
}

impl ThinkTag {
    pub fn push(&mut self, more: String, out: &mut Events) {
        match self {
            Self::Outside => out.text(more),
            Self::Gap => {
                let words = more.trim_start();
                if !words.is_empty() {
                    out.text(words.to_owned());
                    *self = Self::Outside;
                }
            }
            Self::Undecided(held) => {
                held.push_str(&more);
                let start = held.trim_start();
                if let Some(inside) = start.strip_prefix(OPEN) {
                    let inside = inside.trim_start().to_owned();
                    *self = Self::Inside(String::new());
                    self.push(inside, out);
                } else if !OPEN.starts_with(start) {
                    out.text(std::mem::take(held));
                    *self = Self::Outside;
                }
            }
            Self::Inside(held) => {
                held.push_str(&more);
                if let Some((thought, after)) = held.split_once(CLOSE) {
                    out.reasoning(thought.trim_end().to_owned());
                    let after = after.to_owned();
                    *self = Self::Gap;
                    self.push(after, out);
                } else {
                    let safe = held.len() - held_back(held);
                    out.reasoning(held.drain(..safe).collect());
                }
            }
        }
    }

    /// Nothing more comes: what was held back was no tag.
    pub fn end(&mut self, out: &mut Events) {
        match std::mem::replace(self, Self::Outside) {
            Self::Undecided(held) => out.text(held),
            Self::Inside(held) => out.reasoning(held),
            Self::Gap | Self::Outside => {}
        }
    }
}

/// How many bytes at the end may be the beginning of the closing tag.
fn held_back(text: &str) -> usize {
    (1..CLOSE.len()).rev().find(|&length| text.ends_with(&CLOSE[..length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use baton_core::models::ModelEvent;

    use super::*;

    /// (reasoning, text) of content that comes in these pieces.
    fn sorted<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let (mut tag, mut out) = (ThinkTag::default(), Events::default());
        for piece in pieces {
            tag.push(piece.to_owned(), &mut out);
        }
        tag.end(&mut out);
        let (mut reasoning, mut text) = (String::new(), String::new());
        for event in out {
            match event {
                ModelEvent::Reasoning(more) => reasoning.push_str(&more),
                ModelEvent::Text(more) => text.push_str(&more),
                other => panic!("{other:?}"),
            }
        }
        (reasoning, text)
    }

    #[test]
    fn sorted_wherever_it_is_cut() {
        let table = [
            ("<think>hm, 世界</think>\n\nYes.", "hm, 世界", "Yes."),
            ("\n<think>\na < b </th\n</think>Yes.", "a < b </th", "Yes."),
            ("<think></think>\n\nYes.", "", "Yes."),
            ("<thinker>", "", "<thinker>"),
            ("<thi", "", "<thi"),
            ("Say <think>this</think>", "", "Say <think>this</think>"),
            ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
            ("<think>never closed</thi", "never closed</thi", ""),
            ("  words", "", "  words"),
        ];
        for (content, reasoning, text) in table {
            for cut in (0..=content.len()).filter(|&cut| content.is_char_boundary(cut)) {
                let (before, after) = content.split_at(cut);
                let (thought, said) = sorted([before, after]);
                // White space inside the tags may be given out before they are seen to end.
                assert_eq!((thought.trim(), said.as_str()), (reasoning, text), "{content:?} cut at {cut}");
            }
            let (thought, said) = sorted(content.split_inclusive(|_| true));
            assert_eq!((thought.trim(), said.as_str()), (reasoning, text), "{content:?} by character");
        }
    }
}
