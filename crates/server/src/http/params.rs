//! Path and query parameters, with errors that name them.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use baton_core::listing::{MAX_LIMIT, Window};
use baton_core::text;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use uuid::Uuid;

use super::ApiError;
use super::body::field_error;

/// The query string.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = serde_urlencoded::Deserializer::new(form_pairs(query));
        serde_path_to_error::deserialize(pairs)
            .map(Self)
            .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))
    }
}

fn form_pairs(query: &str) -> url::form_urlencoded::Parse<'_> {
    url::form_urlencoded::parse(query.as_bytes())
}

/// The one id in a path.
pub struct Id(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, state).await;
        let id = text.ok().and_then(|Path(text)| Uuid::parse_str(&text).ok());
        id.map(Self).ok_or_else(|| ApiError::invalid("id", "must be a UUID"))
    }
}

/// Two ids in a path, such as a workspace's and a member's.
pub struct Ids(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Ids {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let wrong = || ApiError::invalid("id", "must be a UUID");
        let Path((first, second)) =
            Path::<(String, String)>::from_request_parts(parts, state).await.map_err(|_| wrong())?;
        match (Uuid::parse_str(&first), Uuid::parse_str(&second)) {
            (Ok(first), Ok(second)) => Ok(Self(first, second)),
            _ => Err(wrong()),
        }
    }
}

/// Checks `limit` and `offset`.
pub fn window(limit: Option<u64>, offset: Option<u64>) -> Result<Window, ApiError> {
    let limit = limit.unwrap_or(50);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::invalid("limit", &format!("must be from 1 to {MAX_LIMIT}")));
    }
    let offset = offset.unwrap_or(0);
    if offset > 1_000_000_000 {
        return Err(ApiError::invalid("offset", "must be at most 1000000000"));
    }
    Ok(Window { limit, offset })
}

/// A search and a window, for lists that take no more.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Part of a name, description or email address, in any case.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

impl SearchQuery {
    pub fn search(&self) -> Result<Option<String>, ApiError> {
        search(self.search.as_deref())
    }

    pub fn window(&self) -> Result<Window, ApiError> {
        window(self.limit, self.offset)
    }
}

/// A search as it was typed; nothing typed is no search.
pub fn search(text: Option<&str>) -> Result<Option<String>, ApiError> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    Ok(text.map(|text| text::line("search", text, 200)).transpose()?)
}

/// Two pieces of text in a path, such as a pack's name and a team's slug.
pub struct PathTexts(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathTexts {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let texts = Path::<(String, String)>::from_request_parts(parts, state).await;
        texts.map(|Path((first, second))| Self(first, second)).map_err(|_| ApiError::not_found("address"))
    }
}

/// A piece of text in a path, such as a token.
pub struct PathText(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathText {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, state).await;
        text.map(|Path(text)| Self(text)).map_err(|_| ApiError::not_found("address"))
    }
}
