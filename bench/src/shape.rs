//! What a fake model says, by its name: `fake-50x20` says 50 pieces, one every 20 ms. Model and client both know the
//! name, so a client can check that every byte arrived.

use std::time::Duration;

use anyhow::{Context, ensure};

/// Pieces are numbered up to here, then from the beginning.
pub const NUMBERED: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub pieces: usize,
    pub every: Duration,
}

impl Shape {
    pub const fn new(pieces: usize, every_ms: u64) -> Self {
        Self { pieces, every: Duration::from_millis(every_ms) }
    }

    pub fn parse(model: &str) -> anyhow::Result<Self> {
        let numbers = model.strip_prefix("fake-").and_then(|numbers| numbers.split_once('x'));
        let (pieces, every) = numbers.context("a fake model is named like fake-50x20")?;
        let pieces: usize = pieces.parse()?;
        ensure!((1..=100_000).contains(&pieces), "a fake model says 1 to 100000 pieces");
        Ok(Self { pieces, every: Duration::from_millis(every.parse()?) })
    }

    pub fn model(&self) -> String {
        format!("fake-{}x{}", self.pieces, self.every.as_millis())
    }

    pub fn text(&self) -> String {
        (0..self.pieces).map(piece).collect()
    }
}

/// One piece: plain text that JSON needs no escapes for.
pub fn piece(index: usize) -> String {
    format!("piece {:03} ", index % NUMBERED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_text() {
        let shape = Shape::parse("fake-50x20").unwrap();
        assert_eq!((shape, shape.model().as_str()), (Shape::new(50, 20), "fake-50x20"));
        assert_eq!(shape.text().len(), 500);
        assert!(shape.text().starts_with("piece 000 piece 001 "));
        for wrong in ["gpt", "fake-", "fake-0x1", "fake-1", "fake-1xa"] {
            assert!(Shape::parse(wrong).is_err(), "{wrong}");
        }
    }
}
