//! The version of this program, and the commit it was built from if the build script could tell.

use serde::Serialize;
use utoipa::ToSchema;

/// Both in words, for `baton --version`.
pub const IN_WORDS: &str = env!("BATON_BUILD_VERSION");

/// The server that answers. Only who is signed in is told.
#[derive(Serialize, ToSchema)]
pub struct ServerView {
    /// Such as 1.2.3.
    pub version: &'static str,
    /// Null if the build did not know it.
    #[schema(required, example = "abc1234")]
    pub commit: Option<&'static str>,
    #[schema(required, example = "2026-11-18")]
    pub commit_date: Option<&'static str>,
}

pub fn view() -> ServerView {
    ServerView {
        version: env!("CARGO_PKG_VERSION"),
        commit: option_env!("BATON_BUILD_COMMIT"),
        commit_date: option_env!("BATON_BUILD_DATE"),
    }
}
