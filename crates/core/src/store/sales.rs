//! What is done with contacts and deals beyond reading and setting their fields.

use async_trait::async_trait;
use uuid::Uuid;

use super::{Result, Written};
use crate::data::rows::{Author, DataScope, Filter, Once};
use crate::data::sales::{ContactMerge, DealStage, HistoryPage, PipelineSum};

#[async_trait]
pub trait Sales: Send + Sync {
    /// The contacts that these addresses mean, also those of contacts that were merged into another.
    async fn contacts_of(&self, scope: DataScope, emails: Vec<String>) -> Result<Vec<(String, Uuid)>>;
    /// Makes one contact of two: deals and activities of the other move to the one that stays, and it gets what it has not.
    /// Taken back as one change.
    async fn merge_contacts(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        merge: ContactMerge,
    ) -> Written;
    /// Activities, stages of deals and changes of a contact, the latest first, also those of contacts merged into it.
    async fn contact_history(
        &self,
        scope: DataScope,
        contact: Uuid,
        limit: u64,
        cursor: Option<String>,
    ) -> Result<HistoryPage>;
    /// The stages that a deal was in, the first first.
    async fn deal_stages(&self, scope: DataScope, deal: Uuid) -> Result<Vec<DealStage>>;
    /// The deals that pass the filters, added up by stage and currency, in the order of the stages.
    async fn pipeline(&self, scope: DataScope, filters: Vec<Filter>) -> Result<Vec<PipelineSum>>;
}
