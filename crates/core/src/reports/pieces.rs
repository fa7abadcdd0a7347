//! How the sums of a period are read: whole months from kept sums, and the days between a month's edge and the period's
//! from rows. At each end the nearer edge is taken, so at most half a month of rows is read there.

use chrono::{Datelike, NaiveDate};

use super::period::{Period, month_end, month_start};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pieces {
    /// First days of the first and the last whole month.
    pub months: Option<(NaiveDate, NaiveDate)>,
    pub days: Vec<Days>,
}

/// Days whose rows are added, or taken away from a month that is counted whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub is_added: bool,
}

pub fn pieces(period: Period) -> Pieces {
    let first = first_edge(period.from);
    let last = last_edge(period.to);
    if first > last {
        // Both ends are nearest to the same edge of a month.
        return Pieces {
            months: None,
            days: vec![Days { from: period.from, to: period.to, is_added: true }],
        };
    }
    let mut days = Vec::new();
    let mut piece = |from: NaiveDate, to: NaiveDate, is_added| days.push(Days { from, to, is_added });
    if let Some(end) = first.pred_opt().filter(|_| period.from < first) {
        piece(period.from, end, true);
    } else if let Some(end) = period.from.pred_opt().filter(|_| first < period.from) {
        piece(first, end, false);
    }
    if let Some(begin) = last.succ_opt().filter(|_| last < period.to) {
        piece(begin, period.to, true);
    } else if let Some(begin) = period.to.succ_opt().filter(|_| period.to < last) {
        piece(begin, last, false);
    }
    Pieces { months: Some((first, month_start(last))), days }
}

/// The nearest first day of a month.
fn first_edge(day: NaiveDate) -> NaiveDate {
    let next = month_end(day).succ_opt().unwrap_or(NaiveDate::MAX);
    if day.day0() <= u32::try_from((next - day).num_days()).unwrap_or(0) { month_start(day) } else { next }
}

/// The nearest last day of a month.
fn last_edge(day: NaiveDate) -> NaiveDate {
    let before = month_start(day).pred_opt().unwrap_or(NaiveDate::MIN);
    let end = month_end(day);
    if (end - day).num_days() <= (day - before).num_days() { end } else { before }
}

#[cfg(test)]
mod tests;
