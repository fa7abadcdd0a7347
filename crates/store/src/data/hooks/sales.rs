//! What companies, contacts, deals and activities ask for.

use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACTIVITIES, CONTACTS, DEALS};
use baton_core::data::sales::{self, POSITION_STEP, Stage};
use baton_core::store::{Error, Result};
use baton_core::text::Invalid;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use serde_json::Value;
use uuid::Uuid;

use super::super::Record;
use super::super::ledger::Ledger;
use super::super::scoped::Scoped;
use super::Done;
use crate::db::OrStoreError;

/// In minor units: what a hundred billion is in most currencies. Sums of as many deals as there can be still fit.
const MOST_AMOUNT: i64 = 10_000_000_000_000;

pub async fn complete(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    id: Uuid,
    before: Option<&Record>,
    after: &mut Fields,
) -> Done {
    sales::canonical(kind, after).map_err(Error::Invalid)?;
    free_key(ledger, kind, id, after).await?;
    match kind.name {
        // One that is there again is nobody else.
        "contacts" => drop(after.insert("merged_into".to_owned(), Value::Null)),
        "deals" => deal(ledger, before, after).await?,
        _ => {}
    }
    Ok(())
}

/// No two contacts have the same e-mail, and no two companies the same domain.
async fn free_key(ledger: &Ledger<'_>, kind: &'static Kind, id: Uuid, after: &Fields) -> Done {
    let Some(name) = sales::key_of(kind) else { return Ok(()) };
    let Some(key) = after.get(name).and_then(Value::as_str) else { return Ok(()) };
    let mut select = Scoped::writing(ledger.scope, kind)?.select(kind.name);
    select.columns(["id", kind.title]).and_where(Expr::col(name).eq(key)).and_where(Expr::col("id").ne(id));
    if kind.keeps_deleted {
        select.and_where(Expr::col("deleted_at").is_null());
    }
    let Some(other) = ledger.write.query_one(&select).await.db()? else { return Ok(()) };
    let title: String = other.try_get("", kind.title).db()?;
    let message = format!("is that of the {} {title:?} already", kind.one);
    Err(Error::Invalid(Invalid::new(name, message)).into())
}

async fn deal(ledger: &Ledger<'_>, before: Option<&Record>, after: &mut Fields) -> Done {
    let amount = after.get("amount").and_then(Value::as_i64).unwrap_or_default();
    if !(0..=MOST_AMOUNT).contains(&amount) {
        let message = if amount < 0 { "must not be negative" } else { "is too large" };
        return Err(Error::Invalid(Invalid::new("amount", message)).into());
    }
    let today = || Value::from(ledger.at.date_naive().to_string());
    let was = before.map(|before| &before.fields);
    let (stage, came) = (Stage::of(after), was.map(Stage::of) != Some(Stage::of(after)));
    let is_same = |name: &str, after: &Fields| was.and_then(|was| was.get(name)) == after.get(name);
    let is_none = |name: &str, after: &Fields| after.get(name).is_none_or(Value::is_null);
    if !stage.is_closed() {
        after.insert("closed_on".to_owned(), Value::Null);
    } else if is_none("closed_on", after) {
        after.insert("closed_on".to_owned(), today());
    }
    // What is taken back brings its own day along.
    if is_none("stage_since", after) || (came && was.is_some() && is_same("stage_since", after)) {
        let closed = after.get("closed_on").filter(|day| !day.is_null()).cloned();
        after.insert("stage_since".to_owned(), closed.unwrap_or_else(today));
    }
    if is_none("position", after) || (came && was.is_some() && is_same("position", after)) {
        after.insert("position".to_owned(), last_position(ledger, stage).await?.into());
    }
    Ok(())
}

/// After all others of a stage.
async fn last_position(ledger: &Ledger<'_>, stage: Stage) -> Result<i64> {
    let mut select = Scoped::writing(ledger.scope, &DEALS)?.select(DEALS.name);
    select
        .expr_as(Expr::cust("COALESCE(position, 0)"), "last")
        .and_where(Expr::col("stage").eq(Expr::cust(format!("'{stage}'"))))
        .and_where(Expr::col("deleted_at").is_null())
        .order_by_expr(Expr::cust("COALESCE(position, 0)"), Order::Desc)
        .limit(1);
    let row = ledger.write.query_one(&select).await.db()?;
    let last: Option<i64> = row.map(|row| row.try_get("", "last").db()).transpose()?;
    Ok(last.unwrap_or_default() + POSITION_STEP)
}

/// What refers to a company that is to go. (Deleted contacts and deals stay, so what refers to them goes on doing so.)
pub fn uses_of_company(
    by: impl Fn(&'static str, &'static str) -> SelectStatement,
) -> Vec<(SelectStatement, &'static Kind)> {
    let live = |table: &'static str| {
        let mut select = by(table, "company_id");
        select.and_where(Expr::col((table, "deleted_at")).is_null());
        select
    };
    vec![
        (live("contacts"), &CONTACTS),
        (live("deals"), &DEALS),
        (by("activities", "company_id"), &ACTIVITIES),
    ]
}
