//! Looks at a file: which format it is, how its columns become fields, what has to be asked, and how it begins. Then
//! [`Look::items`] reads it, whatever the format.

use std::io::{Read, Seek, SeekFrom};

use baton_core::data::imports::FileFormat;
use baton_core::data::kind::{Kind, Presence};
use baton_core::money::Currency;
use baton_formats::csv::{self, Field, Mapping, Options, Source};
use baton_formats::sniff::{Format, sniff};
use baton_formats::statement::{Item, Refused};
use baton_formats::{Error, Result, camt, ofx, qif, vcard};
use sha2::{Digest, Sha256};

use super::file::PieceFile;
use super::report::Question;

/// How much of a file says what it is.
const BEGINNING: u64 = 8 * 1024;
const PREVIEW_ROWS: usize = 20;

#[derive(Debug, Clone)]
pub struct Look {
    pub format: FileFormat,
    pub fields: Vec<Field>,
    pub mapping: Mapping,
    pub currency: Option<Currency>,
    pub questions: Vec<Question>,
    pub columns: Vec<String>,
    pub preview: Vec<Vec<String>>,
    /// Of CSV: whether rows name their account.
    pub has_account_column: bool,
}

pub type Items = Box<dyn Iterator<Item = Result<Item>> + Send>;

pub fn format_of(filename: &str, kind: &Kind, file: &mut PieceFile) -> Result<FileFormat> {
    let mut beginning = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.by_ref().take(BEGINNING).read_to_end(&mut beginning)?;
    let format = match sniff(filename, &beginning) {
        Format::Csv => FileFormat::Csv,
        Format::Ofx => FileFormat::Ofx,
        Format::Camt => FileFormat::Camt,
        Format::Qif => FileFormat::Qif,
        Format::Vcard => FileFormat::Vcard,
        Format::Other(what) => return Err(Error::Refused(format!("This file is {what}."))),
        Format::Zip | Format::Markdown => {
            return Err(Error::Refused("This file holds pages: import it as pages.".to_owned()));
        }
        Format::Unknown => {
            return Err(Error::Refused(
                "Nobody knows this format. CSV, OFX, QFX, CAMT.053, QIF and vCard can be read.".to_owned(),
            ));
        }
    };
    match (format, kind.name) {
        (FileFormat::Csv, _) | (FileFormat::Vcard, "contacts") => Ok(format),
        (FileFormat::Vcard, "transactions") => {
            Err(Error::Refused("This file holds contacts: import it as contacts.".to_owned()))
        }
        (_, "transactions") => Ok(format),
        (_, "contacts") => Err(Error::Refused("Contacts come in as CSV or vCard only.".to_owned())),
        _ => Err(Error::Refused(format!("{} come in as CSV only.", kind.label))),
    }
}

