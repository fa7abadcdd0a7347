//! What didn't work, in plain words. A tool's own words are for programmers unless they read like a sentence that was
//! meant for people.

use super::deeds::Deed;
use super::quote::sentence;
use super::words::shorten;

pub fn rejected(deed: &Deed, reason: &str) -> String {
    // "The person rejected this call: too expensive" → the part that says why.
    let why = reason.split_once(": ").map(|(_, why)| why.trim()).filter(|why| !why.is_empty());
    let why = why.map(|why| format!(" ({})", why.trim_end_matches('.'))).unwrap_or_default();
    format!(
        "All right, I did not {}{why}. Nothing was changed; tell me if you want it done differently.",
        deed.to_do()
    )
}

pub fn failed(deed: &Deed, reason: &str) -> String {
    let (why, advice) = explained(reason);
    match for_people(reason) {
        true => format!("I couldn't {}: {} {advice}", deed.to_do(), sentence(&shorten(reason, 240))),
        false => format!("I couldn't {}: {why}. {advice}", deed.to_do()),
    }
}

/// The kind of failure and what could be done about it.
fn explained(reason: &str) -> (&'static str, &'static str) {
    let lower = reason.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if has(&[
            "permission",
            "not allowed",
            "forbidden",
            "denied",
            "unauthorized",
            "access",
            "may not",
        ]) =>
        {
            ("that isn't allowed here", "Someone with more rights would have to do this, or allow it.")
        }
        () if has(&["not found", "unknown", "no such", "doesn't exist", "there is no", "gone"]) => {
            ("it isn't there", "Check the name or ID and ask me again.")
        }
        () if has(&["timeout", "timed out", "unreachable", "connect", "overloaded", "unavailable"]) => {
            ("the service behind it didn't answer", "Trying again in a moment may help.")
        }
        () if is_about_arguments(&lower) => (
            "something it needs was missing or not in the form it expects",
            "Tell me a little more about what you mean and I'll try again.",
        ),
        () => ("it failed", "Tell me if I should try it another way."),
    }
}

fn is_about_arguments(lower: &str) -> bool {
    let marks = [
        "invalid",
        "required",
        "missing",
        "must be",
        "must have",
        "expected",
        "argument",
        "parameter",
        "schema",
    ];
    marks.iter().any(|mark| lower.contains(mark))
}

/// A sentence rather than a code, a trace, or a word about arguments that the person never gave.
fn for_people(reason: &str) -> bool {
    let marks = ['{', '}', '<', '>', '`', '_', '=', '\\'];
    reason.contains(' ')
        && !reason.contains(marks)
        && !reason.contains("::")
        && !is_about_arguments(&reason.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::deeds::deed;
    use super::*;

    #[test]
    fn only_sentences_for_people_are_passed_on() {
        let deed = deed("searchNotes", &serde_json::Map::new());
        for (reason, expected) in [
            ("Query is required", "I couldn't search the notes: something it needs was missing"),
            ("{\"code\": -32602}", "I couldn't search the notes: it failed."),
            ("E_CONNECT_REFUSED", "the service behind it didn't answer"),
            ("The shop is closed on Sundays", "The shop is closed on Sundays."),
            ("permission denied for tickets", "Permission denied for tickets. Someone with more rights"),
        ] {
            let said = failed(&deed, reason);
            assert!(said.contains(expected), "{said}");
        }
        assert!(!failed(&deed, "Query is required").contains("Query"));
    }
}
