//! Which refusal each commit meets, as a table: when several things are wrong, the first check decides.

use chrono::{DateTime, TimeDelta};

use super::*;
use crate::access::AccessRefusal;
use crate::ids::{AgentId, ApprovalId, ConversationId, ProfileId, WorkspaceId};
use crate::people::Tier;

fn row() -> GuardedRow {
    GuardedRow {
        person: Person::Profile(ProfileId::new()),
        turn_task_id: None,
        turn_owner: None,
        attempt: 2,
        last_seq: 7,
        epoch: 3,
        stop_requested: false,
    }
}

fn running(row: GuardedRow) -> GuardedRow {
    GuardedRow { turn_task_id: Some(TaskId::new()), turn_owner: Some(NodeId::new()), ..row }
}

fn terms(whose: Whose) -> Terms {
    Terms { whose, last_seq: 7, epoch: Some(3), begins: false }
}

/// The refusal's name; `-` for none.
fn told<T>(checked: Result<T, Refused>) -> String {
    let refused = checked.err().map(|refused| format!("{refused:?}"));
    refused.map_or("-".to_owned(), |name| name.chars().take_while(|c| c.is_alphabetic()).collect())
}

#[test]
fn a_turns_commit_is_refused_for_what_comes_first() {
    let row = running(row());
    let fence = Fence { task_id: row.turn_task_id.expect("a turn"), attempt: 2 };
    let own = terms(Whose::Turn(fence));
    let stale = Terms { epoch: Some(2), last_seq: 6, ..own };
    let begins = Terms { begins: true, ..own };
    let stopped = GuardedRow { stop_requested: true, ..row };
    let table = [
        ("as it was seen", Some(row), own, "-"),
        ("gone", None, own, "Fenced"),
        ("another turn", Some(running(row)), stale, "Fenced"),
        ("no turn", Some(GuardedRow { turn_task_id: None, ..row }), stale, "Fenced"),
        ("another attempt", Some(GuardedRow { attempt: 3, ..row }), stale, "Fenced"),
        ("its holder changed and grew", Some(row), stale, "StaleEpoch"),
        (
            "its holder changed, which doesn't matter",
            Some(row),
            Terms { epoch: None, last_seq: 7, ..stale },
            "-",
        ),
        ("it grew", Some(stopped), Terms { last_seq: 6, ..begins }, "Moved"),
        ("it shrank", Some(row), Terms { last_seq: 8, ..own }, "Moved"),
        ("a stop ends what is under way", Some(stopped), own, "-"),
        ("a stop begins nothing", Some(stopped), begins, "Stopped"),
        ("nobody stopped it", Some(row), begins, "-"),
    ];
    for (what, row, terms, wanted) in table {
        assert_eq!(told(check_commit(row, &terms)), wanted, "{what}");
    }
    let checkpoint = |row| told(check_checkpoint(row, fence));
    let grown = GuardedRow { last_seq: 9, epoch: 9, ..stopped };
    assert_eq!((checkpoint(Some(grown)), checkpoint(Some(running(row)))), ("-".into(), "Fenced".into()));
}

#[test]
fn a_message_is_taken_where_no_turn_is_or_one_waits_and_ends() {
    let row = row();
    let busy = running(row);
    let waits = GuardedRow { turn_owner: None, ..busy };
    let accept = |ends| terms(Whose::Accept { person: row.person, ends });
    let stale = |ends| Terms { epoch: Some(2), ..accept(ends) };
    let (turn, other) = (busy.turn_task_id, Some(TaskId::new()));
    let stranger = terms(Whose::Accept { person: Person::Profile(ProfileId::new()), ends: None });
    let table = [
        ("no turn", Some(row), accept(None), "-"),
        ("gone", None, accept(None), "Store"),
        ("another person's", Some(busy), stranger, "Store"),
        ("one runs", Some(busy), stale(turn), "TurnInProgress"),
        ("one waits that ends", Some(waits), accept(turn), "-"),
        ("one waits that it knows nothing of", Some(waits), accept(None), "Moved"),
        ("another waits", Some(waits), accept(other), "Moved"),
        ("it ended meanwhile", Some(row), accept(other), "-"),
        ("its holder changed", Some(waits), stale(None), "StaleEpoch"),
    ];
    for (what, row, terms, wanted) in table {
        assert_eq!(told(check_commit(row, &terms)), wanted, "{what}");
    }
}

