use super::*;

#[test]
fn names_are_small_letters_digits_and_single_hyphens() {
    for good in ["pdf", "weekly-report", "q3-2026", &"x".repeat(64)] {
        assert!(skill_name(good).is_ok(), "{good}");
    }
    for bad in ["", "PDF", "a b", "-a", "a-", "a--b", "ä", "a_b", &"x".repeat(65)] {
        assert!(skill_name(bad).is_err(), "{bad:?}");
    }
    assert_eq!(display_name("weekly-report"), "Weekly report");
}
