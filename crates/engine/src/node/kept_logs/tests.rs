use super::*;
use baton_core::ids::AgentId;
use baton_core::log::Step;
use chrono::DateTime;

fn log(words: &str, last_seq: i64) -> KeptLog {
    let step = |seq| LoggedStep {
        seq,
        task_id: None,
        agent_id: AgentId::new(),
        message_id: None,
        step: Step::Greeting { agent_name: "Ana".into(), avatar_url: None, text: words.to_owned() },
        at: DateTime::UNIX_EPOCH,
    };
    let steps = (1..=last_seq).map(step).collect();
    KeptLog { last_seq, steps, is_cut: false, in_turn: false, activations: None, snapshots: None }
}

#[test]
fn together_they_have_a_limit_and_the_oldest_goes_first() {
    let logs = KeptLogs::default();
    let big = "x".repeat(1_500_000);
    let ids: Vec<_> = (0..30).map(|_| ConversationId::new()).collect();
    for id in &ids {
        logs.give_back(*id, log(&big, 1));
        assert!(lock(&logs.0).bytes <= ALL_BYTES);
    }
    let kept: Vec<bool> = ids.iter().map(|id| logs.take(*id).is_some()).collect();
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 22);
    assert!(kept[..8].iter().all(|kept| !kept), "those given back first");
    assert_eq!(lock(&logs.0).bytes, 0, "what is taken counts no more");
}

#[test]
fn one_that_is_too_long_loses_its_oldest_steps() {
    let logs = KeptLogs::default();
    let id = ConversationId::new();
    logs.give_back(id, log("x", 4_321));
    let kept = logs.take(id).expect("a log");
    assert_eq!((kept.steps.len(), kept.steps[0].seq, kept.is_cut), (MOST_STEPS, 322, true));
    let long = || log(&"x".repeat(500_000), 6);
    logs.give_back(id, long());
    let kept = logs.take(id).expect("a log");
    assert_eq!((kept.steps.len(), kept.is_cut), (4, true));
    logs.give_back(id, KeptLog { in_turn: true, ..long() });
    assert!(logs.take(id).is_none(), "nobody can go on with a turn without its beginning");
    let results = Some(vec![("stage".to_owned(), Value::String("x".repeat(1_000_000)))]);
    logs.give_back(id, KeptLog { snapshots: results, ..long() });
    assert_eq!(logs.take(id).map(|kept| kept.steps.len()), Some(2), "results of stages count");
    logs.give_back(id, log(&"x".repeat(MOST_BYTES), 1));
    assert!(logs.take(id).is_none(), "a step that is too large by itself");
}

#[test]
fn an_older_log_does_not_replace_a_newer_one() {
    let logs = KeptLogs::default();
    let id = ConversationId::new();
    logs.give_back(id, log("x", 5));
    logs.give_back(id, log("x", 3));
    assert_eq!(logs.take(id).map(|kept| kept.last_seq), Some(5));
    logs.has_deleted(id);
    logs.give_back(id, log("x", 7));
    assert!(logs.take(id).is_none(), "a driver that was at its end");
}
