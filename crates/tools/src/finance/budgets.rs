//! `manageBudgets`: what is spent of each budget and what is left; makes, changes and deletes budgets.

use async_trait::async_trait;
use baton_core::data::check::Fields;
use baton_core::data::kinds::BUDGETS;
use baton_core::data::rows::{Change, Row};
use baton_core::reports::{BudgetPace, MoneyBook, Period, Report, ReportAnswer, ReportQuery, month_start};
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::words;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::arguments::{Arguments, day, failure, flag, limit, limit_property};
use super::desk::{Desk, Verb, answered, usual_currency};
use super::{MoneyStore, fields, names, preview, told};
use crate::arguments::{action, required, text};

pub const NAME: &str = "manageBudgets";

pub struct Budgets(pub MoneyStore);

words! {
    /// What a call can do.
    Act { Status => "status", Create => "create", Change => "change", Delete => "delete" }
}

impl Act {
    fn of(arguments: &Arguments) -> Result<Self, ToolFailure> {
        Ok(action(arguments, Self::WORDS)?.unwrap_or(Self::Status))
    }

    fn verb(self) -> Verb {
        match self {
            Self::Status => Verb::Read,
            Self::Create | Self::Change | Self::Delete => Verb::Change,
        }
    }
}

/// What a call can set.
fn set() -> Vec<&'static str> {
    fields::settable(&BUDGETS, &[])
}

#[async_trait]
impl Tool for Budgets {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Budgets".to_owned()
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
            Act::Status => None,
            Act::Create => Some(preview::made(&BUDGETS, &new(&desk, &book, arguments).ok()?, &book)),
            Act::Change => {
                let (row, set) = changed(&desk, &book, arguments).await.ok()?;
                Some(preview::set(&BUDGETS, &row, &set, &book))
            }
            Act::Delete => {
                let (row, _) = desk.named(&BUDGETS, required(arguments, "budget").ok()?).await.ok()?;
                Some(preview::deleted(&BUDGETS, &row, &book))
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
                Act::Status => status(&desk, &arguments).await,
                Act::Create => create(&desk, &arguments).await,
                Act::Change => change(&desk, &arguments).await,
                Act::Delete => delete(&desk, &arguments).await,
            }
        })
        .await
    }
}

const DESCRIPTION: &str = "\
Budgets: how much may be spent in a week, month or year, in one category or in all. Status tells for each what is spent, \
left, left per day and where the pace leads (projected: the daily average so far, times all days of the period), and \
whether it is over, too fast or on track; rely on these figures and never compute them yourself. Only booked payments \
count; refunds lower spending, transfers between own accounts don't count. A budget that rolls over takes along what \
earlier periods left, or spent too much. Before you create, change or delete one, say exactly what will be set.";

fn parameters() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    let own = [
        (
            "action",
            json!({
                "type": "string", "enum": Act::WORDS,
                "description": "Left out: status. create needs an amount; change and delete need a budget.",
            }),
        ),
        (
            "budget",
            text("The budget to look at, change or delete: its name or id. Left out for status: all."),
        ),
        (
            "includeSpending",
            json!({"type": "boolean", "description": "For status: with what is spent and left; true if left out."}),
        ),
        (
            "date",
            json!({"type": "string", "format": "date", "description": "For status: a day of the period to look at, YYYY-MM-DD; today if left out."}),
        ),
        limit_property(),
    ];
    fields::object(fields::named(own).chain(fields::properties(&BUDGETS, &set())))
}

fn read(arguments: &Arguments) -> Result<Act, ToolFailure> {
    let act = Act::of(arguments)?;
    fields::check(&BUDGETS, &set(), arguments)?;
    flag(arguments, "includeSpending")?;
    day(arguments, "date")?;
    limit(arguments)?;
    match act {
        Act::Status => {}
        Act::Create => {
            if arguments.get("amount").is_none_or(Value::is_null) {
                return Err(failure("amount is required: how much may be spent in a period."));
            }
        }
        Act::Change | Act::Delete => drop(required(arguments, "budget")?),
    }
    Ok(act)
}

