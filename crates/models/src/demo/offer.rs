//! Reading the tools on offer: what kind of thing each is, and a bag of the meanings its texts speak of.

use std::collections::{HashMap, HashSet};

use baton_core::tools::ToolSpec;

use super::lexicon::Act;
use super::params::{self, Param, Wants};
use super::words::{act_of, capitalised, concept, is_bland, is_general, name_words, words};

/// How strongly a text speaks of each meaning.
pub type Bag = HashMap<String, f32>;

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Plain,
    /// Hands the conversation to one agent.
    Handoff,
    /// Hands it to the agent named in this parameter.
    Switch {
        param: usize,
    },
    /// Returns a router's decision, in this parameter.
    Route {
        decision: usize,
    },
    /// Ends a stage or a task with its results.
    Complete,
    /// Writes the agent's own working state, an object in this parameter.
    Keep {
        param: usize,
    },
    /// Loads instructions by name, in this parameter.
    Skill {
        param: usize,
    },
}

pub struct Offered<'a> {
    pub spec: &'a ToolSpec,
    /// Of the name, lower case.
    pub words: Vec<String>,
    pub params: Vec<Param>,
    pub kind: Kind,
    pub bag: Bag,
}

const NAME: f32 = 3.0;
const FIRST_SENTENCE: f32 = 1.5;

impl<'a> Offered<'a> {
    pub fn read(spec: &'a ToolSpec) -> Self {
        let words = name_words(&spec.name);
        let params = params::read(&spec.parameters);
        let kind = kind(&words, &spec.description, &params);
        let bag = bag(&words, &spec.description, &params);
        Self { spec, words, params, kind, bag }
    }

    pub fn action(&self) -> Option<(usize, &Param)> {
        self.params.iter().enumerate().find(|(_, param)| param.wants == Wants::Action)
    }

    /// What its name says it does, if that is one thing.
    pub fn own_act(&self) -> Option<Act> {
        self.words.first().and_then(|verb| act_of(verb))
    }

    pub fn acts(&self) -> HashSet<Act> {
        let choices = self.action().map(|(_, param)| param.choices.as_slice()).unwrap_or_default();
        let choices =
            choices.iter().filter_map(|choice| choice.words.first()).filter_map(|verb| act_of(verb));
        let said = words(&self.spec.description).into_iter().next().and_then(|word| word.act());
        match self.own_act() {
            Some(act) => choices.chain([act]).collect(),
            None => choices.chain(said).collect(),
        }
    }

    /// Keeps facts for people and gives them back.
    pub fn recalls(&self) -> bool {
        let remembers = self.bag.get("remember").is_some_and(|weight| *weight >= FIRST_SENTENCE);
        let acts = self.acts();
        let takes_query = self.params.iter().any(|param| param.wants == Wants::Query);
        self.kind == Kind::Plain && remembers && (acts.iter().any(|act| act.reads()) || takes_query)
    }

    pub fn searches(&self, topic: &str) -> bool {
        let about = self.bag.get(topic).is_some_and(|weight| *weight >= FIRST_SENTENCE);
        let takes_query = self.params.iter().any(|param| param.wants == Wants::Query);
        self.kind == Kind::Plain && about && takes_query && self.acts().iter().any(|act| act.reads())
    }

    /// `ask_<someone>`: a question to another agent.
    pub fn asks_another(&self) -> bool {
        self.words.len() > 1
            && self.words.first().is_some_and(|word| ["ask", "consult"].contains(&word.as_str()))
    }

    /// Words that name the tool or what it works on, rather than what a person wants of it.
    pub fn is_own_word(&self, meaning: &str) -> bool {
        let choices = self.action().map(|(_, param)| param.choices.as_slice()).unwrap_or_default();
        let nouns = choices.iter().flat_map(|choice| choice.words.iter().skip(1));
        self.words.iter().chain(nouns).any(|word| concept(word) == meaning)
    }

    pub fn human(&self) -> String {
        self.words.join(" ")
    }

