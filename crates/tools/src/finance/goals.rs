//! `manageGoals`: how far goals are and when they will be reached; makes, changes and completes goals.

use async_trait::async_trait;
use baton_core::data::check::Fields;
use baton_core::data::kinds::GOALS;
use baton_core::data::rows::{Change, Row};
use baton_core::reports::{MoneyBook, Report, ReportAnswer, ReportQuery};
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::words;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::arguments::{Arguments, failure, limit, limit_property};
use super::desk::{Desk, Verb, answered, usual_currency};
use super::{MoneyStore, fields, names, preview, told};
use crate::arguments::{action, required, text};

pub const NAME: &str = "manageGoals";

pub struct Goals(pub MoneyStore);

/// To look at goals of every status.
const ANY_STATUS: &str = "all";

words! {
    /// What a call can do.
    Act { Progress => "progress", Create => "create", Change => "change", Complete => "complete" }
}

impl Act {
    fn of(arguments: &Arguments) -> Result<Self, ToolFailure> {
        Ok(action(arguments, Self::WORDS)?.unwrap_or(Self::Progress))
    }

    fn verb(self) -> Verb {
        match self {
            Self::Progress => Verb::Read,
            Self::Create | Self::Change | Self::Complete => Verb::Change,
        }
    }
}

/// What a call can set.
fn set() -> Vec<&'static str> {
    fields::settable(&GOALS, &[])
}

#[async_trait]
impl Tool for Goals {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Goals".to_owned()
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
            Act::Progress => None,
            Act::Create => Some(preview::made(&GOALS, &new(&desk, &book, arguments).ok()?, &book)),
            Act::Change => {
                let (row, set) = changed(&desk, &book, arguments).await.ok()?;
                Some(preview::set(&GOALS, &row, &set, &book))
            }
            Act::Complete => {
                let (row, _) = desk.named(&GOALS, required(arguments, "goal").ok()?).await.ok()?;
                Some(preview::set(&GOALS, &row, &completed(), &book))
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
                Act::Progress => progress(&desk, &arguments).await,
                Act::Create => create(&desk, &arguments).await,
                Act::Change => change(&desk, &arguments).await,
                Act::Complete => complete(&desk, &arguments).await,
            }
        })
        .await
    }
}

const DESCRIPTION: &str = "\
Savings goals: how far each is, what is missing, what it takes a month to reach it by its date, and when it will be \
reached if it goes on as until now. That date comes from the average change of the goal's account in the last whole \
months, or for a goal without account from what is saved since it began; the method is told with it, and with too little \
history there is no date: then say so, and make none up. It is no forecast of returns. What is saved is the balance of the \
goal's account; a goal without one has savedAmount. Before you create, change or complete a goal, say what will change, \
from which value to which.";

fn parameters() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    let own = [
        (
            "action",
            json!({
                "type": "string", "enum": Act::WORDS,
                "description": "Left out: progress, of those with the status, if one is given. create needs name and \
                                targetAmount; change and complete need a goal.",
            }),
        ),
        (
            "goal",
            text("The goal to look at, change or complete: its name or id. Left out for progress: all."),
        ),
        limit_property(),
    ];
    let mut properties: Map<String, Value> =
        fields::named(own).chain(fields::properties(&GOALS, &set())).collect();
    if let Some(Value::Array(statuses)) =
        properties.get_mut("status").and_then(|status| status.get_mut("enum"))
    {
        statuses.push(ANY_STATUS.into());
    }
    fields::object(properties)
}

fn read(arguments: &Arguments) -> Result<Act, ToolFailure> {
    let act = Act::of(arguments)?;
    limit(arguments)?;
    match act {
        Act::Progress if text(arguments, "status")? == Some(ANY_STATUS) => {}
        _ => fields::check(&GOALS, &set(), arguments)?,
    }
    match act {
        Act::Progress => {}
        Act::Create => {
            required(arguments, "name")?;
            if arguments.get("targetAmount").is_none_or(Value::is_null) {
                return Err(failure("targetAmount is required: how much is to be saved."));
            }
        }
        Act::Change | Act::Complete => drop(required(arguments, "goal")?),
    }
    Ok(act)
}

async fn progress(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let query = ReportQuery::new(Report::Goals, desk.today, desk.until_today());
    let ReportAnswer::Goals(mut goals) = desk.report(query).await? else {
        return Err(failure("This report could not be made."));
    };
    if let Some(wanted) = text(arguments, "goal")? {
        let id =
            names::resolve("goal", wanted, goals.iter().map(|one| (one.goal.id, one.goal.name.as_str())))?;
        goals.retain(|one| one.goal.id == id);
    }
    if let Some(status) = text(arguments, "status")?.filter(|status| *status != ANY_STATUS) {
        goals.retain(|one| one.goal.status == status);
    }
    let number = |is: bool| goals.iter().filter(|one| one.is_on_schedule == Some(is)).count();
    let all = i64::try_from(goals.len()).unwrap_or(i64::MAX);
    let answer = format!(
        "{} on {}: {} on schedule, {} behind, {} without a date to compare.",
        told::count(all, "goal"),
        desk.today,
        number(true),
        number(false),
        goals.iter().filter(|one| one.is_on_schedule.is_none()).count()
    );
    let mut answer =
        json!({"answer": if all == 0 { "There is no such goal yet.".to_owned() } else { answer }});
    let listed = goals.iter().map(told::goal).collect();
    told::put_listed(&mut answer, "goals", listed, limit(arguments)?, "goal or status");
    Ok(answer)
}

/// The goal that is to be made.
fn new(desk: &Desk<'_>, book: &MoneyBook, arguments: &Arguments) -> Result<Fields, ToolFailure> {
    let account = text(arguments, "account")?.map(|wanted| names::account(book, wanted)).transpose()?;
    let currency = match (text(arguments, "currency")?, account.and_then(|id| book.account(id))) {
        (Some(code), _) => fields::currency("currency", code)?,
        (None, Some(account)) => account.currency,
        (None, None) => usual_currency(book)?,
    };
    let mut set = fields::given(&GOALS, &set(), arguments, book, currency)?;
    set.insert("currency".to_owned(), currency.code().into());
    set.entry("starts_on").or_insert(desk.today.to_string().into());
    Ok(set)
}

async fn create(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let set = new(desk, &desk.book().await?, arguments)?;
    let outcome = desk.change(vec![Change::Create { id: Uuid::now_v7(), fields: set }.of(&GOALS)]).await?;
    Ok(answered(outcome, |_| "The goal is made.".to_owned()))
}

/// The goal that is meant, and what of it is to be set.
async fn changed(
    desk: &Desk<'_>,
    book: &MoneyBook,
    arguments: &Arguments,
) -> Result<(Row, Fields), ToolFailure> {
    let (row, currency) = desk.named(&GOALS, required(arguments, "goal")?).await?;
    let currency = match text(arguments, "currency")? {
        Some(code) => fields::currency("currency", code)?,
        None => currency,
    };
    Ok((row, fields::given(&GOALS, &set(), arguments, book, currency)?))
}

async fn change(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let (row, set) = changed(desk, &desk.book().await?, arguments).await?;
    desk.set(&GOALS, row, set, "The goal is changed.").await
}

async fn complete(desk: &Desk<'_>, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let (row, _) = desk.named(&GOALS, required(arguments, "goal")?).await?;
    desk.set(&GOALS, row, completed(), "The goal is completed.").await
}

fn completed() -> Fields {
    Fields::from_iter([("status".to_owned(), Value::from("completed"))])
}
