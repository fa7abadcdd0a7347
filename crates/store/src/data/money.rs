//! What is done with transactions beyond setting their fields: parts, transfers, categories for many.

use async_trait::async_trait;
use baton_core::data::check::{self, Fields};
use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, CATEGORY_RULES, TRANSACTIONS};
use baton_core::data::money::{
    Candidate, CategoryRule, MAX_CATEGORISED, OwnAccount, Transfer, TransferProposal, Which, by_rule,
    check_pair, propose, split,
};
use baton_core::data::rows::{Author, DataScope, Once};
use baton_core::effects::EffectRefused;
use baton_core::store::{Error, MoneyRows, Result, Split, Written};
use baton_core::text::{self, Invalid};
use chrono::NaiveDate;
use futures::FutureExt;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::fitting::{Fitting, newest_first, undivided};
use super::ledger::Ledger;
use super::scoped::Scoped;
use super::{Record, records};
use crate::connect::SqlStore;
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::write::Write;

const TABLE: &str = "transactions";
/// How many transactions are looked through for transfers, the latest.
const LOOKED_AT: u64 = 5_000;
/// How many without a category are looked through for rules that fit, and how many at a time.
const MOST_WITHOUT: u64 = 100_000;
const AT_A_TIME: u64 = 2_000;

#[async_trait]
impl MoneyRows for SqlStore {
    async fn split_transaction(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        asked: Split,
    ) -> Written {
        let done = once.clone();
        self.once(once, move |write| split_one(write, done.clone(), scope, author, asked.clone()).boxed())
            .await
    }

    async fn mark_transfer(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        transfer: Transfer,
    ) -> Written {
        let done = once.clone();
        self.once(once, move |write| mark(write, done.clone(), scope, author, transfer).boxed()).await
    }

    async fn unmark_transfer(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        transaction: Uuid,
    ) -> Written {
        let done = once.clone();
        self.once(once, move |write| unmark(write, done.clone(), scope, author, transaction).boxed()).await
    }

    async fn propose_transfers(&self, scope: DataScope, limit: u64) -> Result<Vec<TransferProposal>> {
        let scoped = Scoped::reading(scope, &TRANSACTIONS)?;
        let mut select = payments(scoped);
        select
            .columns(["id", "account_id", "booked_on", "amount", "currency", "counterparty_iban"])
            .and_where(Expr::col((TABLE, "status")).eq(Expr::cust("'booked'")))
            .limit(LOOKED_AT);
        let mut candidates = Vec::new();
        for row in self.db.query_all(&select).await.db()? {
            candidates.push(Candidate {
                id: row.try_get("", "id").db()?,
                account_id: row.try_get("", "account_id").db()?,
                booked_on: row.try_get::<NaiveDate>("", "booked_on").db()?,
                amount: row.try_get("", "amount").db()?,
                currency: row.try_get("", "currency").db()?,
                counterparty: row.try_get("", "counterparty_iban").db()?,
            });
        }
        let mut select = Scoped::reading(scope, &ACCOUNTS)?.select("accounts");
        select.columns(["id", "number"]);
        let mut own = Vec::new();
        for row in self.db.query_all(&select).await.db()? {
            own.push(OwnAccount { id: row.try_get("", "id").db()?, number: row.try_get("", "number").db()? });
        }
        let mut proposed = propose(&candidates, &own);
        proposed.truncate(limit as usize);
        Ok(proposed)
    }

    async fn categorise(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        which: Which,
        category: Option<Uuid>,
    ) -> Written {
        if let Which::These(ids) = &which
            && (ids.len() as u64 > MAX_CATEGORISED || ids.is_empty())
        {
            let message = format!("must be 1 to {MAX_CATEGORISED}");
            return Err(Error::Invalid(Invalid::new("ids", message)).into());
        }
        let done = once.clone();
        self.once(once, move |write| {
            categorise(write, done.clone(), scope, author, which.clone(), category).boxed()
        })
        .await
    }

