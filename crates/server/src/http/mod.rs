//! What all routes share: who calls, reading input, answering errors, and the checks around every request.

mod body;
mod caller;
mod double_option;
mod error;
mod guard;
mod headers;
mod params;
mod request_log;
mod someone;
pub mod sse;
mod strict;
mod words;

pub use body::{Body, MaybeBody, read as read_body, read_part};
pub use caller::{Caller, SESSION_COOKIE, Via, bearer, cookie, session_cookie, session_end};
pub use double_option::some;
pub use error::{ApiError, ErrorBody, Errors, error_responses};
pub use guard::{check_host, check_origin, client_ip, is_foreign, own_authority};
pub use headers::{download_as, json_file, security_headers};
pub use params::{Id, Ids, Params, PathText, PathTexts, SearchQuery, search, window};
pub use request_log::log_requests;
pub use someone::{MaybeSomeone, Present, PresentAs, Sender, Someone, Who, visitor_in};
pub use words::*;
