//! Time zones as people say them: by IANA name, by city, or by a country that has one clock. The cities are the last
//! parts of the IANA names; the table holds only what those lack.

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono_tz::{TZ_VARIANTS, Tz};

use super::words::words;

/// Cities and countries that name no zone themselves.
#[rustfmt::skip]
const ELSEWHERE: &[(&str, Tz)] = &[
    ("san francisco", Tz::America__Los_Angeles), ("seattle", Tz::America__Los_Angeles),
    ("california", Tz::America__Los_Angeles), ("las vegas", Tz::America__Los_Angeles),
    ("boston", Tz::America__New_York), ("washington", Tz::America__New_York), ("miami", Tz::America__New_York),
    ("philadelphia", Tz::America__New_York), ("atlanta", Tz::America__New_York), ("nyc", Tz::America__New_York),
    ("houston", Tz::America__Chicago), ("dallas", Tz::America__Chicago), ("austin", Tz::America__Chicago),
    ("texas", Tz::America__Chicago), ("montreal", Tz::America__Toronto), ("ottawa", Tz::America__Toronto),
    ("rio de janeiro", Tz::America__Sao_Paulo), ("beijing", Tz::Asia__Shanghai), ("china", Tz::Asia__Shanghai),
    ("shenzhen", Tz::Asia__Shanghai), ("mumbai", Tz::Asia__Kolkata), ("delhi", Tz::Asia__Kolkata),
    ("new delhi", Tz::Asia__Kolkata), ("bangalore", Tz::Asia__Kolkata), ("india", Tz::Asia__Kolkata),
    ("indien", Tz::Asia__Kolkata), ("osaka", Tz::Asia__Tokyo), ("kyoto", Tz::Asia__Tokyo),
    ("tokio", Tz::Asia__Tokyo), ("abu dhabi", Tz::Asia__Dubai), ("tel aviv", Tz::Asia__Jerusalem),
    ("south korea", Tz::Asia__Seoul), ("munich", Tz::Europe__Berlin), ("münchen", Tz::Europe__Berlin),
    ("hamburg", Tz::Europe__Berlin), ("frankfurt", Tz::Europe__Berlin), ("cologne", Tz::Europe__Berlin),
    ("köln", Tz::Europe__Berlin), ("germany", Tz::Europe__Berlin), ("deutschland", Tz::Europe__Berlin),
    ("zürich", Tz::Europe__Zurich), ("geneva", Tz::Europe__Zurich), ("basel", Tz::Europe__Zurich),
    ("bern", Tz::Europe__Zurich), ("switzerland", Tz::Europe__Zurich), ("schweiz", Tz::Europe__Zurich),
    ("wien", Tz::Europe__Vienna), ("austria", Tz::Europe__Vienna), ("österreich", Tz::Europe__Vienna),
    ("barcelona", Tz::Europe__Madrid), ("spain", Tz::Europe__Madrid), ("milan", Tz::Europe__Rome),
    ("rom", Tz::Europe__Rome), ("italy", Tz::Europe__Rome), ("france", Tz::Europe__Paris),
    ("lyon", Tz::Europe__Paris), ("netherlands", Tz::Europe__Amsterdam), ("rotterdam", Tz::Europe__Amsterdam),
    ("denmark", Tz::Europe__Copenhagen), ("kopenhagen", Tz::Europe__Copenhagen), ("sweden", Tz::Europe__Stockholm),
    ("norway", Tz::Europe__Oslo), ("finland", Tz::Europe__Helsinki), ("greece", Tz::Europe__Athens),
    ("moskau", Tz::Europe__Moscow), ("england", Tz::Europe__London), ("uk", Tz::Europe__London),
    ("manchester", Tz::Europe__London), ("edinburgh", Tz::Europe__London), ("scotland", Tz::Europe__London),
    ("kyiv", Tz::Europe__Kiev), ("gmt", Tz::GMT), ("utc", Tz::UTC), ("cape town", Tz::Africa__Johannesburg),
    ("new zealand", Tz::Pacific__Auckland), ("são paulo", Tz::America__Sao_Paulo),
];

/// By what people say, in small letters: whole names, last parts, and the table.
static ZONES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut zones = HashMap::new();
    for zone in TZ_VARIANTS {
        let name = zone.name();
        let city = name.rsplit('/').next().filter(|_| name.contains('/') && !name.starts_with("Etc/"));
        if let Some(city) = city {
            zones.entry(city.replace('_', " ").to_lowercase()).or_insert(name);
        }
        zones.insert(name.to_lowercase(), name);
    }
    // A holiday before it is an island.
    zones.remove("christmas");
    zones.extend(ELSEWHERE.iter().map(|(place, zone)| ((*place).to_owned(), zone.name())));
    zones
});

/// Places have at most so many words: "Ho Chi Minh City".
const LONGEST: usize = 4;
const LEADS: &[&str] = &["in", "at", "for", "from", "near", "of"];

/// The first zone a text names, and where it stands there.
pub fn zone_in(text: &str) -> Option<(&'static str, usize, usize)> {
    zones_in(text).into_iter().next()
}

pub fn zones_in(text: &str) -> Vec<(&'static str, usize, usize)> {
    let around = |c: char| !(c.is_alphanumeric() || c == '/');
    let tokens = text.split_whitespace().take(200).map(|token| token.trim_matches(around));
    let whole = tokens.filter(|token| token.contains('/')).filter_map(|token| {
        let zone = ZONES.get(&token.to_lowercase())?;
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        Some((*zone, start, start + token.len()))
    });
    let whole: Vec<_> = whole.collect();
    if whole.is_empty() { places_in(text) } else { whole }
}

fn places_in(text: &str) -> Vec<(&'static str, usize, usize)> {
    let all = words(text.get(..600).unwrap_or(text));
    let mut found: Vec<(&'static str, usize, usize)> = Vec::new();
    for at in 0..all.len() {
        let taken = found.last().is_some_and(|(.., end)| all[at].start < *end);
        // "Eastern" and "center" are zones too: a small letter needs a word before it that leads to a place.
        let led = at > 0 && LEADS.contains(&all[at - 1].lower.as_str());
        let named = led || all[at].text.starts_with(char::is_uppercase);
        let place = (at..all.len().min(at + LONGEST)).rev().find_map(|last| {
            let (start, end) = (all[at].start, all[last].end());
            let said = text[start..end].trim_end_matches("'s").to_lowercase();
            let alone = at == 0 && last + 1 == all.len();
            ZONES.get(&said).filter(|_| named || alone).map(|zone| (*zone, start, end))
        });
        found.extend(place.filter(|_| !taken));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_by_name_city_and_country() {
        for (text, zone) in [
            ("What time is it in Tokyo?", "Asia/Tokyo"),
            ("what time is it in new york", "America/New_York"),
            ("time in asia/tokyo please", "Asia/Tokyo"),
            ("Asia/Tokyo", "Asia/Tokyo"),
            ("Wie viel Uhr ist es in Berlin?", "Europe/Berlin"),
            ("and in San Francisco right now?", "America/Los_Angeles"),
            ("Uhrzeit in München", "Europe/Berlin"),
            ("the time for London, please", "Europe/London"),
            ("Buenos Aires time", "America/Argentina/Buenos_Aires"),
            ("UTC", "UTC"),
        ] {
            assert_eq!(zone_in(text).map(|(zone, ..)| zone), Some(zone), "{text}");
        }
        for text in
            ["What time is it?", "is it time for the center to open", "in Atlantis", "what is the date"]
        {
            assert_eq!(zone_in(text), None, "{text}");
        }
    }
}
