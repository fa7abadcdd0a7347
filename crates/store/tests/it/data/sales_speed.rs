//! How long each read of the pages and agents takes with very many deals. Only where someone asks for it, and nothing fails of it:
//! `scripts/bench sales`, or `BATON_SALES_DEALS=100000 cargo test --release -p baton-store --test it very_many_deals -- --nocapture`.

use std::time::Instant;

use baton_core::data::areas::Areas;
use baton_core::data::kind::{Direction, Kind};
use baton_core::data::kinds::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};
use baton_core::data::rows::{Filter, RowQuery, Test};
use baton_core::figures::{FIGURES, FigureArea, FigureQuery, FigureScope, Grain, RowsQuery, usual_period};
use baton_core::store::{Figures, Sales};
use chrono::NaiveDate;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;
use crate::speed::{GOAL, time};

/// Each of the others belongs to one of so many.
const COMPANIES_MADE: usize = 20;
/// Deals of one contact.
const DEALS_EACH: u64 = 5;

#[tokio::test]
async fn very_many_deals() {
    let many = std::env::var("BATON_SALES_DEALS").ok().and_then(|many| many.parse::<u64>().ok());
    let Some(many) = many else { return };
    let desk = Desk::set_up().await;
    let mut companies = Vec::new();
    for number in 0..COMPANIES_MADE {
        companies.push(desk.made(&COMPANIES, json!({"name": format!("Company {number}")})).await);
    }
    let raw = desk.cast.told.raw().await;
    let began = Instant::now();
    fill(&raw, &desk, &companies, many).await;
    println!(
        "{many} deals and as many activities, of {} contacts, made in {:?}; each read in at most {GOAL} ms at p99",
        many / DEALS_EACH,
        began.elapsed()
    );
    lists(&desk, companies[3], many).await;

    let store = &desk.cast.told.store;
    let (contact, deal) = (numbered(1, 77), numbered(2, 77));
    time("a contact's history", async |_| {
        assert!(!store.contact_history(desk.scope, contact, 50, None).await.unwrap().entries.is_empty());
    })
    .await;
    time("the stages of a deal", async |_| {
        assert_eq!(store.deal_stages(desk.scope, deal).await.unwrap().len(), 2);
    })
    .await;
    for (name, filters) in [
        ("the pipeline", vec![]),
        ("the pipeline of one owner", vec![is("owner_id", json!(desk.cast.ana))]),
        ("the pipeline of what was won and lost in a month", within("closed_on", "2026-09-01", "2026-09-30")),
    ] {
        time(name, async |_| {
            store.pipeline(desk.scope, filters.clone()).await.unwrap();
        })
        .await;
    }
    found(&desk, many).await;
    overview(&desk).await;
    figures(&desk).await;
    // With some large tables and others that are empty, planners rightly read those whole.
    desk.cast.told.plans.scans(&raw).await;
    raw.close().await.unwrap();
    desk.end().await;
}

/// What it is called, of what, in which order, which rows, and what is searched.
type Read<'a> = (&'a str, &'static Kind, Option<(String, Direction)>, Vec<Filter>, &'a str);

async fn lists(desk: &Desk, company: Uuid, many: u64) {
    let rare = format!("rare{}", many - 1);
    let by = |field: &str, direction| Some((field.to_owned(), direction));
    let position = by("position", Direction::Rising);
    let open = || vec![Filter { field: "done_on", test: Test::IsNull }];
    let reads: [Read; 14] = [
        ("a stage of the board", &DEALS, position, vec![is("stage", json!("proposal"))], ""),
        ("deals as they come", &DEALS, None, vec![], ""),
        ("deals by amount", &DEALS, by("amount", Direction::Falling), vec![], ""),
        ("deals by name", &DEALS, by("name", Direction::Rising), vec![], ""),
        ("deals of a company", &DEALS, None, vec![is("company_id", json!(company))], ""),
        ("deals of an owner", &DEALS, None, vec![is("owner_id", json!(desk.cast.ana))], ""),
        (
            "deals to be closed in a month",
            &DEALS,
            None,
            within("expected_close_on", "2026-09-01", "2026-09-30"),
            "",
        ),
        ("deals with a frequent word", &DEALS, None, vec![], "deal"),
        ("deals with a word of one in nine", &DEALS, None, vec![], "word7"),
        ("deals with a rare word", &DEALS, None, vec![], &rare),
        ("contacts as they come", &CONTACTS, None, vec![], ""),
        ("contacts with a status", &CONTACTS, None, vec![is("status", json!("new"))], ""),
        ("activities to be done", &ACTIVITIES, by("due_on", Direction::Rising), open(), ""),
        ("activities with a frequent word", &ACTIVITIES, None, vec![], "call"),
    ];
    for (name, kind, order, filters, search) in reads {
        let search = Some(search.to_owned()).filter(|words| !words.is_empty());
        let query = RowQuery { order, filters, search, limit: 200, ..Default::default() };
        let mut next = None;
        time(name, async |_| {
            let page = desk.page(kind, query.clone()).await;
            assert!(!page.rows.is_empty(), "{name}");
        })
        .await;
        time(&format!("{name}, page after page"), async |_| {
            let page = desk.page(kind, RowQuery { cursor: next.take(), ..query.clone() }).await;
            next = page.next_cursor;
        })
        .await;
    }
}

