//! What a kind asks for beyond the types of its fields. Called with the workspace's data locked, before anything is written.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Kind, Presence};
use baton_core::data::kinds::{ACCOUNTS, BUDGETS, CATEGORIES, CATEGORY_RULES, GOALS, TRANSACTIONS};
use baton_core::data::money::{amount, parts};
use baton_core::effects::EffectRefused;
use baton_core::store::{Error, Result};
use baton_core::text::{self, Invalid};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, EntityTrait, ExprTrait};
use serde_json::Value;
use uuid::Uuid;

use super::ledger::Ledger;
use super::scoped::Scoped;
use super::{Record, projects};
use crate::db::OrStoreError;
use crate::entities::workspace_members;

mod sales;

type Done = std::result::Result<(), EffectRefused>;

/// How far rows that are in the way are counted.
const COUNTED: u64 = 1_000;

/// Sets what the server sets, and refuses what can't be.
pub async fn complete(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    id: Uuid,
    before: Option<&Record>,
    after: &mut Fields,
) -> Done {
    references(ledger, kind, before, after).await?;
    members(ledger, kind, before, after).await?;
    match kind.name {
        "transactions" => transaction(ledger, id, before, after).await,
        "categories" => free_name(ledger, id, after).await,
        "exchange_rates" => free_day(ledger, kind, id, after).await,
        "budgets" => budget(after),
        "goals" => goal(ledger, after).await,
        "companies" | "contacts" | "deals" => sales::complete(ledger, kind, id, before, after).await,
        "projects" => in_order(after, "starts_on", "due_on"),
        "project_tasks" => projects::task(ledger, id, before, after).await,
        _ => Ok(()),
    }
}

/// All that a row refers to must be there, in the same workspace. A row that comes back loses what is gone, where it can.
async fn references(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    before: Option<&Record>,
    after: &mut Fields,
) -> Done {
    let comes_back = comes_back(before, after);
    let named: Vec<_> = check::references(kind, after).collect();
    for (field, other, id) in named {
        let stays = before.is_some_and(|before| before.fields.get(field.name) == after.get(field.name));
        if (stays && !comes_back) || is_there(ledger, super::values::kind(other)?, id).await? {
            continue;
        }
        if comes_back && field.presence == Presence::Optional {
            after.insert(field.name.to_owned(), Value::Null);
            continue;
        }
        let one = super::values::kind(other)?.one;
        return Err(
            Error::Invalid(Invalid::new(field.name, format!("names no {one} of this workspace"))).into()
        );
    }
    Ok(())
}

/// Whether a deleted row is brought back: one that was kept, or one that has its old version.
fn comes_back(before: Option<&Record>, after: &Fields) -> bool {
    before.map_or(after.contains_key("version"), |before| before.is_deleted)
}

/// Whom a row names anew must be a member of the workspace. Whom it names already stays, also after they left.
async fn members(ledger: &Ledger<'_>, kind: &'static Kind, before: Option<&Record>, after: &Fields) -> Done {
    if comes_back(before, after) {
        return Ok(());
    }
    for (field, id) in check::members(kind, after) {
        let stays = before.is_some_and(|before| before.fields.get(field.name) == after.get(field.name));
        let workspace = ledger.scope.workspace_id.0;
        let member = workspace_members::Entity::find_by_id((workspace, id));
        if !stays && member.one(&**ledger.write).await.db()?.is_none() {
            let message = "names no member of this workspace";
            return Err(Error::Invalid(Invalid::new(field.name, message)).into());
        }
    }
    Ok(())
}

async fn is_there(ledger: &Ledger<'_>, kind: &'static Kind, id: Uuid) -> Result<bool> {
    let mut select = Scoped::writing(ledger.scope, kind)?.select(kind.name);
    select.column((kind.name, "id")).and_where(Expr::col((kind.name, "id")).eq(id));
    if kind.keeps_deleted {
        select.and_where(Expr::col((kind.name, "deleted_at")).is_null());
    }
    Ok(ledger.write.query_one(&select).await.db()?.is_some())
}

async fn transaction(ledger: &Ledger<'_>, id: Uuid, before: Option<&Record>, after: &mut Fields) -> Done {
    let mut set_if_none = |name: &str, value: Value| {
        if after.get(name).is_none_or(Value::is_null) {
            after.insert(name.to_owned(), value);
        }
    };
    set_if_none("is_split", false.into());
    set_if_none("activity", "payment".into());
    // Entered by hand: like no other.
    set_if_none("source_key", format!("own:{id}").into());
    if before.is_none() {
        let account = after.get("account_id").and_then(check::id).unwrap_or_default();
        after.insert("currency".to_owned(), account_currency(ledger, account).await?);
    }
    let parts = parts(after);
    if parts.is_empty() {
        return Ok(());
    }
    if parts.iter().map(|part| part.amount).sum::<i64>() != amount(after) {
        return Err(EffectRefused::NotNow(
            "This transaction is split, and its parts add up to its amount: change the parts with it, or undo the split first."
                .to_owned(),
        ));
    }
    if after.get("category_id").is_some_and(|category| !category.is_null()) {
        return Err(EffectRefused::NotNow(
            "This transaction is split: its parts have the categories. Change those, or undo the split first.".to_owned(),
        ));
    }
    let before = before.map(|before| baton_core::data::money::parts(&before.fields)).unwrap_or_default();
    for category in parts.iter().filter_map(|part| part.category_id) {
        let is_kept = before.iter().any(|part| part.category_id == Some(category));
        if !is_kept && !is_there(ledger, &CATEGORIES, category).await? {
            let message = "of a part names no category of this workspace";
            return Err(Error::Invalid(Invalid::new("category_id", message)).into());
        }
    }
    Ok(())
}

