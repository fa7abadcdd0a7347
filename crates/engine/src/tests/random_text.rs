//! Random text of people, models and tools: mostly short, sometimes odd, now and then huge.

use fastrand::Rng;
use serde_json::{Map, Value, json};

const ODD: [&str; 16] = [
    "\0",
    "a\0b",
    "👩‍👩‍👧‍👦",
    "e\u{301}",
    "\u{202e}cba",
    "\u{feff}",
    "\u{fffd}",
    "\u{7}\u{1b}[31m",
    "\"}]\\u0000",
    "<think>hm</think>",
    "שלום",
    "𝕊𝕚𝕫𝕖",
    "data: x\n\nid: 9.9\n",
    "\r\n",
    "\t",
    "${}",
];

const PLAIN: [&str; 8] = ["yes", "the plan", "costs 5 €", "maybe later", "one. two.", "ok", "Grüße", "see:"];

/// Some words, not blank.
pub fn words(dice: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..dice.usize(1..5) {
        let odd = dice.u8(..10) < 2;
        text.push_str(if odd { dice.choice(ODD).unwrap_or("") } else { dice.choice(PLAIN).unwrap_or("") });
        text.push_str(if dice.bool() { " " } else { "" });
    }
    if text.trim().is_empty() { "well".to_owned() } else { text }
}

/// Words, nothing, or blanks.
pub fn anything(dice: &mut Rng) -> String {
    match dice.u8(..12) {
        0 => String::new(),
        1 => " \n\t".to_owned(),
        2 => "\0".to_owned(),
        _ => words(dice),
    }
}

pub fn value(dice: &mut Rng, depth: u8) -> Value {
    match dice.u8(..if depth == 0 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(dice.bool()),
        2 => json!(dice.i64(-9..9)),
        3 | 4 => json!(anything(dice)),
        5 => (0..dice.usize(..3)).map(|_| value(dice, depth - 1)).collect(),
        _ => Value::Object(object(dice, depth - 1)),
    }
}

pub fn object(dice: &mut Rng, depth: u8) -> Map<String, Value> {
    (0..dice.usize(..3)).map(|_| (anything(dice), value(dice, depth))).collect()
}
