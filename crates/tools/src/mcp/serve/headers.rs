//! What the headers of a request say, and whether that is what its body says: intermediaries go by the headers, this server
//! by the body.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::protocol::{
    CAPABILITIES, Era, METHOD_HEADER, NAME_HEADER, STATELESS, VERSION, VERSION_HEADER, is_initialized,
};
use super::{Failure, Object};

/// A header that is there once and is text.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let one = all.next()?;
    if all.next().is_some() { None } else { one.to_str().ok().map(str::trim) }
}

/// How the client of a request speaks, if the request says what it has to.
pub fn era(headers: &HeaderMap, method: &str, params: &Object) -> Result<Era, Failure> {
    let meta = |key: &str| params.get("_meta").and_then(|meta| meta.get(key));
    let header = text(headers, VERSION_HEADER);
    let is_older = header.is_none_or(is_initialized) && method != "server/discover";
    let Some(version) = meta(VERSION).and_then(Value::as_str) else {
        return match header {
            // Any version may be asked for there.
            _ if method == "initialize" && header != Some(STATELESS) => Ok(Era::Initialized),
            _ if is_older => Ok(Era::Initialized),
            Some(other) if other != STATELESS && !is_initialized(other) => {
                Err(Failure::unsupported_version(other))
            }
            _ => Err(Failure::malformed(format!("_meta must have {VERSION}."))),
        };
    };
    if header != Some(version) {
        return Err(Failure::header_mismatch(format!(
            "The header MCP-Protocol-Version must be there and say the same as {VERSION}."
        )));
    }
    if version != STATELESS {
        return Err(Failure::unsupported_version(version));
    }
    if !meta(CAPABILITIES).is_some_and(Value::is_object) {
        return Err(Failure::malformed(format!("_meta must have {CAPABILITIES}.")));
    }
    check(headers, METHOD_HEADER, method)?;
    if let Some(name) = named(method, params) {
        check(headers, NAME_HEADER, name)?;
    }
    Ok(Era::Stateless)
}

/// What the header `Mcp-Name` repeats of a request.
fn named<'a>(method: &str, params: &'a Object) -> Option<&'a str> {
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    params.get(key).and_then(Value::as_str)
}

fn check(headers: &HeaderMap, name: &str, wanted: &str) -> Result<(), Failure> {
    let given = text(headers, name).and_then(decoded);
    if given.as_deref() == Some(wanted) {
        return Ok(());
    }
    Err(Failure::header_mismatch(format!("The header {name} must be there and say the same as the body.")))
}

/// A value as it is meant: `=?base64?…?=` is how one is written that a header can't hold.
fn decoded(value: &str) -> Option<String> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok()
}
