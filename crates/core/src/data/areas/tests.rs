use super::*;

#[test]
fn members_write_unless_the_workspace_says_otherwise_and_owners_always() {
    let rule = |role, access| AreaRule { role, area: Area::Money, access };
    let rules = AreaRules(vec![
        rule(Role::Member, AreaAccess::None),
        rule(Role::Admin, AreaAccess::Read),
        rule(Role::Owner, AreaAccess::None),
    ]);
    for (role, access) in
        [(Role::Member, AreaAccess::None), (Role::Admin, AreaAccess::Read), (Role::Owner, AreaAccess::Write)]
    {
        let areas = rules.areas_of(role);
        assert_eq!(areas.access(Area::Money), access, "{role}");
        assert_eq!(areas.access(Area::Knowledge), AreaAccess::Write, "{role}");
    }
}

#[test]
fn what_is_not_allowed_is_told_in_words() {
    let reads = Areas::NONE.with(Area::Money, AreaAccess::Read);
    assert_eq!(reads.check(Area::Money, AreaAccess::Read), Ok(()));
    let refused = reads.check(Area::Money, AreaAccess::Write).unwrap_err();
    assert!(refused.to_string().contains("may not change data of the area money"), "{refused}");
    let refused = reads.check(Area::Sales, AreaAccess::Read).unwrap_err();
    assert!(refused.to_string().contains("may not see data of the area sales"), "{refused}");
}

#[test]
fn the_list_of_areas_is_whole_and_in_order() {
    assert_eq!(Area::ALL.map(Area::as_str).as_slice(), Area::WORDS);
    for (index, area) in Area::ALL.into_iter().enumerate() {
        assert_eq!(area as usize, index);
    }
}
