//! No input panics, whatever it is; what is written is read back; what is read stays within its meaning.

use baton_core::data::kinds::TRANSACTIONS;
use std::io::Cursor;

use baton_formats::csv::{self, Field, FieldType, Options, Row, Rows, Value};
use baton_formats::date::{self, DateOrder};
use baton_formats::export::{Cell, Writer, unquoted};
use baton_formats::money::{self, Currency, Decimal, DecimalSign};
use baton_formats::pages::{self, Limits, Tree};
use baton_formats::{camt, ofx, qif, sniff::sniff};
use fastrand::Rng;

use crate::random::{for_seeds, mutated, pick, text};

const FILES: &[&[u8]] = &[
    include_bytes!("../fixtures/ofxparse/bank_medium.ofx"),
    include_bytes!("../fixtures/ofxparse/fidelity.ofx"),
    include_bytes!("../fixtures/ofxparse/suncorp.ofx"),
    include_bytes!("../fixtures/camt/german-02.xml"),
    include_bytes!("../fixtures/camt/two-accounts-08.xml"),
    include_bytes!("../fixtures/quiffen/test.qif"),
    include_bytes!("../fixtures/qif/day-first.qif"),
    b"Date;Payee;Amount;Currency\n31.01.2025;\"A \"\"B\"\"\";1.234,56;EUR\n01.02.2025;C;(5,00);JPY\nTotal;;5;\n",
];

/// Reads it as everything it could be.
fn read_all(bytes: &[u8]) {
    let eur = Options { currency: Some(Currency::EUR) };
    let input = || Cursor::new(bytes);
    sniff("x", bytes);
    for item in ofx::read(input(), Some(Currency::USD)).unwrap() {
        drop(item);
    }
    for item in camt::read(input(), None).unwrap() {
        drop(item);
    }
    if let Ok(guess) = qif::inspect(input(), None, &eur) {
        let order = guess.mapping.date_order.or(Some(DateOrder::DayMonthYear));
        let decimal = guess.mapping.decimal_sign.or(Some(DecimalSign::Point));
        let mapping = csv::Mapping { date_order: order, decimal_sign: decimal, ..guess.mapping };
        qif::read(input(), &mapping, &eur).unwrap().for_each(drop);
    }
    let fields = csv::fields_of(&TRANSACTIONS);
    let seen = csv::inspect(input(), &fields, None, &eur).unwrap();
    if let Ok(records) = csv::read(input(), &fields, &seen.guess.mapping, &eur) {
        for record in records.flatten().flatten() {
            csv::transaction(&record, &fields);
        }
    }
    if let Ok(pages) = pages::from_zip(input(), Limits::default()) {
        pages.for_each(drop);
    }
    Tree::new(["a.md", "b/c.png"]).file("a.md", bytes.to_vec());
}

#[test]
fn no_input_panics() {
    for_seeds(800, |dice| {
        let file = pick(dice, FILES);
        read_all(&mutated(dice, file));
    });
    for_seeds(300, |dice| {
        let pieces = [
            "<OFX>",
            "<STMTTRN>",
            "</STMTTRN>",
            "<TRNAMT>",
            "<Stmt>",
            "<Ntry>",
            "</Ntry>",
            "<Amt Ccy=\"EUR\">",
            "<![CDATA[",
            "]]>",
            "<!--",
            "&#x",
            "&amp;",
            "!Type:Bank\n",
            "^\n",
            "D1/2'3\n",
            "T1,2.3\n",
            "S\n",
            "$",
            "\"",
            "\"\"",
            ",",
            ";",
            "\n",
            "\r",
            "1.5",
            "2025-01-31",
            "---\n",
            "[[",
            "]](",
            "](",
            ")",
            "![",
            "`",
            "[a]: <",
            "PK\u{3}\u{4}",
            "\u{feff}",
            "ﷺ",
            "'",
            "=",
            "(",
            "-",
        ];
        read_all(text(dice, &pieces, 60).as_bytes());
        let bytes: Vec<u8> = (0..dice.usize(..200)).map(|_| dice.u8(..)).collect();
        read_all(&bytes);
    });
}

