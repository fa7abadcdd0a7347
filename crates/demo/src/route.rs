//! The router's decision: which agent of the team a message is for.

use baton_core::models::{ChatMessage, ModelRequest, UserPart};
use serde_json::{Map, Value};

use crate::Reply;
use crate::score::{Candidate, best};
use crate::words::words;

pub const ROUTE: &str = "route";
/// One shared word is enough for a switch: a wrong choice is soon corrected, and a router that never switches is
/// useless.
const ENOUGH: f64 = 0.9;

pub fn route(request: &ModelRequest) -> Reply {
    let asked = match request.messages.last() {
        Some(ChatMessage::User(parts)) => parts.iter().filter_map(text_of).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    };
    let lines = request.system.fixed.lines().skip_while(|line| !line.ends_with("Agents:"));
    let members: Vec<Candidate> = lines.filter_map(|line| Candidate::listed(ROUTE, "agent", line)).collect();
    let context = request.system.context.as_deref().unwrap_or_default();
    let first_word = |line: &str, title: &str| {
        Some(line.strip_prefix(title)?.split_whitespace().next().unwrap_or_default().to_owned())
    };
    // Below it people and agents speak.
    let known = context.split("\n\n").next().unwrap_or_default();
    let active = known.lines().find_map(|line| first_word(line, "Active agent: "));
    let paused: Vec<String> = known.lines().filter_map(|line| first_word(line, "Paused: ")).collect();
    let comes_back = words(&asked).iter().any(|word| word == "back");
    let meant =
        best(&asked, &members, ENOUGH).and_then(|member| member.given["agent"].as_str()).map(str::to_owned);
    let meant = meant.or_else(|| paused.last().filter(|_| comes_back).cloned());
    let mut decision = Map::new();
    match meant.filter(|slug| Some(slug) != active.as_ref()) {
        Some(slug) => {
            let way = if paused.contains(&slug) { "resume" } else { "switch" };
            decision.insert("decision".to_owned(), way.into());
            decision.insert("agent".to_owned(), slug.into());
            decision.insert("summary".to_owned(), Value::from(asked));
        }
        None => {
            decision.insert("decision".to_owned(), "stay".into());
        }
    }
    Reply::call(ROUTE, decision)
}

fn text_of(part: &UserPart) -> Option<&str> {
    match part {
        UserPart::Text(text) => Some(text),
        UserPart::Image { .. } => None,
    }
}
