//! Requests to models are always valid, whatever happened: random conversations, and pieces of them that no driver
//! leaves behind, read by a strict vendor of each kind.

use std::collections::{HashMap, HashSet};

use baton_core::conversations::MessageRole;
use baton_core::ids::{AgentId, TaskId};
use baton_core::log::{LoggedStep, Step};
use baton_core::models::{ChatMessage, ModelRequest, UserPart};
use baton_core::tape::Voice;
use serde_json::Value;

use super::for_seeds;
use super::random_log::{Company, Teller};
use super::strict::{self, Checked, ensure};
use crate::nul::clean;
use crate::prompt::request::{RequestInput, request};
use crate::prompt::scope::Scope;
use crate::prompt::view::{LEFT_OUT_HERE, MAX_BYTES};
use crate::turn::run::Offered;

#[test]
fn every_request_is_one_the_strictest_vendor_takes() {
    let company = Company::new();
    for_seeds(20_000, |seed| {
        let listener = |log: &[LoggedStep], reader: AgentId, request: &ModelRequest| {
            check(log, reader, request).unwrap_or_else(|wrong| panic!("{wrong}\n{:#?}", short(log)));
        };
        let mut teller = Teller::new(seed, &company, &listener);
        teller.tell();
        pieces_of(&mut teller, &company);
    });
}

/// A log cut anywhere: at its end as a crash may, at its beginning as the store does with a long one.
fn pieces_of(teller: &mut Teller<'_>, company: &Company) {
    let whole = teller.log.clone();
    let from = if teller.dice.bool() { 0 } else { teller.dice.usize(..=whole.len()) };
    let to = teller.dice.usize(from..=whole.len());
    let mut piece = whole[from..to].to_vec();
    // What a thought is bound to is gone.
    for logged in &mut piece {
        if let Step::Said(said) = &mut logged.step {
            said.thinking.clear();
        }
    }
    let agent = teller.dice.usize(..2);
    let ready = company.pick(&mut teller.dice, agent);
    let task = piece.iter().rev().find_map(|logged| logged.task_id).unwrap_or_else(TaskId::new);
    let request = request(&RequestInput {
        ready: &ready,
        model: "any",
        log: &piece,
        log_is_cut: from > 0,
        task_id: task,
        offered: if teller.dice.bool() { Offered::Tools } else { Offered::Nothing },
        scope: &Scope::Full,
        activation: None,
        snapshots: &[],
        note: None,
        files: &teller.files,
    });
    check(&piece, ready.agent.id, &request).unwrap_or_else(|wrong| panic!("{wrong}\n{:#?}", short(&piece)));
}

fn check(log: &[LoggedStep], reader: AgentId, request: &ModelRequest) -> Checked {
    strict::check(request)?;
    whole_turns(log, request)?;
    own_words(log, reader, request)
}

/// The cap holds, turns are dropped whole and oldest first, and the person's last words are there as they were.
fn whole_turns(log: &[LoggedStep], request: &ModelRequest) -> Checked {
    let shown = shown(request);
    if let Some(words) = log.iter().rev().find_map(persons_words) {
        ensure(words.trim().is_empty() || shown.contains(&clean(words)), || {
            format!("the last words are gone: {words:?}")
        })?;
    }
    let pieces: Vec<Piece> = pieces(log);
    let mut first_kept = None;
    for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| !piece.marks.is_empty()) {
        let kept = piece.marks.iter().filter(|mark| shown.contains(mark.as_str())).count();
        ensure(kept == 0 || kept == piece.marks.len(), || format!("half a turn: {:?}", piece.marks))?;
        ensure(kept > 0 || first_kept.is_none(), || format!("a hole: {:?}", piece.marks))?;
        first_kept = first_kept.or((kept > 0).then_some(index));
    }
    let first_kept = first_kept.unwrap_or(0);
    let last_dropped = pieces[..first_kept].iter().rposition(|piece| !piece.marks.is_empty());
    if let Some(last_dropped) = last_dropped {
        ensure(pieces[first_kept].begins_with_person, || "the first kept is no person's".into())?;
        let told = request.system.context.as_deref().is_some_and(|context| context.contains("too long"));
        ensure(told, || "the model is not told that something is missing".into())?;
        let with_one_more: usize = pieces[last_dropped..].iter().map(|piece| piece.most).sum();
        ensure(with_one_more > MAX_BYTES, || "more was dropped than had to be".into())?;
    }
    let turns_kept = pieces[first_kept..].iter().filter(|piece| !piece.marks.is_empty()).count();
    let own_words = 200 * request.messages.len();
    ensure(turns_kept <= 1 || shown.len() <= MAX_BYTES + own_words, || {
        format!("{} bytes are more than the cap", shown.len())
    })
}

