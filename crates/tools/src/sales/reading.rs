//! The answers of the tools that change nothing.

use baton_core::data::kinds::{ACTIVITIES, CONTACTS, DEALS};
use baton_core::data::rows::{Filter, Row, RowQuery, Test};
use baton_core::data::sales::{DealStage, HistoryOf, PipelineSum, Stage};
use baton_core::data::{kind::Direction, shown};
use baton_core::money::Money;
use baton_core::reports::month_start;
use baton_core::tools::ToolFailure;
use chrono::{Datelike, Duration, NaiveDate};
use serde_json::{Map, Value, json};

use super::asked::{Asked, Read};
use super::desk::{Desk, between, is};
use super::record::Record;
use crate::arguments::store_failure;
use crate::finance::arguments::failure;
use crate::outage::patiently;

/// How much of a note a list shows.
const SHOWN_TEXT: usize = 200;
/// How many tasks an overview names.
const NAMED: u64 = 10;

pub async fn answer(desk: &Desk<'_>, read: Read) -> Result<Value, ToolFailure> {
    match read {
        Read::Overview => overview(desk).await,
        Read::List(asked) => list(desk, asked).await,
        Read::Pipeline(asked) => pipeline(desk, asked).await,
        Read::History { record: Record::Deal, which, .. } => stages(desk, &which).await,
        Read::History { which, limit, .. } => history(desk, &which, limit).await,
    }
}

async fn list(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let record = asked.record;
    let filters = filters(desk, &asked).await?;
    let query = RowQuery {
        filters: filters.clone(),
        search: asked.search.clone(),
        order: order(record, asked.status.as_deref()),
        limit: asked.limit as u64,
        ..RowQuery::default()
    };
    let page = desk.rows(record.kind(), query).await?;
    let listed: Vec<Value> = page.rows.iter().map(|row| listed(desk, record, row)).collect();
    let number = if page.is_counted {
        record.count(page.total)
    } else {
        format!("More than {} {}", page.total, record.many())
    };
    let mut told = Map::new();
    let mut sentence = match page.total {
        0 => format!("There are no such {}.", record.many()),
        _ => format!("{number}."),
    };
    // What is searched for can't be added up by the store: only what is all here.
    let is_whole = page.next_cursor.is_none();
    if record.kind().name == DEALS.name && page.total > 0 {
        if asked.search.is_none() {
            let sums = desk.pipeline(filters).await?;
            sentence.push_str(&format!(" Together {}.", amounts(&sums, |sum| sum.amount)));
        } else if is_whole {
            let sums: Vec<PipelineSum> = page.rows.iter().filter_map(alone).collect();
            sentence.push_str(&format!(" Together {}.", amounts(&sums, |sum| sum.amount)));
        }
    }
    told.insert("answer".to_owned(), sentence.into());
    told.insert(record.many().to_owned(), listed.into());
    if !is_whole {
        let more = page.total.saturating_sub(page.rows.len() as u64);
        let more = if page.is_counted { more.to_string() } else { format!("More than {more}") };
        let how = "narrow by search, status, owner, company or dates, or raise limit";
        told.insert("more".to_owned(), format!("{more} more: {how}.").into());
    }
    Ok(Value::Object(told))
}

/// What of a deal alone is added up.
fn alone(row: &Row) -> Option<PipelineSum> {
    let currency = row.fields.get("currency")?.as_str().and_then(baton_core::money::Currency::parse)?;
    let amount = row.fields.get("amount")?.as_i64()?;
    Some(PipelineSum { stage: Stage::of(&row.fields), currency, deals: 1, amount, weighted: amount })
}

/// What comes first is what wants attention first.
fn order(record: Record, status: Option<&str>) -> Option<(String, Direction)> {
    let by = |field: &str, direction| Some((field.to_owned(), direction));
    match (record.kind().name, status) {
        ("deals", Some("won" | "lost")) => by("closed_on", Direction::Falling),
        ("deals", Some(_)) => by("expected_close_on", Direction::Rising),
        ("activities", Some("done")) => by("done_on", Direction::Falling),
        ("activities", Some(_)) => by("due_on", Direction::Rising),
        _ => None,
    }
}

