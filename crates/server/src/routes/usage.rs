//! Usage of models, day by day: tokens and money.

use axum::Json;
use axum::extract::State;
use baton_core::days::last_days;
use baton_core::ids::WorkspaceId;
use baton_core::store::{DayUsed, UsageQuery};
use baton_core::workspaces::Role;
use chrono::{NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Params};

const DEFAULT_DAYS: u32 = 30;
const MAX_DAYS: u32 = 366;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsageByDayQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// How many days up to today; 30 if left out.
    #[param(minimum = 1, maximum = 366)]
    days: Option<u32>,
}

#[derive(Serialize, ToSchema)]
pub struct UsageByDayView {
    /// `workspace` for owners and admins: everyone's. `own` for members.
    whose: &'static str,
    /// Days are those of the workspace's time zone.
    time_zone: String,
    total: UsedView,
    /// Today is the last.
    days: Vec<DayView>,
}

#[derive(Serialize, ToSchema)]
pub struct DayView {
    date: NaiveDate,
    #[serde(flatten)]
    used: UsedView,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Used)]
pub struct UsedView {
    /// Calls of a model.
    calls: i64,
    /// Cached ones included.
    input_tokens: i64,
    output_tokens: i64,
    /// Of the calls whose price is known; null if there were calls and none had one.
    #[schema(required)]
    cost_usd: Option<f64>,
    /// Calls of models without a known price: `cost_usd` leaves them out.
    unpriced_calls: i64,
}

impl From<DayUsed> for UsedView {
    fn from(used: DayUsed) -> Self {
        let none_priced = used.calls > 0 && used.unpriced_calls == used.calls;
        #[expect(clippy::cast_precision_loss, reason = "money that is shown, not reckoned with")]
        let cost_usd = (!none_priced).then_some(used.cost_micros as f64 / 1_000_000.0);
        Self {
            calls: used.calls,
            input_tokens: used.input_tokens,
            output_tokens: used.output_tokens,
            cost_usd,
            unpriced_calls: used.unpriced_calls,
        }
    }
}

/// Tokens and cost of a workspace, day by day
#[utoipa::path(get, path = "/api/agents/usage", tag = "agents", params(UsageByDayQuery), responses((status = 200, body = UsageByDayView), Errors))]
pub async fn usage(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<UsageByDayQuery>,
) -> Result<Json<UsageByDayView>, ApiError> {
    let count = query.days.unwrap_or(DEFAULT_DAYS);
    if !(1..=MAX_DAYS).contains(&count) {
        return Err(ApiError::invalid("days", "must be from 1 to 366"));
    }
    let workspace_id = WorkspaceId(query.workspace_id);
    let sees_all = app.role(&caller, workspace_id).await? >= Role::Admin;
    let time_zone = app.store.workspace(workspace_id).await?.time_zone;
    let days = last_days(Utc::now(), &time_zone, count);
    let used = app
        .store
        .usage_by_day(UsageQuery {
            workspace_id,
            profile_id: (!sees_all).then_some(caller.profile.id),
            days: days.iter().map(|&(_, begins, ends)| (begins, ends)).collect(),
        })
        .await?;
    let total = used.iter().fold(DayUsed::default(), |sum, day| DayUsed {
        calls: sum.calls + day.calls,
        input_tokens: sum.input_tokens + day.input_tokens,
        output_tokens: sum.output_tokens + day.output_tokens,
        cost_micros: sum.cost_micros + day.cost_micros,
        unpriced_calls: sum.unpriced_calls + day.unpriced_calls,
    });
    let days = days.into_iter().zip(used).map(|((date, ..), used)| DayView { date, used: used.into() });
    let whose = if sees_all { "workspace" } else { "own" };
    Ok(Json(UsageByDayView { whose, time_zone, total: total.into(), days: days.collect() }))
}
