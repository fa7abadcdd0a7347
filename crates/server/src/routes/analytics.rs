//! Key figures: what there are, what they are in a period, the rows behind them, where they lead, and which of them a
//! workspace has pinned. What each counts is said in `core/figures`; the tool of agents tells the same numbers.

use axum::Json;
use axum::extract::State;
use baton_core::days;
use baton_core::figures::{
    self, Bucket, Figure, FigureQuery, FigureScope, Grain, History, MAX_HORIZON, RowsQuery, history_period,
    usual_period,
};
use baton_core::ids::WorkspaceId;
use baton_core::money::Currency;
use baton_core::reports::Period;
use baton_forecast::Mstl;
use chrono::{NaiveDate, Utc};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::analytics_view::{
    AnswerView, FigureView, FiguresView, ForecastAnswerView, ForecastView, PinView, PinsView, RowsView,
};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Params, PathText, grain_schema};

const MAX_ROWS: u64 = 200;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceParams {
    workspace_id: Uuid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct FigureParams {
    workspace_id: Uuid,
    /// First day. Days are those of the caller's time zone. Left out: about a month of days, a quarter of weeks or a year of
    /// months.
    from: Option<NaiveDate>,
    /// Last day, included; today if left out.
    to: Option<NaiveDate>,
    /// How long a bucket is; a month if left out. Weeks begin on Monday.
    #[param(schema_with = grain_schema)]
    by: Option<Grain>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct RowsParams {
    workspace_id: Uuid,
    /// First day of the bucket.
    from: NaiveDate,
    /// Its last day, included.
    to: NaiveDate,
    /// Only of this series.
    key: Option<String>,
    /// Only in this currency.
    currency: Option<String>,
    /// The most rows; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// How many rows to leave out: `next_offset` of the page before.
    offset: Option<u64>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ForecastParams {
    workspace_id: Uuid,
    /// How long a bucket is; a month if left out.
    #[param(schema_with = grain_schema)]
    by: Option<Grain>,
    /// Only of this series; all of them together if left out.
    key: Option<String>,
    /// In which currency; that of the largest total if left out.
    currency: Option<String>,
    /// How many buckets ahead, with the one that is under way; half a season if left out.
    #[param(minimum = 1, maximum = 60)]
    ahead: Option<usize>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PinBody {
    workspace_id: Uuid,
    /// How long its buckets are.
    #[schema(schema_with = grain_schema)]
    by: Grain,
}

/// With the caller's rights and clock.
async fn scope(app: &App, caller: &Caller, workspace: Uuid) -> Result<FigureScope, ApiError> {
    let workspace_id = WorkspaceId(workspace);
    app.role(caller, workspace_id).await?;
    Ok(FigureScope {
        workspace_id,
        areas: app.store.areas(workspace_id, caller.profile.id).await?,
        profile_id: caller.profile.id,
        time_zone: caller.profile.time_zone.clone(),
        today: days::today(Utc::now(), &caller.profile.time_zone),
    })
}

fn figure(name: &str) -> Result<&'static Figure, ApiError> {
    Figure::find(name).ok_or_else(|| ApiError::not_found("figure"))
}

fn currency(code: Option<&str>) -> Result<Option<Currency>, ApiError> {
    let wrong = || ApiError::invalid("currency", "must be a code such as EUR");
    code.map(|code| Currency::parse(code).ok_or_else(wrong)).transpose()
}

/// The key figures that the caller may see
#[utoipa::path(get, path = "/api/analytics/figures", tag = "analytics", params(WorkspaceParams), responses((status = 200, body = FiguresView), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(params): Params<WorkspaceParams>,
) -> Result<Json<FiguresView>, ApiError> {
    let scope = scope(&app, &caller, params.workspace_id).await?;
    let open = figures::FIGURES.iter().filter(|figure| figure.area.is_open(&scope.areas));
    Ok(Json(FiguresView { figures: open.map(FigureView::from).collect() }))
}

/// A key figure in a period, compared with the period before
#[utoipa::path(get, path = "/api/analytics/{figure}", tag = "analytics", params(("figure" = String, Path, description = "Its name"), FigureParams), responses((status = 200, body = AnswerView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Params(params): Params<FigureParams>,
) -> Result<Json<AnswerView>, ApiError> {
    let scope = scope(&app, &caller, params.workspace_id).await?;
    let by = params.by.unwrap_or(Grain::Month);
    let to = params.to.unwrap_or_else(|| scope.today.max(params.from.unwrap_or(scope.today)));
    let period = match params.from {
        Some(from) => Period::new(from, to)?,
        None => usual_period(by, to),
    };
    let query = FigureQuery { figure: figure(&name)?, period, by, is_compared: true };
    Ok(Json(app.store.figure(&scope, query).await?.into()))
}

/// The rows behind one bucket of a figure
///
/// Of agents' work in other people's conversations it tells only how much there was, by agent.
#[utoipa::path(get, path = "/api/analytics/{figure}/rows", tag = "analytics", params(("figure" = String, Path, description = "Its name"), RowsParams), responses((status = 200, body = RowsView), Errors))]
pub async fn rows(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Params(params): Params<RowsParams>,
) -> Result<Json<RowsView>, ApiError> {
    let scope = scope(&app, &caller, params.workspace_id).await?;
    let limit = params.limit.unwrap_or(50);
    if !(1..=MAX_ROWS).contains(&limit) {
        return Err(ApiError::invalid("limit", "must be from 1 to 200"));
    }
    let query = RowsQuery {
        figure: figure(&name)?,
        bucket: Bucket::new(params.from, params.to)?,
        key: params.key,
        currency: currency(params.currency.as_deref())?,
        limit,
        offset: params.offset.unwrap_or_default(),
    };
    Ok(Json(app.store.figure_rows(&scope, query).await?.into()))
}

/// Where a figure leads if it goes on as until now
///
/// A seasonal forecast with an interval, and how well the same method would have done before, beside two that take no thought.
/// With fewer than two seasons of history there is none, and `why_not` says so.
#[utoipa::path(get, path = "/api/analytics/{figure}/forecast", tag = "analytics", params(("figure" = String, Path, description = "Its name"), ForecastParams), responses((status = 200, body = ForecastAnswerView), Errors))]
pub async fn forecast(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Params(params): Params<ForecastParams>,
) -> Result<Json<ForecastAnswerView>, ApiError> {
    let scope = scope(&app, &caller, params.workspace_id).await?;
    let by = params.by.unwrap_or(Grain::Month);
    let ahead = params.ahead.unwrap_or(by.season().div_ceil(2));
    if !(1..=MAX_HORIZON).contains(&ahead) {
        return Err(ApiError::invalid("ahead", "must be from 1 to 60"));
    }
    let period = history_period(by, scope.today);
    let query = FigureQuery { figure: figure(&name)?, period, by, is_compared: false };
    let answer = app.store.figure(&scope, query).await?;
    let history = History::of(&answer, params.key.as_deref(), currency(params.currency.as_deref())?)?;
    let figure = answer.query.figure;
    let values = history.values.clone();
    let made = tokio::task::spawn_blocking(move || figures::forecast(&Mstl, figure, by, &values, ahead));
    let made = made.await.map_err(ApiError::internal)?;
    Ok(Json(match made {
        Ok(forecast) => {
            let told = ForecastView::new(&history, forecast, answer.is_own);
            ForecastAnswerView { figure: figure.into(), forecast: Some(told), why_not: None }
        }
        Err(reason) => {
            ForecastAnswerView { figure: figure.into(), forecast: None, why_not: Some(reason.to_string()) }
        }
    }))
}

/// The figures that the workspace has pinned, as far as the caller may see them
#[utoipa::path(get, path = "/api/analytics/pins", tag = "analytics", params(WorkspaceParams), responses((status = 200, body = PinsView), Errors))]
pub async fn pins(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(params): Params<WorkspaceParams>,
) -> Result<Json<PinsView>, ApiError> {
    let scope = scope(&app, &caller, params.workspace_id).await?;
    let mut pins = app.store.pins(scope.workspace_id).await?;
    pins.retain(|pin| pin.figure.area.is_open(&scope.areas));
    Ok(Json(PinsView { pins: pins.into_iter().map(PinView::from).collect() }))
}

/// Pin a figure to everyone's dashboard, or change how it is shown there
#[utoipa::path(put, path = "/api/analytics/pins/{figure}", tag = "analytics", params(("figure" = String, Path, description = "Its name")), request_body = PinBody, responses((status = 200, body = PinView), Errors))]
pub async fn pin(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Body(body): Body<PinBody>,
) -> Result<Json<PinView>, ApiError> {
    let (scope, figure) = pinnable(&app, &caller, body.workspace_id, &name).await?;
    let pin = app.store.pin(scope.workspace_id, caller.profile.id, figure, body.by).await?;
    Ok(Json(pin.into()))
}

/// Take a figure off the dashboard
#[utoipa::path(delete, path = "/api/analytics/pins/{figure}", tag = "analytics", params(("figure" = String, Path, description = "Its name"), WorkspaceParams), responses((status = 200, body = Success), Errors))]
pub async fn unpin(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Params(params): Params<WorkspaceParams>,
) -> Result<Json<Success>, ApiError> {
    let (scope, figure) = pinnable(&app, &caller, params.workspace_id, &name).await?;
    app.store.unpin(scope.workspace_id, figure).await?;
    Ok(done())
}

/// Who may see a figure may pin it.
async fn pinnable(
    app: &App,
    caller: &Caller,
    workspace: Uuid,
    name: &str,
) -> Result<(FigureScope, &'static Figure), ApiError> {
    let scope = scope(app, caller, workspace).await?;
    let figure = figure(name)?;
    if let Some(area) = figure.area.area() {
        let refused = scope.areas.check(area, baton_core::data::areas::AreaAccess::Read);
        refused.map_err(baton_core::store::Error::from)?;
    }
    Ok((scope, figure))
}
