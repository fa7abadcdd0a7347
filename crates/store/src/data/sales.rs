//! What is done with contacts and deals beyond reading and setting their fields: two contacts become one, a pipeline is added up.

use async_trait::async_trait;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACTIVITIES, CONTACTS, DEALS};
use baton_core::data::rows::{Author, DataScope, Filter, Once};
use baton_core::data::sales::{ContactMerge, DealStage, HistoryPage, PipelineSum, Stage, filled};
use baton_core::effects::EffectRefused;
use baton_core::money::Currency;
use baton_core::store::{Error, Result, Sales, Written};
use baton_core::text::{self, Invalid};
use futures::FutureExt;
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use uuid::Uuid;

use super::ledger::Ledger;
use super::scoped::Scoped;
use super::{Record, history, list, records, stages};
use crate::connect::SqlStore;
use crate::db::{OrStoreError, stored};
use crate::write::Write;

/// The most deals or activities that one merge moves.
const MOST_MOVED: u64 = 10_000;
/// How often one contact after the other may have been merged into the next.
const MOST_MERGES: usize = 20;

#[async_trait]
impl Sales for SqlStore {
    async fn contacts_of(&self, scope: DataScope, emails: Vec<String>) -> Result<Vec<(String, Uuid)>> {
        let scoped = Scoped::reading(scope, &CONTACTS)?;
        let mut asked: Vec<String> = emails.iter().map(|email| text::email_key(email)).collect();
        asked.sort_unstable();
        asked.dedup();
        let mut live = scoped.select("contacts");
        live.columns(["email", "id"])
            .and_where(Expr::col("email").is_in(asked.iter().cloned()))
            .and_where(Expr::col("deleted_at").is_null());
        let mut found = Vec::new();
        for row in self.db.query_all(&live).await.db()? {
            let email: String = row.try_get("", "email").db()?;
            asked.retain(|asked| *asked != email);
            found.push((email, row.try_get("", "id").db()?));
        }
        if asked.is_empty() {
            return Ok(found);
        }
        let mut merged = scoped.select("contacts");
        merged
            .columns(["email", "merged_into"])
            .and_where(Expr::col("email").is_in(asked))
            .and_where(Expr::col("merged_into").is_not_null())
            .order_by("id", Order::Asc);
        for row in self.db.query_all(&merged).await.db()? {
            let (email, into): (String, Uuid) =
                (row.try_get("", "email").db()?, row.try_get("", "merged_into").db()?);
            // Several that were merged may have had this address: they lead to the same one.
            if found.iter().any(|(known, _)| *known == email) {
                continue;
            }
            if let Some(id) = self.survivor(scoped, into).await? {
                found.push((email, id));
            }
        }
        Ok(found)
    }

    async fn merge_contacts(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        asked: ContactMerge,
    ) -> Written {
        let done = once.clone();
        self.once(once, move |write| merge(write, done.clone(), scope, author, asked).boxed()).await
    }

    async fn contact_history(
        &self,
        scope: DataScope,
        contact: Uuid,
        limit: u64,
        cursor: Option<String>,
    ) -> Result<HistoryPage> {
        history::page(&self.db, scope, contact, limit, cursor).await
    }

    async fn deal_stages(&self, scope: DataScope, deal: Uuid) -> Result<Vec<DealStage>> {
        let scoped = Scoped::reading(scope, &DEALS)?;
        let found = stages::of_deals(&self.db, scoped, &[deal]).await?;
        if found.is_empty() { Err(Error::NotFound(DEALS.one)) } else { Ok(found) }
    }

