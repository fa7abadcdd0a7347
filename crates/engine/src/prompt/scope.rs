//! How much of the log an agent is shown: all of it, or what was said since it was called in.

use std::collections::HashSet;

use baton_core::handoffs::{Activation, ActivationStatus, NewActivation};
use baton_core::ids::{AgentId, MessageId, TaskId};
use baton_core::log::{LoggedStep, Step};
use baton_core::teams::TeamKind;

#[derive(Debug, Clone, PartialEq)]
pub enum Scope {
    Full,
    /// The agent's connected activations, as intervals of the log, and the messages that began them.
    Since {
        times: Vec<(i64, i64)>,
        messages: HashSet<MessageId>,
        /// Messages that came while this agent held the conversation, but that a router gave to another agent.
        others: HashSet<MessageId>,
    },
}

/// In teams with a router and in pipelines agents see what followed their activation; elsewhere all.
pub fn scope(team: Option<TeamKind>, activations: &[Activation]) -> Scope {
    let active = activations.iter().rposition(|one| one.status == ActivationStatus::Active);
    from(team, activations, active, None)
}

/// The scope of an agent whose activation begins with the next commit.
pub fn scope_of_next(
    team: Option<TeamKind>,
    activations: &[Activation],
    next: &NewActivation,
    began_seq: i64,
) -> Scope {
    let resumes = next.resumes.and_then(|id| activations.iter().position(|one| one.id == id));
    from(team, activations, resumes, Some((next, began_seq)))
}

fn from(
    team: Option<TeamKind>,
    activations: &[Activation],
    mut at: Option<usize>,
    next: Option<(&NewActivation, i64)>,
) -> Scope {
    if !matches!(team, Some(TeamKind::Router | TeamKind::Pipeline)) {
        return Scope::Full;
    }
    let (mut times, mut messages) = (Vec::new(), HashSet::new());
    if let Some((next, began_seq)) = next {
        times.push((began_seq, i64::MAX));
        messages.extend(next.message_id);
    }
    let until = next.map_or(i64::MAX, |(_, began_seq)| began_seq);
    while let Some(index) = at {
        let one = &activations[index];
        let end = activations.get(index + 1).map_or(until, |next| next.began_seq);
        times.push((one.began_seq, end));
        messages.extend(one.message_id);
        // Only ever backwards, whatever the rows say.
        at = one.resumes.and_then(|id| activations[..index].iter().position(|other| other.id == id));
    }
    // A message that a router gave to an agent that then failed came back.
    let kept = activations.iter().filter(|one| one.status != ActivationStatus::Cancelled);
    let others = kept.filter_map(|one| one.message_id).filter(|id| !messages.contains(id)).collect();
    Scope::Since { times, messages, others }
}

impl Scope {
    /// The steps of a log that an agent is shown.
    pub fn of<'a>(&self, log: &'a [LoggedStep], reader: AgentId) -> Vec<&'a LoggedStep> {
        let Self::Since { times, messages, others } = self else { return log.iter().collect() };
        let is_within = |step: &LoggedStep| times.iter().any(|(from, to)| (*from..*to).contains(&step.seq));
        // What it said in a turn that it began to answer is its own, even if it lost the conversation meanwhile. What the
        // person said is not: a message carries the holder's name, whoever a router then gave it to.
        let turns: HashSet<TaskId> =
            log.iter().filter(|step| is_within(step)).filter_map(|step| step.task_id).collect();
        let is_own = |step: &LoggedStep| {
            step.agent_id == reader
                && !matches!(step.step, Step::User { .. })
                && step.task_id.is_some_and(|task| turns.contains(&task))
                && times.iter().any(|(from, _)| step.seq >= *from)
        };
        let among =
            |ids: &HashSet<MessageId>, step: &LoggedStep| step.message_id.is_some_and(|id| ids.contains(&id));
        let is_shown = |step: &&LoggedStep| {
            (is_within(step) && !among(others, step)) || is_own(step) || among(messages, step)
        };
        log.iter().filter(is_shown).collect()
    }
}

#[cfg(test)]
mod tests;
