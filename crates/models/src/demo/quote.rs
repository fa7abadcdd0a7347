//! Turning sentences round: what a person said about "my review" is told back to them as "your review".

use super::lexicon::{AMBIGUOUS, FOREIGN, GERMAN};
use super::words::{capitalised, words};

const TURNS: &[(&str, &str)] = &[
    ("my", "your"),
    ("mine", "yours"),
    ("myself", "yourself"),
    ("i", "you"),
    ("me", "you"),
    ("i'm", "you're"),
    ("i've", "you've"),
    ("i'll", "you'll"),
    ("i'd", "you'd"),
    ("our", "your"),
    ("ours", "yours"),
    ("we", "you"),
    ("us", "you"),
    ("we're", "you're"),
    ("we've", "you've"),
    ("your", "my"),
    ("yours", "mine"),
    ("yourself", "myself"),
    ("you", "I"),
    ("you're", "I'm"),
    ("you've", "I've"),
];

/// Swaps the speaker and the one spoken to.
pub fn turned(text: &str) -> String {
    let all = words(text);
    let mut said = String::with_capacity(text.len());
    let mut at = 0;
    let mut after_self = None;
    for word in &all {
        said.push_str(&text[at..word.start]);
        at = word.end();
        // Phrases hide their words, so look at the text itself.
        let lower = word.text.to_lowercase().replace('’', "'");
        let turn = TURNS.iter().find(|(from, _)| *from == lower).map(|(_, to)| *to);
        let verb = match (after_self, lower.as_str()) {
            (Some("you"), "am") => Some("are"),
            (Some("you"), "was") => Some("were"),
            (Some("I"), "are") => Some("am"),
            (Some("I"), "were") => Some("was"),
            _ => None,
        };
        match turn.or(verb) {
            Some(turned) if word.text.starts_with(char::is_uppercase) && !is_i(&lower) => {
                said.push_str(&capitalised(turned));
            }
            Some(turned) => said.push_str(turned),
            None => said.push_str(word.text),
        }
        after_self = turn;
    }
    said.push_str(&text[at..]);
    said
}

/// Always a capital in English, so that it says nothing about the start of a sentence.
fn is_i(lower: &str) -> bool {
    lower == "i" || lower.starts_with("i'")
}

/// Sentences are turned round in English only; others are quoted as they are.
pub fn is_german(text: &str) -> bool {
    words(text).iter().filter(|word| GERMAN.contains(&word.lower.as_str())).count() >= 2
}

/// Another language, by its letters or by its small words where none of ours stand.
pub fn is_foreign(text: &str) -> bool {
    let all = words(text);
    let ours = |word: &super::words::Word<'_>| word.stop && !AMBIGUOUS.contains(&word.lower.as_str());
    // Beyond the Latin letters, with or without their marks.
    let letters = |c: char| c.is_alphabetic() && c > '\u{24f}';
    let theirs =
        |word: &super::words::Word<'_>| FOREIGN.contains(&word.lower.as_str()) || word.text.contains(letters);
    !all.iter().any(ours) && all.iter().any(theirs)
}

pub fn quoted(text: &str) -> String {
    format!("“{}”", text.trim().trim_end_matches(['.', '!']))
}

/// A note, told to the person as a sentence.
pub fn told(note: &str) -> String {
    let note = note.trim();
    if is_german(note) {
        return format!("You told me: {}", quoted(note));
    }
    let about_user = [("the user's ", "my "), ("the user is ", "I am "), ("the user ", "I ")];
    let own = about_user.iter().find_map(|(from, to)| {
        let start = note.get(..from.len())?;
        start.eq_ignore_ascii_case(from).then(|| format!("{to}{}", &note[from.len()..]))
    });
    sentence(&turned(own.as_deref().unwrap_or(note)))
}

/// With a capital at the start and a full stop at the end.
pub fn sentence(text: &str) -> String {
    let text = capitalised(text.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?', '…', ':']) { text } else { format!("{text}.") }
}

/// Whether it says something of something, rather than naming it.
pub fn has_verb(text: &str) -> bool {
    let verbs = [
        "is", "are", "was", "were", "am", "has", "have", "had", "will", "should", "can", "must", "needs",
        "need", "likes", "like", "prefers", "prefer", "wants", "want", "works", "work", "lives", "live",
        "starts", "ends", "i'm", "it's",
    ];
    words(text).iter().any(|word| verbs.contains(&word.lower.as_str()))
}

/// "book" → "booked".
pub fn past(verb: &str) -> String {
    if let Some((_, past)) = super::lexicon::PAST.iter().find(|(base, _)| *base == verb) {
        return (*past).to_owned();
    }
    let before_y = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match before_y {
        Some(stem) => format!("{stem}ied"),
        None if verb.ends_with('e') => format!("{verb}d"),
        None => format!("{verb}ed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_told_to_the_person_they_are_about() {
        for (note, expected) in [
            ("my budget review is on Fridays", "Your budget review is on Fridays."),
            ("I am allergic to nuts", "You are allergic to nuts."),
            ("The user's desk is 12", "Your desk is 12."),
            ("you should be brief", "I should be brief."),
            ("The door code is 1234!", "The door code is 1234!"),
            ("and I'm allergic", "And you're allergic."),
            ("we’re in Bern and I was late", "You're in Bern and you were late."),
            ("mein Zahnarzt ist am Dienstag", "You told me: “mein Zahnarzt ist am Dienstag”"),
            ("", ""),
        ] {
            assert_eq!(told(note), expected);
        }
        assert_eq!(
            ["book", "create", "notify", "send", "play"].map(past),
            ["booked", "created", "notified", "sent", "played"]
        );
    }
}
