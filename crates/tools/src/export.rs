//! `exportData`: rows of a kind as a file that the person can download for a day. It reads, and writes nothing but that file.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::areas::AreaAccess;
use baton_core::data::exports::{ExportFormat, ExportRefused, ExportWish, Exporter, PATH};
use baton_core::data::kind::{FieldType, Kind};
use baton_core::data::kinds::{self, KINDS};
use baton_core::data::rows::{DataScope, Filter, RowQuery, Test};
use baton_core::store::Rows;
use baton_core::text;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

use crate::arguments::{self, store_failure};
use crate::outage::patiently;

pub const NAME: &str = "exportData";
/// Rows of a kind among which a name is looked for.
const NAMED: u64 = 500;

pub struct ExportTool {
    rows: Arc<dyn Rows>,
    exporter: Arc<dyn Exporter>,
}

impl ExportTool {
    pub fn new(rows: Arc<dyn Rows>, exporter: Arc<dyn Exporter>) -> Self {
        Self { rows, exporter }
    }
}

const DESCRIPTION: &str = "\
Makes a file of the workspace's data that this person can download for a day: transactions, accounts, categories, budgets, \
goals and the rest, as CSV for spreadsheets or as JSON. Use it when they ask for a file, an export or a download; to answer a \
question, use the tool of the data itself. Give the person the link from the result as it is. Only this person can open it.";

fn parameters() -> Value {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["export"], "description": "Left out: export."},
            "kind": {"type": "string", "enum": kinds, "description": "What to export. Left out: transactions."},
            "format": {"type": "string", "enum": ExportFormat::WORDS, "description": "Left out: csv."},
            "startDate": {"type": "string", "description": "From this day, such as 2026-01-01."},
            "endDate": {"type": "string", "description": "Until this day, with it."},
            "category": {"type": "string", "description": "Only rows of the category of this name."},
            "account": {"type": "string", "description": "Only rows of the account of this name."},
            "status": {"type": "string", "description": "Only rows of this status, such as booked or active."},
            "type": {"type": "string", "description": "Only rows of this type, such as savings or income."},
            "search": {"type": "string", "description": "Only rows that have these words."},
            "limit": {"type": "integer", "minimum": 1, "description": "Only the first so many rows. Left out: all."},
        },
        "additionalProperties": false,
    })
}

#[async_trait]
impl Tool for ExportTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Data Export".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        let kind = kind(arguments)?;
        format(arguments)?;
        most(arguments)?;
        days(kind, arguments).map(drop)
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let Some(person) = context.person.profile_id() else {
            return Err(ToolFailure("There are no exports for people who are not signed in.".to_owned()));
        };
        let (kind, format) = (kind(&arguments)?, format(&arguments)?);
        let scope = DataScope { workspace_id: context.workspace_id, areas: context.areas };
        scope.check(kind, AreaAccess::Read).map_err(|refused| ToolFailure(format!("{refused}.")))?;
        let mut filters = days(kind, &arguments)?;
        for (name, field) in [("category", "category_id"), ("account", "account_id")] {
            if let Some(named) = arguments::text(&arguments, name)? {
                let (field, other) = reference(kind, name, field)?;
                let id = self.named(scope, other, named).await?;
                filters.push(Filter { field, test: Test::Is(json!(id)) });
            }
        }
        for name in ["status", "type"] {
            if let Some(word) = arguments::text(&arguments, name)? {
                filters.push(choice(kind, name, word)?);
            }
        }
        let search = arguments::text(&arguments, "search")?.map(str::to_owned);
        let query = RowQuery { filters, search, ..RowQuery::default() };
        let wish = ExportWish { kind, format, query, most: most(&arguments)? };
        // A file whose answer was lost is one that nobody hears of, and is gone after a day.
        let made = patiently(async || match self.exporter.export(scope, person, wish.clone()).await {
            Err(ExportRefused::Store(error)) => Err(error),
            Err(ExportRefused::TooLarge) => Ok(None),
            Ok(file) => Ok(Some(file)),
        });
        let file = made.await.map_err(store_failure)?;
        let file = file.ok_or_else(|| ToolFailure(format!("{}.", ExportRefused::TooLarge)))?;
        Ok(json!({
            "file": {
                "name": file.filename, "url": format!("{PATH}{}", file.id), "format": format, "size": file.size,
                "expiresAt": file.expires_at,
            },
            "kind": kind.name,
            "rows": file.rows,
        })
        .into())
    }
}

