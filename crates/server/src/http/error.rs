//! The one error of the API: it owns the status, the stable code, the field, and what is logged.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use baton_core::access::AccessRefusal;
use baton_core::store;
use baton_core::text::Invalid;
use serde::Serialize;
use utoipa::openapi::response::{Response as ApiResponse, ResponseBuilder};
use utoipa::openapi::{ContentBuilder, Ref, RefOr};
use utoipa::{IntoResponses, ToSchema};

use crate::secrets::VaultError;

#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    error: String,
    message: Option<String>,
    field: Option<String>,
    retry_after: Option<u64>,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// For people.
    pub error: String,
    /// More about it, where there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// For programs; it stays the same between versions.
    pub code: &'static str,
    /// The field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Self {
        Self { status, code, error: error.into(), message: None, field: None, retry_after: None }
    }

    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "Please sign in.")
    }

    pub fn forbidden(code: &'static str, error: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, error)
    }

    pub fn role_too_low() -> Self {
        Self::forbidden("role_too_low", "Your role in this workspace does not allow this.")
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("There is no such {what}."))
    }

    pub fn method_not_allowed() -> Self {
        let error = "This address does not take that method.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", error)
    }

    pub fn invalid(field: &str, message: &str) -> Self {
        Invalid::new(field, message).into()
    }

    pub fn too_many(retry_after: std::time::Duration) -> Self {
        let error = "Too many attempts. Please wait a little and try again.";
        let retry_after = Some(retry_after.as_secs().max(1));
        Self { retry_after, ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", error) }
    }

    pub fn too_many_streams() -> Self {
        let error = "You have too many streams open. Close some tabs first.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", error)
    }

    /// The database is away, which passes.
    pub fn unavailable() -> Self {
        let error = "The database does not answer. Please try again in a moment.";
        Self { retry_after: Some(2), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", error) }
    }

    /// Something broke here. The cause goes to the log, never to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a request failed");
        let error = "Something went wrong on the server. Please try again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", error)
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The database does not answer, or takes nothing.
    pub fn is_outage(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::INSUFFICIENT_STORAGE)
    }

    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    pub fn with_message(self, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..self }
    }

    /// Says how many seconds to wait before the same is tried again.
    pub fn again_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// No turn begins here any more, and no stream.
    pub fn server_ending() -> Self {
        let error = "This server is about to end. Please try again in a moment.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server_ending", error).again_after(3)
    }

    /// Turns "you may not" into "it is not there".
    pub fn hidden_as(self, what: &str) -> Self {
        if self.status == StatusCode::FORBIDDEN { Self::not_found(what) } else { self }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        let text = sentence(&error.to_string());
        let conflict = |code| Self::new(StatusCode::CONFLICT, code, text.clone());
        match error {
            store::Error::NotFound(what) => Self::not_found(what),
            store::Error::RoleTooLow => Self::role_too_low(),
            store::Error::LoosenedByToken => {
                Self::new(StatusCode::FORBIDDEN, "session_required", text).at("permission_mode")
            }
            store::Error::EmailTaken => conflict("email_taken").at("email"),
            store::Error::NameTaken { field, .. } => conflict("name_taken").at(field),
            store::Error::TooMany { .. } => conflict("too_many"),
            store::Error::TurnInProgress => conflict("turn_in_progress"),
            store::Error::IsSubtask => conflict("is_subtask"),
            store::Error::AlreadyHired | store::Error::TeamHired => conflict("already_hired"),
            store::Error::LastOwner => conflict("last_owner"),
            store::Error::LastAdmin => conflict("last_admin"),
            store::Error::SealedElsewhere(_) => conflict("secret_key_differs"),
            store::Error::LinkSpent => Self::new(StatusCode::GONE, "link_expired", text),
            store::Error::InvitedSomeoneElse => Self::forbidden("invited_someone_else", &text),
            store::Error::AreaRefused(_) => Self::forbidden("area_refused", &text),
            store::Error::Invalid(invalid) => invalid.into(),
            store::Error::Full => Self::new(StatusCode::INSUFFICIENT_STORAGE, "storage_full", text),
            store::Error::Unavailable => Self::unavailable(),
            store::Error::Database(cause) => Self::internal(cause),
        }
    }
}

