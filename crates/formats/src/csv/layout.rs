//! Where the table is in a CSV file: what separates its cells, which row names the columns, where the data begins. Banks
//! put lines before it (account, period, balance) and after it.

use std::collections::HashMap;
use std::io::Cursor;

use super::mapping::Mapping;
use super::rows::{Row, Rows};
use crate::date;
use crate::money::{DecimalSign, scan};

/// In the order of preference where two fit alike: a comma may also be a decimal sign.
const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];
const SAMPLE_ROWS: usize = 300;
/// Columns beyond are not looked at.
const MAX_COLUMNS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub delimiter: char,
    pub encoding: String,
    pub has_header: bool,
    /// All different and never empty.
    pub headers: Vec<String>,
    /// The line of the first row of data.
    pub first_line: u64,
}

struct Found {
    delimiter: u8,
    rows: Vec<Row>,
    width: usize,
    /// How many rows have that many cells.
    agree: usize,
}

/// `sample` is the beginning of the file. A mapping, where there is one, says what the header is.
pub(super) fn find(sample: &str, encoding: &str, mapping: Option<&Mapping>) -> Layout {
    let told = mapping.and_then(|mapping| mapping.delimiter).and_then(|c| u8::try_from(c).ok());
    let said = sample
        .lines()
        .next()
        .and_then(|line| line.trim().strip_prefix("sep="))
        .and_then(|s| s.bytes().next());
    let found = match told.or(said) {
        Some(delimiter) => split(sample, delimiter),
        None => {
            let all = DELIMITERS.into_iter().map(|delimiter| split(sample, delimiter));
            // The first of those that agree most.
            let best = all.reduce(|best, next| if next.agree > best.agree { next } else { best });
            best.filter(|best| best.agree > 0).unwrap_or_else(|| split(sample, b','))
        }
    };
    let header = match mapping {
        Some(mapping) if mapping.has_header => header_of(&found.rows, mapping),
        Some(_) => None,
        None => guess_header(&found),
    };
    let cells = header.map_or(0, |at| found.rows[at].len());
    let width = found.width.max(cells).clamp(1, MAX_COLUMNS);
    let named = header.map(|at| &found.rows[at]);
    let headers = names(named, width);
    let first_line = match header {
        Some(at) => found.rows[at].line + 1,
        None => found.rows.iter().find(|row| row.len() >= found.width).map_or(1, |row| row.line),
    };
    Layout {
        delimiter: char::from(found.delimiter),
        encoding: encoding.to_owned(),
        has_header: header.is_some(),
        headers,
        first_line,
    }
}

fn split(sample: &str, delimiter: u8) -> Found {
    let mut rows = Vec::new();
    let mut row = Row::default();
    if let Ok(mut reader) = Rows::new(Cursor::new(sample), delimiter) {
        while rows.len() < SAMPLE_ROWS {
            match reader.next_into(&mut row) {
                Ok(Some(Ok(()))) => rows.push(row.clone()),
                Ok(Some(Err(_))) => {}
                Ok(None) | Err(_) => break,
            }
        }
    }
    let mut counts: HashMap<usize, usize> = HashMap::new();
    rows.iter().filter(|row| row.len() > 1).for_each(|row| *counts.entry(row.len()).or_default() += 1);
    let widest = counts.into_iter().max_by_key(|&(width, count)| (count, width));
    let (width, agree) = widest.unwrap_or((1, 0));
    Found { delimiter, rows, width, agree }
}

fn names(header: Option<&Row>, width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    for index in 0..width {
        let cell = header.and_then(|row| row.get(index)).unwrap_or_default();
        let name = crate::export::unquoted(cell.trim());
        let name = if name.is_empty() { format!("Column {}", index + 1) } else { name.to_owned() };
        let taken = |name: &String| names.contains(name);
        let name = match taken(&name) {
            false => name,
            true => (2..).map(|n| format!("{name} ({n})")).find(|name| !taken(name)).unwrap_or(name),
        };
        names.push(name);
    }
    names
}

/// The row that has all columns of a mapping.
fn header_of(rows: &[Row], mapping: &Mapping) -> Option<usize> {
    let wanted: Vec<&str> = mapping.columns.values().flat_map(|source| source.columns()).collect();
    rows.iter().position(|row| {
        let names = names(Some(row), row.len().min(MAX_COLUMNS));
        !wanted.is_empty() && wanted.iter().all(|wanted| names.iter().any(|name| name == wanted))
    })
}

/// The first row that is as wide as the table: the header if it holds only words, data otherwise.
fn guess_header(found: &Found) -> Option<usize> {
    let as_wide = |row: &&Row| {
        row.len().abs_diff(found.width) <= 1
            && row.filled() * 10 >= row.len() * 6
            && row.filled() >= found.width.min(2)
    };
    let at = found.rows.iter().position(|row| as_wide(&row))?;
    let row = &found.rows[at];
    row.cells().all(is_words).then_some(at)
}

fn is_words(cell: &str) -> bool {
    let is_amount = scan(cell).is_some_and(|written| {
        written.split(DecimalSign::Point).is_some() || written.split(DecimalSign::Comma).is_some()
    });
    !is_amount && date::scan(cell).is_none()
}
