//! Turns events into text to print: the answer, or a remark beside it. Pure; its only state is which message is being
//! shown, and whether a line is open.

mod handoffs;
#[cfg(test)]
mod tests;

use baton_core::events::{Event, EventUsage};
use baton_core::ids::{AgentId, MessageId, TransitionId};
use baton_core::log::TurnStatus;
use baton_core::parts::{CallState, Part};
use baton_core::tape::Voice;
use serde_json::{Map, Value};

use self::handoffs::Handed;
use crate::paint::{Paint, Style};
use crate::plain;

const SHORT: usize = 100;
const ERROR: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    Answer,
    Aside,
}

/// Something to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ink {
    pub to: To,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Answer and asides are lines of one terminal.
    Together,
    /// The answer goes to a program or a file, as it is; asides go elsewhere.
    Apart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasoning {
    Shown,
    Hidden,
}

pub struct Renderer {
    layout: Layout,
    paint: Paint,
    reasoning: Reasoning,
    message: Option<MessageId>,
    /// Whose the messages of this turn are: an agent that a person switched to greets while another still speaks.
    speakers: Vec<(MessageId, AgentId, String)>,
    /// Who is speaking, and whether they have said anything yet.
    block: Option<(Voice, Begun)>,
    /// The last thing on the answer's side was a block of text: another one is a new paragraph.
    after_text: bool,
    /// Whether a line is open, there and beside.
    open_line: [bool; 2],
    /// Calls without a result, by id, with the name people know the tool by.
    calls: Vec<(String, String)>,
    /// The handoff that was shown last: a message may begin with what its stream has said already.
    handed: Option<TransitionId>,
    ink: Vec<Ink>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    No,
    Yes,
}

impl Renderer {
    pub fn new(layout: Layout, paint: Paint, reasoning: Reasoning) -> Self {
        Self {
            layout,
            paint,
            reasoning,
            message: None,
            speakers: Vec::new(),
            block: None,
            after_text: false,
            open_line: [false; 2],
            calls: Vec::new(),
            handed: None,
            ink: Vec::new(),
        }
    }

    pub fn event(&mut self, event: &Event) -> Vec<Ink> {
        match event {
            Event::Session { notice: Some(notice), .. } => {
                self.line(Style::Notice, &plain::line(notice, ERROR))
            }
            Event::MessageStart { message_id, agent_id, agent_name, parts, .. } => {
                self.end_block();
                self.calls.clear();
                match self.message == Some(*message_id) {
                    // What a terminal has shown stays; from here on it is replaced.
                    true => self.line(Style::Dim, "(starting again)"),
                    false => {
                        self.speakers.push((*message_id, *agent_id, plain::line(agent_name, SHORT)));
                        self.turn_to(*message_id);
                    }
                }
                parts.iter().for_each(|part| self.part(part));
            }
            Event::Text { message_id, content, is_complete, .. } => {
                self.turn_to(*message_id);
                self.say(Voice::Text, content, *is_complete);
            }
            Event::Reasoning { message_id, content, is_complete, .. } => {
                self.turn_to(*message_id);
                self.say(Voice::Reasoning, content, *is_complete);
            }
            Event::ToolStart { message_id, tool_call_id, display_name, args, .. } => {
                self.turn_to(*message_id);
                self.tool_start(tool_call_id, display_name, args);
            }
            Event::ToolResult { tool_call_id, result, success, duration_ms, .. } => {
                let outcome = if *success { Ok(Some(*duration_ms)) } else { Err(result) };
                self.tool_result(tool_call_id, outcome);
            }
            Event::MessageComplete { .. } => self.end_block(),
            Event::ApprovalResolved { decision, by, .. } => {
                self.line(Style::Dim, &format!("{decision} by {}", plain::line(by, SHORT)));
            }
            Event::Error { message, code, .. } => {
                let text = format!("error: {} ({})", plain::line(message, ERROR), plain::line(code, SHORT));
                self.line(Style::Error, &text);
            }
            Event::Handoff { handoff_id, to, to_name, reason, stage, .. } => self.handed(&Handed {
                id: *handoff_id,
                to: *to,
                name: to_name,
                reason: reason.as_deref(),
                stage: stage.as_ref().map(|stage| (stage.number, stage.of, stage.name.as_str())),
            }),
            Event::Switched { to, to_name, by, .. } => self.switched(*to, to_name, *by),
            Event::Done { status, usage, .. } => self.done(*status, usage),
            // What is asked for is asked elsewhere; what we said ourselves is there; what comes with later versions
            // is not for this one to show.
            _ => {}
        }
        std::mem::take(&mut self.ink)
    }

    /// A line of the program's own.
    pub fn note(&mut self, style: Style, text: &str) -> Vec<Ink> {
        self.line(style, text);
        std::mem::take(&mut self.ink)
    }

    /// A question that is answered on the same line. The person's Enter ends it.
    pub fn prompt(&mut self, style: Style, text: &str) -> Vec<Ink> {
        self.end_block();
        self.end_line(To::Aside);
        let text = self.paint.apply(style, text);
        self.push(To::Aside, &text);
        *self.open_line_at(To::Aside) = false;
        std::mem::take(&mut self.ink)
    }

    /// The name of the tool that was called, as people know it.
    pub fn display_name(&self, call_id: &str) -> Option<&str> {
        self.calls.iter().find(|(id, _)| id == call_id).map(|(_, name)| name.as_str())
    }

