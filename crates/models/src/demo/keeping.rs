//! The agent's own notes in a conversation: which fields its tool or prompt wants there, and where they belong.

use serde_json::{Map, Value, json};

use super::offer::{Kind, Offered};
use super::params::Param;
use super::reply::Planned;
use super::scene::Scene;
use super::wanted::{Under, under, wanted};

pub struct Notes<'s> {
    tool: &'s Offered<'s>,
    /// The tool's parameter that takes them.
    param: &'s str,
    pub fields: Vec<Param>,
    pub under: Under,
}

impl<'s> Notes<'s> {
    /// The fields of the keeping tool, else those that the prompt names.
    pub fn of(scene: &'s Scene<'_>) -> Option<Self> {
        scene.tools.iter().find_map(|tool| {
            let Kind::Keep { param } = tool.kind else { return None };
            let own = &tool.params[param].fields;
            let fields = if own.is_empty() { wanted(scene.standing) } else { own.clone() };
            let under = under(scene.standing, &tool.spec.name);
            Some(Self { tool, param: &tool.params[param].name, fields, under })
        })
    }

    /// The call that keeps what is known, unless it was kept before.
    pub fn keep(&self, scene: &Scene<'_>, known: &Map<String, Value>) -> Option<Planned> {
        let noted =
            |name: &str| scene.context.data.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let data = match &self.under {
            _ if known.is_empty() => return None,
            Under::Names if known.iter().all(|(name, value)| noted(name) == Some(value)) => return None,
            Under::Names => known.clone(),
            Under::Object(name) if noted(name) == Some(&json!(known)) => return None,
            Under::Object(name) => [(name.clone(), json!(known))].into_iter().collect(),
            Under::List(name) => {
                let whole =
                    self.fields.iter().all(|field| !field.required || known.contains_key(&field.name));
                let before = noted(name).and_then(Value::as_array).cloned().unwrap_or_default();
                let list = with_entry(before.clone(), known, &self.fields);
                if !whole || list == before {
                    return None;
                }
                [(name.clone(), Value::Array(list))].into_iter().collect()
            }
        };
        let arguments = [(self.param.to_owned(), Value::Object(data))].into_iter().collect();
        let call = Planned { name: self.tool.spec.name.clone(), arguments };
        let made = scene.calls().any(|(done, _)| done.name == call.name && done.arguments == call.arguments);
        (!made).then_some(call)
    }
}

/// A newer entry takes the place of the one with the same first field: of two licences, the last counts.
fn with_entry(mut list: Vec<Value>, entry: &Map<String, Value>, fields: &[Param]) -> Vec<Value> {
    let key = fields.first().map_or("", |field| field.name.as_str());
    let same = |other: &&mut Value| other.get(key).is_some_and(|value| Some(value) == entry.get(key));
    match list.iter_mut().find(same) {
        Some(other) => *other = json!(entry),
        None => list.push(json!(entry)),
    }
    list
}