    async fn apply_category_rules(&self, once: &Once, scope: DataScope, author: Author) -> Written {
        let scoped = Scoped::writing(scope, &TRANSACTIONS)?;
        let rules = rules(&self.db, Scoped::reading(scope, &CATEGORY_RULES)?).await?;
        let mut fitting: Vec<(Uuid, Uuid)> = Vec::new();
        let (mut looked_at, mut last) = (0, None);
        let mut has_more = false;
        while !has_more {
            let mut select = payments(scoped);
            select
                .columns(["id", "booked_on", "payee", "memo"])
                .and_where(Expr::col("category_id").is_null())
                .and_where(undivided())
                .limit(AT_A_TIME);
            if let Some((day, id)) = last {
                let here = Expr::tuple([Expr::col((TABLE, "booked_on")), Expr::col((TABLE, "id"))]);
                select.and_where(here.lt(Expr::tuple([Expr::val(day), Expr::val(id)])));
            }
            let page = self.db.query_all(&select).await.db()?;
            for row in &page {
                let text =
                    |name: &str| Ok::<Value, Error>(row.try_get::<Option<String>>("", name).db()?.into());
                let id: Uuid = row.try_get("", "id").db()?;
                last = Some((row.try_get::<NaiveDate>("", "booked_on").db()?, id));
                let fields = Map::from_iter([
                    ("payee".to_owned(), text("payee")?),
                    ("memo".to_owned(), text("memo")?),
                ]);
                if let Some(category) = by_rule(&rules, &fields) {
                    fitting.push((id, category));
                }
            }
            looked_at += page.len() as u64;
            if (page.len() as u64) < AT_A_TIME {
                break;
            }
            has_more = fitting.len() as u64 > MAX_CATEGORISED || looked_at >= MOST_WITHOUT;
        }
        has_more |= fitting.len() as u64 > MAX_CATEGORISED;
        fitting.truncate(MAX_CATEGORISED as usize);
        let done = once.clone();
        self.once(once, move |write| {
            by_rules(write, done.clone(), scope, author, fitting.clone(), (looked_at, has_more)).boxed()
        })
        .await
    }
}

/// Transactions that could be income or spending, the latest first.
fn payments(scoped: Scoped) -> SelectStatement {
    let mut select = scoped.select(TABLE);
    select
        .and_where(Expr::col((TABLE, "deleted_at")).is_null())
        .and_where(Expr::col((TABLE, "transfer_id")).is_null())
        .and_where(Expr::col((TABLE, "activity")).eq(Expr::cust("'payment'")));
    newest_first(&mut select);
    select
}

async fn rules(db: &Db, scoped: Scoped) -> Result<Vec<CategoryRule>> {
    let mut select = scoped.select("category_rules");
    select.columns(["text", "category_id"]).order_by("position", Order::Asc).order_by("id", Order::Asc);
    let rule = |row: &sea_orm::QueryResult| {
        Ok(CategoryRule {
            text: text::fold(&row.try_get::<String>("", "text").db()?),
            category_id: row.try_get("", "category_id").db()?,
        })
    };
    db.query_all(&select).await.db()?.iter().map(rule).collect()
}

async fn split_one(write: &Write, once: Once, scope: DataScope, author: Author, asked: Split) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    let before = ledger.there(&TRANSACTIONS, asked.transaction, asked.seen).await?;
    let after = split(&before.fields, asked.parts).map_err(Error::Invalid)?;
    ledger.set(&TRANSACTIONS, before, after, None).await?;
    ledger.close(&once).await
}

async fn mark(write: &Write, once: Once, scope: DataScope, author: Author, transfer: Transfer) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    let sides = match transfer {
        Transfer::Pair(one, other) if one == other => {
            return Err(EffectRefused::NotNow(
                "A transfer has two sides: both are the same transaction.".to_owned(),
            ));
        }
        Transfer::Pair(one, other) => {
            let one = ledger.there(&TRANSACTIONS, one, None).await?;
            let other = ledger.there(&TRANSACTIONS, other, None).await?;
            check_pair(&one.fields, &other.fields).map_err(EffectRefused::NotNow)?;
            vec![one, other]
        }
        Transfer::OneSide(one) => vec![ledger.there(&TRANSACTIONS, one, None).await?],
    };
    let id = Uuid::now_v7().to_string();
    for side in sides {
        if transfer_of(&side.fields).is_some() {
            return Err(EffectRefused::NotNow(format!(
                "The transaction {} is a transfer already: unmark it first.",
                side.id
            )));
        }
        let after = with(&side.fields, "transfer_id", id.clone().into());
        ledger.set(&TRANSACTIONS, side, after, None).await?;
    }
    ledger.close(&once).await
}