/// What imports and agents look up: contacts by their addresses, and whatever a name means.
async fn found(desk: &Desk, many: u64) {
    let store = &desk.cast.told.store;
    let contacts = many / DEALS_EACH;
    let addresses =
        |of: u64| (0..of).map(|at| format!("c{}@x.example", at * 7 % contacts)).collect::<Vec<_>>();
    for (name, emails) in
        [("a contact by its address", addresses(1)), ("contacts by 100 addresses", addresses(100))]
    {
        time(name, async |_| {
            assert!(!store.contacts_of(desk.scope, emails.clone()).await.unwrap().is_empty());
        })
        .await;
    }
    for (kind, name) in [
        (&CONTACTS, "Contact 77".to_owned()),
        (&CONTACTS, format!("Contact {}", contacts - 1)),
        (&DEALS, "Deal word77 rare77".to_owned()),
        (&COMPANIES, "Company 7".to_owned()),
    ] {
        let query = RowQuery { search: Some(name.clone()), limit: 20, ..Default::default() };
        time(&format!("the {} called {name}", kind.one), async |_| {
            assert!(!desk.page(kind, query.clone()).await.rows.is_empty());
        })
        .await;
    }
}

/// The parts of the overview of `manageCRM`.
async fn overview(desk: &Desk) {
    for status in ["new", "contacted", "qualified", "unqualified", "converted"] {
        let query = RowQuery { filters: vec![is("status", json!(status))], limit: 1, ..Default::default() };
        time(&format!("how many leads are {status}"), async |_| {
            desk.page(&CONTACTS, query.clone()).await;
        })
        .await;
    }
    let done = Filter { field: "done_on", test: Test::IsNull };
    for (name, to) in [("overdue tasks", "2026-10-16"), ("tasks due within a week", "2026-10-24")] {
        let filters = [within("due_on", "1900-01-01", to), vec![done.clone()]].concat();
        let order = Some(("due_on".to_owned(), Direction::Rising));
        let query = RowQuery { filters, order, limit: 10, ..Default::default() };
        time(name, async |_| {
            assert!(!desk.page(&ACTIVITIES, query.clone()).await.rows.is_empty());
        })
        .await;
    }
}

async fn figures(desk: &Desk) {
    let scope = FigureScope {
        workspace_id: desk.scope.workspace_id,
        areas: Areas::WRITE,
        profile_id: desk.cast.ana,
        time_zone: "UTC".to_owned(),
        today: "2026-10-17".parse::<NaiveDate>().unwrap(),
    };
    let store = &desk.cast.told.store;
    for figure in FIGURES.iter().filter(|figure| figure.area == FigureArea::Sales) {
        for by in Grain::ALL {
            let query = FigureQuery { figure, period: usual_period(by, scope.today), by, is_compared: true };
            let told = store.figure(&scope, query.clone()).await.unwrap();
            time(&format!("{} by {by}", figure.name), async |_| {
                store.figure(&scope, query.clone()).await.unwrap();
            })
            .await;
            let bucket = *told.buckets.last().unwrap();
            let rows = RowsQuery { figure, bucket, key: None, currency: None, limit: 50, offset: 0 };
            time(&format!("{} by {by}, what is behind the last", figure.name), async |_| {
                store.figure_rows(&scope, rows.clone()).await.unwrap();
            })
            .await;
        }
    }
}

fn is(field: &'static str, value: Value) -> Filter {
    Filter { field, test: Test::Is(value) }
}

fn within(field: &'static str, from: &str, to: &str) -> Vec<Filter> {
    vec![Filter { field, test: Test::AtLeast(from.into()) }, Filter { field, test: Test::AtMost(to.into()) }]
}

/// The id of a row that `fill` makes: contacts are 1, deals 2, stages 3 and 4, activities 5.
fn numbered(kind: u128, number: u128) -> Uuid {
    Uuid::from_u128((kind << 64) + number)
}

