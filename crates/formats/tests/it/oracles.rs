//! The fixtures hold what independent parsers find in them: the same number of transactions per account, the same sum
//! and the same closing balance. `scripts/formats-oracles` asks the parsers; the table is kept, so this needs no network.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use baton_formats::csv::{Mapping, Options};
use baton_formats::date::DateOrder;
use baton_formats::money::Currency;
use baton_formats::sniff::{Format, sniff};
use baton_formats::statement::{Statement, collect};
use baton_formats::{Result, camt, ofx, qif};

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn read(path: &Path) -> Result<Vec<Statement>> {
    let open = || File::open(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    let options = Options { currency: Some(Currency::USD) };
    match sniff(&name, &std::fs::read(path).unwrap()) {
        Format::Ofx => collect(ofx::read(open(), options.currency)?),
        Format::Camt => collect(camt::read(open(), None)?),
        Format::Qif => {
            let guess = qif::inspect(open(), None, &options)?;
            // What a person would say: these files' dates can be read either way.
            let order = guess.mapping.date_order.or(Some(DateOrder::MonthDayYear));
            collect(qif::read(open(), &Mapping { date_order: order, ..guess.mapping }, &options)?)
        }
        other => panic!("{name} is {other:?}"),
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Found {
    count: usize,
    sum: i64,
    balance: Option<i64>,
}

/// What is found per account. A collective booking counts as often as it has parts: the parser of CAMT counts those.
fn found(statements: &[Statement]) -> BTreeMap<String, Found> {
    let mut accounts = BTreeMap::new();
    for statement in statements {
        let entry = accounts
            .entry(statement.account.id.clone().unwrap_or_else(|| "-".to_owned()))
            .or_insert(Found { count: 0, sum: 0, balance: None });
        entry.count += statement.transactions.iter().map(|t| t.splits_counted()).sum::<usize>();
        entry.sum += statement.transactions.iter().map(|t| t.amount).sum::<i64>();
        entry.balance = statement.closing.map(|balance| balance.amount).or(entry.balance);
    }
    accounts
}

trait Counted {
    fn splits_counted(&self) -> usize;
}

impl Counted for baton_formats::statement::Transaction {
    fn splits_counted(&self) -> usize {
        // Splits of QIF are parts of one transaction for its parser too; they have categories.
        if self.splits.iter().any(|split| split.category.is_some()) { 1 } else { self.splits.len().max(1) }
    }
}

#[test]
fn independent_parsers_find_the_same() {
    let table = std::fs::read_to_string(fixtures().join("oracles.tsv")).unwrap();
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [file, parser, account, count, sum, balance] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let statements = read(&fixtures().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        if count.is_empty() {
            continue;
        }
        let expected =
            Found { count: count.parse().unwrap(), sum: sum.parse().unwrap(), balance: balance.parse().ok() };
        let mut found = found(&statements);
        let ours = match found.remove(account) {
            Some(ours) => ours,
            // An account that is only listed has no statement.
            None if expected == (Found { count: 0, sum: 0, balance: None }) => continue,
            None => panic!("{file}: {parser} finds the account {account}, we find {found:?}"),
        };
        assert_eq!(ours, expected, "{file}, account {account}, by {parser}");
        compared += 1;
    }
    assert!(compared >= 40, "only {compared} accounts were compared");
}

#[test]
fn every_fixture_is_in_the_table() {
    let table = std::fs::read_to_string(fixtures().join("oracles.tsv")).unwrap();
    for folder in
        std::fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let is_fixture = file
                .extension()
                .is_some_and(|ending| ["ofx", "qif", "xml"].iter().any(|known| ending == *known));
            let name = file.strip_prefix(fixtures()).unwrap().to_string_lossy().into_owned();
            assert!(
                !is_fixture || table.contains(&name),
                "{name} is not in oracles.tsv: run scripts/formats-oracles"
            );
        }
    }
}

#[test]
fn bad_rows_of_the_fixtures_are_refused_with_their_lines() {
    let refused = |file: &str| {
        let statements = read(&fixtures().join(file)).unwrap();
        let refused = statements.iter().flat_map(|statement| &statement.refused);
        refused.map(|refused| format!("{}: {}", refused.line, refused.reason)).collect::<Vec<_>>()
    };
    assert_eq!(
        refused("ofxparse/date_missing.ofx"),
        [
            "33: the transaction has no date",
            "40: the transaction has no date",
            "48: “20120231” is not a date"
        ]
    );
    assert_eq!(refused("ofxparse/decimal_error.ofx"), ["34: “201120000000” is not a date"]);
    assert_eq!(refused("ofxparse/error_message.ofx"), ["26: the bank says: General Server Error"]);
    assert_eq!(refused("ofxparse/empty_balance.ofx"), [""; 0]);
}
