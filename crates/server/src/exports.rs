//! Rows as files. A CSV has the columns that an import looks for, so it reads back to the same rows; cells that a spreadsheet would
//! run are quoted. It is written page by page.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use axum::body::Bytes;
use baton_core::data::check;
use baton_core::data::exports::{ExportFormat, ExportRefused, ExportWish, Exporter, KEPT, MAX_BYTES};
use baton_core::data::imports::{ExportFile, PIECE};
use baton_core::data::kind::{FieldType, Kind};
use baton_core::data::money::PARTS;
use baton_core::data::rows::{DataScope, MAX_PAGE, Row, RowQuery};
use baton_core::data::shown::title_name;
use baton_core::ids::{ExportId, ProfileId};
use baton_core::money::{self, Currency};
use baton_core::store::{Error, Result, Store};
use baton_formats::csv::{self, Field};
use baton_formats::export::{Cell, Writer};
use chrono::Utc;
use futures::stream::{BoxStream, StreamExt, try_unfold};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A file in pieces. An error is the last of them.
pub type FilePieces = BoxStream<'static, Result<Bytes>>;

/// The addresses of people, by which files name them: of those who left, only the names are known.
type Emails = HashMap<Uuid, String>;

/// Where the writing stands.
struct Pages {
    store: Arc<dyn Store>,
    scope: DataScope,
    wish: ExportWish,
    /// None before the first page.
    cursor: Option<Option<String>>,
    /// Of the workspace's members, if rows of the kind name people.
    emails: Emails,
    rows: u64,
    is_done: bool,
}

pub fn pieces(store: Arc<dyn Store>, scope: DataScope, wish: ExportWish) -> FilePieces {
    let pages = Pages::new(store, scope, wish);
    try_unfold(pages, |mut pages| async move {
        match pages.next().await? {
            Some((bytes, _)) => Ok(Some((bytes, pages))),
            None => Ok(None),
        }
    })
    .boxed()
}

impl Pages {
    fn new(store: Arc<dyn Store>, scope: DataScope, wish: ExportWish) -> Self {
        Self { store, scope, wish, cursor: None, emails: Emails::new(), rows: 0, is_done: false }
    }

    /// The next page as bytes, and how many rows it has.
    async fn next(&mut self) -> Result<Option<(Bytes, u64)>> {
        if self.is_done {
            return Ok(None);
        }
        let is_first = self.cursor.is_none();
        if is_first && self.wish.kind.fields.iter().any(|field| field.of == FieldType::Member) {
            let members = self.store.members(self.scope.workspace_id).await?;
            self.emails = members.into_iter().map(|member| (member.profile_id.0, member.email)).collect();
        }
        // Never none: the page that reached it was the last.
        let left = self.wish.most.map(|most| most.saturating_sub(self.rows));
        let (limit, cursor) =
            (left.map_or(MAX_PAGE, |left| left.min(MAX_PAGE)), self.cursor.take().flatten());
        let query = RowQuery { limit, cursor, ..self.wish.query.clone() };
        let page = self.store.rows(self.scope, self.wish.kind, query).await?;
        self.is_done = page.next_cursor.is_none() || left == Some(page.rows.len() as u64);
        self.cursor = Some(page.next_cursor);
        let kind = self.wish.kind;
        let bytes = match self.wish.format {
            ExportFormat::Csv => csv_page(kind, &page.rows, &self.emails, is_first)
                .map_err(|error| Error::Database(Box::new(error)))?,
            ExportFormat::Json => self.json_page(&page.rows, is_first),
        };
        self.rows += page.rows.len() as u64;
        Ok(Some((bytes.into(), page.rows.len() as u64)))
    }

    fn json_page(&self, rows: &[Row], is_first: bool) -> Vec<u8> {
        let mut text = String::new();
        if is_first {
            let head = json!({ "kind": self.wish.kind.name, "exported_at": Utc::now() }).to_string();
            text.push_str(head.trim_end_matches('}'));
            text.push_str(",\"rows\":[");
        }
        for (at, row) in rows.iter().enumerate() {
            if at > 0 || self.rows > 0 {
                text.push(',');
            }
            text.push('\n');
            text.push_str(&Value::Object(json_row(self.wish.kind, row)).to_string());
        }
        if self.is_done {
            text.push_str("\n]}\n");
        }
        text.into_bytes()
    }
}

fn csv_page(kind: &Kind, rows: &[Row], emails: &Emails, is_first: bool) -> std::io::Result<Vec<u8>> {
    let columns: Vec<Field> =
        csv::fields_of(kind).into_iter().filter(|column| !column.other_files_only).collect();
    let headers = columns.iter().map(|column| column.label.as_str());
    let mut writer = match is_first {
        true => Writer::new(Vec::new(), headers)?,
        false => Writer::going_on(Vec::new()),
    };
    for row in rows {
        let cells: Vec<(String, bool)> =
            columns.iter().map(|column| cell(kind, row, column, emails)).collect();
        writer.row(cells.iter().map(|(text, is_plain)| match is_plain {
            true => Cell::Plain(text),
            false => Cell::Text(text),
        }))?;
    }
    writer.finish()
}

