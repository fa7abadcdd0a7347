//! How long each read of the agents takes with very many transactions. Only where someone asks for it, and nothing fails of it:
//! `BATON_MONEY_ROWS=1000000 cargo test --release -p baton-store --test it a_million -- --nocapture`.

use std::time::Instant;

use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::rows::{Filter, RowQuery, Test};
use baton_core::figures::{Figure, FigureQuery, FigureScope, Grain, usual_period};
use baton_core::reports::{By, NamedPeriod, Period, Report, ReportQuery, Side};
use baton_core::store::{Figures, Reports, Rows};
use chrono::Days;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::book::{Book, day};
use crate::speed::{GOAL, ROUNDS, tell};

/// Rows in one statement.
const AT_ONCE: u64 = 50_000;

#[tokio::test]
async fn a_million_transactions() {
    let Some(rows) = std::env::var("BATON_MONEY_ROWS").ok().and_then(|rows| rows.parse::<u64>().ok()) else {
        return;
    };
    let book = Book::open(&mut fastrand::Rng::with_seed(1)).await;
    let raw = book.told.raw().await;
    let began = Instant::now();
    fill(&raw, &book, rows).await;
    println!(
        "{rows} transactions in ten years, made in {:?}; each read in at most {GOAL} ms at p99",
        began.elapsed()
    );
    let today = day("2026-10-17");
    let periods = [
        ("this month", NamedPeriod::ThisMonth.on(today)),
        ("last month", NamedPeriod::LastMonth.on(today)),
        ("this year", NamedPeriod::ThisYear.on(today)),
        ("five years", Period { from: day("2021-05-11"), to: day("2026-05-20") }),
    ];
    for report in Report::ALL {
        for (name, period) in periods {
            for by in By::ALL {
                if by != By::Category && !matches!(report, Report::Spending) {
                    continue;
                }
                let mut times = Vec::new();
                let mut refused = None;
                for round in 0..ROUNDS {
                    let shift = Days::new(round as u64 % 9);
                    let mut query = ReportQuery::new(report, today, period);
                    if name == "five years" {
                        query.period.from = query.period.from + shift;
                    }
                    (query.by, query.side) = (by, Side::Spending);
                    let began = Instant::now();
                    match book.told.store.report(book.scope, query).await {
                        Ok(_) => times.push(began.elapsed()),
                        Err(why) => refused = Some(why.to_string()),
                    }
                }
                tell(&format!("{report} by {by}, {name}"), times, refused);
            }
        }
    }
    let scope = FigureScope {
        workspace_id: book.scope.workspace_id,
        areas: book.scope.areas,
        profile_id: book.person(),
        time_zone: "UTC".to_owned(),
        today,
    };
    for figure in ["spending", "net-worth"].map(|name| Figure::find(name).unwrap()) {
        for by in Grain::ALL {
            let query = FigureQuery { figure, period: usual_period(by, today), by, is_compared: true };
            let (mut times, mut refused) = (Vec::new(), None);
            for _ in 0..ROUNDS {
                let began = Instant::now();
                match book.told.store.figure(&scope, query.clone()).await {
                    Ok(_) => times.push(began.elapsed()),
                    Err(why) => refused = Some(why.to_string()),
                }
            }
            tell(&format!("figure {} by {by}", figure.name), times, refused);
        }
    }
    for (name, filters, search) in [
        ("the newest", vec![], None),
        (
            "last month",
            vec![
                ("booked_on", Test::AtLeast("2026-09-01".into())),
                ("booked_on", Test::AtMost("2026-09-30".into())),
            ],
            None,
        ),
        ("one category", vec![("category_id", Test::Is(book.categories[0].id.to_string().into()))], None),
        ("a frequent word", vec![], Some("payee")),
        ("a rare word", vec![], Some("no1234")),
    ] {
        let filters: Vec<Filter> = filters.into_iter().map(|(field, test)| Filter { field, test }).collect();
        let (mut listed, mut added) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let search = search.map(str::to_owned);
            let query = RowQuery {
                filters: filters.clone(),
                search: search.clone(),
                limit: 50,
                ..RowQuery::default()
            };
            let began = Instant::now();
            book.told.store.rows(book.scope, &TRANSACTIONS, query).await.unwrap();
            listed.push(began.elapsed());
            let began = Instant::now();
            book.told.store.matching(book.scope, filters.clone(), search).await.unwrap();
            added.push(began.elapsed());
        }
        tell(&format!("list, {name}"), listed, None);
        tell(&format!("what they add up to, {name}"), added, None);
    }
    // With one large table and others that are empty, planners rightly read those whole.
    book.told.plans.scans(&raw).await;
    book.told.end().await;
}

