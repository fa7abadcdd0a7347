//! Figures over money, against every transaction gone through one by one, and against their rows.

use std::collections::BTreeMap;

use baton_core::data::areas::Areas;
use baton_core::figures::{FigureAnswer, FigureScope, Grain};
use baton_core::reports::{Period, Report, ReportAnswer, ReportQuery};
use chrono::Days;

use super::{ask, compare_with_rows, figure};
use crate::reports::book::{Book, Flavour, day};
use crate::reports::seed;

/// What a bucket's sums are by currency, without nothings.
fn naive(book: &Book, name: &str, bucket: Period) -> BTreeMap<String, i64> {
    let report = if name == "net-worth" { Report::Balances } else { Report::CashFlow };
    let told = match book.naive(&ReportQuery::new(report, bucket.to, bucket)) {
        ReportAnswer::Balances(told) => {
            told.totals.iter().map(|one| (one.currency.code().to_owned(), one.amount)).collect()
        }
        ReportAnswer::CashFlow(told) => {
            let of = |sum: baton_core::reports::CashFlowSum| match name {
                "income" => sum.income,
                "spending" => sum.spending,
                _ => sum.net,
            };
            told.totals.iter().map(|(now, _)| (now.currency.code().to_owned(), of(*now))).collect()
        }
        other => panic!("{other:?}"),
    };
    let told: BTreeMap<String, i64> = told;
    told.into_iter().filter(|(_, amount)| *amount != 0).collect()
}

fn told(answer: &FigureAnswer, place: usize) -> BTreeMap<String, i64> {
    let values = answer.series.iter().filter_map(|one| {
        let value = one.values[place].filter(|value| *value != 0)?;
        Some((one.currency?.code().to_owned(), value))
    });
    values.collect()
}

#[tokio::test]
async fn figures_over_money_are_what_the_rows_add_up_to() {
    let seed = seed();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut book = Book::open(&mut rng).await;
    book.write(&mut rng, 300, &Flavour::ALL).await;
    let mut compared = 0;
    for round in 0..6 {
        let by = Grain::ALL[round % 3];
        let from = day("2025-06-01") + Days::new(rng.u64(0..400));
        let length = [20, 90, 400][by as usize];
        let period = Period { from, to: from + Days::new(rng.u64(0..length)) };
        let scope = FigureScope {
            workspace_id: book.scope.workspace_id,
            areas: Areas::WRITE,
            profile_id: book.person(),
            time_zone: "UTC".to_owned(),
            today: period.to,
        };
        for name in ["income", "spending", "net", "net-worth"] {
            let context = format!("BATON_SEED={seed}: {name} by {by}, {period}");
            let answer = ask(&book.told.store, &scope, figure(name), period, by).await;
            for (place, bucket) in answer.buckets.iter().enumerate() {
                assert_eq!(told(&answer, place), naive(&book, name, *bucket), "{context}: {bucket}");
            }
            // The period before is counted alike.
            let again = ask(&book.told.store, &scope, figure(name), period.before(), by).await;
            for one in &answer.totals {
                let before = again.totals.iter().find(|other| other.currency == one.currency);
                assert_eq!(
                    one.before.unwrap_or(0),
                    before.and_then(|one| one.value).unwrap_or(0),
                    "{context}"
                );
            }
            compared += compare_with_rows(&book.told.store, &scope, &answer, &context).await;
        }
    }
    assert!(compared > 100, "{compared}");
    book.told.end().await;
}
