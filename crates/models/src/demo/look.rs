//! Looking for one parameter's value in one text, by its type and by the words around it.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::clauses::is_weak;
use super::free::Used;
use super::labels::{kind_before, labelled, titled};
use super::lexicon::{CURRENCIES, MONTHS};
use super::params::{Choice, Param, Shape, Wants};
use super::values::{Found, Kind, all_names_after, beside, names_after, number, values};
use super::words::{Word, concept, stem, words};
use super::zones::zone_in;

/// A text and the values in it.
pub struct Reading {
    pub text: String,
    pub found: Vec<Found>,
}

impl Reading {
    pub fn of(text: &str, today: Option<NaiveDate>) -> Self {
        Self { text: text.to_owned(), found: values(text, today) }
    }
}

/// How far a value may be fetched: an optional one is only filled where the text clearly names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Required,
    /// There is one already. It changes where the text names it, or what it counts: "we are 80 people".
    Known,
    Optional,
}

/// A value, and where in the text it stood.
pub type Hit = (Value, Option<(usize, usize)>);

pub fn look(param: &Param, reading: &Reading, used: &Used, need: Need) -> Option<Hit> {
    let free = |one: &&Found| !used.iter().any(|(from, to)| *from < one.end && one.start < *to);
    let found: Vec<&Found> = reading.found.iter().filter(free).collect();
    let of = |kind: Kind| found.iter().find(|one| one.kind == kind).map(|one| text_hit(one));
    let text = reading.text.as_str();
    match param.wants {
        Wants::Action | Wants::Choice => choice(param, text),
        Wants::Flag => flag(param, text),
        Wants::Email => of(Kind::Email),
        Wants::Url => of(Kind::Url),
        Wants::Time => of(Kind::Time).or_else(|| hour(text, &found)),
        Wants::Date => day(param, &found),
        Wants::Number => amount(param, &found, need),
        Wants::Id => {
            id(param, &found, need).or_else(|| labelled(param, text).filter(|_| need == Need::Required))
        }
        Wants::Language => language(param, text, &found),
        Wants::Currency => currency(param, &reading.found),
        Wants::Person => marked(text, used).or_else(|| person(param, text, &found, need)),
        Wants::Place => place(text, used, need).or_else(|| labelled(param, text)),
        Wants::Zone => zone_in(text).map(|(zone, start, end)| (json!(zone), Some((start, end)))),
        Wants::List => list(param, text, &found),
        Wants::Title => titled(text).or_else(|| labelled(param, text)),
        Wants::Body | Wants::Other => labelled(param, text).or_else(|| kind_before(param, text)),
        Wants::Query | Wants::Object => None,
    }
}

fn text_hit(one: &Found) -> Hit {
    (json!(one.text), Some((one.start, one.end)))
}

/// A number as the schema wants it.
pub fn as_number(value: f64, shape: Shape) -> Value {
    if shape == Shape::Integer || (value.fract() == 0.0 && value.abs() < 1e15) {
        json!(value as i64)
    } else {
        json!(value)
    }
}

/// The choice whose words the text holds: as written before by meaning, whole before in part.
pub fn choice(param: &Param, text: &str) -> Option<Hit> {
    let all = words(text);
    let ranked = param.choices.iter().filter_map(|choice| rank(choice, &all).map(|rank| (rank, choice)));
    // Of equals the one said first.
    let best = ranked.min_by_key(|((rank, at, _), _)| (*rank, *at))?;
    let ((_, at, count), choice) = best;
    Some((choice.value.clone(), Some((all[at].start, all[at + count - 1].end()))))
}

