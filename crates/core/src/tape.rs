//! The tape: what an open model call has said so far, and how much of it a reader has heard.
//!
//! A position on the tape is a number of bytes: the bytes of the text, and one byte for the end of each block. So a
//! reader's position never depends on how the text was cut into pieces.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    Text,
    Reasoning,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    #[serde(deserialize_with = "crate::tolerant::word")]
    pub voice: Voice,
    pub text: String,
}

/// Blocks in the order they were said. All but the last are complete.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tape {
    blocks: Vec<Block>,
    /// Whether the last block is complete too.
    ended: bool,
}

/// A piece of the tape, as one event carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    pub voice: Voice,
    pub text: &'a str,
    /// The block ends here.
    pub is_complete: bool,
    /// The place after it.
    pub end: u64,
}

impl Tape {
    /// Everything a closed call said.
    pub fn closed(blocks: Vec<Block>) -> Self {
        Self { ended: !blocks.is_empty(), blocks }
    }

    pub fn say(&mut self, voice: Voice, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.blocks.last_mut() {
            Some(block) if block.voice == voice && !self.ended => block.text.push_str(text),
            _ => self.blocks.push(Block { voice, text: text.to_owned() }),
        }
        self.ended = false;
    }

    /// The block under way is complete.
    pub fn end_block(&mut self) {
        self.ended = !self.blocks.is_empty();
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }

    /// Whether a person can see something of it.
    pub fn has_text(&self) -> bool {
        self.blocks.iter().any(|block| block.voice == Voice::Text && !block.text.trim().is_empty())
    }

    /// The place of its end.
    pub fn len(&self) -> u64 {
        let text: usize = self.blocks.iter().map(|block| block.text.len()).sum();
        text as u64 + self.complete_blocks() as u64
    }

    fn complete_blocks(&self) -> usize {
        if self.ended { self.blocks.len() } else { self.blocks.len().saturating_sub(1) }
    }

    /// What lies beyond `place`; `None` if there is no such place.
    pub fn pieces_from(&self, place: u64) -> Option<Vec<Piece<'_>>> {
        let mut pieces = Vec::new();
        let mut begin = 0u64;
        let complete = self.complete_blocks();
        for (index, block) in self.blocks.iter().enumerate() {
            let text_end = begin + block.text.len() as u64;
            let is_complete = index < complete;
            let end = text_end + u64::from(is_complete);
            if place < end {
                let from = usize::try_from(place.saturating_sub(begin)).ok()?;
                let text = block.text.get(from..)?;
                if !text.is_empty() {
                    pieces.push(Piece { voice: block.voice, text, is_complete: false, end: text_end });
                }
                if is_complete {
                    pieces.push(Piece { voice: block.voice, text: "", is_complete: true, end });
                }
            }
            begin = end;
        }
        (place <= begin).then_some(pieces)
    }
}

#[cfg(test)]
mod tests;
