//! Reads the arguments of a tool call. An error says what is wrong in a way that lets the model correct it.

use std::str::FromStr;

use baton_core::tools::ToolFailure;
use serde_json::{Map, Value};

/// Text, or nothing: models send null and empty text for what they mean to leave out.
pub fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, ToolFailure> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
        Some(_) => Err(ToolFailure(format!("{name} must be text."))),
    }
}

pub fn required<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str, ToolFailure> {
    text(arguments, name)?.ok_or_else(|| ToolFailure(format!("{name} is required.")))
}

/// What a call is asked to do, in the words of its tool; nothing if it is left out.
pub fn action<A: FromStr>(arguments: &Map<String, Value>, words: &[&str]) -> Result<Option<A>, ToolFailure> {
    let Some(word) = text(arguments, "action")? else { return Ok(None) };
    let wrong =
        |_| ToolFailure(format!("There is no action {word:?}: it must be one of {}.", words.join(", ")));
    word.parse().map(Some).map_err(wrong)
}

/// Turns an error of the store into text for the model: the model can act only on a refusal.
pub fn store_failure(error: baton_core::store::Error) -> ToolFailure {
    use baton_core::store::Error;
    match error {
        Error::Invalid(invalid) => ToolFailure(format!("{invalid}.")),
        Error::TooMany { .. } | Error::NotFound(_) | Error::NameTaken { .. } | Error::AreaRefused(_) => {
            ToolFailure(format!("{error}."))
        }
        other => {
            tracing::error!(error = %other, "a tool could not reach the store");
            ToolFailure("This did not work because of a problem on the server. Try again later.".to_owned())
        }
    }
}
