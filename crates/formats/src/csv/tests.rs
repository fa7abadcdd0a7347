use baton_core::data::kinds::TRANSACTIONS;
use std::io::Cursor;

use super::*;
use crate::date::DateOrder;
use crate::money::{Currency, DecimalSign};
use crate::statement::Transaction;

fn inspected(csv: &[u8], currency: Option<Currency>) -> Inspection {
    inspect(Cursor::new(csv), &fields_of(&TRANSACTIONS), None, &Options { currency }).unwrap()
}

/// What is read of a file about which nothing needs to be asked, as `date amount currency payee`; refused rows as
/// `line: reason`.
fn transactions(csv: &[u8]) -> Vec<String> {
    let seen = inspected(csv, Some(Currency::EUR));
    assert_eq!(seen.guess.questions, [], "{:?}", seen.guess.mapping);
    read_by(csv, &seen.guess.mapping)
}

fn read_by(csv: &[u8], mapping: &Mapping) -> Vec<String> {
    let fields = fields_of(&TRANSACTIONS);
    let shown = |t: Transaction| {
        let payee = t.payee.or(t.memo).unwrap_or_default();
        format!("{} {} {} {payee}", t.booked, t.amount, t.currency)
    };
    let records = read(Cursor::new(csv), &fields, mapping, &Options::default()).unwrap();
    records
        .map(|record| match record.unwrap() {
            Ok(record) => shown(transaction(&record, &fields).unwrap().unwrap()),
            Err(refused) => format!("{}: {}", refused.line, refused.reason),
        })
        .collect()
}

#[test]
fn files_of_banks() {
    let cases: [(&str, Vec<u8>, &[&str]); 11] = [
        (
            "comma, ISO dates",
            b"Date,Payee,Amount,Currency\n2025-01-31,\"Shop, Inc.\",-12.50,USD\n2025-02-01,Work,\"1,200.00\",USD\n".into(),
            &["2025-01-31 -1250 USD Shop, Inc.", "2025-02-01 120000 USD Work"],
        ),
        (
            "German: preamble, semicolons, Windows-1252, footer",
            b"Kontonummer;DE02120300000000202051;\r\n\r\nKontostand vom 31.01.2025:;1.234,56 EUR;\r\n\
\"Buchungstag\";\"Wertstellung\";\"Auftraggeber / Empf\xe4nger\";\"Verwendungszweck\";\"Betrag (EUR)\"\r\n\
\"31.01.25\";\"31.01.25\";\"B\xe4ckerei\";\"Brot\";\"-4,20\"\r\n\
\"30.01.25\";\"30.01.25\";\"Firma\";\"Lohn\";\"2.345,67\"\r\n\
\"Saldo\";\"\";\"\";\"\";\"1.234,56\"\r\n"
                .into(),
            &["2025-01-31 -420 EUR Bäckerei", "2025-01-30 234567 EUR Firma"],
        ),
        (
            "debit and credit columns, month first",
            b"Transaction Date,Description,Debit,Credit,Balance\n01/31/2025,Shop,12.50,,100.00\n02/01/2025,Pay,,\"1,000.00\",1100.00\n"
                .into(),
            &["2025-01-31 -1250 EUR Shop", "2025-02-01 100000 EUR Pay"],
        ),
        (
            "a column that says in or out",
            b"Datum;Naam;Af Bij;Bedrag\n20250131;Winkel;Af;12,50\n20250201;Werk;Bij;1000,00\n".into(),
            &["2025-01-31 -1250 EUR Winkel", "2025-02-01 100000 EUR Werk"],
        ),
        (
            "tabs, D and C, old Mac line ends",
            b"Date\tDetails\tD/C\tAmount\r13/01/2025\tShop\tD\t5.00\r14/01/2025\tWork\tC\t6.00\r".into(),
            &["2025-01-13 -500 EUR Shop", "2025-01-14 600 EUR Work"],
        ),
        (
            "no header",
            b"2025-01-31;Shop;-12,50\n2025-02-01;Work;1000,00\n".into(),
            &["2025-01-31 -1250 EUR ", "2025-02-01 100000 EUR "],
        ),
        (
            "UTF-16, parentheses, sep=",
            "\u{feff}sep=|\r\nDate|Payee|Amount\r\n31 Jan 2025|Shop|(12.50)\r\n1 Feb 2025|Work|$5.00\r\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
            &["2025-01-31 -1250 EUR Shop", "2025-02-01 500 EUR Work"],
        ),
        (
            "the euro sign after the amount (actual#5020)",
            "Date,Payee,Amount\n2025-01-31,Shop,-110.7 €\n2025-01-31,Shop,-1.5 €\n".into(),
            &["2025-01-31 -11070 EUR Shop", "2025-01-31 -150 EUR Shop"],
        ),
        (
            "quotes inside cells, and one that is not closed",
            b"Date,Payee,Amount\n2025-01-31,\"The \"Best\" Shop\",-1.00\n2025-01-31,\"open,-2.00\n2025-01-31,Caf\x22e,-3.00\n"
                .into(),
            &["2025-01-31 -100 EUR The \"Best\" Shop", "3: a quote in this line is not closed", "2025-01-31 -300 EUR Caf\"e"],
        ),
        (
            "bad rows stop nothing",
            b"Date,Payee,Amount\n2025-01-31,A,1.00\n31.31.2025,B,1.00\n2025-01-31,C,x\n2025-01-31,D,\n2025-01-31,E,2.00\n\
2025-01-31,F,3.00\n2025-01-31,G,3.00\n2025-01-31,H,3.00\n2025-01-31,I,3.00\n2025-01-31,J,3.00\n2025-01-31,K,1.234\n"
                .into(),
            &[
                "2025-01-31 100 EUR A",
                "3: Date: “31.31.2025” is not a date that can be read",
                "4: Amount: “x” is not an amount",
                "5: Amount is empty",
                "2025-01-31 200 EUR E",
                "2025-01-31 300 EUR F",
                "2025-01-31 300 EUR G",
                "2025-01-31 300 EUR H",
                "2025-01-31 300 EUR I",
                "2025-01-31 300 EUR J",
                "12: Amount: “1.234” has more decimals than EUR has (2)",
            ],
        ),
        (
            "several lines in a cell; an amount in a column of another currency",
            b"Date,Payee,Memo,Amount,Currency\n2025-01-31,Shop,\"one\ntwo\",1.00,JPY\n2025-01-31,Shop,x,\"1,000\",JPY\n2025-01-31,Shop,x,1.50,KWD\n"
                .into(),
            &[
                "2025-01-31 1 JPY Shop",
                "2025-01-31 1000 JPY Shop",
                "2025-01-31 1500 KWD Shop",
            ],
        ),
    ];
    for (name, csv, expected) in cases {
        assert_eq!(transactions(&csv), expected, "{name}");
    }
}

