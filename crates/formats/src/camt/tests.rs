use std::io::Cursor;

use super::*;
use crate::statement::{self, Statement, Status, Transaction};

fn statements(xml: &str) -> Vec<Statement> {
    statement::collect(read(Cursor::new(xml), None).unwrap()).unwrap()
}

fn only(xml: &str) -> Transaction {
    let [statement] = statements(xml).try_into().unwrap();
    let [transaction] = statement.transactions.try_into().unwrap();
    transaction
}

#[test]
fn names_differ_between_versions_and_mean_the_same() {
    let [first] = statements(include_str!("../../tests/fixtures/camt/german-02.xml")).try_into().unwrap();
    assert_eq!(first.account.id.as_deref(), Some("DE89370400440532013000"));
    assert_eq!((first.opening.unwrap().amount, first.closing.unwrap().amount), (100_000, 223_831));
    let [bread, wages] = first.transactions.as_slice() else { panic!("{:?}", first.transactions) };
    assert_eq!(
        (bread.amount, bread.payee.as_deref(), &bread.source_id),
        (-1_250, Some("Bäckerei Müller & Söhne"), &None)
    );
    assert_eq!((bread.memo.as_deref(), &bread.reference), (Some("Brot und Brötchen"), &None));
    assert_eq!(
        (wages.source_id.as_deref(), wages.reference.as_deref()),
        (Some("2025013100001"), Some("LOHN-2025-01"))
    );
    assert_eq!(wages.counterparty_iban.as_deref(), Some("DE02120300000000202051"));

    let [francs, yen] =
        statements(include_str!("../../tests/fixtures/camt/two-accounts-08.xml")).try_into().unwrap();
    assert_eq!(
        (francs.transactions[0].payee.as_deref(), francs.closing.unwrap().amount),
        (Some("Kiosk"), 9_005)
    );
    let seen: Vec<_> =
        yen.transactions.iter().map(|t| (t.amount, t.status, t.memo.as_deref().unwrap())).collect();
    assert_eq!(seen, [(-1_200, Status::Booked, "Ramen"), (-300, Status::Pending, "Reserved")]);
}

#[test]
fn a_foreign_amount_and_its_rate_are_kept() {
    let card = only(include_str!("../../tests/fixtures/camt/card-04.xml"));
    let foreign = card.foreign.unwrap();
    assert_eq!((card.amount, foreign.amount, foreign.currency), (-9_460, Some(10_000), Currency::USD));
    assert_eq!((foreign.rate.as_deref(), card.booked.to_string().as_str()), (Some("0.946"), "2025-01-31"));
}

#[test]
fn a_collective_booking_is_one_transaction_with_splits() {
    let text = include_str!("../../tests/fixtures/camt/batch-06.xml");
    let [statement] = statements(text).try_into().unwrap();
    assert_eq!(statement.closing.unwrap().amount, -40_000);
    let [batch, cash] = statement.transactions.as_slice() else { panic!("{:?}", statement.transactions) };
    let splits: Vec<_> = batch.splits.iter().map(|s| (s.amount, s.memo.as_deref().unwrap())).collect();
    assert_eq!(splits, [(-10_000, "Ann: rent"), (-20_000, "Bo: rent"), (-30_000, "Cy: rent")]);
    assert_eq!((batch.amount, batch.memo.as_deref()), (-60_000, Some("Collective payment")));
    // An entry's number within the statement is no id.
    assert_eq!((cash.amount, &cash.source_id, cash.memo.as_deref()), (20_000, &None, Some("Cash deposit")));
    // Parts that don't make the whole are no splits.
    let [wrong] = statements(&text.replace(">100.00<", ">101.00<")).try_into().unwrap();
    assert_eq!(wrong.transactions[0].splits, []);
}

#[test]
fn bad_entries_stop_nothing() {
    let entry = |inner: &str| format!("<Ntry>\n{inner}</Ntry>\n");
    let (amount, side, day) = (
        "<Amt Ccy='EUR'>1.00</Amt>",
        "<CdtDbtInd>CRDT</CdtDbtInd>",
        "<BookgDt><Dt>2025-01-31</Dt></BookgDt>",
    );
    let entries: String = [
        [side, day].concat(),
        [amount, day].concat(),
        [amount, side].concat(),
        [amount, side, "<BookgDt><Dt>2025-02-31</Dt></BookgDt>"].concat(),
        ["<Amt Ccy='EUR'>x</Amt>", side, day].concat(),
        ["<Amt Ccy='ZZZ'>1</Amt>", side, day].concat(),
        [amount, side, day, "<Sts>INFO</Sts>"].concat(),
        [amount, side, "<ValDt><Dt>2025-01-31Z</Dt></ValDt>"].concat(),
    ]
    .iter()
    .map(|inner| entry(inner))
    .collect();
    let [statement] =
        statements(&format!("<d:Document><Stmt>\n{entries}</Stmt></d:Document>")).try_into().unwrap();
    assert_eq!(statement.transactions.len(), 1);
    let refused: Vec<_> = statement.refused.iter().map(|r| format!("{}: {}", r.line, r.reason)).collect();
    assert_eq!(
        refused,
        [
            "2: the entry has no amount",
            "4: the entry does not say whether it is a debit or a credit",
            "6: the entry has no date",
            "8: “2025-02-31” is not a date",
            "10: the amount “x” is not an amount",
            "12: the amount has no currency that we know",
            "14: the entry is for information only, not booked",
        ]
    );
}

#[test]
fn a_file_that_is_cut_or_none_says_so() {
    let text = include_str!("../../tests/fixtures/camt/german-02.xml");
    let [statement] = statements(&text[..text.len() / 2]).try_into().unwrap();
    assert_eq!(statement.refused.last().unwrap().reason, "the file ends in the middle");
    for none in ["", "x", "<Document></Document>", &"<a>".repeat(1_000)] {
        assert!(
            matches!(read(Cursor::new(none), None).unwrap().next(), Some(Err(Error::Refused(_)))),
            "{none}"
        );
    }
}
