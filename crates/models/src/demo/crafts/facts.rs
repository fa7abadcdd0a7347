//! What a craft works from: what the person told this agent, the last first, else what was passed along with the
//! conversation. What they said to somebody else before is that agent's.

use serde_json::{Value, json};

use super::super::answers::bare_answers;
use super::super::collect::mark;
use super::super::free::Used;
use super::super::look::{Need, Reading, look};
use super::super::params::{Param, read};
use super::super::render;
use super::super::resume;
use super::super::scene::Scene;
use super::super::words::name_words;

/// A fact, and whether the last message told it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub text: String,
    pub is_new: bool,
}

/// Whether the last message told it.
pub fn is_new(fact: &Option<Fact>) -> bool {
    fact.as_ref().is_some_and(|fact| fact.is_new)
}

/// A field as a tool would have it.
pub fn field(name: &str, schema: Value) -> Option<Param> {
    read(&json!({"properties": {name: schema}, "required": [name]})).pop()
}

pub fn text_field(name: &str) -> Option<Param> {
    field(name, json!({"type": "string"}))
}

/// Each message to this agent with what it had said before, the last first.
pub fn to_me<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = (&'s str, String)> {
    let history = if scene.just_handed { &[] } else { scene.history.as_slice() };
    let last = history.len().saturating_sub(1);
    let mut goes_on = true;
    let mine = history.iter().enumerate().rev().take_while(move |(at, (said, _))| {
        let is_mine = goes_on && (*at == last || !said.is_empty() || !scene.context.handed);
        goes_on &= !said.is_empty();
        is_mine
    });
    mine.map(|(_, (said, message))| (said.as_str(), resume::without(message)))
}

/// A fact by its field; `read` finds it in a message where the field's own type doesn't.
pub fn fact(scene: &Scene<'_>, field: &Param, read: impl Fn(&str) -> Option<String>) -> Option<Fact> {
    let told = to_me(scene).enumerate().find_map(|(back, (said, message))| {
        let found = read(&message).or_else(|| told(field, said, &message));
        found.map(|text| Fact { text, is_new: back == 0 })
    });
    told.or_else(|| {
        let (_, value) = scene.context.data.iter().find(|(key, _)| name_words(key) == field.words)?;
        Some(Fact { text: render::plain(value), is_new: false })
    })
    .filter(|fact| !fact.text.trim().is_empty())
}

fn told(field: &Param, said: &str, message: &str) -> Option<String> {
    let reading = Reading::of(message, None);
    let named = || look(field, &reading, &Used::new(), Need::Optional).map(|(value, _)| value);
    // "L-43" alone can only be what this agent works on.
    let end = message.trim_end_matches(['.', '!']).len();
    let alone = || {
        let hit = look(field, &reading, &Used::new(), Need::Required);
        hit.filter(|(_, span)| *span == Some((0, end))).map(|(value, _)| value)
    };
    let replied = || {
        let asked = said.contains(&mark(field)).then(|| bare_answers(std::slice::from_ref(field), message));
        asked?.pop().map(|(_, value)| value)
    };
    named().or_else(alone).or_else(replied).map(|value| render::plain(&value))
}
