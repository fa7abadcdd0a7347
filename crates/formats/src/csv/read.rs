//! Reads a CSV file: once to see what is in its columns, and once for its records.

use std::collections::HashMap;
use std::io::{BufRead, Read, Seek};

use super::columns::Column;
use super::convert::{Plan, is_note};
use super::field::Field;
use super::guess::{Guess, Question, finish, guess};
use super::layout::{self, Layout};
use super::mapping::Mapping;
use super::rows::{Row, Rows};
use super::value::Record;
use crate::statement::Refused;
use crate::text::{self, Utf8};
use crate::{Error, Result};

/// How much of the file says where its table is.
const SAMPLE: u64 = 128 * 1024;
const PREVIEW_ROWS: usize = 20;

/// What the caller knows and the file may not say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Of the account, or of the workspace.
    pub currency: Option<crate::money::Currency>,
}

pub struct Inspection {
    pub layout: Layout,
    pub columns: Vec<Column>,
    pub guess: Guess,
    /// The first rows as they are.
    pub preview: Vec<Vec<String>>,
    /// Rows of data, as far as this could tell.
    pub rows: u64,
}

/// Reads the whole file once. A mapping kept from an earlier file holds if this one has its columns.
pub fn inspect<R: Read + Seek>(
    mut file: R,
    fields: &[Field],
    kept: Option<&Mapping>,
    options: &Options,
) -> Result<Inspection> {
    let kept = match kept {
        Some(mapping) => Some(mapping).filter(|_| has_columns(&mut file, mapping).unwrap_or(false)),
        None => None,
    };
    let layout = find_layout(&mut file, kept)?;
    let text = text::open(&mut file, Some(&layout.encoding))?;
    let mut columns: Vec<Column> = layout.headers.iter().map(|name| Column::new(name)).collect();
    let (mut preview, mut count) = (Vec::new(), 0);
    let mut rows = Rows::new(text, delimiter(&layout))?;
    let mut row = Row::default();
    while let Some(read) = rows.next_into(&mut row)? {
        if read.is_err() || row.line < layout.first_line || is_note(&row, layout.headers.len()) {
            continue;
        }
        count += 1;
        columns.iter_mut().zip(row.cells()).for_each(|(column, cell)| column.look_at(cell));
        if preview.len() < PREVIEW_ROWS {
            preview.push(row.cells().map(str::to_owned).collect());
        }
    }
    let guess = match kept {
        Some(mapping) => finish(mapping.clone(), &columns, fields, options),
        None => guess(&layout, &columns, fields, options),
    };
    Ok(Inspection { layout, columns, guess, preview, rows: count })
}

fn has_columns<R: Read + Seek>(file: &mut R, mapping: &Mapping) -> Result<bool> {
    let layout = find_layout(file, Some(mapping))?;
    let mut wanted = mapping.columns.values().flat_map(|source| source.columns());
    Ok(wanted.all(|wanted| layout.headers.iter().any(|name| name == wanted)))
}

fn find_layout<R: Read + Seek>(file: &mut R, mapping: Option<&Mapping>) -> Result<Layout> {
    let label = mapping.and_then(|mapping| mapping.encoding.as_deref());
    let text = text::open(file, label)?;
    let encoding = text.encoding();
    let mut sample = Vec::new();
    text.take(SAMPLE).read_to_end(&mut sample)?;
    if sample.len() as u64 == SAMPLE {
        // The last line is cut.
        let end = memchr::memrchr(b'\n', &sample).map_or(sample.len(), |at| at + 1);
        sample.truncate(end);
    }
    Ok(layout::find(&String::from_utf8_lossy(&sample), encoding, mapping))
}

fn delimiter(layout: &Layout) -> u8 {
    u8::try_from(layout.delimiter).unwrap_or(b',')
}

/// The records of a file, by a mapping whose questions are answered. Rows that can't be read come as [`Refused`].
pub fn read<R: Read + Seek>(
    mut file: R,
    fields: &[Field],
    mapping: &Mapping,
    options: &Options,
) -> Result<Records<Utf8<R>>> {
    let layout = find_layout(&mut file, Some(mapping))?;
    let places: HashMap<&str, usize> =
        layout.headers.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
    let missing = |field: &&Field| match mapping.columns.get(&field.name) {
        Some(source) => source.columns().iter().any(|column| !places.contains_key(column)),
        None => field.required,
    };
    let questions: Vec<Question> = fields
        .iter()
        .filter(missing)
        .map(|field| Question::Column {
            field: field.name.clone(),
            label: field.label.clone(),
            columns: layout.headers.clone(),
        })
        .collect();
    if !questions.is_empty() {
        return Err(Error::NeedsMapping(questions));
    }
    let plan = Plan::new(fields, mapping, options, |column| places.get(column).copied());
    let text = text::open(file, Some(&layout.encoding))?;
    Ok(Records {
        rows: Rows::new(text, delimiter(&layout))?,
        row: Row::default(),
        width: layout.headers.len(),
        first_line: layout.first_line,
        plan,
        passed_over: 0,
    })
}

/// See [`read`].
pub struct Records<R> {
    rows: Rows<R>,
    row: Row,
    width: usize,
    first_line: u64,
    plan: Plan,
    passed_over: u64,
}

impl<R> Records<R> {
    /// Lines that are no rows: what banks write before and after the table.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<std::result::Result<Record, Refused>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.rows.next_into(&mut self.row) {
                Err(error) => return Some(Err(error.into())),
                Ok(None) => return None,
                Ok(Some(Err(refused))) if refused.line >= self.first_line => return Some(Ok(Err(refused))),
                Ok(Some(Err(_))) => self.passed_over += 1,
                Ok(Some(Ok(()))) if self.row.line < self.first_line || is_note(&self.row, self.width) => {
                    self.passed_over += 1;
                }
                Ok(Some(Ok(()))) => match self.plan.record(&self.row) {
                    Some(record) => return Some(Ok(record)),
                    None => self.passed_over += 1,
                },
            }
        }
    }
}
