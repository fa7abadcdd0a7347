use super::*;

#[test]
fn folding_ignores_case_in_every_script() {
    for (stored, typed) in [
        ("Ünïcode Coach", "üNÏCODE"),
        ("Straße", "STRASSE"),
        ("GROẞE", "grosse"),
        ("ΑΓΟΡΑ", "αγορα"),
        ("БЮДЖЕТ", "бюджет"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "FULL"),
        ("e\u{301}tude", "Étude"),
    ] {
        assert!(fold(stored).contains(&fold(typed)), "{stored} should be found by {typed}");
    }
    assert!(!fold("Budget").contains(&fold("Badger")));
}

#[test]
fn folded_text_has_a_bound() {
    assert_eq!(fold("\u{fdfa}").chars().count(), 18);
    for long in ["\u{fdfa}", "x", "\u{301}"] {
        assert_eq!(fold(&long.repeat(200_000)).chars().count(), MAX_FOLDED, "{long:?}");
    }
}

#[test]
fn slugs_are_ascii_and_never_empty() {
    assert_eq!(slugify("Budget Coach", "agent"), "budget-coach");
    assert_eq!(slugify("Zürich Ops!", "agent"), "zurich-ops");
    assert_eq!(slugify("\u{200f}", "agent"), "agent");
    assert!(slugify(&"long name ".repeat(40), "agent").len() <= 60);
    assert_eq!(free_slug("a", |s| s == "a" || s == "a-2"), "a-3");
}

#[test]
fn lines_and_prose_refuse_what_no_database_should_hold() {
    assert!(line("name", "a\0b", 10).is_err());
    assert!(line("name", "a\nb", 10).is_err());
    for nothing in ["", "   ", "\u{200b}", "\u{202e}\u{feff}"] {
        assert!(line("name", nothing, 10).is_err(), "{nothing:?}");
        assert!(prose("content", nothing, 10).is_err(), "{nothing:?}");
    }
    for long in ["x".repeat(11), format!("x{}", " ".repeat(10)), " ".repeat(11)] {
        assert!(line("name", &long, 10).is_err(), "{long:?}");
        assert!(optional("description", Some(&long), 10, prose).is_err(), "{long:?}");
    }
    assert_eq!(optional("description", Some("  "), 10, prose), Ok(None));
    assert_eq!(line("name", "  مرحبا 👋🏽 ", 11).as_deref(), Ok("مرحبا 👋🏽"));
    assert!(prose("content", "a\0b", 10).is_err());
    assert_eq!(prose("content", "a\n b", 10).as_deref(), Ok("a\n b"));
}

#[test]
fn json_that_is_kept_is_not_too_deep_to_be_read_again() {
    use serde_json::{Value, json};
    let nested = |levels| (0..levels).fold(Value::Null, |inner, _| json!([inner]));
    assert_eq!([depth(&json!("x")), depth(&json!({})), depth(&json!({"a": [1], "b": 2}))], [0, 1, 2]);
    assert_eq!(super::json("parts", &nested(MAX_DEPTH)), Ok(()));
    assert!(super::json("parts", &nested(MAX_DEPTH + 1)).is_err_and(|wrong| wrong.field == "parts"));
    assert!(super::json("parts", &json!({"a": ["b\0"]})).is_err());
}

#[test]
fn emails_need_both_sides_of_the_at() {
    for bad in ["", "a", "a@", "@b", "a@b@c", "a b@c", "a@b c"] {
        assert!(email("email", bad).is_err(), "{bad:?} should be refused");
    }
    assert!(email("email", "owner@demo.localhost").is_ok());
    assert_eq!(email_key(" Ana@Example.COM "), "ana@example.com");
}

#[test]
fn titles_are_one_short_line() {
    assert_eq!(title_from("\n  Hello there \nmore"), Some("Hello there".into()));
    assert_eq!(title_from("  \n "), None);
    let long = title_from(&"word ".repeat(40)).unwrap();
    assert!(long.ends_with('…') && long.chars().count() <= 61 && !long.contains("wor…"));
}
