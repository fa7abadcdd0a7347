//! Which transactions of a file are there already. The rules are what years of other programs' bugs say:
//!
//! 1. A bank's own id belongs to one account and is compared whole. Some banks use an id twice: the same id with another
//!    amount or day is another transaction, and is reported.
//! 2. Without an id, a hash of account, booking day, amount, currency, payee and reference, numbered by occurrence within
//!    the file (`h`, `h-2`, …): n equal rows come in as n, and the same file again adds none.
//! 3. Nothing is merged because it is near in time, ever.
//!
//! Both rules end in one text, [`Identity::key`], that is unique within an account: a store needs one unique index. It begins
//! with the day, so that the keys of a file, which goes day by day, lie side by side in that index.
//!
//! What the rules make of a transaction is `judge` in core: a store applies it to its own rows.

use std::collections::HashMap;
use std::fmt::Write;

pub use baton_core::data::duplicates::{Identity, Known, State, Verdict, judge};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use crate::statement::Transaction;

/// Gives the transactions of one file their identities, in the file's order. It keeps twelve bytes for each row
/// without an id.
#[derive(Debug, Default)]
pub struct Identifier {
    /// How often a content was seen, by the beginning of its hash.
    seen: HashMap<u64, u32>,
}

impl Identifier {
    /// `account` is any text that names the account and stays the same.
    pub fn identify(&mut self, account: &str, transaction: &Transaction) -> Identity {
        let source_id = transaction.source_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
        if let Some(id) = source_id {
            let Transaction { booked, amount, currency, .. } = transaction;
            let key = format!("{booked}|id:{id}|{amount}|{currency}");
            return Identity { source_id: Some(id.to_owned()), key };
        }
        let hash = content_hash(account, transaction);
        let beginning = hash.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let count = self.seen.entry(beginning).or_default();
        *count += 1;
        let mut key = format!("{}|", transaction.booked);
        for byte in hash {
            // Writing to a String does not fail.
            let _ = write!(key, "{byte:02x}");
        }
        if *count > 1 {
            let _ = write!(key, "-{count}");
        }
        Identity { source_id: None, key }
    }
}

