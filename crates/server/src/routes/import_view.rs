//! How imports are shown.

use baton_core::data::imports::{FileFormat, Import, ImportStatus, Remark, RemarkType};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{file_format_or_null_schema, import_status_schema, remark_type_schema};
use crate::imports::report::Report;

#[derive(Serialize, ToSchema)]
pub struct ImportAnswer {
    pub import: ImportView,
}

#[derive(Serialize, ToSchema)]
pub struct ImportList {
    pub imports: Vec<ImportView>,
    /// How many there are without limit and offset.
    pub total: u64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Import)]
pub struct ImportView {
    id: Uuid,
    workspace_id: Uuid,
    /// Who brought it; null if their account is gone.
    #[schema(required)]
    profile_id: Option<Uuid>,
    kind: String,
    filename: String,
    /// Null until the file was looked at, and if it is none of these.
    #[schema(required, schema_with = file_format_or_null_schema)]
    format: Option<FileFormat>,
    #[schema(schema_with = import_status_schema)]
    status: ImportStatus,
    /// Whether it only counts, and waits to be started.
    is_dry_run: bool,
    #[schema(required)]
    account_id: Option<Uuid>,
    /// Rows of the file: stored, duplicates and refused together.
    read: u64,
    /// New rows and changed ones; in a dry run, those that would be.
    stored: u64,
    new: u64,
    /// Pending transactions that are booked now, and rows of other kinds that the file changed.
    changed: u64,
    duplicates: u64,
    /// Of the duplicates, those that somebody deleted; they stay so.
    deleted: u64,
    /// Of the new ones, those whose id the bank had used before.
    reused: u64,
    refused: u64,
    /// What an undo took away.
    undone: u64,
    /// What an undo left, because somebody had changed it since.
    kept: u64,
    /// Why it failed.
    #[schema(required)]
    problem: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
}

impl From<Import> for ImportView {
    fn from(import: Import) -> Self {
        let counts = import.counts;
        Self {
            id: import.id.0,
            workspace_id: import.workspace_id.0,
            profile_id: import.profile_id.map(|id| id.0),
            kind: import.kind,
            filename: import.filename,
            format: import.format,
            status: import.status,
            is_dry_run: import.is_dry_run,
            account_id: import.account_id,
            read: counts.read,
            stored: counts.new + counts.changed,
            new: counts.new,
            changed: counts.changed,
            duplicates: counts.duplicates,
            deleted: counts.deleted,
            reused: counts.reused,
            refused: counts.refused,
            undone: import.undone.removed,
            kept: import.undone.kept,
            problem: import.problem,
            created_at: import.created_at,
            updated_at: import.updated_at,
            ended_at: import.ended_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ImportRemark)]
pub struct RemarkView {
    /// Of the file, from 1.
    line: u64,
    #[serde(rename = "type")]
    #[schema(schema_with = remark_type_schema)]
    of: RemarkType,
    text: String,
}

#[derive(Serialize, ToSchema)]
pub struct ImportDetails {
    import: ImportView,
    report: Report,
    /// What is to be known about single lines: the first thousand.
    remarks: Vec<RemarkView>,
}

impl ImportDetails {
    pub fn new(import: Import, remarks: Vec<Remark>) -> Self {
        let report = serde_json::from_value(import.report.clone()).unwrap_or_default();
        let remark = |remark: Remark| RemarkView { line: remark.line, of: remark.of, text: remark.text };
        Self { import: import.into(), report, remarks: remarks.into_iter().map(remark).collect() }
    }
}
