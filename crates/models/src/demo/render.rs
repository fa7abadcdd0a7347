//! JSON for people: lists and tables in markdown, objects as lines, nothing longer than one wants to read.

use serde_json::{Map, Value};

use super::files::tidy;
use super::words::{name_words, shorten};

const MOST_ROWS: usize = 8;
const MOST_COLUMNS: usize = 5;

pub fn human_key(key: &str) -> String {
    name_words(key).join(" ").replace(" id", " ID")
}

/// A value on one line.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => {
            number.as_f64().filter(|n| n.fract() != 0.0).map_or(number.to_string(), tidy)
        }
        Value::String(text) => shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "), 200),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            let shown: Vec<String> = items.iter().take(6).map(plain).collect();
            shorten(&shown.join(", "), 200)
        }
        Value::Array(items) => {
            let one = |item: &Value| match item {
                Value::Object(map) => map.values().map(plain).collect::<Vec<_>>().join(" "),
                other => plain(other),
            };
            shorten(&items.iter().take(6).map(one).collect::<Vec<_>>().join(", "), 200)
        }
        other => shorten(&other.to_string(), 160),
    }
}

/// Fields that mean nothing to a person.
fn is_noise(key: &str, value: &Value) -> bool {
    let key = key.to_lowercase();
    let is_id = value.as_str().is_some_and(|text| text.len() >= 32 && !text.contains(' '));
    is_id
        || value.is_null()
        || key.starts_with('_')
        || ["created_at", "updated_at", "createdat", "updatedat"].contains(&key.as_str())
}

/// What names a thing first, its id last; JSON objects come sorted by key, which means nothing to people.
fn in_order(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let rank = |key: &str| match key {
        "title" | "name" | "subject" | "label" => 0,
        "id" => 2,
        _ => 1,
    };
    let mut fields: Vec<_> = map.iter().collect();
    fields.sort_by_key(|(key, _)| rank(key));
    fields
}

pub fn object(map: &Map<String, Value>) -> String {
    let lines = in_order(map).into_iter().filter(|(key, value)| !is_noise(key, value)).take(12);
    lines.map(|(key, value)| format!("- {}: {}", human_key(key), plain(value))).collect::<Vec<_>>().join("\n")
}

/// A table where the rows are alike, else a list; only the first few.
pub fn items(items: &[Value], total: usize) -> String {
    let shown = &items[..items.len().min(MOST_ROWS)];
    let body = table(shown).unwrap_or_else(|| {
        shown.iter().map(|item| format!("- {}", line(item))).collect::<Vec<_>>().join("\n")
    });
    match total.max(items.len()) - shown.len() {
        0 => body,
        more => format!("{body}\n\n… and {more} more."),
    }
}

fn line(item: &Value) -> String {
    let Value::Object(map) = item else { return plain(item) };
    let fields = in_order(map).into_iter().filter(|(key, value)| !is_noise(key, value)).take(4);
    fields.map(|(key, value)| format!("{}: {}", human_key(key), plain(value))).collect::<Vec<_>>().join(", ")
}

fn table(rows: &[Value]) -> Option<String> {
    let maps: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
    let first = maps.first().filter(|_| maps.len() == rows.len() && rows.len() >= 2)?;
    let fits = |key: &&String| {
        maps.iter().all(|map| map.get(*key).is_none_or(|value| !value.is_object()))
            && maps.iter().any(|map| map.get(*key).is_some_and(|value| !is_noise(key, value)))
    };
    let columns: Vec<&String> =
        in_order(first).into_iter().map(|(key, _)| key).filter(fits).take(MOST_COLUMNS).collect();
    if columns.len() < 2 {
        return None;
    }
    let cell = |text: String| shorten(&text.replace('|', "\\|"), 60);
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let head = row(columns.iter().map(|key| human_key(key)).collect());
    let rule = row(columns.iter().map(|_| "---".to_owned()).collect());
    let body = maps.iter().map(|map| {
        row(columns.iter().map(|key| cell(map.get(*key).map(plain).unwrap_or_default())).collect())
    });
    Some([head, rule].into_iter().chain(body).collect::<Vec<_>>().join("\n"))
}
