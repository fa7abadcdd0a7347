//! Asking a person on the terminal whether a tool call may run.

use baton_core::approvals::ApprovalStatus;
use baton_core::events::Event;
use baton_core::ids::ApprovalId;
use baton_core::parts::Part;
use baton_core::tools::{Preview, PreviewChange};
use serde_json::{Map, Value};

use crate::api::Verdict;
use crate::paint::Style;
use crate::plain;
use crate::terminal::{Terminal, Typed};

/// Of one argument. More can be seen with `e`.
const SHOWN: usize = 1_000;
const QUESTION: &str = "Allow? [y]es, [n]o, [a]lways in this conversation with the same arguments, [e]dit › ";

/// A call that waits for a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub id: ApprovalId,
    pub call_id: String,
    pub tool_name: String,
    pub args: Map<String, Value>,
    /// Names these arguments in a decision.
    pub args_hash: String,
    /// What it would change, where its tool can tell.
    pub preview: Option<Preview>,
}

/// The calls that an event says wait: the one it is about, or those of a message that starts again.
pub fn wanted_in(event: &Event) -> Vec<Wanted> {
    match event {
        Event::ApprovalRequired {
            approval_id, tool_call_id, tool_name, args, args_hash, preview, ..
        } => {
            vec![Wanted {
                id: *approval_id,
                call_id: tool_call_id.clone(),
                tool_name: tool_name.clone(),
                args: args.clone(),
                args_hash: args_hash.clone(),
                preview: preview.clone(),
            }]
        }
        Event::MessageStart { parts, .. } => parts.iter().filter_map(pending).collect(),
        _ => Vec::new(),
    }
}

fn pending(part: &Part) -> Option<Wanted> {
    match part {
        Part::Approval {
            approval_id,
            tool_call_id,
            tool_name,
            args,
            args_hash,
            preview,
            status: ApprovalStatus::Pending,
            ..
        } => Some(Wanted {
            id: *approval_id,
            call_id: tool_call_id.clone(),
            tool_name: tool_name.clone(),
            args: args.clone(),
            args_hash: args_hash.clone(),
            preview: preview.clone(),
        }),
        _ => None,
    }
}

impl Wanted {
    /// What would happen: the tool, its action, what it would change, and every argument.
    pub fn lines(&self, display_name: Option<&str>) -> Vec<String> {
        let name = plain::line(display_name.unwrap_or(&self.tool_name), 60);
        let verb = plain::action_of(&self.args).map_or_else(|| "run".to_owned(), |it| plain::line(it, 40));
        let mut lines = vec![format!("{name} wants to {verb}")];
        if let Some(Preview { sentence, changes, more, .. }) = &self.preview {
            lines.push(format!("  {}", plain::line(sentence, SHOWN)));
            lines.extend(changes.iter().map(change));
            if *more > 0 {
                lines.push(format!("  and {} more", plain::count(*more)));
            }
            lines.push("  with".to_owned());
        }
        for (key, value) in self.args.iter().filter(|(key, _)| *key != "action") {
            let value = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let hidden = value.chars().count().saturating_sub(SHOWN);
            let more = match hidden {
                0 => String::new(),
                _ => format!(" ({} more characters; e shows all)", plain::count(hidden as u64)),
            };
            lines.push(format!("  {}: {}{more}", plain::line(key, 60), plain::line(&value, SHOWN)));
        }
        lines
    }
}

/// `Trips Text: Pay by card. → Pay by cash.`
fn change(change: &PreviewChange) -> String {
    let value = |value: &Option<String>| plain::line(value.as_deref().unwrap_or("nothing"), SHOWN);
    let what = plain::line(&format!("{} {}", change.what, change.field), 200);
    format!("  {what}: {} → {}", value(&change.old), value(&change.new))
}

#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    Decided(Verdict),
    /// The call goes on waiting.
    Left,
    /// Ctrl-C: the whole turn should stop.
    Interrupted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Yes,
    No,
    Always,
    Edit,
}

fn reply(typed: &str) -> Option<Reply> {
    match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => Some(Reply::Yes),
        "n" | "no" => Some(Reply::No),
        "a" | "always" => Some(Reply::Always),
        "e" | "edit" => Some(Reply::Edit),
        _ => None,
    }
}

