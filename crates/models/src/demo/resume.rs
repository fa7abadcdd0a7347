//! Words that only ask to go on: "Back to the quote", "let's continue", "where were we?". They name no value and answer
//! no question, whatever was asked before them.

use super::words::words;

/// What may stand around them without meaning anything.
const AROUND: &[&str] = &[
    "please", "ok", "okay", "yes", "now", "so", "well", "then", "and", "right", "alright", "let", "let's",
    "lets", "us", "can", "could", "shall", "should", "may", "we", "you", "i", "i'd", "would", "like", "want",
    "to", "just", "bitte", "jetzt", "again", "thanks", "hm", "anyway",
];
/// What asks to go on.
const GOES_ON: &[&[&str]] = &[
    &["go", "on"],
    &["carry", "on"],
    &["move", "on"],
    &["go", "ahead"],
    &["keep", "going"],
    &["pick", "up"],
    &["continue"],
    &["proceed"],
    &["resume"],
    &["mach", "weiter"],
    &["weiter"],
];
/// What asks to go on with the thing that follows.
const RETURNS: &[&[&str]] = &[
    &["go", "back", "to"],
    &["come", "back", "to"],
    &["get", "back", "to"],
    &["back", "to"],
    &["return", "to"],
    &["zurück", "zu"],
    &["zurück", "zum"],
    &["zurück", "zur"],
];
/// What asks where one was, as it begins.
const WHERE: &[&[&str]] = &[
    &["where", "were", "we"],
    &["where", "was", "i"],
    &["where", "did", "we"],
    &["where", "we", "were"],
    &["where", "we", "left"],
    &["wo", "waren", "wir"],
];
/// What makes a thing one that is known: "the quote", "that".
const POINTS: &[&str] = &[
    "the", "our", "my", "this", "that", "it", "where", "der", "die", "das", "dem", "unser", "unsere", "here",
    "from", "there",
];
const MOST_WORDS: usize = 10;
const MOST_OF_A_THING: usize = 4;

/// What a message that only asks to go on would go on with, as far as it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumes {
    pub with: Option<String>,
}

pub fn resumes(text: &str) -> Option<Resumes> {
    let all = words(text.get(..200).unwrap_or(text));
    if all.is_empty() || all.len() > MOST_WORDS || text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain: Vec<String> = all.iter().map(|word| word.text.to_lowercase().replace('’', "'")).collect();
    let around = |word: &String| AROUND.contains(&word.as_str());
    let begin = plain.iter().take_while(|word| around(word)).count();
    let rest = &plain[begin..];
    let led = |phrases: &[&[&str]]| {
        let leads =
            |phrase: &&&[&str]| phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(a, b)| a == b);
        phrases.iter().find(leads).map(|phrase| phrase.len())
    };
    let thing = |skip: usize| {
        let end = rest.len() - rest.iter().rev().take_while(|word| around(word)).count();
        let named = rest.get(skip..end.max(skip)).unwrap_or_default();
        let at = begin + skip;
        let last = at + named.len();
        (named.to_vec(), (!named.is_empty()).then(|| text[all[at].start..all[last - 1].end()].to_owned()))
    };
    if led(WHERE).is_some() {
        return Some(Resumes { with: None });
    }
    if let Some(skip) = led(RETURNS) {
        let (named, with) = thing(skip);
        return (1..=MOST_OF_A_THING).contains(&named.len()).then_some(Resumes { with });
    }
    let (named, with) = thing(led(GOES_ON)?);
    // "Go on with the quote" names what is known; "go on with Toyota" says something new.
    match named.split_first() {
        None => Some(Resumes { with: None }),
        Some((first, [])) if POINTS.contains(&first.as_str()) => Some(Resumes { with: None }),
        Some((first, _)) if ["where", "from"].contains(&first.as_str()) => Some(Resumes { with: None }),
        Some((first, thing)) if first == "with" && thing.len() <= MOST_OF_A_THING => {
            let known = thing.first().is_some_and(|word| POINTS.contains(&word.as_str()));
            let with =
                with.map(|with| with.split_once(' ').map_or(String::new(), |(_, thing)| thing.to_owned()));
            known.then_some(Resumes { with: with.filter(|_| thing.len() > 1) })
        }
        Some(_) => None,
    }
}

/// A message without the parts that only ask to go on.
pub fn without(text: &str) -> String {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ',' | ';' | ':' | '\n');
    let kept = text.split_inclusive(ends).filter(|piece| resumes(piece.trim_end_matches(ends)).is_none());
    kept.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_asks_to_go_on() {
        for (text, with) in [
            ("Back to the quote", Some("the quote")),
            ("OK, let's go back to my vehicle offer please", Some("my vehicle offer")),
            ("Let's continue with the quote", Some("the quote")),
            ("let’s go on", None),
            ("Please go on", None),
            ("Where were we?", None),
            ("where did we stop", None),
            ("Can we carry on?", None),
            ("Please continue from where we left off", None),
            ("Go on with it", None),
            ("weiter bitte", None),
        ] {
            assert_eq!(resumes(text), Some(Resumes { with: with.map(str::to_owned) }), "{text}");
        }
        for text in [
            "Toyota",
            "Go on with Toyota",
            "Back to 200k",
            "continue the lease of my old car until May",
            "We want to go on growing",
            "Please",
            "OK",
            "",
            "I want a quote for a new car",
        ] {
            assert_eq!(resumes(text), None, "{text}");
        }
    }

    #[test]
    fn the_rest_of_a_message_stays_as_it_is() {
        assert_eq!(without("Back to the quote: a Toyota, 1,500.50 a month"), "a Toyota, 1,500.50 a month");
        assert_eq!(without("We're Acme. Please go on."), "We're Acme.");
        assert_eq!(without("Please go on"), "");
    }
}
