//! What the model's vendor is asked and answers, in its own format.

use serde_json::{Value, json};

use super::reference::{AGENTS, Answer};
use crate::held_model::{Asked, Reply};

/// Who is asked by this request.
pub fn who(asked: &Asked) -> String {
    let name = asked.system().strip_prefix("You are ").and_then(|rest| rest.split('.').next());
    name.unwrap_or("router").to_owned()
}

/// The answer in the vendor's words.
pub fn said(answer: Answer, asked: &Asked, words: String, number: usize) -> Reply {
    let call = |name: &str, arguments: Value| (name.to_owned(), arguments);
    let hand = |to: usize| {
        call("switch_agent", json!({"agent": AGENTS[to].to_lowercase(), "reason": "It is theirs."}))
    };
    let silent = String::new;
    let (text, calls) = match answer {
        Answer::Fail => return Reply::Refuses,
        Answer::BreakOff => return Reply::BreaksOff(words),
        Answer::Text | Answer::Route(None) => (words, vec![]),
        Answer::Hand(to) => (silent(), vec![hand(to)]),
        Answer::Note { aloud } => {
            let note = call("update_context", json!({"data": {"n": number}}));
            (if aloud { words } else { silent() }, vec![note])
        }
        Answer::Save { and_hand } => {
            let save = json!({"action": "save", "path": format!("n{number}"), "content": "kept"});
            (words, [call("manageMemory", save)].into_iter().chain(and_hand.map(hand)).collect())
        }
        Answer::Complete { right } => {
            let (name, given) = match asked.offers("complete_stage") {
                true => ("complete_stage", json!({"size": 1})),
                false => ("complete_task", json!({"summary": "Done."})),
            };
            (silent(), vec![call(name, if right { given } else { json!({}) })])
        }
        Answer::Route(Some(to)) => {
            let decision = if number.is_multiple_of(2) { "switch" } else { "resume" };
            let agent = AGENTS[to].to_lowercase();
            let route = json!({"decision": decision, "agent": agent, "summary": "They want more."});
            (silent(), vec![call("route", route)])
        }
    };
    Reply::Says { text, calls }
}