pub async fn ask(terminal: &mut Terminal, wanted: &Wanted) -> std::io::Result<Asked> {
    let mut wanted = wanted.clone();
    let mut edited = None;
    show(terminal, &wanted)?;
    terminal.forget_typed();
    loop {
        let typed = match terminal.ask(Style::Bold, QUESTION).await? {
            Typed::Line(typed) => typed,
            Typed::End => return Ok(Asked::Left),
            Typed::Interrupt => return Ok(Asked::Interrupted),
        };
        let approve = |arguments, remember| Ok(Asked::Decided(Verdict::Approve { arguments, remember }));
        match reply(&typed) {
            Some(Reply::Yes) => return approve(edited, false),
            Some(Reply::Always) => return approve(edited, true),
            Some(Reply::No) => return ask_reason(terminal).await,
            Some(Reply::Edit) => match edit(terminal, &wanted.args).await? {
                Typed::Line(text) => match arguments(&text) {
                    // Shown again before they are sent: what runs is what was seen.
                    Ok(Some(arguments)) => {
                        wanted.args = arguments.clone();
                        // It was of the other arguments.
                        wanted.preview = None;
                        edited = Some(arguments);
                        show(terminal, &wanted)?;
                    }
                    Ok(None) => {}
                    Err(why) => terminal.note(Style::Error, &why)?,
                },
                Typed::End => {}
                Typed::Interrupt => return Ok(Asked::Interrupted),
            },
            None => terminal.note(Style::Dim, "Please answer y, n, a or e. Ctrl-D leaves it waiting.")?,
        }
    }
}

fn show(terminal: &mut Terminal, wanted: &Wanted) -> std::io::Result<()> {
    let lines = wanted.lines(terminal.display_name(&wanted.call_id));
    lines.iter().try_for_each(|line| terminal.note(Style::Notice, line))
}

async fn ask_reason(terminal: &mut Terminal) -> std::io::Result<Asked> {
    let reason =
        match terminal.ask(Style::Bold, "Why not? (the agent is told; Enter for no reason) › ").await? {
            Typed::Line(reason) => Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty()),
            Typed::End => None,
            Typed::Interrupt => return Ok(Asked::Interrupted),
        };
    Ok(Asked::Decided(Verdict::Reject { reason }))
}

async fn edit(terminal: &mut Terminal, args: &Map<String, Value>) -> std::io::Result<Typed> {
    let now = Value::Object(args.clone()).to_string();
    terminal.note(Style::Plain, &plain::line(&now, usize::MAX))?;
    terminal.ask(Style::Bold, "Other arguments, as JSON on one line (Enter goes back) › ").await
}

/// None goes back to the question.
fn arguments(text: &str) -> Result<Option<Map<String, Value>>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(Some(arguments)),
        Ok(_) => Err("The arguments must be a JSON object, such as {\"path\": \"notes\"}.".to_owned()),
        Err(error) => Err(format!("That is not JSON: {error}.")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn replies_are_words_or_their_first_letters() {
        for (typed, expected) in [
            ("y", Some(Reply::Yes)),
            (" YES ", Some(Reply::Yes)),
            ("n", Some(Reply::No)),
            ("always", Some(Reply::Always)),
            ("e", Some(Reply::Edit)),
            ("", None),
            ("yeah sure", None),
        ] {
            assert_eq!(reply(typed), expected, "{typed:?}");
        }
    }

    #[test]
    fn edited_arguments_are_an_object() {
        assert_eq!(arguments(" "), Ok(None));
        assert_eq!(arguments("{\"a\": 1}").expect("fine").expect("some")["a"], 1);
        assert!(arguments("[1]").is_err() && arguments("{").is_err());
    }

    #[test]
    fn what_is_asked_shows_every_argument() {
        let args = json!({"action": "save", "content": "Reviews\nare on \u{1b}[2JFridays", "tags": ["a"]});
        let wanted = Wanted {
            id: ApprovalId::new(),
            call_id: "c".into(),
            tool_name: "manageMemory".into(),
            args: args.as_object().expect("an object").clone(),
            args_hash: String::new(),
            preview: None,
        };
        let told = PreviewChange {
            what: "New note".into(),
            field: "Note".into(),
            old: None,
            new: Some("Reviews\nare on \u{1b}[2JFridays".into()),
        };
        let preview = Some(Preview {
            sentence: "Remember this.".into(),
            changes: vec![told],
            more: 2,
            seen: Vec::new(),
        });
        assert_eq!(
            Wanted { preview, ..wanted.clone() }.lines(None)[1..5],
            [
                "  Remember this.",
                "  New note Note: nothing → Reviews are on \\u{1b}[2JFridays",
                "  and 2 more",
                "  with"
            ]
        );
        assert_eq!(
            wanted.lines(Some("Memory")),
            ["Memory wants to save", "  content: Reviews are on \\u{1b}[2JFridays", "  tags: [\"a\"]"]
        );
        assert_eq!(wanted.lines(None)[0], "manageMemory wants to save");
        let mut long = wanted;
        long.args["tags"] = json!("x".repeat(3_500));
        assert!(long.lines(None)[2].ends_with("x… (2,500 more characters; e shows all)"));
    }
}
