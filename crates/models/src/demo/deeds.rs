//! What a call does, in words: "book the room", "I booked the room".

use serde_json::{Map, Value};

use super::lexicon::Act;
use super::quote::past;
use super::words::{act_of, name_words};

#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    pub act: Option<Act>,
    verb: String,
    object: String,
}

const ACTION_KEYS: &[&str] = &["action", "operation", "op", "command", "method", "verb"];

pub fn is_action(key: &str) -> bool {
    name_words(key).last().is_some_and(|last| ACTION_KEYS.contains(&last.as_str()))
}

pub fn deed(tool: &str, arguments: &Map<String, Value>) -> Deed {
    let mut name = name_words(tool);
    let action = arguments.iter().find(|(key, _)| is_action(key)).and_then(|(_, value)| value.as_str());
    let mut verb = if name.len() > 1 { name.remove(0) } else { name.first().cloned().unwrap_or_default() };
    let mut object = if name.first() == Some(&verb) { Vec::new() } else { name };
    if let Some(action) = action {
        let mut words = name_words(action);
        if !words.is_empty() {
            verb = words.remove(0);
        }
        if !words.is_empty() {
            object = words;
        }
    }
    let act = act_of(&verb);
    let one = matches!(act, Some(Act::Create | Act::Change | Act::Remove));
    let mut object = object.join(" ");
    if one && object.ends_with('s') && !object.ends_with("ss") {
        object.pop();
    }
    Deed { act, verb, object }
}

impl Deed {
    fn with(&self, verb: &str) -> String {
        if self.object.is_empty() { verb.to_owned() } else { format!("{verb} the {}", self.object) }
    }
    pub fn to_do(&self) -> String {
        self.with(&self.verb)
    }
    pub fn done(&self) -> String {
        self.with(&past(&self.verb))
    }
    pub fn past(&self) -> String {
        past(&self.verb)
    }
    /// Several of its objects.
    pub fn plural(&self) -> String {
        match self.object.strip_suffix('y') {
            _ if self.object.is_empty() => "things".to_owned(),
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ if self.object.ends_with('s') => self.object.clone(),
            _ => format!("{}s", self.object),
        }
    }
    pub fn reads(&self) -> bool {
        self.act.is_some_and(Act::reads)
    }
    pub fn writes(&self) -> bool {
        self.act.is_some_and(|act| !act.reads())
    }
    pub fn object(&self) -> &str {
        &self.object
    }
}