async fn status(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let on = day(arguments, "date")?.unwrap_or(desk.today);
    let with_spending = flag(arguments, "includeSpending")?.unwrap_or(true);
    let period = Period { from: on, to: on };
    let ReportAnswer::Budgets(mut told) =
        desk.report(ReportQuery::new(Report::Budgets, desk.today, period)).await?
    else {
        return Err(failure("This report could not be made."));
    };
    if let Some(wanted) = text(arguments, "budget")? {
        let id = names::resolve(
            "budget",
            wanted,
            told.iter().map(|one| (one.budget.id, one.budget.name.as_str())),
        )?;
        told.retain(|one| one.budget.id == id);
    } else if let Some(wanted) = text(arguments, "category")? {
        let id = names::category(&desk.book().await?, wanted)?;
        told.retain(|one| one.budget.category_id == Some(id));
    }
    let number = |pace| told.iter().filter(|one| one.pace == pace).count();
    let all = i64::try_from(told.len()).unwrap_or(i64::MAX);
    let answer = format!(
        "{} on {on}: {} over, {} too fast, {} on track.",
        told::count(all, "budget"),
        number(BudgetPace::Over),
        number(BudgetPace::TooFast),
        number(BudgetPace::OnTrack)
    );
    let mut answer =
        json!({"answer": if all == 0 { "There is no such budget yet.".to_owned() } else { answer }});
    let listed = told.iter().map(|one| told::budget(one, with_spending)).collect();
    told::put_listed(&mut answer, "budgets", listed, limit(arguments)?, "budget or category");
    Ok(answer)
}

/// The budget that is to be made.
fn new(desk: &Desk<'_>, book: &MoneyBook, arguments: &Arguments) -> Result<Fields, ToolFailure> {
    let currency = match text(arguments, "currency")? {
        Some(code) => fields::currency("currency", code)?,
        None => usual_currency(book)?,
    };
    let mut set = fields::given(&BUDGETS, &set(), arguments, book, currency)?;
    set.insert("currency".to_owned(), currency.code().into());
    let category = set.get("category_id").and_then(Value::as_str).and_then(|id| id.parse().ok());
    // Models name a new budget by the parameter of the same word, too.
    let name = match text(arguments, "budget")? {
        Some(name) => name.to_owned(),
        None => category.map_or("All spending", |id| book.category_name(id)).to_owned(),
    };
    set.entry("name").or_insert(name.into());
    set.entry("starts_on").or_insert(month_start(desk.today).to_string().into());
    set.entry("period").or_insert("month".into());
    Ok(set)
}

async fn create(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let set = new(desk, &desk.book().await?, arguments)?;
    let outcome = desk.change(vec![Change::Create { id: Uuid::now_v7(), fields: set }.of(&BUDGETS)]).await?;
    Ok(answered(outcome, |_| "The budget is made.".to_owned()))
}

/// The budget that is meant, and what of it is to be set.
async fn changed(
    desk: &Desk<'_>,
    book: &MoneyBook,
    arguments: &Arguments,
) -> Result<(Row, Fields), ToolFailure> {
    let (row, currency) = desk.named(&BUDGETS, required(arguments, "budget")?).await?;
    let currency = match text(arguments, "currency")? {
        Some(code) => fields::currency("currency", code)?,
        None => currency,
    };
    Ok((row, fields::given(&BUDGETS, &set(), arguments, book, currency)?))
}

async fn change(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let (row, set) = changed(desk, &desk.book().await?, arguments).await?;
    desk.set(&BUDGETS, row, set, "The budget is changed.").await
}

async fn delete(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let (row, _) = desk.named(&BUDGETS, required(arguments, "budget")?).await?;
    let outcome =
        desk.change(vec![Change::Delete { id: row.id, seen: Some(row.version) }.of(&BUDGETS)]).await?;
    Ok(answered(outcome, |_| "The budget is deleted.".to_owned()))
}
