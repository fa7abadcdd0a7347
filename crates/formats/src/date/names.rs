//! Dates with the month's name: `12 Jan 2025`, `Jan 12, 2025`, `12-Mär-25`. They can be read in one way only.

use chrono::NaiveDate;

/// What each month's name begins with, in the languages banks write: English, German, French, Spanish, Italian, Dutch,
/// Portuguese. The longer of two that begin alike comes first.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "jän", "jaen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "maer", "mrt", "maart"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei", "mayo"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

pub(super) fn scan(text: &str) -> Option<NaiveDate> {
    let mut numbers: Vec<(u32, usize)> = Vec::new();
    let mut month = None;
    let mut month_at = 0;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        match (digits, word.len() - digits) {
            (1..=4, rest) if rest == 0 || matches!(&word[digits..], "st" | "nd" | "rd" | "th" | "er") => {
                numbers.push((word[..digits].parse().ok()?, digits));
            }
            // Spanish and Portuguese: 12 de enero de 2025.
            (0, 2) if word.eq_ignore_ascii_case("de") => {}
            (0, _) if month.is_none() => {
                month = is_month(word);
                // A weekday may come first.
                if month.is_none() && !(numbers.is_empty() && word.chars().count() <= 10) {
                    return None;
                }
                month_at = numbers.len();
            }
            _ => return None,
        }
    }
    let month = month?;
    match (numbers.as_slice(), month_at) {
        (&[(year, 4), (day, 1..=2)], 1) => super::date(year, month, day),
        (&[(day, 1..=2), (year, 2 | 4)], 0 | 1) => super::date(year, month, day),
        _ => None,
    }
}

fn is_month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let begins = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
    let index = match word.as_str() {
        "juillet" => 6,
        _ => MONTHS.iter().position(begins)?,
    };
    u32::try_from(index + 1).ok().filter(|_| word.chars().count() <= 12)
}