#[test]
fn what_cannot_be_known_is_asked() {
    let csv = b"Date,Payee,Amount\n01/02/2025,Shop,\"1,234\"\n03/04/2025,Shop,5\n";
    let seen = inspected(csv, None);
    let texts: Vec<String> = seen.guess.questions.iter().map(Question::text).collect();
    assert_eq!(
        texts,
        [
            "Which currency are the amounts in?",
            "Is the day or the month first in dates such as 01/02/2025, 03/04/2025?",
            "Which sign begins the decimals in amounts such as 1,234?",
        ]
    );
    let mut answered = seen.guess.mapping.clone();
    answered.currency = Some(Currency::USD);
    answered.date_order = Some(DateOrder::MonthDayYear);
    answered.decimal_sign = Some(DecimalSign::Point);
    let options = Options::default();
    let again = inspect(Cursor::new(csv), &fields_of(&TRANSACTIONS), Some(&answered), &options).unwrap();
    assert_eq!(again.guess, Guess { mapping: answered.clone(), questions: vec![] });
    assert_eq!(read_by(csv, &answered), ["2025-01-02 123400 USD Shop", "2025-03-04 500 USD Shop"]);
    // Read without answers, nothing is guessed.
    assert!(read_by(csv, &seen.guess.mapping)[0].starts_with("2: Date: "));
}

#[test]
fn a_kept_mapping_fits_the_next_file_or_is_asked_again() {
    let fields = fields_of(&TRANSACTIONS);
    let first = inspected(b"Date;Payee;Amount\n13/01/2025;Shop;-1,50\n", Some(Currency::EUR)).guess.mapping;
    let json = serde_json::to_string(&first).unwrap();
    let kept: Mapping = serde_json::from_str(&json).unwrap();
    assert_eq!(kept, first);
    // Other lines before it, other order of columns, nothing that shows the order of the day.
    let next = b"Account;1\nAmount;Payee;Date\n-2,50;Shop;01/02/2025\n";
    let seen = inspect(Cursor::new(next), &fields, Some(&kept), &Options::default()).unwrap();
    assert_eq!(seen.guess, Guess { mapping: kept.clone(), questions: vec![] });
    assert_eq!(read_by(next, &kept), ["2025-02-01 -250 EUR Shop"]);
    // The bank changed to month first: the file itself says so.
    let changed = b"Date;Payee;Amount\n01/13/2025;Shop;-1,50\n";
    let seen = inspect(Cursor::new(changed), &fields, Some(&kept), &Options::default()).unwrap();
    assert!(matches!(seen.guess.questions.as_slice(), [Question::DateOrder { .. }]));
    // Each file shows its own encoding.
    let latin = b"Date;Payee;Amount\n13/01/2025;Caf\xe9;-1,50\n";
    assert_eq!(read_by(latin, &kept), ["2025-01-13 -150 EUR Café"]);
    // Other columns: guessed anew.
    let other = b"Buchungstag,Betrag\n2025-01-13,-1.50\n";
    let seen = inspect(Cursor::new(other), &fields, Some(&kept), &Options::default()).unwrap();
    assert_eq!(seen.guess.mapping.columns["booked_on"], Source::column("Buchungstag"));
    assert!(matches!(
        read(Cursor::new(other), &fields, &kept, &Options::default()),
        Err(crate::Error::NeedsMapping(_))
    ));
}

