//! How a handoff is made, whoever asks for it. Only the four constructors here say what the next activation inherits.
//! They are pure; the store applies their result in one transaction, with the same rules on fresh rows.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::{Activation, ActivationStatus, Marks, NewTransition, Trigger, merged, resumable_by};
use crate::access::Use;
use crate::ids::{ActivationId, AgentId, MessageId, TaskId};
use crate::log::Switched;

/// One activation ends and another begins, with all that belongs to it: one transaction, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct NewHandoff {
    /// The epoch whoever asks has seen.
    pub epoch: i64,
    pub ends: ActivationId,
    pub ends_as: ActivationStatus,
    pub begins: NewActivation,
    /// How the target is used; its gate and the person's tier are looked at as they are now. `None`: Baton's own doing.
    pub access: Option<Use>,
    /// The work under this turn that goes on from here; the task before it is completed.
    pub task: Option<NewTask>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewActivation {
    pub id: ActivationId,
    pub agent_id: AgentId,
    pub trigger: Trigger,
    pub reason: Option<String>,
    pub summary: Option<String>,
    pub message_id: Option<MessageId>,
    pub context: Map<String, Value>,
    pub context_data: Map<String, Value>,
    pub resumes: Option<ActivationId>,
    pub is_pinned: bool,
    /// The place among the commit's steps of the one that begins it.
    pub step: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewTask {
    pub id: TaskId,
    pub parent_id: TaskId,
    pub agent_id: AgentId,
    pub input: Value,
    pub context: Map<String, Value>,
}

/// A conversation as its holder sees it when it is handed off.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The activation that holds it.
    pub by: &'a Activation,
    /// The slug of its agent: what the next one is told of where the conversation comes from.
    pub slug: &'a str,
    /// Who held it when, oldest first.
    pub activations: &'a [Activation],
    pub epoch: i64,
}

/// What an agent, a router or a finished task or stage gives to the next agent.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    pub to: AgentId,
    pub trigger: Trigger,
    pub reason: Option<String>,
    /// Why the next agent has the conversation, in words for it.
    pub summary: Option<String>,
    pub variables: &'a Map<String, Value>,
    pub tool: Option<&'a str>,
    pub instructions: Option<&'a str>,
    /// The message it is to answer.
    pub message_id: Option<MessageId>,
    /// The earlier time of the same agent that it goes on with.
    pub resumes: Option<ActivationId>,
    /// The task that is completed with it, and what the next one is about.
    pub task: TaskId,
    pub input: Value,
}

impl NewHandoff {
    /// The next agent goes on in the same turn, with what is given to it on top of what was passed before.
    pub fn handed_off(held: Held<'_>, given: Given<'_>) -> Self {
        let marks = Marks { from: held.slug, tool: given.tool, instructions: given.instructions };
        let context = merged(&held.by.context, given.variables, &marks);
        let resumed = given.resumes.and_then(|id| held.activations.iter().find(|one| one.id == id));
        let begins = NewActivation {
            reason: given.reason,
            summary: given.summary,
            message_id: given.message_id,
            context: context.clone(),
            context_data: notes_of(resumed),
            resumes: given.resumes,
            ..NewActivation::of(given.to, given.trigger)
        };
        let task = NewTask {
            id: TaskId::new(),
            parent_id: given.task,
            agent_id: given.to,
            input: given.input,
            context,
        };
        Self { task: Some(task), ..held.ends_with(begins) }
    }

    /// A person chooses another agent. It goes on with what it had paused, and is told what was passed to the one before.
    pub fn switched(held: Held<'_>, to: AgentId, is_pinned: bool) -> Self {
        let begins = NewActivation {
            is_pinned,
            ..held.goes_on_as(to, Trigger::User, resumable_by(held.activations, to))
        };
        held.ends_with(begins)
    }

    /// The holder is gone, and another agent takes its place: it goes on with the last time it had the conversation.
    pub fn fell_back(held: Held<'_>, to: AgentId) -> Self {
        let last = held.activations.iter().rfind(|one| one.agent_id == to);
        held.ends_with(held.goes_on_as(to, Trigger::Fallback, last))
    }