#[test]
fn a_switch_waits_for_no_turn_and_ends_only_one_that_waits() {
    let busy = running(row());
    let waits = GuardedRow { turn_owner: None, ..busy };
    let switch = |ends| terms(Whose::Switch { ends });
    let (turn, other) = (busy.turn_task_id, Some(TaskId::new()));
    let table = [
        ("no turn", Some(row()), switch(None), "-"),
        ("gone", None, switch(None), "Store"),
        ("one runs", Some(busy), switch(None), "-"),
        ("one runs that was to end", Some(busy), switch(turn), "Moved"),
        ("one waits that ends", Some(waits), switch(turn), "-"),
        ("another waits", Some(waits), switch(other), "Moved"),
        ("it ended meanwhile", Some(row()), switch(other), "Moved"),
        ("its holder changed", Some(busy), Terms { epoch: Some(2), ..switch(turn) }, "StaleEpoch"),
    ];
    for (what, row, terms, wanted) in table {
        assert_eq!(told(check_commit(row, &terms)), wanted, "{what}");
    }
}

#[test]
fn a_target_is_there_and_for_this_person() {
    let gate = Gate { is_default: false, is_support: false, is_restricted: true };
    let target = |tier| Some(Target { viewer: Viewer::Profile(tier), gate });
    assert_eq!(told(check_target(None, Use::Select)), "TargetGone");
    assert_eq!(told(check_target(target(Tier::Premium), Use::Select)), "-");
    let refused = check_target(target(Tier::Free), Use::Select);
    assert!(matches!(refused, Err(Refused::NotAllowed(AccessRefusal::Premium))), "{refused:?}");
}

#[test]
fn a_decision_is_taken_once_and_in_time() {
    let expires_at = DateTime::UNIX_EPOCH;
    let turn = TaskId::new();
    let approval = |status| Approval {
        id: ApprovalId::new(),
        workspace_id: WorkspaceId::new(),
        conversation_id: ConversationId::new(),
        task_id: turn,
        agent_id: AgentId::new(),
        call_id: "one".into(),
        tool_name: "send".into(),
        args: Default::default(),
        args_hash: String::new(),
        status,
        reason: None,
        decided_by: None,
        decided_at: None,
        expires_at,
        preview: None,
        created_at: expires_at,
    };
    let checks = |status, turn, decision, late: i64, args_hash: Option<&str>| {
        let approval = approval(status);
        let decide = Decide {
            approval_id: approval.id,
            decision,
            by: "Eva".into(),
            reason: None,
            args: None,
            args_hash: args_hash.map(str::to_owned),
            remember: false,
            node: NodeId::new(),
            at: expires_at + TimeDelta::seconds(late),
        };
        told(check_decision(&approval, turn, &decide))
    };
    let check = |status, turn, decision, late| checks(status, turn, decision, late, Some(""));
    use ApprovalStatus::{Cancelled, Expired, Pending, Rejected};
    let (approved, this) = (Decision::Approved, Some(turn));
    let table = [
        ("in time", check(Pending, this, approved, -1), "-"),
        ("a moment too late", check(Pending, this, approved, 0), "TooLate"),
        ("nobody decided in time", check(Pending, this, Decision::Expired, 0), "-"),
        ("the turn is over", check(Pending, None, approved, -1), "TooLate"),
        ("the turn is over, and nobody decided", check(Pending, None, Decision::Expired, 0), "TooLate"),
        ("another turn runs", check(Pending, Some(TaskId::new()), approved, -1), "TooLate"),
        ("it expired", check(Expired, this, approved, -1), "TooLate"),
        ("it was cancelled", check(Cancelled, this, approved, -1), "TooLate"),
        ("someone has decided", check(Rejected, this, approved, 0), "AlreadyDecided"),
        ("other arguments were shown", checks(Pending, this, approved, -1, Some("x")), "OtherArguments"),
        ("none were named", checks(Pending, this, Decision::Rejected, -1, None), "OtherArguments"),
        ("nobody was shown any", checks(Pending, this, Decision::Expired, 0, None), "-"),
        ("as before", check(ApprovalStatus::Approved, None, approved, 0), "AlreadyDecided"),
    ];
    for (what, met, wanted) in table {
        assert_eq!(met, wanted, "{what}");
    }
}
