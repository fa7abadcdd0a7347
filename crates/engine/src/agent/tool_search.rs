//! Finds tools by words of their names and descriptions. Nothing but the tools and the query decides on the order, so the same
//! question has the same answer on every node.

use std::collections::HashMap;

use baton_core::search::words;
use baton_core::tools::ToolSpec;

/// A word of the name says more than one of the description.
const IN_NAME: f64 = 3.0;
const IN_DESCRIPTION: f64 = 1.0;
/// `issue` finds `issues`, and the other way round.
const ALIKE: f64 = 0.6;
const SHORTEST_STEM: usize = 4;
const LONGEST_ENDING: usize = 3;
/// Words of a query that count.
const MAX_ASKED: usize = 16;

pub struct ToolIndex {
    /// Of each tool: its words, and what each counts for.
    entries: Vec<HashMap<String, f64>>,
    /// How many tools have a word.
    spread: HashMap<String, usize>,
}

impl ToolIndex {
    pub fn of(specs: &[ToolSpec]) -> Self {
        let entries: Vec<HashMap<String, f64>> = specs.iter().map(entry).collect();
        let mut spread = HashMap::new();
        for word in entries.iter().flat_map(HashMap::keys) {
            *spread.entry(word.clone()).or_default() += 1;
        }
        Self { entries, spread }
    }

    /// The places of the tools that have any of these words, the best first; of equals, the one that was there first.
    pub fn find(&self, query: &str) -> Vec<usize> {
        let mut asked: Vec<String> = Vec::new();
        for word in words(&apart(query)).into_iter().map(|word| word.folded) {
            if asked.len() < MAX_ASKED && !asked.contains(&word) {
                asked.push(word);
            }
        }
        let mut found: Vec<(f64, usize)> = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let score: f64 = asked.iter().map(|asked| self.score(asked, entry)).sum();
            if score > 0.0 {
                found.push((score, at));
            }
        }
        found.sort_by(|(one, at), (other, after)| other.total_cmp(one).then(at.cmp(after)));
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// What most tools have tells them apart least.
    fn score(&self, asked: &str, entry: &HashMap<String, f64>) -> f64 {
        let weight = |word: &str, counts: f64| {
            let has_it = self.spread.get(word).copied().unwrap_or(1);
            counts * (1.0 + self.entries.len() as f64 / has_it as f64).ln()
        };
        if let Some(counts) = entry.get(asked) {
            return weight(asked, *counts);
        }
        let alike = entry.iter().filter(|(word, _)| are_alike(asked, word));
        alike.map(|(word, counts)| ALIKE * weight(word, *counts)).fold(0.0, f64::max)
    }
}

fn entry(spec: &ToolSpec) -> HashMap<String, f64> {
    let mut entry = HashMap::new();
    for (text, counts) in [(&spec.description, IN_DESCRIPTION), (&apart(&spec.name), IN_NAME)] {
        for word in words(text) {
            entry.insert(word.folded, counts);
        }
    }
    entry
}

fn are_alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= SHORTEST_STEM
        && long.strip_prefix(short).is_some_and(|ending| ending.chars().count() <= LONGEST_ENDING)
}

/// `createIssue` as `create Issue`.
fn apart(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    let mut before = ' ';
    for c in name.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            text.push(' ');
        }
        text.push(c);
        before = c;
    }
    text
}

#[cfg(test)]
mod tests;
