//! Reads arguments that the money tools share: periods, days, amounts, lists of ids.

use baton_core::data::check;
use baton_core::reports::{NamedPeriod, Period};
use baton_core::tools::ToolFailure;
use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::arguments::text;

pub type Arguments = Map<String, Value>;

/// How much a result lists, unless the call says otherwise.
pub const LISTED: usize = 50;
pub const MOST_LISTED: usize = 200;
/// The most transactions that one call names.
pub const MOST_IDS: usize = 100;

pub fn failure(words: impl Into<String>) -> ToolFailure {
    ToolFailure(words.into())
}

/// A period as it was asked for. What it is depends on the day, so names stay names until the call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    Named(NamedPeriod),
    /// Open at an end that was left out.
    Days(Option<NaiveDate>, Option<NaiveDate>),
}

/// The period that `period`, or `startDate` and `endDate` name.
pub fn when(arguments: &Arguments) -> Result<Option<When>, ToolFailure> {
    let (from, to) = (day(arguments, "startDate")?, day(arguments, "endDate")?);
    let named = match text(arguments, "period")? {
        Some(name) => Some(name.parse::<NamedPeriod>().map_err(|words| failure(format!("period {words}.")))?),
        None => None,
    };
    match (named, from, to) {
        (Some(_), None, None) | (None, None, None) => Ok(named.map(When::Named)),
        (Some(_), ..) => Err(failure("Give either period, or startDate and endDate.")),
        (None, Some(from), Some(to)) => {
            Period::new(from, to).map_err(|invalid| failure(format!("{invalid}.")))?;
            Ok(Some(When::Days(Some(from), Some(to))))
        }
        (None, from, to) => Ok(Some(When::Days(from, to))),
    }
}

impl When {
    /// Without an end, until today; without a beginning, the month of its end.
    pub fn on(self, today: NaiveDate) -> Result<Period, ToolFailure> {
        let (from, to) = match self {
            Self::Named(name) => return Ok(name.on(today)),
            Self::Days(from, to) => (from, to),
        };
        let to = to.unwrap_or_else(|| today.max(from.unwrap_or(today)));
        let from = from.unwrap_or_else(|| baton_core::reports::month_start(to));
        Period::new(from, to).map_err(|invalid| failure(format!("{invalid}.")))
    }
}

pub fn day(arguments: &Arguments, name: &str) -> Result<Option<NaiveDate>, ToolFailure> {
    let Some(text) = text(arguments, name)? else { return Ok(None) };
    let day = check::day(text).ok_or_else(|| failure(format!("{name} must be a day such as 2026-01-31.")))?;
    Ok(Some(day))
}

/// How many to list.
pub fn limit(arguments: &Arguments) -> Result<usize, ToolFailure> {
    let given = match arguments.get("limit") {
        None | Some(Value::Null) => return Ok(LISTED),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(number) => number.as_u64().or_else(|| whole(number)),
    };
    let given = given.filter(|given| *given > 0).and_then(|given| usize::try_from(given).ok());
    let given = given.ok_or_else(|| failure(format!("limit must be a number from 1 to {MOST_LISTED}.")))?;
    Ok(given.min(MOST_LISTED))
}

/// Some models write 10 as 10.0.
fn whole(number: &Value) -> Option<u64> {
    let text = number.as_f64()?.to_string();
    text.parse().ok()
}

pub fn flag(arguments: &Arguments, name: &str) -> Result<Option<bool>, ToolFailure> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(is)) => Ok(Some(*is)),
        Some(Value::String(text)) if text == "true" => Ok(Some(true)),
        Some(Value::String(text)) if text == "false" => Ok(Some(false)),
        Some(_) => Err(failure(format!("{name} must be true or false."))),
    }
}

/// Ids of transactions: a list, or one alone.
pub fn ids(arguments: &Arguments, name: &str) -> Result<Vec<Uuid>, ToolFailure> {
    let given: Vec<&Value> = match arguments.get(name) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().collect(),
        Some(one) => vec![one],
    };
    if given.len() > MOST_IDS {
        return Err(failure(format!("{name} must be at most {MOST_IDS} ids: do the rest in another call.")));
    }
    let id = |value: &&Value| {
        check::id(value).ok_or_else(|| {
            failure(format!("{name} must be ids as a query of transactions gives them, not {value}."))
        })
    };
    let mut ids = given.iter().map(id).collect::<Result<Vec<_>, _>>()?;
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids)
}

/// An amount as text or number; whether it fits its currency is said when the currency is known.
pub fn amount_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (!whole.is_empty() && whole.len() <= 15 && part.len() <= 4 && is_number(whole) && is_number(part))
        .then_some(text)
}

/// The parameters that name a period.
pub fn period_properties() -> [(&'static str, Value); 3] {
    let names: Vec<&str> = NamedPeriod::ALL.iter().map(|name| name.as_str()).collect();
    [
        (
            "period",
            json!({
                "type": "string", "enum": names,
                "description": "Instead of dates. Weeks begin on Monday; last_… are whole, this_… end today.",
            }),
        ),
        ("startDate", json!({"type": "string", "format": "date", "description": "First day, YYYY-MM-DD."})),
        (
            "endDate",
            json!({"type": "string", "format": "date", "description": "Last day, included. Left out: today."}),
        ),
    ]
}

pub fn limit_property() -> (&'static str, Value) {
    let about = format!("How many to list; {LISTED} if left out.");
    ("limit", json!({"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "description": about}))
}
