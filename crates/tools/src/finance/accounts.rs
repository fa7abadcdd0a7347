//! `manageAccounts`: balances and net worth; makes and changes accounts.

use async_trait::async_trait;
use baton_core::data::check::Fields;
use baton_core::data::kinds::ACCOUNTS;
use baton_core::data::rows::{Change, Row};
use baton_core::money::Currency;
use baton_core::reports::{MoneyBook, NamedPeriod, Period, Report, ReportAnswer, ReportQuery};
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::words;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::arguments::{Arguments, When, day, failure, flag, limit, limit_property, period_properties, when};
use super::desk::{Desk, Verb, answered};
use super::{MoneyStore, fields, names, preview, told};
use crate::arguments::{action, required, text};

pub const NAME: &str = "manageAccounts";

pub struct Accounts(pub MoneyStore);

words! {
    /// What a call can do.
    Act { Balances => "balances", NetWorth => "net_worth", Create => "create", Change => "change" }
}

impl Act {
    fn of(arguments: &Arguments) -> Result<Self, ToolFailure> {
        Ok(action(arguments, Self::WORDS)?.unwrap_or(Self::Balances))
    }

    fn verb(self) -> Verb {
        match self {
            Self::Balances | Self::NetWorth => Verb::Read,
            Self::Create | Self::Change => Verb::Change,
        }
    }
}

/// What a call can set.
fn set() -> Vec<&'static str> {
    fields::settable(&ACCOUNTS, &[])
}

#[async_trait]
impl Tool for Accounts {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Accounts".to_owned()
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        Act::of(arguments).map_or(Nature::WRITES, |act| act.verb().nature())
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        read(arguments).map(drop)
    }

    fn has_preview(&self) -> bool {
        true
    }

    async fn preview(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        let act = read(arguments).ok()?;
        let desk = Desk::open(&self.0, context, act.verb().least()).ok()?;
        let book = desk.book().await.ok()?;
        match act {
            Act::Balances | Act::NetWorth => None,
            Act::Create => Some(preview::made(&ACCOUNTS, &new(&desk, &book, arguments).ok()?, &book)),
            Act::Change => {
                let (row, set) = changed(&desk, &book, arguments).await.ok()?;
                Some(preview::set(&ACCOUNTS, &row, &set, &book))
            }
        }
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let act = read(&arguments)?;
        let desk = Desk::open(&self.0, context, act.verb().least())?;
        desk.answer(act.verb(), async {
            match act {
                Act::Balances => balances(&desk, &arguments).await,
                Act::NetWorth => net_worth(&desk, &arguments).await,
                Act::Create => create(&desk, &arguments).await,
                Act::Change => change(&desk, &arguments).await,
            }
        })
        .await
    }
}

const DESCRIPTION: &str = "\
Accounts of the workspace with their balances, and net worth over time. A balance is the opening balance and every booked \
transaction; pending ones are not in it. Totals are per currency: a total in one currency is only there if the workspace \
has entered exchange rates for it, and then the rates and their days are told; never convert by rates of your own. Net \
worth is told for the end of each month. A loan or a credit card has a negative balance. Accounts are made by hand here; \
transactions come from imports. Before you create or change an account, say exactly what will be set. This tool can't move \
money.";

fn parameters() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    let mut own = vec![
        (
            "action",
            json!({
                "type": "string", "enum": Act::WORDS,
                "description": "Left out: balances. create needs name and currency; change needs an account.",
            }),
        ),
        ("account", text("The account to look at or change: its name or id. Left out: all.")),
        (
            "date",
            json!({"type": "string", "format": "date", "description": "For balances: at the end of this day; today if left out."}),
        ),
        ("includeClosed", json!({"type": "boolean", "description": "For balances: closed accounts too."})),
        (
            "convertTo",
            text("Also a total in this currency, such as EUR, by the workspace's own exchange rates."),
        ),
    ];
    own.extend(period_properties());
    own.push(limit_property());
    fields::object(fields::named(own).chain(fields::properties(&ACCOUNTS, &set())))
}

