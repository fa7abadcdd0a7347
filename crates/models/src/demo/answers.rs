//! Replies to our questions: which of them answers which, and whether it can be an answer at all.

use serde_json::{Map, Value, json};

use super::fill::fitted;
use super::free::Used;
use super::look::{Need, Reading, look};
use super::params::{Param, Shape, Wants};
use super::resume::resumes;
use super::sayings::core;

/// Replies without a label: "Aurora" to "Which room?", or one piece for each thing that was asked.
pub fn answer_the_missing(arguments: &mut Map<String, Value>, missing: &mut Vec<Param>, answers: &[String]) {
    let Some(answer) = answers.last().filter(|answer| resumes(answer).is_none()) else { return };
    for (param, value) in bare_answers(missing, answer) {
        arguments.insert(param, value);
    }
    missing.retain(|param| !arguments.contains_key(&param.name));
}

/// Pairs what was asked with what was replied, where the numbers agree.
pub fn bare_answers(asked: &[Param], answer: &str) -> Vec<(String, Value)> {
    let answer = answer.trim().trim_end_matches(['.', '!']);
    let pieces: Vec<&str> = match asked.len() {
        0 => return Vec::new(),
        1 => vec![answer],
        _ => {
            let pieces = answer.split([',', ';', '\n']).flat_map(|piece| piece.split(" and "));
            pieces.map(str::trim).filter(|piece| !piece.is_empty()).collect()
        }
    };
    if pieces.len() != asked.len() || answer.is_empty() {
        return Vec::new();
    }
    let typed = |param: &Param, piece: &str| {
        let reading = Reading::of(piece, None);
        let found = look(param, &reading, &Used::new(), Need::Required).map(|(value, _)| value);
        let yes = ["yes", "yep", "true", "sure", "no", "false", "nope"];
        let first = piece.split_whitespace().next().unwrap_or_default().trim_end_matches(',').to_lowercase();
        match param.shape {
            Shape::Flag => yes.iter().position(|word| *word == first).map(|at| json!(at < 4)),
            Shape::List => Some(found.unwrap_or_else(|| json!([piece]))),
            Shape::Text if param.wants == Wants::Date => found.or_else(|| some_day(param, piece)),
            Shape::Text => found.or_else(|| fitted(param, &json!(core(piece)))),
            _ => found.or_else(|| fitted(param, &json!(piece))),
        }
    };
    let pairs = asked.iter().zip(pieces);
    pairs.filter_map(|(param, piece)| typed(param, piece).map(|value| (param.name.clone(), value))).collect()
}

/// A day that isn't named by the calendar: "as soon as possible", or "any", where the field can take that. A number plate
/// is none.
fn some_day(param: &Param, piece: &str) -> Option<Value> {
    let lower = piece.to_lowercase();
    let digits = lower.contains(|c: char| c.is_ascii_digit());
    let any = ["any", "whenever", "no matter", "egal"].iter().any(|word| lower.starts_with(word));
    let exact = param.description.contains("YYYY") || param.words == ["date"];
    (any || !(exact || digits)).then(|| json!(core(piece)))
}

#[cfg(test)]
mod tests {
    use super::super::params::read;
    use super::*;

    #[test]
    fn what_is_no_day_answers_no_question_for_one() {
        for (field, reply, expected) in [
            ("date", "AB12345", None),
            ("date", "2026-02-30", None),
            ("date", "banana", None),
            ("date", "2026-11-20", Some("2026-11-20")),
            ("date", "next Tuesday", Some("next Tuesday")),
            ("date", "any", Some("any")),
            ("deadline", "as soon as possible", Some("as soon as possible")),
            ("deadline", "AB12345", None),
            ("deadline", "by March", Some("by March")),
        ] {
            let schema = json!({"properties": {field: {"type": "string"}}, "required": [field]});
            let answers = bare_answers(&read(&schema), reply);
            let value = answers.first().and_then(|(_, value)| value.as_str());
            assert_eq!(value, expected, "{field}: {reply}");
        }
    }
}
