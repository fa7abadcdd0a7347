//! Cells of one row. The row is given line by line, as a cell in quotes may go on over several.

/// One row: its cells, one after the other in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The number of its first line, from 1.
    pub line: u64,
    text: String,
    ends: Vec<usize>,
}

impl Row {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    pub fn cells(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// How many cells hold anything.
    pub fn filled(&self) -> usize {
        self.cells().filter(|cell| !cell.trim().is_empty()).count()
    }

    pub(super) fn clear(&mut self, line: u64) {
        self.line = line;
        self.text.clear();
        self.ends.clear();
    }

    fn end_cell(&mut self) {
        self.ends.push(self.text.len());
    }
}

/// Where the splitting of a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Splitter {
    CellStart,
    Plain,
    Quoted,
}

impl Splitter {
    /// Adds one line (with its line end) to the row. `Quoted` afterwards: the row goes on with the next line.
    pub(super) fn add(&mut self, line: &str, delimiter: u8, row: &mut Row) {
        let mut rest = line;
        loop {
            rest = match *self {
                Self::CellStart if rest.starts_with('"') => {
                    *self = Self::Quoted;
                    &rest[1..]
                }
                Self::CellStart | Self::Plain => {
                    let stop =
                        memchr::memchr3(delimiter, b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
                    row.text.push_str(&rest[..stop]);
                    row.end_cell();
                    if rest.as_bytes().get(stop) != Some(&delimiter) {
                        *self = Self::CellStart;
                        return;
                    }
                    *self = Self::CellStart;
                    &rest[stop + 1..]
                }
                Self::Quoted => {
                    let Some(stop) = memchr::memchr(b'"', rest.as_bytes()) else {
                        row.text.push_str(rest);
                        return;
                    };
                    row.text.push_str(&rest[..stop]);
                    let after = &rest[stop + 1..];
                    match after.as_bytes().first() {
                        Some(b'"') => {
                            row.text.push('"');
                            &after[1..]
                        }
                        None | Some(b'\n' | b'\r') => {
                            *self = Self::Plain;
                            after
                        }
                        Some(next) if *next == delimiter => {
                            *self = Self::Plain;
                            after
                        }
                        // Spaces between the quote and the delimiter.
                        Some(b' ') if ends_cell(after, delimiter) => {
                            *self = Self::Plain;
                            after.trim_start_matches(' ')
                        }
                        // A quote inside a cell that its writer did not double: a sign like any other.
                        Some(_) => {
                            row.text.push('"');
                            after
                        }
                    }
                }
            };
        }
    }
}

fn ends_cell(after: &str, delimiter: u8) -> bool {
    match after.trim_start_matches(' ').as_bytes().first() {
        None | Some(b'\n' | b'\r') => true,
        Some(next) => *next == delimiter,
    }
}
