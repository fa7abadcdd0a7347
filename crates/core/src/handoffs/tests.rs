use super::*;

fn agents() -> [AgentId; 3] {
    [AgentId::new(), AgentId::new(), AgentId::new()]
}

#[test]
fn hops_are_counted_and_do_not_go_in_circles() {
    let [a, b, c] = agents();
    let code =
        |agents: &[AgentId], to| may_hop(Path { agents, stages: 0 }, to).err().map(|refusal| refusal.code);
    assert_eq!(code(&[a], b), None);
    assert_eq!(code(&[a, b], a), None, "one may give it back");
    assert_eq!(code(&[a, b, a], b), Some("loop"));
    assert_eq!(code(&[a, b, a], c), None);
    assert_eq!(code(&[a, b, c, a, b, c], a), None, "a round of three");
    assert_eq!(code(&[a], a), Some("same_agent"));
    let long: Vec<AgentId> = (0..9).map(|_| AgentId::new()).collect();
    assert_eq!(code(&long[..8], a), None);
    assert_eq!(code(&long, a), Some("hop_limit"));
    assert!(may_hop(Path { agents: &long, stages: 1 }, a).is_ok(), "a stage is none");
}

fn held(agent_id: AgentId, status: ActivationStatus, resumes: Option<ActivationId>) -> Activation {
    Activation {
        id: ActivationId::new(),
        agent_id,
        status,
        trigger: Trigger::Router,
        reason: None,
        summary: None,
        message_id: None,
        context: Map::new(),
        context_data: Map::new(),
        resumes,
        is_pinned: false,
        began_seq: 0,
        began_at: DateTime::UNIX_EPOCH,
        ended_at: None,
    }
}

#[test]
fn an_agent_goes_on_with_the_last_it_paused_and_nobody_went_on_with() {
    use ActivationStatus::{Active, Completed, Paused};
    let [a, b, c] = agents();
    let first = held(a, Paused, None);
    let second = held(a, Paused, Some(first.id));
    let done = held(a, Completed, None);
    let other = held(b, Paused, None);
    let holder = held(c, Active, None);
    let all = [first, second.clone(), done, other.clone(), holder.clone()];
    let ids = |found: Vec<&Activation>| found.iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(resumable(&all).collect()), [second.id, other.id]);
    assert_eq!(resumable_by(&all, a).map(|one| one.id), Some(second.id));
    assert_eq!(resumable_by(&all, c), None, "who holds it paused nothing");
    assert_eq!(active(&all).map(|one| one.id), Some(holder.id));
    assert_eq!(active(&all[..4]), None);
}

#[test]
fn a_refused_handoff_is_recorded_with_whom_was_meant_and_why() {
    let [a, b, _] = agents();
    let record = NewTransition::refused(Trigger::Model, a, Some(b), "hop_limit");
    let told = (record.trigger, record.from, record.to, record.outcome, record.code.as_deref());
    assert_eq!(told, (Trigger::Model, a, Some(b), TransitionOutcome::Refused, Some("hop_limit")));
    assert_eq!(NewTransition::refused(Trigger::Model, a, None, "unknown_agent").to, None);
}

#[test]
fn notes_are_added_to_and_bounded() {
    let map = |value: Value| value.as_object().cloned().unwrap_or_default();
    let mut noted = map(serde_json::json!({"brand": "Volvo", "seats": 4}));
    note(&mut noted, &map(serde_json::json!({"seats": 5, "brand": null, "doors": 3})));
    assert_eq!(Value::Object(noted), serde_json::json!({"seats": 5, "doors": 3}));
    let text = |bytes: usize| map(serde_json::json!({"text": "x".repeat(bytes)}));
    let frame = r#"{"text":""}"#.len();
    assert_eq!(may_note(&text(64 * 1024 - frame)), Ok(()));
    let why = may_note(&text(64 * 1024 - frame + 1)).expect_err("too much");
    assert!(why.contains("65537 bytes; at most 65536 fit"), "{why}");
}