impl From<Invalid> for ApiError {
    fn from(invalid: Invalid) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_field", format!("{invalid}.")).at(invalid.field)
    }
}

impl From<AccessRefusal> for ApiError {
    fn from(refusal: AccessRefusal) -> Self {
        let code = match refusal {
            AccessRefusal::SignIn => "sign_in_required",
            AccessRefusal::Premium => "premium_required",
        };
        Self::forbidden(code, refusal.wording())
    }
}

impl From<VaultError> for ApiError {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::Store(error) => error.into(),
            VaultError::NothingToDo => Self::new(StatusCode::CONFLICT, "key_is_new", error.to_string()),
            VaultError::NoKey(cause) => {
                tracing::error!("there is no key to encrypt secrets with: {cause:#}");
                let error = "This server has no key to encrypt secrets with. Its operator has to set secret_key, or let it \
                             write to its data folder.";
                Self::new(StatusCode::CONFLICT, "secret_key_missing", error)
            }
        }
    }
}

impl From<anyhow::Error> for ApiError {
    fn from(error: anyhow::Error) -> Self {
        Self::internal(format!("{error:#}"))
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| format!("{}{}.", first.to_uppercase(), chars.as_str())).unwrap_or_default()
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: self.error, message: self.message, code: self.code, field: self.field };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// The errors any operation may answer with: references to [`error_responses`].
pub struct Errors;

impl IntoResponses for Errors {
    fn responses() -> BTreeMap<String, RefOr<ApiResponse>> {
        let reference = |(status, name, _): &(u16, &str, &str)| {
            (status.to_string(), RefOr::Ref(Ref::from_response_name(*name)))
        };
        ERRORS.iter().map(reference).collect()
    }
}

const ERRORS: &[(u16, &str, &str)] = &[
    (400, "BadRequest", "The input is wrong; `field` says where."),
    (401, "Unauthorized", "Nobody is signed in."),
    (403, "Forbidden", "Not a member of the workspace, a role too low, or not for this person."),
    (404, "NotFound", "It does not exist, or not for this person."),
    (408, "TooSlow", "The body took too long to arrive."),
    (409, "Conflict", "It cannot be done as things are."),
    (410, "Gone", "The link or invitation was used or has expired."),
    (413, "TooLarge", "The body is too large."),
    (415, "UnsupportedType", "The body is not of an accepted type."),
    (421, "Misdirected", "The request names a host this server does not answer to."),
    (
        422,
        "Unprocessable",
        "The Idempotency-Key was used for another request, or a decision doesn't say what was shown.",
    ),
    (429, "TooManyAttempts", "Too many attempts; `Retry-After` says how long to wait."),
    (500, "Internal", "Something broke on the server."),
    (503, "Unavailable", "The database does not answer; `Retry-After` says when to try again."),
    (507, "StorageFull", "The disk is full."),
];

/// The errors as components of the OpenAPI document.
pub fn error_responses() -> impl Iterator<Item = (String, ApiResponse)> {
    ERRORS.iter().map(|(_, name, description)| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
        let response = ResponseBuilder::new().description(*description).content("application/json", content);
        ((*name).to_owned(), response.build())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_cause_of_an_internal_error_stays_here() {
        let cause = || std::io::Error::other("relation \"profiles\" does not exist at 10.0.0.7");
        let failed = store::Error::Database(Box::new(cause()));
        for error in [ApiError::internal(cause()), ApiError::from(failed)] {
            let response = error.into_response();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let body = axum::body::to_bytes(response.into_body(), 10_000).await.expect("a body");
            let told = String::from_utf8_lossy(&body);
            assert!(
                told.contains("\"internal\"") && !told.contains("profiles") && !told.contains("10.0"),
                "{told}"
            );
        }
    }

    #[test]
    fn an_absent_database_says_when_to_try_again() {
        let response = ApiError::from(store::Error::Unavailable).into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[header::RETRY_AFTER], "2");
    }
}