/// The hash of what makes two transactions without an id the same.
pub fn content_hash(account: &str, transaction: &Transaction) -> [u8; 16] {
    let mut hash = Sha256::new();
    let booked = transaction.booked.to_string();
    let amount = transaction.amount.to_string();
    let payee = normal(transaction.payee.as_deref());
    let reference = normal(transaction.reference.as_deref());
    for part in [account, &booked, &amount, transaction.currency.code(), &payee, &reference] {
        // The length keeps `ab` + `c` apart from `a` + `bc`.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let hash: [u8; 32] = hash.finalize().into();
    // Half of it is far more than chance ever meets, and half the index.
    let mut half = [0; 16];
    half.copy_from_slice(&hash[..16]);
    half
}

/// Alike for what banks write differently from one file to the next: case, spaces, compatible letters.
pub fn normal(text: Option<&str>) -> String {
    let text: String = text.unwrap_or_default().nfkc().flat_map(char::to_lowercase).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use crate::statement::Status;

    fn row(day: &str, amount: i64, payee: &str, id: Option<&str>) -> Transaction {
        Transaction {
            payee: Some(payee.to_owned()),
            source_id: id.map(str::to_owned),
            ..Transaction::new(1, day.parse().unwrap(), amount, Currency::EUR)
        }
    }

    /// What an account has after files were taken in, and how many of each came in.
    fn import(files: &[&[Transaction]]) -> (Vec<Known>, Vec<usize>) {
        let mut known: Vec<Known> = Vec::new();
        let mut counts = Vec::new();
        for file in files {
            let (mut identifier, before) = (Identifier::default(), known.len());
            for row in *file {
                let identity = identifier.identify("a", row);
                match judge(&identity, row.status, &known) {
                    Verdict::New | Verdict::IdReused { .. } => {
                        known.push(Known { identity, state: State::Booked })
                    }
                    Verdict::Duplicate | Verdict::Deleted | Verdict::Settles { .. } => {}
                }
            }
            counts.push(known.len() - before);
        }
        (known, counts)
    }

    #[test]
    fn equal_rows_come_in_as_often_as_they_are_there_and_once() {
        let weekly = [row("2025-01-01", -100, "Cash", None), row("2025-01-01", -100, "Cash", None)];
        let (known, counts) = import(&[&weekly, &weekly, &weekly[..1]]);
        assert_eq!(counts, [2, 0, 0]);
        assert_eq!(known[1].identity.key, format!("{}-2", known[0].identity.key));
        assert_eq!(known[0].identity.key.len(), 43);
        // Files that overlap: what is near in time is never merged.
        let next = [weekly[0].clone(), weekly[1].clone(), row("2025-01-02", -100, "Cash", None)];
        assert_eq!(import(&[&weekly, &next]).1, [2, 1]);
    }

    #[test]
    fn what_a_bank_writes_differently_is_the_same() {
        let one = row("2025-01-01", 5, "Café  de  Paris ", None);
        let other = row("2025-01-01", 5, "CAFE\u{301} DE PARIS", None);
        assert_eq!(import(&[std::slice::from_ref(&one), &[other]]).1, [1, 0]);
        for different in [
            row("2025-01-02", 5, "Café de Paris", None),
            row("2025-01-01", 6, "Café de Paris", None),
            row("2025-01-01", 5, "Café", None),
            Transaction { currency: Currency::USD, ..one.clone() },
            Transaction { reference: Some("x".into()), ..one.clone() },
        ] {
            assert_eq!(import(&[std::slice::from_ref(&one), &[different]]).1, [1, 1]);
        }
        assert_ne!(content_hash("a", &one), content_hash("b", &one));
    }

    #[test]
    fn ids_are_compared_whole_and_belong_to_one_transaction() {
        let first = row("2025-01-01", 5, "x", Some("12"));
        let (known, counts) =
            import(&[std::slice::from_ref(&first), &[row("2025-01-01", 5, "other", Some("12"))]]);
        assert_eq!(counts, [1, 0], "payees may change, the id says that it is the same");
        assert_eq!(
            import(&[std::slice::from_ref(&first), &[row("2025-01-01", 5, "x", Some("123"))]]).1,
            [1, 1]
        );
        let again = Identifier::default().identify("a", &row("2025-01-01", 6, "x", Some("12")));
        assert_eq!(judge(&again, Status::Booked, &known), Verdict::IdReused { id: "12".into() });
        // Taken in, it is known the next time.
        let both = [first, row("2025-01-01", 6, "x", Some("12"))];
        assert_eq!(import(&[&both, &both]).1, [2, 0]);
    }

    #[test]
    fn deleted_stays_deleted_and_pending_is_replaced() {
        let row = row("2025-01-01", 5, "x", Some("12"));
        let identity = Identifier::default().identify("a", &row);
        let known = |state| [Known { identity: identity.clone(), state }];
        assert_eq!(judge(&identity, Status::Booked, &known(State::Deleted)), Verdict::Deleted);
        assert_eq!(judge(&identity, Status::Pending, &known(State::Booked)), Verdict::Duplicate);
        let booked = Transaction { booked: "2025-01-03".parse().unwrap(), ..row };
        let booked = Identifier::default().identify("a", &booked);
        assert_eq!(
            judge(&booked, Status::Booked, &known(State::Pending)),
            Verdict::Settles { key: identity.key.clone() }
        );
        // Told again while it is pending, or by an older file, it is no other: whatever its day and amount are there.
        let pending = |state| {
            let there = [Known { identity: booked.clone(), state }];
            judge(&identity, Status::Pending, &there)
        };
        assert_ne!(booked.key, identity.key);
        assert_eq!(pending(State::Booked), Verdict::Duplicate);
        assert_eq!(pending(State::Pending), Verdict::Duplicate);
        assert_eq!(pending(State::Deleted), Verdict::Deleted);
    }
}
