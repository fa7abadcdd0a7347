//! How a period is cut into days, weeks and months.

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::reports::{Period, month_end, month_start};
use crate::text::Invalid;
use crate::words;

/// The most buckets of one answer: a year of days.
pub const MAX_BUCKETS: usize = 372;

words! {
    /// How long a bucket is.
    Grain { Day => "day", Week => "week", Month => "month" }
}

/// Days that are counted together, both ends included.
pub type Bucket = Period;

impl Grain {
    pub const ALL: [Self; 3] = [Self::Day, Self::Week, Self::Month];

    /// The first day of the whole bucket that a day lies in.
    pub fn start(self, day: NaiveDate) -> NaiveDate {
        match self {
            Self::Day => day,
            Self::Week => {
                let back = Days::new(u64::from(day.weekday().num_days_from_monday()));
                day.checked_sub_days(back).unwrap_or(day)
            }
            Self::Month => month_start(day),
        }
    }

    /// The last day of the whole bucket that a day lies in.
    pub fn end(self, day: NaiveDate) -> NaiveDate {
        match self {
            Self::Day => day,
            Self::Week => self.start(day).checked_add_days(Days::new(6)).unwrap_or(day),
            Self::Month => month_end(day),
        }
    }

    /// The first day of the bucket that lies so many buckets later, or earlier.
    pub fn step(self, start: NaiveDate, by: i32) -> NaiveDate {
        let (back, by) = (by < 0, by.unsigned_abs());
        let moved = match self {
            Self::Day | Self::Week => {
                let days = Days::new(u64::from(by) * if self == Self::Week { 7 } else { 1 });
                if back { start.checked_sub_days(days) } else { start.checked_add_days(days) }
            }
            Self::Month if back => start.checked_sub_months(Months::new(by)),
            Self::Month => start.checked_add_months(Months::new(by)),
        };
        moved.unwrap_or(start)
    }

    /// How many buckets make the season that comes again: a week of days, a year of weeks or of months.
    pub fn season(self) -> usize {
        match self {
            Self::Day => 7,
            Self::Week => 52,
            Self::Month => 12,
        }
    }
}

/// The buckets of a period, the oldest first.
pub fn buckets(period: Period, by: Grain) -> Result<Vec<Bucket>, Invalid> {
    let mut all = Vec::new();
    let mut from = period.from;
    while from <= period.to {
        if all.len() == MAX_BUCKETS {
            let coarser = if by == Grain::Day { "weeks or months" } else { "months" };
            let words =
                format!("has more than {MAX_BUCKETS} {by}s: name a shorter period, or ask for {coarser}");
            return Err(Invalid::new("period", words));
        }
        let to = by.end(from).min(period.to);
        all.push(Bucket { from, to });
        let Some(next) = to.succ_opt() else { break };
        from = next;
    }
    Ok(all)
}

/// What is told if nobody says a period: about a month of days, a quarter of weeks, a year of months, until today.
pub fn usual_period(by: Grain, today: NaiveDate) -> Period {
    let back = match by {
        Grain::Day => 29,
        Grain::Week => 12,
        Grain::Month => 11,
    };
    Period { from: by.step(by.start(today), -back), to: today }
}
