//! What a turn does next. No I/O: the log and a few facts in, one decision out. Recovery needs no code of its own:
//! load the log and ask again.

use baton_core::access::AccessRefusal;
use baton_core::agents::PermissionMode;
use baton_core::allow_rules::AllowRule;
use baton_core::models::StopReason;
use baton_core::server_tools::Level;
use baton_core::spending::Cap;
use baton_core::tools::Nature;

use crate::turn::state::{Call, Consent, Denial, Turn};

/// Facts that `run` needs and that are not in the log.
#[derive(Debug, Clone)]
pub struct Facts {
    pub stop_requested: bool,
    /// The limit on today's spending that is reached.
    pub cap_reached: Option<Cap>,
    /// The agent's model has no price, and may not be called without one.
    pub unpriced: bool,
    /// The outcome of the last step could not be stored and was dropped.
    pub unstorable: bool,
    /// How often the current step was begun before and not finished.
    pub tries: i32,
    /// Calls in the log may have been sent by a process that is gone.
    pub taken_over: bool,
    pub max_calls: i32,
    pub mode: PermissionMode,
    /// No person can be asked: at a workspace's public address, and where another agent waits for the answer.
    pub nobody_to_ask: bool,
    /// Whether a router decides who answers this turn.
    pub is_routed_team: bool,
    /// A completed stage waits for the next to begin, and the person asks to try again.
    pub is_stuck: bool,
    /// Calls of this agent that a person allowed for the rest of the conversation: the hashes of their arguments.
    pub allowed: Vec<String>,
    /// Tools that it may use without asking, by rules that people made.
    pub rules: Vec<AllowRule>,
    /// What admins decided about tools of this agent, by the names that its model calls them.
    pub levels: Vec<(String, Level)>,
}

impl Facts {
    fn capped(&self) -> Option<Failure> {
        self.cap_reached.map(Failure::SpendCapReached)
    }

    /// Whether a person is asked before such a call. What an admin decided about the tool comes first.
    fn asks(&self, call: &Call, nature: Nature) -> bool {
        let decided = self.levels.iter().find(|(name, _)| *name == call.step.tool_name);
        match decided.map(|(_, level)| *level) {
            Some(Level::Always) => false,
            // What is never to be called is not offered; should it be called all the same, a person sees it.
            Some(Level::Ask | Level::Never) => !self.remembers(call),
            None => nature.needs_approval(self.mode) && !self.allows(call, nature),
        }
    }

    /// Whether a person has allowed such a call beforehand.
    fn allows(&self, call: &Call, nature: Nature) -> bool {
        self.rules.iter().any(|rule| rule.covers(&call.step.tool_name, nature)) || self.remembers(call)
    }

    /// Whether the person allowed this very call for the rest of the conversation.
    fn remembers(&self, call: &Call) -> bool {
        !self.allowed.is_empty() && self.allowed.contains(&call.args_hash())
    }
}

pub const MAX_TRIES: i32 = 3;

#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    CallModel(Offered),
    /// Ask a person about these calls, by their place in the reply.
    AskPerson(Vec<usize>),
    /// Answer these calls: run the tool, or say why it isn't run.
    Answer(Vec<(usize, Fate)>),
    /// Nothing can be done until a person decides.
    Wait,
    /// Ask the router who answers.
    Route,
    /// The stage was completed before, and the next could not begin: begin it now.
    Advance,
    /// Everything else in the reply is done: these calls hand off, or complete a stage or a task. They are named by
    /// their place in the reply; the first valid one wins.
    HandOff(Vec<usize>),
    Finish(Ending),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    Tools,
    /// The limit on model calls is reached: it is asked once more, and can only answer.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    Run,
    /// The agent has no such tool, or the arguments are not what it takes.
    Impossible,
    /// The reply was cut in the middle of it.
    CutOff,
    Refused(Denial),
    /// It needs a person's approval, and there is nobody to ask.
    NobodyToAsk,
    /// Its arguments differ from those that a person approved.
    NotAsAllowed,
    /// The call was sent, and its outcome is unknown.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Completed,
    Stopped,
    /// The person gave the conversation to another agent, by name.
    Switched(String),
    Failed(Failure),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    GaveUp,
    SpendCapReached(Cap),
    /// No limit would count what the model costs.
    NoPrice,
    /// The model said nothing.
    EmptyAnswer,
    /// It refused, or was made to stop.
    ModelRefused,
    /// Its answer reached the limit on output.
    CutShort,
    /// It wanted tools when it had been asked for an answer.
    TooManyCalls,
    /// The database takes other writes, but refuses the outcome of this step.
    NotStored,
    /// A newer version of Baton drove the turn before, and stored a step that isn't known here.
    NewerVersion,
    /// A stage is completed, and the next can't begin: its agent is gone.
    StageUnavailable,
    /// A stage is completed, and the next can't begin: the person may not use its agent.
    StageRefused(AccessRefusal),
}