async fn filters(desk: &Desk<'_>, asked: &Asked) -> Result<Vec<Filter>, ToolFailure> {
    let record = asked.record;
    let kind = record.kind();
    let mut filters = record.own();
    if let Some(status) = &asked.status {
        if !record.statuses().contains(&status.as_str()) {
            let words = record.statuses().join(", ");
            return Err(failure(match words.is_empty() {
                true => format!("{} have no status to choose by: leave it out.", record.many()),
                false => format!("status must be one of {words}."),
            }));
        }
        filters.extend(of_status(desk.today, kind.name, status));
    }
    for (field, given) in [("stage", &asked.stage), ("type", &asked.of_type)] {
        if let Some(word) = given {
            filters.push(is(field, word.as_str()));
        }
    }
    if let Some(owner) = &asked.owner {
        filters.push(is(record.owner_field(), desk.member(owner).await?.profile_id.to_string()));
    }
    let references =
        [("company_id", &asked.company), ("contact_id", &asked.contact), ("deal_id", &asked.deal)];
    for (name, given) in references {
        let Some(wanted) = given else { continue };
        let Some(field) = kind.field(name) else { continue };
        let other = baton_core::data::check::reference(field).and_then(baton_core::data::kinds::find);
        let found = desk.find(other, wanted).await?;
        filters.push(is(field.name, found.row.id.to_string()));
    }
    if let Some((from, to)) = asked.days {
        let field = match (kind.name, asked.status.as_deref()) {
            ("deals", Some("won" | "lost")) => "closed_on",
            ("deals", _) => "expected_close_on",
            (_, Some("done")) => "done_on",
            _ => "due_on",
        };
        filters.extend(from.map(|day| Filter { field, test: Test::AtLeast(json!(day)) }));
        filters.extend(to.map(|day| Filter { field, test: Test::AtMost(json!(day)) }));
    }
    Ok(filters)
}

fn of_status(today: NaiveDate, kind: &str, status: &str) -> Vec<Filter> {
    let none = Filter { field: "done_on", test: Test::IsNull };
    match (kind, status) {
        ("deals", "open") => vec![open_deals()],
        ("deals", closed) => vec![is("stage", closed)],
        ("activities", "open") => vec![none],
        ("activities", "overdue") => {
            let before = json!(today - Duration::days(1));
            vec![none, Filter { field: "due_on", test: Test::AtMost(before) }]
        }
        ("activities", _) => {
            let (first, last) = (NaiveDate::from_ymd_opt(1900, 1, 1), NaiveDate::from_ymd_opt(2199, 12, 31));
            first.zip(last).map(|(first, last)| between("done_on", first, last).to_vec()).unwrap_or_default()
        }
        (_, status) => vec![is("status", status)],
    }
}

fn open_deals() -> Filter {
    let open = Stage::ALL.into_iter().filter(|stage| !stage.is_closed());
    Filter { field: "stage", test: Test::OneOf(open.map(|stage| json!(stage)).collect()) }
}

/// A row as a model needs it: names in place of ids, and what follows from its days.
fn listed(desk: &Desk<'_>, record: Record, row: &Row) -> Value {
    let mut shown = shown::for_models(record.kind(), &row.fields, &row.titles);
    shown.retain(|name, value| !name.ends_with("Id") && name != "position" && !value.is_null());
    if let Some(notes) = shown.get("notes").and_then(Value::as_str)
        && let Some((at, _)) = notes.char_indices().nth(SHOWN_TEXT)
    {
        let cut = format!("{}…", &notes[..at]);
        shown.insert("notes".to_owned(), cut.into());
    }
    let day = |name: &str| row.fields.get(name).and_then(|day| baton_core::data::check::day(day.as_str()?));
    if record.kind().name == ACTIVITIES.name
        && day("done_on").is_none()
        && day("due_on").is_some_and(|due| due < desk.today)
    {
        shown.insert("isOverdue".to_owned(), true.into());
    }
    shown.insert("id".to_owned(), row.id.to_string().into());
    Value::Object(shown)
}

/// Amounts by currency: `EUR 1,200.00 and USD 30.00`.
fn amounts(sums: &[PipelineSum], of: impl Fn(&PipelineSum) -> i64) -> String {
    let mut by_currency = std::collections::BTreeMap::new();
    for sum in sums {
        *by_currency.entry(sum.currency).or_insert(0) += of(sum);
    }
    let told: Vec<String> =
        by_currency.into_iter().map(|(currency, amount)| Money::new(amount, currency).to_string()).collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(" and ") }
}

fn deals(sums: &[PipelineSum]) -> u64 {
    sums.iter().map(|sum| sum.deals).sum()
}

fn sum_told(sum: &PipelineSum) -> Value {
    json!({
        "stage": sum.stage, "deals": sum.deals, "amount": Money::new(sum.amount, sum.currency).to_string(),
        "weighted": Money::new(sum.weighted, sum.currency).to_string(),
    })
}

/// Open deals by stage, and what was closed in a period: this year, unless it is said.
async fn pipeline(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let (from, to) = asked.days.unwrap_or_default();
    let year = NaiveDate::from_ymd_opt(desk.today.year(), 1, 1).unwrap_or(month_start(desk.today));
    let (from, to) = (from.unwrap_or(year), to.unwrap_or(desk.today));
    let all = filters(desk, &Asked { days: None, status: None, ..asked }).await?;
    let open = desk.pipeline([all.clone(), vec![open_deals()]].concat()).await?;
    let closed = async |stage: Stage| {
        let period = between("closed_on", from, to).to_vec();
        desk.pipeline([all.clone(), vec![is("stage", stage.as_str())], period].concat()).await
    };
    let (won, lost) = (closed(Stage::Won).await?, closed(Stage::Lost).await?);
    let open_told = match deals(&open) {
        0 => "There are no open deals.".to_owned(),
        number => format!(
            "{} open, together {}; weighted by probability {}.",
            Record::Deal.count(number),
            amounts(&open, |sum| sum.amount),
            amounts(&open, |sum| sum.weighted)
        ),
    };
    let told = |sums: &[PipelineSum], word: &str| match deals(sums) {
        0 => format!("none {word}"),
        number => format!("{number} {word} ({})", amounts(sums, |sum| sum.amount)),
    };
    Ok(json!({
        "answer": format!("{open_told} From {from} to {to}: {}, {}.", told(&won, "won"), told(&lost, "lost")),
        "open": open.iter().map(sum_told).collect::<Vec<_>>(),
        "closed": won.iter().chain(&lost).map(sum_told).collect::<Vec<_>>(),
        "from": from, "to": to,
    }))
}

