//! Runs the tool calls of a reply side by side, each in a task of its own. An error, a panic, a timeout or too much
//! output becomes a result that the model can act on.

use std::collections::HashMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_core::data::areas::Areas;
use baton_core::data::rows::{ByAgent, Once};
use baton_core::effects::{CallPlace, Effect, Shown};
use baton_core::ids::{AgentId, ConversationId, MessageId, WorkspaceId};
use baton_core::log::ResultStep;
use baton_core::schema;
use baton_core::tools::{
    CancelOnDrop, Cancelled, Ended, Kept, TOOL_TIME, TellProgress, Tool, ToolAnswer, ToolContext, ToolFailure,
};
use baton_core::turns::Fence;
use baton_core::visitors::Person;
use futures::FutureExt;
use serde_json::{Map, Value, json};
use tokio::task::{self, JoinError, JoinSet};

use crate::driver::progress::{CallOf, told_to};
use crate::nul::clean_value;
use crate::stream::hub::Live;
use crate::turn::results::{refused, result};
use crate::turn::run::Fate;
use crate::turn::state::Call;

/// How long finished answers wait for the others before they are stored.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most bytes of one result that the model is given.
pub const MAX_OUTPUT: usize = 100_000;

pub struct Answer {
    pub result: ResultStep,
    pub notes: Option<Map<String, Value>>,
    /// The number of the call's step.
    pub seq: i64,
    /// It was begun, and may have written something whatever it says.
    pub may_have_written: bool,
    /// What the person can open once it is stored.
    pub kept: Vec<Kept>,
}

pub struct ToolRun {
    pub call: Call,
    pub fate: Fate,
    pub tool: Option<Arc<dyn Tool>>,
}

/// For whom calls run, and where: the same for all of a reply.
pub struct Caller {
    pub fence: Fence,
    pub workspace_id: WorkspaceId,
    pub agent_id: AgentId,
    pub conversation_id: ConversationId,
    pub person: Person,
    pub may_change_agent: bool,
    pub areas: Areas,
    pub time_zone: String,
    pub context_data: Map<String, Value>,
    pub teammates: Vec<(String, Map<String, Value>)>,
    /// The number of the reply's first call.
    pub first_call: i64,
    /// Where it is told how far calls are, and in which message they were made.
    pub live: Arc<Live>,
    pub message_id: Option<MessageId>,
}

impl Caller {
    /// For looking at what a call would do, before anyone is asked. Whoever looks holds the other part.
    pub fn looking(&self, call: &Call, time: Duration) -> (CancelOnDrop, ToolContext) {
        let (waiting, cancelled) = Cancelled::new();
        (waiting, self.context(call, time, cancelled))
    }

    fn context(&self, call: &Call, time: Duration, cancelled: Cancelled) -> ToolContext {
        let (agent_id, conversation_id, seq) = (self.agent_id, self.conversation_id, call.seq);
        let place = CallPlace { conversation_id, seq, fence: self.fence };
        let effect = Effect {
            call: place,
            args_hash: call.args_hash(),
            deadline: Instant::now() + time,
            shown: Shown { rows: call.seen.clone(), first_call: self.first_call },
        };
        ToolContext {
            once: Once::Call(effect),
            cancelled,
            workspace_id: self.workspace_id,
            agent: Some(ByAgent { agent_id, conversation_id, seq }),
            person: self.person,
            may_change_agent: self.may_change_agent,
            areas: self.areas,
            time_zone: self.time_zone.clone(),
            context_data: self.context_data.clone(),
            teammates: self.teammates.clone(),
            progress: self.progress(call),
        }
    }
}

impl Caller {
    fn progress(&self, call: &Call) -> TellProgress {
        let Some(message_id) = self.message_id else { return TellProgress::default() };
        let tool_call_id = call.step.call_id.clone();
        told_to(self.live.clone(), CallOf { message_id, agent_id: call.agent_id, tool_call_id })
    }
}

/// Which call, what came of it unless it took too long, and how long it took.
type Ran = (usize, Option<Result<ToolAnswer, ToolFailure>>, Duration);

/// Calls being answered, side by side.
pub struct RunningCalls {
    runs: Vec<ToolRun>,
    /// What is there of each, until it is given out.
    answers: Vec<Option<Answer>>,
    given: usize,
    running: JoinSet<Ran>,
    in_task: HashMap<task::Id, usize>,
}

pub enum Answered {
    /// The next answers in the order of the calls.
    Some(Vec<Answer>),
    /// Someone wants the turn to stop: what was there by then, in the order of the calls. Nothing runs any more.
    Interrupted(Vec<Answer>),
    All,
}

