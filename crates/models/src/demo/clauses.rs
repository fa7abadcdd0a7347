//! Understanding a message: its clauses, and for each whether it asks, orders, wishes or tells, and about what.

use std::collections::HashSet;

use super::dates::weekday_of;
use super::lexicon::{Act, HOLIDAYS, IMPERATIVES, MONTHS, NUMBER_WORDS, WH};
use super::moods::{Opening, is_plain_noun, is_small_talk, opening, refuses};
use super::quote::has_verb;
use super::sentences::{joined_parts, sentences};
use super::words::{Word, concept, stem, words};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Question,
    Command,
    /// "I need a room."
    Wish,
    /// No verb at all: "budget status".
    Fragment,
    Statement,
    /// "Don't remember my address."
    Refusal,
    SmallTalk,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Topic {
    pub concept: String,
    pub text: String,
    /// Numbers, times of the year, content: they belong to a request, but don't say what it is about.
    pub weak: bool,
}

#[derive(Debug, Clone)]
pub struct Clause<'a> {
    pub text: &'a str,
    /// Without the polite opening.
    pub body: &'a str,
    pub mood: Mood,
    pub verb: Option<String>,
    pub act: Option<Act>,
    pub topics: Vec<Topic>,
    /// The person's own thing, its head last: "my budget review".
    pub own_thing: Vec<String>,
    /// The same, as it was said.
    pub own_words: String,
    /// What a command is to be done to: the ticket in "open a high priority ticket".
    pub object: Option<String>,
    /// Joined to the clause before by "and".
    pub joined: bool,
}

/// Stems of the verbs that the tools on offer do.
pub type Verbs = HashSet<String>;

pub const OWN: &[&str] =
    &["my", "our", "mine", "ours", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere"];

/// A message is a request, not a book: more clauses than this are one.
const MOST: usize = 12;
/// Words of a clause that count as its topic.
const MOST_TOPICS: usize = 60;

pub fn clauses<'a>(text: &'a str, verbs: &Verbs) -> Vec<Clause<'a>> {
    let mut found = Vec::new();
    for sentence in sentences(text, verbs) {
        for (at, part) in joined_parts(sentence, verbs).into_iter().enumerate() {
            found.push(Clause { joined: at > 0, ..clause(part, verbs) });
        }
    }
    found.retain(|clause| !clause.text.trim().is_empty());
    for clause in &mut found {
        let writes = clause.act.is_some_and(|act| !act.reads());
        if writes && clause.mood == Mood::Command && (is_code(text) || is_cited(clause)) {
            (clause.mood, clause.verb, clause.act) = (Mood::Statement, None, None);
        }
    }
    found.truncate(MOST);
    found
}

/// `DROP TABLE x; --`: a line for a machine, which nobody asks of me.
fn is_code(text: &str) -> bool {
    let text = text.trim();
    let ends = text.ends_with(';') || text.ends_with("--") || text.contains(";--") || text.contains("; --");
    let all = words(text.get(..300).unwrap_or(text));
    let shouts = |word: &Word<'_>| word.text.len() > 1 && !word.text.contains(char::is_lowercase);
    let keywords = all.len() > 2 && all.iter().take(2).all(shouts) && !all.iter().all(shouts);
    let removes = all.first().is_some_and(|word| matches!(word.act(), Some(Act::Remove | Act::Change)));
    ends || (keywords && removes)
}

/// `"Forget the code" is what he said`: an order within quotation marks is somebody's words.
fn is_cited(clause: &Clause<'_>) -> bool {
    let before = &clause.text[..clause.text.len() - clause.body.len()];
    before.trim_end().ends_with(['"', '“', '„', '«', '‘'])
}

/// The two texts as one clause; they lie side by side in `whole`.
pub fn merged<'a>(whole: &'a str, first: &Clause<'a>, second: &Clause<'a>, verbs: &Verbs) -> Clause<'a> {
    let place = |part: &str| (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    let end = place(second.text) + second.text.len();
    let text = whole.get(place(first.text)..end).unwrap_or(first.text);
    Clause { joined: first.joined, ..clause(text, verbs) }
}

pub fn is_verb(word: &Word<'_>, verbs: &Verbs) -> bool {
    word.act().is_some() || verbs.contains(&stem(&word.lower)) || IMPERATIVES.contains(&word.lower.as_str())
}

