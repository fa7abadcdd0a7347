use serde_json::json;

use super::*;

const TOOLS: [(&str, &str); 7] = [
    ("tracker__create_issue", "Opens a new issue in a project."),
    ("tracker__list_issues", "Lists the issues of a project, newest first."),
    ("tracker__close_issue", "Closes an issue."),
    ("mail__sendMessage", "Sends a mail to people."),
    ("mail__search", "Finds mails by sender, subject or text."),
    ("weather", "Tells the weather of a city, today and the next days."),
    ("wiki__seite_lesen", "Liest eine Seite. Größe und Übersicht."),
];

fn found(query: &str) -> Vec<&'static str> {
    let spec = |(name, description): &(&str, &str)| ToolSpec {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        parameters: json!({}),
    };
    let specs: Vec<ToolSpec> = TOOLS.iter().map(spec).collect();
    ToolIndex::of(&specs).find(query).into_iter().map(|at| TOOLS[at].0).collect()
}

#[test]
fn the_best_comes_first() {
    for (query, first) in [
        ("create issue", "tracker__create_issue"),
        ("tracker__close_issue", "tracker__close_issue"),
        ("close an issue in the tracker", "tracker__close_issue"),
        ("list all issues", "tracker__list_issues"),
        ("send a message", "mail__sendMessage"),
        ("sendMessage", "mail__sendMessage"),
        ("what is the WEATHER in Rome", "weather"),
        ("grosse übersicht", "wiki__seite_lesen"),
    ] {
        let found = found(query);
        assert_eq!(found.first(), Some(&first), "{query}: {found:?}");
    }
}

#[test]
fn equals_stay_in_their_order_and_what_fits_nothing_is_left_out() {
    assert_eq!(found("mail"), ["mail__sendMessage", "mail__search"]);
    assert_eq!(found("tracker"), ["tracker__create_issue", "tracker__list_issues", "tracker__close_issue"]);
    for nothing in ["", "…", "zebra", "closing"] {
        assert!(found(nothing).is_empty(), "{nothing}");
    }
}

#[test]
fn a_word_and_its_plural_find_each_other() {
    assert!(found("issues").contains(&"tracker__create_issue"));
    assert!(found("messages").contains(&"mail__sendMessage"));
    assert!(!found("to").contains(&"weather"), "short words have no stems");
}
