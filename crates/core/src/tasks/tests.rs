use super::*;
use crate::agents::PermissionMode;
use crate::handoffs::Trigger;
use crate::ids::{ActivationId, AgentId, TransitionId};
use crate::log::{Handoff, MessageStatus, Route, Routed, Spent, Switched, TurnStatus};

fn user(synthetic: bool) -> Step {
    Step::User { content: "Hi".into(), attachments: vec![], web_search: false, synthetic }
}

fn call() -> Step {
    Step::Call { attempt: 1, start: None, lost: None }
}

fn ends() -> Step {
    Step::MessageEnd { status: MessageStatus::Complete }
}

fn done() -> Step {
    Step::Done { status: TurnStatus::Completed, spent: Spent::NOTHING, calls: 1 }
}

fn routed() -> Step {
    Step::Routed(Routed {
        decision: Route::Switch,
        to: None,
        summary: None,
        problem: None,
        model: "m".into(),
        spent: Spent::NOTHING,
        duration_ms: 1,
    })
}

fn handoff(task_id: TaskId) -> Step {
    Step::Handoff(Handoff {
        id: TransitionId::new(),
        from: AgentId::new(),
        to: AgentId::new(),
        to_name: "B".into(),
        trigger: Trigger::Model,
        reason: None,
        context: Default::default(),
        epoch: 2,
        activation_id: ActivationId::new(),
        task_id,
        mode: PermissionMode::Default,
        stage: None,
        call_id: None,
    })
}

fn rolled_back() -> Step {
    Step::Switched(Switched {
        from: AgentId::new(),
        to: AgentId::new(),
        to_name: "A".into(),
        by: Trigger::Rollback,
        epoch: 3,
        activation_id: ActivationId::new(),
        pinned: false,
    })
}

#[test]
fn each_step_is_of_the_task_that_did_it() {
    let [root, second, third] = [TaskId::new(), TaskId::new(), TaskId::new()];
    let ids: Vec<MessageId> = (0..4).map(|_| MessageId::new()).collect();
    let message = |at: usize| ids.get(at).copied();
    const NONE: usize = usize::MAX;
    type Row = (Step, usize, TaskId);
    let cases: Vec<(&str, Vec<Row>)> = vec![
        ("nothing is handed off", vec![(user(false), 0, root), (call(), 1, root), (done(), NONE, root)]),
        (
            "a model hands off, and its message ends after that",
            vec![
                (user(false), 0, root),
                (call(), 1, root),
                (handoff(second), 1, root),
                (ends(), 1, root),
                (call(), 2, second),
                (ends(), 2, second),
                (done(), NONE, second),
            ],
        ),
        (
            "a router decides before anyone speaks",
            vec![
                (user(false), 0, root),
                (routed(), NONE, root),
                (handoff(second), NONE, root),
                (call(), 1, second),
                (done(), NONE, second),
            ],
        ),
        (
            "stages: what begins the next one is the next one's",
            vec![
                (call(), 0, root),
                (handoff(second), 0, root),
                (ends(), 0, root),
                (user(true), 1, second),
                (call(), 2, second),
                (handoff(third), 2, second),
                (ends(), 2, second),
                (call(), 3, third),
            ],
        ),
        (
            "what could not go on is taken back by the task that failed",
            vec![
                (call(), 0, root),
                (handoff(second), 0, root),
                (call(), 1, second),
                (rolled_back(), NONE, second),
                (done(), NONE, second),
            ],
        ),
    ];
    for (name, rows) in cases {
        let log = rows.iter().zip(1..).map(|((step, at, _), seq)| LoggedStep {
            seq,
            task_id: Some(root),
            agent_id: AgentId::new(),
            message_id: message(*at),
            step: step.clone(),
            at: chrono::DateTime::UNIX_EPOCH,
        });
        let told: Vec<TaskId> = attributed(root, log.collect()).into_iter().map(|(task, _)| task).collect();
        let expected: Vec<TaskId> = rows.iter().map(|(_, _, task)| *task).collect();
        assert_eq!(told, expected, "{name}");
    }
}
