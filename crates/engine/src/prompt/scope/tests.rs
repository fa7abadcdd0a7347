use super::*;
use baton_core::handoffs::{Given, Held, NewHandoff, Trigger};
use baton_core::ids::ActivationId;
use baton_core::log::MessageStatus;
use chrono::DateTime;

fn held(
    agent_id: AgentId,
    status: ActivationStatus,
    began_seq: i64,
    resumes: Option<ActivationId>,
) -> Activation {
    Activation {
        id: ActivationId::new(),
        agent_id,
        status,
        trigger: Trigger::Router,
        reason: None,
        summary: None,
        message_id: None,
        context: Default::default(),
        context_data: Default::default(),
        resumes,
        is_pinned: false,
        began_seq,
        began_at: DateTime::UNIX_EPOCH,
        ended_at: None,
    }
}

/// A log of a few turns: who the step carries, which turn, which message, and whether a person said it.
struct Log(Vec<LoggedStep>);

impl Log {
    fn say(&mut self, agent_id: AgentId, task_id: TaskId, message_id: MessageId, step: Step) {
        let seq = self.0.len() as i64 + 1;
        let (task_id, message_id) = (Some(task_id), Some(message_id));
        self.0.push(LoggedStep { seq, task_id, agent_id, message_id, step, at: DateTime::UNIX_EPOCH });
    }

    /// A person writes; the step carries the name of whoever holds the conversation then.
    fn asks(&mut self, holder: AgentId, task: TaskId) -> MessageId {
        let (id, content) = (MessageId::new(), "A question".to_owned());
        let step = Step::User { content, attachments: vec![], web_search: false, synthetic: false };
        self.say(holder, task, id, step);
        id
    }

    fn answers(&mut self, agent: AgentId, task: TaskId) {
        self.say(agent, task, MessageId::new(), Step::MessageEnd { status: MessageStatus::Complete });
    }

    fn next(&self) -> i64 {
        self.0.len() as i64 + 1
    }
}

#[test]
fn who_is_called_back_is_not_shown_what_a_router_gave_to_another() {
    let (general, cars, rent) = (AgentId::new(), AgentId::new(), AgentId::new());
    let [one, two, three, four] = [(); 4].map(|()| TaskId::new());
    let mut log = Log(vec![]);
    log.asks(general, one);
    log.answers(general, one);
    let first = held(general, ActivationStatus::Paused, 0, None);
    // Routed to the cars: the message carries the general agent's name.
    let about_cars = log.asks(general, two);
    let mut second = held(cars, ActivationStatus::Paused, log.next(), None);
    second.message_id = Some(about_cars);
    log.answers(cars, two);
    log.answers(cars, two);
    // Routed on to the rent.
    let about_rent = log.asks(cars, three);
    let mut third = held(rent, ActivationStatus::Paused, log.next(), None);
    third.message_id = Some(about_rent);
    log.answers(rent, three);
    log.answers(rent, three);
    // And the cars are called back.
    let about_cars_again = log.asks(rent, four);
    let mut fourth = held(cars, ActivationStatus::Active, log.next(), Some(second.id));
    fourth.message_id = Some(about_cars_again);
    log.answers(cars, four);
    let seen = |activations: &[Activation], reader| {
        let shown = scope(Some(TeamKind::Router), activations);
        shown.of(&log.0, reader).iter().map(|step| step.seq).collect::<Vec<_>>()
    };
    let all = [first.clone(), second.clone(), third.clone(), fourth.clone()];
    assert_eq!(seen(&all, cars), [3, 4, 5, 9, 10], "not what went to the rent, nor its answer");
    let mut back = held(general, ActivationStatus::Active, log.next(), Some(first.id));
    back.message_id = Some(about_cars_again);
    fourth.status = ActivationStatus::Completed;
    assert_eq!(seen(&[first, second, third, fourth, back], general), [1, 2, 9], "and what it is to answer");
}

