//! CSV files that people open in a spreadsheet. A spreadsheet would run a cell that begins a formula, so such a cell
//! is written as plain text.

/// The same file with an apostrophe before each cell that a spreadsheet would take for a formula. Whether commas,
/// semicolons or tabs separate the cells depends on the reader's country, so a cell may begin after each of them. Plain
/// numbers such as -5.20 stay what they are.
pub fn without_formulas(csv: &str) -> String {
    let mut safe = String::with_capacity(csv.len());
    let mut at = At::Begin;
    for (index, c) in csv.char_indices() {
        let after = &csv[index + c.len_utf8()..];
        if at == At::Begin && begins_formula(&csv[index..], InCell::Plain) {
            safe.push('\'');
        }
        safe.push(c);
        at = match (at, c) {
            (At::Begin, '"') => {
                if begins_formula(after, InCell::Quoted) {
                    safe.push('\'');
                }
                At::Quoted
            }
            // The end of the cell, or the first half of a quote inside it: then the second half opens it again.
            (At::Quoted, '"') => At::Closed,
            (At::Closed, '"') => At::Quoted,
            (At::Quoted, _) => At::Quoted,
            (_, ',' | ';' | '\t' | '\n' | '\r') => At::Begin,
            // A quote inside a cell that did not begin with one is only a sign.
            _ => At::Plain,
        };
    }
    safe
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Begin,
    Plain,
    Quoted,
    Closed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InCell {
    Plain,
    Quoted,
}

/// A number with a sign begins none: these files come from anywhere, and their cells have no types. Text in Baton's own
/// exports is judged more strictly (`export.rs` of `baton-formats`).
fn begins_formula(cell: &str, how: InCell) -> bool {
    let mut chars = cell.chars();
    match chars.next() {
        Some('=' | '@' | '＝' | '＋' | '－' | '＠') => true,
        Some('+' | '-') => !is_number(chars.as_str(), how),
        // Unquoted, these end a cell or a line and begin nothing.
        Some('\t' | '\r') => how == InCell::Quoted,
        _ => false,
    }
}

/// Whether what follows a sign is digits and points to the end of the cell.
fn is_number(rest: &str, how: InCell) -> bool {
    let cell = match how {
        InCell::Plain => rest.split([',', ';', '\t', '\n', '\r']).next(),
        InCell::Quoted => rest.split('"').next(),
    };
    let cell = cell.unwrap_or_default();
    cell.starts_with(|c: char| c.is_ascii_digit()) && cell.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests;
