//! Web search engines that people set in the app: one for the server, and one that a workspace may bring itself.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::ids::WorkspaceId;
use crate::secrets::{Sealed, SecretChange};

crate::words! {
    SearchEngineKind {
        /// One's own server, found by its address.
        Searxng => "searxng",
        Brave => "brave",
        Tavily => "tavily",
    }
}

crate::words! {
    /// How old a page may be.
    Freshness {
        Day => "day",
        Week => "week",
        Month => "month",
        Year => "year",
    }
}

impl SearchEngineKind {
    /// Where the vendor answers; a SearXNG is wherever somebody runs it.
    pub fn own_base_url(self) -> Option<&'static str> {
        match self {
            Self::Searxng => None,
            Self::Brave => Some("https://api.search.brave.com"),
            Self::Tavily => Some("https://api.tavily.com"),
        }
    }

    pub fn needs_key(self) -> bool {
        self != Self::Searxng
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct SearchEngine {
    pub id: Uuid,
    /// `None`: the server's, for every workspace without one.
    pub workspace_id: Option<WorkspaceId>,
    pub kind: SearchEngineKind,
    /// `None`: the vendor's own.
    pub base_url: Option<String>,
    pub sealed: Option<Sealed>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct NewSearchEngine {
    pub id: Uuid,
    pub workspace_id: Option<WorkspaceId>,
    pub kind: SearchEngineKind,
    pub base_url: Option<String>,
    pub secret: SecretChange,
}