pub fn clause<'a>(text: &'a str, verbs: &Verbs) -> Clause<'a> {
    let text = text.trim();
    let head: &str = text.char_indices().nth(1_500).map_or(text, |(cut, _)| &text[..cut]);
    let all = words(head);
    let (skipped, opening) = opening(&all);
    let rest = &all[skipped..];
    let body = rest.first().map_or("", |word| &text[word.start..]).trim();
    let first = rest.first();
    let second = rest.get(1).map_or("", |word| word.lower.as_str());
    let tells_me = first.is_some_and(|word| match word.lower.as_str() {
        "tell" | "give" => ["me", "us"].contains(&second),
        "let" => second == "me",
        "remind" => {
            second == "me"
                && rest.get(2).is_some_and(|word| {
                    ["what", "who", "when", "where", "of", "about"].contains(&word.lower.as_str())
                })
        }
        _ => false,
    });
    let knows = ["know", "see", "hear", "learn", "understand"];
    let wants_to_know =
        opening != Opening::Plain && first.is_some_and(|word| knows.contains(&word.lower.as_str()));
    let finite = ["is", "are", "was", "were", "has", "have", "had", "will", "am"];
    let says = |names: &[&str]| rest.iter().any(|word| names.contains(&plain(&word.lower)));
    let mood = match first {
        _ if is_small_talk(&all) => Mood::SmallTalk,
        None => Mood::SmallTalk,
        Some(_) if wants_to_know => Mood::Question,
        Some(_) if opening == Opening::Wish => Mood::Wish,
        Some(_) if refuses(rest, verbs) => Mood::Refusal,
        Some(word) if is_verb(word, verbs) && !is_plain_noun(rest) => Mood::Command,
        Some(word) if WH.contains(&plain(&word.lower)) => Mood::Question,
        Some(_) if opening == Opening::Polite => Mood::Command,
        Some(_) if text.trim_end_matches(['"', '”', ')', '!', ' ']).ends_with('?') => Mood::Question,
        Some(word) if OWN.contains(&word.lower.as_str()) && rest.len() <= 5 && !has_verb(text) => {
            Mood::Fragment
        }
        Some(word) if word.stop || says(&finite) => Mood::Statement,
        Some(_) if rest.len() <= 6 => Mood::Fragment,
        Some(_) => Mood::Statement,
    };
    let verb = first.filter(|_| mood == Mood::Command);
    // "Tell Ana": to someone else, that is a message.
    let tells_other = verb.is_some_and(|word| word.lower == "tell") && !tells_me;
    let act = match () {
        () if tells_me || wants_to_know => Some(Act::Read),
        () if tells_other => Some(Act::Send),
        () => verb.and_then(Word::act),
    };
    let own_at = rest.iter().position(|word| OWN.contains(&word.lower.as_str()));
    let thing = |at: usize| {
        let named = rest[at..].iter().take_while(|word| !word.stop && !is_weak(&word.lower));
        named.collect::<Vec<_>>()
    };
    // "A new lead Jane Doe" is a lead: a name is not the thing.
    let kind_of_thing = |at: usize| {
        let is_name = |word: &Word<'_>| word.text.starts_with(char::is_uppercase);
        let things = thing(at);
        let named = things.iter().skip(1).position(|word| is_name(word)).map_or(things.len(), |at| at + 1);
        things[..named].last().map(|word| word.concept.clone())
    };
    let mut own = own_at.map(|at| thing(at + 1)).unwrap_or_default();
    own.retain(|word| word.is_topic());
    let skip = usize::from(mood == Mood::Command);
    let object_at = rest.iter().skip(skip).position(|word| !word.stop).map(|at| at + skip);
    // "Translate to Danish: the budget is spent" is not about budgets.
    let content_at = text.find(": ").or_else(|| text.find(":\n")).filter(|_| object_at.is_some());
    let content_at = content_at.filter(|_| matches!(mood, Mood::Command | Mood::Wish)).unwrap_or(text.len());
    Clause {
        text,
        body,
        mood,
        verb: match tells_other {
            true => Some("message".to_owned()),
            false => verb.filter(|_| !tells_me).map(|word| word.lower.clone()),
        },
        act,
        topics: topics(rest, content_at, mood),
        own_thing: own.iter().map(|word| word.concept.clone()).collect(),
        own_words: own.iter().map(|word| plain(word.text)).collect::<Vec<_>>().join(" "),
        object: object_at.filter(|_| matches!(mood, Mood::Command | Mood::Wish)).and_then(kind_of_thing),
        joined: false,
    }
}

fn topics(words: &[Word<'_>], content_at: usize, mood: Mood) -> Vec<Topic> {
    let mut found: Vec<Topic> = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_topic()).take(MOST_TOPICS) {
        // "How can I save money?" has nothing to do with notes.
        let asks = at > 0 || mood == Mood::Question;
        let saves = asks && ["save", "keep", "store"].contains(&word.lower.as_str());
        let concept = if saves { word.lower.clone() } else { word.concept.clone() };
        if !found.iter().any(|topic| topic.concept == concept) {
            let weak = is_weak(&word.lower) || word.start > content_at || is_time_of(words, at);
            // Of a phrase, only its first word is at hand; its meaning says more.
            let is_phrase = plain(&word.lower) != plain(word.text).to_lowercase();
            let text = if is_phrase { word.lower.clone() } else { word.text.to_owned() };
            found.push(Topic { concept, text, weak });
        }
    }
    // "Now" and "day" are too common to be topics, except where nothing else is asked for.
    let time = ["now", "time"].map(concept);
    if found.is_empty() && words.iter().any(|word| time.contains(&word.concept)) {
        found.push(Topic { concept: "time".into(), text: "time".into(), weak: false });
    }
    if mood == Mood::Question && asks_which_day(words) && found.iter().all(|topic| topic.weak) {
        found.push(Topic { concept: "date".into(), text: "day".into(), weak: false });
    }
    found
}