    /// The next agent failed before it said anything: everything is as it was before, and nothing of the failed handoff is
    /// passed back.
    pub fn rolled_back(held: Held<'_>, before: &Activation) -> Self {
        let begins = NewActivation {
            summary: before.summary.clone(),
            message_id: before.message_id,
            context: before.context.clone(),
            context_data: before.context_data.clone(),
            resumes: Some(before.id),
            is_pinned: before.is_pinned,
            ..NewActivation::of(before.agent_id, Trigger::Rollback)
        };
        held.ends_with(begins)
    }

    /// The step that tells of it, where no turn goes on with it by itself.
    pub fn switch_step(&self, from: AgentId, to_name: &str) -> Switched {
        Switched {
            from,
            to: self.begins.agent_id,
            to_name: to_name.to_owned(),
            by: self.begins.trigger,
            epoch: self.epoch + 1,
            activation_id: self.begins.id,
            pinned: self.begins.is_pinned,
        }
    }

    /// Its record, once it is stored.
    pub fn transition(&self, from: AgentId) -> NewTransition {
        let begins = &self.begins;
        let reason = begins.reason.clone();
        NewTransition { reason, ..NewTransition::completed(begins.trigger, from, begins.agent_id) }
    }

    /// Who held the conversation when, now that it is stored after the step `last_seq`.
    pub fn take_effect(self, activations: &mut Vec<Activation>, last_seq: i64, at: DateTime<Utc>) {
        for ended in activations.iter_mut().filter(|one| one.id == self.ends) {
            (ended.status, ended.ended_at) = (self.ends_as, Some(at));
        }
        activations.push(self.begins.begun(last_seq, at));
    }
}

impl Held<'_> {
    fn ends_with(&self, begins: NewActivation) -> NewHandoff {
        let trigger = begins.trigger;
        NewHandoff {
            epoch: self.epoch,
            ends: self.by.id,
            ends_as: trigger.ends_as(),
            access: (trigger != Trigger::Rollback).then(|| trigger.needs()),
            begins,
            task: None,
        }
    }

    /// An agent that comes in or comes back between turns: what was passed stays, why it began and what it noted are its
    /// own of the time it goes on with.
    fn goes_on_as(&self, to: AgentId, trigger: Trigger, earlier: Option<&Activation>) -> NewActivation {
        let marks = Marks { from: self.slug, tool: None, instructions: None };
        NewActivation {
            summary: earlier.and_then(|one| one.summary.clone()),
            context: merged(&self.by.context, &Map::new(), &marks),
            context_data: notes_of(earlier),
            resumes: earlier.map(|one| one.id),
            ..NewActivation::of(to, trigger)
        }
    }
}

fn notes_of(earlier: Option<&Activation>) -> Map<String, Value> {
    earlier.map(|one| one.context_data.clone()).unwrap_or_default()
}

impl NewActivation {
    /// One that inherits nothing.
    pub fn of(agent_id: AgentId, trigger: Trigger) -> Self {
        Self {
            id: ActivationId::new(),
            agent_id,
            trigger,
            reason: None,
            summary: None,
            message_id: None,
            context: Map::new(),
            context_data: Map::new(),
            resumes: None,
            is_pinned: false,
            step: 0,
        }
    }

    /// The first of a conversation: it holds it before there is a step.
    pub fn from_the_start(self, at: DateTime<Utc>) -> Activation {
        Activation { began_seq: 0, ..self.begun(0, at) }
    }

    /// As it is once its step has a number.
    pub fn begun(self, last_seq: i64, at: DateTime<Utc>) -> Activation {
        let began_seq = last_seq + 1 + self.step as i64;
        Activation {
            id: self.id,
            agent_id: self.agent_id,
            status: ActivationStatus::Active,
            trigger: self.trigger,
            reason: self.reason,
            summary: self.summary,
            message_id: self.message_id,
            context: self.context,
            context_data: self.context_data,
            resumes: self.resumes,
            is_pinned: self.is_pinned,
            began_seq,
            began_at: at,
            ended_at: None,
        }
    }
}

#[cfg(test)]
mod tests;
