use std::io::Cursor;

use super::*;
use crate::date::DateOrder;
use crate::money::{Currency, DecimalSign};
use crate::statement::{self, Activity, Statement};

const EUR: Options = Options { currency: Some(Currency::EUR) };

fn statements(qif: &str) -> Vec<Statement> {
    let guess = inspect(Cursor::new(qif), None, &EUR).unwrap();
    assert_eq!(guess.questions, []);
    statement::collect(read(Cursor::new(qif), &guess.mapping, &EUR).unwrap()).unwrap()
}

#[test]
fn transactions_with_splits_and_bad_rows() {
    let qif = "!Type:Bank\r\nD2/14'05\r\nT1,067.50\r\nN12\r\nPShop\r\nMmemo\r\nLBills:Phone\r\nSBills:Phone\r\nEfirst\r\n$-15.00\r\n\
SBills\r\n$1,082.50\r\n^\r\nD14/14/2005\r\nT1.00\r\n^\r\nD1/ 2'05\r\nTx\r\n^\r\nD1/2/05\r\nT3.00\r\nSa\r\n$1.00\r\nSb\r\n$1.00\r\n^\r\n\
D12/31/99\r\nU-4.00\r\nPLast";
    let [statement] = statements(qif).try_into().unwrap();
    let [first, last] = statement.transactions.as_slice() else { panic!("{:?}", statement.transactions) };
    assert_eq!((first.booked.to_string().as_str(), first.amount, first.line), ("2005-02-14", 106_750, 2));
    assert_eq!((first.reference.as_deref(), first.category.as_deref()), (Some("12"), Some("Bills:Phone")));
    let splits: Vec<_> =
        first.splits.iter().map(|s| (s.category.as_deref(), s.memo.as_deref(), s.amount)).collect();
    assert_eq!(splits, [(Some("Bills:Phone"), Some("first"), -1_500), (Some("Bills"), None, 108_250)]);
    assert_eq!((last.booked.to_string().as_str(), last.amount), ("1999-12-31", -400));
    let refused: Vec<_> = statement.refused.iter().map(|r| format!("{}: {}", r.line, r.reason)).collect();
    assert_eq!(
        refused,
        [
            "14: “14/14/2005” is not a date",
            "17: the amount “x” is not an amount",
            "20: its parts do not add up to its amount",
        ]
    );
}

#[test]
fn accounts_and_investments() {
    let qif = "!Option:AutoSwitch\n!Account\nNCash\nTCash\n^\nNDepot\nTInvst\n^\n!Clear:AutoSwitch\n!Account\nNCash\nTCash\n/31.01.2025\n$5,50\n^\n\
!Type:Cash\nD31.01.2025\nT-5,50\n^\n!Account\nNDepot\nTInvst\n^\n!Type:Invst\nD30.01.2025\nNBuy\nYShares\nI1,00\nQ10\nT10,00\n^\n\
D30.01.2025\nNDiv\nT2,00\n^\nD30.01.2025\nNReinvDiv\nT2,00\n^\nD30.01.2025\nNShrsIn\nQ5\n^\n!Type:Cat\nNFood\n^\n";
    let [cash, depot] = statements(qif).try_into().unwrap();
    assert_eq!((cash.account.id.as_deref(), cash.account.kind.as_deref()), (Some("Cash"), Some("Cash")));
    assert_eq!((cash.transactions[0].amount, cash.closing.unwrap().amount), (-550, 550));
    assert_eq!(depot.account.id.as_deref(), Some("Depot"));
    let seen: Vec<_> = depot.transactions.iter().map(|t| (t.amount, t.activity)).collect();
    assert_eq!(seen, [(-1_000, Activity::Trade), (200, Activity::Payment)]);
}

#[test]
fn what_cannot_be_known_is_asked() {
    let qif = "!Type:Bank\nD1/2/2025\nT1,234\n^\n";
    let guess = inspect(Cursor::new(qif), None, &Options::default()).unwrap();
    let texts: Vec<_> = guess.questions.iter().map(Question::text).collect();
    assert_eq!(
        texts,
        [
            "Which currency are the amounts in?",
            "Is the day or the month first in dates such as 1/2/2025?",
            "Which sign begins the decimals in amounts such as 1,234?",
        ]
    );
    assert!(matches!(read(Cursor::new(qif), &guess.mapping, &EUR), Err(Error::NeedsMapping(_))));
    let answered = Mapping {
        currency: Some(Currency::USD),
        date_order: Some(DateOrder::DayMonthYear),
        decimal_sign: Some(DecimalSign::Point),
        ..guess.mapping
    };
    let read = statement::collect(read(Cursor::new(qif), &answered, &EUR).unwrap()).unwrap();
    assert_eq!(
        (read[0].transactions[0].amount, read[0].transactions[0].booked.to_string().as_str()),
        (123_400, "2025-02-01")
    );
    assert!(matches!(inspect(Cursor::new("hello"), None, &EUR), Err(Error::Refused(_))));
}
