//! Key figures as the API tells them: whole numbers in the figure's unit.

use baton_core::figures::{
    Better, Bucket, Figure, FigureAnswer, FigureArea, FigureRow, FigureRows, Forecast, Grain, History,
    INTERVAL_PERCENT, OthersWork, Pin, Series, SeriesBy, Told, Total, Unit,
};
use baton_core::money::Currency;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{better_schema, figure_area_schema, grain_schema, told_schema, unit_schema};

/// What there is to know about a figure.
#[derive(Serialize, ToSchema)]
#[schema(as = Figure)]
pub struct FigureView {
    name: &'static str,
    label: &'static str,
    /// What counts.
    about: &'static str,
    #[schema(schema_with = figure_area_schema)]
    area: FigureArea,
    /// Of all its values: a number, minor units of a currency, tokens, millionths of a US dollar (`cost`), tenths of a percent
    /// (`share`) or tenths of a day (`days`).
    #[schema(schema_with = unit_schema)]
    unit: Unit,
    /// What a bucket says: what happened in it, what there was at its end, or what there is now.
    #[schema(schema_with = told_schema)]
    told: Told,
    /// What its series are told apart by; null if it has one only.
    #[schema(required)]
    series: Option<&'static str>,
    /// What it opens to.
    rows: &'static str,
    /// Which change is good news.
    #[schema(schema_with = better_schema)]
    better: Better,
    can_be_forecast: bool,
}

impl From<&'static Figure> for FigureView {
    fn from(figure: &'static Figure) -> Self {
        Self {
            name: figure.name,
            label: figure.label,
            about: figure.about,
            area: figure.area,
            unit: figure.unit,
            told: figure.told,
            series: figure.series.map(SeriesBy::as_str),
            rows: figure.rows,
            better: figure.better,
            can_be_forecast: figure.can_be_forecast(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureList)]
pub struct FiguresView {
    pub figures: Vec<FigureView>,
}

/// Days that are counted together, both ends included.
#[derive(Serialize, ToSchema)]
#[schema(as = FigureBucket)]
pub struct BucketView {
    from: NaiveDate,
    to: NaiveDate,
}

impl From<Bucket> for BucketView {
    fn from(bucket: Bucket) -> Self {
        Self { from: bucket.from, to: bucket.to }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureAnswer)]
pub struct AnswerView {
    figure: FigureView,
    #[schema(schema_with = grain_schema)]
    by: Grain,
    period: BucketView,
    /// The period that it is compared with.
    before: BucketView,
    /// The oldest first.
    buckets: Vec<BucketView>,
    /// The largest first.
    series: Vec<SeriesView>,
    /// All series together, per currency; the largest first.
    totals: Vec<TotalView>,
    /// How many series are not told.
    left_off: usize,
    /// Of agents' work: `workspace` for owners and admins, who see everyone's, `own` for members.
    whose: &'static str,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureSeries)]
pub struct SeriesView {
    key: String,
    label: String,
    #[schema(required)]
    currency: Option<String>,
    /// By bucket; null where there is no value: a share of nothing, or what is not known.
    values: Vec<Option<i64>>,
    /// By bucket of the period before, which may have one more or less.
    before_values: Vec<Option<i64>>,
    /// Of the whole period: what happened is added up; of what there was, the last counts.
    #[schema(required)]
    total: Option<i64>,
    #[schema(required)]
    before: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureTotal)]
pub struct TotalView {
    #[schema(required)]
    currency: Option<String>,
    values: Vec<Option<i64>>,
    before_values: Vec<Option<i64>>,
    #[schema(required)]
    total: Option<i64>,
    #[schema(required)]
    before: Option<i64>,
}

fn code(currency: Option<Currency>) -> Option<String> {
    currency.map(|currency| currency.code().to_owned())
}

fn whose(is_own: bool) -> &'static str {
    if is_own { "own" } else { "workspace" }
}

impl From<Series> for SeriesView {
    fn from(one: Series) -> Self {
        Self {
            key: one.key,
            label: one.label,
            currency: code(one.currency),
            values: one.values,
            before_values: one.before_values,
            total: one.total,
            before: one.before,
        }
    }
}

impl From<Total> for TotalView {
    fn from(one: Total) -> Self {
        Self {
            currency: code(one.currency),
            values: one.values,
            before_values: one.before_values,
            total: one.value,
            before: one.before,
        }
    }
}