fn rank(choice: &Choice, all: &[Word<'_>]) -> Option<(u8, usize, usize)> {
    let label: Vec<&String> = choice.words.iter().collect();
    if label.is_empty() {
        return None;
    }
    let windows = || all.windows(label.len()).enumerate();
    let said =
        windows().find(|(_, window)| window.iter().zip(&label).all(|(word, name)| word.lower == **name));
    if let Some((at, _)) = said {
        return Some((0, at, label.len()));
    }
    // "Lease" is leasing before it is anything that means alike.
    let inflected = windows().find(|(_, window)| {
        window.iter().zip(&label).all(|(word, name)| !word.stop && stem(&word.lower) == stem(name))
    });
    if let Some((at, _)) = inflected {
        return Some((1, at, label.len()));
    }
    let meant = windows().find(|(_, window)| {
        window.iter().zip(&label).all(|(word, name)| !word.stop && word.concept == concept(name))
    });
    if let Some((at, _)) = meant {
        return Some((2, at, label.len()));
    }
    let distinct =
        |word: &Word<'_>| word.is_topic() && label.iter().any(|name| concept(name) == word.concept);
    all.iter().position(distinct).filter(|_| label.len() > 1).map(|at| (3, at, 1))
}

fn flag(param: &Param, text: &str) -> Option<Hit> {
    let all = words(text);
    let names = param.concepts();
    let at = all.iter().position(|word| names.contains(&word.concept))?;
    let negations = ["not", "no", "without", "don't", "never", "isn't", "aren't"];
    let negated = all[at.saturating_sub(3)..at].iter().any(|word| negations.contains(&word.lower.as_str()));
    Some((json!(!negated), None))
}

fn day(param: &Param, found: &[&Found]) -> Option<Hit> {
    let days: Vec<&&Found> = found.iter().filter(|one| one.kind == Kind::Day).collect();
    let last =
        param.words.iter().any(|word| ["end", "until", "to", "return", "checkout"].contains(&word.as_str()));
    let day = if last { days.last().filter(|_| days.len() > 1 || param.required) } else { days.first() }?;
    let clock = found.iter().find(|one| one.kind == Kind::Time).filter(|_| param.date_time);
    let text = match clock {
        Some(clock) => format!("{}T{}", day.text, clock.text),
        None => day.text.clone(),
    };
    Some((json!(text), Some((day.start, day.end))))
}

/// "At 10", where no other unit follows.
fn hour(text: &str, found: &[&Found]) -> Option<Hit> {
    let at = |one: &Found| words(&text[..one.start]).last().is_some_and(|word| word.lower == "at");
    let is_hour = |one: &Found| matches!(one.kind, Kind::Number { value, currency: None } if value.fract() == 0.0 && (0.0..24.0).contains(&value));
    let one = found.iter().find(|one| is_hour(one) && at(one))?;
    let ends = text[one.end..].trim_start();
    let alone = ends.is_empty() || ends.starts_with([',', '.', ';', '!', '?']) || ends.starts_with("o'clock");
    alone.then(|| (json!(format!("{:0>2}:00", one.text)), Some((one.start, one.end))))
}

fn amount(param: &Param, found: &[&Found], need: Need) -> Option<Hit> {
    let names = param.concepts();
    let money = [
        "amount", "price", "budget", "limit", "cost", "total", "target", "value", "sum", "salary", "revenue",
    ];
    let wants_money =
        param.words.iter().any(|word| money.contains(&word.as_str())) || param.described_by("money");
    let numbers: Vec<(&&Found, f64, bool)> = found
        .iter()
        .filter_map(|one| match one.kind {
            Kind::Number { value, currency } => Some((one, value, currency.is_some())),
            _ => None,
        })
        .collect();
    let named = numbers.iter().find(|(one, ..)| beside(one, &names));
    let paid = numbers.iter().find(|(.., paid)| *paid && wants_money);
    let described = numbers.iter().find(|(one, ..)| {
        one.after.as_ref().is_some_and(|unit| param.described_by(unit)) && need != Need::Optional
    });
    // A lone number can only be meant for what needs one.
    let lone = numbers
        .first()
        .filter(|(.., paid)| need == Need::Required && numbers.len() == 1 && (!paid || wants_money));
    let (one, value, _) = named.or(paid).or(described).or(lone)?;
    let within =
        param.range.0.is_none_or(|least| *value >= least) && param.range.1.is_none_or(|most| *value <= most);
    within.then(|| (as_number(*value, param.shape), Some((one.start, one.end))))
}

fn id(param: &Param, found: &[&Found], need: Need) -> Option<Hit> {
    let names = param.concepts();
    let ids: Vec<&&Found> = found
        .iter()
        .filter(|one| matches!(one.kind, Kind::Id | Kind::Number { currency: None, .. }))
        .collect();
    let named = ids.iter().find(|one| beside(one, &names));
    let marked = || ids.iter().find(|one| one.kind == Kind::Id && need == Need::Required);
    let bare = || ids.iter().find(|_| need == Need::Required && param.words.len() == 1 && ids.len() == 1);
    let one = named.or_else(marked).or_else(bare)?;
    let value = match (param.shape, number(&one.text.to_lowercase())) {
        (Shape::Text, _) => json!(one.text),
        (shape, Some((value, _))) => as_number(value, shape),
        (_, None) => return None,
    };
    Some((value, Some((one.start, one.end))))
}

fn language(param: &Param, text: &str, found: &[&Found]) -> Option<Hit> {
    let source = param.words.iter().any(|word| ["source", "from"].contains(&word.as_str()));
    let leads: &[&str] = if source { &["from"] } else { &["to", "into", "in"] };
    let named = found.iter().filter(|one| one.kind == Kind::Language);
    let led = named.clone().find(|one| {
        words(&text[..one.start]).last().is_some_and(|word| leads.contains(&word.lower.as_str()))
    });
    let one = led.or_else(|| named.clone().next().filter(|_| !source))?;
    allowed(param, json!(one.text)).map(|value| (value, Some((one.start, one.end))))
}

fn currency(param: &Param, found: &[Found]) -> Option<Hit> {
    let source = param.words.iter().any(|word| ["from", "source", "base"].contains(&word.as_str()));
    let target = param.words.iter().any(|word| ["to", "target", "quote"].contains(&word.as_str()));
    let all: Vec<(&Found, &'static str, bool)> = found
        .iter()
        .filter_map(|one| match one.kind {
            Kind::Number { currency: Some(code), .. } => Some((one, code, true)),
            Kind::Currency(code) => Some((one, code, false)),
            _ => None,
        })
        .collect();
    let own = all.iter().find(|(.., of_number)| *of_number).or(all.first());
    let (one, code, of_number) = if target {
        let own = own.map(|(_, code, _)| *code);
        all.iter().rfind(|(_, code, _)| all.len() == 1 || Some(*code) != own)
    } else {
        own.filter(|_| !source || !all.is_empty())
    }?;
    // The amount still needs its number, so only a currency's own word is used up.
    let span = (!of_number).then_some((one.start, one.end));
    allowed(param, json!(code)).map(|value| (value, span))
}

/// The value as the schema's choices spell it, if it has any.
fn allowed(param: &Param, value: Value) -> Option<Value> {
    if param.choices.is_empty() {
        return Some(value);
    }
    let wanted = value.as_str().unwrap_or_default().to_lowercase();
    param
        .choices
        .iter()
        .find(|choice| choice.label.to_lowercase() == wanted)
        .map(|choice| choice.value.clone())
}

/// `#general`, `@ana`
fn marked(text: &str, used: &Used) -> Option<Hit> {
    let all = text.split_whitespace().map(|token| {
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        let name = token.trim_end_matches([',', '.', ':', '!', '?']);
        (name, start, start + name.len())
    });
    let names =
        all.filter(|(name, ..)| name.starts_with(['#', '@']) && name[1..].starts_with(char::is_alphabetic));
    let free = |start: usize, end: usize| !used.iter().any(|(from, to)| *from < end && start < *to);
    let (name, start, end) = names.into_iter().find(|(_, start, end)| free(*start, *end))?;
    Some((json!(name), Some((start, end))))
}

fn person(param: &Param, text: &str, found: &[&Found], need: Need) -> Option<Hit> {
    let leads: &[&str] = match param.words.last().map(String::as_str) {
        // People have names; a channel is marked or labelled.
        Some("channel") => return labelled(param, text),
        Some("owner" | "assignee") => &["to", "by", "for", "assign"],
        _ => &["to", "tell", "message", "email", "notify", "invite", "with", "for", "ask", "dm"],
    };
    if let Some((name, start, end)) = names_after(text, leads) {
        return Some((json!(name), Some((start, end))));
    }
    let email = found.iter().find(|one| one.kind == Kind::Email).map(|one| text_hit(one));
    email.or_else(|| labelled(param, text)).or_else(|| word_after(text, &["to", "with", "tell"], need))
}

/// "In Aarhus" before "for Aarhus". What has a number in it or is a month is no place: "for AB12345", "in March".
fn place(text: &str, used: &Used, need: Need) -> Option<Hit> {
    let free = |start: usize, end: usize| !used.iter().any(|(from, to)| *from < end && start < *to);
    let fits = |(name, start, end): &(String, usize, usize)| {
        let is_month = MONTHS.contains(&name.to_lowercase().split(' ').next().unwrap_or_default());
        !name.contains(|c: char| c.is_ascii_digit()) && !is_month && free(*start, *end)
    };
    let leads: [&[&str]; 2] = [&["in", "at", "near"], &["for", "to", "from"]];
    let named = leads.iter().find_map(|leads| all_names_after(text, leads).into_iter().find(fits));
    let named = named.map(|(name, start, end)| (json!(name), Some((start, end))));
    let led = || word_after(text, leads[0], need);
    let is_word = |hit: &Hit| hit.0.as_str().is_some_and(|word| !word.contains(|c: char| c.is_ascii_digit()));
    named.or_else(|| led().filter(is_word))
}

fn word_after(text: &str, leads: &[&str], need: Need) -> Option<Hit> {
    let all = words(text);
    let names = |word: &Word<'_>| word.is_topic() && !is_weak(&word.lower);
    let led = all.windows(2).find(|pair| leads.contains(&pair[0].lower.as_str()) && names(&pair[1]));
    led.filter(|_| need == Need::Required)
        .map(|pair| (json!(pair[1].text), Some((pair[1].start, pair[1].end()))))
}

fn list(param: &Param, text: &str, found: &[&Found]) -> Option<Hit> {
    let item = param.item.as_deref()?;
    let picked: Vec<Value> = match item.wants {
        Wants::Choice | Wants::Action => {
            let all = words(text);
            item.choices.iter().filter(|one| rank(one, &all).is_some()).map(|one| one.value.clone()).collect()
        }
        Wants::Number => found
            .iter()
            .filter_map(|one| match one.kind {
                Kind::Number { value, .. } => Some(as_number(value, item.shape)),
                _ => None,
            })
            .collect(),
        _ => {
            let emails = found.iter().filter(|one| one.kind == Kind::Email).map(|one| json!(one.text));
            let emails: Vec<Value> = emails.collect();
            let wants_email = param.words.iter().any(|word| word.starts_with("email"));
            if wants_email || !emails.is_empty() {
                emails
            } else {
                let named = labelled(param, text).and_then(|(value, _)| value.as_str().map(str::to_owned));
                let listed = || text.split_once(": ").map(|(_, said)| said.to_owned());
                let said = named.or_else(listed).unwrap_or_default();
                let said = said.trim_end_matches(['.', '!', '?']);
                let split = said.split([',', ';', '\n']).flat_map(|piece| piece.split(" and "));
                split.map(str::trim).filter(|piece| !piece.is_empty()).map(|piece| json!(piece)).collect()
            }
        }
    };
    (!picked.is_empty()).then_some((Value::Array(picked), None))
}

/// Whether every choice is a currency's code.
pub fn are_currencies(choices: &[Choice]) -> bool {
    let known = |choice: &Choice| CURRENCIES.iter().any(|(code, _)| choice.label.eq_ignore_ascii_case(code));
    !choices.is_empty() && choices.iter().all(known)
}
