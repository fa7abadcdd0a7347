//! Where a figure leads if it goes on as until now: a seasonal forecast with an interval, and how well the same method
//! would have done before, beside two that take no thought. The model itself is given (`crates/forecast`).
//!
//! Nothing here depends on chance or on the clock: the same history gives the same forecast.

use chrono::NaiveDate;

use super::{Bucket, Figure, FigureAnswer, Grain};
use crate::money::Currency;
use crate::reports::Period;
use crate::text::Invalid;

/// How sure an interval is: of ten later values, eight should lie within.
pub const INTERVAL_PERCENT: u8 = 80;
/// The most buckets that are forecast.
pub const MAX_HORIZON: usize = 60;
/// The most times that the method is tried on what is known already.
pub const BACKTEST_MOST: usize = 4;

/// Continues a series.
pub trait SeasonalModel: Send + Sync {
    /// What it does, for people: it follows "by".
    fn method(&self) -> &'static str;
    /// The next values, or why there are none. `history` has at least two seasons.
    fn predict(&self, history: &[f64], season: usize, horizon: usize) -> Result<Vec<Interval>, String>;
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub value: f64,
    pub lower: f64,
    pub upper: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    pub by: Grain,
    /// The whole buckets that it follows from, from the first with anything in it.
    pub history: Vec<(Bucket, i64)>,
    /// The first is the bucket that is under way, as a whole.
    pub points: Vec<ForecastPoint>,
    pub method: &'static str,
    /// In buckets.
    pub season: usize,
    /// None if the history is too short to keep a part of it back.
    pub accuracy: Option<Accuracy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForecastPoint {
    pub bucket: Bucket,
    pub value: i64,
    pub lower: i64,
    pub upper: i64,
}

/// By how much forecasts were wrong on average (in the figure's unit) for buckets that were kept back from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accuracy {
    /// How many forecasts of single buckets were compared with what came.
    pub buckets: usize,
    /// The average error of this forecast.
    pub error: i64,
    /// The average error of a forecast that repeats the last bucket.
    pub naive: i64,
    /// The average error of a forecast that repeats the same bucket of the season before.
    pub seasonal_naive: i64,
}

impl Accuracy {
    /// Whether it was off by no more than both simple forecasts.
    pub fn is_best(&self) -> bool {
        self.error <= self.naive && self.error <= self.seasonal_naive
    }
}