async fn unmark(write: &Write, once: Once, scope: DataScope, author: Author, transaction: Uuid) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    let named = ledger.there(&TRANSACTIONS, transaction, None).await?;
    let Some(transfer) = transfer_of(&named.fields) else {
        return Err(EffectRefused::NotNow("This transaction is not marked as a transfer.".to_owned()));
    };
    let scoped = Scoped::writing(scope, &TRANSACTIONS)?;
    let mut select = scoped.select(TABLE);
    select.column("id").and_where(Expr::col((TABLE, "transfer_id")).eq(transfer));
    let found = write.query_all(&select).await.db()?;
    let ids = found.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
    for side in records(&**write, scoped, &TRANSACTIONS, &ids).await? {
        if !side.is_deleted {
            let after = with(&side.fields, "transfer_id", Value::Null);
            ledger.set(&TRANSACTIONS, side, after, None).await?;
        }
    }
    ledger.close(&once).await
}

async fn categorise(
    write: &Write,
    once: Once,
    scope: DataScope,
    author: Author,
    which: Which,
    category: Option<Uuid>,
) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    // Only here: what comes again finds the outcome of the first time, and nothing that fits any more.
    let (ids, has_more) = match which {
        Which::These(ids) => (ids, false),
        Which::Fitting { filters, search, count } => {
            let fitting = Fitting::find(&ledger, &filters, search.as_deref()).await?;
            if let Some(count) = count {
                fitting.check(&ledger, &filters, count).await?;
            }
            fitting.with_another_category(&ledger, category).await?
        }
    };
    if let Some(category) = category
        && ledger.find(&CATEGORIES, category).await?.is_none()
    {
        let message = "names no category of this workspace";
        return Err(Error::Invalid(Invalid::new("category_id", message)).into());
    }
    let found = live(&ledger, &ids).await?;
    if found.len() < ids.len() {
        return Err(Error::NotFound(TRANSACTIONS.one).into());
    }
    if let Some(divided) = found.iter().find(|row| is_split(row)) {
        return Err(EffectRefused::NotNow(format!(
            "The transaction {} is split: its parts have the categories. Change those, or undo the split first.",
            divided.id
        )));
    }
    set_category(&mut ledger, found, category).await?;
    ledger.close_with(&once, Map::from_iter([("more".to_owned(), has_more.into())])).await
}

async fn by_rules(
    write: &Write,
    once: Once,
    scope: DataScope,
    author: Author,
    fitting: Vec<(Uuid, Uuid)>,
    (looked_at, has_more): (u64, bool),
) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    let ids: Vec<Uuid> = fitting.iter().map(|(id, _)| *id).collect();
    // What was read without a lock may have changed.
    let mut found = live(&ledger, &ids).await?;
    found.retain(|row| row.fields.get("category_id").is_some_and(Value::is_null) && !is_split(row));
    let mut categories: Vec<Uuid> = fitting.iter().map(|(_, category)| *category).collect();
    categories.sort_unstable();
    categories.dedup();
    for category in categories {
        if ledger.find(&CATEGORIES, category).await?.is_none() {
            continue;
        }
        let its = |row: &&Record| fitting.contains(&(row.id, category));
        let rows: Vec<Record> = found.iter().filter(its).cloned().collect();
        set_category(&mut ledger, rows, Some(category)).await?;
    }
    let said = json!({ "looked_at": looked_at, "more": has_more });
    let said = said.as_object().cloned().unwrap_or_default();
    ledger.close_with(&once, said).await
}

async fn live(ledger: &Ledger<'_>, ids: &[Uuid]) -> Result<Vec<Record>> {
    let scoped = Scoped::writing(ledger.scope, &TRANSACTIONS)?;
    let mut found = records(&**ledger.write, scoped, &TRANSACTIONS, ids).await?;
    found.retain(|row| !row.is_deleted);
    Ok(found)
}

async fn set_category(
    ledger: &mut Ledger<'_>,
    mut rows: Vec<Record>,
    category: Option<Uuid>,
) -> std::result::Result<(), EffectRefused> {
    let category: Value = category.map(|id| id.to_string()).into();
    rows.retain(|row| row.fields.get("category_id") != Some(&category));
    ledger.set_alike(&TRANSACTIONS, rows, "category_id", category).await
}

fn is_split(row: &Record) -> bool {
    row.fields.get("is_split") == Some(&Value::Bool(true))
}

fn transfer_of(fields: &Fields) -> Option<Uuid> {
    fields.get("transfer_id").and_then(check::id)
}

fn with(fields: &Fields, name: &str, value: Value) -> Fields {
    let mut fields = fields.clone();
    fields.insert(name.to_owned(), value);
    fields
}
