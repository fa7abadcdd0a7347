//! Ways to say common things without naming the field: "we are in logistics", "40 laptops", "valid until 2027-05-01".

use serde_json::json;

use super::clauses::is_weak;
use super::dates::counted;
use super::lexicon::MONTHS;
use super::look::{Hit, Reading};
use super::params::{Param, Shape};
use super::values::{Kind, names_after};
use super::words::{concept, words};

pub fn told(field: &Param, reading: &Reading) -> Option<Hit> {
    let message = reading.text.as_str();
    let says = |names: &[&str]| field.words.iter().any(|word| names.contains(&word.as_str()));
    let named = |leads: &[&str]| {
        names_after(message, leads).map(|(name, start, end)| (json!(name), Some((start, end))))
    };
    if field.shape != Shape::Text || !field.choices.is_empty() {
        return None;
    }
    match () {
        () if says(&["industry", "sector", "trade"]) => trade(reading),
        () if says(&["company", "organization", "organisation", "employer"]) => {
            named(&["at", "from", "for", "we're", "we", "are"])
        }
        () if says(&["name"]) => named(&["i'm", "im", "am", "is"]),
        () if says(&["brand", "make", "manufacturer", "product"]) => {
            named(&["a", "an", "new", "used", "the"])
        }
        () if says(&["problem", "issue", "trouble"]) => trouble(message),
        () if says(&["need", "needs", "item", "scope"]) => {
            several(reading).or_else(|| after(reading, &[&["need"], &["buy"], &["order"]]))
        }
        () if says(&["purpose", "appointment", "occasion"]) && booked(reading).is_some() => booked(reading),
        () if says(&["goal", "interest", "objective", "purpose"]) => after(
            reading,
            &[
                &["want", "to"],
                &["need", "to"],
                &["would", "like", "to"],
                &["we", "want"],
                &["i", "want"],
                &["we", "need"],
                &["i", "need"],
            ],
        ),
        () if says(&["vehicle", "car", "plate"]) => plate(reading),
        () if says(&["budget", "price", "amount"]) => sum_of_money(reading),
        () if says(&["expiry", "expires", "expiration"]) => day_beside(reading, "expiry"),
        () if says(&["timeline", "timeframe", "start", "deadline", "when", "time", "date"]) => {
            let some_time = || after(reading, &[&["start", "in"], &["begin", "in"], &["within"]]);
            let month = || month_said(message).filter(|_| !says(&["date"]));
            day(reading).or_else(some_time).or_else(month)
        }
        () if says(&["type", "kind", "document"]) => own_thing(message),
        () => None,
    }
}

fn after(reading: &Reading, phrases: &[&[&str]]) -> Option<Hit> {
    let message = reading.text.as_str();
    let all = words(message);
    let lower = |at: usize| all.get(at).map(|word| word.text.to_lowercase().replace('’', "'"));
    let start = (0..all.len()).find_map(|at| {
        let fits = |phrase: &&&[&str]| {
            phrase.iter().enumerate().all(|(i, part)| lower(at + i).as_deref() == Some(part))
        };
        phrases.iter().find(fits).map(|phrase| at + phrase.len())
    })?;
    let articles = ["a", "an", "to"];
    let start = start + usize::from(lower(start).is_some_and(|word| articles.contains(&word.as_str())));
    let from = all.get(start)?.start;
    let end = message[from..].find([',', '.', ';', '\n']).map_or(message.len(), |end| from + end);
    Some((json!(message[from..end].trim()), Some((from, end))))
}

/// "Book an inspection appointment next Tuesday": what it is for, up to the day.
fn booked(reading: &Reading) -> Option<Hit> {
    let leads: &[&[&str]] =
        &[&["book"], &["appointment", "for"], &["schedule"], &["arrange"], &["appointment", "is", "for"]];
    let Some((_, Some((from, mut end)))) = after(reading, leads) else {
        return kind_of_appointment(&reading.text);
    };
    // "Appointment for AB12345" says for which vehicle, not what for.
    if reading.found.iter().any(|one| one.start <= from && from < one.end) {
        return kind_of_appointment(&reading.text);
    }
    for found in reading.found.iter().filter(|one| one.start > from) {
        end = end.min(found.start);
    }
    let text = reading.text[from..end].trim_end();
    let text = ["for", "on", "at", "in"].iter().fold(text, |text, last| {
        text.strip_suffix(last).filter(|rest| rest.ends_with(' ')).map_or(text, str::trim_end)
    });
    let says = words(text).iter().any(|word| !word.stop && word.concept != concept("appointment"));
    says.then(|| (json!(text), Some((from, from + text.len()))))
}

