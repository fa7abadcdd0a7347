use super::*;
use baton_core::ids::{AgentId, WorkspaceId};
use baton_core::log::MessageStatus;
use baton_core::turns::{After, Fence, Guard};

#[test]
fn a_commit_knows_its_own_steps_from_others() {
    let (task, message, agent_id) = (TaskId::new(), MessageId::new(), AgentId::new());
    let at = DateTime::UNIX_EPOCH;
    let new = |step| NewStep { task_id: Some(task), agent_id, message_id: Some(message), step };
    let ends = Step::MessageEnd { status: MessageStatus::Complete };
    let call = Step::Call { attempt: 1, start: None, lost: None };
    let own = [new(ends.clone()), new(call.clone())];
    let fence = Fence { task_id: task, attempt: 1 };
    let guard = Guard::Turn { fence, working: task, after: After::Running { progressed: true } };
    let nowhere = (ConversationId::new(), WorkspaceId::new());
    let unanswered = UnansweredCommit::of(&Commit {
        steps: own[..1].to_vec(),
        next_call: Some(own[1].clone()),
        ..Commit::new(nowhere, 4, guard, at)
    });
    let log = |steps: &[NewStep], first: i64, at| -> Vec<LoggedStep> {
        (first..).zip(steps.to_vec()).map(|(seq, new)| new.at(seq, at)).collect()
    };
    let later = at + Duration::from_micros(1);
    let of = |task_id, message_id| [NewStep { task_id, message_id, ..new(ends.clone()) }, new(call.clone())];
    let table = [
        ("nothing came", vec![], 0),
        ("all of it, and more", log(&[own[0].clone(), own[1].clone(), new(ends.clone())], 5, at), 2),
        ("another moment", log(&own, 5, later), 0),
        ("another place", log(&own, 6, at), 0),
        ("another turn's", log(&of(None, Some(message)), 5, at), 0),
        ("another message's", log(&of(Some(task), None), 5, at), 0),
        ("something else", log(&[new(call.clone()), new(ends)], 5, at), 0),
        ("without the call: someone asked to stop", log(&own[..1], 5, at), 1),
    ];
    for (what, stored, found) in table {
        assert_eq!(unanswered.found_in(&stored), found, "{what}");
    }
}

#[test]
fn a_commit_that_is_found_is_answered_as_it_would_have_been() {
    let at = DateTime::UNIX_EPOCH;
    let (task, agent_id) = (TaskId::new(), AgentId::new());
    let new = |step| NewStep { task_id: Some(task), agent_id, message_id: None, step };
    let step = new(Step::MessageEnd { status: MessageStatus::Complete });
    let call = new(Step::Call { attempt: 1, start: None, lost: None });
    let answer = |steps: usize, next_call: bool, stored: usize| {
        let all: Vec<NewStep> = vec![step.clone(); steps];
        let next_call = next_call.then(|| call.clone());
        let log = all.iter().chain(&next_call).take(stored).cloned();
        let log: Vec<LoggedStep> = (5..).zip(log).map(|(seq, new)| new.at(seq, at)).collect();
        let fence = Fence { task_id: task, attempt: 1 };
        let guard = Guard::Turn { fence, working: task, after: After::Running { progressed: true } };
        let nowhere = (ConversationId::new(), WorkspaceId::new());
        let commit = Commit { steps: all, next_call, ..Commit::new(nowhere, 4, guard, at) };
        let answered = UnansweredCommit::of(&commit).answer_in(&log);
        answered.map(|committed| (committed.last_seq, committed.stop_requested))
    };
    let table = [
        ("two steps", answer(2, false, 2), Some((6, false))),
        ("half of it is another's", answer(2, false, 1), None),
        ("two steps and a call", answer(2, true, 3), Some((7, false))),
        ("without the call: someone asked to stop", answer(2, true, 2), Some((6, true))),
        ("half of it, without the call", answer(2, true, 1), None),
        ("only a call", answer(0, true, 1), Some((5, false))),
        ("not even the call: nothing shows that it was stored", answer(0, true, 0), None),
        ("nothing at all", answer(0, false, 0), None),
    ];
    for (what, met, wanted) in table {
        assert_eq!(met, wanted, "{what}");
    }
}