impl Failure {
    /// Stable code, words for the person, and whether trying again can help.
    pub fn told(self) -> (&'static str, &'static str, bool) {
        match self {
            Self::GaveUp => (
                "gave_up",
                "Baton was interrupted three times at the same step and gave up. Try again.",
                true,
            ),
            Self::SpendCapReached(Cap::Workspace | Cap::Public) => (
                "spend_cap_reached",
                "This workspace has reached its spending limit for today. An admin can raise it in the settings.",
                true,
            ),
            Self::SpendCapReached(Cap::EachPerson) => (
                "spend_cap_reached",
                "You have reached this server's spending limit per person for today. Whoever runs the server can raise it.",
                true,
            ),
            Self::SpendCapReached(Cap::EachWorkspace) => (
                "spend_cap_reached",
                "This workspace has reached this server's spending limit per workspace for today. Whoever runs the server can raise it.",
                true,
            ),
            Self::SpendCapReached(Cap::Server) => (
                "spend_cap_reached",
                "This server has reached its spending limit for today. Whoever runs it can raise it.",
                true,
            ),
            Self::NoPrice => (
                "model_has_no_price",
                "The price of this agent's model is not known, so no spending limit would count it, and it is not used here. \
                 An admin can set its price in baton.toml, or choose another model.",
                true,
            ),
            Self::EmptyAnswer => ("empty_answer", "The model gave no answer. Try again.", true),
            Self::ModelRefused => {
                ("model_refused", "The model declined to answer this. Try to put it differently.", false)
            }
            Self::CutShort => (
                "answer_cut_short",
                "The answer reached the limit on its length. Try again to let it go on from there.",
                true,
            ),
            Self::StageUnavailable => (
                "stage_unavailable",
                "The stage is completed and its result is kept, but the next one can't begin. Try again once its agent is there.",
                true,
            ),
            // Waiting doesn't help; signing in, or another plan, does.
            Self::StageRefused(AccessRefusal::SignIn) => (
                "stage_unavailable",
                "The stage is completed and its result is kept. The next one is for people with an account: please sign in to go on.",
                false,
            ),
            Self::StageRefused(AccessRefusal::Premium) => (
                "stage_unavailable",
                "The stage is completed and its result is kept. The agent of the next one requires a premium subscription.",
                false,
            ),
            Self::NotStored => (
                "not_stored",
                "Baton could not store what came of this step, so it is left out. Try again.",
                true,
            ),
            Self::NewerVersion => (
                "newer_version",
                "A newer version of Baton had begun this answer, and this server can't go on with it. Try again.",
                true,
            ),
            Self::TooManyCalls => (
                "max_turns",
                "The agent reached its limit of model calls without an answer. Try again to let it go on.",
                true,
            ),
        }
    }
}

