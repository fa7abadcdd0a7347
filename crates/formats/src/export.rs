//! Writing CSV (RFC 4180) that people open in a spreadsheet and that [`crate::csv`] reads back to the same rows. A
//! spreadsheet runs a cell that begins like a formula, so such text gets an apostrophe in front, and reading takes it
//! off again. Text that begins with an apostrophe gets one too; otherwise it would lose its own.

use std::io::{self, Write};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// What people wrote.
    Text(&'a str),
    /// A number, an amount or a date that we wrote ourselves.
    Plain(&'a str),
}

pub struct Writer<W> {
    to: W,
}

impl<W: Write> Writer<W> {
    /// Begins with the row of headers.
    pub fn new<'a>(to: W, headers: impl IntoIterator<Item = &'a str>) -> io::Result<Self> {
        let mut writer = Self { to };
        writer.row(headers.into_iter().map(Cell::Text))?;
        Ok(writer)
    }

    /// Goes on with a file whose headers are written.
    pub fn going_on(to: W) -> Self {
        Self { to }
    }

    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> io::Result<()> {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.to.write_all(b",")?;
            }
            match cell {
                Cell::Plain(text) => self.cell("", text)?,
                Cell::Text(text) if needs_apostrophe(text) => self.cell("'", text)?,
                Cell::Text(text) => self.cell("", text)?,
            }
        }
        self.to.write_all(b"\r\n")
    }

    fn cell(&mut self, before: &str, text: &str) -> io::Result<()> {
        // Spaces at the ends are kept by some readers only within quotes.
        let quoted =
            text.contains(['"', ',', ';', '\t', '\r', '\n']) || text.trim() != text || !before.is_empty();
        match quoted {
            true => write!(self.to, "\"{before}{}\"", text.replace('"', "\"\"")),
            false => self.to.write_all(text.as_bytes()),
        }
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Numbers are cells of a type of their own, so text that looks like one gets an apostrophe too. Files from elsewhere have
/// no types, and keep theirs (`csv.rs` of `baton-core`).
fn begins_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

fn needs_apostrophe(text: &str) -> bool {
    begins_formula(text) || text.starts_with('\'')
}

/// A cell without the apostrophe that keeps a spreadsheet from running it.
pub fn unquoted(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if needs_apostrophe(text) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text_and_come_back() {
        for (text, written) in [
            ("=1+1", "\"'=1+1\""),
            ("+49 30 1", "\"'+49 30 1\""),
            ("-5", "\"'-5\""),
            ("@me", "\"'@me\""),
            ("\tx", "\"'\tx\""),
            ("\rx", "\"'\rx\""),
            ("'=x", "\"''=x\""),
            ("''", "\"'''\""),
            ("'", "\"''\""),
            ("O'Neill", "O'Neill"),
            ("say \"hi\", you", "\"say \"\"hi\"\", you\""),
            ("a\nb", "\"a\nb\""),
        ] {
            let mut writer = Writer::new(Vec::new(), ["h"]).unwrap();
            writer.row([Cell::Text(text), Cell::Plain("-5.20")]).unwrap();
            let csv = String::from_utf8(writer.finish().unwrap()).unwrap();
            assert_eq!(csv, format!("h\r\n{written},-5.20\r\n"));
            let cell = written.trim_matches('"').replace("\"\"", "\"");
            assert_eq!(unquoted(&cell), text);
        }
    }
}
