//! Key figures: each is compared with what a plain query says of every bucket, and with the rows that it opens to.

mod money;
mod projects;
mod sales;
mod work;

use std::collections::BTreeMap;

use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::figures::{
    FIGURES, Figure, FigureAnswer, FigureQuery, FigureRow, FigureScope, Grain, Measure, OthersWork,
    RowsQuery, Unit,
};
use baton_core::reports::Period;
use baton_core::store::{Error, Figures};
use baton_store::SqlStore;
use chrono::NaiveDate;

use crate::cast::Cast;
use crate::reports::book::day;

/// Where days begin at an odd time, so that buckets are the person's and not the server's.
const ZONE: &str = "Asia/Kolkata";

fn figure(name: &str) -> &'static Figure {
    Figure::find(name).unwrap_or_else(|| panic!("no figure {name}"))
}

async fn ask(
    store: &SqlStore,
    scope: &FigureScope,
    figure: &'static Figure,
    period: Period,
    by: Grain,
) -> FigureAnswer {
    let query = FigureQuery { figure, period, by, is_compared: true };
    store.figure(scope, query).await.unwrap_or_else(|error| panic!("{}: {error}", figure.name))
}

/// All rows behind a bucket, a few at a time.
async fn open(store: &SqlStore, scope: &FigureScope, query: RowsQuery) -> (Vec<FigureRow>, Vec<OthersWork>) {
    let (mut rows, mut others, mut offset) = (Vec::new(), Vec::new(), 0);
    loop {
        let page = store.figure_rows(scope, RowsQuery { offset, ..query.clone() }).await.unwrap();
        assert!(page.rows.len() <= query.limit as usize);
        rows.extend(page.rows);
        others.extend(page.others);
        match page.next_offset {
            Some(next) => offset = next,
            None => return (rows, others),
        }
    }
}

/// Every value of an answer is what its rows come to. Returns how many values were looked at.
async fn compare_with_rows(
    store: &SqlStore,
    scope: &FigureScope,
    told: &FigureAnswer,
    context: &str,
) -> usize {
    let figure = told.query.figure;
    let mut compared = 0;
    for (place, bucket) in told.buckets.iter().enumerate() {
        let query = RowsQuery { figure, bucket: *bucket, key: None, currency: None, limit: 7, offset: 0 };
        let (rows, others) = open(store, scope, query).await;
        type Tally = (i64, i64);
        let mut tallies: BTreeMap<(String, String), Tally> = BTreeMap::new();
        let listed = rows.iter().map(|row| (&row.key, row.currency, 1, row.amount));
        for (key, currency, count, amount) in
            listed.chain(others.iter().map(|one| (&one.key, None, one.count, one.amount)))
        {
            let code = currency.map(|currency| currency.code().to_owned()).unwrap_or_default();
            let tally = tallies.entry((key.clone(), code)).or_default();
            *tally = (tally.0 + count, tally.1 + amount);
        }
        for series in &told.series {
            let Some(value) = series.values[place] else { continue };
            let code = series.currency.map(|currency| currency.code().to_owned()).unwrap_or_default();
            let (count, amount) = tallies.remove(&(series.key.clone(), code)).unwrap_or_default();
            let found = match figure.measure {
                Measure::Count => count,
                Measure::Sum => amount,
                Measure::Share => (amount * 2_000 + count) / (count * 2),
                Measure::Average if figure.unit == Unit::Days => {
                    (amount * 20 + count * 86_400) / (count * 2 * 86_400)
                }
                Measure::Average => amount / count,
            };
            assert_eq!(found, value, "{context}: {} {bucket} {}", figure.name, series.key);
            compared += 1;
        }
        let left: Vec<_> = tallies.iter().filter(|(_, tally)| tally.1 != 0).collect();
        assert!(
            figure.measure == Measure::Count && tallies.is_empty() || left.is_empty(),
            "{context}: {tallies:?}"
        );
    }
    compared
}

fn scope_of(cast: &Cast, today: NaiveDate) -> FigureScope {
    FigureScope {
        workspace_id: cast.workspace,
        areas: Areas::WRITE,
        profile_id: cast.ana,
        time_zone: ZONE.to_owned(),
        today,
    }
}

#[tokio::test]
async fn figures_are_for_who_may_see_their_area() {
    let cast = Cast::gather().await;
    let today = day("2026-10-20");
    let period = Period { from: day("2026-08-01"), to: today };
    let mut scope = scope_of(&cast, today);
    for area in Area::ALL {
        scope.areas = scope.areas.with(area, AreaAccess::None);
    }
    for figure in FIGURES {
        let refused = cast
            .told
            .store
            .figure(&scope, FigureQuery { figure, period, by: Grain::Month, is_compared: true })
            .await;
        let rows = RowsQuery { figure, bucket: period, key: None, currency: None, limit: 5, offset: 0 };
        let rows = cast.told.store.figure_rows(&scope, rows).await;
        let is_open = figure.area.area().is_none();
        assert_eq!(refused.is_ok(), is_open, "{}", figure.name);
        assert_eq!(rows.is_ok(), is_open, "{}", figure.name);
        assert!(is_open || matches!(refused, Err(Error::AreaRefused(_))), "{}", figure.name);
    }
    // Nothing is counted where nothing is, in any grain.
    scope.areas = Areas::WRITE;
    for figure in FIGURES {
        for by in Grain::ALL {
            let told = ask(&cast.told.store, &scope, figure, period, by).await;
            let values = told.series.iter().flat_map(|one| &one.values);
            assert!(values.flatten().all(|value| *value == 0), "{}", figure.name);
        }
    }
    // Who is no member has nothing to count.
    let (stranger, _) = cast.told.person("ben@example.org").await;
    scope.profile_id = stranger.id;
    let query = FigureQuery { figure: figure("turns"), period, by: Grain::Month, is_compared: false };
    assert!(cast.told.store.figure(&scope, query).await.is_err());
    cast.told.end().await;
}

#[tokio::test]
async fn a_workspace_pins_figures() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    assert_eq!(store.pins(cast.workspace).await.unwrap(), []);
    for name in ["net-worth", "turns", "net-worth"] {
        store.pin(cast.workspace, cast.ana, figure(name), Grain::Week).await.unwrap();
    }
    store.pin(cast.workspace, cast.ana, figure("turns"), Grain::Day).await.unwrap();
    let pins = store.pins(cast.workspace).await.unwrap();
    let told: Vec<_> = pins.iter().map(|pin| (pin.figure.name, pin.by)).collect();
    assert_eq!(told, [("net-worth", Grain::Week), ("turns", Grain::Day)]);
    store.unpin(cast.workspace, figure("net-worth")).await.unwrap();
    store.unpin(cast.workspace, figure("net-worth")).await.unwrap();
    assert_eq!(store.pins(cast.workspace).await.unwrap().len(), 1);
    cast.told.end().await;
}
