//! What each kind of handoff inherits, as a table.

use super::*;
use serde_json::json;

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn time(agent_id: AgentId, name: &str, status: ActivationStatus) -> Activation {
    Activation {
        status,
        ..NewActivation {
            summary: Some(format!("why {name}")),
            reason: Some("an earlier reason".into()),
            message_id: Some(MessageId::new()),
            context: map(json!({"passed to": name, "_handoff_from": "x", "_handoff_chain": ["x"]})),
            context_data: map(json!({"noted by": name})),
            is_pinned: name == "before",
            ..NewActivation::of(agent_id, Trigger::Model)
        }
        .begun(0, DateTime::UNIX_EPOCH)
    }
}

/// What is looked at of each: passed, noted, why, the message, what it goes on with, pinned, how the other ends, how
/// the target is looked at.
type Row = (
    Value,
    Value,
    Option<String>,
    Option<MessageId>,
    Option<ActivationId>,
    bool,
    ActivationStatus,
    Option<Use>,
);

fn row(handoff: &NewHandoff) -> Row {
    let begins = handoff.begins.clone();
    (
        Value::Object(begins.context),
        Value::Object(begins.context_data),
        begins.summary,
        begins.message_id,
        begins.resumes,
        begins.is_pinned,
        handoff.ends_as,
        handoff.access,
    )
}

#[test]
fn what_each_kind_of_handoff_inherits() {
    use ActivationStatus::{Active, Cancelled, Completed, Paused};
    let (a, b) = (AgentId::new(), AgentId::new());
    let before = time(a, "before", Completed);
    let paused = time(b, "paused", Paused);
    let again = time(b, "again", Completed);
    let holder = time(a, "holder", Active);
    let activations = [before.clone(), paused.clone(), again.clone(), holder.clone()];
    let held = Held { by: &holder, slug: "ana", activations: &activations, epoch: 7 };

    let (variables, asked, task) = (map(json!({"lead": 1, "_forged": 2})), MessageId::new(), TaskId::new());
    let given = |trigger, resumes| Given {
        to: b,
        trigger,
        reason: Some("cars".into()),
        summary: Some("They want a car.".into()),
        variables: &variables,
        tool: Some("to_b"),
        instructions: Some("Be kind."),
        message_id: Some(asked),
        resumes,
        task,
        input: json!({"message": "A car"}),
    };
    let handed = |trigger, resumes| NewHandoff::handed_off(held, given(trigger, resumes));
    let passed = json!({
        "passed to": "holder", "lead": 1, "_handoff_from": "ana", "_handoff_tool": "to_b",
        "_handoff_instructions": "Be kind.", "_handoff_chain": ["x", "ana"],
    });
    let came_along = json!({"passed to": "holder", "_handoff_from": "ana", "_handoff_chain": ["x", "ana"]});
    let why = Some("They want a car.".to_owned());
    let noted = |name: &str| json!({"noted by": name});
    let table: [(&str, NewHandoff, Row); 7] = [
        (
            "a model hands off",
            handed(Trigger::Model, None),
            (
                passed.clone(),
                json!({}),
                why.clone(),
                Some(asked),
                None,
                false,
                Completed,
                Some(Use::ModelSwitch),
            ),
        ),
        (
            "a router calls someone back",
            handed(Trigger::Router, Some(paused.id)),
            (
                passed.clone(),
                noted("paused"),
                why.clone(),
                Some(asked),
                Some(paused.id),
                false,
                Paused,
                Some(Use::Select),
            ),
        ),
        (
            "a stage is completed",
            handed(Trigger::Completion, None),
            (passed.clone(), json!({}), why, Some(asked), None, false, Completed, Some(Use::Select)),
        ),
        (
            "a person switches",
            NewHandoff::switched(held, b, true),
            (
                came_along.clone(),
                noted("paused"),
                Some("why paused".into()),
                None,
                Some(paused.id),
                true,
                Paused,
                Some(Use::Select),
            ),
        ),
        (
            "a person switches to someone new",
            NewHandoff::switched(held, AgentId::new(), false),
            (came_along.clone(), json!({}), None, None, None, false, Paused, Some(Use::Select)),
        ),
        (
            "the holder is gone",
            NewHandoff::fell_back(held, b),
            (
                came_along,
                noted("again"),
                Some("why again".into()),
                None,
                Some(again.id),
                false,
                Cancelled,
                Some(Use::Begin),
            ),
        ),
        (
            "it is rolled back",
            NewHandoff::rolled_back(held, &before),
            (
                Value::Object(before.context.clone()),
                noted("before"),
                Some("why before".into()),
                before.message_id,
                Some(before.id),
                true,
                Cancelled,
                None,
            ),
        ),
    ];
    for (what, made, wanted) in table {
        assert_eq!(row(&made), wanted, "{what}");
        assert_eq!((made.epoch, made.ends), (7, holder.id), "{what}");
        let is_handed = matches!(made.begins.trigger, Trigger::Model | Trigger::Router | Trigger::Completion);
        assert_eq!(made.task.is_some(), is_handed, "only what goes on in the same turn has a task: {what}");
        assert_eq!(made.begins.reason.as_deref(), is_handed.then_some("cars"), "{what}");
        if let Some(goes_on) = &made.task {
            assert_eq!((goes_on.parent_id, goes_on.agent_id), (task, b), "{what}");
            assert_eq!(
                (&goes_on.context, &goes_on.input),
                (&made.begins.context, &json!({"message": "A car"}))
            );
        }
        let (step, record) = (made.switch_step(a, "Bo"), made.transition(a));
        assert_eq!(
            (step.from, step.to, step.to_name.as_str(), step.by, step.epoch, step.activation_id, step.pinned),
            (a, made.begins.agent_id, "Bo", made.begins.trigger, 8, made.begins.id, made.begins.is_pinned)
        );
        assert_eq!(
            (record.trigger, record.from, record.to, record.reason),
            (made.begins.trigger, a, Some(made.begins.agent_id), made.begins.reason.clone())
        );
    }
}

#[test]
fn a_handoff_takes_effect_once_it_is_stored() {
    let (a, b) = (AgentId::new(), AgentId::new());
    let holder = time(a, "holder", ActivationStatus::Active);
    let mut activations = vec![holder.clone()];
    let held = Held { by: &holder, slug: "ana", activations: &activations, epoch: 1 };
    let mut made = NewHandoff::switched(held, b, false);
    made.begins.step = 2;
    made.take_effect(&mut activations, 10, DateTime::UNIX_EPOCH);
    let [ended, begun] = &activations[..] else { panic!("{activations:?}") };
    assert_eq!((ended.status, ended.ended_at), (ActivationStatus::Paused, Some(DateTime::UNIX_EPOCH)));
    assert_eq!((begun.status, begun.agent_id, begun.began_seq), (ActivationStatus::Active, b, 13));
}

#[test]
fn the_first_activation_holds_the_conversation_before_there_is_a_step() {
    let first = NewActivation::of(AgentId::new(), Trigger::User).from_the_start(DateTime::UNIX_EPOCH);
    assert_eq!((first.began_seq, first.status), (0, ActivationStatus::Active));
}
