//! One call of a tool over the workspace's data: what its person may do there, and the one write that it can make.

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::{Author, DataScope, Once};
use baton_core::days;
use baton_core::ids::ProfileId;
use baton_core::store::{Effects, Written};
use baton_core::tools::{ToolAnswer, ToolContext, ToolFailure};
use chrono::{NaiveDate, Utc};
use serde_json::Value;

use crate::outage::once;

pub struct DataCall {
    pub person: ProfileId,
    pub scope: DataScope,
    /// The person's.
    pub today: NaiveDate,
    author: Author,
    once: Once,
}

impl DataCall {
    /// Refuses people who may not do what the call needs. `what` is for those who are not signed in: "Money".
    pub fn open(
        context: &ToolContext,
        area: Area,
        least: AreaAccess,
        what: &str,
    ) -> Result<Self, ToolFailure> {
        let Some(person) = context.person.profile_id() else {
            return Err(ToolFailure(format!("{what} is only for people who are signed in.")));
        };
        context.areas.check(area, least).map_err(|refused| ToolFailure(sentence(&refused.to_string())))?;
        Ok(Self {
            person,
            scope: DataScope { workspace_id: context.workspace_id, areas: context.areas },
            today: days::today(Utc::now(), &context.time_zone),
            author: context.author(person),
            once: context.once.clone(),
        })
    }

    /// Carries out the call's one write.
    pub async fn write<'b, F>(&'b self, write: impl Fn(&'b Once, Author) -> F) -> Result<Value, ToolFailure>
    where
        F: Future<Output = Written>,
    {
        once(|| write(&self.once, self.author)).await
    }

    /// What a call comes to. A write that failed may be one that was carried out before, by an earlier try of this call: what
    /// it found then is no longer there to be found. So its record is looked up first.
    pub async fn answer(
        &self,
        effects: &dyn Effects,
        needs: AreaAccess,
        work: impl Future<Output = Result<Value, ToolFailure>>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let failed = match work.await {
            Ok(value) => return Ok(value.into()),
            Err(failed) => failed,
        };
        if needs < AreaAccess::Write {
            return Err(failed);
        }
        let recorded = effects.done_before(&self.once).await.ok().flatten();
        recorded.map(ToolAnswer::from).ok_or(failed)
    }
}

/// The store's outcome with a sentence.
pub fn answered(mut outcome: Value, sentence: impl Fn(i64) -> String) -> Value {
    let changed = outcome["changed"].as_i64().unwrap_or_default();
    outcome["answer"] =
        if changed == 0 { "Nothing changed: it was so already.".into() } else { sentence(changed).into() };
    outcome
}

/// An error's words as a sentence.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