/// A cell, and whether we wrote it ourselves.
fn cell(kind: &Kind, row: &Row, column: &Field, emails: &Emails) -> (String, bool) {
    let name = column.name.as_str();
    if name == csv::ROW_ID {
        return (row.id.to_string(), true);
    }
    if name == csv::SPLITS {
        let parts = row.fields.get(PARTS).and_then(Value::as_array).filter(|parts| !parts.is_empty());
        return (parts.map(|parts| splits(row, parts).to_string()).unwrap_or_default(), false);
    }
    if let Some(reference) = name.strip_suffix(".row_id") {
        return (text_of(row.fields.get(reference)), true);
    }
    let Some(field) = kind.field(name) else { return (String::new(), true) };
    let value = row.fields.get(name).filter(|value| !value.is_null());
    match field.of {
        FieldType::Reference(_) => (text_of(row.titles.get(title_name(name))), false),
        FieldType::Member => {
            let email = value.and_then(check::id).and_then(|id| emails.get(&id));
            (email.cloned().unwrap_or_else(|| text_of(row.titles.get(title_name(name)))), false)
        }
        FieldType::Money { currency } => {
            (value.map(|value| decimal(row, currency, value)).unwrap_or_default(), true)
        }
        FieldType::Line { .. } | FieldType::Prose { .. } | FieldType::Decimal => (text_of(value), false),
        _ => (text_of(value), true),
    }
}

fn splits(row: &Row, parts: &[Value]) -> Value {
    let part = |part: &Value| {
        let mut shown = Map::new();
        if !part["category"].is_null() {
            shown.insert("category".to_owned(), part["category"].clone());
        }
        shown.insert("amount".to_owned(), decimal(row, "currency", &part["amount"]).into());
        if !part["memo"].is_null() {
            shown.insert("memo".to_owned(), part["memo"].clone());
        }
        Value::Object(shown)
    };
    parts.iter().map(part).collect()
}

fn text_of(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn decimal(row: &Row, currency: &str, value: &Value) -> String {
    let currency = row.fields.get(currency).and_then(Value::as_str).and_then(Currency::parse);
    match (value.as_i64(), currency) {
        (Some(minor), Some(currency)) => money::format(minor, currency),
        _ => text_of(Some(value)),
    }
}

/// All fields: amounts as decimals, references by id and by name.
fn json_row(kind: &Kind, row: &Row) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert("id".to_owned(), json!(row.id));
    for field in kind.fields {
        let value = row.fields.get(field.name).cloned().unwrap_or(Value::Null);
        let value = match field.of {
            FieldType::Money { currency } if !value.is_null() => decimal(row, currency, &value).into(),
            _ => value,
        };
        shown.insert(field.name.to_owned(), value);
        if let FieldType::Reference(_) | FieldType::Member = field.of {
            let title = row.titles.get(title_name(field.name)).cloned();
            shown.insert(title_name(field.name).to_owned(), title.unwrap_or(Value::Null));
        }
    }
    if let Some(parts) = row.fields.get(PARTS).and_then(Value::as_array) {
        shown.insert(PARTS.to_owned(), splits(row, parts));
    }
    shown.insert("created_at".to_owned(), json!(row.created_at));
    shown.insert("updated_at".to_owned(), json!(row.updated_at));
    shown
}

pub fn filename(kind: &Kind, format: ExportFormat) -> String {
    format!("{}-{}.{format}", kind.name, Utc::now().date_naive())
}

/// Makes files that are kept for a day.
pub struct KeptExports {
    pub store: Arc<dyn Store>,
}

#[async_trait]
impl Exporter for KeptExports {
    async fn export(
        &self,
        scope: DataScope,
        person: ProfileId,
        wish: ExportWish,
    ) -> std::result::Result<ExportFile, ExportRefused> {
        let id = ExportId::new();
        let written = self.write(id, scope, wish.clone()).await;
        let (rows, size) = match written {
            Ok(written) => written,
            Err(refused) => {
                self.store.remove_file(id.0).await?;
                return Err(refused);
            }
        };
        let file = ExportFile {
            id,
            workspace_id: scope.workspace_id,
            profile_id: person,
            kind: wish.kind.name.to_owned(),
            format: wish.format.to_string(),
            filename: filename(wish.kind, wish.format),
            rows,
            size,
            expires_at: Utc::now() + KEPT,
        };
        self.store.keep_export(file.clone()).await?;
        Ok(file)
    }
}

impl KeptExports {
    async fn write(
        &self,
        id: ExportId,
        scope: DataScope,
        wish: ExportWish,
    ) -> std::result::Result<(u64, u64), ExportRefused> {
        let workspace = scope.workspace_id;
        let mut pages = Pages::new(self.store.clone(), scope, wish);
        let (mut piece, mut position, mut size) = (Vec::new(), 0, 0u64);
        while let Some((bytes, _)) = pages.next().await? {
            size += bytes.len() as u64;
            if size > MAX_BYTES {
                return Err(ExportRefused::TooLarge);
            }
            piece.extend_from_slice(&bytes);
            while piece.len() >= PIECE {
                let rest = piece.split_off(PIECE);
                self.store.keep_piece(workspace, id.0, position, std::mem::replace(&mut piece, rest)).await?;
                position += 1;
            }
        }
        self.store.keep_piece(workspace, id.0, position, piece).await?;
        Ok((pages.rows, size))
    }
}

/// A kept file, piece by piece.
pub fn kept(store: Arc<dyn Store>, file: &ExportFile) -> FilePieces {
    let (id, size) = (file.id.0, file.size);
    try_unfold((store, 0u64), move |(store, position)| async move {
        if position * PIECE as u64 >= size.max(1) {
            return Ok(None);
        }
        let bytes = store.piece(id, position).await?;
        Ok(Some((Bytes::from(bytes), (store, position + 1))))
    })
    .boxed()
}
