//! What a call asks for, with all that its action needs.

use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::money::{MAX_PARTS, Transfer};
use baton_core::money::Currency;
use baton_core::reports::{By, Side};
use baton_core::tools::ToolFailure;
use baton_core::words;
use serde_json::Value;
use uuid::Uuid;

use crate::arguments::{action, required, text};
use crate::finance::arguments::{Arguments, When, amount_text, failure, ids, limit, when};
use crate::finance::desk::Verb;
use crate::finance::fields;

pub enum Action {
    Query(Asked),
    Sum { by: By, asked: Asked },
    CashFlow(Asked),
    Biggest(Asked),
    Check(Asked),
    Categorise { category: String, which: Chosen },
    Annotate { ids: Vec<Uuid>, note: Option<String> },
    Split { id: Uuid, parts: Vec<PartAsked> },
    Transfer(Transfer),
    Unmark(Uuid),
}

/// Which transactions are meant.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub when: Option<When>,
    pub category: Option<String>,
    pub account: Option<String>,
    pub search: Option<String>,
    pub side: Option<Side>,
    pub status: Option<String>,
    pub currency: Option<Currency>,
    pub limit: usize,
}

/// Which get a category.
pub enum Chosen {
    These(Vec<Uuid>),
    Fitting { asked: Asked, count: u64 },
    Rule(String),
}

pub struct PartAsked {
    pub amount: Value,
    pub category: Option<String>,
    pub memo: Option<String>,
}

words! {
    /// What a call can do.
    Act {
        Query => "query",
        Sum => "sum",
        CashFlow => "cash_flow",
        Biggest => "biggest",
        Check => "check",
        Categorise => "categorise",
        Annotate => "annotate",
        Split => "split",
        Transfer => "transfer",
        Unmark => "unmark_transfer",
    }
}

impl Act {
    pub fn of(arguments: &Arguments) -> Result<Self, ToolFailure> {
        Ok(action(arguments, Self::WORDS)?.unwrap_or(Self::Query))
    }

    pub fn verb(self) -> Verb {
        match self {
            Self::Query | Self::Sum | Self::CashFlow | Self::Biggest | Self::Check => Verb::Read,
            Self::Categorise | Self::Annotate | Self::Split | Self::Transfer | Self::Unmark => Verb::Change,
        }
    }

    /// For the model.
    pub fn about(self) -> &'static str {
        match self {
            Self::Query => "list transactions, the newest first, with totals of all that fit.",
            Self::Sum => "add up spending or income by category, month or payee.",
            Self::CashFlow => "income, spending and what is left, by month.",
            Self::Biggest => "the biggest single payments of a period.",
            Self::Check => "look for double, dearer or unusual charges.",
            Self::Categorise => {
                "give a category to ids, to all that a filter finds (then state their count), or by a rule for a text."
            }
            Self::Annotate => "write a note on ids.",
            Self::Split => "divide one into parts with categories; without parts, undo that.",
            Self::Transfer => "mark two sides, or one, as a transfer between own accounts.",
            Self::Unmark => "take such a mark back.",
        }
    }
}

impl Action {
    pub fn read(arguments: &Arguments) -> Result<Self, ToolFailure> {
        let asked = Asked::read(arguments)?;
        match Act::of(arguments)? {
            Act::Query => Ok(Self::Query(asked)),
            Act::Sum => {
                let by = text(arguments, "by")?.map(str::parse::<By>).transpose();
                let by = by.map_err(|words| failure(format!("by {words}.")))?.unwrap_or(By::Category);
                Ok(Self::Sum { by, asked })
            }
            Act::CashFlow => Ok(Self::CashFlow(asked)),
            Act::Biggest => Ok(Self::Biggest(asked)),
            Act::Check => Ok(Self::Check(asked)),
            Act::Categorise => {
                let category = required(arguments, "category")?.to_owned();
                Ok(Self::Categorise { category, which: Chosen::read(arguments, asked)? })
            }
            Act::Annotate => {
                let ids = some_ids(arguments)?;
                if !arguments.contains_key("note") {
                    return Err(failure("note is required; empty text takes a note away."));
                }
                Ok(Self::Annotate { ids, note: text(arguments, "note")?.map(str::to_owned) })
            }
            Act::Split => match some_ids(arguments)?[..] {
                [id] => Ok(Self::Split { id, parts: parts(arguments)? }),
                _ => Err(failure("split takes one id: divide transactions one at a time.")),
            },
            Act::Transfer => match some_ids(arguments)?[..] {
                [one, other] => Ok(Self::Transfer(Transfer::Pair(one, other))),
                [one] => Ok(Self::Transfer(Transfer::OneSide(one))),
                _ => Err(failure(
                    "transfer takes the ids of its two sides, or one if the other account is not here.",
                )),
            },
            Act::Unmark => match some_ids(arguments)?[..] {
                [one] => Ok(Self::Unmark(one)),
                _ => Err(failure("unmark_transfer takes one id; the other side is found by itself.")),
            },
        }
    }
}