impl RunningCalls {
    pub fn begin(runs: Vec<ToolRun>, caller: &Caller) -> Self {
        let mut running = JoinSet::new();
        let mut in_task = HashMap::new();
        let mut answers = Vec::with_capacity(runs.len());
        for (index, run) in runs.iter().enumerate() {
            answers.push(match (&run.fate, &run.tool) {
                (Fate::Run, Some(tool)) => {
                    let (tool, args, time) = (tool.clone(), run.call.step.args.clone(), tool.time());
                    let (waiting, cancelled) = Cancelled::new();
                    let context = caller.context(&run.call, time, cancelled);
                    let handle = running.spawn(async move {
                        let (begun, _waiting) = (Instant::now(), waiting);
                        let outcome = tokio::time::timeout(time, call(tool.as_ref(), &context, args)).await;
                        (index, outcome.ok(), begun.elapsed())
                    });
                    in_task.insert(handle.id(), index);
                    None
                }
                (fate, tool) => Some(not_run(&run.call, fate, tool.as_deref())),
            });
        }
        Self { runs, answers, given: 0, running, in_task }
    }

    /// The next answers: all at once, or, if some calls take long, first those that are finished before them, so that
    /// these can be stored.
    pub async fn next(&mut self, interrupted: impl Future<Output = ()>) -> Answered {
        let mut interrupted = std::pin::pin!(interrupted);
        let mut patience = std::pin::pin!(tokio::time::sleep(PATIENCE));
        while !self.running.is_empty() {
            tokio::select! {
                biased;
                () = &mut interrupted => return Answered::Interrupted(self.give(self.answers.len())),
                Some(joined) = self.running.join_next() => self.take(joined),
                () = &mut patience, if self.ready() > self.given => {
                    return Answered::Some(self.give(self.ready()));
                }
            }
        }
        if self.is_over() {
            return Answered::All;
        }
        Answered::Some(self.give(self.answers.len()))
    }

    fn take(&mut self, joined: Result<Ran, JoinError>) {
        let (index, answer) = match joined {
            Ok((index, outcome, took)) => (index, ran(&self.runs[index], outcome, took)),
            Err(error) => {
                let Some(index) = self.in_task.get(&error.id()).copied() else { return };
                (index, broken(&self.runs[index].call))
            }
        };
        self.answers[index] = Some(answer);
    }

    pub fn is_over(&self) -> bool {
        self.given == self.runs.len()
    }

    /// How many answers are finished, counted from the first without a gap.
    fn ready(&self) -> usize {
        let open = self.answers[self.given..].iter().position(Option::is_none);
        open.map_or(self.answers.len(), |open| self.given + open)
    }

    fn give(&mut self, to: usize) -> Vec<Answer> {
        let given = self.answers[self.given..to].iter_mut().filter_map(Option::take).collect();
        self.given = to;
        given
    }
}

async fn call(
    tool: &dyn Tool,
    context: &ToolContext,
    args: Map<String, Value>,
) -> Result<ToolAnswer, ToolFailure> {
    match misfit(tool, &args) {
        Some(why) => Err(ToolFailure(why)),
        None => tool.call(context, args).await,
    }
}

/// Runs a call that belongs to no turn, with the checks, the time and the caps of one that does.
pub async fn call_alone(
    tool: &dyn Tool,
    context: &ToolContext,
    args: Map<String, Value>,
) -> Result<Value, ToolFailure> {
    let (time, called) = (tool.time(), AssertUnwindSafe(call(tool, context, args)).catch_unwind());
    match tokio::time::timeout(time, called).await {
        Ok(Ok(Ok(answer))) => Ok(carried_out(&answer.value)),
        Ok(Ok(Err(ToolFailure(why)))) => Err(ToolFailure(why)),
        Ok(Err(_panic)) => Err(ToolFailure(BROKE_DOWN.to_owned())),
        Err(_) => Err(ToolFailure(no_result_within(time))),
    }
}

/// Why a tool can't be called with these arguments.
pub fn misfit(tool: &dyn Tool, args: &Map<String, Value>) -> Option<String> {
    let wrong = match schema::check(&tool.spec().parameters, &Value::Object(args.clone())) {
        Err(wrong) => wrong,
        Ok(()) => tool.check(args).err()?.0,
    };
    Some(format!("The arguments don't fit: {}.", wrong.trim_end_matches('.')))
}

