//! Reports: every one of them is walked for what must not count, and compared with what all rows add up to when they are
//! gone through one by one.

pub mod book;
mod naive;
mod speed;

use std::collections::BTreeMap;

use baton_core::data::rows::{Filter, Test};
use baton_core::money::Currency;
use baton_core::reports::{By, Period, Report, ReportAnswer, ReportQuery, Side};
use baton_core::store::Reports;
use chrono::NaiveDate;
use sea_orm::ConnectionTrait;

use book::{Book, Flavour, day};

/// Every question that there is to ask about a period.
fn questions(today: NaiveDate, period: Period) -> Vec<ReportQuery> {
    let mut all = Vec::new();
    for report in Report::ALL {
        for by in By::ALL {
            for side in [Side::Spending, Side::Income] {
                let mut query = ReportQuery::new(report, today, period);
                (query.by, query.side, query.limit) = (by, side, 1_000);
                if !all.contains(&query) {
                    all.push(query);
                }
            }
        }
    }
    all
}

pub fn seed() -> u64 {
    let seed = std::env::var("BATON_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("BATON_SEED={seed}");
    seed
}

/// Whether it tells what is owned, so that all flows count, or what came and went.
fn is_of_holdings(report: Report) -> bool {
    matches!(report, Report::Balances | Report::NetWorth | Report::Goals)
}

/// What came in and went out of a period by the list of its transactions, per currency.
async fn listed_sums(book: &Book, period: Period) -> BTreeMap<Currency, (i64, i64)> {
    let filters = [Test::AtLeast(period.from.to_string().into()), Test::AtMost(period.to.to_string().into())];
    let filters = filters.map(|test| Filter { field: "booked_on", test }).to_vec();
    let matching = book.told.store.matching(book.scope, filters, None).await.unwrap();
    let sums =
        matching.sums.iter().map(|sum| (sum.money_in.currency, (sum.money_in.amount, sum.money_out.amount)));
    sums.filter(|(_, sum)| *sum != (0, 0)).collect()
}

/// Transfers between own accounts, trades, pending and deleted transactions are neither income nor spending in any
/// report, and change no net worth. A list's sums are read as income and spending, so they leave them out too.
#[tokio::test]
async fn what_must_not_count_counts_in_no_report() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 150, &[Flavour::Payment, Flavour::Split]).await;
    let period = Period { from: day("2025-11-05"), to: day("2026-10-20") };
    let today = day("2026-10-20");
    let mut answers = Vec::new();
    for query in questions(today, period) {
        answers.push(book.ask(query.clone()).await);
    }
    let sums = listed_sums(&book, period).await;
    assert!(!sums.is_empty());
    let mut wrong = Vec::new();
    for flavour in
        [Flavour::Pending, Flavour::Deleted, Flavour::Transfer, Flavour::OneSidedTransfer, Flavour::Trade]
    {
        book.write(&mut rng, 40, &[flavour]).await;
        for (query, before) in questions(today, period).into_iter().zip(&mut answers) {
            let after = book.ask(query.clone()).await;
            // What one side alone moved, and what was traded, is owned or not owned any more.
            let moves = matches!(flavour, Flavour::OneSidedTransfer | Flavour::Trade);
            let same = match (&*before, &after) {
                _ if is_of_holdings(query.report) && moves => true,
                (ReportAnswer::Balances(before), ReportAnswer::Balances(after)) => {
                    before.totals == after.totals
                }
                (before, after) => before == after,
            };
            if !same {
                wrong.push(format!("{flavour:?} changed {} by {} ({})", query.report, query.by, query.side));
            }
            *before = after;
        }
        if listed_sums(&book, period).await != sums {
            wrong.push(format!("{flavour:?} changed what a list adds up to"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    book.told.end().await;
}

#[tokio::test]
async fn every_report_is_what_the_rows_add_up_to() {
    let seed = seed();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 500, &Flavour::ALL).await;
    for round in 0..12 {
        let first = day("2025-06-01") + chrono::Days::new(rng.u64(0..500));
        let last = first + chrono::Days::new(if rng.bool() { rng.u64(0..40) } else { rng.u64(0..450) });
        let period = match round {
            0 => Period { from: day("2026-02-01"), to: day("2026-02-28") },
            1 => Period { from: day("2026-01-01"), to: day("2026-10-17") },
            2 => Period { from: day("2026-03-14"), to: day("2026-03-14") },
            _ => Period { from: first, to: last },
        };
        let today = period.to;
        for mut query in questions(today, period) {
            if rng.u8(0..4) == 0 {
                query.accounts = vec![book.accounts[rng.usize(0..book.accounts.len())].id];
            }
            if rng.u8(0..4) == 0 && !is_of_holdings(query.report) && query.report != Report::Budgets {
                query.categories = vec![rng.choice(&book.categories).map_or(uuid::Uuid::nil(), |one| one.id)];
            }
            let told = book.ask(query.clone()).await;
            let naive = naive::without_unknown_counts(book.naive(&query), &told);
            assert_eq!(told, naive, "BATON_SEED={seed}: {query:?}");
        }
    }
    book.told.end().await;
}

/// What is asked for by category in a list adds up to what the report tells, also where transactions are split.
#[tokio::test]
async fn a_list_of_a_category_adds_up_to_what_the_report_tells() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 150, &[Flavour::Payment, Flavour::Split, Flavour::Pending, Flavour::Trade]).await;
    let period = Period { from: day("2025-11-05"), to: day("2026-10-20") };
    let days = [Test::AtLeast(period.from.to_string().into()), Test::AtMost(period.to.to_string().into())];
    let mut split = 0;
    for category in book.categories.clone() {
        let (report, sign) = match category.side {
            Side::Spending => (Report::Spending, -1),
            Side::Income => (Report::Income, 1),
        };
        let mut query = ReportQuery::new(report, day("2026-10-20"), period);
        (query.side, query.categories) = (category.side, vec![category.id]);
        let ReportAnswer::Flows(flows) = book.ask(query).await else { panic!() };
        let told = flows.totals.iter().map(|total| (total.currency, total.amount));
        let told: BTreeMap<Currency, i64> = told.filter(|(_, amount)| *amount != 0).collect();

        let mut filters: Vec<Filter> =
            days.iter().map(|test| Filter { field: "booked_on", test: test.clone() }).collect();
        filters.push(Filter { field: "category_id", test: Test::Is(category.id.to_string().into()) });
        let listed = book.told.store.matching(book.scope, filters, None).await.unwrap();
        split += listed.split;
        let sums = listed.sums.iter();
        let sums =
            sums.map(|sum| (sum.money_in.currency, sign * (sum.money_in.amount + sum.money_out.amount)));
        let sums: BTreeMap<Currency, i64> = sums.filter(|(_, sum)| *sum != 0).collect();
        assert_eq!(sums, told, "{}", category.name);
    }
    assert!(split > 0, "some are split");
    book.told.end().await;
}

