//! Operations of an OpenAPI document (3.0 and 3.1) as tools of the type `http_api`. Nothing is fetched, and references lead
//! only to places within the document. What can't be a tool says why.

mod operation;
mod schemas;

use serde_json::{Map, Value};

pub use operation::{ImportedOperation, NotImported};

use crate::text::{self, Invalid};
use crate::yaml;

/// The most bytes of a document.
pub const MAX_DOCUMENT: usize = 8 * 1024 * 1024;
/// The most operations that are told.
const MAX_OPERATIONS: usize = 2_000;
const FIELD: &str = "document";

/// What a document offers.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedApi {
    pub title: String,
    pub operations: Vec<Result<ImportedOperation, NotImported>>,
}

/// `fetched_from`: where the document was, if its servers are named relative to it.
pub fn read(document: &str, fetched_from: Option<&str>) -> Result<ImportedApi, Invalid> {
    let wrong = |message: String| Invalid::new(FIELD, message);
    if document.len() > MAX_DOCUMENT {
        return Err(wrong(format!("must be at most {} MiB", MAX_DOCUMENT >> 20)));
    }
    let document = match serde_json::from_str(document) {
        Ok(json) => json,
        Err(_) if document.trim_start().starts_with('{') => return Err(wrong("is not valid JSON".into())),
        Err(_) => yaml::read(document).map_err(wrong)?,
    };
    let version = document.get("openapi").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with("3.") {
        return Err(wrong("must be an OpenAPI document of version 3 (it begins with openapi: 3…)".into()));
    }
    let title = document.pointer("/info/title").and_then(Value::as_str).unwrap_or("API");
    let title = text::line("title", title, 200).unwrap_or_else(|_| "API".to_owned());
    let paths = document.get("paths").and_then(Value::as_object);
    let paths = paths.ok_or_else(|| wrong("has no paths".into()))?;
    let mut importer = operation::Importer::new(&document, fetched_from);
    let mut operations = Vec::new();
    for (path, item) in paths {
        let item = resolved(&document, item);
        for (method, operation) in item.as_object().into_iter().flatten() {
            let Some(method) = operation::method(method) else { continue };
            if operations.len() == MAX_OPERATIONS {
                return Err(wrong(format!("has more than {MAX_OPERATIONS} operations")));
            }
            operations.push(importer.import(path, method, item, operation));
        }
    }
    Ok(ImportedApi { title, operations })
}

/// What a reference leads to, a few steps far; itself, if it leads nowhere.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let mut at = value;
    for _ in 0..10 {
        let target = at.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        match target.and_then(|pointer| document.pointer(pointer)) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

fn object(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests;