/// What the reader said and called is its own, with the results it got; what others said is not.
fn own_words(log: &[LoggedStep], reader: AgentId, request: &ModelRequest) -> Checked {
    let (mut said, mut called) = (String::new(), HashSet::new());
    for message in &request.messages {
        if let ChatMessage::Assistant(own) = message {
            said.push_str(&own.text);
            called.extend(own.calls.iter().map(|call| call.id.as_str()));
        }
    }
    let results: HashMap<&str, &str> = request
        .messages
        .iter()
        .flat_map(|message| match message {
            ChatMessage::Results(results) => results.as_slice(),
            _ => &[],
        })
        .map(|result| (result.call_id.as_str(), result.content.as_str()))
        .collect();
    let everything = shown(request);
    for logged in log {
        let is_own = logged.agent_id == reader;
        match &logged.step {
            Step::Said(other) => {
                for block in other.blocks.iter().filter(|block| block.voice == Voice::Text) {
                    for mark in marks(&block.text, '¶').filter(|mark| everything.contains(mark)) {
                        ensure(said.contains(&mark) == is_own, || {
                            format!("{mark} is given to the wrong one")
                        })?;
                    }
                }
            }
            Step::ToolCall(call) => {
                let shown = called.contains(call.call_id.as_str());
                ensure(is_own || !shown, || format!("{} is another agent's call", call.call_id))?;
            }
            Step::ToolResult(result) => {
                let content = result.result.as_str().map_or_else(|| result.result.to_string(), str::to_owned);
                let given = results.get(result.call_id.as_str()).copied();
                let is_shortened = |given: &str| {
                    given
                        .strip_suffix(LEFT_OUT_HERE)
                        .is_some_and(|start| content.starts_with(start.trim_end()))
                };
                let same = |given: &str| content.trim().is_empty() || given == content || is_shortened(given);
                ensure(given.is_none_or(same), || {
                    format!("{} gave {content:?}, not {given:?}", result.call_id)
                })?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// All a model reads of the conversation.
fn shown(request: &ModelRequest) -> String {
    let mut shown = String::new();
    for message in &request.messages {
        match message {
            ChatMessage::User(parts) => parts.iter().for_each(|part| match part {
                UserPart::Text(text) => shown.push_str(text),
                UserPart::Image { .. } => {}
            }),
            ChatMessage::Assistant(said) => {
                shown.push_str(&said.text);
                for call in &said.calls {
                    shown.push_str(&Value::Object(call.arguments.clone()).to_string());
                }
            }
            ChatMessage::Results(results) => {
                results.iter().for_each(|result| shown.push_str(&result.content))
            }
        }
    }
    shown
}

/// From one person's message to the next.
#[derive(Default)]
struct Piece {
    begins_with_person: bool,
    /// What must be shown of it, if any is.
    marks: Vec<String>,
    /// The most its entries can count for.
    most: usize,
}

fn pieces(log: &[LoggedStep]) -> Vec<Piece> {
    let mut pieces = vec![Piece::default()];
    for logged in log {
        if persons_words(logged).is_some() {
            pieces.push(Piece { begins_with_person: true, ..Piece::default() });
        }
        let piece = pieces.last_mut().expect("a piece");
        // Attached files are at most this long here; what Baton adds of its own is short.
        piece.most += 500;
        match &logged.step {
            Step::User { content, attachments, .. } => {
                piece.marks.extend(marks(content, '§'));
                piece.most += content.len() + attachments.len() * 160_000;
            }
            Step::Imported { content, .. } => {
                piece.marks.extend(marks(content, '§').chain(marks(content, '¶')));
                piece.most += content.len();
            }
            Step::Said(said) => {
                for block in said.blocks.iter().filter(|block| block.voice == Voice::Text) {
                    piece.marks.extend(marks(&block.text, '¶'));
                    piece.most += block.text.len();
                }
            }
            Step::ToolCall(call) => piece.most += Value::Object(call.args.clone()).to_string().len() * 3,
            Step::ToolResult(result) => piece.most += result.result.to_string().len(),
            _ => {}
        }
    }
    pieces
}

fn persons_words(logged: &LoggedStep) -> Option<&str> {
    match &logged.step {
        Step::User { content, .. } | Step::Imported { role: MessageRole::User, content } => Some(content),
        _ => None,
    }
}

/// The marks of a text: a number between two signs.
fn marks(text: &str, sign: char) -> impl Iterator<Item = String> {
    text.split(sign).skip(1).step_by(2).map(move |number| format!("{sign}{number}{sign}"))
}

/// A log that can be read when it is printed.
pub fn short(log: &[LoggedStep]) -> Vec<String> {
    let mut names: HashMap<TaskId, usize> = HashMap::new();
    log.iter()
        .map(|logged| {
            let next = names.len();
            let task = logged.task_id.map(|task| *names.entry(task).or_insert(next));
            let agent = logged.agent_id.0.as_u128() % 1_000;
            let step: String = format!("{:?}", logged.step).chars().take(300).collect();
            format!("{} task {task:?} agent {agent}: {step}", logged.seq)
        })
        .collect()
}
