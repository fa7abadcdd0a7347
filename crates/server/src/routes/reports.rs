//! Reports over a workspace's money. What agents are told by their tools and what the Money page shows come from the
//! same functions (`core/reports`).

use axum::Json;
use axum::extract::State;
use baton_core::data::rows::DataScope;
use baton_core::days;
use baton_core::ids::WorkspaceId;
use baton_core::money::Currency;
use baton_core::reports::{By, NamedPeriod, Period, Report, ReportQuery, Side, month_start};
use chrono::{NaiveDate, Utc};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::report_view::ReportView;
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Params, PathText, by_schema, named_period_schema, side_schema};

const MAX_LIMIT: usize = 200;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ReportParams {
    workspace_id: Uuid,
    /// Instead of `from` and `to`. What is left out follows from the report: most tell this month, balances, budgets and
    /// goals today, net worth the last twelve months, odd charges the last ninety days.
    #[param(schema_with = named_period_schema)]
    period: Option<NamedPeriod>,
    /// First day. Days are those of the caller's time zone.
    from: Option<NaiveDate>,
    /// Last day, included; today if left out.
    to: Option<NaiveDate>,
    /// Of spending and income: what they are told by.
    #[param(schema_with = by_schema)]
    by: Option<By>,
    /// Of the biggest transactions.
    #[param(schema_with = side_schema)]
    side: Option<Side>,
    /// Only this account.
    account_id: Option<Uuid>,
    /// Only this category; the nil id for none.
    category_id: Option<Uuid>,
    /// Also a total in this currency, by the workspace's own exchange rates.
    convert_to: Option<String>,
    /// The most groups or rows; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

impl ReportParams {
    fn period(&self, report: Report, today: NaiveDate) -> Result<Period, ApiError> {
        let (from, to) = match (self.period, self.from, self.to) {
            (Some(named), None, None) => return Ok(named.on(today)),
            (Some(_), ..) => {
                return Err(ApiError::invalid("period", "can't be given together with from and to"));
            }
            (None, None, None) => {
                let usual = match report {
                    Report::Balances | Report::Budgets | Report::Goals => {
                        return Ok(Period { from: today, to: today });
                    }
                    Report::NetWorth => NamedPeriod::Last12Months,
                    Report::OddCharges => NamedPeriod::Last90Days,
                    _ => NamedPeriod::ThisMonth,
                };
                let mut period = usual.on(today);
                if report == Report::NetWorth {
                    period.to = today;
                }
                return Ok(period);
            }
            (None, from, to) => (from, to),
        };
        let to = to.unwrap_or_else(|| today.max(from.unwrap_or(today)));
        Ok(Period::new(from.unwrap_or_else(|| month_start(to)), to)?)
    }
}

/// A report over the workspace's money
#[utoipa::path(get, path = "/api/reports/{report}", tag = "money", params(("report" = String, Path, description = "Which report"), ReportParams), responses((status = 200, body = ReportView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(report): PathText,
    Params(params): Params<ReportParams>,
) -> Result<Json<ReportView>, ApiError> {
    let workspace_id = WorkspaceId(params.workspace_id);
    app.role(&caller, workspace_id).await?;
    let report: Report = report.parse().map_err(|_| ApiError::not_found("report"))?;
    let today = days::today(Utc::now(), &caller.profile.time_zone);
    let mut query = ReportQuery::new(report, today, params.period(report, today)?);
    query.by = params.by.unwrap_or(By::Category);
    query.side = params.side.unwrap_or(Side::Spending);
    query.accounts = params.account_id.into_iter().collect();
    query.categories = params.category_id.into_iter().collect();
    query.convert_to = params
        .convert_to
        .as_deref()
        .map(|code| {
            Currency::parse(code).ok_or_else(|| ApiError::invalid("convertTo", "must be a code such as EUR"))
        })
        .transpose()?;
    query.limit = params.limit.unwrap_or(query.limit);
    if !(1..=MAX_LIMIT).contains(&query.limit) {
        return Err(ApiError::invalid("limit", "must be from 1 to 200"));
    }
    let areas = app.store.areas(workspace_id, caller.profile.id).await?;
    let answer = app.store.report(DataScope { workspace_id, areas }, query).await?;
    Ok(Json(answer.into()))
}
