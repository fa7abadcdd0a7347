//! What an agent is to collect, where only its prompt says so: "Collect the brand, the budget and the financing (cash,
//! loan or leasing)", or a list under such a line.

use serde_json::{Value, json};

use super::params::{Param, read};
use super::words::{name_words, words};

const ASKS: &[&str] = &["collect", "gather", "ask for", "record", "take down", "find out"];
const MOST: usize = 10;

pub fn wanted(standing: &str) -> Vec<Param> {
    let mut lines = standing.lines().take(80).peekable();
    while let Some(line) = lines.next() {
        let lower = line.to_ascii_lowercase();
        let Some((at, verb)) = ASKS.iter().filter_map(|verb| Some((whole_word(&lower, verb)?, *verb))).min()
        else {
            continue;
        };
        let after = &line[at + verb.len()..];
        let listed = after.trim_end().ends_with(':') && lines.peek().is_some_and(|next| is_item(next));
        let items: Vec<String> = if listed {
            std::iter::from_fn(|| lines.next_if(|next| is_item(next)))
                .map(|item| item.trim().trim_start_matches(is_bullet).trim().to_owned())
                .collect()
        } else {
            pieces(after.split(['.', ';', ':']).next().unwrap_or_default())
        };
        let fields: Vec<(String, Value)> = items.iter().filter_map(|item| field(item)).take(MOST).collect();
        if !fields.is_empty() {
            let names: Vec<&String> = fields.iter().map(|(name, _)| name).collect();
            let schema = json!({"properties": fields.iter().cloned().collect::<serde_json::Map<_, _>>(), "required": names});
            return read(&schema);
        }
    }
    Vec::new()
}

/// Where a verb orders something: "Collect …", "You record …", "and ask for …"; not "the record".
fn whole_word(lower: &str, verb: &str) -> Option<usize> {
    let at = lower.find(verb)?;
    let before = lower[..at].trim_end();
    let leads = ["you", "and", "to", "then", "first", "please", "always"];
    let led = before.is_empty() || before.ends_with(['.', ',', ';', ':', '-', '*']);
    let led = led || before.rsplit(' ').next().is_some_and(|word| leads.contains(&word));
    (led && lower[at + verb.len()..].starts_with([' ', ':'])).then_some(at)
}

fn is_bullet(c: char) -> bool {
    matches!(c, '-' | '*' | '•' | ')' | '.') || c.is_ascii_digit()
}

fn is_item(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(is_bullet) && line.contains(' ')
}

/// The members of "the brand, the budget and the financing (cash, loan or leasing)".
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0;
    for part in text.split_inclusive([' ', ',', '(', ')']) {
        depth += part.matches('(').count();
        let ends = part.ends_with(',') || part.trim() == "and";
        if depth == 0 && ends {
            if let Some(last) = pieces.last_mut().filter(|_| part.trim() != "and") {
                last.push_str(part.trim_end_matches(','));
            }
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push_str(part);
        }
        depth = depth.saturating_sub(part.matches(')').count());
    }
    pieces.into_iter().map(|piece| piece.trim().to_owned()).filter(|piece| !piece.is_empty()).collect()
}

/// A field by its name, with what is said of it: "financing (cash, loan or leasing)", "budget: in kroner".
fn field(item: &str) -> Option<(String, Value)> {
    let (name, about) = item.split_once(": ").or_else(|| item.split_once(" (")).unwrap_or((item, ""));
    let about = about.trim_end_matches([')', '.', ' ']);
    let skip = [
        "the",
        "a",
        "an",
        "its",
        "their",
        "his",
        "her",
        "whether",
        "if",
        "they",
        "want",
        "person's",
        "people's",
        "it",
        "of",
        "need",
        "needs",
        "s",
        "following",
        "which",
        "what",
        "you",
    ];
    let all = words(name.trim_matches(['*', '`', ' ']));
    let kept: Vec<&str> = all
        .iter()
        .map(|word| word.text)
        .filter(|word| !skip.contains(&word.to_lowercase().as_str()))
        .collect();
    let kept = if kept.len() > 1 && kept[0].eq_ignore_ascii_case("when") { &kept[1..] } else { &kept[..] };
    let all_of_it = ["everything", "anything", "all"].iter().any(|word| kept.contains(word));
    if kept.is_empty() || kept.len() > 3 || all_of_it {
        return None;
    }
    let name = name_words(&kept.join("_")).join("_");
    let choices: Vec<String> = about
        .split([',', '/'])
        .flat_map(|part| part.split(" or "))
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    let are_choices =
        choices.len() > 1 && choices.iter().all(|choice| choice.split_whitespace().count() <= 2);
    let mut schema = json!({"type": "string", "description": about});
    if are_choices {
        schema["enum"] = json!(choices);
    }
    Some((name, schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_say_what_to_collect() {
        for (prompt, expected) in [
            (
                "You make offers. Collect the brand, the budget, the time and the financing (cash, loan or leasing).",
                "brand budget time financing",
            ),
            (
                "Collect these, one at a time:\n- brand: which make\n- budget: in kroner\nThen end.",
                "brand budget",
            ),
            ("You take a document and record its type and when it expires.", "type expires"),
            ("You answer questions about the collection.", ""),
            ("Your tool is for three kinds of records:\n- leads: people\n- deals: money", ""),
            ("Collect everything a report needs before you write it.", ""),
            ("Keep the currency of the record: never add up different ones.", ""),
        ] {
            let names: Vec<String> = wanted(prompt).into_iter().map(|param| param.name).collect();
            assert_eq!(names.join(" "), expected, "{prompt}");
        }
        assert_eq!(wanted("Collect the financing (cash, loan or leasing).")[0].choices.len(), 3);
    }
}
