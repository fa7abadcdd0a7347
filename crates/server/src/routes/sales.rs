//! What people do with contacts and deals beyond setting their fields: two contacts become one, what happened with a contact, the
//! stages of a deal, the pipeline added up.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use baton_core::data::kinds::DEALS;
use baton_core::data::sales::{ContactMerge, DealStage, HistoryEntry, HistoryOf, PipelineSum};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::data_changes::{DataDone, done};
use super::data_request::{ListParams, Within, author, once, outcome, scope};
use super::data_view::{DataChange, DataRow};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params};

const ENTRIES: u64 = 50;
const MOST_ENTRIES: u64 = 200;

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeBody {
    /// The contact that goes. What it has and the other has not moves over, and so do its deals and activities.
    merged: Uuid,
}

/// Make one contact of two; undone as one change
///
/// The contact in the address stays. The answer's first change takes all of it back.
#[utoipa::path(post, path = "/api/data/contacts/{id}/merge", tag = "data",
    params(("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body = MergeBody, responses((status = 200, body = DataDone), Errors))]
pub async fn merge(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(body): Body<MergeBody>,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("merge {id} in {}", within.workspace_id), &body)?;
    let merge = ContactMerge { kept: id, merged: body.merged };
    let written = app.store.merge_contacts(&once, scope, author(&caller), merge).await;
    done(&app, within.workspace_id, &outcome(written)?)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct HistoryQuery {
    workspace_id: Uuid,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactHistory {
    /// The latest first.
    entries: Vec<HistoryEntryView>,
    /// For the next page; null on the last.
    next_cursor: Option<String>,
}

/// One thing that happened with a contact: one of `activity`, `stage` and `change` is there.
#[derive(Serialize, ToSchema)]
pub struct HistoryEntryView {
    id: Uuid,
    /// When an activity was done or is due; of others the day of `at`.
    day: NaiveDate,
    /// When it was recorded.
    at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activity: Option<DataRow>,
    /// A deal of the contact came into this stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<DealStageView>,
    /// The contact was changed, or one that was merged into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<DataChange>,
}

/// The time that a deal was in a stage.
#[derive(Serialize, ToSchema)]
pub struct DealStageView {
    id: Uuid,
    deal_id: Uuid,
    deal: String,
    stage: &'static str,
    entered_at: DateTime<Utc>,
    /// Null: it is still in it.
    left_at: Option<DateTime<Utc>>,
    /// Who brought it there, or for whom an agent did it.
    profile_id: Option<Uuid>,
    agent_id: Option<Uuid>,
    conversation_id: Option<Uuid>,
    seq: Option<i64>,
    approved_by: Option<Uuid>,
}

/// What happened with a contact: activities, stages of deals, changes
#[utoipa::path(get, path = "/api/data/contacts/{id}/history", tag = "data", params(("id" = Uuid, Path), HistoryQuery), responses((status = 200, body = ContactHistory), Errors))]
pub async fn history(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<HistoryQuery>,
) -> Result<Json<ContactHistory>, ApiError> {
    let scope = scope(&app, &caller, query.workspace_id).await?;
    let limit = query.limit.unwrap_or(ENTRIES);
    if !(1..=MOST_ENTRIES).contains(&limit) {
        return Err(ApiError::invalid("limit", "must be from 1 to 200"));
    }
    let page = app.store.contact_history(scope, id, limit, query.cursor).await?;
    let entries = page.entries.into_iter().map(Into::into).collect();
    Ok(Json(ContactHistory { entries, next_cursor: page.next_cursor }))
}

#[derive(Serialize, ToSchema)]
pub struct DealStages {
    /// The first first; the last is the one that the deal is in.
    stages: Vec<DealStageView>,
}

/// The stages that a deal was in
#[utoipa::path(get, path = "/api/data/deals/{id}/stages", tag = "data", params(("id" = Uuid, Path), Within), responses((status = 200, body = DealStages), Errors))]
pub async fn stages(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(within): Params<Within>,
) -> Result<Json<DealStages>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let stages = app.store.deal_stages(scope, id).await?;
    Ok(Json(DealStages { stages: stages.into_iter().map(Into::into).collect() }))
}

#[derive(Serialize, ToSchema)]
pub struct Pipeline {
    /// In the order of the stages; amounts of different currencies are never added up.
    sums: Vec<PipelineSumView>,
}

/// Deals of one stage in one currency.
#[derive(Serialize, ToSchema)]
pub struct PipelineSumView {
    stage: &'static str,
    currency: String,
    deals: u64,
    /// In minor units.
    amount: i64,
    /// Each amount by its probability: of the deal, else of its stage.
    weighted: i64,
}

/// Deals added up by stage and currency
///
/// Filters are those of the list of deals: `ownerId=…`, `closedOnFrom=2026-01-01`.
#[utoipa::path(get, path = "/api/data/deals/pipeline", tag = "data", params(Within), responses((status = 200, body = Pipeline), Errors))]
pub async fn pipeline(
    State(app): State<SharedApp>,
    caller: Caller,
    params: ListParams,
) -> Result<Json<Pipeline>, ApiError> {
    let scope = scope(&app, &caller, params.workspace()?).await?;
    let sums = app.store.pipeline(scope, params.filters(&DEALS, &["workspaceId"])?).await?;
    Ok(Json(Pipeline { sums: sums.into_iter().map(Into::into).collect() }))
}

impl From<HistoryEntry> for HistoryEntryView {
    fn from(entry: HistoryEntry) -> Self {
        let (mut activity, mut stage, mut change) = (None, None, None);
        match entry.of {
            HistoryOf::Activity(row) => activity = Some((*row).into()),
            HistoryOf::Stage(entered) => stage = Some(entered.into()),
            HistoryOf::Change(recorded) => change = Some((*recorded).into()),
        }
        Self { id: entry.id, day: entry.day, at: entry.at, activity, stage, change }
    }
}

impl From<DealStage> for DealStageView {
    fn from(stage: DealStage) -> Self {
        let agent = stage.author.and_then(|author| author.agent);
        Self {
            id: stage.id,
            deal_id: stage.deal_id,
            deal: stage.deal,
            stage: stage.stage.as_str(),
            entered_at: stage.entered_at,
            left_at: stage.left_at,
            profile_id: stage.author.map(|author| author.profile_id.0),
            agent_id: agent.map(|agent| agent.agent_id.0),
            conversation_id: agent.map(|agent| agent.conversation_id.0),
            seq: agent.map(|agent| agent.seq),
            approved_by: stage.approved_by.map(|profile| profile.0),
        }
    }
}

impl From<PipelineSum> for PipelineSumView {
    fn from(sum: PipelineSum) -> Self {
        Self {
            stage: sum.stage.as_str(),
            currency: sum.currency.code().to_owned(),
            deals: sum.deals,
            amount: sum.amount,
            weighted: sum.weighted,
        }
    }
}
