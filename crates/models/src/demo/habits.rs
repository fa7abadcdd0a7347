//! What a prompt tells its agent to do each time before it answers: "Always begin with read_context …". Such tools are
//! called first, and the answer is given from what they returned: things with a date, the nearest first.

use chrono::NaiveDate;
use serde_json::{Map, Value, json};

use super::clauses::{Clause, Mood};
use super::dates::days as days_in;
use super::lexicon::Act;
use super::offer::{Kind, Offered};
use super::params::{Param, Wants};
use super::render;
use super::reply::{Planned, Reply};
use super::scene::Scene;
use super::words::{capitalised, concept, name_words};

const MOST: usize = 12;

/// The tools that the prompt begins with, none of which needs to be told anything.
fn habitual<'s, 'a>(scene: &'s Scene<'a>) -> Vec<&'s Offered<'a>> {
    let leads = ["begin with ", "start with ", "first call "];
    let tools: Vec<&Offered<'a>> = scene
        .plain_tools()
        .filter(|tool| tool.params.iter().all(|param| !param.required))
        .filter(|tool| tool.own_act().is_none_or(Act::reads))
        .collect();
    let begins = |line: &&str| {
        let lower = line.to_lowercase();
        tools.iter().any(|tool| {
            let name = tool.spec.name.to_lowercase();
            leads.iter().any(|lead| lower.contains(&format!("{lead}{name}")))
        })
    };
    let Some(line) = scene.standing.lines().take(120).find(begins) else { return Vec::new() };
    tools.into_iter().filter(|tool| line.contains(&tool.spec.name)).collect()
}

