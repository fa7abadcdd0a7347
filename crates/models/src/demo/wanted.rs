//! What an agent is to collect, where only its prompt says so: a list under a line such as "A request is ready when
//! these are known:", or "Collect the brand, the budget and the financing (cash, loan or leasing)".

use serde_json::{Value, json};

use super::params::{Param, read};
use super::words::{name_words, words};

const ASKS: &[&str] = &["collect", "gather", "ask for", "record", "take down", "find out"];
/// How a line ends before the list of what makes something whole.
const WHOLE: &[&str] = &["known", "needed", "required", "needs", "there", "noted"];
const MOST: usize = 10;

/// Where the agent's prompt wants its notes to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Under {
    /// Each by its own name.
    Names,
    /// All in one object of this name.
    Object(String),
    /// As one more entry of the list of this name.
    List(String),
}

pub fn wanted(standing: &str) -> Vec<Param> {
    let lines: Vec<&str> = standing.lines().take(120).collect();
    let items_after = |at: usize| -> Vec<String> {
        let items = lines[at + 1..].iter().take_while(|line| is_item(line));
        items.map(|item| item.trim().trim_start_matches(is_bullet).trim().to_owned()).collect()
    };
    for (at, line) in lines.iter().enumerate() {
        let lower = line.to_ascii_lowercase();
        let order = ASKS.iter().filter_map(|verb| Some((whole_word(&lower, verb)?, *verb))).min();
        let lists = line.trim_end().ends_with(':') && lines.get(at + 1).is_some_and(|next| is_item(next));
        let items = match order {
            _ if lists && makes_whole(&lower) => items_after(at),
            Some(_) if lists => items_after(at),
            Some((place, verb)) => {
                let after = &line[place + verb.len()..];
                pieces(after.split(['.', ';', ':']).next().unwrap_or_default())
            }
            None => continue,
        };
        let fields: Vec<Field> = items.iter().filter_map(|item| field(item)).take(MOST).collect();
        if !fields.is_empty() {
            let required: Vec<&String> =
                fields.iter().filter(|one| one.required).map(|one| &one.name).collect();
            let properties: serde_json::Map<_, _> =
                fields.iter().map(|one| (one.name.clone(), one.schema.clone())).collect();
            return read(&json!({"properties": properties, "required": required}));
        }
    }
    Vec::new()
}

/// "A request is ready when four things are known:"
fn makes_whole(lower: &str) -> bool {
    let last = lower.trim_end().trim_end_matches(':').split_whitespace().next_back().unwrap_or_default();
    WHOLE.contains(&last)
}

/// "Note every document in the list documents", "note each thing under the name appointment".
pub fn under(standing: &str, tool: &str) -> Under {
    let lines = standing.lines().filter(|line| line.contains(tool));
    let named = |line: &str, lead: &str| {
        let after = line.split_once(lead)?.1;
        let name: String = after
            .trim_start_matches(['`', '"', '“'])
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        (!name.is_empty()).then_some(name)
    };
    for line in lines {
        if let Some(name) = named(line, "in the list ") {
            return Under::List(name);
        }
        if let Some(name) = named(line, "under the name ") {
            return Under::Object(name);
        }
    }
    Under::Names
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

struct Field {
    name: String,
    schema: Value,
    required: bool,
}

/// Words that lead to a field's name without being part of it.
#[rustfmt::skip]
const SKIPPED: &[&str] = &[
    "the", "a", "an", "its", "their", "his", "her", "whether", "if", "they", "want", "person's", "people's", "it",
    "of", "need", "needs", "s", "following", "which", "what", "you",
];

/// A field by its name, with what is said of it: "financing (cash, loan or leasing)", "budget: in kroner",
/// "file (optional): its name".
fn field(item: &str) -> Option<Field> {
    let optional = item.contains("(optional)");
    let item = item.replace(" (optional)", "");
    let (name, about) = item.split_once(": ").or_else(|| item.split_once(" (")).unwrap_or((&item, ""));
    let about = about.trim_end_matches([')', '.', ';', ' ']);
    let all = words(name.trim_matches(['*', '`', ' ']));
    let mut kept: Vec<_> =
        all.iter().filter(|word| !SKIPPED.contains(&word.text.to_lowercase().as_str())).collect();
    if kept.len() > 1 && kept[0].lower == "when" {
        kept.remove(0);
    }
    // "Ask for exactly that", "find out for whom": words without a topic name nothing.
    let named = name.contains('_') || kept.iter().all(|word| !word.stop);
    let vague = ["everything", "anything", "all", "exactly", "missing", "several", "thing"];
    if kept.is_empty() || kept.len() > 3 || !named || kept.iter().any(|word| vague.contains(&word.text)) {
        return None;
    }
    let name = name_words(&kept.iter().map(|word| word.text).collect::<Vec<_>>().join("_")).join("_");
    let choices: Vec<String> = about
        .split([',', '/'])
        .flat_map(|part| part.split(" or "))
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    // "The day, as YYYY-MM-DD" describes; "cash, loan or leasing" chooses.
    let short = |choice: &String| {
        let all = words(choice);
        choice.split_whitespace().count() <= 2 && all.first().is_some_and(|word| !word.stop)
    };
    let examples = ["such as", "for example", "e.g."].iter().any(|lead| about.contains(lead));
    let mut schema = json!({"type": "string", "description": about});
    if choices.len() > 1 && !examples && choices.iter().all(short) {
        schema["enum"] = json!(choices);
    }
    Some(Field { name, schema, required: !optional })
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
            (
                "A paper is filed when these are known:\n- type: such as permit, licence or policy\n- expires_on: the day\n\
                 - file (optional): its name\nIf one can't be read, ask for exactly that.",
                "type expires_on file",
            ),
            ("If something is missing, ask for exactly that one.", ""),
            ("Find out what is needed, for whom, by when, and roughly for how much.", ""),
            ("Look there before you ask for something the person has said.", ""),
        ] {
            let names: Vec<String> = wanted(prompt).into_iter().map(|param| param.name).collect();
            assert_eq!(names.join(" "), expected, "{prompt}");
        }
        assert_eq!(wanted("Collect the financing (cash, loan or leasing).")[0].choices.len(), 3);
        let paper = wanted(
            "These are needed:\n- type: such as permit, licence or policy\n- file (optional): its name",
        );
        assert!(paper[0].choices.is_empty() && paper[0].required && !paper[1].required);
        let day = wanted("These are needed:\n- date: the day, as YYYY-MM-DD\n- place: where, or \"any\"");
        assert!(day.iter().all(|field| field.choices.is_empty()));
    }

    #[test]
    fn prompts_say_where_notes_belong() {
        let list = "Note every document with update_context in the list documents. Keep the rest.";
        assert_eq!(under(list, "update_context"), Under::List("documents".into()));
        let one = "Note each thing with update_context under the name appointment, as it becomes known.";
        assert_eq!(under(one, "update_context"), Under::Object("appointment".into()));
        assert_eq!(under("Note it with update_context.", "update_context"), Under::Names);
    }
}
