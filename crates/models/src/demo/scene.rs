//! Reading the request: what is asked, what was said before, what was called in this turn, who I am, what is on offer.
//! Not all that stands on the user's side is the person's: notes of the engine, other agents' words, files and told
//! results stand there too, each marked.

use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, ToolCall, UserPart};

use super::context::{self, Context};
use super::files::{self, File};
use super::habits;
use super::offer::{Kind, Offered};
use super::reopen;
use super::told;

pub struct Scene<'a> {
    /// What the person wrote last, without files and without what others said.
    pub asked: String,
    pub files: Vec<File>,
    /// Media types.
    pub images: Vec<String>,
    /// What the person wrote before, newest first.
    pub earlier: Vec<String>,
    /// Everything the person wrote, oldest first, each with what I had said before it.
    pub history: Vec<(String, String)>,
    /// What I said last before the question.
    pub said: Option<&'a str>,
    /// Whether this conversation has heard what I am.
    pub introduced: bool,
    /// Whether another agent gave this to me and the person has said nothing to me since.
    pub just_handed: bool,
    /// What I had said when my answer was cut off, to be gone on with.
    pub cut: Option<&'a str>,
    /// Every call since the question with its result, by round.
    pub rounds: Vec<Vec<Done>>,
    pub tools: Vec<Offered<'a>>,
    pub standing: &'a str,
    pub context: Context,
}

/// A call and what came back.
pub type Done = (ToolCall, CallResult);

/// Of a message, what is read. More than that is a document, not a request.
const READ: usize = 20_000;
const EARLIER: usize = 12;

impl<'a> Scene<'a> {
    pub fn read(request: &'a ModelRequest) -> Self {
        let messages = &request.messages;
        let at = question_at(messages);
        let parts = at.map(|at| parts_of(&messages[at])).unwrap_or_default();
        let (mut texts, files) = written(parts);
        let asked = texts.pop().unwrap_or_default();
        let texts_before = texts.clone();
        let images = parts
            .iter()
            .filter_map(|part| match part {
                UserPart::Image { media_type, .. } => Some(media_type.clone()),
                UserPart::Text(_) => None,
            })
            .collect();
        let before = at.map(|at| &messages[..at]).unwrap_or_default();
        let older = before.iter().rev().flat_map(|message| written(parts_of(message)).0.into_iter().rev());
        let earlier = texts.into_iter().rev().chain(older).take(EARLIER).collect();
        let since = at.map(|at| &messages[at..]).unwrap_or_default();
        let history = history(before, texts_before, &asked);
        let tools: Vec<Offered<'a>> = request.tools.iter().map(Offered::read).collect();
        let rounds = rounds(since);
        let mut context =
            context::read(&request.system.standing, request.system.context.as_deref().unwrap_or_default());
        reopen::forget_results(&mut context, &tools, &request.system.standing, &asked);
        context.today = context.today.or_else(|| habits::told_today(&tools, &rounds));
        Self {
            asked,
            files,
            images,
            earlier,
            history,
            said: last_said(before),
            // Others' words may stand in one message with the question.
            introduced: messages.iter().take(at.map_or(0, |at| at + 1)).any(says_what_i_am),
            just_handed: context.by_tool.is_some() && is_unheard(messages, at),
            cut: last_said(since)
                .filter(|_| matches!(since.last(), Some(ChatMessage::User(_))) && since.len() > 1),
            rounds,
            tools,
            standing: &request.system.standing,
            context,
        }
    }

    pub fn calls(&self) -> impl Iterator<Item = &Done> {
        self.rounds.iter().flatten()
    }

    pub fn plain_tools(&self) -> impl Iterator<Item = &Offered<'a>> {
        self.tools.iter().filter(|tool| tool.kind == Kind::Plain)
    }

    /// Whether I work with others here, whose plumbing is nothing to speak of.
    pub fn in_team(&self) -> bool {
        self.tools.iter().any(|tool| matches!(tool.kind, Kind::Keep { .. } | Kind::Complete))
    }

    /// Whether a router gives me what is mine and I give it back when it is done.
    pub fn is_specialist(&self) -> bool {
        self.tools
            .iter()
            .any(|tool| tool.kind == Kind::Complete && tool.words.iter().any(|word| word == "task"))
    }

    pub fn tool(&self, name: &str) -> Option<&Offered<'a>> {
        self.tools.iter().find(|tool| tool.spec.name == name)
    }
}

