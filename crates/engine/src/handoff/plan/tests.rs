//! What each handoff call and each completion leads to: which agent gets the conversation with which context, or why
//! none does.

use baton_core::access::Gate;
use baton_core::handoff_tools::HandoffConfig;
use baton_core::handoffs::{MAX_CONTEXT, MAX_HOPS};
use baton_core::ids::AgentId;
use baton_core::people::Tier;
use baton_core::teams::Stage;
use serde_json::json;

use super::*;

const FREE: Viewer = Viewer::Profile(Tier::Free);
const PLAIN: Gate = Gate { is_default: false, is_support: false, is_restricted: false };

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn target(name: &str, gate: Gate) -> Target {
    let (id, slug) = (AgentId::new(), name.to_lowercase());
    Target { id, slug, name: name.to_owned(), description: None, gate }
}

/// What a call comes to, after nothing else in its turn.
fn planned(tool: &HandoffTool, args: Value, viewer: Viewer) -> Result<Plan, Refusal> {
    let path = Path { agents: &[AgentId::new()], stages: 0 };
    plan(tool, &map(args), &PlanInput { viewer, path, context: &Map::new() })
}

#[track_caller]
fn handoff(plan: Result<Plan, Refusal>) -> Planned {
    match plan {
        Ok(Plan::Handoff(planned)) => *planned,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn code(plan: Result<Plan, Refusal>) -> &'static str {
    plan.expect_err("a refusal").code
}

/// What the model alone asks for.
fn by_model(to: Target) -> Planned {
    Planned {
        to,
        trigger: Trigger::Model,
        reason: None,
        summary: None,
        variables: Map::new(),
        instructions: None,
        stage: None,
    }
}

fn defined(target: Option<Target>) -> HandoffTool {
    let config = json!({
        "target_agent_id": target.as_ref().map_or_else(AgentId::new, |target| target.id),
        "context_variables": [{"name": "lead", "type": "string", "required": true}],
        "handoff_instructions": "Be kind.",
    });
    let config = serde_json::from_value::<HandoffConfig>(config).expect("a configuration");
    HandoffTool::Defined { target, config }
}

fn stage(next: NextStage) -> StagePlace {
    let output_schema = json!({"type": "object", "required": ["size"]});
    let stage = Stage { name: "assess".into(), output_schema, instructions: None };
    StagePlace { stage, number: 2, of: 5, next }
}

fn next(target: &Target) -> NextStage {
    NextStage::Stage { name: "analyze".into(), target: target.clone() }
}

#[test]
fn a_model_switches_to_whom_it_names_and_says_why() {
    let (bo, cy) = (target("Bo", PLAIN), target("Cy", PLAIN));
    let tool = HandoffTool::Switch(vec![bo.clone(), cy.clone()]);
    let made = handoff(planned(&tool, json!({"agent": "CY", "reason": "  Cars. "}), FREE));
    assert_eq!(made, Planned { reason: Some("Cars.".into()), ..by_model(cy) });
    for none in [json!({"agent": "bo"}), json!({"agent": "bo", "reason": " "})] {
        assert_eq!(handoff(planned(&tool, none, FREE)), by_model(bo.clone()), "no reason is none");
    }
    let long = json!({"agent": "bo", "reason": "ü".repeat(MAX_REASON + 1)});
    let reason = handoff(planned(&tool, long, FREE)).reason.expect("a reason");
    assert_eq!(reason.chars().count(), MAX_REASON);
    let nobody = planned(&tool, json!({"agent": "Dee"}), FREE).expect_err("nobody");
    assert_eq!(nobody.code, "unknown_agent");
    assert!(nobody.words.contains("\"Dee\"") && nobody.words.contains("bo, cy"), "{}", nobody.words);
}

#[test]
fn a_handoff_tool_passes_its_variables_and_instructions() {
    let bo = target("Bo", PLAIN);
    let made = handoff(planned(&defined(Some(bo.clone())), json!({"lead": "7"}), FREE));
    let wanted = Planned {
        variables: map(json!({"lead": "7"})),
        instructions: Some("Be kind.".into()),
        ..by_model(bo.clone())
    };
    assert_eq!(made, wanted);
    assert_eq!(code(planned(&defined(Some(bo)), json!({}), FREE)), "wrong_variables");
    assert_eq!(code(planned(&defined(None), json!({"lead": "7"}), FREE)), "target_gone");
}

#[test]
fn what_is_passed_now_and_before_must_fit_together() {
    let tool = defined(Some(target("Bo", PLAIN)));
    let path = Path { agents: &[AgentId::new()], stages: 0 };
    let with = |before: usize, now: usize| {
        let context = map(json!({"before": "x".repeat(before)}));
        plan(
            &tool,
            &map(json!({"lead": "x".repeat(now)})),
            &PlanInput { viewer: FREE, path, context: &context },
        )
    };
    let frame = r#"{"before":"","lead":""}"#.len();
    let (half, rest) = (MAX_CONTEXT / 2, MAX_CONTEXT - MAX_CONTEXT / 2 - frame);
    handoff(with(half, rest));
    assert_eq!(code(with(half, rest + 1)), "context_too_large");
    assert_eq!(code(with(half + 1, rest)), "context_too_large");
}

#[test]
fn a_completed_task_goes_back_with_what_was_done() {
    let general = target("Ana", PLAIN);
    let tool = HandoffTool::CompleteTask(general.clone());
    let made = handoff(planned(&tool, json!({"summary": " It is booked. "}), FREE));
    let summary = Some("It is booked.".to_owned());
    assert_eq!(made, Planned { trigger: Trigger::Completion, summary, ..by_model(general) });
    for nothing in [json!({}), json!({"summary": "\n "}), json!({"summary": 3})] {
        assert_eq!(code(planned(&tool, nothing, FREE)), "wrong_variables");
    }
    let long = handoff(planned(&tool, json!({"summary": "x".repeat(MAX_SUMMARY + 1)}), FREE));
    assert_eq!(long.summary.map(|summary| summary.len()), Some(MAX_SUMMARY));
}

#[test]
fn a_completed_stage_begins_the_next_with_its_result() {
    let cy = target("Cy", PLAIN);
    let place = stage(next(&cy));
    let data = json!({"size": 4});
    let made = handoff(planned(&HandoffTool::CompleteStage(place.clone()), data.clone(), FREE));
    let step = StageStep {
        completed: "assess".into(),
        data: data.clone(),
        is_kept: false,
        next: "analyze".into(),
        number: 3,
        of: 5,
    };
    let wanted = Planned { trigger: Trigger::Completion, stage: Some(step.clone()), ..by_model(cy) };
    assert_eq!(made, wanted);
    let again = next_stage(&place, data.clone());
    let kept = Planned { stage: Some(StageStep { is_kept: true, ..step }), ..wanted };
    assert_eq!(again, Some(kept), "begun later, its result is not stored twice");
    let refused = |args| code(planned(&HandoffTool::CompleteStage(place.clone()), args, FREE));
    assert_eq!(refused(json!({})), "wrong_result");
    assert_eq!(refused(json!({"size": "x".repeat(MAX_CONTEXT)})), "context_too_large");
    let last = planned(&HandoffTool::CompleteStage(stage(NextStage::Nothing)), data.clone(), FREE);
    assert_eq!(last, Ok(Plan::Stage { stage: "assess".into(), data: data.clone(), stuck: None }));
    assert_eq!(next_stage(&stage(NextStage::Nothing), data), None);
}

#[test]
fn a_stage_that_can_not_begin_keeps_the_result_of_the_one_before() {
    let restricted = Gate { is_restricted: true, ..PLAIN };
    let gone = NextStage::Gone { name: "analyze".into() };
    let table = [
        (gone.clone(), FREE, None, "analyze isn't here any more"),
        (next(&target("Cy", restricted)), FREE, Some(AccessRefusal::Premium), "premium"),
        (next(&target("Cy", PLAIN)), Viewer::Visitor, Some(AccessRefusal::SignIn), "sign in"),
    ];
    for (after, viewer, refusal, words) in table {
        let data = json!({"size": 4});
        let plan = planned(&HandoffTool::CompleteStage(stage(after)), data.clone(), viewer);
        let Ok(Plan::Stage { stage, data: kept, stuck: Some(stuck) }) = plan else { panic!("{plan:?}") };
        assert_eq!((stage.as_str(), kept, stuck.refusal), ("assess", data, refusal));
        assert!(stuck.why.contains(words), "{}", stuck.why);
    }
    assert_eq!(next_stage(&stage(gone), json!({})), None);
    for refusal in [AccessRefusal::SignIn, AccessRefusal::Premium] {
        let told = Stuck::from(not_allowed(refusal, &target("Cy", PLAIN)));
        assert_eq!(told.refusal, Some(refusal), "as the store refuses it, it is the same");
    }
    assert_eq!(Stuck::from(super::gone()).refusal, None);
}

#[test]
fn whom_the_person_may_not_use_is_refused_in_words_for_them() {
    let default = Gate { is_default: true, ..PLAIN };
    let restricted = Gate { is_restricted: true, ..PLAIN };
    let table = [
        (PLAIN, Viewer::Visitor, SIGN_IN, "Please sign in"),
        (default, Viewer::Visitor, SIGN_IN, "Only the person can return to Bo"),
        (restricted, FREE, PREMIUM, "premium"),
    ];
    for (gate, viewer, wanted, words) in table {
        let bo = target("Bo", gate);
        for (tool, args) in [
            (HandoffTool::Switch(vec![bo.clone()]), json!({"agent": "bo"})),
            (defined(Some(bo.clone())), json!({"lead": "7"})),
        ] {
            let refused = planned(&tool, args, viewer).expect_err("a refusal");
            assert_eq!(refused.code, wanted);
            assert!(refused.words.contains(words), "{}", refused.words);
        }
    }
    // A finished task is the team's own order: it is held to what a person may choose.
    handoff(planned(
        &HandoffTool::CompleteTask(target("Bo", default)),
        json!({"summary": "Done."}),
        Viewer::Visitor,
    ));
}

#[test]
fn hops_are_bounded_and_stages_are_not_hops() {
    let (me, bo) = (AgentId::new(), target("Bo", PLAIN));
    let mut agents: Vec<AgentId> = (0..MAX_HOPS).map(|_| AgentId::new()).collect();
    agents.push(me);
    let asked = |tool: &HandoffTool, args| {
        let path = Path { agents: &agents, stages: 0 };
        plan(tool, &map(args), &PlanInput { viewer: FREE, path, context: &Map::new() })
    };
    assert_eq!(code(asked(&HandoffTool::Switch(vec![bo.clone()]), json!({"agent": "bo"}))), "hop_limit");
    assert_eq!(code(asked(&defined(Some(bo.clone())), json!({"lead": "7"}))), "hop_limit");
    assert_eq!(code(asked(&HandoffTool::CompleteTask(bo.clone()), json!({"summary": "Done."}))), "hop_limit");
    handoff(asked(&HandoffTool::CompleteStage(stage(next(&bo))), json!({"size": 1})));
}