impl ExportTool {
    async fn named(
        &self,
        scope: DataScope,
        kind: &'static Kind,
        named: &str,
    ) -> Result<uuid::Uuid, ToolFailure> {
        let query = RowQuery { limit: NAMED, ..RowQuery::default() };
        let page = patiently(|| self.rows.rows(scope, kind, query.clone())).await.map_err(store_failure)?;
        let title = |row: &baton_core::data::rows::Row| {
            row.fields.get(kind.title).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let wanted = text::fold(named);
        let found =
            page.rows.iter().find(|row| text::fold(&title(row)) == wanted || row.id.to_string() == wanted);
        found.map(|row| row.id).ok_or_else(|| {
            let names: Vec<String> = page.rows.iter().take(30).map(title).collect();
            ToolFailure(format!("There is no {} \"{named}\". There are: {}.", kind.one, names.join(", ")))
        })
    }
}

fn kind(arguments: &Map<String, Value>) -> Result<&'static Kind, ToolFailure> {
    let name = arguments::text(arguments, "kind")?.unwrap_or("transactions");
    kinds::find(name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        ToolFailure(format!("kind must be one of {}.", names.join(", ")))
    })
}

fn format(arguments: &Map<String, Value>) -> Result<ExportFormat, ToolFailure> {
    let word = arguments::text(arguments, "format")?.unwrap_or("csv");
    word.parse().map_err(|wrong| ToolFailure(format!("format {wrong}.")))
}

fn most(arguments: &Map<String, Value>) -> Result<Option<u64>, ToolFailure> {
    match arguments.get("limit") {
        None | Some(Value::Null) => Ok(None),
        Some(given) => match given.as_u64() {
            Some(most) if most > 0 => Ok(Some(most)),
            _ => Err(ToolFailure("limit must be a whole number from 1 on.".to_owned())),
        },
    }
}

/// By the day that rows of the kind are known by.
fn days(kind: &'static Kind, arguments: &Map<String, Value>) -> Result<Vec<Filter>, ToolFailure> {
    let mut filters = Vec::new();
    for (name, is_start) in [("startDate", true), ("endDate", false)] {
        let Some(text) = arguments::text(arguments, name)? else { continue };
        let day: chrono::NaiveDate =
            text.parse().map_err(|_| ToolFailure(format!("{name} must be a day such as 2026-01-31.")))?;
        let dated = kind.fields.iter().find(|field| field.of == FieldType::Day && field.is_filtered);
        let field =
            dated.ok_or_else(|| ToolFailure(format!("{} have no day to choose by.", kind.label)))?.name;
        let value = json!(day);
        let test = if is_start { Test::AtLeast(value) } else { Test::AtMost(value) };
        filters.push(Filter { field, test });
    }
    Ok(filters)
}

fn reference(
    kind: &'static Kind,
    name: &str,
    field: &str,
) -> Result<(&'static str, &'static Kind), ToolFailure> {
    let field = kind.field(field).filter(|field| field.is_filtered);
    match field.map(|field| (field.name, field.of)) {
        Some((field, FieldType::Reference(other))) => {
            let other =
                kinds::find(other).ok_or_else(|| ToolFailure(format!("{name} can't be looked up.")))?;
            Ok((field, other))
        }
        _ => Err(ToolFailure(format!("{} have no {name} to choose by: leave it out.", kind.label))),
    }
}

fn choice(kind: &'static Kind, name: &str, word: &str) -> Result<Filter, ToolFailure> {
    let field = kind.field(name).filter(|field| field.is_filtered);
    match field.map(|field| (field.name, field.of)) {
        Some((field, FieldType::Choice(words))) if words.contains(&word) => {
            Ok(Filter { field, test: Test::Is(json!(word)) })
        }
        Some((_, FieldType::Choice(words))) => {
            Err(ToolFailure(format!("{name} must be one of {}.", words.join(", "))))
        }
        _ => Err(ToolFailure(format!("{} have no {name} to choose by: leave it out.", kind.label))),
    }
}
