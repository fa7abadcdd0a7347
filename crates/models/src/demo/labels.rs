//! Values that a text labels: by the parameter's own name, by "called", by the kind of thing they stand before.

use serde_json::json;

use super::look::Hit;
use super::params::{Param, Wants};
use super::words::{Word, concept, stem, words};

/// `company: Acme`, `budget of 20k`, `the title should be X`: the parameter's own name, then its value.
pub fn labelled(param: &Param, text: &str) -> Option<Hit> {
    let names = param.concepts();
    let stems: Vec<String> = param.words.iter().map(|word| stem(word)).collect();
    let all = words(text);
    // A verb that means alike is no label: "post" doesn't name the `message`.
    let fits = |word: &Word<'_>, name: &String| {
        word.concept == *name && (word.act().is_none() || stems.contains(&stem(&word.lower)))
    };
    if names.is_empty() {
        return None;
    }
    let at = all
        .windows(names.len())
        .position(|window| window.iter().zip(&names).all(|(word, name)| fits(word, name)))?;
    let mut next = at + names.len();
    let mut linked = false;
    let links = [
        "is", "are", "was", "of", "to", "number", "id", "name", "type", "should", "be", "as", "called",
        "named",
    ];
    while next < all.len() {
        let between = text[all[next - 1].end()..all[next].start].trim();
        linked |= between.starts_with([':', '=']) || all[next - 1].lower.ends_with("'s");
        // "A message to Ana" doesn't say what the message is.
        let leads_on = all[next].lower == "to" && param.wants == Wants::Body;
        if !links.contains(&all[next].lower.as_str()) || !between.is_empty() || leads_on {
            break;
        }
        linked = true;
        next += 1;
    }
    let start = all.get(next).filter(|_| linked)?.start;
    let rest = &text[start..];
    let stops = [",", ";", "\n", ". ", "? ", "! ", " and ", " with ", " but "];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let value = rest[..end].trim_end_matches(['.', '!', '?', ' ']).trim_matches(['"', '“', '”', '\'']);
    (!value.is_empty()).then(|| (json!(value), Some((start, start + end))))
}

/// "titled Travel policy: …": the name up to what follows it.
pub fn titled(text: &str) -> Option<Hit> {
    let all = words(text);
    let mark =
        all.iter().take(12).find(|word| ["titled", "called", "named"].contains(&word.lower.as_str()))?;
    let start = all.iter().find(|word| word.start >= mark.end())?.start;
    let rest = &text[start..];
    let stops = [": ", ",", ";", "\n", ". ", " with ", " and ", " for ", "\"", "”"];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches(['.', '!', '?', ' ']);
    (!name.is_empty()).then(|| (json!(name), Some((mark.start, start + end))))
}

/// "the outreach campaign" for `campaign_type`: the word before says which kind.
pub fn kind_before(param: &Param, text: &str) -> Option<Hit> {
    let kinds = ["type", "kind", "category", "style"];
    let last = param.words.last().filter(|last| kinds.contains(&last.as_str()) && param.words.len() > 1)?;
    let thing = concept(param.words.iter().rev().find(|word| *word != last)?);
    let all = words(text);
    let at = (1..all.len()).find(|at| all[*at].concept == thing && all[at - 1].is_topic())? - 1;
    // "Win-back" is one word.
    let joined = |at: &usize| *at > 0 && text[all[at - 1].end()..all[*at].start] == *"-";
    let first = std::iter::successors(Some(at), |at| joined(at).then(|| at - 1)).last().unwrap_or(at);
    let (start, end) = (all[first].start, all[at].end());
    Some((json!(&text[start..end]), Some((start, end))))
}
