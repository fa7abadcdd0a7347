//! The rules of companies, contacts and deals beyond their single fields: the form of addresses by which they are known, stages,
//! and what becomes of two contacts that are one.

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::check::Fields;
use super::kind::{Field, FieldType, Kind};
use super::kinds::sales_headers;
use crate::money::Currency;
use crate::text::{self, Invalid};
use crate::words;

words! {
    /// How far a deal is.
    Stage {
        Lead => "lead",
        Qualified => "qualified",
        Proposal => "proposal",
        Negotiation => "negotiation",
        Won => "won",
        Lost => "lost",
    }
}

impl Stage {
    pub const ALL: [Self; 6] =
        [Self::Lead, Self::Qualified, Self::Proposal, Self::Negotiation, Self::Won, Self::Lost];

    pub fn is_closed(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }

    /// How likely a deal is won of which nobody said it, in percent.
    pub fn probability(self) -> i64 {
        match self {
            Self::Lead => 10,
            Self::Qualified => 25,
            Self::Proposal => 50,
            Self::Negotiation => 75,
            Self::Won => 100,
            Self::Lost => 0,
        }
    }

    pub fn of(deal: &Fields) -> Self {
        deal.get("stage").and_then(Value::as_str).and_then(|word| word.parse().ok()).unwrap_or(Self::Lead)
    }
}

/// The field by which a row is known besides its id: of contacts their e-mail, of companies their domain.
pub fn key_of(kind: &Kind) -> Option<&'static str> {
    match kind.name {
        "contacts" => Some("email"),
        "companies" => Some("domain"),
        _ => None,
    }
}

/// Brings the field by which a row is known into its only form.
pub fn canonical(kind: &Kind, fields: &mut Fields) -> Result<(), Invalid> {
    let Some(name) = key_of(kind) else { return Ok(()) };
    let Some(given) = fields.get(name).and_then(Value::as_str) else { return Ok(()) };
    let key = match name {
        "email" => text::email(name, given).map(|email| text::email_key(&email))?,
        _ => domain(given).ok_or_else(|| Invalid::new(name, "must be a domain such as example.com"))?,
    };
    fields.insert(name.to_owned(), key.into());
    Ok(())
}

/// The domain of an address as people write it: `https://www.Example.com/about` is `example.com`.
pub fn domain(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let text = text.split_once("://").map_or(text.as_str(), |(_, rest)| rest);
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    (host.contains('.') && host.split('.').all(is_label)).then(|| host.to_owned())
}

/// The choice of a field of sales that a word of a file means, in this program's words or another's.
pub fn choice_of(field: &Field, word: &str) -> Option<&'static str> {
    let FieldType::Choice(choices) = field.of else { return None };
    let plain: String = text::fold(word).chars().filter(|c| c.is_alphanumeric()).collect();
    let others: &[(&'static str, &[&str])] = match field.name {
        "stage" => sales_headers::STAGE_WORDS,
        "status" => sales_headers::STATUS_WORDS,
        "type" => sales_headers::TYPE_WORDS,
        _ => &[],
    };
    let own = choices.iter().copied().find(|choice| *choice == plain);
    own.or_else(|| {
        others.iter().find(|(_, words)| words.contains(&plain.as_str())).map(|(choice, _)| *choice)
    })
}

/// What a deal counts for when sums are weighted: its amount by its probability, rounded to the nearest minor unit.
pub fn weighted(amount: i64, probability: i64) -> i64 {
    let exact = i128::from(amount) * i128::from(probability);
    i64::try_from((exact + 50).div_euclid(100)).unwrap_or(i64::MAX)
}

/// Space between two deals of a stage, so that others fit in between.
pub const POSITION_STEP: i64 = 1 << 20;

/// Two contacts that are one.
#[derive(Debug, Clone, Copy)]
pub struct ContactMerge {
    /// The contact that stays.
    pub kept: Uuid,
    /// The one that goes: what it has and the other doesn't moves over.
    pub merged: Uuid,
}

/// What the contact that stays gets of the other one: only where it has nothing.
pub fn filled(kind: &Kind, kept: &Fields, merged: &Fields) -> Fields {
    let is_none = |fields: &Fields, name: &str| fields.get(name).is_none_or(Value::is_null);
    let open = kind.settable().filter(|name| is_none(kept, name) && !is_none(merged, name));
    open.map(|name| (name.to_owned(), merged[name].clone())).collect()
}

/// One entry of a contact's history.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryEntry {
    pub id: Uuid,
    /// By which it is sorted: of an activity when it was done or is due.
    pub day: NaiveDate,
    pub of: HistoryOf,
    /// When it was recorded.
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum HistoryOf {
    Activity(Box<super::rows::Row>),
    /// A deal came into a stage.
    Stage(DealStage),
    /// The contact itself was changed.
    Change(Box<super::rows::RecordedChange>),
}

#[derive(Debug, Clone, Default)]
pub struct HistoryPage {
    pub entries: Vec<HistoryEntry>,
    pub next_cursor: Option<String>,
}

/// The time that a deal was in a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct DealStage {
    pub id: Uuid,
    pub deal_id: Uuid,
    /// What the deal is called.
    pub deal: String,
    pub stage: Stage,
    pub entered_at: DateTime<Utc>,
    /// None while the deal is still in this stage.
    pub left_at: Option<DateTime<Utc>>,
    pub author: Option<super::rows::Author>,
    pub approved_by: Option<crate::ids::ProfileId>,
}

/// Deals of one stage and one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineSum {
    pub stage: Stage,
    pub currency: Currency,
    pub deals: u64,
    pub amount: i64,
    /// Each amount by its probability.
    pub weighted: i64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data::kinds::{COMPANIES, CONTACTS};

    #[test]
    fn addresses_have_one_form() {
        for (given, expected) in [
            ("https://www.Example.com/about?x", Some("example.com")),
            ("EXAMPLE.co.uk.", Some("example.co.uk")),
            ("ada@bücher.example:443", Some("bücher.example")),
            ("example", None),
            ("a..b", None),
            ("-a.com", None),
            ("two words.com", None),
            ("", None),
        ] {
            assert_eq!(domain(given).as_deref(), expected, "{given}");
        }
        let mut fields = json!({"email": " Ada@Example.COM ", "name": "Ada"}).as_object().unwrap().clone();
        canonical(&CONTACTS, &mut fields).unwrap();
        assert_eq!(fields["email"], "ada@example.com");
        let mut wrong = json!({"domain": "nothing"}).as_object().unwrap().clone();
        let said = canonical(&COMPANIES, &mut wrong).unwrap_err().to_string();
        assert_eq!(said, "domain must be a domain such as example.com");
    }

    #[test]
    fn a_merge_fills_only_what_is_blank() {
        let fields = |value: Value| value.as_object().unwrap().clone();
        let kept = fields(json!({"name": "Ada", "email": null, "phone": "1", "merged_into": null}));
        let merged = fields(json!({"name": "A.", "email": "a@b.example", "phone": "2", "merged_into": "x"}));
        assert_eq!(Value::Object(filled(&CONTACTS, &kept, &merged)), json!({"email": "a@b.example"}));
    }

    #[test]
    fn weights_are_rounded_to_the_nearest() {
        for (amount, probability, expected) in
            [(100, 50, 50), (3, 50, 2), (1, 49, 0), (0, 100, 0), (999, 100, 999)]
        {
            assert_eq!(weighted(amount, probability), expected);
        }
    }
}