/// "An inspection appointment for AB12345": what stands before the appointment says which.
fn kind_of_appointment(message: &str) -> Option<Hit> {
    let all = words(message);
    let at = all.iter().position(|word| ["appointment", "appointments"].contains(&word.lower.as_str()))?;
    let orders =
        ["book", "make", "get", "need", "want", "like", "have", "schedule", "arrange", "new", "please"];
    let names = |word: &&super::words::Word<'_>| !word.stop && !orders.contains(&word.lower.as_str());
    let first = all[..at].iter().rev().take(3).take_while(names).last()?;
    Some((json!(&message[first.start..all[at].end()]), Some((first.start, all[at].end()))))
}

/// A number plate: letters and digits without a word in it, "AB12345" or "AB 12 345".
fn plate(reading: &Reading) -> Option<Hit> {
    let is_plate = |text: &str| {
        let letters = text.chars().filter(char::is_ascii_alphabetic).count();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        (1..=4).contains(&letters) && (1..=5).contains(&digits) && letters + digits >= 4
    };
    let id = reading.found.iter().find(|one| one.kind == Kind::Id && is_plate(&one.text));
    let whole = || {
        let all = words(&reading.text);
        let starts = |word: &super::words::Word<'_>| {
            (1..=3).contains(&word.text.len()) && word.text.chars().all(|c| c.is_ascii_uppercase())
        };
        let at = all.iter().position(starts)?;
        let numbers =
            all[at + 1..].iter().take(2).take_while(|word| word.text.chars().all(|c| c.is_ascii_digit()));
        let last = numbers.last()?;
        let text = &reading.text[all[at].start..last.end()];
        is_plate(text).then(|| (json!(text), Some((all[at].start, last.end()))))
    };
    id.map(|one| (json!(one.text), Some((one.start, one.end)))).or_else(whole)
}

/// "By March", "until the end of May 2027": as it was said.
fn month_said(message: &str) -> Option<Hit> {
    let all = words(message);
    let leads = ["by", "until", "till", "before", "in", "of"];
    let is_month = |word: &super::words::Word<'_>| {
        MONTHS.contains(&word.text.to_lowercase().as_str()) && word.text.starts_with(char::is_uppercase)
    };
    let at = (1..all.len())
        .find(|at| is_month(&all[*at]) && leads.contains(&all[at - 1].text.to_lowercase().as_str()))?;
    let is_year = |word: &&super::words::Word<'_>| word.text.len() == 4 && word.text.parse::<u16>().is_ok();
    let end = all.get(at + 1).filter(is_year).map_or(all[at].end(), |year| year.end());
    Some((json!(&message[all[at].start..end]), Some((all[at].start, end))))
}

/// "40 laptops": how many of what.
fn several(reading: &Reading) -> Option<Hit> {
    let all = words(&reading.text);
    let units = ["day", "week", "month", "year", "people", "person", "percent", "hour"].map(concept);
    let is_count = |one: &&super::values::Found| matches!(one.kind, Kind::Number { currency: None, .. });
    reading.found.iter().filter(is_count).find_map(|one| {
        let next = all.iter().skip_while(|word| word.start < one.end);
        let things: Vec<_> = next.take_while(|word| !word.stop && !is_weak(&word.lower)).take(3).collect();
        let last = things.last().filter(|_| !units.contains(&things[0].concept))?;
        Some((json!(&reading.text[one.start..last.end()]), Some((one.start, last.end()))))
    })
}

/// Something that doesn't work, in the person's own words.
pub fn trouble(message: &str) -> Option<Hit> {
    let all = words(message);
    let signs = [
        "broken", "broke", "error", "lost", "fails", "failed", "wrong", "stuck", "missing", "crash",
        "crashed", "problem", "trouble", "not", "cannot",
    ];
    let fails =
        |word: &super::words::Word<'_>| signs.contains(&word.lower.as_str()) || word.lower.ends_with("n't");
    let text = message.trim().trim_end_matches(['.', '!']);
    (all.len() >= 3 && all.iter().any(fails)).then(|| (json!(text), Some((0, message.len()))))
}