fn parts_of(message: &ChatMessage) -> &[UserPart] {
    match message {
        ChatMessage::User(parts) => parts,
        _ => &[],
    }
}

fn last_said(messages: &[ChatMessage]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match message {
        ChatMessage::Assistant(message)
            if !message.text.trim().is_empty() && !told::is_note(&message.text) =>
        {
            Some(message.text.as_str())
        }
        _ => None,
    })
}

/// Whether I have said nothing here yet, or others have since.
fn is_unheard(messages: &[ChatMessage], at: Option<usize>) -> bool {
    let before = at.map(|at| &messages[..at]).unwrap_or_default();
    let mine = before.iter().rposition(|message| last_said(std::slice::from_ref(message)).is_some());
    let mut since = messages[mine.unwrap_or(0)..].iter().flat_map(parts_of);
    let others = |part: &UserPart| matches!(part, UserPart::Text(text) if told::by_others(text) && !told::is_note(text));
    mine.is_none() || since.any(others)
}

fn history(before: &[ChatMessage], texts: Vec<String>, asked: &str) -> Vec<(String, String)> {
    let mut history = Vec::new();
    let mut said = String::new();
    for message in before {
        match message {
            ChatMessage::Assistant(message) if !message.text.trim().is_empty() => said = message.text.clone(),
            ChatMessage::User(parts) => {
                history.extend(written(parts).0.into_iter().map(|text| (std::mem::take(&mut said), text)));
            }
            _ => {}
        }
    }
    history.extend(texts.into_iter().chain([asked.to_owned()]).map(|text| (std::mem::take(&mut said), text)));
    let most = history.len().saturating_sub(EARLIER + 1);
    history.split_off(most)
}

fn says_what_i_am(message: &ChatMessage) -> bool {
    let says = |text: &str| text.contains("demo model");
    match message {
        ChatMessage::Assistant(message) => says(&message.text),
        ChatMessage::User(parts) => parts.iter().any(|part| match part {
            UserPart::Text(text) => told::by_others(text) && says(text),
            UserPart::Image { .. } => false,
        }),
        ChatMessage::Results(_) => false,
    }
}

/// The last message in which the person themself says something, or in which I am told to begin.
fn question_at(messages: &[ChatMessage]) -> Option<usize> {
    let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User(_));
    let speaks = |message: &ChatMessage| {
        parts_of(message).iter().any(|part| match part {
            UserPart::Text(text) => !told::by_others(text) || told::begins(text),
            UserPart::Image { .. } => true,
        })
    };
    let asked = messages.iter().rposition(|message| is_user(message) && speaks(message));
    asked.or_else(|| messages.iter().rposition(is_user))
}

/// What the person wrote, part by part, and their files. Where nothing is theirs, what others said has to do.
fn written(parts: &[UserPart]) -> (Vec<String>, Vec<File>) {
    let mut own = Vec::new();
    let mut others = Vec::new();
    let mut files = Vec::new();
    for part in parts {
        let UserPart::Text(text) = part else { continue };
        if told::by_others(text) {
            others.push(tidy(text));
            continue;
        }
        let (text, mut found) = files::split(text);
        files.append(&mut found);
        if !text.is_empty() {
            own.push(tidy(&text));
        }
    }
    let texts = if own.is_empty() && files.is_empty() { others } else { own };
    (texts, files)
}

fn tidy(text: &str) -> String {
    let end = text.char_indices().nth(READ).map_or(text.len(), |(at, _)| at);
    text[..end].replace('\0', " ").trim().to_owned()
}

fn rounds(messages: &[ChatMessage]) -> Vec<Vec<Done>> {
    let mut found = Vec::new();
    let mut last: Option<&AssistantMessage> = None;
    for message in messages {
        match message {
            ChatMessage::Assistant(message) => last = Some(message),
            ChatMessage::Results(results) => {
                let calls = last.map(|message| message.calls.as_slice()).unwrap_or_default();
                let pairs = results.iter().filter_map(|result| {
                    calls
                        .iter()
                        .find(|call| call.id == result.call_id)
                        .map(|call| (call.clone(), result.clone()))
                });
                found.push(pairs.collect());
            }
            ChatMessage::User(parts) => {
                let texts = parts.iter().filter_map(|part| match part {
                    UserPart::Text(text) => Some(text),
                    UserPart::Image { .. } => None,
                });
                let results: Vec<Done> = texts.flat_map(|text| told::results(text)).collect();
                if !results.is_empty() {
                    found.push(results);
                }
            }
        }
    }
    found
}
