//! Dates as files write them. What is hard: `03/04/2025` is in March or in April. One cell can't tell, so
//! [`DateColumn`] looks at all of them, and where even that can't tell, a person is asked.

mod names;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::money::Decided;

/// Which number comes first where a date is three numbers. A year of four digits that comes first needs no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    DayMonthYear,
    MonthDayYear,
    YearMonthDay,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// It can be read in one way only.
    Clear(NaiveDate),
    /// Three numbers, in an order that it does not show.
    Numbers(Numbers),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    first: u32,
    second: u32,
    third: u32,
    /// Whether the third can only be a year: it has four digits, or follows an apostrophe.
    year_last: bool,
}

/// The date in a text, in an order that is known. A time after it is passed over.
pub fn parse(text: &str, order: DateOrder) -> Option<NaiveDate> {
    match scan(text)? {
        Written::Clear(date) => Some(date),
        Written::Numbers(numbers) => numbers.in_order(order),
    }
}

/// A date of a format that has only `20250131` or `2025-01-31`, with or without a time.
pub fn parse_iso(text: &str) -> Option<NaiveDate> {
    match scan(text)? {
        Written::Clear(date) => Some(date),
        Written::Numbers(_) => None,
    }
}

impl Numbers {
    pub(crate) fn in_order(self, order: DateOrder) -> Option<NaiveDate> {
        let Self { first, second, third, year_last } = self;
        match order {
            DateOrder::DayMonthYear => date(third, second, first),
            DateOrder::MonthDayYear => date(third, first, second),
            DateOrder::YearMonthDay if year_last => None,
            DateOrder::YearMonthDay => date(first, second, third),
        }
    }
}

fn date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    let year = match year {
        // As POSIX has it: 69 and less are of this century.
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        1900..=2199 => year,
        _ => return None,
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

pub(crate) fn scan(text: &str) -> Option<Written> {
    let text = text.trim();
    if !(6..=40).contains(&text.len()) || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let text = without_time(text);
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return compact(text);
    }
    if text.chars().any(char::is_alphabetic) {
        return names::scan(text).map(Written::Clear);
    }
    let mut numbers = [0u32; 3];
    let mut lengths = [0usize; 3];
    let mut at = 0;
    let mut apostrophe = false;
    let mut separated = true;
    for c in text.chars() {
        match c {
            '0'..='9' => {
                if lengths[at] == 4 {
                    return None;
                }
                // Digits after a space without a separator, as in `1/ 2'05`, begin no new number.
                numbers[at] = numbers[at] * 10 + u32::from(c as u8 - b'0');
                lengths[at] += 1;
                separated = false;
            }
            '/' | '.' | '-' | '\'' | '\u{2019}' if !separated => {
                apostrophe = matches!(c, '\'' | '\u{2019}');
                if at == 2 {
                    // `31.12.` or a full stop at the end of a date.
                    return None;
                }
                at += 1;
                separated = true;
            }
            ' ' if separated || lengths[at] == 0 => {}
            _ => return None,
        }
    }
    if at != 2 || lengths.contains(&0) {
        return None;
    }
    // Years before 1900 are placeholders for "no date".
    if numbers.iter().zip(lengths).any(|(number, length)| length == 4 && *number < 1900) {
        return None;
    }
    let [first, second, third] = numbers;
    match lengths {
        [4, 1..=2, 1..=2] => date(first, second, third).map(Written::Clear),
        [1..=2, 1..=2, 1..=2] if apostrophe => {
            Some(Written::Numbers(Numbers { first, second, third: third + 2000, year_last: true }))
        }
        [1..=2, 1..=2, 2] => Some(Written::Numbers(Numbers { first, second, third, year_last: false })),
        [1..=2, 1..=2, 4] => Some(Written::Numbers(Numbers { first, second, third, year_last: true })),
        _ => None,
    }
}

