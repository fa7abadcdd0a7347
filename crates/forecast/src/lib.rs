//! The seasonal model behind forecasts of key figures (`core/figures/forecast.rs` says what is asked of it, and judges it).
//!
//! The series is taken apart into trend, season and rest (MSTL). The season comes again as it was; trend and rest go on by
//! exponential smoothing (ETS), whose kind is chosen by how well it fits.

use augurs::ets::AutoETS;
use augurs::mstl::MSTLModel;
use augurs::{Fit, Predict};
use baton_core::figures::{INTERVAL_PERCENT, Interval, SeasonalModel};

/// Errors add up, and the trend may be any; the season is none of its business. (With errors that multiply, intervals would
/// be drawn by lot, another one each time.)
const TREND: &str = "AZN";

pub struct Mstl;

impl SeasonalModel for Mstl {
    fn method(&self) -> &'static str {
        "seasonal decomposition (MSTL) with exponential smoothing (ETS) of the trend"
    }

    fn predict(&self, history: &[f64], season: usize, horizon: usize) -> Result<Vec<Interval>, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        // Values of any unit become ones that are computed with alike: the model reckons with few digits.
        let scale = history.iter().fold(0.0f64, |most, value| most.max(value.abs())).max(f64::MIN_POSITIVE);
        let scaled: Vec<f64> = history.iter().map(|value| value / scale * 100.0).collect();
        let trend = AutoETS::new(1, TREND).map_err(|error| words(&error))?.into_trend_model();
        let fitted = MSTLModel::new(vec![season], trend).fit(&scaled).map_err(|error| words(&error))?;
        let level = f64::from(INTERVAL_PERCENT) / 100.0;
        let told = fitted.predict(horizon, level).map_err(|error| words(&error))?;
        let bounds = told.intervals.ok_or("it tells no interval")?;
        let back = |value: f64| value / 100.0 * scale;
        let points = told.point.iter().zip(bounds.lower.iter().zip(&bounds.upper));
        let all: Vec<Interval> = points
            .map(|(value, (lower, upper))| Interval {
                value: back(*value),
                lower: back(*lower),
                upper: back(*upper),
            })
            .collect();
        let is_number =
            |one: &Interval| [one.value, one.lower, one.upper].iter().all(|value| value.is_finite());
        if all.len() == horizon && all.iter().all(is_number) {
            Ok(all)
        } else {
            Err("it gave no numbers".into())
        }
    }
}

#[cfg(test)]
mod tests;