/// The columns of a CSV file, to find a mapping that was kept for them; none for other formats.
pub fn headers_hash(columns: &[String]) -> String {
    let mut hash = Sha256::new();
    for column in columns {
        hash.update((column.len() as u64).to_be_bytes());
        hash.update(column.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `known` is what a person said, or what was kept for these columns.
pub fn look(
    format: FileFormat,
    kind: &'static Kind,
    file: &mut PieceFile,
    known: Option<&Mapping>,
    currency: Option<Currency>,
) -> Result<Look> {
    let fields = csv::fields_of(kind);
    let options = Options { currency: known.and_then(|known| known.currency).or(currency) };
    let mut look = Look {
        format,
        fields,
        mapping: known.cloned().unwrap_or_default(),
        currency: options.currency,
        questions: Vec::new(),
        columns: Vec::new(),
        preview: Vec::new(),
        has_account_column: false,
    };
    match format {
        FileFormat::Csv => {
            let seen = csv::inspect(&mut *file, &look.fields, known, &options)?;
            look.questions = seen.guess.questions.iter().map(Question::from).collect();
            look.mapping = seen.guess.mapping;
            look.columns = seen.layout.headers;
            look.preview = seen.preview.into_iter().take(PREVIEW_ROWS).collect();
            let account = ["account_id".to_owned(), csv::row_id_of("account_id")];
            look.has_account_column = account.iter().any(|name| look.mapping.columns.contains_key(name));
            if needs_currency(kind, &look.mapping) && !look.asks("currency") {
                look.questions.push(Question::from(&csv::Question::Currency));
            }
        }
        FileFormat::Qif => {
            let guess = qif::inspect(&mut *file, known, &options)?;
            look.questions = guess.questions.iter().map(Question::from).collect();
            look.mapping = guess.mapping;
        }
        FileFormat::Vcard => look.preview = card_preview(file, &look.fields)?,
        FileFormat::Ofx | FileFormat::Camt => {}
    }
    look.currency = look.mapping.currency.or(currency);
    Ok(look)
}

/// The first contacts of an address book, for people.
fn card_preview(file: &mut PieceFile, fields: &[Field]) -> Result<Vec<Vec<String>>> {
    file.seek(SeekFrom::Start(0))?;
    let mut preview = Vec::new();
    for card in vcard::read(file, fields).take(PREVIEW_ROWS) {
        let Ok(record) = card? else { continue };
        let shown = ["name", "email", "phone", "company_id"].map(|name| match record.get(fields, name) {
            Some(csv::Value::Text(text)) => text.clone(),
            _ => String::new(),
        });
        preview.push(shown.to_vec());
    }
    Ok(preview)
}

/// Whether every row needs a currency of its own and the file has none.
fn needs_currency(kind: &Kind, mapping: &Mapping) -> bool {
    let is_needed = |field: &baton_core::data::kind::Field| {
        field.name == "currency" && matches!(field.presence, Presence::Required | Presence::Fixed)
    };
    let has_money = csv::fields_of(kind).iter().any(|field| field.of == csv::FieldType::Currency);
    kind.fields.iter().any(is_needed)
        && has_money
        && mapping.currency.is_none()
        && !mapping.columns.contains_key("currency")
}

impl Look {
    pub fn asks(&self, about: &str) -> bool {
        self.questions.iter().any(|question| question.about == about)
    }

    /// The transactions of a file, with what stands between them.
    pub fn items(&self, file: PieceFile) -> Result<Items> {
        let options = Options { currency: self.currency };
        Ok(match self.format {
            FileFormat::Ofx => Box::new(ofx::read(file, self.currency)?),
            FileFormat::Camt => Box::new(camt::read(file, self.currency)?),
            FileFormat::Qif => Box::new(qif::read(file, &self.mapping, &options)?),
            FileFormat::Vcard => {
                return Err(Error::Refused("This file holds contacts: import it as contacts.".to_owned()));
            }
            FileFormat::Csv => {
                let records = csv::read(file, &self.fields, &self.mapping, &options)?;
                let fields = self.fields.clone();
                Box::new(records.map(move |record| match record {
                    Err(error) => Err(error),
                    Ok(Err(refused)) => Ok(Item::Refused(refused)),
                    Ok(Ok(record)) => Ok(match csv::transaction(&record, &fields) {
                        Some(Ok(transaction)) => Item::Transaction(Box::new(transaction)),
                        Some(Err(refused)) => Item::Refused(refused),
                        None => Item::Refused(Refused::new(record.line, "the row has no day or no amount")),
                    }),
                }))
            }
        })
    }

    /// The first transactions of a bank's file, for people.
    pub fn statement_preview(items: Items) -> Vec<Vec<String>> {
        let shown = |item: Item| match item {
            Item::Transaction(row) => Some(vec![
                row.booked.to_string(),
                row.payee.or(row.memo).unwrap_or_default(),
                baton_core::money::format(row.amount, row.currency),
                row.currency.code().to_owned(),
            ]),
            _ => None,
        };
        items.filter_map(|item| item.ok().and_then(shown)).take(PREVIEW_ROWS).collect()
    }
}

/// What a person said, on top of what was guessed.
pub fn merged(
    guess: Option<&serde_json::Value>,
    said: serde_json::Value,
) -> std::result::Result<Mapping, String> {
    let mut merged = guess.and_then(serde_json::Value::as_object).cloned().unwrap_or_default();
    let serde_json::Value::Object(said) = said else { return Err("must be an object".to_owned()) };
    for (name, value) in said {
        match (name.as_str(), merged.get_mut(&name), value) {
            ("columns", Some(serde_json::Value::Object(known)), serde_json::Value::Object(columns)) => {
                for (field, source) in columns {
                    match source.is_null() {
                        true => known.remove(&field),
                        false => known.insert(field, source),
                    };
                }
            }
            (_, _, value) => {
                merged.insert(name, value);
            }
        }
    }
    merged.entry("columns").or_insert_with(|| serde_json::json!({}));
    let mapping = serde_json::from_value(serde_json::Value::Object(merged));
    mapping.map_err(|wrong| format!("can't be read: {wrong}"))
}

/// The columns that a mapping names and the file does not have.
pub fn unknown_columns(mapping: &Mapping, columns: &[String]) -> Vec<String> {
    let named = mapping.columns.values().flat_map(Source::columns);
    named.filter(|name| !columns.iter().any(|column| column == name)).map(str::to_owned).collect()
}
