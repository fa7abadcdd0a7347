//! What a handoff call leads to, before anything is done: the next agent with the context passed along, a completed
//! stage, or a refusal that the model can act on. Pure; the store applies the rules that need fresh rows.

use baton_core::access::{AccessRefusal, Viewer, may_use};
use baton_core::handoffs::{self, Activation, MAX_REASON, MAX_SUMMARY, Path, Refusal, Trigger, may_hop};
use baton_core::log::{LoggedStep, Step};
use baton_core::schema;
use baton_core::teams::TeamKind;
use serde_json::{Map, Value};

use crate::handoff::targets::{HandoffTool, NextStage, StagePlace, Target, find};

#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    Handoff(Box<Planned>),
    /// The last stage is completed, or the next can't begin.
    Stage {
        stage: String,
        data: Value,
        stuck: Option<Stuck>,
    },
}

/// Why the stage after a completed one can't begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Stuck {
    /// In words for the model.
    pub why: String,
    /// The person may not use its agent; `None`: it is gone.
    pub refusal: Option<AccessRefusal>,
}

impl From<Refusal> for Stuck {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal.code {
            SIGN_IN => Some(AccessRefusal::SignIn),
            PREMIUM => Some(AccessRefusal::Premium),
            _ => None,
        };
        Self { why: refusal.words, refusal: kind }
    }
}

/// A handoff as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub to: Target,
    pub trigger: Trigger,
    pub reason: Option<String>,
    /// Why the next agent gets the conversation, in words for that agent.
    pub summary: Option<String>,
    pub variables: Map<String, Value>,
    pub instructions: Option<String>,
    /// The stage that is completed, with its result and the name of the next.
    pub stage: Option<StageStep>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StageStep {
    pub completed: String,
    pub data: Value,
    /// Its result was stored when the stage was completed, and the next could not begin.
    pub is_kept: bool,
    pub next: String,
    /// Of the next, from 1.
    pub number: usize,
    pub of: usize,
}

impl StagePlace {
    fn completed_with(&self, next: &str, data: Value) -> StageStep {
        StageStep {
            completed: self.stage.name.clone(),
            data,
            is_kept: false,
            next: next.to_owned(),
            number: self.number + 1,
            of: self.of,
        }
    }
}

/// Who asks, and what came before in this turn.
pub struct PlanInput<'a> {
    pub viewer: Viewer,
    pub path: Path<'a>,
    pub context: &'a Map<String, Value>,
}

pub fn plan(tool: &HandoffTool, args: &Map<String, Value>, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
    match tool {
        HandoffTool::Switch(targets) => switch(targets, args, input),
        HandoffTool::Defined { target: None, .. } => Err(gone()),
        HandoffTool::Defined { target: Some(target), config } => {
            let variables = config.variables(args)?;
            let merged = input.context.iter().chain(&variables);
            handoffs::fits(&merged.map(|(key, value)| (key.clone(), value.clone())).collect())?;
            let planned = Planned {
                variables,
                instructions: config.handoff_instructions.clone(),
                ..model_handoff(target.clone(), None)
            };
            checked(planned, input)
        }
        HandoffTool::CompleteTask(general) => {
            let summary = words(args, "summary", MAX_SUMMARY)
                .ok_or_else(|| Refusal::new("wrong_variables", "Say in `summary` what was done."))?;
            let planned = Planned {
                trigger: Trigger::Completion,
                summary: Some(summary),
                ..model_handoff(general.clone(), None)
            };
            checked(planned, input)
        }
        HandoffTool::CompleteStage(place) => complete_stage(place, args, input),
    }
}

pub fn gone() -> Refusal {
    Refusal::new("target_gone", "That agent isn't here any more. Answer yourself, or choose another.")
}

const SIGN_IN: &str = "sign_in_required";
const PREMIUM: &str = "premium_required";

/// A text that the model can repeat to the person.
pub fn not_allowed(refusal: AccessRefusal, to: &Target) -> Refusal {
    let name = &to.name;
    match refusal {
        AccessRefusal::SignIn if to.gate.is_default => Refusal::new(
            SIGN_IN,
            format!("Only the person can return to {name}, the default agent: tell them to choose it."),
        ),
        AccessRefusal::SignIn => Refusal::new(
            SIGN_IN,
            format!(
                "Authentication required to access {name}. Please sign in or return to the default agent."
            ),
        ),
        AccessRefusal::Premium => {
            Refusal::new(PREMIUM, format!("{name}: {}", AccessRefusal::Premium.wording()))
        }
    }
}

