//! JSON Schema (2020-12), as far as tools and stages need it: everything except references to other documents, dynamic
//! references and `unevaluated…`. Baton checks schemas with its own code and not with a crate: the schema comes from
//! anyone who may make a team and the value from a model, so the work must be bounded, and models read the error
//! messages.

mod check;
mod shape;
mod words;

use serde_json::Value;

/// The first thing that doesn't fit, in words and with its place. Unknown keywords are skipped: other people's tools
/// have their own schemas and check the arguments themselves.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    check::Checker::new(schema).check(value)
}

/// Whether a value is a schema of an object that [`check`] can check completely: every keyword is known and has a
/// valid value.
pub fn check_schema(schema: &Value) -> Result<(), String> {
    shape::check(schema)
}

/// What a reference within a schema points at.
fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let target = root.pointer(&unquoted(reference.strip_prefix('#')?))?;
    (target.is_object() || target.is_boolean()).then_some(target)
}

/// A reference is part of an address, where signs may be written as `%7B`.
fn unquoted(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let quoted = digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(quoted.unwrap_or(*first));
        rest = if quoted.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod official_tests;
#[cfg(test)]
mod tests;