/// "We are in logistics", "a logistics company".
fn trade(reading: &Reading) -> Option<Hit> {
    let text = reading.text.as_str();
    let all = words(text);
    let kinds = ["company", "firm", "business", "industry", "sector"];
    let is_trade =
        |word: &super::words::Word<'_>| word.is_topic() && word.act().is_none() && !is_weak(&word.lower);
    let mut pairs = all.windows(2);
    let before = pairs.find(|pair| kinds.contains(&pair[1].lower.as_str()) && is_trade(&pair[0]));
    let hit = |word: &super::words::Word<'_>| (json!(word.text), Some((word.start, word.end())));
    before.map(|pair| hit(&pair[0])).or_else(|| {
        let leads = ["we", "are", "work", "company", "we're", "business"];
        let led = |three: &&[super::words::Word<'_>]| {
            leads.contains(&three[0].lower.as_str()) && three[1].lower == "in" && is_trade(&three[2])
        };
        let place = |three: &[super::words::Word<'_>]| three[2].text.starts_with(char::is_uppercase);
        all.windows(3).find(led).filter(|three| !place(three)).map(|three| hit(&three[2]))
    })
}

/// "150-200k DKK", as it was said.
fn sum_of_money(reading: &Reading) -> Option<Hit> {
    let all = words(&reading.text);
    let unit = |end: usize| {
        let next = all.iter().find(|word| word.start > end && word.start <= end + 1);
        next.filter(|word| super::values::currency_of(&word.lower).is_some()).map_or(end, |word| word.end())
    };
    let money = reading.found.iter().find(|one| match one.kind {
        Kind::Number { value, currency } => currency.is_some() || value >= 1_000.0,
        Kind::Id => one.text.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    })?;
    let end = unit(money.end);
    Some((json!(reading.text[money.start..end].trim()), Some((money.start, end))))
}

fn day(reading: &Reading) -> Option<Hit> {
    let day = reading.found.iter().find(|one| one.kind == Kind::Day);
    day.map(|one| (json!(one.text), Some((one.start, one.end))))
}

/// The day after the word that says what it is: "valid until 2027-05-01".
fn day_beside(reading: &Reading, meaning: &str) -> Option<Hit> {
    let at = words(&reading.text).into_iter().find(|word| word.concept == concept(meaning))?.end();
    let day = reading.found.iter().find(|one| one.kind == Kind::Day && one.start >= at)?;
    Some((json!(day.text), Some((day.start, day.end))))
}

/// "Here is my driver's license": what kind of thing it is.
fn own_thing(message: &str) -> Option<Hit> {
    let all = words(message);
    let at = all.iter().position(|word| ["my", "our", "mein", "meine"].contains(&word.lower.as_str()))? + 1;
    let named = all[at..].iter().take(4).take_while(|word| !word.stop && counted(&word.lower).is_none());
    let last = named.last()?;
    Some((json!(&message[all[at].start..last.end()]), Some((all[at].start, last.end()))))
}

/// A reply without the words that only lead to it: "We are in logistics" → logistics.
pub fn core(reply: &str) -> &str {
    let leads = [
        "we are in the ",
        "we are in ",
        "we're in the ",
        "we're in ",
        "we work in ",
        "it would be ",
        "it is ",
        "it's ",
        "that would be ",
        "that is ",
        "that's ",
        "we are ",
        "we're ",
    ];
    let lower = reply.to_lowercase();
    let lead = leads.iter().find(|lead| lower.starts_with(**lead)).map_or(0, |lead| lead.len());
    reply.get(lead..).filter(|rest| !rest.trim().is_empty()).unwrap_or(reply)
}

#[cfg(test)]
mod tests {
    use super::super::params::read;
    use super::*;

    #[test]
    fn what_is_said_without_naming_it() {
        for (field, text, expected) in [
            ("industry", "We are Nordwind, a logistics company with 35 people", Some("logistics")),
            ("industry", "We work in logistics", Some("logistics")),
            ("industry", "We are in Hamburg", None),
            ("need", "I need to write a request for proposal for 40 laptops", Some("40 laptops")),
            (
                "purpose",
                "Please book an inspection appointment next Tuesday at 10",
                Some("inspection appointment"),
            ),
            ("purpose", "I'd like an appointment", None),
            (
                "purpose",
                "Book a tyre change for AB12345 on 2026-11-20 at 10:00 in Aarhus",
                Some("tyre change"),
            ),
            (
                "purpose",
                "inspection appointment for AB12345 next Tuesday in Aarhus",
                Some("inspection appointment"),
            ),
            ("vehicle", "Book a tyre change for AB12345 on 2026-11-20 at 10:00 in Aarhus", Some("AB12345")),
            ("vehicle", "It is for AB 12 345", Some("AB 12 345")),
            ("vehicle", "the Toyota", None),
            ("deadline", "We need 40 laptops by March", Some("March")),
            ("deadline", "until the end of May 2027", Some("May 2027")),
            ("deadline", "we may march on", None),
            (
                "problem",
                "Something is broken: I can't open my account",
                Some("Something is broken: I can't open my account"),
            ),
            ("problem", "Hello there", None),
            ("timeframe", "within two months", Some("two months")),
            ("expires_on", "it expires on 2027-05-01", Some("2027-05-01")),
        ] {
            let schema = json!({"properties": {field: {"type": "string"}}, "required": [field]});
            let hit = told(&read(&schema)[0], &Reading::of(text, None));
            assert_eq!(hit.as_ref().and_then(|(value, _)| value.as_str()), expected, "{field}: {text}");
        }
        assert_eq!(core("We are in logistics"), "logistics");
        assert_eq!(core("any"), "any");
    }
}
