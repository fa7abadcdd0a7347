use super::*;

fn coach() -> AgentDefinition {
    AgentDefinition::new("Coach", "You coach.").unwrap()
}

#[test]
fn a_change_with_one_bad_field_changes_nothing() {
    let mut agent = coach();
    let changes = AgentChanges { name: Some("New".into()), max_turns: Some(0), ..AgentChanges::default() };
    assert_eq!(changes.apply(&mut agent).unwrap_err().field, "max_turns");
    assert_eq!(agent, coach());
}

#[test]
fn empty_text_clears_an_optional_field() {
    let mut agent = coach();
    agent.description = Some("old".into());
    let changes = AgentChanges { description: Some(Some("  ".into())), ..AgentChanges::default() };
    changes.apply(&mut agent).unwrap();
    assert_eq!(agent.description, None);
}

#[test]
fn models_are_aliases_or_of_a_provider() {
    for good in
        ["sonnet", "gpt-4o-mini", "demo", "openai/gpt-4o", "anthropic/claude-x", "openai/org/model:8b"]
    {
        assert!(model_name(good).is_ok(), "{good}");
    }
    for bad in ["", "two words", "un known/model", "openai/", "/x", "sonnet\0"] {
        assert!(model_name(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn avatars_are_emoji_or_kept_files() {
    for good in ["✨", "👩🏽‍💻", "/api/files/018f3c1e-0000-7000-8000-000000000000"] {
        assert!(kept_avatar(good).is_ok(), "{good}");
    }
    for bad in ["https://elsewhere.example/a.png", "javascript:alert(1)", "abc", "/api/files/../x"] {
        assert!(kept_avatar(bad).is_err(), "{bad}");
    }
}

#[test]
fn support_is_suggested_by_whole_words() {
    for (name, role) in [
        ("Customer Support", Some("support")),
        ("IT help desk", Some("support")),
        ("Supportive Coach", None),
        ("Budget Coach", None),
    ] {
        assert_eq!(suggested_role(name), role, "{name}");
    }
}

#[test]
fn taking_over_a_version_leaves_to_admins_what_is_theirs() {
    let ours = AgentDefinition { is_default: true, is_restricted: true, ..coach() };
    let theirs =
        AgentDefinition { name: "New".into(), permission_mode: PermissionMode::BypassPermissions, ..coach() };
    let by_member = ours.updated_to(theirs.clone(), Role::Member);
    assert_eq!((by_member.name.as_str(), by_member.is_default), ("New", true));
    assert!(by_member.is_restricted && by_member.permission_mode == PermissionMode::Default);
    let by_admin = ours.updated_to(theirs, Role::Admin);
    assert!(!by_admin.is_restricted && by_admin.permission_mode == PermissionMode::BypassPermissions);
}

#[test]
fn nothing_is_bypassed_in_public() {
    use PermissionMode::{AcceptEdits, BypassPermissions, Default};
    let modes = [Default, AcceptEdits, BypassPermissions];
    assert_eq!(modes.map(PermissionMode::in_public), [Default, AcceptEdits, AcceptEdits]);
}

#[test]
fn a_member_opens_nothing_to_visitors() {
    let support = AgentDefinition { role: Some("support".into()), is_default: true, ..coach() };
    let hired = support.clone().hired_by(Role::Member);
    assert_eq!((hired.role, hired.is_default), (None, false));
    assert_eq!(support.clone().hired_by(Role::Admin), support);
    assert_eq!(coach().updated_to(support.clone(), Role::Member).role, None);
    assert!(coach().updated_to(support, Role::Admin).is_support());
    let set = |role: &str| AgentChanges { role: Some(Some(role.into())), ..AgentChanges::default() };
    assert_eq!(set(" support").needs_admin(), Some("role"));
    assert_eq!(set("supporter").needs_admin(), None);
}

#[test]
fn a_program_loosens_nothing() {
    use PermissionMode::{AcceptEdits, BypassPermissions, Default};
    let person = Author::in_person(ProfileId::new(), Role::Owner);
    let program = Author { is_program: true, ..person };
    let table = [
        (None, Default, true),
        (None, AcceptEdits, true),
        (None, BypassPermissions, false),
        (Some(Default), AcceptEdits, false),
        (Some(Default), BypassPermissions, false),
        (Some(AcceptEdits), BypassPermissions, false),
        (Some(BypassPermissions), BypassPermissions, true),
        (Some(BypassPermissions), Default, true),
    ];
    for (before, mode, may) in table {
        assert_eq!(program.may_write(before, mode), may, "{before:?} {mode}");
        assert!(person.may_write(before, mode));
    }
}

#[test]
fn only_admins_loosen_permissions_or_restrict() {
    let bypass =
        AgentChanges { permission_mode: Some(PermissionMode::BypassPermissions), ..AgentChanges::default() };
    assert_eq!(bypass.needs_admin(), Some("permission_mode"));
    let restrict = AgentChanges { is_restricted: Some(true), ..AgentChanges::default() };
    assert_eq!(restrict.needs_admin(), Some("is_restricted"));
    let rename = AgentChanges { name: Some("x".into()), ..AgentChanges::default() };
    assert_eq!(rename.needs_admin(), None);
}
