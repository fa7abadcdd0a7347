//! What must be true of every log, whatever happened.

use baton_core::fold::Spoken;
use baton_core::handoffs::ActivationStatus;
use baton_core::ids::TaskId;
use baton_core::log::{LoggedStep, Spent, Step};
use baton_core::parts::Part;
use baton_core::spending::{CallRef, UsageRow};
use baton_core::tools::Nature;

use super::memory_rows::{Row, StoredMessage};
use super::messages::folded;

pub fn check(row: &Row) {
    let numbers: Vec<i64> = row.steps.iter().map(|step| step.seq).collect();
    assert_eq!(numbers, (1..=row.conversation.last_seq).collect::<Vec<_>>(), "numbers without a hole");
    let mut tasks: Vec<TaskId> = Vec::new();
    for task in row.steps.iter().filter_map(|step| step.task_id) {
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
    for task in tasks {
        let steps: Vec<&LoggedStep> = row.steps.iter().filter(|step| step.task_id == Some(task)).collect();
        turn(&steps);
        spent(row, task, &steps);
    }
    one_holder(row);
    projection(row);
    nothing_lost(row);
    effects(row);
}

/// Exactly one activation is active, the epoch grows with every handoff, everyone speaks for themselves, and no
/// task is left working.
fn one_holder(row: &Row) {
    let active: Vec<_> =
        row.activations.iter().filter(|one| one.status == ActivationStatus::Active).collect();
    assert_eq!(active.len(), 1, "exactly one is active");
    let (mut epoch, mut holder) = (1, row.activations[0].agent_id);
    for logged in &row.steps {
        let changed = match &logged.step {
            Step::Handoff(handoff) => Some((handoff.from, handoff.to, handoff.epoch)),
            Step::Switched(switched) => Some((switched.from, switched.to, switched.epoch)),
            _ => None,
        };
        if let Some((from, to, now)) = changed {
            // Who is only pinned, or left to the router again, holds it already.
            let grown = epoch + i64::from(from != to);
            assert_eq!((from, now), (holder, grown), "{}: from whom, and the epoch", logged.seq);
            (epoch, holder) = (now, to);
        }
    }
    assert_eq!((row.conversation.epoch, active[0].agent_id), (epoch, holder), "the row and the log agree");
    for (_, message) in &row.messages {
        let StoredMessage::Spoken(spoken) = message else { continue };
        let own = row.steps.iter().filter(|step| step.message_id == Some(spoken.id));
        for said in
            own.filter(|step| matches!(step.step, Step::Call { .. } | Step::Said(_) | Step::Greeting { .. }))
        {
            assert_eq!(said.agent_id, spoken.agent_id, "{}: said by whom", said.seq);
        }
    }
    assert!(row.tasks.iter().all(|(_, works)| !works), "tasks that nobody works on");
}

/// Closed calls that were sent, by the one who closed them or by one before who is gone.
fn sent_calls(steps: &[&LoggedStep]) -> i32 {
    let (mut sent, mut was_sent) = (0, false);
    for logged in steps {
        match &logged.step {
            Step::Call { lost, .. } => was_sent |= lost.is_some(),
            Step::Said(said) => {
                sent += i32::from(!said.unsent || was_sent);
                was_sent = false;
            }
            _ => {}
        }
    }
    sent
}

/// Calls are closed or made again, answered once and in time; the end comes once, and last.
fn turn(steps: &[&LoggedStep]) {
    let mut open = false;
    let mut unanswered: Vec<&str> = Vec::new();
    let mut asked: Vec<&str> = Vec::new();
    let mut subtasks: Vec<&str> = Vec::new();
    let mut attempt = 0;
    for (index, logged) in steps.iter().enumerate() {
        let at = logged.seq;
        match &logged.step {
            Step::User { synthetic: true, .. } => assert!(!open, "{at}: a stage begins while someone speaks"),
            Step::User { .. } => {
                let before = &steps[..index];
                assert!(
                    before.iter().all(|step| matches!(step.step, Step::Switched(_))),
                    "{at}: the person begins the turn"
                );
            }
            Step::Routed(_) => assert!(!open && unanswered.is_empty(), "{at}: routed in the middle"),
            Step::Handoff(_) => {
                assert!(
                    !open && unanswered.is_empty() && asked.is_empty(),
                    "{at}: handed off with open ends"
                );
            }
            Step::Unknown(_) => panic!("{at}: a step that can't be read"),
            Step::Switched(_) | Step::Greeting { .. } | Step::Snapshot { .. } | Step::Suggested { .. } => {}
            Step::Call { attempt: now, start, .. } => {
                assert!(unanswered.is_empty(), "{at}: called with {unanswered:?} unanswered");
                assert!(!open || start.is_some(), "{at}: a call made again starts its message again");
                assert!(*now >= attempt, "{at}: attempt {now} after {attempt}");
                (open, attempt) = (true, *now);
            }
            Step::Said(_) => {
                assert!(open, "{at}: said without a call");
                open = false;
            }
            Step::ToolCall(call) => unanswered.push(&call.call_id),
            Step::ToolResult(result) => {
                let place = unanswered.iter().position(|id| *id == result.call_id);
                unanswered.remove(place.unwrap_or_else(|| panic!("{at}: answered what nobody called")));
                assert!(!asked.contains(&result.call_id.as_str()), "{at}: answered before it was decided");
            }
            Step::SubtaskCreated(created) => {
                assert!(unanswered.contains(&created.call_id.as_str()), "{at}: asked for no open call");
                assert!(!subtasks.contains(&created.call_id.as_str()), "{at}: asked twice");
                subtasks.push(&created.call_id);
            }
            Step::ApprovalAsked { call_id, .. } => {
                assert!(unanswered.contains(&call_id.as_str()), "{at}: asked about no open call");
                asked.push(call_id);
            }
            Step::ApprovalResolved { call_id, .. } => {
                let place = asked.iter().position(|id| id == call_id);
                asked.remove(place.unwrap_or_else(|| panic!("{at}: decided what nobody asked")));
            }
            Step::Done { calls, .. } => {
                assert_eq!(index, steps.len() - 1, "{at}: done, and then more");
                assert!(!open && unanswered.is_empty() && asked.is_empty(), "{at}: done with open ends");
                assert_eq!(*calls, sent_calls(steps), "{at}: how many calls were made");
            }
            Step::MessageEnd { .. } | Step::Error { .. } => {}
            Step::Imported { .. } => panic!("{at}: imported within a turn"),
        }
    }
    assert!(matches!(steps.last().map(|last| &last.step), Some(Step::Done { .. })), "the turn never ended");
}

/// Every call that was sent has one row, settled by whoever closed it or by who came after, with what the log says; the end
/// says the sum. What a router used is in the log only if its decision is.
fn spent(row: &Row, task: TaskId, steps: &[&LoggedStep]) {
    let own = || row.usage.iter().filter(|(of, _)| *of == task).map(|(_, used)| used);
    assert!(own().all(|used| !used.is_open), "reserved, and never settled: {:?}", own().collect::<Vec<_>>());
    let of = |used: &UsageRow| Spent { usage: used.usage, cost_micros: used.cost_micros };
    let counted = |call: CallRef| own().find(|used| used.call == call).map(of);
    let (mut agents, mut routers) = (Spent::NOTHING, Spent::NOTHING);
    let mut open = None;
    for logged in steps {
        let closed = open.map(|seq| CallRef::Agent { seq });
        match &logged.step {
            Step::Call { lost, .. } => {
                if let Some(lost) = lost.filter(|lost| *lost != Spent::NOTHING) {
                    assert_eq!(closed.and_then(counted), Some(lost), "{}: a call that was lost", logged.seq);
                    agents += lost;
                }
                open = Some(logged.seq);
            }
            Step::Said(said) if said.spent != Spent::NOTHING => {
                assert_eq!(closed.and_then(counted), Some(said.spent), "{}: what was said", logged.seq);
                agents += said.spent;
            }
            Step::Routed(routed) => routers += routed.spent,
            _ => {}
        }
    }
    let is_router = |used: &&UsageRow| used.call.router_attempt().is_some();
    let sum = |rows: Vec<&UsageRow>| {
        let mut sum = Spent::NOTHING;
        rows.into_iter().for_each(|used| sum += of(used));
        sum
    };
    assert_eq!(sum(own().filter(|used| !is_router(used)).collect()), agents, "what agents used");
    let routed = sum(own().filter(is_router).collect());
    assert!(
        routed.usage.input_tokens >= routers.usage.input_tokens,
        "what routers used: {routed:?} {routers:?}"
    );
    if let Some(Step::Done { spent, .. }) = steps.last().map(|last| &last.step) {
        agents += routers;
        assert_eq!(*spent, agents, "what was spent");
    }
}

/// Messages are what the log folds to.
fn projection(row: &Row) {
    for (seq, message) in &row.messages {
        let StoredMessage::Spoken(stored) = message else { continue };
        let is_kept = |part: &Part| matches!(part, Part::ToolCall(call) if call.result.is_some());
        assert!(!stored.parts.iter().any(is_kept), "a result stands in the log and in the message at {seq}");
    }
    let folded = folded(&row.steps);
    for (seq, message) in row.read_messages() {
        if let StoredMessage::Spoken(read) = message {
            let folded = &folded[&read.id];
            let shape = |message: &Spoken| {
                (message.attempt, message.status, message.parts.clone(), message.error.clone())
            };
            assert_eq!(shape(&read), shape(folded), "the message that begins at {seq}");
        }
    }
}

/// Nothing that was stored of a message is ever lost from it, however often it started again.
fn nothing_lost(row: &Row) {
    for (seq, message) in row.read_messages() {
        let StoredMessage::Spoken(stored) = message else { continue };
        let steps = row.steps.iter().filter(|step| step.message_id == Some(stored.id));
        // Where a router handed off, the message shows it from its start.
        let first = row.steps.iter().find_map(|logged| match &logged.step {
            Step::Call { start: Some(start), .. } if logged.message_id == Some(stored.id) => {
                Some(&start.parts)
            }
            _ => None,
        });
        let handed = first.into_iter().flatten().filter_map(|part| match part {
            Part::Handoff { handoff_id, .. } => Some(handoff_id.to_string()),
            _ => None,
        });
        let said = steps.flat_map(|logged| match &logged.step {
            Step::Said(said) => said.blocks.iter().map(|block| block.text.clone()).collect(),
            Step::ToolCall(call) => vec![call.call_id.clone()],
            Step::ApprovalAsked { approval_id, .. } => vec![approval_id.to_string()],
            Step::Handoff(handoff) => vec![handoff.id.to_string()],
            Step::Greeting { text, .. } => vec![text.clone()],
            _ => vec![],
        });
        let expected: Vec<String> = handed.chain(said).collect();
        let kept: Vec<String> = stored
            .parts
            .iter()
            .map(|part| match part {
                Part::Text { text } => text.clone(),
                Part::Reasoning { reasoning } => reasoning.clone(),
                Part::ToolCall(call) => call.tool_call_id.clone(),
                Part::Approval { approval_id, .. } => approval_id.to_string(),
                Part::Handoff { handoff_id, .. } | Part::Stage { handoff_id, .. } => handoff_id.to_string(),
                Part::Unknown(part) => part.to_string(),
            })
            .collect();
        assert_eq!(kept, expected, "the parts of the message that begins at {seq}");
    }
}

/// What the tools changed: once where the log says it worked, else never.
fn effects(row: &Row) {
    let mut expected: Vec<String> = Vec::new();
    for logged in &row.steps {
        let Step::ToolResult(result) = &logged.step else { continue };
        let call = row.steps.iter().find_map(|step| match &step.step {
            Step::ToolCall(call) if call.call_id == result.call_id => Some(call),
            _ => None,
        });
        let call = call.expect("the call of a result");
        if result.success && call.nature == Some(Nature::WRITES) {
            expected.extend(call.args["key"].as_str().map(str::to_owned));
        }
    }
    let mut made = row.memories.clone();
    expected.sort();
    made.sort();
    assert_eq!(made, expected, "changes made, and changes the log tells of");
}