impl Asked {
    fn read(arguments: &Arguments) -> Result<Self, ToolFailure> {
        fields::check(&TRANSACTIONS, &["status"], arguments)?;
        let own = |name: &str| Ok::<_, ToolFailure>(text(arguments, name)?.map(str::to_owned));
        let side = text(arguments, "type")?.map(str::parse::<Side>).transpose();
        let currency =
            text(arguments, "currency")?.map(|code| fields::currency("currency", code)).transpose()?;
        Ok(Self {
            when: when(arguments)?,
            category: own("category")?,
            account: own("account")?,
            search: own("search")?,
            side: side.map_err(|words| failure(format!("type {words}.")))?,
            status: own("status")?,
            currency,
            limit: limit(arguments)?,
        })
    }
}

impl Chosen {
    fn read(arguments: &Arguments, mut asked: Asked) -> Result<Self, ToolFailure> {
        let ids = ids(arguments, "ids")?;
        let rule = text(arguments, "rule")?;
        // `category` is the one to give.
        asked.category = text(arguments, "currentCategory")?.map(str::to_owned);
        let is_filtered = asked.search.is_some()
            || asked.when.is_some()
            || asked.account.is_some()
            || asked.side.is_some()
            || asked.category.is_some();
        match (ids.is_empty(), rule, is_filtered) {
            (false, None, false) => Ok(Self::These(ids)),
            (true, Some(text), false) => Ok(Self::Rule(text.to_owned())),
            (true, None, true) => match arguments.get("count").and_then(count) {
                Some(count) => Ok(Self::Fitting { asked, count }),
                None => Err(failure(
                    "count is required with a filter: query with the same filter first, and state how many it finds.",
                )),
            },
            (true, None, false) => Err(failure(
                "Say which: ids, a rule, or a filter such as search with the count of what it finds.",
            )),
            _ => Err(failure("Say which in one way only: ids, or a rule, or a filter with its count.")),
        }
    }
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn some_ids(arguments: &Arguments) -> Result<Vec<Uuid>, ToolFailure> {
    let ids = ids(arguments, "ids")?;
    if ids.is_empty() {
        return Err(failure("ids is required: find them with query."));
    }
    Ok(ids)
}

fn parts(arguments: &Arguments) -> Result<Vec<PartAsked>, ToolFailure> {
    let given = match arguments.get("parts") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(parts)) => parts,
        Some(_) => return Err(failure("parts must be a list of {amount, category, memo}.")),
    };
    if given.len() == 1 || given.len() > MAX_PARTS {
        return Err(failure(format!("parts must be 2 to {MAX_PARTS}; without any the split is undone.")));
    }
    let part = |part: &Value| {
        let Some(part) = part.as_object() else {
            return Err(failure("parts must be a list of {amount, category, memo}."));
        };
        let amount = part.get("amount").filter(|amount| amount_text(amount).is_some()).cloned();
        Ok(PartAsked {
            amount: amount.ok_or_else(|| failure("Each part needs an amount such as -12.50."))?,
            category: text(part, "category")?.map(str::to_owned),
            memo: text(part, "memo")?.map(str::to_owned),
        })
    };
    given.iter().map(part).collect()
}