fn model_handoff(to: Target, reason: Option<String>) -> Planned {
    Planned {
        to,
        trigger: Trigger::Model,
        reason,
        summary: None,
        variables: Map::new(),
        instructions: None,
        stage: None,
    }
}

fn checked(planned: Planned, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
    may_hop(input.path, planned.to.id)?;
    may_use(input.viewer, planned.to.gate, planned.trigger.needs())
        .map_err(|refusal| not_allowed(refusal, &planned.to))?;
    Ok(Plan::Handoff(Box::new(planned)))
}

fn switch(targets: &[Target], args: &Map<String, Value>, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
    let named = args.get("agent").and_then(Value::as_str).unwrap_or_default();
    let target = find(targets, named).ok_or_else(|| {
        let slugs: Vec<&str> = targets.iter().map(|target| target.slug.as_str()).collect();
        Refusal::new(
            "unknown_agent",
            format!("There is no agent {named:?} to hand to. There are: {}.", slugs.join(", ")),
        )
    })?;
    checked(model_handoff(target.clone(), words(args, "reason", MAX_REASON)), input)
}

fn complete_stage(
    place: &StagePlace,
    args: &Map<String, Value>,
    input: &PlanInput<'_>,
) -> Result<Plan, Refusal> {
    let data = Value::Object(args.clone());
    schema::check(&place.stage.output_schema, &data).map_err(|wrong| {
        Refusal::new("wrong_result", format!("The result of the stage doesn't fit: {wrong}."))
    })?;
    handoffs::fits(args)?;
    let stage = place.stage.name.clone();
    let stuck = |why: String, refusal| {
        let stuck = Some(Stuck { why, refusal });
        Ok(Plan::Stage { stage: stage.clone(), data: data.clone(), stuck })
    };
    match &place.next {
        NextStage::Nothing => Ok(Plan::Stage { stage, data, stuck: None }),
        NextStage::Gone { name } => {
            stuck(format!("The agent of the stage {name} isn't here any more."), None)
        }
        NextStage::Stage { name, target } => {
            if let Err(refusal) = may_use(input.viewer, target.gate, Trigger::Completion.needs()) {
                return stuck(not_allowed(refusal, target).words, Some(refusal));
            }
            Ok(Plan::Handoff(Box::new(Planned {
                trigger: Trigger::Completion,
                stage: Some(place.completed_with(name, data)),
                ..model_handoff(target.clone(), None)
            })))
        }
    }
}

/// Plans the handoff to the next stage when the result of the completed stage is already stored.
pub fn next_stage(place: &StagePlace, data: Value) -> Option<Planned> {
    let NextStage::Stage { name, target } = &place.next else { return None };
    Some(Planned {
        trigger: Trigger::Completion,
        stage: Some(StageStep { is_kept: true, ..place.completed_with(name, data) }),
        ..model_handoff(target.clone(), None)
    })
}

/// The stage that its holder has completed while the next could not begin, and its result.
pub fn stuck_stage<'a>(
    team: Option<TeamKind>,
    log: &'a [LoggedStep],
    active: Option<&Activation>,
) -> Option<(&'a str, &'a Value)> {
    let began = active.filter(|_| team == Some(TeamKind::Pipeline))?.began_seq;
    let since = log.iter().rev().take_while(|logged| logged.seq >= began);
    let last = since.filter_map(|logged| match &logged.step {
        Step::Snapshot { stage, data, stuck, .. } => Some((stage, data, stuck.is_some())),
        _ => None,
    });
    let (stage, data, is_stuck) = { last }.next()?;
    is_stuck.then_some((stage.as_str(), data))
}

fn words(args: &Map<String, Value>, name: &str, most: usize) -> Option<String> {
    let said = args.get(name)?.as_str()?.trim();
    (!said.is_empty()).then(|| said.chars().take(most).collect())
}

#[cfg(test)]
mod tests;