#[test]
fn no_zip_panics() {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a.md", "b/index.md", "b/c.png"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(b"---\na: b\n---\n[c](b/c.png) [[index]]").unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    for_seeds(2_000, |dice| {
        if let Ok(pages) = pages::from_zip(Cursor::new(mutated(dice, &zip)), Limits::default()) {
            pages.for_each(drop);
        }
    });
}

#[test]
fn cells_panic_nowhere_and_amounts_come_back() {
    let pieces = [
        "1", "23", "456", ".", ",", "'", " ", "-", "(", ")", "€", "USD", "CR", "/", "Jan", "2025", "T10:00",
        "\u{a0}",
    ];
    for_seeds(20_000, |dice| {
        let cell = text(dice, &pieces, 8);
        for sign in [DecimalSign::Point, DecimalSign::Comma] {
            let _ = money::parse(&cell, Currency::EUR, sign);
            let _ = Decimal::parse(&cell, sign);
        }
        let _ = money::parse_exact(&cell, Currency::EUR);
        let _ = date::parse(&cell, DateOrder::MonthDayYear);

        let minor = dice.i64(-i64::MAX..) >> dice.u32(..63);
        let currency = Currency::parse(pick(dice, &["EUR", "JPY", "KWD", "CLF"])).unwrap();
        let written = money::format(minor, currency);
        assert_eq!(money::parse_exact(&written, currency).unwrap().minor, minor, "{written}");
        let shown = grouped(&written, dice);
        assert_eq!(money::parse(&shown, currency, DecimalSign::Comma), Ok(minor), "{shown}");
    });
}

/// An amount with thousands, decimals after a comma, and its minus anywhere.
fn grouped(plain: &str, dice: &mut Rng) -> String {
    let mark = pick(dice, &[".", " ", "'", "\u{202f}", ""]);
    let (whole, part) =
        plain.trim_start_matches('-').split_once('.').unwrap_or((plain.trim_start_matches('-'), ""));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push_str(mark);
        }
        text.push(digit);
    }
    if !part.is_empty() {
        text = format!("{text},{part}");
    }
    match (plain.starts_with('-'), dice.u8(..3)) {
        (false, _) => text,
        (true, 0) => format!("-{text}"),
        (true, 1) => format!("({text})"),
        (true, _) => format!("{text}-"),
    }
}

const WRITTEN: &[&str] = &[
    "a", "ß", "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "\"", "'", ",", ";", "|", " ", "0", "1.5", "日本",
];

#[test]
fn rows_that_are_written_are_read_back() {
    for_seeds(3_000, |dice| {
        let width = dice.usize(2..6);
        let rows: Vec<Vec<String>> = (0..dice.usize(1..8))
            .map(|_| (0..width).map(|_| text(dice, WRITTEN, 6).replace('\0', "")).collect())
            .collect();
        let headers: Vec<String> = (0..width).map(|n| format!("h{n}")).collect();
        let mut writer = Writer::new(Vec::new(), headers.iter().map(String::as_str)).unwrap();
        for row in &rows {
            writer.row(row.iter().map(|cell| Cell::Text(cell))).unwrap();
        }
        let csv = writer.finish().unwrap();
        let mut reader = Rows::new(Cursor::new(csv), b',').unwrap();
        let (mut row, mut seen) = (Row::default(), Vec::new());
        while let Some(read) = reader.next_into(&mut row).unwrap() {
            read.unwrap();
            seen.push(row.cells().map(|cell| unquoted(cell).to_owned()).collect::<Vec<_>>());
        }
        assert_eq!(seen[0], headers);
        assert_eq!(seen[1..], rows);
    });
}

