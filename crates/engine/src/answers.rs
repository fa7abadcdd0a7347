//! Answering the calls of a reply: tools run side by side, each in a task of its own; an error, a panic, a timeout or
//! too much output becomes a result the model can act on.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_core::log::ResultStep;
use baton_core::schema;
use baton_core::tools::{Change, Tool, ToolAnswer, ToolContext, ToolFailure};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::clean::clean_value;
use crate::run::Fate;
use crate::turn::{Call, Refusal};

/// How long one call may take.
pub const TOOL_TIME: Duration = Duration::from_secs(120);
/// Of one result, what the model is given.
pub const MAX_OUTPUT: usize = 100_000;

pub struct Answer {
    pub result: ResultStep,
    pub changes: Vec<Change>,
}

pub struct Asked {
    pub call: Call,
    pub fate: Fate,
    pub tool: Option<Arc<dyn Tool>>,
}

/// All answers, in the order asked; `None` if `interrupted` came first, and then nothing runs any more.
pub async fn answer(
    asked: Vec<Asked>,
    context: ToolContext,
    interrupted: impl Future<Output = ()>,
) -> Option<Vec<Answer>> {
    let mut running = JoinSet::new();
    let mut answers: Vec<Option<Answer>> = Vec::with_capacity(asked.len());
    for (index, asked) in asked.iter().enumerate() {
        answers.push(match (&asked.fate, &asked.tool) {
            (Fate::Run, Some(tool)) => {
                let (tool, context, args) = (tool.clone(), context.clone(), asked.call.step.args.clone());
                running.spawn(async move {
                    let begun = Instant::now();
                    let outcome = tokio::time::timeout(TOOL_TIME, call(tool.as_ref(), &context, args)).await;
                    (index, outcome, begun.elapsed())
                });
                None
            }
            (fate, _) => Some(not_run(&asked.call, fate)),
        });
    }
    let mut interrupted = std::pin::pin!(interrupted);
    while !running.is_empty() {
        let joined = tokio::select! {
            biased;
            () = &mut interrupted => return None,
            joined = running.join_next() => joined,
        };
        if let Some(Ok((index, outcome, took))) = joined
            && let (Some(asked), Some(slot)) = (asked.get(index), answers.get_mut(index))
        {
            *slot = Some(ran(&asked.call, outcome.ok(), took));
        }
    }
    // What is still open here ended in a panic.
    let closed = answers.into_iter().zip(&asked).map(|(answer, asked)| {
        answer.unwrap_or_else(|| {
            failed(&asked.call, "The tool broke down. Try something else.", Duration::ZERO)
        })
    });
    Some(closed.collect())
}

async fn call(
    tool: &dyn Tool,
    context: &ToolContext,
    args: Map<String, Value>,
) -> Result<ToolAnswer, ToolFailure> {
    let arguments = Value::Object(args.clone());
    schema::check(&tool.spec().parameters, &arguments)
        .map_err(|wrong| ToolFailure(format!("The arguments don't fit: {wrong}.")))?;
    tool.call(context, args).await
}

fn ran(call: &Call, outcome: Option<Result<ToolAnswer, ToolFailure>>, took: Duration) -> Answer {
    match outcome {
        Some(Ok(ToolAnswer { value, changes })) => {
            Answer { result: result(call, capped(clean_value(&value)), true, took), changes }
        }
        Some(Err(ToolFailure(why))) => failed(call, &why, took),
        None => {
            let doubtful = call.step.nature.is_some_and(|nature| !nature.repeatable);
            let seconds = TOOL_TIME.as_secs();
            let mut answer =
                failed(call, &format!("The tool gave no result within {seconds} seconds."), took);
            answer.result.unknown = doubtful;
            answer
        }
    }
}

fn failed(call: &Call, why: &str, took: Duration) -> Answer {
    let error = json!({"error": crate::clean::clean(why)});
    Answer { result: result(call, capped(error), false, took), changes: Vec::new() }
}

fn not_run(call: &Call, fate: &Fate) -> Answer {
    let why = match fate {
        Fate::Run | Fate::Impossible if call.step.nature.is_none() => impossible(call),
        Fate::Run | Fate::Impossible => format!("There is no tool {} any more.", call.step.tool_name),
        Fate::CutOff => {
            "Your reply was cut off in the middle of this call, so it was not run. Send it again, shorter."
                .into()
        }
        Fate::Refused(refusal) => refused(refusal),
        Fate::Unknown => UNKNOWN.into(),
    };
    let mut answer = failed(call, &why, Duration::ZERO);
    answer.result.unknown = *fate == Fate::Unknown;
    answer
}

const UNKNOWN: &str = "Baton was interrupted while this ran, so nobody knows whether it was carried out. \
    Look before you do it again; calling it again asks the person first.";

fn impossible(call: &Call) -> String {
    match call.step.args.get(UNREADABLE) {
        Some(_) => "The arguments were not a JSON object. Send the call again.".to_owned(),
        None => format!("There is no tool called {}.", call.step.tool_name),
    }
}

/// Where arguments that could not be read are kept, so that people can see them.
pub const UNREADABLE: &str = "_unreadable";

pub fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Rejected { reason: Some(reason) } => {
            format!("The person did not allow this, and said: {reason}")
        }
        Refusal::Rejected { reason: None } => "The person did not allow this. Don't try it again.".to_owned(),
        Refusal::Expired => "Nobody allowed this in time, so it was not done.".to_owned(),
        Refusal::Cancelled => "It was not done: the turn ended before anyone allowed it.".to_owned(),
    }
}

pub fn result(call: &Call, value: Value, success: bool, took: Duration) -> ResultStep {
    ResultStep {
        call_id: call.step.call_id.clone(),
        tool_name: call.step.tool_name.clone(),
        result: value,
        success,
        duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        unknown: false,
    }
}

/// Cut to what a model can be given, and said to be cut.
fn capped(value: Value) -> Value {
    let text = match &value {
        Value::String(text) if text.len() <= MAX_OUTPUT => return value,
        Value::String(text) => text.clone(),
        other => {
            let text = other.to_string();
            if text.len() <= MAX_OUTPUT {
                return value;
            }
            text
        }
    };
    let end = text.floor_char_boundary(MAX_OUTPUT);
    json!({
        "note": format!("The result had {} bytes; these are the first {end}. Ask for less.", text.len()),
        "beginning": text[..end],
    })
}
