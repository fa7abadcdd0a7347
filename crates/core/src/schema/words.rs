//! The keywords `pattern` and `format` of texts.

use std::net::{Ipv4Addr, Ipv6Addr};

use chrono::{DateTime, NaiveDate};
use regex::{Regex, RegexBuilder};

const LONGEST_PATTERN: usize = 1_000;
const LARGEST_PATTERN: usize = 256 * 1024;

/// A pattern that takes time in proportion to the text, whatever both are: no look-around, no back-references.
pub fn pattern(text: &str) -> Result<Regex, String> {
    if text.len() > LONGEST_PATTERN {
        return Err(format!("must be at most {LONGEST_PATTERN} characters"));
    }
    let built = RegexBuilder::new(text).size_limit(LARGEST_PATTERN).dfa_size_limit(LARGEST_PATTERN).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "is too large a regular expression".to_owned(),
        _ => "is no regular expression that can be checked here (without look-around and back-references)"
            .to_owned(),
    })
}

pub const FORMATS: &[&str] = &["date", "time", "date-time", "email", "uri", "uuid", "ipv4", "ipv6"];

pub fn has_format(text: &str, format: &str) -> bool {
    match format {
        "date" => text.len() == 10 && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok(),
        "time" => DateTime::parse_from_rfc3339(&format!("2000-01-01T{text}")).is_ok(),
        "date-time" => DateTime::parse_from_rfc3339(text).is_ok(),
        "email" => crate::text::email("email", text).is_ok(),
        "uri" => is_uri(text),
        "uuid" => text.len() == 36 && uuid::Uuid::parse_str(text).is_ok(),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        _ => true,
    }
}

fn is_uri(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(is_word)
            && !rest.is_empty()
            && rest.chars().all(|c| c.is_ascii_graphic() && !"<>\"{}|\\^`".contains(c))
    })
}