    async fn pipeline(&self, scope: DataScope, filters: Vec<Filter>) -> Result<Vec<PipelineSum>> {
        let scoped = Scoped::reading(scope, &DEALS)?;
        let mut select = list::fit(scoped.select(DEALS.name), &DEALS, &filters)?;
        let usual: Vec<String> = Stage::ALL
            .iter()
            .map(|stage| format!("WHEN stage = '{stage}' THEN {}", stage.probability()))
            .collect();
        let weighted = format!(
            "CAST(SUM((amount * COALESCE(probability, CASE {} END) + 50) / 100) AS BIGINT)",
            usual.join(" ")
        );
        select
            .columns(["stage", "currency"])
            .expr_as(Expr::cust("COUNT(*)"), "deals")
            .expr_as(Expr::cust("CAST(SUM(amount) AS BIGINT)"), "amount")
            .expr_as(Expr::cust(weighted), "weighted")
            .group_by_columns(["stage", "currency"]);
        let mut sums = Vec::new();
        for row in self.db.query_all(&select).await.db()? {
            let currency: String = row.try_get("", "currency").db()?;
            let Some(currency) = Currency::parse(&currency) else { continue };
            sums.push(PipelineSum {
                stage: stored("stage", &row.try_get::<String>("", "stage").db()?)?,
                currency,
                deals: row.try_get::<i64>("", "deals").db()?.unsigned_abs(),
                amount: row.try_get("", "amount").db()?,
                weighted: row.try_get("", "weighted").db()?,
            });
        }
        sums.sort_by_key(|sum| (sum.stage, sum.currency));
        Ok(sums)
    }
}

impl SqlStore {
    /// The contact that one was merged into, however often, if it is still there.
    async fn survivor(&self, scoped: Scoped, mut id: Uuid) -> Result<Option<Uuid>> {
        for _ in 0..MOST_MERGES {
            let Some(found) = records(&self.db, scoped, &CONTACTS, &[id]).await?.pop() else { break };
            if !found.is_deleted {
                return Ok(Some(id));
            }
            let into = found.fields.get("merged_into").and_then(baton_core::data::check::id);
            let Some(into) = into else { break };
            id = into;
        }
        Ok(None)
    }
}

async fn merge(write: &Write, once: Once, scope: DataScope, author: Author, asked: ContactMerge) -> Written {
    if asked.kept == asked.merged {
        let message = "must be another contact than the one that stays";
        return Err(Error::Invalid(Invalid::new("merged", message)).into());
    }
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    ledger.as_one();
    let kept = ledger.there(&CONTACTS, asked.kept, None).await?;
    let merged = ledger.there(&CONTACTS, asked.merged, None).await?;
    let fills = filled(&CONTACTS, &kept.fields, &merged.fields);
    // In this order, as it is taken back in the other: rows name a contact that is there, and no two have one e-mail.
    for kind in [&DEALS, &ACTIVITIES] {
        let moved = of_contact(&ledger, kind, asked.merged).await?;
        ledger.set_alike(kind, moved, "contact_id", asked.kept.to_string().into()).await?;
    }
    ledger.delete(&CONTACTS, merged, None).await?;
    let mut update = Scoped::writing(scope, &CONTACTS)?.update(CONTACTS.name);
    update.and_where(Expr::col((CONTACTS.name, "id")).eq(asked.merged)).value("merged_into", asked.kept);
    write.execute(&update).await.db()?;
    let mut after = kept.fields.clone();
    after.extend(fills);
    ledger.set(&CONTACTS, kept, after, None).await?;
    ledger.close(&once).await
}

async fn of_contact(
    ledger: &Ledger<'_>,
    kind: &'static Kind,
    contact: Uuid,
) -> std::result::Result<Vec<Record>, EffectRefused> {
    let scoped = Scoped::writing(ledger.scope, kind)?;
    let mut select = scoped.select(kind.name);
    select.column("id").and_where(Expr::col("contact_id").eq(contact)).limit(MOST_MOVED + 1);
    if kind.keeps_deleted {
        select.and_where(Expr::col("deleted_at").is_null());
    }
    let found = ledger.write.query_all(&select).await.db()?;
    if found.len() as u64 > MOST_MOVED {
        return Err(EffectRefused::NotNow(format!(
            "This contact has more than {MOST_MOVED} {}: that is too much to move at once.",
            kind.label.to_lowercase()
        )));
    }
    let ids = found.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
    Ok(records(&**ledger.write, scoped, kind, &ids).await?)
}
