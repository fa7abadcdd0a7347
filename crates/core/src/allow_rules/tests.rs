use super::*;

#[test]
fn only_an_admins_rule_is_for_calls_that_reach_outside() {
    let id = AgentId::new();
    let new = |role, nature| NewAllowRule::by(role, id, "send".into(), nature);
    assert_eq!(new(Role::Member, Nature::UNKNOWN), None);
    assert!(new(Role::Member, Nature::WRITES).is_some_and(|rule| !rule.covers_outside));
    assert!(new(Role::Admin, Nature::UNKNOWN).is_some_and(|rule| rule.covers_outside));

    let rule = |covers_outside| AllowRule {
        agent_id: id,
        tool_name: "send".into(),
        covers_outside,
        made_by: None,
        made_by_name: None,
        created_at: DateTime::UNIX_EPOCH,
    };
    let table = [
        (false, "send", Nature::WRITES, true),
        (false, "send", Nature::UNKNOWN, false),
        (true, "send", Nature::UNKNOWN, true),
        (true, "pay", Nature::WRITES, false),
    ];
    for (covers_outside, tool, nature, covered) in table {
        assert_eq!(rule(covers_outside).covers(tool, nature), covered, "{covers_outside} {tool} {nature:?}");
    }
}
