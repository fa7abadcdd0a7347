use super::*;

const SMALL: &str = r#"
    name = "small"
    title = "Small"
    description = "One agent."
    [[departments]]
    slug = "ops"
    name = "Operations"
    [[agents]]
    slug = "helper"
    name = "Helper"
    description = "Helps."
    department = "ops"
    category = "general"
    system_prompt = "You help."
"#;

#[test]
fn a_small_pack_parses() {
    let pack = Pack::parse(SMALL).unwrap();
    assert_eq!(pack.agents[0].definition().unwrap().name, "Helper");
    assert!(!pack.auto_hire);
}

#[test]
fn mistakes_are_named() {
    for (from, to, expected) in [
        ("system_prompt =", "sytem_prompt =", "sytem_prompt"),
        ("department = \"ops\"", "department = \"opps\"", "opps"),
        ("category = \"general\"", "category = \"misc\"", "must be one of"),
        ("slug = \"helper\"", "slug = \"The Helper\"", "not a slug"),
        ("\"You help.\"", "\" \"", "system_prompt"),
    ] {
        let error = Pack::parse(&SMALL.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} should name {expected}");
    }
}

#[test]
fn the_digest_follows_what_the_pack_says() {
    let one = Pack::parse(SMALL).unwrap();
    let same = Pack::parse(SMALL).unwrap();
    let other = Pack::parse(&SMALL.replace("Helps.", "Helps more.")).unwrap();
    assert_eq!(one.agents[0].digest(), same.agents[0].digest());
    assert_ne!(one.agents[0].digest(), other.agents[0].digest());
}
