//! The files people bring into Baton and take out of it, without a store, a network or async: bytes in, typed rows out.
//!
//! | what | where |
//! | --- | --- |
//! | which format a file is | [`sniff`] |
//! | CSV of every kind of data, with a mapping and questions for people | [`csv`] |
//! | statements of banks | [`ofx`], [`camt`], [`qif`], all to the words of [`statement`] |
//! | contacts of an address book | [`vcard`] |
//! | amounts and dates as people write them | [`money`], [`date`] |
//! | which transactions are there already | [`dedupe`] |
//! | a folder or a zip of Markdown | [`pages`] |
//! | CSV that reads back to the same rows | [`export`] |
//! | calendars of what is due | [`calendar`] |
//!
//! What always holds:
//!
//! - No input makes it panic, and none makes it need more memory than a few megabytes beside what it gives out: rows,
//!   items and pages come one by one, and everything that can be long has a limit.
//! - A bad row stops nothing else. It is [`statement::Refused`], with its line and the reason in plain English; only a
//!   file that can't be read at all is an [`Error`].
//! - Money is an integer of the currency's smallest unit. It is never a float.
//! - Nothing is guessed that changes what an amount or a date means. What the whole file can't tell is a
//!   [`csv::Question`].

pub mod calendar;
pub mod camt;
pub mod csv;
pub mod date;
pub mod dedupe;
pub mod export;
mod markup;
pub mod money;
pub mod ofx;
pub mod pages;
pub mod qif;
pub mod sniff;
pub mod statement;
pub mod text;
pub mod vcard;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a file as a whole can't be read. What is wrong with single rows is [`statement::Refused`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the file can't be read: {0}")]
    Io(#[from] std::io::Error),
    /// A person must say something first.
    #[error("{}", .0.iter().map(csv::Question::text).collect::<Vec<_>>().join(" "))]
    NeedsMapping(Vec<csv::Question>),
    /// It is not what it was taken for, or more than is read.
    #[error("{0}")]
    Refused(String),
}
