//! Figures over deals, against every deal and every stage gone through one by one, and against their rows.

use std::collections::BTreeMap;

use baton_core::figures::{FIGURES, FigureArea, Grain};
use baton_core::reports::Period;
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, Value};
use uuid::Uuid;

use super::{ask, compare_with_rows, scope_of};
use crate::cast::Cast;
use crate::reports::book::day;
use crate::reports::seed;

const OPEN: [&str; 4] = ["lead", "qualified", "proposal", "negotiation"];

/// A stage, when the deal came into it, and when it left.
type Stay = (&'static str, DateTime<Utc>, Option<DateTime<Utc>>);

struct Deal {
    created: NaiveDate,
    stage: &'static str,
    amount: i64,
    currency: &'static str,
    closed: Option<NaiveDate>,
    is_deleted: bool,
    stages: Vec<Stay>,
}

/// The day of a moment, five and a half hours ahead.
fn on(at: DateTime<Utc>) -> NaiveDate {
    (at + TimeDelta::minutes(330)).date_naive()
}

async fn run(raw: &DatabaseConnection, sql: &str, values: Vec<Value>) {
    raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values)).await.unwrap();
}

async fn deal(raw: &DatabaseConnection, cast: &Cast, rng: &mut fastrand::Rng) -> Deal {
    let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
    let created = begin + TimeDelta::seconds(rng.i64(0..200 * 86_400));
    let (mut at, mut stages) = (created, Vec::new());
    let mut path: Vec<&str> = OPEN[rng.usize(0..2)..].to_vec();
    path.truncate(rng.usize(1..=path.len()));
    if rng.u8(0..3) > 0 {
        path.push(if rng.bool() { "won" } else { "lost" });
    }
    for (place, stage) in path.iter().enumerate() {
        let left = (place + 1 < path.len()).then(|| at + TimeDelta::seconds(rng.i64(60..20 * 86_400)));
        stages.push((*stage, at, left));
        at = left.unwrap_or(at);
    }
    let stage = path[path.len() - 1];
    let closed = ["won", "lost"].contains(&stage).then(|| on(at));
    let one = Deal {
        created: on(created),
        stage,
        amount: rng.i64(0..900_000),
        currency: if rng.u8(0..4) == 0 { "USD" } else { "EUR" },
        closed,
        is_deleted: rng.u8(0..6) == 0,
        stages,
    };
    let (id, workspace) = (Uuid::now_v7(), cast.workspace.0);
    let deleted = one.is_deleted.then_some(at);
    run(
        raw,
        "INSERT INTO deals (id, workspace_id, name, stage, amount, currency, closed_on, deleted_at, search_text, version, \
         created_at, updated_at) VALUES ($1, $2, 'Desks', $3, $4, $5, $6, $7, '', 1, $8, $8)",
        vec![
            id.into(),
            workspace.into(),
            stage.into(),
            one.amount.into(),
            one.currency.into(),
            one.closed.into(),
            deleted.into(),
            created.into(),
        ],
    )
    .await;
    for (stage, entered, left) in &one.stages {
        run(
            raw,
            "INSERT INTO deal_stages (id, workspace_id, deal_id, stage, entered_at, left_at) VALUES ($1, $2, $3, $4, $5, $6)",
            vec![
                Uuid::now_v7().into(),
                workspace.into(),
                id.into(),
                (*stage).into(),
                (*entered).into(),
                (*left).into(),
            ],
        )
        .await;
    }
    one
}

type Values = BTreeMap<(String, String), i64>;

