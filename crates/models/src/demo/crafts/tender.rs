//! A request that is written once everything for it is known, in the parts that the prompt names: "Every request has
//! these parts, in this order: 1. Purpose: …". What nobody said stays open, and is marked so.

use serde_json::{Map, Value};

use super::super::params::Param;
use super::super::render;
use super::super::scene::Scene;
use super::super::words::{capitalised, concept, words};

pub fn draft(scene: &Scene<'_>, fields: &[Param], known: &Map<String, Value>) -> Option<String> {
    let parts = parts(scene.standing);
    let get = |names: &[&str]| {
        let field = fields.iter().find(|field| names.contains(&field.name.as_str()))?;
        known.get(&field.name).map(render::plain)
    };
    let item = get(&["item", "scope", "need", "product"]).filter(|_| parts.len() > 2)?;
    let facts = Facts {
        requirements: get(&["requirements"]),
        budget: get(&["budget", "price", "amount"]),
        deadline: get(&["deadline", "due", "timeframe"]),
        criteria: get(&["criteria"]),
        item,
    };
    let written: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| format!("**{}. {part}**\n\n{}", at + 1, facts.write(part)))
        .collect();
    Some(format!(
        "Thank you, that is all I need for a first draft.\n\n{}\n\nThis is a draft by a demo model, made from what you told \
         me. What is marked as open nobody has said yet. Tell me what should change.",
        written.join("\n\n")
    ))
}

/// The names of the numbered parts under a line that promises them.
fn parts(standing: &str) -> Vec<String> {
    let mut lines = standing.lines().skip_while(|line| {
        let line = line.trim_end();
        !(line.ends_with(':') && line.contains("parts"))
    });
    lines.next();
    let numbered = lines.map_while(|line| {
        let (number, rest) = line.trim().split_once(". ")?;
        number.parse::<u32>().ok()?;
        Some(rest.split([':', '.']).next().unwrap_or(rest).trim().to_owned())
    });
    numbered.take(12).collect()
}

struct Facts {
    item: String,
    requirements: Option<String>,
    budget: Option<String>,
    deadline: Option<String>,
    criteria: Option<String>,
}

impl Facts {
    fn write(&self, part: &str) -> String {
        let says = |meanings: &[&str]| {
            words(part).iter().any(|word| meanings.iter().any(|meaning| concept(meaning) == word.concept))
        };
        let open = |what: &str| format!("[open: {what}]");
        let item = &self.item;
        let budget = self.budget.clone().unwrap_or_else(|| open("the budget"));
        let deadline = self.deadline.clone().unwrap_or_else(|| open("the day"));
        match () {
            () if says(&["purpose", "aim"]) => {
                format!("We want to buy {item}. {}", open("why it is needed"))
            }
            () if says(&["scope"]) => format!(
                "- Delivered: {item}\n- Where: {}\n- Budget: {budget}\n- Left out: {}",
                open("the place"),
                open("what is not part of it")
            ),
            () if says(&["requirements"]) => match self.requirements.as_deref() {
                Some(told) => list(told, |at, one| format!("{at}. {} (must)", capitalised(one))),
                None => open("what an offer must fulfil"),
            },
            () if says(&["judging", "criteria", "evaluation"]) => match self.criteria.as_deref() {
                Some(told) => format!("{}{}", list(told, |_, one| format!("- {one}")), weighed(told)),
                None => open("the criteria, with weights that add up to 100"),
            },
            () if says(&["timetable", "schedule", "dates"]) => format!(
                "- Questions until: {}\n- Offers until: {deadline}\n- Decision: {}\n- Start: {}",
                open("the day"),
                open("the day"),
                open("the day")
            ),
            () if says(&["offer", "contain"]) => format!(
                "- What is offered for {item}\n- For each requirement, whether and how it is met\n\
                 - The price in full, against a budget of {budget}\n- When it can be delivered\n- Whom to ask"
            ),
            () => open("what belongs here"),
        }
    }
}

fn list(told: &str, line: impl Fn(usize, &str) -> String) -> String {
    let pieces = told.split([',', ';', '\n']).flat_map(|piece| piece.split(" and "));
    let pieces = pieces.map(|piece| piece.trim().trim_end_matches('.')).filter(|piece| !piece.is_empty());
    pieces.enumerate().map(|(at, one)| line(at + 1, one)).collect::<Vec<_>>().join("\n")
}

/// Whether the weights add up, where there are any.
fn weighed(told: &str) -> String {
    let weights: Vec<f64> = words(told).iter().filter_map(|word| word.text.parse().ok()).collect();
    let sum: f64 = weights.iter().sum();
    match weights.is_empty() {
        true => "\n- [open: weights that add up to 100]".to_owned(),
        false if sum == 100.0 => String::new(),
        false => format!("\n- [open: the weights add up to {sum}, not to 100]"),
    }
}
