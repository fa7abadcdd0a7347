//! A large file is read row by row: it is made while it is read, so that it is never in memory as a whole.

use baton_core::data::kinds::TRANSACTIONS;
use std::io::{self, Read, Seek, SeekFrom};

use baton_formats::csv::{self, Options};
use baton_formats::money::Currency;

const HEADER: &[u8] = b"Date;Payee;Memo;Amount;Currency\n";

/// A CSV file of `rows` rows that exists nowhere. All rows are equally long, so any place in it can be found.
struct Made {
    rows: u64,
    at: u64,
}

const ROW: usize = 56;

fn row(number: u64) -> Vec<u8> {
    let row = format!(
        "{:02}.{:02}.2025;Payee {:08};a memo of a row;-{:06},{:02};EUR\n",
        number % 28 + 1,
        number % 12 + 1,
        number,
        number % 999,
        number % 100
    );
    let mut row = row.into_bytes();
    row.resize(ROW, b' ');
    row[ROW - 1] = b'\n';
    row
}

impl Read for Made {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let header = HEADER.len() as u64;
        let piece = match self.at.checked_sub(header) {
            None => HEADER[self.at as usize..].to_vec(),
            Some(past) if past / ROW as u64 >= self.rows => return Ok(0),
            Some(past) => row(past / ROW as u64)[(past % ROW as u64) as usize..].to_vec(),
        };
        let length = piece.len().min(into.len());
        into[..length].copy_from_slice(&piece[..length]);
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Made {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.at = at;
        Ok(at)
    }
}

#[test]
fn a_large_file_is_read_without_holding_it() {
    let rows = std::env::var("BATON_FORMATS_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(50_000);
    let fields = csv::fields_of(&TRANSACTIONS);
    let options = Options { currency: Some(Currency::EUR) };
    let begun = std::time::Instant::now();
    let seen = csv::inspect(Made { rows, at: 0 }, &fields, None, &options).unwrap();
    let inspected = begun.elapsed();
    assert_eq!((seen.rows, seen.guess.questions.len()), (rows, 0));
    let before = resident();
    let (mut count, mut sum, mut most) = (0, 0i64, 0);
    for record in csv::read(Made { rows, at: 0 }, &fields, &seen.guess.mapping, &options).unwrap() {
        let transaction = csv::transaction(&record.unwrap().unwrap(), &fields).unwrap().unwrap();
        count += 1;
        sum += transaction.amount;
        if count % 10_000 == 0 {
            most = most.max(resident());
        }
    }
    let expected: i64 = (0..rows as i64).map(|number| -(number % 999 * 100 + number % 100)).sum();
    assert_eq!((count, sum), (rows, expected));
    let grown = most.saturating_sub(before);
    println!("{rows} rows: inspected in {inspected:?}, both in {:?}, {grown} KiB more", begun.elapsed());
    assert!(grown < 16 * 1024, "it holds {grown} KiB more");
}

/// The memory of this process in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