    /// The agent a handoff tool names: as its description writes it, else as its own name says.
    pub fn target(&self) -> String {
        let after_to = self.words.iter().position(|word| word == "to").map(|at| &self.words[at + 1..]);
        let slug = after_to.filter(|rest| !rest.is_empty()).unwrap_or(&self.words);
        let said = words(&self.spec.description);
        let start = said.iter().position(|word| slug.first().is_some_and(|first| *first == word.lower));
        if let Some(mut start) = start {
            let gap = |at: usize| &self.spec.description[said[at - 1].end()..said[at].start];
            let is_named = |at: usize| said[at].text.starts_with(char::is_uppercase);
            // "Customer Support" for `handoff_to_support`; the first word of a sentence is no name.
            while start > 1 && is_named(start) && is_named(start - 1) && gap(start).trim().is_empty() {
                start -= 1;
            }
            let name: Vec<&str> = (start..said.len())
                .take_while(|at| said[*at].text.starts_with(char::is_uppercase))
                .take_while(|at| *at == start || gap(*at).trim().is_empty())
                .map(|at| said[at].text)
                .collect();
            if !name.is_empty() {
                return name.join(" ");
            }
        }
        slug.iter().map(|word| capitalised(word)).collect::<Vec<_>>().join(" ")
    }
}

fn kind(words: &[String], description: &str, params: &[Param]) -> Kind {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let first = words.first().map_or("", String::as_str);
    let about = description.to_lowercase();
    let text = |param: &Param| matches!(param.shape, params::Shape::Text);

    let stays = |param: &Param| {
        let says = |names: &[&str]| {
            param.choices.iter().any(|c| c.words.iter().any(|word| names.contains(&word.as_str())))
        };
        says(&["stay", "keep", "continue", "none"])
            && says(&["switch", "change", "handoff", "route", "activate"])
    };
    if has(&["route", "router", "decide", "decision", "routing"])
        && let Some(decision) = params.iter().position(stays)
    {
        return Kind::Route { decision };
    }
    let ends = ["complete", "finish", "conclude", "end", "submit", "finalize"].contains(&first);
    let of_stage = has(&["stage", "task", "step", "phase", "intake", "assignment"]);
    let names_one =
        params.iter().any(|param| param.required && param.wants == Wants::Id && param.words.len() < 3);
    if (ends && of_stage && !names_one) || about.contains("completes this stage") {
        return Kind::Complete;
    }
    let writes = ["update", "set", "save", "write", "store", "merge", "keep"].contains(&first);
    if writes
        && has(&["context", "state", "progress"])
        && let Some(param) = params.iter().position(|param| param.wants == Wants::Object)
    {
        return Kind::Keep { param };
    }
    if has(&["skill", "skills"])
        && has(&["load", "use", "read", "open", "get", "activate", "apply"])
        && let Some(param) = params.iter().position(text)
    {
        return Kind::Skill { param };
    }
    let hands = ["handoff", "transfer", "delegate", "escalate", "switch", "hand"].contains(&first);
    let agent_param = params.iter().position(|param| {
        text(param)
            && param.words.iter().any(|word| ["agent", "colleague", "specialist"].contains(&word.as_str()))
    });
    let speaks = about.contains("hand off") || about.contains("handoff") || about.contains("hand over");
    let speaks =
        speaks || (about.contains("agent") && (about.contains("switch") || about.contains("transfer")));
    if let Some(param) = agent_param.filter(|_| hands || speaks) {
        return Kind::Switch { param };
    }
    let names_target = hands && words.iter().any(|word| word == "to");
    if names_target || (speaks && about.contains(" to ")) { Kind::Handoff } else { Kind::Plain }
}

fn bag(name: &[String], description: &str, params: &[Param]) -> Bag {
    let mut bag = Bag::new();
    for word in name {
        put(&mut bag, word, NAME);
    }
    let mut sentences =
        description.split_inclusive(['.', '\n', ';']).filter(|text| text.len() > 3).enumerate();
    for (at, sentence) in &mut sentences {
        speak(&mut bag, sentence, if at == 0 { FIRST_SENTENCE } else { 1.0 });
    }
    for param in params {
        for word in &param.words {
            put(&mut bag, word, 0.8);
        }
        for choice in &param.choices {
            choice.words.iter().for_each(|word| put(&mut bag, word, 1.2));
        }
        speak(&mut bag, &param.description, 0.5);
    }
    bag
}

/// Adds a sentence. What it excludes is no reason to choose.
pub fn speak(bag: &mut Bag, sentence: &str, weight: f32) {
    let all = words(sentence);
    let excludes = ["not", "never", "don't", "isn't", "instead", "except"];
    if all.iter().any(|word| excludes.contains(&word.lower.as_str())) {
        return;
    }
    for word in all.iter().filter(|word| !word.stop).take(200) {
        put(bag, &word.lower, weight);
    }
}

fn put(bag: &mut Bag, lower: &str, weight: f32) {
    let worth = match () {
        () if is_bland(lower) => 0.1,
        () if is_general(lower) => 0.25,
        () => 1.0,
    };
    let weight = weight * worth;
    let entry = bag.entry(concept(lower)).or_default();
    *entry = entry.max(weight);
}