async fn overview(desk: &Desk<'_>) -> Result<Value, ToolFailure> {
    let mut leads = Map::new();
    let mut number = 0;
    for status in Record::Lead.statuses() {
        let query = RowQuery { filters: vec![is("status", *status)], limit: 1, ..RowQuery::default() };
        let count = desk.rows(&CONTACTS, query).await?.total;
        leads.insert((*status).to_owned(), count.into());
        number += count;
    }
    let open = desk.pipeline(vec![open_deals()]).await?;
    let tasks = async |status: &str, until: Option<NaiveDate>| {
        let mut filters = [Record::Task.own(), of_status(desk.today, ACTIVITIES.name, status)].concat();
        filters.extend(until.map(|day| Filter { field: "due_on", test: Test::AtMost(json!(day)) }));
        let order = order(Record::Task, Some(status));
        desk.rows(&ACTIVITIES, RowQuery { filters, order, limit: NAMED, ..RowQuery::default() }).await
    };
    let week = desk.today + Duration::days(7);
    let (overdue, due) = (tasks("overdue", None).await?, tasks("open", Some(week)).await?);
    let answer = format!(
        "{}. {} worth {}. {} until {week}, {} of them overdue.",
        Record::Lead.count(number),
        match deals(&open) {
            1 => "1 open opportunity".to_owned(),
            number => format!("{number} open opportunities"),
        },
        amounts(&open, |sum| sum.amount),
        match due.total {
            1 => "1 task is due".to_owned(),
            number => format!("{number} tasks are due"),
        },
        overdue.total
    );
    let told = |rows: &[Row]| rows.iter().map(|row| listed(desk, Record::Task, row)).collect::<Vec<_>>();
    Ok(json!({
        "answer": answer, "leads": leads, "opportunities": open.iter().map(sum_told).collect::<Vec<_>>(),
        "tasks": told(&due.rows),
    }))
}

async fn stages(desk: &Desk<'_>, which: &str) -> Result<Value, ToolFailure> {
    let found = desk.find(Some(&DEALS), which).await?;
    let stages = patiently(|| desk.store.sales.deal_stages(desk.scope, found.row.id)).await;
    let stages = stages.map_err(store_failure)?;
    let told = |stage: &DealStage| {
        let until = stage.left_at.map_or(desk.today, |left| left.date_naive());
        let from = stage.entered_at.date_naive();
        json!({"stage": stage.stage, "from": from, "until": stage.left_at.map(|_| until), "days": (until - from).num_days()})
    };
    Ok(json!({
        "answer": format!("{} has been in {} since {}.", desk.title(&found), Stage::of(&found.row.fields),
            found.row.fields["stage_since"].as_str().unwrap_or_default()),
        "deal": listed(desk, Record::Deal, &found.row), "stages": stages.iter().map(told).collect::<Vec<_>>(),
    }))
}

async fn history(desk: &Desk<'_>, which: &str, limit: usize) -> Result<Value, ToolFailure> {
    let found = desk.find(Some(&CONTACTS), which).await?;
    let ask = || desk.store.sales.contact_history(desk.scope, found.row.id, limit as u64, None);
    let page = patiently(ask).await.map_err(store_failure)?;
    let entries = page.entries.iter().map(|entry| {
        let mut told = match &entry.of {
            HistoryOf::Activity(row) => listed(desk, Record::Activity, row),
            HistoryOf::Stage(stage) => json!({"deal": stage.deal, "cameInto": stage.stage}),
            HistoryOf::Change(change) => {
                let fields = change.after.as_ref().or(change.before.as_ref());
                let names: Vec<&str> = fields
                    .into_iter()
                    .flat_map(|fields| fields.iter())
                    .filter(|(_, value)| change.before.is_some() || !value.is_null())
                    .filter_map(|(name, _)| CONTACTS.field(name).map(|field| field.label))
                    .collect();
                json!({"contact": change.action, "fields": names})
            }
        };
        told["day"] = json!(entry.day);
        told
    });
    let entries: Vec<Value> = entries.collect();
    let mut told = json!({
        "answer": format!("{}: the last {} of what happened.", desk.title(&found), entries.len()),
        "contact": listed(desk, Record::Contact, &found.row), "history": entries,
    });
    if page.next_cursor.is_some() {
        told["more"] = "There is more before that: raise limit.".into();
    }
    Ok(told)
}
