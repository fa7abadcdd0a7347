//! "What is the weakest area?", "Which budget is the largest?": asked of numbers that lie in the context side by side.
//! Which of them belong together is told by their names, by the object they lie in or by the list.

use serde_json::{Map, Value};

use super::clauses::Clause;
use super::render;
use super::report::{is_reason, reason_for};
use super::scene::Scene;
use super::words::{capitalised, concept, join, name_words, words};

const LOWEST: &[&str] = &[
    "lowest",
    "weakest",
    "worst",
    "smallest",
    "least",
    "minimum",
    "cheapest",
    "fewest",
    "poorest",
    "shortest",
    "slowest",
    "niedrigste",
    "schwächste",
    "schlechteste",
    "kleinste",
];
const HIGHEST: &[&str] = &[
    "highest",
    "strongest",
    "best",
    "largest",
    "biggest",
    "most",
    "maximum",
    "greatest",
    "top",
    "longest",
    "dearest",
    "priciest",
    "höchste",
    "stärkste",
    "beste",
    "größte",
];
/// What any row of numbers may be called.
const GENERAL: &[&str] = &[
    "area",
    "areas",
    "one",
    "score",
    "scores",
    "point",
    "points",
    "part",
    "parts",
    "result",
    "results",
    "value",
    "values",
    "number",
    "numbers",
    "rating",
    "category",
    "dimension",
    "field",
    "thing",
    "ours",
    "bereich",
];

/// The ends of a range are nothing to choose from.
const ENDS: &[&str] = &["min", "max", "minimum", "maximum", "from", "to", "start", "end"];

/// Numbers of one kind: what they are called together, and each with its own name.
struct Row {
    kind: String,
    items: Vec<(String, f64)>,
}

/// The item with the lowest or the highest number, as the person's superlative wants it.
pub fn answered(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<String> {
    let clause = clauses.iter().find(|clause| clause.asks())?;
    let all = words(clause.text);
    let is_in = |list: &[&str]| all.iter().find(|word| list.contains(&word.text.to_lowercase().as_str()));
    let (said, is_low) = match (is_in(LOWEST), is_in(HIGHEST)) {
        (Some(low), _) => (low, true),
        (None, high) => (high?, false),
    };
    let about: Vec<String> = clause
        .topics
        .iter()
        .filter(|topic| !topic.weak && topic.text.to_lowercase() != said.text.to_lowercase())
        .filter(|topic| !GENERAL.contains(&topic.text.to_lowercase().as_str()))
        .map(|topic| topic.concept.clone())
        .collect();
    let rows = rows(scene);
    // Without a word for what it is about, it must be clear which numbers are meant.
    if about.is_empty() && rows.len() > 1 && is_in(GENERAL).is_none() {
        return None;
    }
    let speaks = |row: &&Row| {
        let names: Vec<String> = name_words(&row.kind).iter().map(|word| concept(word)).collect();
        about.iter().all(|topic| names.contains(topic))
    };
    let row = rows.iter().find(speaks)?;
    let pick = if is_low { f64::min } else { f64::max };
    let number = row.items.iter().map(|(_, number)| *number).reduce(pick)?;
    let named: Vec<&String> =
        row.items.iter().filter(|(_, one)| *one == number).map(|(name, _)| name).collect();
    Some(told(scene, row, &said.text.to_lowercase(), number, &named))
}

fn told(scene: &Scene<'_>, row: &Row, said: &str, number: f64, named: &[&String]) -> String {
    let kind = name_words(&row.kind).pop().unwrap_or_default();
    let mut all: Vec<&(String, f64)> = row.items.iter().collect();
    all.sort_by(|left, right| left.1.total_cmp(&right.1));
    let list: Vec<String> = all.iter().map(|(name, one)| format!("{name} {one}")).collect();
    let names: Vec<String> = named.iter().map(|name| format!("**{name}**")).collect();
    let first = match names.as_slice() {
        many if many.len() == row.items.len() => {
            return format!("None stands out: {} all have {number}.", join(many, "and"));
        }
        [one] => format!("The {said} is {one}, with a {kind} of {number}."),
        many => format!("The {said} are {}, each with a {kind} of {number}.", join(many, "and")),
    };
    let reasons = named.iter().filter_map(|name| {
        let reason = reason_for(&scene.context.data, name)?;
        Some(format!("\n- {}: {reason}", capitalised(name)))
    });
    let reasons: String = reasons.collect();
    let gap = if reasons.is_empty() { "" } else { "\n" };
    format!("{first}\n{reasons}{gap}\nAll of them: {}.", join(&list, "and"))
}

fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let data = &scene.context.data;
    let mut found: Vec<Row> = Vec::new();
    // `data_score` and `people_score` are scores.
    for (name, value) in data.iter().filter(|(name, _)| !is_reason(name)) {
        let (Some(number), mut words) = (value.as_f64(), name_words(name)) else { continue };
        let (Some(kind), false) = (words.pop(), words.is_empty()) else { continue };
        let item = (words.join(" "), number);
        match found.iter_mut().find(|row| row.kind == kind) {
            Some(row) if row.items.iter().any(|(name, _)| *name == item.0) => {}
            Some(row) => row.items.push(item),
            None => found.push(Row { kind, items: vec![item] }),
        }
    }
    found.extend(data.iter().filter_map(|(name, value)| match value {
        Value::Object(map) => of_object(name, map),
        Value::Array(items) => of_list(name, items),
        _ => None,
    }));
    let is_range = |row: &Row| row.items.iter().all(|(name, _)| ENDS.contains(&name.as_str()));
    found.retain(|row| row.items.len() > 1 && !is_range(row));
    found
}

/// `{"scores": {"data": 4, "people": 2}}`
fn of_object(name: &str, map: &Map<String, Value>) -> Option<Row> {
    let items = map.iter().map(|(name, value)| Some((render::human_key(name), value.as_f64()?)));
    Some(Row { kind: singular(name), items: items.collect::<Option<_>>()? })
}

/// `[{"name": "Travel", "spent": 120}, …]`: entries with a name and one number.
fn of_list(name: &str, items: &[Value]) -> Option<Row> {
    let mut key = None;
    let items = items.iter().map(|item| {
        let map = item.as_object()?;
        let named =
            ["name", "title", "label", "area", "type"].iter().find_map(|key| map.get(*key)?.as_str())?;
        let mut numbers = map.iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
        let ((field, number), None) = (numbers.next()?, numbers.next()) else { return None };
        (*key.get_or_insert_with(|| field.clone()) == *field).then(|| (named.to_owned(), number))
    });
    let items = items.collect::<Option<_>>()?;
    Some(Row { kind: format!("{name} {}", key?), items })
}

fn singular(name: &str) -> String {
    name.strip_suffix('s').unwrap_or(name).to_owned()
}