fn ran(run: &ToolRun, outcome: Option<Result<ToolAnswer, ToolFailure>>, took: Duration) -> Answer {
    let call = &run.call;
    match outcome {
        Some(Ok(ToolAnswer { value, notes, wrote, ended, kept })) => {
            let result = result(call, carried_out(&value), ended == Ended::Well, took);
            let answer = Answer { notes, kept, ..Answer::of(call, ResultStep { wrote, ..result }) };
            if ended == Ended::Unknown { doubtful(answer, call) } else { answer }
        }
        Some(Err(ToolFailure(why))) => failed_in_doing(call, &why, took),
        None => {
            let why = no_result_within(run.tool.as_ref().map_or(TOOL_TIME, |tool| tool.time()));
            doubtful(failed_in_doing(call, &why, took), call)
        }
    }
}

/// What came of a call, as the model is given it.
pub fn carried_out(value: &Value) -> Value {
    capped(clean_value(value))
}

fn broken(call: &Call) -> Answer {
    doubtful(failed_in_doing(call, BROKE_DOWN, Duration::ZERO), call)
}

const BROKE_DOWN: &str = "The tool broke down. Try something else.";

fn no_result_within(time: Duration) -> String {
    format!("The tool gave no result within {} seconds.", time.as_secs())
}

fn failed_in_doing(call: &Call, why: &str, took: Duration) -> Answer {
    Answer { may_have_written: writes_here(call), ..failed(call, why, took) }
}

/// Whether what it writes may be recorded, so that its outcome is looked up. (Other people's tools have no record.)
pub fn writes_here(call: &Call) -> bool {
    call.step.nature.is_some_and(|nature| nature.writes && nature.repeatable)
}

/// It was begun, and nobody knows how far it came.
fn doubtful(mut answer: Answer, call: &Call) -> Answer {
    answer.result.unknown = call.step.nature.is_some_and(|nature| !nature.repeatable);
    answer
}

fn failed(call: &Call, why: &str, took: Duration) -> Answer {
    let error = json!({"error": crate::nul::clean(why)});
    Answer::of(call, result(call, capped(error), false, took))
}

impl Answer {
    fn of(call: &Call, result: ResultStep) -> Self {
        Self { result, notes: None, seq: call.seq, may_have_written: false, kept: Vec::new() }
    }
}

fn not_run(call: &Call, fate: &Fate, tool: Option<&dyn Tool>) -> Answer {
    let why = match fate {
        Fate::Run | Fate::Impossible if call.step.nature.is_none() => impossible(call, tool),
        Fate::Run | Fate::Impossible => format!("There is no tool {} any more.", call.step.tool_name),
        Fate::CutOff => {
            "Your reply was cut off in the middle of this call, so it was not run. Send it again, shorter."
                .into()
        }
        Fate::Refused(refusal) => refused(refusal),
        Fate::NobodyToAsk => NOBODY_TO_ASK.into(),
        Fate::NotAsAllowed => NOT_AS_ALLOWED.into(),
        Fate::Unknown => UNKNOWN.into(),
    };
    let mut answer = failed(call, &why, Duration::ZERO);
    answer.result.unknown = *fate == Fate::Unknown;
    answer
}

const NOBODY_TO_ASK: &str = "This needs a person's approval, and there is nobody here who could give it, so it was not done. \
    Do without it, or say in your answer what would have to be approved.";

const NOT_AS_ALLOWED: &str =
    "A person allowed this with other arguments, so it was not done. Send the call again to ask for these.";

const UNKNOWN: &str = "Baton was interrupted while this ran, so nobody knows whether it was carried out. \
    Look before you do it again; calling it again asks the person first.";

fn impossible(call: &Call, tool: Option<&dyn Tool>) -> String {
    match (call.step.args.get(UNREADABLE), tool.and_then(|tool| misfit(tool, &call.step.args))) {
        (Some(_), _) => {
            "The arguments were no JSON object, or one nested too deeply. Send the call again.".to_owned()
        }
        (None, Some(why)) => why,
        (None, None) => format!("There is no tool called {}.", call.step.tool_name),
    }
}

/// Where arguments that could not be read are kept, so that people can see them.
pub const UNREADABLE: &str = "_unreadable";

/// The value, cut to what a model can be given, with a note that it was cut.
fn capped(value: Value) -> Value {
    let text = match &value {
        Value::String(text) if text.len() <= MAX_OUTPUT => return value,
        Value::String(text) => text.clone(),
        other => {
            let text = other.to_string();
            // A value that is nested deeper could be stored, but not read back.
            match (text.len() <= MAX_OUTPUT, baton_core::text::depth(other) < baton_core::text::MAX_DEPTH) {
                (true, true) => return value,
                (true, false) => return Value::String(text),
                (false, _) => text,
            }
        }
    };
    let end = text.floor_char_boundary(MAX_OUTPUT);
    json!({
        "note": format!("The result had {} bytes; these are the first {end}. Ask for less.", text.len()),
        "beginning": text[..end],
    })
}
