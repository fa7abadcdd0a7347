//! JSON Schema (2020-12), as far as tools and stages need it: everything but references to other documents, dynamic ones
//! and `unevaluated…`. What checks is ours and not a crate's: a schema comes from anyone who may make a team and a value
//! from a model, so the work must have an end, and the words are read by models.

mod check;
mod shape;
mod words;

use serde_json::Value;

/// The first thing that doesn't fit, in words with the place of it. Keywords it doesn't know it lets pass: tools of other
/// people bring schemas of their own, and look again themselves.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    check::Checker::new(schema).check(value)
}

/// Whether it is a schema of an object that [`check`] can check whole: no keyword is passed over, each holds what it must.
pub fn check_schema(schema: &Value) -> Result<(), String> {
    shape::check(schema)
}

/// What a reference within a schema points at.
fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let target = root.pointer(reference.strip_prefix('#')?)?;
    (target.is_object() || target.is_boolean()).then_some(target)
}

#[cfg(test)]
mod tests;
