//! What goes wrong with a server, told apart by what it means for a call: it was certainly not carried out, or nobody knows.

use std::error::Error as StdError;

use baton_core::server_tools::CallFailure;
use rmcp::ServiceError;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::http::HttpError;
use super::sse;

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotConnected {
    /// With the server's own words about how (`WWW-Authenticate`), if any.
    NeedsSignIn(String),
    /// In words that follow "the server can't be used:".
    Down(String),
}

impl NotConnected {
    pub(super) fn of(error: &ClientInitializeError) -> Self {
        Self::Down(match error {
            ClientInitializeError::TransportError { error, .. } => match transport(error) {
                Some(Transport::SignIn(challenge)) => return Self::NeedsSignIn(challenge),
                Some(Transport::NotSent(why) | Transport::Unknown(why)) => why,
                None => ENDED_AT_ONCE.into(),
            },
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => return Self::of(fallback),
            ClientInitializeError::JsonRpcError(error) => match sse::limit_of(error) {
                Some(limit) => format!("its answer has more than {limit} bytes"),
                None => format!("it answered with the error “{}”", short(&error.message)),
            },
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                "it speaks no version of MCP that Baton speaks".into()
            }
            ClientInitializeError::ConnectionClosed(_) => ENDED_AT_ONCE.into(),
            _ => "it did not answer as an MCP server does".into(),
        })
    }

    /// Why a list of tools could not be had.
    pub(super) fn of_list(error: ServiceError) -> Self {
        Self::Down(match error {
            ServiceError::TransportSend(error) => match transport(&error) {
                Some(Transport::SignIn(challenge)) => return Self::NeedsSignIn(challenge),
                Some(Transport::NotSent(why) | Transport::Unknown(why)) => why,
                None => BROKE.into(),
            },
            ServiceError::McpError(error) => match sse::limit_of(&error) {
                Some(limit) => format!("its list of tools has more than {limit} bytes"),
                None => format!("it answered with the error “{}”", short(&error.message)),
            },
            ServiceError::TransportClosed => BROKE.into(),
            _ => "its list of tools can't be read".into(),
        })
    }
}

/// Whether a server answered in a way that nobody who knows the question would.
pub(super) fn misunderstood(error: &ClientInitializeError) -> bool {
    use ClientInitializeError as Error;
    matches!(
        error,
        Error::ExpectedInitResponse(_)
            | Error::ExpectedInitResult(_)
            | Error::ConflictInitResponseId(..)
            | Error::UncorrelatedErrorResponse { .. }
            | Error::ConnectionClosed(_)
    )
}

enum Transport {
    SignIn(String),
    NotSent(String),
    Unknown(String),
}

const ENDED_AT_ONCE: &str = "it ended the connection at once";
const BROKE: &str = "the connection broke";

/// `None`: a child's pipe broke, of which some may have been read.
fn transport(error: &DynamicTransportError) -> Option<Transport> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error.error.as_ref());
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<StreamableHttpError<HttpError>>() {
            return Some(http(error));
        }
        cause = error.source();
    }
    None
}

fn http(error: &StreamableHttpError<HttpError>) -> Transport {
    use Transport::{NotSent, SignIn, Unknown};
    match error {
        StreamableHttpError::AuthRequired(error) => SignIn(error.www_authenticate_header.clone()),
        StreamableHttpError::InsufficientScope(error) => SignIn(error.www_authenticate_header.clone()),
        StreamableHttpError::Auth(AuthError::AuthorizationRequired) => SignIn(String::new()),
        StreamableHttpError::Auth(_) => NotSent("its sign-in could not be renewed".into()),
        StreamableHttpError::SessionExpired | StreamableHttpError::ReinitializationFailed(_) => {
            NotSent("it doesn't know the session any more".into())
        }
        StreamableHttpError::Client(error) => match error {
            HttpError::Outbound(_) | HttpError::Unreachable | HttpError::Redirect(_) => {
                NotSent(error.to_string())
            }
            HttpError::Status(400..=499) => NotSent(error.to_string()),
            HttpError::Status(_) | HttpError::Broken | HttpError::NotMcp(_) => Unknown(error.to_string()),
        },
        _ => Unknown(BROKE.into()),
    }
}

/// How a request ended that has no result.
pub(super) enum Ended {
    Failed(CallFailure),
    /// The server asks for a sign-in, in its own words.
    SignIn(String),
    /// The server's own error: its tool, not the connection, says so.
    Said(String),
}

/// What an error in the place of a result means. `server` is its name for people.
pub(super) fn of_call(server: &str, error: ServiceError) -> Ended {
    let not_done =
        |why: &str| Ended::Failed(CallFailure::NotDone(format!("{server}: {why}. Nothing was done.")));
    let unknown = |why: &str| {
        let advice = "The call was sent, and nobody knows whether it was carried out.";
        Ended::Failed(CallFailure::Unknown(format!("{server}: {why}. {advice}")))
    };
    match error {
        ServiceError::McpError(error) => of_server(&error, &not_done, &unknown),
        ServiceError::TransportSend(error) => match transport(&error) {
            Some(Transport::SignIn(challenge)) => Ended::SignIn(challenge),
            Some(Transport::NotSent(why)) => not_done(&why),
            Some(Transport::Unknown(why)) => unknown(&why),
            None => unknown(BROKE),
        },
        ServiceError::TransportClosed => unknown(BROKE),
        _ => unknown("the answer can't be read"),
    }
}

fn of_server(error: &ErrorData, not_done: &dyn Fn(&str) -> Ended, unknown: &dyn Fn(&str) -> Ended) -> Ended {
    if let Some(limit) = sse::limit_of(error) {
        return unknown(&format!("the answer has more than {limit} bytes and was not read"));
    }
    let said = short(&error.message);
    match error.code {
        ErrorCode::METHOD_NOT_FOUND
        | ErrorCode::INVALID_PARAMS
        | ErrorCode::INVALID_REQUEST
        | ErrorCode::PARSE_ERROR
        | ErrorCode::HEADER_MISMATCH
        | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
        | ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => not_done(&format!("it refused the call: {said}")),
        _ => Ended::Said(said),
    }
}

/// The most characters of a server's own words in an error.
const MAX_WORDS: usize = 1_000;

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_WORDS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