fn read(arguments: &Arguments) -> Result<Act, ToolFailure> {
    let act = Act::of(arguments)?;
    fields::check(&ACCOUNTS, &set(), arguments)?;
    flag(arguments, "includeClosed")?;
    day(arguments, "date")?;
    when(arguments)?;
    convert_to(arguments)?;
    limit(arguments)?;
    match act {
        Act::Create => {
            required(arguments, "name")?;
            required(arguments, "currency")?;
        }
        Act::Change => drop(required(arguments, "account")?),
        Act::Balances | Act::NetWorth => {}
    }
    Ok(act)
}

fn convert_to(arguments: &Arguments) -> Result<Option<Currency>, ToolFailure> {
    text(arguments, "convertTo")?.map(|code| fields::currency("convertTo", code)).transpose()
}

/// The accounts that are meant; none: all.
async fn chosen(
    desk: &Desk<'_>,
    arguments: &Arguments,
    is_closed_too: bool,
) -> Result<Vec<Uuid>, ToolFailure> {
    let book = desk.book().await?;
    if let Some(wanted) = text(arguments, "account")? {
        return Ok(vec![names::account(&book, wanted)?]);
    }
    let of_type = text(arguments, "type")?;
    let fits = |account: &&baton_core::reports::Account| {
        (is_closed_too || !account.is_closed) && of_type.is_none_or(|of_type| account.account_type == of_type)
    };
    let chosen: Vec<Uuid> = book.accounts.iter().filter(fits).map(|account| account.id).collect();
    match (chosen.is_empty(), of_type) {
        (true, Some(of_type)) => Err(failure(format!("There is no account of the type {of_type}."))),
        (true, None) => Err(failure("There is no account yet: create one, or import transactions.")),
        _ => Ok(chosen),
    }
}

async fn balances(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let on = day(arguments, "date")?.unwrap_or(desk.today);
    let period = Period { from: on, to: on };
    let mut query = ReportQuery::new(Report::Balances, desk.today, period);
    query.accounts = chosen(desk, arguments, flag(arguments, "includeClosed")?.unwrap_or(false)).await?;
    query.convert_to = convert_to(arguments)?;
    match desk.report(query).await? {
        ReportAnswer::Balances(balances) => Ok(told::balances(&balances, limit(arguments)?)),
        _ => Err(failure("This report could not be made.")),
    }
}

async fn net_worth(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let mut query = desk.ask(Report::NetWorth, when(arguments)?, When::Named(NamedPeriod::Last12Months))?;
    // What was in accounts that are closed now was worth something then.
    query.accounts = chosen(desk, arguments, true).await?;
    query.convert_to = convert_to(arguments)?;
    match desk.report(query).await? {
        ReportAnswer::NetWorth(worth) => Ok(told::net_worth(&worth, limit(arguments)?)),
        _ => Err(failure("This report could not be made.")),
    }
}

/// The account that is to be made.
fn new(_desk: &Desk<'_>, book: &MoneyBook, arguments: &Arguments) -> Result<Fields, ToolFailure> {
    let currency = fields::currency("currency", required(arguments, "currency")?)?;
    fields::given(&ACCOUNTS, &set(), arguments, book, currency)
}

async fn create(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let set = new(desk, &desk.book().await?, arguments)?;
    let outcome = desk.change(vec![Change::Create { id: Uuid::now_v7(), fields: set }.of(&ACCOUNTS)]).await?;
    Ok(answered(outcome, |_| "The account is made.".to_owned()))
}

/// The account that is meant, and what of it is to be set.
async fn changed(
    desk: &Desk<'_>,
    book: &MoneyBook,
    arguments: &Arguments,
) -> Result<(Row, Fields), ToolFailure> {
    let id = names::account(book, required(arguments, "account")?)?;
    let row = desk.row(&ACCOUNTS, id).await?;
    let currency = book
        .account(id)
        .map(|account| account.currency)
        .ok_or_else(|| failure("There is no such account."))?;
    Ok((row, fields::given(&ACCOUNTS, &set(), arguments, book, currency)?))
}

async fn change(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let (row, set) = changed(desk, &desk.book().await?, arguments).await?;
    desk.set(&ACCOUNTS, row, set, "The account is changed.").await
}
