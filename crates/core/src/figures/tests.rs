//! What counts come to, and how periods are cut. (That the counts are right is shown by the store's tests.)

use chrono::NaiveDate;

use super::*;
use crate::money::Currency;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn period(from: &str, to: &str) -> Period {
    Period { from: day(from), to: day(to) }
}

fn cut(from: &str, to: &str, by: Grain) -> Vec<String> {
    buckets(period(from, to), by).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn buckets_fill_the_period_and_are_cut_at_its_ends() {
    assert_eq!(
        cut("2026-01-30", "2026-03-02", Grain::Month),
        ["2026-01-30 to 2026-01-31", "2026-02-01 to 2026-02-28", "2026-03-01 to 2026-03-02"]
    );
    // The eleventh is a Wednesday.
    assert_eq!(
        cut("2026-11-11", "2026-11-23", Grain::Week),
        ["2026-11-11 to 2026-11-15", "2026-11-16 to 2026-11-22", "2026-11-23 to 2026-11-23"]
    );
    for by in Grain::ALL {
        let long = period("2024-02-28", "2025-02-15");
        let all = buckets(long, by).unwrap();
        assert_eq!((all[0].from, all[all.len() - 1].to), (long.from, long.to));
        assert!(all.windows(2).all(|two| two[0].to.succ_opt() == Some(two[1].from)), "{by}");
        let usual = buckets(usual_period(by, day("2026-11-18")), by).unwrap();
        assert_eq!(usual.len(), [30, 13, 12][by as usize]);
    }
    let refused = buckets(period("2020-01-01", "2026-01-01"), Grain::Day).unwrap_err();
    assert!(refused.to_string().contains("ask for weeks or months"), "{refused}");
}

#[test]
fn every_figure_is_described_once_and_well() {
    let mut names = std::collections::HashSet::new();
    for figure in FIGURES {
        assert!(names.insert(figure.name), "{} is there twice", figure.name);
        assert_eq!(Figure::find(figure.name), Some(figure));
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(figure.name.chars().all(is_name) && figure.about.ends_with('.'), "{}", figure.name);
        assert!(figure.about.len() < 240 && !figure.about.contains("  "), "{}", figure.about);
        let is_money = figure.unit == Unit::Money;
        assert!(!is_money || figure.measure == Measure::Sum, "{}", figure.name);
    }
}

fn answered(name: &str, cells: &[(usize, &str, i64, i128)]) -> FigureAnswer {
    let figure = Figure::find(name).unwrap();
    let query = FigureQuery {
        figure,
        period: period("2026-03-01", "2026-04-30"),
        by: Grain::Month,
        is_compared: true,
    };
    let (now, before) = (query.period, query.period.before());
    let cell = |&(bucket, key, count, sum): &(usize, &str, i64, i128)| Cell {
        bucket,
        key: key.to_owned(),
        label: key.to_uppercase(),
        currency: (figure.unit == Unit::Money).then_some(Currency::EUR),
        count,
        sum,
    };
    let counted = Counted {
        before: buckets(before, query.by).unwrap(),
        now: buckets(now, query.by).unwrap(),
        cells: cells.iter().map(cell).collect(),
        unknown: vec![false, false, false, false],
        is_own: false,
    };
    answer(query, counted).unwrap()
}

#[test]
fn what_happened_is_added_up_and_compared() {
    let told = answered("handoffs", &[(0, "completed", 4, 0), (2, "completed", 3, 0), (3, "refused", 9, 0)]);
    assert_eq!(
        told.series.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(),
        ["REFUSED", "COMPLETED"]
    );
    let completed = &told.series[1];
    assert_eq!((&completed.values[..], completed.total), (&[Some(3), Some(0)][..], Some(3)));
    assert_eq!((&completed.before_values[..], completed.before), (&[Some(4), Some(0)][..], Some(4)));
    assert_eq!(told.totals[0].values, [Some(3), Some(9)]);
    assert_eq!((told.totals[0].value, told.totals[0].before), (Some(12), Some(4)));
}

#[test]
fn of_what_there_was_the_last_counts() {
    let told = answered("net-worth", &[(0, "", 0, 100), (1, "", 0, 150), (2, "", 0, 90), (3, "", 0, 120)]);
    assert_eq!((told.totals[0].value, told.totals[0].before), (Some(120), Some(150)));
}

#[test]
fn nothing_is_told_as_nothing() {
    let told = answered("turns", &[]);
    assert!(told.series.is_empty());
    assert_eq!((told.totals[0].value, &told.totals[0].values[..]), (Some(0), &[Some(0), Some(0)][..]));
    // Of which currency would it be?
    assert!(answered("income", &[]).totals.is_empty());
}