pub fn run(turn: &Turn, facts: &Facts) -> Next {
    if facts.stop_requested {
        return Next::Finish(Ending::Stopped);
    }
    if facts.unstorable {
        return Next::Finish(Ending::Failed(Failure::NotStored));
    }
    if turn.holds_unknown {
        return Next::Finish(Ending::Failed(Failure::NewerVersion));
    }
    if facts.tries >= MAX_TRIES {
        return Next::Finish(Ending::Failed(Failure::GaveUp));
    }
    // The person wins: what was under way is done, and no more is begun.
    if let Some(to) = &turn.switched_to {
        let is_answered = turn.open_call.is_none() && turn.calls.is_empty() && turn.has_text();
        let ending = if is_answered { Ending::Completed } else { Ending::Switched(to.clone()) };
        return Next::Finish(ending);
    }
    if turn.open_call.is_some() {
        // Nobody can close it any more: it is made again, as the same call.
        return call_model(turn.model_calls - 1, facts);
    }
    if facts.is_routed_team && !turn.is_routed && turn.model_calls == 0 {
        // It is not decided yet which agent answers, so the price of the holder's model doesn't matter.
        return facts.capped().map_or(Next::Route, failed);
    }
    if let Some(stuck) = &turn.stuck_stage {
        let failure = stuck.refusal.map_or(Failure::StageUnavailable, Failure::StageRefused);
        return Next::Finish(Ending::Failed(failure));
    }
    if facts.is_stuck && turn.model_calls == 0 {
        return Next::Advance;
    }
    if turn.calls.is_empty() {
        return match turn.last_stop {
            // Nothing was said yet.
            None if turn.model_calls == 0 => call_model(0, facts),
            Some(StopReason::Refusal) => Next::Finish(Ending::Failed(Failure::ModelRefused)),
            Some(StopReason::MaxTokens) if turn.has_text() => Next::Finish(Ending::Failed(Failure::CutShort)),
            _ if turn.has_text() => Next::Finish(Ending::Completed),
            _ => Next::Finish(Ending::Failed(Failure::EmptyAnswer)),
        };
    }
    if turn.model_calls > facts.max_calls {
        // It called tools that it wasn't offered.
        let ending = if turn.has_text() { Ending::Completed } else { Ending::Failed(Failure::TooManyCalls) };
        return Next::Finish(ending);
    }
    answer_calls(turn, facts)
}

fn failed(failure: Failure) -> Next {
    Next::Finish(Ending::Failed(failure))
}

fn call_model(calls_before: i32, facts: &Facts) -> Next {
    if let Some(failure) = facts.capped().or(facts.unpriced.then_some(Failure::NoPrice)) {
        return failed(failure);
    }
    Next::CallModel(if calls_before < facts.max_calls { Offered::Tools } else { Offered::Nothing })
}

fn answer_calls(turn: &Turn, facts: &Facts) -> Next {
    let mut ask = Vec::new();
    let mut answer = Vec::new();
    let mut waiting = false;
    let mut hand_off = Vec::new();
    for (index, call) in turn.calls.iter().enumerate().filter(|(_, call)| !call.is_answered) {
        let is_whole = call.step.nature.is_some() && turn.last_stop != Some(StopReason::MaxTokens);
        if call.step.hands_off && is_whole {
            hand_off.push(index);
            continue;
        }
        match fate(turn, call, facts) {
            Verdict::AskPerson => ask.push(index),
            Verdict::Wait => waiting = true,
            Verdict::Answer(fate) => answer.push((index, fate)),
        }
    }
    if !ask.is_empty() {
        Next::AskPerson(ask)
    } else if !answer.is_empty() {
        Next::Answer(answer)
    } else if waiting {
        Next::Wait
    } else if !hand_off.is_empty() {
        Next::HandOff(hand_off)
    } else {
        call_model(turn.model_calls, facts)
    }
}

enum Verdict {
    AskPerson,
    Wait,
    Answer(Fate),
}

fn fate(turn: &Turn, call: &Call, facts: &Facts) -> Verdict {
    let Some(nature) = call.step.nature else { return Verdict::Answer(Fate::Impossible) };
    if turn.last_stop == Some(StopReason::MaxTokens) {
        return Verdict::Answer(Fate::CutOff);
    }
    let may_have_been_sent = facts.taken_over && !nature.repeatable;
    match &call.consent {
        Consent::Asked(_) => Verdict::Wait,
        Consent::Refused(refusal) => Verdict::Answer(Fate::Refused(refusal.clone())),
        Consent::Given(hash) if *hash != call.args_hash() => Verdict::Answer(Fate::NotAsAllowed),
        // A question is stored together with its call. So a call without one was begun, also where a person would be asked
        // by now: what allowed it was taken back meanwhile.
        Consent::Given(_) | Consent::NotAsked if may_have_been_sent => Verdict::Answer(Fate::Unknown),
        Consent::Given(_) => Verdict::Answer(Fate::Run),
        Consent::NotAsked => {
            let doubtful = turn.doubtful.contains(&call.step.tool_name);
            let asks = doubtful || facts.asks(call, nature);
            if asks && facts.nobody_to_ask {
                Verdict::Answer(Fate::NobodyToAsk)
            } else if asks {
                Verdict::AskPerson
            } else {
                Verdict::Answer(Fate::Run)
            }
        }
    }
}

#[cfg(test)]
mod tests;
