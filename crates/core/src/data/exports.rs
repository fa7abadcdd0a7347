//! Files that are made of rows: as CSV, which Baton and spreadsheets read, or as JSON.

use async_trait::async_trait;
use chrono::Duration;

use super::imports::ExportFile;
use super::kind::Kind;
use super::rows::{DataScope, RowQuery};
use crate::ids::ProfileId;
use crate::store;
use crate::words;

words! {
    ExportFormat { Csv => "csv", Json => "json" }
}

impl ExportFormat {
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

/// How long a file is kept that an agent made.
pub const KEPT: Duration = Duration::days(1);
/// The most bytes of such a file.
pub const MAX_BYTES: u64 = 50_000_000;
/// The address under which such a file is downloaded.
pub const PATH: &str = "/api/data/exports/";

/// What a file is to hold.
#[derive(Debug, Clone)]
pub struct ExportWish {
    pub kind: &'static Kind,
    pub format: ExportFormat,
    pub query: RowQuery,
    /// Only the first so many rows; none: all that fit.
    pub most: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
pub enum ExportRefused {
    #[error("there are more rows than fit into one file ({} MB): narrow them by filters", MAX_BYTES / 1_000_000)]
    TooLarge,
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Makes files for a person.
#[async_trait]
pub trait Exporter: Send + Sync {
    async fn export(
        &self,
        scope: DataScope,
        person: ProfileId,
        wish: ExportWish,
    ) -> Result<ExportFile, ExportRefused>;
}