impl From<FigureAnswer> for AnswerView {
    fn from(answer: FigureAnswer) -> Self {
        Self {
            figure: answer.query.figure.into(),
            by: answer.query.by,
            period: answer.query.period.into(),
            before: answer.before.into(),
            buckets: answer.buckets.into_iter().map(BucketView::from).collect(),
            series: answer.series.into_iter().map(SeriesView::from).collect(),
            totals: answer.totals.into_iter().map(TotalView::from).collect(),
            left_off: answer.left_off,
            whose: whose(answer.is_own),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureRows)]
pub struct RowsView {
    /// The newest first.
    rows: Vec<RowView>,
    /// Where the next page begins; null on the last.
    #[schema(required)]
    next_offset: Option<u64>,
    /// Of agents' work for other people; on the first page.
    others: Vec<OthersView>,
}

/// One thing that was counted.
#[derive(Serialize, ToSchema)]
#[schema(as = FigureRow)]
pub struct RowView {
    id: Uuid,
    /// The day it counts on.
    on: NaiveDate,
    #[schema(required)]
    at: Option<DateTime<Utc>>,
    /// May be empty.
    title: String,
    /// The series it counts in.
    key: String,
    #[schema(required)]
    currency: Option<String>,
    /// What it adds to the sum, in the figure's unit (of days: seconds); of a share 1 or 0.
    amount: i64,
    #[schema(required)]
    agent_id: Option<Uuid>,
    /// Only of the caller's own conversations.
    #[schema(required)]
    conversation_id: Option<Uuid>,
}

/// How much an agent did in conversations that are not the caller's.
#[derive(Serialize, ToSchema)]
#[schema(as = OthersWork)]
pub struct OthersView {
    agent_id: Uuid,
    agent: String,
    key: String,
    count: i64,
    amount: i64,
}

impl From<FigureRow> for RowView {
    fn from(row: FigureRow) -> Self {
        Self {
            id: row.id,
            on: row.on,
            at: row.at,
            title: row.title,
            key: row.key,
            currency: code(row.currency),
            amount: row.amount,
            agent_id: row.agent_id.map(|id| id.0),
            conversation_id: row.conversation_id.map(|id| id.0),
        }
    }
}

impl From<OthersWork> for OthersView {
    fn from(one: OthersWork) -> Self {
        Self {
            agent_id: one.agent_id.0,
            agent: one.agent,
            key: one.key,
            count: one.count,
            amount: one.amount,
        }
    }
}

impl From<FigureRows> for RowsView {
    fn from(found: FigureRows) -> Self {
        Self {
            rows: found.rows.into_iter().map(RowView::from).collect(),
            next_offset: found.next_offset,
            others: found.others.into_iter().map(OthersView::from).collect(),
        }
    }
}

/// A forecast, or why there is none.
#[derive(Serialize, ToSchema)]
#[schema(as = FigureForecastAnswer)]
pub struct ForecastAnswerView {
    pub figure: FigureView,
    #[schema(required)]
    pub forecast: Option<ForecastView>,
    #[schema(required)]
    pub why_not: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureForecast)]
pub struct ForecastView {
    #[schema(schema_with = grain_schema)]
    by: Grain,
    /// Of the series; empty for all together.
    key: String,
    label: String,
    #[schema(required)]
    currency: Option<String>,
    /// The whole buckets that it follows from.
    history: Vec<KnownView>,
    /// The first is the bucket that is under way, as a whole.
    points: Vec<PointView>,
    method: &'static str,
    /// How many buckets make the season that comes again.
    season: usize,
    /// How sure the interval is.
    interval_percent: u8,
    /// Null if the history is too short to keep a part of it back.
    #[schema(required)]
    accuracy: Option<AccuracyView>,
    whose: &'static str,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureKnown)]
pub struct KnownView {
    from: NaiveDate,
    to: NaiveDate,
    value: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigureForecastPoint)]
pub struct PointView {
    from: NaiveDate,
    to: NaiveDate,
    value: i64,
    lower: i64,
    upper: i64,
}

/// How far forecasts were off on average, in the figure's unit, for buckets that were kept back from them.
#[derive(Serialize, ToSchema)]
#[schema(as = FigureForecastAccuracy)]
pub struct AccuracyView {
    /// How many buckets were compared with what came.
    buckets: usize,
    error: i64,
    /// Of saying: as it was last.
    naive: i64,
    /// Of saying: as it was a season ago.
    seasonal_naive: i64,
    /// Whether the method was the best of the three.
    is_best: bool,
}

impl ForecastView {
    pub fn new(history: &History, forecast: Forecast, is_own: bool) -> Self {
        let known = |(bucket, value): (Bucket, i64)| KnownView { from: bucket.from, to: bucket.to, value };
        let points = forecast.points.into_iter().map(|point| PointView {
            from: point.bucket.from,
            to: point.bucket.to,
            value: point.value,
            lower: point.lower,
            upper: point.upper,
        });
        Self {
            by: forecast.by,
            key: history.key.clone(),
            label: history.label.clone(),
            currency: code(history.currency),
            history: forecast.history.into_iter().map(known).collect(),
            points: points.collect(),
            method: forecast.method,
            season: forecast.season,
            interval_percent: INTERVAL_PERCENT,
            accuracy: forecast.accuracy.map(|accuracy| AccuracyView {
                buckets: accuracy.buckets,
                error: accuracy.error,
                naive: accuracy.naive,
                seasonal_naive: accuracy.seasonal_naive,
                is_best: accuracy.is_best(),
            }),
            whose: whose(is_own),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigurePins)]
pub struct PinsView {
    /// In the order in which they were pinned.
    pub pins: Vec<PinView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FigurePin)]
pub struct PinView {
    figure: FigureView,
    #[schema(schema_with = grain_schema)]
    by: Grain,
}

impl From<Pin> for PinView {
    fn from(pin: Pin) -> Self {
        Self { figure: pin.figure.into(), by: pin.by }
    }
}