/// `2025-01-31T10:00:00Z`, `31.01.2025 10:00`, and OFX's `20250131100000.000[-5:EST]`: what follows the day goes.
fn without_time(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits >= 10 || (digits == 8 && text[digits..].starts_with(['T', '[', '.', ' ', ':'])) {
        return &text[..8];
    }
    let begins_time =
        |rest: &str| rest.as_bytes().first().is_some_and(u8::is_ascii_digit) && rest.contains(':');
    for (at, c) in text.char_indices() {
        if matches!(c, 'T' | ' ' | ',') && at >= 6 && begins_time(text[at + 1..].trim_start()) {
            return text[..at].trim_end();
        }
    }
    // `2025-01-31Z` and `2025-01-31+01:00`, as XML has dates.
    match text.get(..10) {
        Some(day) if digits == 4 && text[10..].starts_with(['Z', '+', '-']) => day,
        _ => text,
    }
}

fn compact(text: &str) -> Option<Written> {
    if text.len() != 8 {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
    if let Some(date) =
        date(number(0, 4)?, number(4, 6)?, number(6, 8)?).filter(|_| number(0, 4) >= Some(1900))
    {
        return Some(Written::Clear(date));
    }
    let (first, second, third) = (number(0, 2)?, number(2, 4)?, number(4, 8)?);
    (1900..2200).contains(&third).then_some(Written::Numbers(Numbers {
        first,
        second,
        third,
        year_last: true,
    }))
}

/// What the cells of a column say about the order of day and month.
#[derive(Debug, Clone, Default)]
pub struct DateColumn {
    /// Cells that are dates, in some order.
    pub dates: u64,
    only_day_first: u64,
    only_month_first: u64,
    only_year_first: u64,
    /// Cells that are different dates by different orders: how many, and the first few.
    unclear: u64,
    pub samples: Vec<String>,
}

impl DateColumn {
    /// Looks at one more cell; what is no date says nothing.
    pub fn look_at(&mut self, text: &str) {
        let Some(written) = scan(text) else { return };
        let numbers = match written {
            Written::Clear(_) => {
                self.dates += 1;
                return;
            }
            Written::Numbers(numbers) => numbers,
        };
        let day_first = numbers.in_order(DateOrder::DayMonthYear);
        let month_first = numbers.in_order(DateOrder::MonthDayYear);
        let count = match (day_first, month_first) {
            (None, None) if numbers.in_order(DateOrder::YearMonthDay).is_none() => return,
            (None, None) => &mut self.only_year_first,
            (Some(_), None) => &mut self.only_day_first,
            (None, Some(_)) => &mut self.only_month_first,
            (Some(one), Some(other)) if one == other => &mut self.dates,
            _ => {
                if self.samples.len() < 3 {
                    self.samples.push(text.trim().to_owned());
                }
                &mut self.unclear
            }
        };
        *count += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        self.dates += other.dates;
        self.only_day_first += other.only_day_first;
        self.only_month_first += other.only_month_first;
        self.only_year_first += other.only_year_first;
        self.unclear += other.unclear;
        let room = 3usize.saturating_sub(self.samples.len());
        self.samples.extend(other.samples.iter().take(room).cloned());
    }

    /// How many cells were dates.
    pub fn count(&self) -> u64 {
        self.dates + self.only_day_first + self.only_month_first + self.only_year_first + self.unclear
    }

    /// Whether some cell is a date only in another order, and none only in this one.
    pub fn contradicts(&self, order: DateOrder) -> bool {
        let (this, others) = match order {
            DateOrder::DayMonthYear => (self.only_day_first, self.only_month_first + self.only_year_first),
            DateOrder::MonthDayYear => (self.only_month_first, self.only_day_first + self.only_year_first),
            DateOrder::YearMonthDay => (self.only_year_first, self.only_day_first + self.only_month_first),
        };
        this == 0 && others > 0 && order != DateOrder::YearMonthDay
    }

    pub fn decide(&self) -> Decided<DateOrder> {
        match (self.only_day_first, self.only_month_first, self.only_year_first) {
            (0, 0, 0) if self.unclear == 0 => Decided::Known(DateOrder::DayMonthYear),
            (1.., 0, 0) => Decided::Known(DateOrder::DayMonthYear),
            (0, 1.., 0) => Decided::Known(DateOrder::MonthDayYear),
            (_, _, 1..) => Decided::Known(DateOrder::YearMonthDay),
            _ => Decided::Ask,
        }
    }
}

#[cfg(test)]
mod tests;