/// "What time does the shop close?" asks about the shop, not about now.
fn is_time_of(words: &[Word<'_>], at: usize) -> bool {
    let lower = |at: usize| words.get(at).map_or("", |word| plain(&word.lower));
    let does = ["does", "do", "did", "can", "should", "must"].contains(&lower(at + 1));
    let is = ["is", "are", "was"].contains(&lower(at + 1))
        && ["the", "my", "our", "your"].contains(&lower(at + 2));
    lower(at) == "time" && at > 0 && ["what", "which"].contains(&lower(at - 1)) && (does || is)
}

/// "Is it Monday?", "what is tomorrow?": a day is named and nobody does anything on it.
fn asks_which_day(words: &[Word<'_>]) -> bool {
    let people =
        ["i", "you", "we", "he", "she", "they", "my", "me", "us", "our", "do", "should", "can", "ich", "du"];
    let day = |word: &Word<'_>| {
        let lower = plain(&word.lower);
        let near = ["today", "tomorrow", "yesterday", "weekend", "heute", "morgen", "gestern", "wochenende"];
        let named = || HOLIDAYS.iter().any(|(name, ..)| *name == lower);
        near.contains(&lower) || weekday_of(lower).is_some() || named()
    };
    // "What week is it?"
    let names = ["week", "month", "year", "woche", "monat", "jahr"];
    let which = || {
        words.windows(2).any(|pair| {
            ["what", "which", "welche", "welcher", "welches"].contains(&pair[0].lower.as_str())
                && names.contains(&pair[1].lower.as_str())
        })
    };
    (words.iter().any(day) || which()) && !words.iter().any(|word| people.contains(&plain(&word.lower)))
}

pub fn is_weak(lower: &str) -> bool {
    let lower = plain(lower);
    let times = [
        "last",
        "next",
        "month",
        "week",
        "year",
        "today",
        "tomorrow",
        "yesterday",
        "tonight",
        "soon",
        "weekend",
        "long",
        "ago",
        "heute",
        "morgen",
        "gestern",
        "übermorgen",
    ];
    lower.contains(|c: char| c.is_ascii_digit())
        || times.contains(&lower.trim_end_matches('s'))
        || weekday_of(lower).is_some()
        || MONTHS.contains(&lower)
        || HOLIDAYS.iter().any(|(name, ..)| *name == lower)
        || NUMBER_WORDS.iter().any(|(word, _)| *word == lower)
}

/// Before the apostrophe: "what" of "what's".
pub fn plain(word: &str) -> &str {
    word.split(['\'', '’']).next().unwrap_or_default()
}

impl Clause<'_> {
    pub fn asks(&self) -> bool {
        matches!(self.mood, Mood::Question | Mood::Fragment) || self.act.is_some_and(Act::reads)
    }

    /// Whether a topic is only the verb of the order: the forgetting in "forget everything".
    pub fn is_verb_of(&self, topic: &Topic) -> bool {
        self.verb.as_deref().is_some_and(|verb| concept(verb) == topic.concept)
    }

    pub fn has_topic(&self, concept: &str) -> bool {
        self.topics.iter().any(|topic| topic.concept == concept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moods(text: &str) -> Vec<Mood> {
        clauses(text, &Verbs::new()).iter().map(|clause| clause.mood).collect()
    }

    #[test]
    fn what_a_clause_is() {
        use Mood::*;
        for (text, expected) in [
            ("Hello there!", vec![SmallTalk]),
            ("Hi Budget Coach", vec![SmallTalk]),
            ("thanks a lot, great", vec![SmallTalk]),
            ("When is my budget review?", vec![Question]),
            ("what's my name", vec![Question]),
            ("Could you please show me the budgets?", vec![Command]),
            ("I need a room for 6 people", vec![Wish]),
            ("My budget review is on Fridays.", vec![Statement]),
            ("Remember that X is Y and tell me the time", vec![Command, Command]),
            ("Create a page: first. And more. Thanks!", vec![Command, SmallTalk]),
            ("Save \"a. b. c\" now", vec![Command]),
            ("Notes are useful", vec![Statement]),
            ("budget status", vec![Fragment]),
            ("Please don't remember my address", vec![Refusal]),
            ("Don't forget my address", vec![Command]),
            ("Merke dir das nicht", vec![Refusal]),
            ("Remember today is my birthday", vec![Command]),
            ("my passport number", vec![Fragment]),
            ("Merke dir, dass ich Tee mag", vec![Command]),
        ] {
            let found = moods(text);
            assert_eq!(found[..expected.len().min(found.len())], expected[..], "{text}");
        }
    }

    #[test]
    fn the_thing_itself_is_the_head() {
        let all = clauses("When is my budget review?", &Verbs::new());
        assert_eq!(all[0].own_thing, ["budget", "review"].map(concept));
    }
}