#[test]
fn pages_that_are_written_are_read_back() {
    let pieces = ["# a\n", "text ", "---\n", "[a](b.md)", "\n", "\"", "\\", "é", ": ", "'", "#", "- "];
    for_seeds(300, |dice| {
        let mut writer = pages::Writer::new(Cursor::new(Vec::new()));
        let mut expected = Vec::new();
        for number in 0..dice.usize(1..5) {
            let path = format!("{}/page {number}.md", pick(dice, &["a", "b ü", "a/c"]));
            let title = text(dice, &pieces, 3).replace(['\0', '\u{feff}'], "") + "t";
            let value = text(dice, &pieces, 3).replace(['\0', '\u{feff}'], "");
            let properties = vec![("tags: x".to_owned(), value), ("other".to_owned(), "1, 2".to_owned())];
            let body = text(dice, &pieces, 8).replace('\0', "");
            let body = body.trim_start_matches(['\r', '\n']).to_owned();
            writer.page(&path, &title, &properties, &body).unwrap();
            expected.push((path, title, properties, body));
        }
        writer.attachment("img/x.png", b"png").unwrap();
        let zip = writer.finish().unwrap();
        let read = pages::from_zip(zip, Limits::default()).unwrap();
        assert_eq!(read.tree().refused(), []);
        let mut pages = Vec::new();
        for file in read {
            match file.unwrap().unwrap() {
                pages::File::Page(page) => pages.push((page.path, page.title, page.properties, page.body)),
                pages::File::Attachment { path, bytes } => {
                    assert_eq!((path.as_str(), &bytes[..]), ("img/x.png", &b"png"[..]))
                }
            }
        }
        assert_eq!(pages, expected);
    });
}

#[test]
fn records_that_are_written_are_read_back() {
    let fields = [
        Field::new("name", "Name", FieldType::Text).required(),
        Field::new("day", "Day", FieldType::Date).required(),
        Field::new("currency", "Currency", FieldType::Currency).required(),
        Field::new("amount", "Amount", FieldType::Movement).required(),
        Field::new("note", "Note", FieldType::Text),
    ];
    for_seeds(500, |dice| {
        let mut writer = Writer::new(Vec::new(), fields.iter().map(|field| field.label.as_str())).unwrap();
        let mut rows = Vec::new();
        for _ in 0..dice.usize(1..20) {
            // A name that no reader takes for a remark.
            let name = format!("N{}", text(dice, WRITTEN, 4).replace('\0', "").trim_end());
            let note = text(dice, WRITTEN, 4).replace('\0', "").trim().to_owned();
            let day = chrono::NaiveDate::from_num_days_from_ce_opt(dice.i32(710_000..740_000)).unwrap();
            let currency = Currency::parse(pick(dice, &["EUR", "JPY", "KWD"])).unwrap();
            let amount = dice.i64(-1_000_000_000..1_000_000_000);
            let (shown_day, shown_amount) = (day.to_string(), money::format(amount, currency));
            let cells = [
                Cell::Text(&name),
                Cell::Plain(&shown_day),
                Cell::Plain(currency.code()),
                Cell::Plain(&shown_amount),
                Cell::Text(&note),
            ];
            writer.row(cells).unwrap();
            rows.push((name, day, currency, amount, note));
        }
        let csv = writer.finish().unwrap();
        let seen = csv::inspect(Cursor::new(&csv), &fields, None, &Options::default()).unwrap();
        assert_eq!(seen.guess.questions, []);
        let mapping = seen.guess.mapping;
        let records = csv::read(Cursor::new(&csv), &fields, &mapping, &Options::default()).unwrap();
        let records: Vec<_> = records.map(|record| record.unwrap().unwrap().values).collect();
        let expected: Vec<_> = rows
            .into_iter()
            .map(|(name, day, currency, amount, note)| {
                let note = Some(note).filter(|note| !note.is_empty()).map(Value::Text);
                let values = [
                    Value::Text(name),
                    Value::Date(day),
                    Value::Currency(currency),
                    Value::Money { amount, currency },
                ];
                values.into_iter().map(Some).chain([note]).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(records, expected);
    });
}
