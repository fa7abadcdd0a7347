//! Figures as models and people read them: a sentence that answers, then the numbers in their units.

use baton_core::figures::{
    Bucket, Figure, FigureAnswer, FigureRow, FigureRows, Forecast, Grain, History, INTERVAL_PERCENT, Told,
    Total, Unit,
};
use baton_core::money::{Currency, Money};
use baton_core::reports::Period;
use serde_json::{Map, Value, json};

use crate::finance::told::count;

/// A value with its unit, for a sentence: `EUR 12.50`, `3 deals`, `45.5 %`.
fn said(figure: &Figure, currency: Option<Currency>, value: i64) -> String {
    match (figure.unit, currency) {
        (Unit::Money, Some(currency)) => Money::new(value, currency).to_string(),
        (Unit::Cost, _) => format!("USD {}", decimal(value, 6)),
        (Unit::Share, _) => format!("{} %", decimal(value, 1)),
        (Unit::Days, _) => format!("{} days", decimal(value, 1)),
        _ => value.to_string(),
    }
}

/// The same as a result holds it: whole numbers as such, others as text.
fn number(figure: &Figure, currency: Option<Currency>, value: Option<i64>) -> Value {
    let Some(value) = value else { return Value::Null };
    match (figure.unit, currency) {
        (Unit::Money, Some(currency)) => Money::new(value, currency).decimal().into(),
        (Unit::Count | Unit::Tokens | Unit::Money, _) => value.into(),
        _ => said(figure, currency, value).into(),
    }
}

/// `1234` with one place is `123.4`.
fn decimal(value: i64, places: u32) -> String {
    let by = 10u64.pow(places);
    let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    format!("{sign}{}.{:0width$}", value / by, value % by, width = places as usize)
}

/// How much more or less than before: `+8.5 %`; of shares in points.
fn change(figure: &Figure, now: Option<i64>, before: Option<i64>) -> Option<String> {
    let (now, before) = (now?, before?);
    let sign = if now > before { "+" } else { "" };
    if figure.unit == Unit::Share {
        return Some(format!("{sign}{} points", decimal(now - before, 1)));
    }
    if before <= 0 {
        return None;
    }
    let tenths = (i128::from(now) - i128::from(before)) * 1_000 / i128::from(before);
    Some(format!("{sign}{} %", decimal(i64::try_from(tenths).ok()?, 1)))
}

fn bucket(bucket: Bucket, by: Grain) -> String {
    match by {
        Grain::Day => bucket.from.to_string(),
        _ => bucket.to_string(),
    }
}

fn compared(figure: &Figure, currency: Option<Currency>, now: Option<i64>, before: Option<i64>) -> String {
    let Some(value) = now else { return "no value".to_owned() };
    let mut told = said(figure, currency, value);
    if let Some(before) = before {
        told.push_str(&format!(" (before: {}", said(figure, currency, before)));
        if let Some(change) = change(figure, now, Some(before)) {
            told.push_str(&format!(", {change}"));
        }
        told.push(')');
    }
    told
}

fn totals(figure: &Figure, totals: &[Total]) -> String {
    let told: Vec<String> =
        totals.iter().map(|one| compared(figure, one.currency, one.value, one.before)).collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join("; ") }
}

fn sums(
    figure: &Figure,
    currency: Option<Currency>,
    now: Option<i64>,
    before: Option<i64>,
) -> Map<String, Value> {
    let mut told = Map::new();
    if let Some(currency) = currency {
        told.insert("currency".to_owned(), currency.code().into());
    }
    told.insert("total".to_owned(), number(figure, currency, now));
    told.insert("before".to_owned(), number(figure, currency, before));
    if let Some(change) = change(figure, now, before) {
        told.insert("change".to_owned(), change.into());
    }
    told
}

pub fn list(figures: &[&'static Figure]) -> Value {
    let one = |figure: &&Figure| {
        json!({
            "figure": figure.name, "label": figure.label, "about": figure.about, "area": figure.area,
            "canBeForecast": figure.can_be_forecast(),
        })
    };
    json!({
        "answer": format!("There are {}.", count(figures.len() as i64, "figure")),
        "figures": figures.iter().map(one).collect::<Vec<_>>(),
    })
}

pub fn figures(answers: &[FigureAnswer], period: Period) -> Value {
    let before = period.before();
    let lines: Vec<String> = answers
        .iter()
        .map(|answer| {
            let figure = answer.query.figure;
            format!("{}: {}", figure.label, totals(figure, &answer.totals))
        })
        .collect();
    let one = |answer: &FigureAnswer| {
        let figure = answer.query.figure;
        let totals = answer.totals.iter().map(|one| sums(figure, one.currency, one.value, one.before));
        json!({"figure": figure.name, "label": figure.label, "totals": totals.collect::<Vec<_>>()})
    };
    let own = match answers.iter().any(|answer| answer.is_own) {
        true => " Of agents' work only this person's own is counted.",
        false => "",
    };
    json!({
        "answer": format!("Key figures from {period}, compared with {before}. {}.{own}", lines.join(". ")),
        "figures": answers.iter().map(one).collect::<Vec<_>>(),
    })
}

/// At most `limit` buckets are told, the newest; totals are of all.
pub fn report(answer: &FigureAnswer, limit: usize) -> Value {
    let (figure, by) = (answer.query.figure, answer.query.by);
    let left_off = answer.buckets.len().saturating_sub(limit);
    let values = |currency: Option<Currency>, values: &[Option<i64>]| {
        let told = answer.buckets.iter().zip(values).skip(left_off);
        let told = told.map(|(one, value)| (bucket(*one, by), number(figure, currency, *value)));
        Value::Object(told.collect())
    };
    let series = |one: &baton_core::figures::Series| {
        let mut told = sums(figure, one.currency, one.total, one.before);
        told.insert("series".to_owned(), one.label.as_str().into());
        told.insert(format!("by{}", capital(by)), values(one.currency, &one.values));
        Value::Object(told)
    };
    let total = |one: &Total| {
        let mut told = sums(figure, one.currency, one.value, one.before);
        told.insert(format!("by{}", capital(by)), values(one.currency, &one.values));
        Value::Object(told)
    };
    let when = match figure.told {
        Told::InBucket => format!("from {}", answer.query.period),
        Told::AtEnd => format!("at the end of {}", answer.query.period),
        Told::Now => "now".to_owned(),
    };
    let mut told = json!({
        "answer": format!("{} {when}: {}.", figure.label, totals(figure, &answer.totals)),
        "about": figure.about,
        "period": answer.query.period.to_string(),
        "before": answer.before.to_string(),
        "totals": answer.totals.iter().map(total).collect::<Vec<_>>(),
    });
    if figure.series.is_some() {
        told["series"] = answer.series.iter().map(series).collect();
    }
    if answer.left_off > 0 {
        told["seriesNotTold"] = answer.left_off.into();
    }
    if left_off > 0 {
        told["bucketsNotTold"] = left_off.into();
    }
    if answer.is_own {
        told["whose"] = "only this person's own".into();
    }
    told
}

fn capital(by: Grain) -> &'static str {
    match by {
        Grain::Day => "Day",
        Grain::Week => "Week",
        Grain::Month => "Month",
    }
}

