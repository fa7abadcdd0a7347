//! JSON bodies, with errors that name the field.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::ApiError;

pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let is_json =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(
                |kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json"),
            );
        if !is_json {
            let error = "Send JSON with the header Content-Type: application/json.";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type", error));
        }
        let bytes = read(request, state).await?;
        parse(&bytes).map(Self)
    }
}

/// The whole body, up to the route's limit.
pub async fn read<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, state).await.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The body is too large.")
        } else {
            ApiError::new(StatusCode::BAD_REQUEST, "unreadable_body", "The body could not be read.")
        }
    })
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
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
            return ApiError::new(
                StatusCode::BAD_REQUEST,
                "invalid_body",
                format!("The body is wrong: {text}."),
            );
        }
        (path, None) => path.to_owned(),
    };
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_field", format!("{field}: {text}.")).at(field)
}
