//! The changes of `manageTransactions`, each one write of the store.

use baton_core::data::kinds::{CATEGORY_RULES, TRANSACTIONS};
use baton_core::data::money::{CategoryRule, Part, Transfer, Which, by_rule};
use baton_core::data::rows::{Change, Filter, MAX_CHANGES, MAX_PAGE, Row, RowChange, RowQuery, Test};
use baton_core::effects::SeenRow;
use baton_core::reports::MoneyBook;
use baton_core::store::Split;
use baton_core::text::fold;
use baton_core::tools::{Preview, PreviewChange, ToolFailure};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::asked::{Action, Asked, Chosen, PartAsked};
use super::reading::{Fitting, currency};
use crate::finance::arguments::{amount_text, failure};
use crate::finance::desk::{Desk, answered};
use crate::finance::fields::minor;
use crate::finance::{names, preview, told};

/// How many transactions without a category a new rule is tried on.
const TRIED: usize = 5_000;

pub async fn categorise(desk: &Desk<'_>, category: String, which: Chosen) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let id = Some(names::category_or_none(&book, &category)?).filter(|id| !id.is_nil());
    let which = match which {
        Chosen::These(ids) => Which::These(ids),
        Chosen::Rule(text) => {
            let id = id.ok_or_else(|| failure("A rule gives a category: name one."))?;
            return by_new_rule(desk, &text, id).await;
        }
        Chosen::Fitting { asked, count } => {
            let fitting = undivided(desk, &book, &asked)?;
            Which::Fitting { filters: fitting.filters, search: fitting.search, count: Some(count) }
        }
    };
    let money = &desk.store.money;
    let outcome =
        desk.write(|once, author| money.categorise(once, desk.scope, author, which.clone(), id)).await?;
    let name = id.map_or("no category", |id| book.category_name(id));
    Ok(answered(outcome, |changed| format!("{} now in {name}.", told::count(changed, "transaction"))))
}

/// Transactions without a category that hold a text, the newest first, and whether there may be more.
async fn fitting_rule(desk: &Desk<'_>, text: &str) -> Result<(Vec<Row>, bool), ToolFailure> {
    let rules = [CategoryRule { text: fold(text), category_id: Uuid::nil() }];
    let (mut fitting, mut tried, mut cursor) = (Vec::new(), 0, None);
    loop {
        let without = [("category_id", Test::IsNull), ("is_split", Test::Is(false.into()))];
        let filters = without.map(|(field, test)| Filter { field, test }).to_vec();
        let page = desk
            .rows(&TRANSACTIONS, RowQuery { filters, limit: MAX_PAGE, cursor, ..RowQuery::default() })
            .await?;
        tried += page.rows.len();
        fitting.extend(page.rows.into_iter().filter(|row| by_rule(&rules, &row.fields).is_some()));
        cursor = page.next_cursor;
        if cursor.is_none() || tried >= TRIED || fitting.len() >= MAX_CHANGES {
            break;
        }
    }
    let is_cut = cursor.is_some() || fitting.len() >= MAX_CHANGES;
    fitting.truncate(MAX_CHANGES - 1);
    Ok((fitting, is_cut))
}