/// The same every time: each value follows from the row's number.
async fn fill(raw: &DatabaseConnection, book: &Book, rows: u64) {
    let is_postgres = raw.get_database_backend() == DbBackend::Postgres;
    let id = |id: uuid::Uuid| match is_postgres {
        true => format!("'{id}'::uuid"),
        false => format!("x'{}'", id.simple()),
    };
    let workspace = id(book.scope.workspace_id.0);
    let one_of = |ids: Vec<uuid::Uuid>, by: u32| {
        let cases: Vec<String> =
            ids.iter().enumerate().map(|(at, one)| format!("WHEN {at} THEN {}", id(*one))).collect();
        format!("CASE (i / {by}) % {} {} END", ids.len(), cases.join(" "))
    };
    let account = one_of(book.accounts.iter().take(2).map(|account| account.id).collect(), 3);
    let category = one_of(book.categories.iter().map(|category| category.id).collect(), 7);
    let (new_id, booked, at) = match is_postgres {
        true => ("gen_random_uuid()", "DATE '2016-10-20' + CAST(i % 3650 AS INTEGER)", "now()"),
        false => {
            ("randomblob(16)", "date('2016-10-20', '+' || (i % 3650) || ' days')", "'2026-01-01 00:00:00'")
        }
    };
    let payee = "'Payee no' || ((i * 31) % 4000)";
    for from in (0..rows).step_by(AT_ONCE as usize) {
        let to = rows.min(from + AT_ONCE) - 1;
        let numbers = match is_postgres {
            true => format!("n(i) AS (SELECT * FROM generate_series({from}::bigint, {to}::bigint))"),
            false => {
                format!("RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to})")
            }
        };
        let sql = format!(
            "WITH {numbers} INSERT INTO transactions (id, workspace_id, account_id, booked_on, amount, currency, payee, \
             category_id, is_split, status, activity, source_key, search_text, version, created_at, updated_at) \
             SELECT {new_id}, {workspace}, {account}, {booked}, \
             CASE WHEN i % 23 = 0 THEN 150000 + i % 9973 ELSE -1 - (i * 7919) % 20011 END, 'EUR', {payee}, {category}, \
             false, 'booked', 'payment', 'key:' || i, ' payee no' || ((i * 31) % 4000) || ' ', 1, {at}, {at} FROM n"
        );
        raw.execute_unprepared(&sql).await.unwrap();
    }
    let month = match is_postgres {
        true => "CAST(date_trunc('month', booked_on) AS DATE)",
        false => "substr(booked_on, 1, 7) || '-01'",
    };
    let sums = format!(
        "INSERT INTO month_sums (account_id, month, category_id, flow, workspace_id, money_in, money_out, entries) \
         SELECT account_id, {month}, category_id, 'payment', workspace_id, \
         SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END), SUM(CASE WHEN amount < 0 THEN amount ELSE 0 END), COUNT(*) \
         FROM transactions GROUP BY account_id, {month}, category_id, workspace_id"
    );
    raw.execute_unprepared(&sums).await.unwrap();
    if is_postgres {
        raw.execute_unprepared("VACUUM ANALYZE").await.unwrap();
    }
}
