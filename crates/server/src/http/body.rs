//! JSON bodies, with errors that name the field.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::ApiError;
use super::strict::Strict;

/// How long a body may take to arrive.
const READ_TIME: Duration = Duration::from_secs(120);

/// Set by whoever sees that less is to be read than the route allows.
#[derive(Clone, Copy)]
pub struct MaxBody(pub usize);

pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        // Read it in any case: an unread body would cost the client its connection.
        let is_json = is_json(&request);
        let bytes = read(request, state).await?;
        if is_json { parse(&bytes).map(Self) } else { Err(not_json()) }
    }
}

/// A body that may be left out altogether.
pub struct MaybeBody<T>(pub Option<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if is_json(&request) {
            return Body::from_request(request, state).await.map(|Body(body)| Self(Some(body)));
        }
        if read(request, state).await?.is_empty() { Ok(Self(None)) } else { Err(not_json()) }
    }
}

fn not_json() -> ApiError {
    let error = "Send JSON with the header Content-Type: application/json.";
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type", error)
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.and_then(|kind| kind.split(';').next()).is_some_and(|kind| kind.trim() == "application/json")
}

/// The whole body, up to the route's limit.
pub async fn read<S: Send + Sync>(mut request: Request, state: &S) -> Result<Bytes, ApiError> {
    if let Some(MaxBody(most)) = request.extensions().get().copied() {
        DefaultBodyLimit::max(most).apply(&mut request);
    }
    let Ok(read) = tokio::time::timeout(READ_TIME, Bytes::from_request(request, state)).await else {
        return Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "The body took too long to arrive.",
        ));
    };
    read.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The body is too large.")
        } else {
            ApiError::new(StatusCode::BAD_REQUEST, "unreadable_body", "The body could not be read.")
        }
    })
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(Strict(&mut json)).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if inner.is_syntax() || inner.is_eof() {
            let error = "The body is not valid JSON.";
            return ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", error)
                .with_message(inner.to_string());
        }
        field_error(&path, &inner.to_string())
    })?;
    json.end().map_err(|error| {
        let text = "There is something after the JSON.";
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", text).with_message(error.to_string())
    })?;
    Ok(value)
}

/// A part of a body, whose shape another part says. `place`: where it was.
pub fn read_part<T: DeserializeOwned>(place: &str, part: serde_json::Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(part).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => place.to_owned(),
            path => format!("{place}.{path}"),
        };
        field_error(&path, &error.into_inner().to_string())
    })
}

/// Serde says which field is missing or unknown in words, and where the others are by path.
pub fn field_error(path: &str, text: &str) -> ApiError {
    let text = text.split(" at line ").next().unwrap_or(text);
    let named = ["missing field `", "unknown field `", "duplicate field `"]
        .iter()
        .find_map(|start| text.strip_prefix(start)?.split('`').next());
    let field = match (path, named) {
        ("." | "", Some(name)) => name.to_owned(),
        // Where a field is unknown, its own name ends the path already.
        (path, Some(name)) if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        (path, Some(name)) => format!("{path}.{name}"),
        ("." | "", None) => {
            let error = "The body must be a JSON object.";
            return ApiError::new(StatusCode::BAD_REQUEST, "invalid_body", error);
        }
        (path, None) => path.to_owned(),
    };
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_field", format!("{field} {}.", for_people(text)))
        .at(field)
}

/// A parser's complaint, in words that follow the field's name. It speaks of Rust's types; nothing of that is passed on but
/// the words that a field can have.
fn for_people(text: &str) -> String {
    let starts = |start: &str| text.starts_with(start);
    let expected = text.rsplit_once("expected ").map(|(_, expected)| expected);
    match text {
        _ if starts("missing field") => "is required".to_owned(),
        _ if starts("unknown field") => "is not a field here".to_owned(),
        _ if starts("duplicate field") => "is given twice".to_owned(),
        _ if starts("unknown variant") => one_of(expected.unwrap_or_default()),
        _ if text.contains("UUID") => "must be a UUID".to_owned(),
        _ if starts("must ") => text.to_owned(),
        _ if text.contains("`true` or `false`") => "must be true or false".to_owned(),
        _ => match expected {
            Some("a string" | "a borrowed string" | "a character") => "must be a string".to_owned(),
            Some("a map") => "must be an object".to_owned(),
            Some("a boolean") => "must be true or false".to_owned(),
            Some("f32" | "f64") => "must be a number".to_owned(),
            Some(expected) if is_integer(expected) => "must be a whole number in range".to_owned(),
            Some(expected) if expected.contains("date and time") => {
                "must be a date and time (RFC 3339)".to_owned()
            }
            Some(expected) if expected.starts_with("struct ") => "must be an object".to_owned(),
            Some(expected) if expected.starts_with("a sequence") => "must be a list".to_owned(),
            None if text.contains("digit") || text.contains("number") => {
                "must be a whole number in range".to_owned()
            }
            _ => "is not what it must be".to_owned(),
        },
    }
}

/// The words that a field can have, out of a parser's list of them.
fn one_of(expected: &str) -> String {
    let words: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    format!("must be one of {}", words.join(", "))
}

fn is_integer(expected: &str) -> bool {
    let bits = expected.strip_prefix(['i', 'u']);
    bits.is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64" | "128" | "size"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Team {
        #[serde(rename = "members")]
        _members: Vec<Member>,
        #[serde(rename = "router", default)]
        _router: Option<Member>,
    }

    #[derive(Debug, serde::Deserialize)]
    struct Member {
        #[serde(rename = "name")]
        _name: Option<String>,
    }

    #[test]
    fn a_list_is_no_object_at_any_depth() {
        let refused = |body: &str| parse::<Team>(body.as_bytes()).unwrap_err().to_string();
        assert!(parse::<Team>(br#"{"members": [{"name": "a"}, {}], "router": {"name": null}}"#).is_ok());
        assert_eq!(refused("[[]]"), "The body must be a JSON object.");
        assert_eq!(refused(r#"{"members": [["a"]]}"#), "members[0] must be an object.");
        assert_eq!(refused(r#"{"members": [], "router": ["a"]}"#), "router must be an object.");
        assert_eq!(refused(r#"{"members": [], "members": []}"#), "members is given twice.");
    }

    #[test]
    fn complaints_are_for_people() {
        for (text, said) in [
            ("missing field `name`", "is required"),
            ("unknown field `nmae`, expected `name`", "is not a field here"),
            ("invalid type: integer `5`, expected a string", "must be a string"),
            ("invalid type: string \"x\", expected a boolean", "must be true or false"),
            ("invalid type: sequence, expected struct PartBody", "must be an object"),
            ("invalid value: integer `99999999999`, expected i32", "must be a whole number in range"),
            ("UUID parsing failed: invalid length", "must be a UUID"),
            ("invalid digit found in string", "must be a whole number in range"),
            ("must be one of free, premium", "must be one of free, premium"),
            ("unknown variant `x`, expected `own` or `agent`", "must be one of own, agent"),
            ("unknown variant `x`, expected one of `a`, `b`, `c`", "must be one of a, b, c"),
            ("invalid value: integer `-1`, expected u8", "must be a whole number in range"),
            ("invalid type: map, expected a sequence", "must be a list"),
            (
                "invalid type: map, expected an RFC 3339 formatted date and time string",
                "must be a date and time (RFC 3339)",
            ),
            ("data did not match any variant of untagged enum Fork", "is not what it must be"),
            ("invalid type: null, expected tuple struct AgentId", "is not what it must be"),
        ] {
            assert_eq!(for_people(text), said, "{text}");
        }
    }
}