    /// Says who speaks, where that was someone else until now.
    fn turn_to(&mut self, message: MessageId) {
        let speaker = self.speakers.iter().rfind(|(id, ..)| *id == message);
        let Some((_, agent, name)) = speaker.filter(|_| self.message != Some(message)).cloned() else {
            return;
        };
        self.message = Some(message);
        self.line(Style::Agent(agent), &name);
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Text { text } => self.say(Voice::Text, text, true),
            Part::Reasoning { reasoning } => self.say(Voice::Reasoning, reasoning, true),
            Part::ToolCall(call) => {
                self.tool_start(&call.tool_call_id, &call.display_name, &call.args);
                match call.state {
                    CallState::Completed => self.tool_result(&call.tool_call_id, Ok(call.duration_ms)),
                    CallState::Error => {
                        let why = call.result.as_ref().unwrap_or(&Value::Null);
                        self.tool_result(&call.tool_call_id, Err(why));
                    }
                    CallState::Pending | CallState::Running => {}
                }
            }
            Part::Handoff { handoff_id, to, to_name, reason, .. } => self.handed(&Handed {
                id: *handoff_id,
                to: *to,
                name: to_name,
                reason: reason.as_deref(),
                stage: None,
            }),
            Part::Stage { handoff_id, to, to_name, name, number, of, .. } => self.handed(&Handed {
                id: *handoff_id,
                to: *to,
                name: to_name,
                reason: None,
                stage: Some((*number, *of, name)),
            }),
            Part::Approval { .. } | Part::Unknown(_) => {}
        }
    }

    fn say(&mut self, voice: Voice, content: &str, is_complete: bool) {
        if voice == Voice::Reasoning && self.reasoning == Reasoning::Hidden {
            return;
        }
        if self.block.is_none_or(|(current, _)| current != voice) {
            self.end_block();
            self.block = Some((voice, Begun::No));
        }
        let content = match self.block {
            Some((_, Begun::No)) => content.trim_start_matches('\n'),
            _ => content,
        };
        if !content.is_empty() {
            if self.block == Some((Voice::Text, Begun::No)) {
                self.begin_text();
            }
            self.block = Some((voice, Begun::Yes));
            match voice {
                Voice::Text if self.layout == Layout::Apart => self.push(To::Answer, content),
                Voice::Text => self.push(To::Answer, &plain::text(content)),
                Voice::Reasoning => {
                    let text = self.paint.apply(Style::Dim, &plain::text(content));
                    self.push(To::Aside, &text);
                    *self.open_line_at(To::Aside) = !content.ends_with('\n');
                }
            }
        }
        if is_complete {
            self.end_block();
        }
    }

    fn begin_text(&mut self) {
        self.end_line(To::Answer);
        if self.after_text {
            self.push(To::Answer, "\n");
        }
    }

    fn tool_start(&mut self, call_id: &str, display_name: &str, args: &Map<String, Value>) {
        self.line(Style::Dim, &format!("⚙ {}", plain::call(display_name, args, SHORT)));
        self.calls.push((call_id.to_owned(), plain::line(display_name, SHORT)));
    }

    /// How long it took, where that is known, or what went wrong.
    fn tool_result(&mut self, call_id: &str, outcome: Result<Option<u64>, &Value>) {
        // Of several calls that run side by side each says which it was.
        let name = match (self.calls.len() > 1, self.display_name(call_id)) {
            (true, Some(name)) => format!("{name} "),
            _ => String::new(),
        };
        self.calls.retain(|(id, _)| id != call_id);
        match outcome {
            Ok(Some(millis)) => self.line(Style::Dim, &format!("✓ {name}{}", plain::duration(millis))),
            Ok(None) => self.line(Style::Dim, format!("✓ {name}").trim_end()),
            Err(result) => self.line(Style::Dim, &format!("✗ {name}{}", plain::failure(result, ERROR))),
        }
    }

    fn done(&mut self, status: TurnStatus, usage: &EventUsage) {
        let spent = format!(
            "{} in · {} out · {}",
            plain::count(usage.input_tokens),
            plain::count(usage.output_tokens),
            plain::cost(usage.cost_usd)
        );
        match status {
            TurnStatus::Completed => self.line(Style::Dim, &spent),
            ended => self.line(Style::Dim, &format!("{ended} · {spent}")),
        }
        self.message = None;
        self.speakers.clear();
        self.after_text = false;
    }

    fn line(&mut self, style: Style, text: &str) {
        self.end_block();
        self.end_line(To::Aside);
        let text = self.paint.apply(style, text);
        self.push(To::Aside, &format!("{text}\n"));
    }

    fn end_block(&mut self) {
        match self.block.take() {
            Some((Voice::Text, Begun::Yes)) => {
                self.end_line(To::Answer);
                self.after_text = true;
            }
            Some((Voice::Reasoning, Begun::Yes)) => self.end_line(To::Aside),
            _ => {}
        }
    }

    fn end_line(&mut self, to: To) {
        if *self.open_line_at(to) {
            self.push(to, "\n");
        }
    }

    fn push(&mut self, to: To, text: &str) {
        *self.open_line_at(to) = !text.ends_with('\n');
        if to == To::Aside && self.layout == Layout::Together {
            self.after_text = false;
        }
        self.ink.push(Ink { to, text: text.to_owned() });
    }

    fn open_line_at(&mut self, to: To) -> &mut bool {
        match (self.layout, to) {
            (Layout::Apart, To::Aside) => &mut self.open_line[1],
            _ => &mut self.open_line[0],
        }
    }
}
