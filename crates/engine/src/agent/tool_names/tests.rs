use super::*;

#[test]
fn names_are_safe_and_each_once() {
    let mut names = Names::default();
    let long = "x".repeat(80);
    for (given, kept) in [
        ("manageMemory", "manageMemory".to_owned()),
        ("manage memory/ä", "manage_memory__".to_owned()),
        ("manageMemory", "manageMemory_2".to_owned()),
        ("", "tool".to_owned()),
        (long.as_str(), "x".repeat(64)),
        (long.as_str(), "x".repeat(62) + "_2"),
    ] {
        assert_eq!(names.free(given), kept);
    }
}
