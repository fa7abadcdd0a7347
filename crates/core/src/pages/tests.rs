use super::*;

const BODY: &str =
    "Intro.\n\n# One\n\nfirst\n\n## Deeper\n\nsecond\n\n# Two\n\n```\n# no heading\n```\nthird\n";

#[test]
fn a_piece_of_a_page_is_changed() {
    let section =
        |heading: &str, text: &str| BodyChange::Section { heading: heading.into(), text: text.into() };
    let replace = |old: &str, new: &str| BodyChange::Replace { old: old.into(), new: new.into() };
    for (change, expected) in [
        (BodyChange::Whole("new".into()), Ok("new".to_owned())),
        (BodyChange::Append("more".into()), Ok(format!("{}\n\nmore", BODY.trim_end()))),
        (section("one", "text"), Ok(BODY.replace("first\n\n## Deeper\n\nsecond", "text"))),
        (section("## Deeper", "text"), Ok(BODY.replace("second", "text"))),
        (section("Two", "end"), Ok(format!("{}# Two\n\nend\n", &BODY[..BODY.find("# Two").unwrap()]))),
        (section("Three", "x"), Err("no heading \"Three\". Its headings: One; Deeper; Two")),
        (section("no heading", "x"), Err("no heading")),
        (replace("first", "1st"), Ok(BODY.replace("first", "1st"))),
        (replace("nowhere", "x"), Err("doesn't have this text")),
        (replace("r", "x"), Err("has this text")),
    ] {
        let changed = change.checked().unwrap().applied(BODY);
        match (changed, expected) {
            (Ok(changed), Ok(expected)) => assert_eq!(changed, expected),
            (Err(why), Err(words)) => assert!(why.contains(words), "{why}"),
            (changed, expected) => panic!("{changed:?} is not {expected:?}"),
        }
    }
    assert_eq!(BodyChange::Append("x".into()).applied("").unwrap(), "x");
    assert!(BodyChange::Append("x".repeat(MAX_BODY)).applied(BODY).unwrap_err().contains("at most"));
    let twice = "# A\n\n# A\n";
    assert!(section("A", "x").applied(twice).unwrap_err().contains("several"));
    assert_eq!(headings(BODY).collect::<Vec<_>>(), ["One", "Deeper", "Two"]);
}

#[test]
fn links_are_found_outside_of_code_and_rewritten() {
    let id = PageId::new();
    let file = PageFileId::new();
    let body = format!(
        "See [a](page:{id}#part), ![b](file:{file}), [[Refund policy|how]], [[Home]], [c](/sales/handbook), \
         [d](https://here.example/knowledge/{id}), [e](https://example.org), [f](//x), \\[[no]]\n`[[code]]` ``[g](/a)``\n\
         ```\n[[fenced]]\n```\n[h](page:nonsense)"
    );
    let rewritten = rewrite(&body, |link| {
        Some(match link {
            Destination::Page { fragment, .. } => format!("P{fragment}"),
            Destination::File { .. } => "F".to_owned(),
            Destination::Named { name: PageRef::Id(_), .. } => "ID".to_owned(),
            Destination::Named { name: PageRef::Named(name), words, .. } => {
                format!("<{name}:{}>", words.as_deref().unwrap_or("-"))
            }
        })
    });
    let expected = "See [a](P#part), ![b](F), <Refund policy:how>, <Home:Home>, [c](<sales/handbook:->), \
         [d](ID), [e](https://example.org), [f](//x), \\[[no]]\n`[[code]]` ``[g](/a)``\n\
         ```\n[[fenced]]\n```\n[h](page:nonsense)";
    assert_eq!(rewritten, expected);
    for piece in ["[[", "](", "`a``", "\\", "[[a]]", "](/a)"] {
        rewrite(&piece.repeat(20_000), |_| Some(String::new()));
        rewrite(&format!("{piece}é").repeat(2_000), |_| None);
    }
}

#[test]
fn what_people_send_has_limits() {
    let page = |title: &str, body: &str, properties: &[(&str, &str)]| {
        let properties =
            properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        NewPage { parent: None, title: title.into(), body: body.into(), properties, is_public: false }
            .checked()
    };
    assert_eq!(page("  A ", "\r\n\n# x\r\ny", &[("k", "v")]).unwrap().body, "# x\ny");
    for (wrong, field) in [
        (page(" ", "", &[]), "title"),
        (page("a\nb", "", &[]), "title"),
        (page(&"x".repeat(201), "", &[]), "title"),
        (page("a", &"x".repeat(MAX_BODY + 1), &[]), "body"),
        (page("a", "\0", &[]), "body"),
        (page("a", "", &[("Title", "v")]), "properties"),
        (page("a", "", &[("k", "v"), ("k", "w")]), "properties"),
        (page("a", "", &[("k", &"x".repeat(2_001))]), "properties"),
        (page("a", "", &vec![("k", "v"); 51]), "properties"),
    ] {
        assert_eq!(wrong.unwrap_err().field, field);
    }
}

#[test]
fn a_digest_tells_what_came_apart() {
    let digest =
        |title: &str, body: &str, value: &str| source_digest(title, &vec![("k".into(), value.into())], body);
    assert_eq!(digest("a", "b", "c"), digest("a", "b", "c"));
    for other in [digest("ab", "", "c"), digest("", "ab", "c"), digest("a", "b", "d")] {
        assert_ne!(digest("a", "b", "c"), other);
    }
}