/// Why there is no forecast.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoForecast {
    #[error(
        "{label} can't be forecast by {by}: a forecast needs two seasons, which are {needed} whole {by}s, and there {are} \
         {there}{hint}", are = if *there == 1 { "is" } else { "are" }
    )]
    TooShort { label: &'static str, by: Grain, needed: usize, there: usize, hint: &'static str },
    #[error("{0} was the same in every {1} so far: there is nothing that a forecast could follow from")]
    NeverChanged(&'static str, Grain),
    #[error("{0} can't be forecast: it is not a number that goes on from what was")]
    NotOf(&'static str),
    #[error("no forecast of {0} could be made: {1}")]
    Failed(&'static str, String),
}

/// The days of which history is read: whole buckets, up to the one that is under way.
pub fn history_period(by: Grain, today: NaiveDate) -> Period {
    let most = match by {
        Grain::Day => 182,
        Grain::Week => 260,
        Grain::Month => 120,
    };
    let this = by.start(today);
    Period { from: by.step(this, -most), to: this.pred_opt().unwrap_or(this) }
}

/// `history` is of whole buckets that follow each other.
pub fn forecast(
    model: &dyn SeasonalModel,
    figure: &Figure,
    by: Grain,
    history: &[(Bucket, i64)],
    horizon: usize,
) -> Result<Forecast, NoForecast> {
    if !figure.can_be_forecast() {
        return Err(NoForecast::NotOf(figure.label));
    }
    // What was before anything was recorded is no history.
    let begun = history.iter().position(|(_, value)| *value != 0).unwrap_or(history.len());
    let history = &history[begun..];
    let season = by.season();
    if history.len() < 2 * season {
        return Err(NoForecast::TooShort {
            label: figure.label,
            by,
            needed: 2 * season,
            there: history.len(),
            hint: if by == Grain::Day { "" } else { ". By day, two weeks are enough" },
        });
    }
    let values: Vec<f64> = history.iter().map(|(_, value)| as_number(*value)).collect();
    if values.iter().all(|value| *value == values[0]) {
        return Err(NoForecast::NeverChanged(figure.label, by));
    }
    let horizon = horizon.clamp(1, MAX_HORIZON);
    let failed = |words| NoForecast::Failed(figure.label, words);
    let predicted = model.predict(&values, season, horizon).map_err(failed)?;
    // What was never below nothing is not expected to be.
    let floor = if values.iter().all(|value| *value >= 0.0) { 0.0 } else { f64::NEG_INFINITY };
    let mut from = by.step(by.start(history[history.len() - 1].0.from), 1);
    let mut points = Vec::with_capacity(horizon);
    for one in predicted {
        let whole = |value: f64| rounded(value.max(floor));
        let (value, lower, upper) = (whole(one.value), whole(one.lower), whole(one.upper));
        let bucket = Bucket { from, to: by.end(from) };
        points.push(ForecastPoint { bucket, value, lower: lower.min(value), upper: upper.max(value) });
        from = by.step(from, 1);
    }
    let accuracy = backtest(model, &values, season, horizon).map_err(failed)?;
    Ok(Forecast { by, history: history.to_vec(), points, method: model.method(), season, accuracy })
}

/// Keeps the last values back, a few times further, and forecasts them from what was before.
fn backtest(
    model: &dyn SeasonalModel,
    values: &[f64],
    season: usize,
    horizon: usize,
) -> Result<Option<Accuracy>, String> {
    let spare = values.len() - 2 * season;
    let ahead = horizon.min(season).min(spare);
    if ahead == 0 {
        return Ok(None);
    }
    let (mut error, mut naive, mut seasonal, mut compared) = (0.0, 0.0, 0.0, 0usize);
    for time in 1..=BACKTEST_MOST.min(spare / ahead) {
        let (known, rest) = values.split_at(values.len() - time * ahead);
        let predicted = model.predict(known, season, ahead)?;
        let last = known[known.len() - 1];
        for (n, (came, said)) in rest.iter().zip(predicted).enumerate() {
            error += (came - said.value).abs();
            naive += (came - last).abs();
            seasonal += (came - known[known.len() - season + n % season]).abs();
            compared += 1;
        }
    }
    let mean = |sum: f64| rounded(sum / as_number(compared as i64));
    Ok(Some(Accuracy {
        buckets: compared,
        error: mean(error),
        naive: mean(naive),
        seasonal_naive: mean(seasonal),
    }))
}

#[expect(clippy::cast_precision_loss, reason = "a forecast is no exact number")]
fn as_number(value: i64) -> f64 {
    value as f64
}

/// `as` holds at the ends of what fits.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn rounded(value: f64) -> i64 {
    value.round() as i64
}

/// What a forecast goes on from: the whole buckets of one series, or of all series of a currency together.
pub struct History {
    /// Empty for all series together.
    pub key: String,
    pub label: String,
    pub currency: Option<Currency>,
    pub values: Vec<(Bucket, i64)>,
}

impl History {
    /// Without a key all series count, and without a currency that of the largest total.
    pub fn of(answer: &FigureAnswer, key: Option<&str>, currency: Option<Currency>) -> Result<Self, Invalid> {
        let fits = |of: Option<Currency>| currency.is_none() || of == currency;
        let told = |values: &[Option<i64>]| {
            answer.buckets.iter().zip(values).map(|(bucket, value)| (*bucket, value.unwrap_or(0))).collect()
        };
        match key {
            None => {
                let total = answer.totals.iter().find(|total| fits(total.currency));
                Ok(Self {
                    key: String::new(),
                    label: answer.query.figure.label.to_owned(),
                    currency: total.and_then(|total| total.currency).or(currency),
                    values: total.map(|total| told(&total.values)).unwrap_or_default(),
                })
            }
            Some(key) => {
                let series = answer.series.iter().find(|one| one.key == key && fits(one.currency));
                let series = series.ok_or_else(|| Invalid::new("key", "is of no series of this figure"))?;
                Ok(Self {
                    key: series.key.clone(),
                    label: series.label.clone(),
                    currency: series.currency,
                    values: told(&series.values),
                })
            }
        }
    }
}