/// The calls that come before any answer.
pub fn begin(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<Reply> {
    if clauses.iter().all(|clause| clause.mood == Mood::SmallTalk) {
        return None;
    }
    let calls: Vec<Planned> = habitual(scene).into_iter().map(bare_call).collect();
    (!calls.is_empty()).then(|| Reply {
        reasoning: "My instructions say to look here first.".to_owned(),
        text: String::new(),
        calls,
    })
}

fn bare_call(tool: &Offered<'_>) -> Planned {
    Planned { name: tool.spec.name.clone(), arguments: Map::new() }
}

/// A day that was said as "next Tuesday" needs today's date, where a clock is at hand.
pub fn which_day(scene: &Scene<'_>, fields: &[Param], known: &Map<String, Value>) -> Option<Planned> {
    let is_iso = |value: &Value| value.as_str().is_some_and(|text| text.parse::<NaiveDate>().is_ok());
    let days = fields.iter().filter(|field| field.wants == Wants::Date);
    // Of what was said now: what no clock could settle before, it can't settle now.
    let is_new = |value: &Value| {
        value.as_str().is_some_and(|text| scene.asked.contains(text) && !days_in(text, None).is_empty())
    };
    let open = days.filter_map(|field| known.get(&field.name)).any(|value| !is_iso(value) && is_new(value));
    if !open || scene.context.today.is_some() {
        return None;
    }
    let clock = scene.plain_tools().find(|tool| {
        let speaks = |word: &str| tool.bag.get(&concept(word)).is_some_and(|weight| *weight >= 1.2);
        speaks("time") && speaks("date") && tool.params.iter().all(|param| !param.required)
    })?;
    let called = scene.calls().any(|(call, _)| call.name == clock.spec.name);
    (!called).then(|| bare_call(clock))
}

/// The answer, once the habitual calls are back: what they know with a date that the question is about.
pub fn answer(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<Reply> {
    const WHY: &str = "I have looked where I was told to, so I answer.";
    let tools = habitual(scene);
    let is_habit = |name: &str| tools.iter().any(|tool| tool.spec.name == name);
    let mut calls = scene.calls().peekable();
    calls.peek()?;
    if !calls.all(|(call, result)| is_habit(&call.name) && !result.is_error) {
        return None;
    }
    let mut dated = Vec::new();
    for (_, result) in scene.calls() {
        if let Ok(value) = serde_json::from_str(&result.content) {
            gather(&value, &mut dated);
        }
    }
    let topics: Vec<&str> =
        clauses.iter().flat_map(|clause| &clause.topics).map(|topic| topic.concept.as_str()).collect();
    narrow(&mut dated, |one| meanings(&one.key).any(|meaning| topics.contains(&meaning.as_str())));
    narrow(&mut dated, |one| meanings(&one.name).any(|meaning| topics.contains(&meaning.as_str())));
    dated.sort_by_key(|one| one.day);
    dated.truncate(MOST);
    let Some(next) = dated.first() else {
        let text = "Nothing with a date is noted here yet. Tell me what it is and which date it has, or upload it, and ask me again.";
        return Some(Reply::text(WHY, text));
    };
    let lines: Vec<String> = dated.iter().map(|one| format!("- {}", one.told(scene.context.today))).collect();
    let first = format!("The next is your {}.", next.name);
    let text = format!("{}\n\n{}", capitalised(&first), lines.join("\n"));
    Some(Reply { reasoning: WHY.to_owned(), text, calls: closing(scene, &dated) })
}

/// "Note the result with update_context … When the question is answered, end with complete_task": both at once, as the
/// prompt orders it.
fn closing(scene: &Scene<'_>, dated: &[Dated]) -> Vec<Planned> {
    let orders = |lead: &str, name: &str| scene.standing.to_lowercase().contains(&format!("{lead} {name}"));
    let ends = scene
        .tools
        .iter()
        .find(|tool| tool.kind == Kind::Complete && orders("end with", &tool.spec.name.to_lowercase()));
    let (Some(ends), Some(next)) = (ends, dated.first()) else { return Vec::new() };
    let Some(summary) = ends.params.first() else { return Vec::new() };
    let keeps = scene.tools.iter().find_map(|tool| match tool.kind {
        Kind::Keep { param } if orders("note the result with", &tool.spec.name.to_lowercase()) => {
            Some((tool, &tool.params[param].name))
        }
        _ => None,
    });
    let today = scene.context.today;
    let noted = keeps.map(|(tool, param)| {
        let upcoming: Vec<Value> = dated.iter().map(|one| one.entry(today)).collect();
        let mut data = json!({"upcoming": upcoming});
        if let Some(today) = today {
            data["checked_on"] = json!(today.to_string());
        }
        Planned { name: tool.spec.name.clone(), arguments: [(param.clone(), data)].into_iter().collect() }
    });
    let said = format!("The next deadline: {}.", next.told(today).replace("**", ""));
    let arguments = [(summary.name.clone(), json!(said))].into_iter().collect();
    noted.into_iter().chain([Planned { name: ends.spec.name.clone(), arguments }]).collect()
}

/// Keeps what fits, unless nothing does.
fn narrow(all: &mut Vec<Dated>, fits: impl Fn(&Dated) -> bool) {
    if all.iter().any(&fits) {
        all.retain(fits);
    }
}

fn meanings(text: &str) -> impl Iterator<Item = String> {
    name_words(text).into_iter().map(|word| concept(&word))
}

/// A thing that was noted with a day.
struct Dated {
    name: String,
    /// What the day means, such as `expires_on`.
    key: String,
    day: NaiveDate,
}

impl Dated {
    fn entry(&self, today: Option<NaiveDate>) -> Value {
        let mut entry = json!({"type": self.name});
        entry[self.key.as_str()] = json!(self.day.to_string());
        if let Some(today) = today {
            entry["days_left"] = json!((self.day - today).num_days());
        }
        entry
    }

    fn told(&self, today: Option<NaiveDate>) -> String {
        let (name, key) = (&self.name, render::human_key(&self.key));
        let left = today.map(|today| match (self.day - today).num_days() {
            0 => " (today)".to_owned(),
            1 => " (tomorrow)".to_owned(),
            days @ 2.. => format!(" (in {days} days)"),
            days => format!(" (**{} days ago**)", -days),
        });
        format!("{}: {key} {}{}", capitalised(name), self.day, left.unwrap_or_default())
    }
}

fn gather(value: &Value, into: &mut Vec<Dated>) {
    match value {
        Value::Array(items) => items.iter().take(200).for_each(|item| gather(item, into)),
        Value::Object(map) => {
            let names = ["type", "name", "title", "purpose", "subject", "label"];
            let name = names.iter().find_map(|name| map.get(*name)?.as_str());
            for (key, value) in map {
                let day = value.as_str().and_then(|text| text.parse::<NaiveDate>().ok());
                match (day, name) {
                    (Some(day), Some(name)) => {
                        into.push(Dated { name: name.replace('_', " "), key: key.clone(), day });
                    }
                    _ => gather(value, into),
                }
            }
        }
        _ => {}
    }
}

/// Today as a clock told it in this turn.
pub fn told_today(tools: &[Offered<'_>], rounds: &[Vec<super::scene::Done>]) -> Option<NaiveDate> {
    let is_clock = |name: &str| {
        let tool = tools.iter().find(|tool| tool.spec.name == name && tool.kind == Kind::Plain);
        tool.is_some_and(|tool| tool.is_own_word("time") || tool.is_own_word("date"))
    };
    rounds.iter().flatten().filter(|(call, _)| is_clock(&call.name)).find_map(|(_, result)| {
        let told: Value = serde_json::from_str(&result.content).ok()?;
        told.get("date")?.as_str()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_with_a_date_are_found_wherever_they_are_noted() {
        let notes = json!({"notes": {"papers": {"documents": [
            {"type": "driver's license", "expires_on": "2027-05-01"}, {"type": "permit", "expires_on": null},
        ]}, "booking": {"appointment": {"purpose": "inspection", "date": "2026-11-17"}}}});
        let mut found = Vec::new();
        gather(&notes, &mut found);
        found.sort_by_key(|one| one.day);
        let told: Vec<String> = found.iter().map(|one| one.told("2026-11-16".parse().ok())).collect();
        assert_eq!(
            told,
            [
                "Inspection: date 2026-11-17 (tomorrow)",
                "Driver's license: expires on 2027-05-01 (in 166 days)"
            ]
        );
    }
}
