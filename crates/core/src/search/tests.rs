use super::*;

fn folded(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.folded).collect()
}

#[test]
fn words_have_no_case_and_no_accents() {
    for (text, expected) in [
        ("Größe, GRÖSSE grosse", vec!["grosse", "grosse", "grosse"]),
        ("Zürich's café №12", vec!["zurich", "s", "cafe", "12"]),
        ("naïve-École", vec!["naive", "ecole"]),
        ("İstanbul ISTANBUL", vec!["istanbul", "istanbul"]),
        ("ﬁle ½", vec!["file", "12"]),
        ("Ω Ώ ΣΊΣΥΦΟΣ", vec!["ω", "ω", "σισυφοσ"]),
        ("Ёлка", vec!["елка"]),
        ("שָׁלוֹם שלום", vec!["שלום", "שלום"]),
        ("مُحَمَّد محمد", vec!["محمد", "محمد"]),
        ("हिन्दी", vec!["हिन्दी"]),
        ("a\u{ad}b", vec!["ab"]),
        ("", vec![]),
        ("…! \u{301}", vec![]),
    ] {
        assert_eq!(folded(text), expected, "{text}");
    }
    assert_eq!(folded(&"x".repeat(500))[0].len(), 60);
}

#[test]
fn scripts_without_spaces_are_cut_into_pairs() {
    assert_eq!(folded("東京都へ"), ["東京", "京都", "都へ", "へ"]);
    assert_eq!(folded("iPhoneを買う"), ["iphone", "を買", "買う", "う"]);
    assert_eq!(folded("ガ"), folded("ｶﾞ"), "half width");
    assert_eq!(folded("한국어"), ["한국", "국어", "어"]);
    let finds = |query: &str, text: &str| {
        let (query, there) = (Query::new(query).unwrap(), folded(text));
        query.words().iter().all(|asked| there.iter().any(|word| asked.matches(word)))
    };
    for part in ["東", "京", "都", "へ", "京都", "東京都", "東京都へ"] {
        assert!(finds(part, "東京都へ") && finds(&format!("{part} "), "東京都へ"), "{part}");
    }
    assert!(!finds("都京", "東京都へ"));
}

#[test]
fn the_last_word_may_be_typed_half() {
    let asked = |typed: &str| -> Vec<(String, bool)> {
        let query = Query::new(typed);
        query
            .iter()
            .flat_map(|query| &query.words)
            .map(|word| (word.folded.clone(), word.is_prefix))
            .collect()
    };
    let one = |word: &str, is_prefix| vec![(word.to_owned(), is_prefix)];
    assert_eq!(asked("Refu"), one("refu", true));
    assert_eq!(asked("Refund "), one("refund", false));
    assert_eq!(asked("a"), one("a", false), "one letter begins too many words");
    assert_eq!(asked("refund refund po").len(), 2 + 1 - 1);
    assert_eq!(asked("京"), one("京", true));
    assert_eq!(asked("  ?! "), []);
    assert_eq!(asked(&(0..100).map(|n| format!("w{n} ")).collect::<String>()).len(), 16);
    assert_eq!(Query::whole("refund").unwrap().words, [Asked { folded: "refund".into(), is_prefix: false }]);
}

#[test]
fn a_snippet_shows_where_the_words_stand() {
    let text = format!(
        "{}The customer gets a refund\nwithin   30 days by our Refund-Policy.",
        "Before. ".repeat(40)
    );
    let found = snippet(&text, &Query::new("refund pol").unwrap());
    let marked = found.marked("<", ">");
    assert!(
        marked.starts_with('…') && marked.contains("a <refund> within 30 days by our <Refund>-<Policy>."),
        "{marked}"
    );
    let nothing = snippet("Nothing of it.", &Query::new("refund").unwrap());
    assert_eq!((nothing.text.as_str(), nothing.hits.len()), ("Nothing of it.", 0));
    let pairs = snippet("彼は東京都へ行く", &Query::new("東京都").unwrap());
    assert_eq!(pairs.marked("<", ">"), "彼は<東京都>へ行く");
    // Whatever the text, the hits stand at characters.
    for text in
        ["é".repeat(1_000), "東".repeat(900), "\n \t".repeat(300), format!("{}refund", "ü ".repeat(3_000))]
    {
        let found = snippet(&text, &Query::new("refund 東").unwrap());
        found.marked("<", ">");
        assert!(found.text.chars().count() <= 300);
    }
}

#[test]
fn what_is_found_of_a_text_has_a_bound() {
    let mut many = Searchable::default();
    many.add(Part::Title, "title title");
    many.add(Part::Body, &(0..30_000).map(|n| format!("w{n} title ")).collect::<String>());
    assert_eq!(many.counts().count(), MAX_DIFFERENT);
    let title = many.counts().find(|(word, _)| *word == "title").unwrap();
    assert_eq!(title.1, [2, 0, MAX_COUNT]);
    assert_eq!(many.text_of(Part::Title), "title title");
    let mut long = Searchable::default();
    long.add(Part::Body, &(0..9_000).map(|n| format!("{n}{} ", "ж".repeat(60))).collect::<String>());
    assert!(long.counts().count() < 9_000 && long.bytes <= MAX_BYTES);
}
