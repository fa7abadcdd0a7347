//! What a call works with: the workspace's customers as its person may see them, and the one way to change them.

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACCOUNTS, CONTACTS};
use baton_core::data::rows::{Author, DataScope, Filter, Once, Row, RowChange, RowPage, RowQuery, Test};
use baton_core::data::sales::{self, ContactMerge, PipelineSum};
use baton_core::days;
use baton_core::ids::ProfileId;
use baton_core::money::Currency;
use baton_core::text;
use baton_core::tools::{ToolAnswer, ToolContext, ToolFailure};
use baton_core::workspaces::Member;
use chrono::{NaiveDate, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::SalesStore;
use crate::arguments::store_failure;
use crate::finance::arguments::failure;
use crate::finance::names;
use crate::outage::{once, patiently};

/// How many rows are looked at for a name.
const LOOKED_AT: u64 = 30;

pub struct Desk<'a> {
    pub store: &'a SalesStore,
    pub scope: DataScope,
    author: Author,
    once: Once,
    pub today: NaiveDate,
}

/// A row with the kind that it is of.
pub struct Found {
    pub kind: &'static Kind,
    pub row: Row,
}

impl<'a> Desk<'a> {
    /// Refuses people who may not do what the call needs.
    pub fn open(
        store: &'a SalesStore,
        context: &ToolContext,
        least: AreaAccess,
    ) -> Result<Self, ToolFailure> {
        let Some(profile_id) = context.person.profile_id() else {
            return Err(failure("Customers are only for people who are signed in."));
        };
        context.areas.check(Area::Sales, least).map_err(|refused| {
            let words = refused.to_string();
            failure(format!("{}{}.", words[..1].to_uppercase(), &words[1..]))
        })?;
        Ok(Self {
            store,
            scope: DataScope { workspace_id: context.workspace_id, areas: context.areas },
            author: context.author(profile_id),
            once: context.once.clone(),
            today: days::today(Utc::now(), &context.time_zone),
        })
    }

    pub fn person(&self) -> ProfileId {
        self.author.profile_id
    }

    pub async fn rows(&self, kind: &'static Kind, query: RowQuery) -> Result<RowPage, ToolFailure> {
        patiently(|| self.store.rows.rows(self.scope, kind, query.clone())).await.map_err(store_failure)
    }

    pub async fn pipeline(&self, filters: Vec<Filter>) -> Result<Vec<PipelineSum>, ToolFailure> {
        patiently(|| self.store.sales.pipeline(self.scope, filters.clone())).await.map_err(store_failure)
    }

    pub fn title(&self, found: &Found) -> String {
        title(found.kind, &found.row)
    }

    /// The row that a name means, or an id, an e-mail of a contact, a domain of a company.
    pub async fn find(&self, kind: Option<&'static Kind>, wanted: &str) -> Result<Found, ToolFailure> {
        let kind = kind.ok_or_else(|| failure("This can't be looked up."))?;
        if let Some(row) = self.by_key(kind, wanted).await? {
            return Ok(Found { kind, row });
        }
        let named = vec![Filter { field: kind.title, test: Test::Is(wanted.into()) }];
        let exact = match kind.field(kind.title).is_some_and(|field| field.is_filtered) {
            true => self.rows(kind, RowQuery { filters: named, limit: 2, ..RowQuery::default() }).await?.rows,
            false => Vec::new(),
        };
        if let [_] = &exact[..] {
            return Ok(Found { kind, row: exact.into_iter().next().ok_or_else(|| none(kind, wanted))? });
        }
        let query = RowQuery { search: Some(wanted.to_owned()), limit: LOOKED_AT, ..RowQuery::default() };
        let rows = self.rows(kind, query).await?.rows;
        if rows.is_empty() {
            return Err(none(kind, wanted));
        }
        let titles: Vec<(Uuid, String)> = rows.iter().map(|row| (row.id, title(kind, row))).collect();
        let id = names::resolve(kind.one, wanted, titles.iter().map(|(id, title)| (*id, title.as_str())))?;
        let row = rows.into_iter().find(|row| row.id == id);
        row.map(|row| Found { kind, row }).ok_or_else(|| none(kind, wanted))
    }