/// A total in one currency says whence, and there is none if a rate is missing.
#[tokio::test]
async fn totals_are_converted_by_the_workspaces_own_rates() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 60, &[Flavour::Payment]).await;
    let period = Period { from: day("2026-01-01"), to: day("2026-06-30") };
    let ask = |report: Report| {
        let mut query = ReportQuery::new(report, period.to, period);
        query.convert_to = Some(Currency::EUR);
        query
    };
    let ReportAnswer::Balances(told) = book.ask(ask(Report::Balances)).await else { panic!() };
    let converted = told.converted.clone().unwrap();
    assert_eq!((converted.total, converted.missing.len()), (None, 1), "{converted:?}");
    for (rate, from) in [("0.5", "2026-01-15"), ("0.25", "2026-05-01"), ("9", "2026-07-01")] {
        book.rate("USD", "EUR", rate, from).await;
    }
    let ReportAnswer::Balances(told) = book.ask(ask(Report::Balances)).await else { panic!() };
    let converted = told.converted.clone().unwrap();
    let by_code: BTreeMap<&str, i64> =
        told.totals.iter().map(|total| (total.currency.code(), total.amount)).collect();
    let dollars = by_code["USD"];
    let quarter = dollars / 4 + if (dollars % 4).abs() >= 2 { dollars.signum() } else { 0 };
    assert_eq!(converted.total, Some(by_code["EUR"] + quarter), "{told:?}");
    assert_eq!(converted.used[0].rate.valid_from, day("2026-05-01"));
    let ReportAnswer::NetWorth(told) = book.ask(ask(Report::NetWorth)).await else { panic!() };
    let rates: Vec<&str> = told
        .points
        .iter()
        .map(|point| point.converted.as_ref().unwrap().used[0].rate.rate.as_str())
        .collect();
    assert_eq!(rates, ["0.5", "0.5", "0.5", "0.5", "0.25", "0.25"]);
    book.told.end().await;
}

/// A person without the right to see money is told nothing of it, and a workspace's reports know no other's rows.
#[tokio::test]
async fn reports_are_of_one_workspace_and_for_who_may_see_it() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 40, &Flavour::ALL).await;
    let (_, elsewhere) = book.told.person("ben@example.org").await;
    let period = Period { from: day("2025-01-01"), to: day("2026-12-31") };
    for query in questions(period.to, period) {
        let mut other = book.scope;
        other.workspace_id = elsewhere;
        let told = book.told.store.report(other, query.clone()).await.unwrap();
        let empty = match told {
            ReportAnswer::Balances(told) => told.accounts.is_empty() && told.totals.is_empty(),
            ReportAnswer::NetWorth(told) => told.points.iter().all(|point| point.totals.is_empty()),
            ReportAnswer::Flows(told) => told.groups.is_empty() && told.totals.is_empty(),
            ReportAnswer::CashFlow(told) => told.months.is_empty() && told.totals.is_empty(),
            ReportAnswer::Budgets(told) => told.is_empty(),
            ReportAnswer::Goals(told) => told.is_empty(),
            ReportAnswer::Biggest(told) => told.rows.is_empty(),
            ReportAnswer::OddCharges(told) => told.findings.is_empty(),
        };
        assert!(empty, "{query:?}");
        let mut blind = book.scope;
        blind.areas = baton_core::data::areas::Areas::NONE;
        let refused = book.told.store.report(blind, query).await.unwrap_err();
        assert!(matches!(refused, baton_core::store::Error::AreaRefused(_)), "{refused}");
    }
    book.told.end().await;
}

/// Very large amounts are added up exactly or refused in words, never wrongly.
#[tokio::test]
async fn sums_that_no_longer_fit_are_refused() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 5, &[Flavour::Payment]).await;
    let raw = book.told.raw().await;
    raw.execute_unprepared(
        "UPDATE accounts SET opening_balance = 9000000000000000000 WHERE currency = 'EUR'",
    )
    .await
    .unwrap();
    let query = ReportQuery::new(
        Report::Balances,
        day("2026-10-20"),
        Period { from: day("2026-10-20"), to: day("2026-10-20") },
    );
    let refused = book.told.store.report(book.scope, query).await.unwrap_err();
    assert!(refused.to_string().contains("too large"), "{refused}");
    book.told.end().await;
}
