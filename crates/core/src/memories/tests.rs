use super::*;

#[test]
fn scopes_and_paths_come_apart_and_together_again() {
    let ana = ProfileId::new();
    for (scope, path) in [(Scope::Own, "diet"), (Scope::Own, "a/b"), (Scope::Agent, "house/style")] {
        let full = full_path(scope, path, ana);
        assert_eq!(within_scope(&full), (scope, path));
        assert!(may_touch(&full, Some(ana)) && checked_path(&full).is_ok());
    }
    assert!(checked_path(&full_path(Scope::Own, &"x".repeat(MAX_PATH_WITHIN), ana)).is_ok());
    assert!(checked_path_within(&"x".repeat(MAX_PATH_WITHIN + 1)).is_err());
    for reaching in ["people/x", "/people/x/y"] {
        assert!(checked_path_within(reaching).is_err(), "{reaching}");
    }
}

#[test]
fn notes_without_a_path_never_meet() {
    let first = |content: &str| paths_for(content).next().expect("a path");
    let (one, other) = (first("Tea\nat five"), first("Tea\nat six"));
    assert!(one.starts_with("tea-") && one.len() == 12, "{one}");
    assert_ne!(one, other, "their first lines agree");
    assert_eq!(one, first("Tea\nat five"));
    let long = "word ".repeat(100);
    assert!(paths_for(&long).chain(paths_for("日本語")).all(|path| checked_path_within(&path).is_ok()));
}

#[test]
fn a_search_is_its_words() {
    assert_eq!(search_words("What's the BUDGET, the Größe?"), ["what", "s", "the", "budget", "grösse"]);
    assert!(search_words(" …?! ").is_empty());
    assert!(search_words(&(0..40).map(|n| format!("w{n} ")).collect::<String>()).len() == MAX_WORDS);
    let path = full_path(Scope::Own, "Diet", ProfileId::new());
    assert_eq!(search_text(&path, "No MEAT"), "diet\nno meat");
}

#[test]
fn nobody_reaches_another_persons_notes() {
    let (ana, ben) = (ProfileId::new(), ProfileId::new());
    let hers = format!("people/{ana}/reviews");
    assert!(may_touch(&hers, Some(ana)));
    assert!(!may_touch(&hers, Some(ben)));
    assert!(!may_touch(&hers, None));
    assert!(!may_touch(&format!("people/{ana}"), Some(ana)), "the folder itself is no note");
    assert!(may_touch("house/style", None));
}

#[test]
fn paths_are_plain() {
    assert_eq!(checked_path("/reviews/budget").as_deref(), Ok("reviews/budget"));
    for wrong in ["", "a//b", "../x", "a/./b", "a/ b", "people/../x"] {
        assert!(checked_path(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_rare_word_in_the_path_fits_best() {
    let memory = |path: &str, content: &str| Memory {
        id: MemoryId::new(),
        agent_id: AgentId::new(),
        path: path.into(),
        content: content.into(),
        created_at: Default::default(),
        updated_at: Default::default(),
    };
    let words = |words: &[(&str, u64)]| -> Vec<Rarity> {
        words.iter().map(|(word, memories)| Rarity { word: (*word).into(), memories: *memories }).collect()
    };
    let asked = words(&[("budget", 90), ("lisbon", 2)]);
    // Each fits better than the next.
    let order = [
        memory("lisbon/budget", "x"),
        memory("journeys/lisbon", "x"),
        memory("x", "The budget for Lisbon"),
        memory("x", "Lisbon"),
        memory("x", "Lisbonne"),
        memory("x", "A budget"),
        memory("x", "budgets"),
        memory("x", "Nothing"),
    ];
    let fits: Vec<f64> = order.iter().map(|memory| fit(memory, &asked, 100)).collect();
    assert!(fits.is_sorted_by(|a, b| a > b), "{fits:?}");
    assert_eq!(fits.last(), Some(&0.0));
}
