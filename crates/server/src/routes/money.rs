//! What people do with transactions beyond setting their fields: parts, transfers, categories for many.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::money::{MAX_CATEGORISED, Part, Transfer, Which};
use baton_core::store::Split;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::data_changes::{DataDone, done};
use super::data_request::{Within, author, body_filters, once, outcome, scope};
use super::data_view::DataRow;
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, search, some};

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PartBody {
    #[serde(default)]
    category_id: Option<Uuid>,
    /// In minor units. All parts add up to the transaction's amount.
    amount: i64,
    #[serde(default)]
    #[schema(max_length = 1000)]
    memo: Option<String>,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitBody {
    /// 2 to 50; with none the transaction is undivided again.
    #[schema(max_items = 50)]
    parts: Vec<PartBody>,
    /// As it was read: refused (409) if the transaction has changed since.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    version: Option<i64>,
}

/// Split a transaction into parts with categories of their own, or make it undivided again
#[utoipa::path(post, path = "/api/data/transactions/{id}/split", tag = "data",
    params(("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body = SplitBody, responses((status = 200, body = DataDone), Errors))]
pub async fn split(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(body): Body<SplitBody>,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("split {id} in {}", within.workspace_id), &body)?;
    let part = |part: PartBody| Part { category_id: part.category_id, amount: part.amount, memo: part.memo };
    let parts = body.parts.into_iter().map(part).collect();
    let split = Split { transaction: id, seen: body.version, parts };
    let written = app.store.split_transaction(&once, scope, author(&caller), split).await;
    done(&app, within.workspace_id, &outcome(written)?)
}

#[derive(Serialize, ToSchema)]
pub struct TransferProposals {
    proposals: Vec<TransferView>,
}

/// Two transactions that look like one transfer.
#[derive(Serialize, ToSchema)]
pub struct TransferView {
    from: DataRow,
    to: DataRow,
    /// Whether one side names the other's account, and not only the amounts are opposite.
    is_certain: bool,
}

/// Pairs of transactions that look like a transfer between own accounts; nothing is marked
#[utoipa::path(get, path = "/api/data/transactions/transfers", tag = "data", params(Within), responses((status = 200, body = TransferProposals), Errors))]
pub async fn propose_transfers(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
) -> Result<Json<TransferProposals>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let mut proposals = Vec::new();
    for pair in app.store.propose_transfers(scope, 50).await? {
        proposals.push(TransferView {
            from: app.store.row(scope, &TRANSACTIONS, pair.from).await?.into(),
            to: app.store.row(scope, &TRANSACTIONS, pair.to).await?.into(),
            is_certain: pair.is_certain,
        });
    }
    Ok(Json(TransferProposals { proposals }))
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TransferBody {
    /// Both sides, or the one that is here.
    #[schema(min_items = 1, max_items = 2)]
    transactions: Vec<Uuid>,
}

/// Mark transactions as a transfer between own accounts: neither income nor spending
#[utoipa::path(post, path = "/api/data/transactions/transfers", tag = "data",
    params(Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body = TransferBody, responses((status = 200, body = DataDone), Errors))]
pub async fn mark_transfer(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(body): Body<TransferBody>,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("transfer in {}", within.workspace_id), &body)?;
    let transfer = match body.transactions[..] {
        [one] => Transfer::OneSide(one),
        [one, other] => Transfer::Pair(one, other),
        _ => return Err(ApiError::invalid("transactions", "must be one or two ids")),
    };
    let written = app.store.mark_transfer(&once, scope, author(&caller), transfer).await;
    done(&app, within.workspace_id, &outcome(written)?)
}

/// Unmark a transfer: both sides, whichever is named
#[utoipa::path(delete, path = "/api/data/transactions/{id}/transfer", tag = "data",
    params(("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = DataDone), Errors))]
pub async fn unmark_transfer(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(within): Params<Within>,
    headers: HeaderMap,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("unmark {id} in {}", within.workspace_id), &())?;
    let written = app.store.unmark_transfer(&once, scope, author(&caller), id).await;
    done(&app, within.workspace_id, &outcome(written)?)
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CategoriseBody {
    /// Null takes the category away.
    category_id: Option<Uuid>,
    /// These transactions; or all that fit `filters` and `search`.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false, max_items = 1000)]
    ids: Option<Vec<Uuid>>,
    /// As in the address of a list: `{"accountId": "…", "bookedOnFrom": "2026-01-01"}`.
    #[serde(default)]
    filters: BTreeMap<String, String>,
    #[serde(default)]
    search: Option<String>,
}

/// Give many transactions a category: at most 1000 at once, then `more` is true
#[utoipa::path(post, path = "/api/data/transactions/categorise", tag = "data",
    params(Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body = CategoriseBody, responses((status = 200, body = DataDone), Errors))]
pub async fn categorise(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(body): Body<CategoriseBody>,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("categorise in {}", within.workspace_id), &body)?;
    let pairs: Vec<(String, String)> = body.filters.into_iter().collect();
    let search = search(body.search.as_deref())?;
    let which = match body.ids {
        Some(_) if !pairs.is_empty() || search.is_some() => {
            return Err(ApiError::invalid("ids", "can't be given together with filters or search"));
        }
        Some(ids) => Which::These(ids),
        None if pairs.is_empty() && search.is_none() => {
            let message = format!("must be 1 to {MAX_CATEGORISED}, or there must be filters or a search");
            return Err(ApiError::invalid("ids", &message));
        }
        None => Which::Fitting { filters: body_filters(&TRANSACTIONS, &pairs)?, search, count: None },
    };
    let written = app.store.categorise(&once, scope, author(&caller), which, body.category_id).await;
    done(&app, within.workspace_id, &outcome(written)?)
}

/// Give transactions without a category that of the first category rule that fits
#[utoipa::path(post, path = "/api/data/transactions/apply-rules", tag = "data",
    params(Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = DataDone), Errors))]
pub async fn apply_rules(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
    headers: HeaderMap,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let once = once(&headers, &caller, &format!("apply rules in {}", within.workspace_id), &())?;
    let written = app.store.apply_category_rules(&once, scope, author(&caller)).await;
    done(&app, within.workspace_id, &outcome(written)?)
}
