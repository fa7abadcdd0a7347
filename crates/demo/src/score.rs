//! The one scorer: finds the tool, agent or skill that a message is about. It counts shared words; a word that several
//! candidates share counts less. The best candidate is taken only if it is clearly ahead.

use std::collections::HashMap;

use baton_core::tools::ToolSpec;
use serde_json::{Map, Value};

use crate::fill::choices;
use crate::words::{content, stem, words};

/// Something that can be chosen, with the words it is known by.
pub struct Candidate {
    pub tool: String,
    /// What choosing it says already: to which agent, or which skill.
    pub given: Map<String, Value>,
    /// Of an agent or a skill.
    pub name: Option<String>,
    weights: HashMap<String, f64>,
}

const NAME: f64 = 2.0;
const CHOICE: f64 = 2.0;
const PARAMETER: f64 = 1.0;
const DESCRIPTION: f64 = 1.0;
/// What the best must have, and how far it must be ahead of the next.
pub const ENOUGH: f64 = 1.9;
const AHEAD: f64 = 1.4;

impl Candidate {
    pub fn new(tool: &str, given: Map<String, Value>) -> Self {
        Self { tool: tool.to_owned(), given, name: None, weights: HashMap::new() }
    }

    pub fn known_by(mut self, text: &str, weight: f64) -> Self {
        for stem in content(text) {
            let known = self.weights.entry(stem).or_default();
            *known = known.max(weight);
        }
        self
    }

    /// A tool as it describes itself.
    pub fn of(tool: &ToolSpec) -> Self {
        let mut candidate = Self::new(&tool.name, Map::new())
            .known_by(&tool.name, NAME)
            .known_by(&tool.description, DESCRIPTION);
        for (name, schema) in properties(&tool.parameters) {
            candidate = candidate.known_by(name, PARAMETER);
            for (choice, meaning) in choices(schema) {
                candidate = candidate.known_by(&format!("{choice} {meaning}"), CHOICE);
            }
        }
        candidate
    }

    /// A line `- slug: Name. What it does.`, as agents and skills are listed.
    pub fn listed(tool: &str, parameter: &str, line: &str) -> Option<Self> {
        let (slug, about) = line.strip_prefix("- ")?.split_once(": ")?;
        let (name, about) = about.split_once(". ").unwrap_or((slug, about));
        let given = Map::from_iter([(parameter.to_owned(), Value::from(slug))]);
        let known =
            Self::new(tool, given).known_by(name, NAME).known_by(slug, NAME).known_by(about, DESCRIPTION);
        Some(Self { name: Some(name.to_owned()), ..known })
    }

    pub fn knows(&self, word: &str) -> bool {
        self.weights.contains_key(&stem(word))
    }
}

pub fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// The candidate that a message is clearly about.
pub fn best<'a>(message: &str, candidates: &'a [Candidate], enough: f64) -> Option<&'a Candidate> {
    let asked = content(message);
    let sharing =
        |stem: &String| candidates.iter().filter(|other| other.weights.contains_key(stem)).count().max(1);
    let score = |candidate: &Candidate| {
        let shared = asked.iter().filter_map(|stem| Some((candidate.weights.get(stem)?, sharing(stem))));
        shared.map(|(weight, by)| weight / by as f64).sum::<f64>()
    };
    let mut scored: Vec<(f64, &Candidate)> = candidates.iter().map(|one| (score(one), one)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (first, second) = (scored.first()?, scored.get(1).map_or(0.0, |next| next.0));
    (first.0 >= enough && first.0 >= second * AHEAD).then_some(first.1)
}

/// Whether two texts share a word that says something.
pub fn overlaps(a: &str, b: &str) -> bool {
    let known = content(b);
    words(a).iter().any(|word| known.contains(&stem(word)))
}