pub fn rows(figure: &Figure, period: Period, found: &FigureRows) -> Value {
    let row = |row: &FigureRow| {
        let mut told = Map::new();
        told.insert("id".to_owned(), row.id.to_string().into());
        told.insert("day".to_owned(), row.on.to_string().into());
        if !row.title.is_empty() {
            told.insert("title".to_owned(), row.title.as_str().into());
        }
        if !row.key.is_empty() && row.agent_id.is_none() {
            told.insert("series".to_owned(), row.key.as_str().into());
        }
        if matches!(figure.unit, Unit::Money | Unit::Tokens | Unit::Cost) {
            if let Some(currency) = row.currency {
                told.insert("currency".to_owned(), currency.code().into());
            }
            told.insert("amount".to_owned(), number(figure, row.currency, Some(row.amount)));
        }
        Value::Object(told)
    };
    let own = found.rows.len() as i64;
    let others: i64 = found.others.iter().map(|one| one.count).sum();
    let more =
        if found.next_offset.is_some() { " There are more: name a shorter period or a series." } else { "" };
    let beside = match others {
        0 => String::new(),
        _ => format!(
            " Beside these there are {others} in other people's conversations, of which only the number is told."
        ),
    };
    let mut told = json!({
        "answer": format!("{} from {period}: here are {own} of the {} behind it.{more}{beside}", figure.label, figure.rows),
        "rows": found.rows.iter().map(row).collect::<Vec<_>>(),
    });
    if others > 0 {
        let one = |one: &baton_core::figures::OthersWork| json!({"agent": one.agent, "count": one.count});
        told["ofOthers"] = found.others.iter().map(one).collect();
    }
    told
}

pub fn forecast(figure: &Figure, history: &History, forecast: &Forecast) -> Value {
    let say = |value: i64| said(figure, history.currency, value);
    let point = |one: &baton_core::figures::ForecastPoint| {
        let value = |value| number(figure, history.currency, Some(value));
        json!({
            "bucket": bucket(one.bucket, forecast.by), "value": value(one.value),
            "lower": value(one.lower), "upper": value(one.upper),
        })
    };
    let of = if history.key.is_empty() { String::new() } else { format!(" ({})", history.label) };
    let next = forecast.points.first().map(|one| {
        format!(
            " For {} it is {}, with {INTERVAL_PERCENT} % between {} and {}.",
            bucket(one.bucket, forecast.by),
            say(one.value),
            say(one.lower),
            say(one.upper)
        )
    });
    let mut told = json!({
        "answer": format!("{}{of}, if it goes on as until now.{}", figure.label, next.unwrap_or_default()),
        "method": forecast.method,
        "season": format!("{} {}s", forecast.season, forecast.by),
        "historyFrom": forecast.history.first().map(|(bucket, _)| bucket.from.to_string()),
        "intervalPercent": INTERVAL_PERCENT,
        "forecast": forecast.points.iter().map(point).collect::<Vec<_>>(),
    });
    if let Some((last, value)) = forecast.history.last() {
        let value = number(figure, history.currency, Some(*value));
        told["lastKnown"] = json!({"bucket": bucket(*last, forecast.by), "value": value});
    }
    if let Some(currency) = history.currency {
        told["currency"] = currency.code().into();
    }
    told["accuracy"] = match forecast.accuracy {
        None => "The history is too short to try the method on a part of it.".into(),
        Some(tried) => json!({
            "about": match tried.is_best() {
                true => "Tried on what is known already, this method was wrong by less than taking no thought.",
                false => "Tried on what is known already, this method was no better than taking no thought: treat it with caution.",
            },
            "averageError": say(tried.error),
            "ofSayingAsItWasLast": say(tried.naive),
            "ofSayingAsASeasonAgo": say(tried.seasonal_naive),
            "comparedBuckets": tried.buckets,
        }),
    };
    told
}