/// By series and currency; none of what can't be known.
fn naive(deals: &[Deal], name: &str, bucket: Period, today: NaiveDate) -> Option<Values> {
    let mut told: BTreeMap<(String, String), (i64, i64)> = BTreeMap::new();
    let mut add = |key: &str, currency: &str, amount: i64| {
        let tally = told.entry((key.to_owned(), currency.to_owned())).or_default();
        *tally = (tally.0 + 1, tally.1 + amount);
    };
    let end = bucket.to.min(today);
    for deal in deals.iter().filter(|deal| !deal.is_deleted) {
        let is_closed = deal.closed.is_some_and(|day| bucket.contains(day));
        let is_won = deal.stage == "won";
        match name {
            "new-deals" if bucket.contains(deal.created) => add("", "", 0),
            "deals-won" if is_closed && is_won => add("", "", 0),
            "deals-lost" if is_closed && !is_won => add("", "", 0),
            "value-won" if is_closed && is_won => add("", deal.currency, deal.amount),
            "win-rate" if is_closed => add("", "", i64::from(is_won)),
            "pipeline-value" if deal.closed.is_none() => add(deal.stage, deal.currency, deal.amount),
            "pipeline" => {
                for (stage, entered, left) in &deal.stages {
                    if OPEN.contains(stage) && on(*entered) <= end && left.is_none_or(|left| on(left) > end) {
                        add(stage, "", 0);
                    }
                }
            }
            "time-in-stage" => {
                for (stage, entered, left) in &deal.stages {
                    if let Some(left) = left.filter(|left| bucket.contains(on(*left))) {
                        add(stage, "", (left - *entered).num_seconds());
                    }
                }
            }
            _ => {}
        }
    }
    if name == "pipeline" && bucket.from > today || name == "pipeline-value" && !bucket.contains(today) {
        return None;
    }
    let value = |(count, sum): (i64, i64)| match name {
        "value-won" | "pipeline-value" => sum,
        "win-rate" => (sum * 2_000 + count) / (count * 2),
        "time-in-stage" => (sum * 20 + count * 86_400) / (count * 172_800),
        _ => count,
    };
    let averages = ["win-rate", "time-in-stage"].contains(&name);
    let values = told.into_iter().map(|(key, tally)| (key, value(tally)));
    Some(values.filter(|(_, value)| averages || *value != 0).collect())
}

#[tokio::test]
async fn figures_over_deals_are_what_the_deals_say() {
    let seed = seed();
    let mut rng = fastrand::Rng::with_seed(seed);
    let cast = Cast::gather().await;
    let raw = cast.told.raw().await;
    let mut deals = Vec::new();
    for _ in 0..70 {
        deals.push(deal(&raw, &cast, &mut rng).await);
    }
    let (today, mut compared) = (day("2026-10-20"), 0);
    for round in 0..6 {
        let by = Grain::ALL[round % 3];
        // The last reaches beyond today.
        let from = day("2026-01-03") + Days::new(if round > 2 { 270 } else { rng.u64(0..150) });
        let period = Period { from, to: from + Days::new(rng.u64(25..[40, 100, 200][by as usize])) };
        let scope = scope_of(&cast, today);
        for figure in FIGURES.iter().filter(|figure| figure.area == FigureArea::Sales) {
            let context = format!("BATON_SEED={seed}: {} by {by}, {period}", figure.name);
            let answer = ask(&cast.told.store, &scope, figure, period, by).await;
            for (place, bucket) in answer.buckets.iter().enumerate() {
                let averages = ["win-rate", "time-in-stage"].contains(&figure.name);
                let mut told = Values::new();
                for one in &answer.series {
                    let Some(value) = one.values[place] else { continue };
                    let code = one.currency.map(|currency| currency.code().to_owned()).unwrap_or_default();
                    if averages || value != 0 {
                        told.insert((one.key.clone(), code), value);
                    }
                }
                match naive(&deals, figure.name, *bucket, today) {
                    Some(values) => assert_eq!(told, values, "{context}: {bucket}"),
                    None => assert!(told.is_empty(), "{context}: {bucket}"),
                }
            }
            compared += compare_with_rows(&cast.told.store, &scope, &answer, &context).await;
        }
    }
    assert!(compared > 100, "{compared}");
    raw.close().await.unwrap();
    cast.told.end().await;
}