async fn account_currency(ledger: &Ledger<'_>, account: Uuid) -> Result<Value> {
    let mut select = Scoped::writing(ledger.scope, &ACCOUNTS)?.select("accounts");
    select.column("currency").and_where(Expr::col("id").eq(account));
    let row = ledger.write.query_one(&select).await.db()?.ok_or(Error::NotFound("account"))?;
    Ok(row.try_get::<String>("", "currency").db()?.into())
}

/// No two categories have names that differ only in case.
async fn free_name(ledger: &Ledger<'_>, id: Uuid, after: &Fields) -> Done {
    let mut select = Scoped::writing(ledger.scope, &CATEGORIES)?.select("categories");
    let name = text::fold(after.get("name").and_then(Value::as_str).unwrap_or_default());
    select.column("id").and_where(Expr::col("search_text").eq(name)).and_where(Expr::col("id").ne(id));
    match ledger.write.query_one(&select).await.db()? {
        Some(_) => Err(Error::NameTaken { what: "category", field: "name" }.into()),
        None => Ok(()),
    }
}

/// One rate between two currencies begins on a day.
async fn free_day(ledger: &Ledger<'_>, kind: &'static Kind, id: Uuid, after: &Fields) -> Done {
    if after.get("currency") == after.get("in_currency") {
        let message = "must be another currency than the first";
        return Err(Error::Invalid(Invalid::new("in_currency", message)).into());
    }
    let mut select = Scoped::writing(ledger.scope, kind)?.select(kind.name);
    select.column("id").and_where(Expr::col("id").ne(id));
    for field in
        kind.fields.iter().filter(|field| ["currency", "in_currency", "valid_from"].contains(&field.name))
    {
        select.and_where(Expr::col(field.name).eq(super::values::to_sql(field, &after[field.name])));
    }
    match ledger.write.query_one(&select).await.db()? {
        Some(_) => {
            let message = "has a rate between these currencies already: change that one";
            Err(Error::Invalid(Invalid::new("valid_from", message)).into())
        }
        None => Ok(()),
    }
}

fn budget(after: &Fields) -> Done {
    if amount(after) <= 0 {
        return Err(Error::Invalid(Invalid::new("amount", "must be more than 0")).into());
    }
    in_order(after, "starts_on", "ends_on")
}

async fn goal(ledger: &Ledger<'_>, after: &Fields) -> Done {
    if after.get("target_amount").and_then(Value::as_i64).is_none_or(|target| target <= 0) {
        return Err(Error::Invalid(Invalid::new("target_amount", "must be more than 0")).into());
    }
    in_order(after, "starts_on", "target_on")?;
    let Some(account) = after.get("account_id").and_then(check::id) else { return Ok(()) };
    let currency = account_currency(ledger, account).await?;
    if after.get("currency") != Some(&currency) {
        let currency = currency.as_str().unwrap_or_default().to_owned();
        let message = format!("must be {currency}, as its account has");
        return Err(Error::Invalid(Invalid::new("currency", message)).into());
    }
    Ok(())
}

fn in_order(after: &Fields, first: &str, last: &'static str) -> Done {
    let day = |name: &str| after.get(name).and_then(Value::as_str);
    match (day(first), day(last)) {
        (Some(begin), Some(end)) if begin > end => {
            Err(Error::Invalid(Invalid::new(last, format!("must not be before {first}"))).into())
        }
        _ => Ok(()),
    }
}

/// Refuses to delete what other rows refer to, and says what those are.
pub async fn may_go(ledger: &Ledger<'_>, kind: &'static Kind, row: &Record) -> Done {
    let scoped = Scoped::writing(ledger.scope, kind)?;
    let by = |table: &'static str, column: &'static str| {
        let mut select = scoped.select(table);
        select.and_where(Expr::col((table, column)).eq(row.id));
        select
    };
    let live = |mut select: SelectStatement| {
        select.and_where(Expr::col(("transactions", "deleted_at")).is_null());
        select
    };
    let (uses, instead): (Vec<(SelectStatement, &Kind)>, &str) = match kind.name {
        // Also deleted ones: they are kept, so that an import does not bring them back.
        "accounts" => (
            vec![(by("transactions", "account_id"), &TRANSACTIONS), (by("goals", "account_id"), &GOALS)],
            "Close it instead (is_closed), or remove those first; transactions that were deleted are kept, and count.",
        ),
        "categories" => (
            vec![
                (live(by("transactions", "category_id")), &TRANSACTIONS),
                (by("transaction_splits", "category_id"), &TRANSACTIONS),
                (by("category_rules", "category_id"), &CATEGORY_RULES),
                (by("budgets", "category_id"), &BUDGETS),
            ],
            "Give those another category first.",
        ),
        "companies" => (sales::uses_of_company(by), "Give those another company first."),
        _ => return Ok(()),
    };
    let mut found = Vec::new();
    for (select, other) in uses {
        let count = ledger.write.query_one(&scoped.count_to(select, COUNTED)).await.db()?;
        let count: i64 = count.map_or(Ok(0), |row| row.try_get("", "number").db())?;
        if count > 0 {
            let more = if count.unsigned_abs() == COUNTED { "or more " } else { "" };
            let them = if count == 1 { other.one.to_owned() } else { other.label.to_lowercase() };
            found.push(format!("{count} {more}{them}"));
        }
    }
    match found.is_empty() {
        true => Ok(()),
        false => Err(EffectRefused::NotNow(format!(
            "This {} can't be deleted: it is used by {}. {instead}",
            kind.one,
            found.join(", ")
        ))),
    }
}
