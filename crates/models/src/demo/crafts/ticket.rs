//! A customer's ticket: a note with its priority, then what happened and who has to act by when.

use serde_json::json;

use super::super::collect::mark;
use super::super::free::Used;
use super::super::look::{Need, Reading, look};
use super::super::params::Param;
use super::super::sayings::trouble;
use super::super::scene::Scene;
use super::super::words::{shorten, words};
use super::facts::{Fact, fact, field, is_new, text_field, to_me};
use super::{Words, has_said, is_about, is_anothers, once};

const WHAT: &str = "What happened, in the customer's own words?";

pub fn noted(scene: &Scene<'_>, said: Words) -> Option<String> {
    let id = text_field("ticket_id")?;
    let levels = field("priority", json!({"type": "string", "enum": ["low", "normal", "high", "urgent"]}))?;
    if !is_about(scene, "ticket") || (said == Words::New && is_anothers(scene, &id)) {
        return None;
    }
    let ticket = fact(scene, &id, |_| None);
    let priority = fact(scene, &levels, |_| None);
    let problem = problem(scene, &id);
    if said == Words::New && ![&ticket, &priority, &problem].into_iter().any(is_new) {
        return None;
    }
    let Some(Fact { text: ticket, .. }) = ticket else {
        let asks = said == Words::New && is_new(&problem);
        return asks.then(|| format!("I take this down. What is the {} it belongs to?", mark(&id)));
    };
    let reprioritised = is_new(&priority);
    let (priority, assumed) = match priority {
        Some(priority) => (priority.text, ""),
        None => ("normal".to_owned(), ", as none was named"),
    };
    let due = match priority.to_lowercase().as_str() {
        "urgent" => "today",
        "high" => "tomorrow",
        "low" => "when there is time",
        _ => "this week",
    };
    let text = match problem {
        Some(Fact { text: told, .. }) => format!(
            "**Ticket {ticket}**\n\n- priority: {priority}{assumed}\n- problem: {told}\n- to act: whoever owns the product, {due}\n\n\
             **Answer to the customer, a draft**\n\nThank you for telling us. We understood this: {told}. Somebody \
             looks into it {due}, and we write to you as soon as we know more. If anything changes meanwhile, \
             answer to this message.\n\nNothing was sent, and the ticket stays open."
        ),
        None if has_said(scene, &format!("**Ticket {ticket}**")) && !reprioritised => return None,
        None => format!(
            "**Ticket {ticket}** is open with me.{}\n\n- ticket ID: {ticket}\n- priority: {priority}{assumed}\n\
             - to act: {due}\n- problem: [open]\n\n{WHAT}",
            once(scene)
        ),
    };
    (!has_said(scene, &text)).then_some(text)
}

/// What happened, as it was told to this agent: in reply to its question, beside the ticket's number, or as trouble.
fn problem(scene: &Scene<'_>, id: &Param) -> Option<Fact> {
    to_me(scene).enumerate().find_map(|(back, (said, message))| {
        let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let named =
            look(id, &Reading::of(&line, None), &Used::new(), Need::Optional).and_then(|(_, span)| span);
        // "Ticket T-9: customer can't log in"
        let (rest, is_named) = match named {
            Some((_, end)) if words(&line[..end]).len() <= 4 => {
                (line[end..].trim_start_matches([':', ',', '-', '–', '.', ' ']), true)
            }
            _ => (line.as_str(), false),
        };
        let least = if is_named { 3 } else { 2 };
        let tells = said.contains(WHAT) || is_named || trouble(rest).is_some();
        let told = shorten(rest, 400);
        let told = told.trim_end_matches(['.', '!']);
        (tells && words(told).len() >= least && !told.ends_with('?'))
            .then(|| Fact { text: told.to_owned(), is_new: back == 0 })
    })
}
