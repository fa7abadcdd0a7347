use super::*;

fn event(summary: &str) -> Event {
    Event {
        uid: "1@example.org".to_owned(),
        day: NaiveDate::from_ymd_opt(2026, 12, 31).unwrap(),
        summary: summary.to_owned(),
        description: Some("First line\r\nsecond; with, signs \\ and \u{7}bell".to_owned()),
        category: Some("Office, move".to_owned()),
        priority: Some(1),
        changed_at: DateTime::UNIX_EPOCH,
        sequence: 3,
    }
}

#[test]
fn a_day_is_an_event_of_that_day() {
    let text = write("Demo; projects", &[event("Sign the lease")]);
    for line in [
        "BEGIN:VCALENDAR",
        "X-WR-CALNAME:Demo\\; projects",
        "UID:1@example.org",
        "DTSTAMP:19700101T000000Z",
        "SEQUENCE:3",
        "DTSTART;VALUE=DATE:20261231",
        "DTEND;VALUE=DATE:20270101",
        "SUMMARY:Sign the lease",
        "DESCRIPTION:First line\\nsecond\\; with\\, signs \\\\ and bell",
        "CATEGORIES:Office\\, move",
        "PRIORITY:1",
        "END:VCALENDAR",
    ] {
        assert!(text.split("\r\n").any(|it| it == line), "{line} in {text}");
    }
    assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "lines end in both signs");
}

/// Whatever is written, lines are short, no character is cut, and unfolding gives the text back.
#[test]
fn long_lines_are_folded_between_characters() {
    for summary in [
        "x".repeat(500),
        "ä".repeat(200),
        "🚐".repeat(100),
        format!("{}ß{}", "a".repeat(66), "日本".repeat(60)),
    ] {
        let text = write("N", &[event(&summary)]);
        assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
        assert!(text.replace("\r\n ", "").contains(&format!("SUMMARY:{summary}\r\n")), "{text}");
    }
}
