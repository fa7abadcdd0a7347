use super::*;
use crate::ids::RuleId;

fn rule(name: &str, position: i32, active: bool) -> Rule {
    Rule {
        id: RuleId::new(),
        workspace_id: None,
        name: name.into(),
        content: format!("Do {name}."),
        active,
        position,
        agent_ids: vec![],
        ai_agent_ids: vec![],
        created_at: chrono::DateTime::UNIX_EPOCH,
        updated_at: chrono::DateTime::UNIX_EPOCH,
    }
}

#[test]
fn rules_follow_in_order_and_inactive_ones_stay_out() {
    let rules = [rule("late", 9, true), rule("off", 1, false), rule("early", 2, true)];
    assert_eq!(
        fixed_part("You coach.\n", &rules),
        "You coach.\n\n# Rules\n\n## early\nDo early.\n\n## late\nDo late.\n"
    );
    assert_eq!(fixed_part("You coach.", &rules[1..2]), "You coach.");
}