/// The same every time: each value follows from the row's number.
async fn fill(raw: &DatabaseConnection, desk: &Desk, companies: &[Uuid], many: u64) {
    let is_postgres = desk.cast.told.is_postgres();
    let id = |id: Uuid| match is_postgres {
        true => format!("'{id}'::uuid"),
        false => format!("x'{}'", id.simple()),
    };
    let numbered = |kind: u32, number: &str| match is_postgres {
        true => format!("CAST(lpad(to_hex({kind}), 16, '0') || lpad(to_hex({number}), 16, '0') AS uuid)"),
        false => format!("unhex(printf('%016x%016x', {kind}, {number}))"),
    };
    // Two years up to now.
    let day = |days: &str| match is_postgres {
        true => format!("DATE '2024-10-18' + CAST({days} AS INTEGER)"),
        false => format!("date('2024-10-18', '+' || ({days}) || ' days')"),
    };
    let moment = |days: &str| match is_postgres {
        true => format!("CAST({} AS timestamptz)", day(days)),
        false => format!("{} || ' 09:00:00+00:00'", day(days)),
    };
    let (workspace, ana) = (id(desk.scope.workspace_id.0), id(desk.cast.ana.0));
    let cases: Vec<String> =
        companies.iter().enumerate().map(|(at, one)| format!("WHEN {at} THEN {}", id(*one))).collect();
    let company = format!("CASE i % {} {} END", companies.len(), cases.join(" "));
    let series = |to: u64| {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {to})"
        )
    };
    let words = "' deal word' || (i % 1000) || ' rare' || i || ' '";
    let contact = numbered(1, &format!("i / {DEALS_EACH}"));
    let stage = "CASE i % 6 WHEN 0 THEN 'lead' WHEN 1 THEN 'qualified' WHEN 2 THEN 'proposal' WHEN 3 THEN 'negotiation' \
                 WHEN 4 THEN 'won' ELSE 'lost' END";
    let (begun, moved) = ("i % 600", "i % 600 + 1 + i % 120");
    let statements = [
        format!(
            "{} INSERT INTO contacts (id, workspace_id, name, email, company_id, status, owner_id, search_text, version, created_at, \
             updated_at) SELECT {}, {workspace}, 'Contact ' || i, 'c' || i || '@x.example', {company}, \
             CASE i % 4 WHEN 0 THEN 'new' WHEN 1 THEN 'contacted' WHEN 2 THEN 'qualified' END, {ana}, ' contact ' || i || ' ', 1, {}, {} FROM n",
            series(many / DEALS_EACH),
            numbered(1, "i"),
            moment(begun),
            moment(begun),
        ),
        format!(
            "{} INSERT INTO deals (id, workspace_id, name, company_id, contact_id, stage, amount, currency, expected_close_on, \
             closed_on, stage_since, owner_id, position, search_text, version, created_at, updated_at) \
             SELECT {}, {workspace}, 'Deal word' || (i % 1000) || ' rare' || i, {company}, {contact}, {stage}, \
             (i * 7919) % 9000000, CASE WHEN i % 10 = 0 THEN 'USD' ELSE 'EUR' END, {}, CASE WHEN i % 6 > 3 THEN {} END, {}, {ana}, \
             i * 1048576, {words}, 2, {}, {} FROM n",
            series(many),
            numbered(2, "i"),
            day("i % 730"),
            day(moved),
            day(moved),
            moment(begun),
            moment(moved),
        ),
        format!(
            "{} INSERT INTO deal_stages (id, workspace_id, deal_id, stage, entered_at, left_at, profile_id) \
             SELECT {}, {workspace}, {}, 'lead', {}, {}, {ana} FROM n",
            series(many),
            numbered(3, "i"),
            numbered(2, "i"),
            moment(begun),
            moment(moved),
        ),
        format!(
            "{} INSERT INTO deal_stages (id, workspace_id, deal_id, stage, entered_at, left_at, profile_id) \
             SELECT {}, {workspace}, {}, {stage}, {}, NULL, {ana} FROM n",
            series(many),
            numbered(4, "i"),
            numbered(2, "i"),
            moment(moved),
        ),
        format!(
            "{} INSERT INTO activities (id, workspace_id, subject, type, due_on, done_on, contact_id, deal_id, assignee_id, search_text, \
             version, created_at, updated_at) SELECT {}, {workspace}, 'Call ' || i, 'call', {}, CASE WHEN i % 3 > 0 THEN {} END, {contact}, \
             {}, {ana}, ' call ' || i || ' ', 1, {}, {} FROM n",
            series(many),
            numbered(5, "i"),
            day("i % 730"),
            day("i % 730"),
            numbered(2, "i"),
            moment(begun),
            moment(begun),
        ),
        if is_postgres { "VACUUM ANALYZE".to_owned() } else { "PRAGMA optimize".to_owned() },
    ];
    for sql in statements {
        raw.execute_unprepared(&sql).await.unwrap_or_else(|error| panic!("{error}: {sql}"));
    }
}