/// Makes a rule, and gives its category to transactions that have none, in one write.
async fn by_new_rule(desk: &Desk<'_>, text: &str, category: Uuid) -> Result<Value, ToolFailure> {
    let (fitting, is_cut) = fitting_rule(desk, text).await?;
    let rule = json!({"text": text, "category_id": category.to_string()});
    let mut changes = vec![RowChange {
        kind: &CATEGORY_RULES,
        change: Change::Create { id: Uuid::now_v7(), fields: object(rule) },
    }];
    changes.extend(fitting.iter().map(|row| set(row, json!({"category_id": category.to_string()}))));
    let outcome = desk.change(changes).await?;
    let mut told = answered(outcome, |changed| {
        format!(
            "The rule for {text:?} is made, and {} got its category.",
            told::count(changed - 1, "transaction")
        )
    });
    if is_cut {
        told["more"] =
            "There may be older ones that fit: categorise again with the same rule's words as a filter."
                .into();
    }
    Ok(told)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn set(row: &Row, fields: Value) -> RowChange {
    let change = Change::Set { id: row.id, seen: Some(row.version), fields: object(fields) };
    RowChange { kind: &TRANSACTIONS, change }
}

pub async fn annotate(desk: &Desk<'_>, ids: Vec<Uuid>, note: Option<String>) -> Result<Value, ToolFailure> {
    let note = note.map_or(Value::Null, Value::from);
    let change = |id: &Uuid| RowChange {
        kind: &TRANSACTIONS,
        change: Change::Set { id: *id, seen: None, fields: object(json!({"notes": note})) },
    };
    let outcome = desk.change(ids.iter().map(change).collect()).await?;
    Ok(answered(outcome, |changed| format!("{} annotated.", told::count(changed, "transaction"))))
}

pub async fn split(desk: &Desk<'_>, id: Uuid, parts: Vec<PartAsked>) -> Result<Value, ToolFailure> {
    let book = desk.book().await?;
    let row = desk.row(&TRANSACTIONS, id).await?;
    let currency = currency(&row).ok_or_else(|| failure("This transaction has no currency."))?;
    let part = |part: &PartAsked| {
        let category_id =
            part.category.as_deref().map(|wanted| names::category(&book, wanted)).transpose()?;
        Ok(Part { category_id, amount: minor("amount", &part.amount, currency)?, memo: part.memo.clone() })
    };
    let parts = parts.iter().map(part).collect::<Result<Vec<_>, ToolFailure>>()?;
    let whole = row.fields.get("amount").and_then(Value::as_i64).unwrap_or_default();
    let sum: i128 = parts.iter().map(|part| i128::from(part.amount)).sum();
    if !parts.is_empty() && sum != i128::from(whole) {
        let format = |minor: i64| baton_core::money::format(minor, currency);
        let sum = i64::try_from(sum).map_or_else(|_| "far more".to_owned(), format);
        return Err(failure(format!("The parts add up to {sum}, and the transaction is {}.", format(whole))));
    }
    let split = Split { transaction: id, seen: Some(row.version), parts };
    let money = &desk.store.money;
    let outcome =
        desk.write(|once, author| money.split_transaction(once, desk.scope, author, split.clone())).await?;
    let done = if split.parts.is_empty() {
        "The transaction is undivided again."
    } else {
        "The transaction is split."
    };
    Ok(answered(outcome, |_| done.to_owned()))
}

pub async fn transfer(desk: &Desk<'_>, transfer: Transfer) -> Result<Value, ToolFailure> {
    let money = &desk.store.money;
    let outcome = desk.write(|once, author| money.mark_transfer(once, desk.scope, author, transfer)).await?;
    Ok(answered(outcome, |_| "Marked as a transfer: it counts as neither income nor spending.".to_owned()))
}

pub async fn unmark(desk: &Desk<'_>, id: Uuid) -> Result<Value, ToolFailure> {
    let money = &desk.store.money;
    let outcome = desk.write(|once, author| money.unmark_transfer(once, desk.scope, author, id)).await?;
    Ok(answered(outcome, |_| "No longer a transfer: it counts again.".to_owned()))
}

/// How many of those that fit a filter are read to be shown.
const FITTING_SEEN: usize = 200;

/// What a call would change.
pub async fn preview(desk: &Desk<'_>, action: Action) -> Option<Preview> {
    let book = desk.book().await.ok()?;
    match action {
        Action::Categorise { category, which } => categorised(desk, &book, &category, which).await,
        Action::Annotate { ids, note } => {
            let number = told::count(i64::try_from(ids.len()).unwrap_or(i64::MAX), "transaction");
            let change = |row: &Row| PreviewChange {
                what: preview::transaction(row),
                field: "Notes".to_owned(),
                old: row.fields.get("notes").and_then(Value::as_str).map(str::to_owned),
                new: note.clone(),
            };
            let rows = these(desk, &ids).await?;
            let changes = rows.iter().map(change).collect();
            let sentence = format!("Write a note on {number}.");
            Some(Preview { sentence, changes, more: 0, seen: seen(&rows) })
        }
        Action::Split { id, parts } => {
            let row = desk.row(&TRANSACTIONS, id).await.ok()?;
            let what = preview::transaction(&row);
            let part = |part: &PartAsked| {
                let category = part.category.as_deref().unwrap_or("Without category");
                let new = Some(format!("{category}: {}", amount_text(&part.amount).unwrap_or_default()));
                PreviewChange { what: what.clone(), field: "Part".to_owned(), old: None, new }
            };
            let sentence = match parts.len() {
                0 => format!("Make {what} undivided again."),
                number => format!("Divide {what} into {number} parts."),
            };
            let changes = parts.iter().map(part).collect();
            Some(Preview { sentence, changes, more: 0, seen: seen(&[row]) })
        }
        Action::Transfer(transfer) => {
            let ids = match transfer {
                Transfer::Pair(one, other) => vec![one, other],
                Transfer::OneSide(one) => vec![one],
            };
            let change = |row: &Row| PreviewChange {
                what: preview::transaction(row),
                field: "Transfer".to_owned(),
                old: Some("no".to_owned()),
                new: Some("yes".to_owned()),
            };
            let rows = these(desk, &ids).await?;
            let changes = rows.iter().map(change).collect();
            let sentence = "Mark as a transfer between own accounts: neither income nor spending.".to_owned();
            Some(Preview { sentence, changes, more: 0, seen: seen(&rows) })
        }
        Action::Unmark(id) => {
            let row = desk.row(&TRANSACTIONS, id).await.ok()?;
            let sentence = format!("Count {} again: it is no transfer.", preview::transaction(&row));
            Some(Preview { sentence, changes: Vec::new(), more: 0, seen: seen(&[row]) })
        }
        Action::Query(_)
        | Action::Sum { .. }
        | Action::CashFlow(_)
        | Action::Biggest(_)
        | Action::Check(_) => None,
    }
}

/// What a filter of `categorise` is about: divided transactions have their categories in their parts.
fn undivided(desk: &Desk<'_>, book: &MoneyBook, asked: &Asked) -> Result<Fitting, ToolFailure> {
    let mut fitting = Fitting::find(desk, book, asked)?;
    fitting.filters.push(Filter { field: "is_split", test: Test::Is(false.into()) });
    Ok(fitting)
}

async fn categorised(desk: &Desk<'_>, book: &MoneyBook, category: &str, which: Chosen) -> Option<Preview> {
    let id = names::category_or_none(book, category).ok()?;
    let new = (!id.is_nil()).then(|| book.category_name(id).to_owned());
    let name = new.clone().unwrap_or("no category".to_owned());
    let (rows, all, rule) = match which {
        Chosen::These(ids) => (these(desk, &ids).await?, ids.len() as u64, None),
        Chosen::Fitting { asked, count } => {
            let fitting = undivided(desk, book, &asked).ok()?;
            (desk.rows(&TRANSACTIONS, fitting.query(FITTING_SEEN)).await.ok()?.rows, count, None)
        }
        Chosen::Rule(text) => {
            let (rows, _) = fitting_rule(desk, &text).await.ok()?;
            let all = rows.len() as u64;
            (rows, all, Some(text))
        }
    };
    let number = told::count(i64::try_from(all).unwrap_or(i64::MAX), "transaction");
    let sentence = match rule {
        Some(text) => format!(
            "Make a rule: what holds {text:?} in payee or memo gets the category {name}, now ({number}) and when it is \
             imported later."
        ),
        None => format!("Put {number} into {name}."),
    };
    let change = |row: &Row| PreviewChange {
        what: preview::transaction(row),
        field: "Category".to_owned(),
        old: row.titles.get("category").and_then(Value::as_str).map(str::to_owned),
        new: new.clone(),
    };
    let changes: Vec<PreviewChange> = rows.iter().map(change).collect();
    let more = all.saturating_sub(changes.len() as u64);
    Some(Preview { sentence, changes, more, seen: seen(&rows) })
}

/// These transactions; none if one of them is not there, which the call then says.
async fn these(desk: &Desk<'_>, ids: &[Uuid]) -> Option<Vec<Row>> {
    let rows = futures::future::try_join_all(ids.iter().map(|id| desk.row(&TRANSACTIONS, *id)));
    rows.await.ok()
}

fn seen(rows: &[Row]) -> Vec<SeenRow> {
    rows.iter().map(|row| row.seen(&TRANSACTIONS)).collect()
}