#[test]
fn any_kind_of_data() {
    let fields = [
        Field::new("name", "Name", FieldType::Text).required().synonyms(&["full name"]),
        Field::new("email", "Email", FieldType::Text),
        Field::new("stage", "Stage", FieldType::Choice(vec!["Open".into(), "Won".into()])),
        Field::new("value", "Value", FieldType::Money),
        Field::new("score", "Score", FieldType::Number),
        Field::new("active", "Active", FieldType::Bool),
        Field::new("since", "Since", FieldType::Date),
    ];
    let csv = "E-Mail;Full Name;Stage;Value EUR;Score;Active;Since\n\
        a@example.com;'=cmd;open;1.000,50;0,25;yes;31.12.2024\n\
        b@example.com;Bo;lost;;;;\n;;;;;;\nc@example.com;;won;;;;\n";
    let seen = inspect(Cursor::new(csv), &fields, None, &Options::default()).unwrap();
    assert_eq!(seen.guess.questions, []);
    let records: Vec<_> = read(Cursor::new(csv), &fields, &seen.guess.mapping, &Options::default())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let first = records[0].as_ref().unwrap();
    assert_eq!(first.get(&fields, "name"), Some(&Value::Text("=cmd".into())));
    assert_eq!(first.get(&fields, "email"), Some(&Value::Text("a@example.com".into())));
    assert_eq!(first.get(&fields, "stage"), Some(&Value::Choice("Open".into())));
    assert_eq!(first.get(&fields, "value"), Some(&Value::Money { amount: 100_050, currency: Currency::EUR }));
    assert_eq!(first.get(&fields, "active"), Some(&Value::Bool(true)));
    assert_eq!(first.get(&fields, "since"), Some(&Value::Date("2024-12-31".parse().unwrap())));
    assert_eq!(records[1].as_ref().unwrap_err().reason, "Stage: “lost” is none of Open, Won");
    assert_eq!(records[2].as_ref().unwrap_err().reason, "Name is empty");
    assert_eq!(records.len(), 3);
}

#[test]
fn an_open_quote_costs_no_more_than_its_share() {
    // Each line opens a quote that is never closed, and a quote inside a cell is only a sign.
    let csv = format!("Date,Payee,Amount\n{}", "2025-01-31,\"x,1.00\n".repeat(60_000));
    let mut rows = Rows::new(Cursor::new(csv), b',').unwrap();
    let mut row = Row::default();
    let (mut read, mut refused) = (0, 0);
    let begun = std::time::Instant::now();
    while let Some(next) = rows.next_into(&mut row).unwrap() {
        match next {
            Ok(()) => read += 1,
            Err(_) => refused += 1,
        }
    }
    assert_eq!((read, refused), (1, 60_000));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn very_many_columns_are_not_looked_at() {
    let csv = format!("Date,Amount{}\n2025-01-31,1.00\n", ",x".repeat(60_000));
    assert_eq!(inspected(csv.as_bytes(), None).columns.len(), 500);
    assert_eq!(transactions(csv.as_bytes()), ["2025-01-31 100 EUR "]);
}

#[test]
fn rows_longer_than_the_limit_are_refused_alone() {
    let long = "x".repeat(2 * 1024 * 1024);
    let csv = format!("a,b\n{long}\n1,2\n\"{long}\n3,4\n");
    let mut rows = Rows::new(Cursor::new(csv), b',').unwrap();
    let mut row = Row::default();
    let mut seen = Vec::new();
    while let Some(next) = rows.next_into(&mut row).unwrap() {
        seen.push(next.map(|()| row.line).map_err(|refused| refused.line));
    }
    assert_eq!(seen, [Ok(1), Err(2), Ok(3), Err(4), Ok(5)]);
}