#[test]
fn what_an_agent_says_after_it_lost_the_conversation_is_its_own() {
    let (ana, bo) = (AgentId::new(), AgentId::new());
    let (one, two) = (TaskId::new(), TaskId::new());
    let mut log = Log(vec![]);
    log.asks(ana, one);
    // A person switches while it speaks; then they come back to it.
    let first = held(ana, ActivationStatus::Paused, 0, None);
    let second = held(bo, ActivationStatus::Paused, log.next(), None);
    log.answers(bo, one);
    log.answers(ana, one);
    log.answers(ana, two);
    let mut third = held(ana, ActivationStatus::Active, log.next(), Some(first.id));
    let seen = |third: &Activation| {
        let all = [first.clone(), second.clone(), third.clone()];
        let shown = scope(Some(TeamKind::Pipeline), &all);
        shown.of(&log.0, ana).iter().map(|step| step.seq).collect::<Vec<_>>()
    };
    assert_eq!(seen(&third), [1, 3], "what it said in the turn that was its own, and in no other's");
    third.resumes = None;
    assert_eq!(seen(&third), [0i64; 0], "nothing, where it does not go on with that time");
    // Called in anew within that turn, it is not shown what it said before.
    third.began_seq = 4;
    log.0[3].task_id = Some(one);
    let all = [first.clone(), second.clone(), third.clone()];
    let shown = scope(Some(TeamKind::Pipeline), &all);
    let shown: Vec<i64> = shown.of(&log.0, ana).iter().map(|step| step.seq).collect();
    assert_eq!(shown, [4]);
}

#[test]
fn the_scope_of_one_that_begins_is_what_it_will_be() {
    let (general, cars) = (AgentId::new(), AgentId::new());
    let first = held(general, ActivationStatus::Active, 0, None);
    let mut paused = held(cars, ActivationStatus::Paused, 3, None);
    paused.message_id = Some(MessageId::new());
    let mut activations = vec![paused.clone(), first];
    let by = activations[1].clone();
    let given = Given {
        to: cars,
        trigger: Trigger::Router,
        reason: None,
        summary: None,
        variables: &Default::default(),
        tool: None,
        instructions: None,
        message_id: Some(MessageId::new()),
        resumes: Some(paused.id),
        task: TaskId::new(),
        input: Default::default(),
    };
    let next =
        NewHandoff::handed_off(Held { by: &by, slug: "g", activations: &activations, epoch: 1 }, given);
    let before = scope_of_next(Some(TeamKind::Router), &activations, &next.begins, 9);
    let begins = next.begins.clone();
    next.take_effect(&mut activations, 8, DateTime::UNIX_EPOCH);
    assert_eq!(scope(Some(TeamKind::Router), &activations), before);
    assert_eq!(scope_of_next(Some(TeamKind::Swarm), &activations, &begins, 9), Scope::Full);
    let Scope::Since { times, messages, .. } = before else { panic!("{before:?}") };
    assert_eq!((times, messages.len()), (vec![(9, i64::MAX), (3, 0)], 2));
}

#[test]
fn an_agent_sees_its_own_times_and_what_called_it_in() {
    let (a, b) = (AgentId::new(), AgentId::new());
    let asked = MessageId::new();
    let first = held(a, ActivationStatus::Paused, 0, None);
    let mut second = held(b, ActivationStatus::Completed, 4, None);
    second.message_id = Some(asked);
    let third = held(a, ActivationStatus::Active, 7, Some(first.id));
    let log: Vec<LoggedStep> = (1..10)
        .map(|seq| LoggedStep {
            seq,
            task_id: None,
            agent_id: a,
            message_id: (seq == 3).then_some(asked),
            step: Step::User {
                content: seq.to_string(),
                attachments: vec![],
                web_search: false,
                synthetic: false,
            },
            at: DateTime::UNIX_EPOCH,
        })
        .collect();
    let seen = |scope: Scope| scope.of(&log, b).iter().map(|step| step.seq).collect::<Vec<_>>();
    let all = [first.clone(), second.clone(), third];
    assert_eq!(seen(scope(None, &all)), (1..10).collect::<Vec<_>>());
    assert_eq!(
        seen(scope(Some(TeamKind::Router), &all)),
        [1, 2, 7, 8, 9],
        "its earlier time too, but not what went to another"
    );
    let mut failed = all.clone();
    failed[1].status = ActivationStatus::Cancelled;
    assert_eq!(seen(scope(Some(TeamKind::Router), &failed)), [1, 2, 3, 7, 8, 9], "it came back");
    second.status = ActivationStatus::Active;
    assert_eq!(seen(scope(Some(TeamKind::Pipeline), &[first, second])), [3, 4, 5, 6, 7, 8, 9]);
}
