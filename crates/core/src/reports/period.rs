//! Periods: from a day to a day, both included, in the person's time zone.

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::text::Invalid;
use crate::words;

/// How many months a report over time may have.
pub const MAX_MONTHS: u32 = 1_200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

words! {
    /// Periods that move with the day.
    NamedPeriod {
        ThisWeek => "this_week",
        LastWeek => "last_week",
        ThisMonth => "this_month",
        LastMonth => "last_month",
        Last3Months => "last_3_months",
        Last12Months => "last_12_months",
        Last30Days => "last_30_days",
        Last90Days => "last_90_days",
        ThisYear => "this_year",
        LastYear => "last_year",
    }
}

impl NamedPeriod {
    pub const ALL: [Self; 10] = [
        Self::ThisWeek,
        Self::LastWeek,
        Self::ThisMonth,
        Self::LastMonth,
        Self::Last3Months,
        Self::Last12Months,
        Self::Last30Days,
        Self::Last90Days,
        Self::ThisYear,
        Self::LastYear,
    ];

    /// Weeks begin on Monday. What is under way ends today; "last" ones are whole, and end before what is under way.
    pub fn on(self, today: NaiveDate) -> Period {
        let monday = back_days(today, u64::from(today.weekday().num_days_from_monday()));
        let (month, year) = (month_start(today), year_start(today));
        let until = |from, next| Period { from, to: back_days(next, 1) };
        match self {
            Self::ThisWeek => Period { from: monday, to: today },
            Self::LastWeek => until(back_days(monday, 7), monday),
            Self::ThisMonth => Period { from: month, to: today },
            Self::LastMonth => until(back_months(month, 1), month),
            Self::Last3Months => until(back_months(month, 3), month),
            Self::Last12Months => until(back_months(month, 12), month),
            Self::Last30Days => Period { from: back_days(today, 29), to: today },
            Self::Last90Days => Period { from: back_days(today, 89), to: today },
            Self::ThisYear => Period { from: year, to: today },
            Self::LastYear => until(back_months(year, 12), year),
        }
    }
}

impl Period {
    pub fn new(from: NaiveDate, to: NaiveDate) -> Result<Self, Invalid> {
        if from > to {
            return Err(Invalid::new("period", format!("must not end ({to}) before it begins ({from})")));
        }
        if !(1900..=2200).contains(&from.year()) || !(1900..=2200).contains(&to.year()) {
            return Err(Invalid::new("period", "must lie between the years 1900 and 2200"));
        }
        let period = Self { from, to };
        if period.months() > MAX_MONTHS {
            return Err(Invalid::new("period", "must be at most 100 years"));
        }
        Ok(period)
    }

    pub fn days(self) -> i64 {
        (self.to - self.from).num_days() + 1
    }

    pub fn contains(self, day: NaiveDate) -> bool {
        (self.from..=self.to).contains(&day)
    }

    /// How many calendar months it touches.
    pub fn months(self) -> u32 {
        months_between(self.from, self.to) + 1
    }

    /// The first days of the months that it touches.
    pub fn month_starts(self) -> impl Iterator<Item = NaiveDate> {
        let first = month_start(self.from);
        (0..self.months()).filter_map(move |n| first.checked_add_months(Months::new(n)))
    }

    /// What it is compared with. One that begins with a month is compared with as many months before, up to the same day;
    /// one that begins with a year and is longer than half a year, with the same part of the years before; any other, with
    /// as many days before.
    pub fn before(self) -> Self {
        if self.from.day() != 1 {
            let days = u64::try_from(self.days()).unwrap_or(0);
            return Self { from: back_days(self.from, days), to: back_days(self.from, 1) };
        }
        let months = self.months();
        let by = if self.from.month() == 1 && months > 6 { months.div_ceil(12) * 12 } else { months };
        let to = back_months(self.to, by);
        let is_whole = self.to == month_end(self.to);
        Self { from: back_months(self.from, by), to: if is_whole { month_end(to) } else { to } }
    }
}

impl std::fmt::Display for Period {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

pub fn month_start(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

pub fn month_end(day: NaiveDate) -> NaiveDate {
    let next = month_start(day).checked_add_months(Months::new(1));
    next.and_then(|next| next.pred_opt()).unwrap_or(NaiveDate::MAX)
}

pub fn year_start(day: NaiveDate) -> NaiveDate {
    NaiveDate::from_ymd_opt(day.year(), 1, 1).unwrap_or(day)
}

/// How many month boundaries lie between two days.
pub fn months_between(from: NaiveDate, to: NaiveDate) -> u32 {
    let months = |day: NaiveDate| i64::from(day.year()) * 12 + i64::from(day.month0());
    u32::try_from(months(to) - months(from)).unwrap_or(0)
}

fn back_days(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(NaiveDate::MIN)
}

fn back_months(day: NaiveDate, months: u32) -> NaiveDate {
    day.checked_sub_months(Months::new(months)).unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests;
