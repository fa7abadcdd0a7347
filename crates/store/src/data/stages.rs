//! The stages that deals were in: written by everything that changes a deal's stage, imports and undoing too, in the same
//! transaction.

use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::DEALS;
use baton_core::data::rows::{Author, ByAgent};
use baton_core::data::sales::{DealStage, Stage};
use baton_core::ids::{AgentId, ConversationId, ProfileId};
use baton_core::store::Result;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order, QueryResult, Value as SqlValue};
use uuid::Uuid;

use super::ledger::Ledger;
use super::scoped::Scoped;
use crate::db::{OrStoreError, stored};

pub const TABLE: &str = "deal_stages";

/// Notes that a row came into another stage, if it is a deal that did.
pub async fn note(
    ledger: &Ledger<'_>,
    kind: &Kind,
    deal: Uuid,
    before: Option<&Fields>,
    after: &Fields,
) -> Result<()> {
    if kind.name != DEALS.name || before.map(Stage::of) == Some(Stage::of(after)) {
        return Ok(());
    }
    let scoped = Scoped::writing(ledger.scope, &DEALS)?;
    let mut update = scoped.update(TABLE);
    update
        .and_where(Expr::col((TABLE, "deal_id")).eq(deal))
        .and_where(Expr::col((TABLE, "left_at")).is_null())
        .value("left_at", ledger.at);
    ledger.write.execute(&update).await.db()?;
    let columns = [
        "id",
        "deal_id",
        "stage",
        "entered_at",
        "profile_id",
        "agent_id",
        "conversation_id",
        "seq",
        "approved_by",
    ];
    let agent = ledger.author.agent;
    let values: [SqlValue; 9] = [
        Uuid::now_v7().into(),
        deal.into(),
        Stage::of(after).as_str().into(),
        ledger.at.into(),
        ledger.author.profile_id.0.into(),
        agent.map(|agent| agent.agent_id.0).into(),
        agent.map(|agent| agent.conversation_id.0).into(),
        agent.map(|agent| agent.seq).into(),
        ledger.approved_by.into(),
    ];
    let mut insert = scoped.insert(TABLE, columns);
    insert.values_panic(scoped.row(values));
    ledger.write.execute(&insert).await.db().map(drop)
}

/// Stages with the names of their deals.
pub fn select(scoped: Scoped) -> SelectStatement {
    let mut select = scoped.select(TABLE);
    select
        .columns(
            [
                "id",
                "deal_id",
                "stage",
                "entered_at",
                "left_at",
                "profile_id",
                "agent_id",
                "conversation_id",
                "seq",
                "approved_by",
            ]
            .map(|name| (TABLE, name)),
        )
        .column((DEALS.name, "name"))
        .inner_join(DEALS.name, Expr::col((DEALS.name, "id")).equals((TABLE, "deal_id")));
    select
}

/// The stages that these deals were in, the earliest first.
pub async fn of_deals(db: &impl ConnectionTrait, scoped: Scoped, deals: &[Uuid]) -> Result<Vec<DealStage>> {
    let mut select = select(scoped);
    select
        .and_where(Expr::col((TABLE, "deal_id")).is_in(deals.iter().copied()))
        .and_where(Expr::col((DEALS.name, "deleted_at")).is_null())
        .order_by((TABLE, "id"), Order::Asc);
    db.query_all(&select).await.db()?.iter().map(read).collect()
}

pub fn read(row: &QueryResult) -> Result<DealStage> {
    let id = |name: &str| row.try_get::<Option<Uuid>>("", name).db();
    let agent = match (id("agent_id")?, id("conversation_id")?, row.try_get::<Option<i64>>("", "seq").db()?) {
        (Some(agent), Some(conversation), Some(seq)) => {
            Some(ByAgent { agent_id: AgentId(agent), conversation_id: ConversationId(conversation), seq })
        }
        _ => None,
    };
    Ok(DealStage {
        id: row.try_get("", "id").db()?,
        deal_id: row.try_get("", "deal_id").db()?,
        deal: row.try_get("", "name").db()?,
        stage: stored::<Stage>("stage", &row.try_get::<String>("", "stage").db()?)?,
        entered_at: row.try_get::<DateTime<Utc>>("", "entered_at").db()?,
        left_at: row.try_get("", "left_at").db()?,
        author: id("profile_id")?.map(|profile| Author { profile_id: ProfileId(profile), agent }),
        approved_by: id("approved_by")?.map(ProfileId),
    })
}
