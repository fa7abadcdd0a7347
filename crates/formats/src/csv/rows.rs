//! The rows of a CSV file, one at a time, in bounded memory. What is hard: a quote that is never closed would swallow the
//! rest of the file. Such a row is refused by its first line, and reading goes on with the line after it.

use std::io::{self, BufRead};

pub use super::split::Row;
use super::split::Splitter;
use crate::statement::Refused;

/// The longest row, over all its lines.
const MAX_ROW: usize = 1024 * 1024;
/// How many bytes are read twice for quotes that are not closed, before cells may no longer span lines.
const MAX_READ_TWICE: usize = 64 * 1024 * 1024;

pub struct Rows<R> {
    file: R,
    delimiter: u8,
    /// What ends a line: `\n`, or `\r` alone in files of old Macs.
    terminator: u8,
    line: u64,
    /// The lines of the row that is being read.
    raw: String,
    bytes: Vec<u8>,
    /// Lines that are read again, after a quote that was not closed.
    again: Vec<u8>,
    again_at: usize,
    read_twice: usize,
}

#[derive(PartialEq, Eq)]
enum Line {
    Read,
    TooLong,
    End,
}

impl<R: BufRead> Rows<R> {
    pub fn new(mut file: R, delimiter: u8) -> io::Result<Self> {
        let beginning = file.fill_buf()?;
        let terminator = match memchr::memchr(b'\n', beginning).is_none() && beginning.contains(&b'\r') {
            true => b'\r',
            false => b'\n',
        };
        Ok(Self {
            file,
            delimiter,
            terminator,
            line: 0,
            raw: String::new(),
            bytes: Vec::new(),
            again: Vec::new(),
            again_at: 0,
            read_twice: 0,
        })
    }

    /// The next row into `row`; none at the end. Empty lines are passed over.
    pub fn next_into(&mut self, row: &mut Row) -> io::Result<Option<Result<(), Refused>>> {
        loop {
            self.raw.clear();
            match self.read_line(MAX_ROW)? {
                Line::End => return Ok(None),
                Line::TooLong => {
                    return Ok(Some(Err(Refused::new(self.line, "the line is longer than 1 MiB"))));
                }
                Line::Read => {}
            }
            if self.raw.trim_end_matches(['\r', '\n']).is_empty() {
                continue;
            }
            return self.finish_row(row).map(Some);
        }
    }

    fn finish_row(&mut self, row: &mut Row) -> io::Result<Result<(), Refused>> {
        let first_line = self.line;
        let first_end = self.raw.len();
        row.clear(first_line);
        let mut splitter = Splitter::CellStart;
        splitter.add(&self.raw, self.delimiter, row);
        while splitter == Splitter::Quoted {
            let from = self.raw.len();
            let room = if self.read_twice < MAX_READ_TWICE { MAX_ROW.saturating_sub(from) } else { 0 };
            if self.read_line(room)? != Line::Read {
                self.go_back_to(first_end, first_line);
                return Ok(Err(Refused::new(first_line, "a quote in this line is not closed")));
            }
            splitter.add(&self.raw[from..], self.delimiter, row);
        }
        Ok(Ok(()))
    }

    /// Reads the lines after the first again, as rows of their own.
    fn go_back_to(&mut self, first_end: usize, first_line: u64) {
        self.line = first_line;
        if self.raw.len() > first_end {
            let mut again = self.raw.as_bytes()[first_end..].to_vec();
            again.extend_from_slice(&self.again[self.again_at..]);
            self.read_twice += again.len();
            self.again = again;
            self.again_at = 0;
        }
    }

    /// Adds the next line to `raw`, with its line end. One that is longer than `room` is passed over where it begins a
    /// row, and kept for the next row where it would go on with one.
    fn read_line(&mut self, room: usize) -> io::Result<Line> {
        self.bytes.clear();
        let goes_on = !self.raw.is_empty();
        let mut too_long = false;
        loop {
            let from_again = self.again_at < self.again.len();
            let buffer = if from_again { &self.again[self.again_at..] } else { self.file.fill_buf()? };
            if buffer.is_empty() {
                break;
            }
            let end = memchr::memchr(self.terminator, buffer).map(|at| at + 1);
            let length = end.unwrap_or(buffer.len());
            too_long |= self.bytes.len() + length > room;
            if !too_long || goes_on {
                self.bytes.extend_from_slice(&buffer[..length]);
            }
            match from_again {
                true => self.again_at += length,
                false => self.file.consume(length),
            }
            if end.is_some() || (too_long && goes_on) {
                break;
            }
        }
        if too_long && goes_on {
            match self.again_at.checked_sub(self.bytes.len()) {
                Some(start) if self.again[start..self.again_at] == self.bytes => self.again_at = start,
                // Some of it came from the file; then nothing is left of what is read again.
                _ => {
                    self.again = std::mem::take(&mut self.bytes);
                    self.again_at = 0;
                }
            }
            return Ok(Line::TooLong);
        }
        if too_long {
            self.line += 1;
            return Ok(Line::TooLong);
        }
        if self.bytes.is_empty() {
            return Ok(Line::End);
        }
        self.line += 1;
        self.raw.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(Line::Read)
    }
}