    /// The row with this id, e-mail or domain.
    pub async fn by_key(&self, kind: &'static Kind, wanted: &str) -> Result<Option<Row>, ToolFailure> {
        let id = match (wanted.trim().parse::<Uuid>(), sales::key_of(kind)) {
            (Ok(id), _) => Some(id),
            (Err(_), Some("email")) if wanted.contains('@') => {
                let emails = vec![wanted.to_owned()];
                let ask = || self.store.sales.contacts_of(self.scope, emails.clone());
                patiently(ask).await.map_err(store_failure)?.first().map(|(_, id)| *id)
            }
            (Err(_), Some("domain")) => match sales::domain(wanted) {
                Some(domain) => {
                    let filters = vec![Filter { field: "domain", test: Test::Is(domain.into()) }];
                    let query = RowQuery { filters, limit: 1, ..RowQuery::default() };
                    return Ok(self.rows(kind, query).await?.rows.pop());
                }
                None => None,
            },
            _ => None,
        };
        let Some(id) = id else { return Ok(None) };
        match patiently(|| self.store.rows.row(self.scope, kind, id)).await {
            Ok(row) => Ok(Some(row)),
            Err(baton_core::store::Error::NotFound(_)) => Ok(None),
            Err(error) => Err(store_failure(error)),
        }
    }

    /// A member of the workspace, by name or e-mail; `me` is the person.
    pub async fn member(&self, wanted: &str) -> Result<Member, ToolFailure> {
        let members = patiently(|| self.store.rows.people(self.scope)).await.map_err(store_failure)?;
        let folded = text::fold(wanted.trim());
        let is_meant = |member: &&Member| match folded.as_str() {
            "me" | "myself" | "i" => member.profile_id == self.person(),
            email => text::fold(&member.email) == email,
        };
        if let Some(found) = members.iter().find(is_meant) {
            return Ok(found.clone());
        }
        let named = members.iter().map(|member| (member.profile_id.0, member.name.as_str()));
        let id = names::resolve("member", wanted, named)?;
        members
            .iter()
            .find(|member| member.profile_id.0 == id)
            .cloned()
            .ok_or_else(|| failure(format!("There is no member {wanted:?}.")))
    }

    /// The currency of most deals; of the accounts, if there is no deal yet and the person may see them.
    pub async fn usual_currency(&self) -> Result<Option<Currency>, ToolFailure> {
        let sums = self.pipeline(Vec::new()).await?;
        let deals = |currency: Currency| {
            sums.iter().filter(|sum| sum.currency == currency).map(|sum| sum.deals).sum::<u64>()
        };
        let most = sums.iter().map(|sum| sum.currency).max_by_key(|currency| deals(*currency));
        if most.is_some() || self.scope.check(&ACCOUNTS, AreaAccess::Read).is_err() {
            return Ok(most);
        }
        let accounts = self.rows(&ACCOUNTS, RowQuery { limit: 500, ..RowQuery::default() }).await?.rows;
        let code = |row: &Row| Currency::parse(row.fields.get("currency")?.as_str()?);
        let mut currencies: Vec<Currency> = accounts.iter().filter_map(code).collect();
        currencies.sort_unstable();
        currencies.dedup();
        Ok(Some(currencies).filter(|all| all.len() == 1).and_then(|mut all| all.pop()))
    }

    pub async fn change(&self, changes: Vec<RowChange>) -> Result<Value, ToolFailure> {
        once(|| self.store.rows.change_rows(&self.once, self.scope, self.author, changes.clone())).await
    }

    pub async fn merge(&self, merge: ContactMerge) -> Result<Value, ToolFailure> {
        once(|| self.store.sales.merge_contacts(&self.once, self.scope, self.author, merge)).await
    }

    /// What a write comes to. One that failed may have been carried out before, by an earlier try of this call: what it found
    /// then is no longer there to be found. So its record is looked up first.
    pub async fn answer(
        &self,
        work: impl Future<Output = Result<Value, ToolFailure>>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let failed = match work.await {
            Ok(value) => return Ok(value.into()),
            Err(failed) => failed,
        };
        let recorded = self.store.effects.done_before(&self.once).await.ok().flatten();
        recorded.map(ToolAnswer::from).ok_or(failed)
    }
}

pub fn title(kind: &Kind, row: &Row) -> String {
    row.fields.get(kind.title).and_then(Value::as_str).unwrap_or("without a name").to_owned()
}

fn none(kind: &Kind, wanted: &str) -> ToolFailure {
    let how = if kind == &CONTACTS {
        "Search for a part of the name, or give the e-mail"
    } else {
        "Search for a part of the name"
    };
    failure(format!("There is no {} {wanted:?}. {how}, or create it first.", kind.one))
}

/// A filter for one value.
pub fn is(field: &'static str, value: impl Into<Value>) -> Filter {
    Filter { field, test: Test::Is(value.into()) }
}

/// From one day to another, both with it.
pub fn between(field: &'static str, from: NaiveDate, to: NaiveDate) -> [Filter; 2] {
    [Filter { field, test: Test::AtLeast(json!(from)) }, Filter { field, test: Test::AtMost(json!(to)) }]
}
