//! Makes the answer for a figure out of counted rows: values by bucket and series, their totals, and the same of the period before.

use std::collections::BTreeMap;

use super::{Bucket, Figure, FigureQuery, Measure, Told, Unit};
use crate::money::Currency;
use crate::reports::{Period, fits, rounded};
use crate::text::Invalid;

/// What the store counted in one bucket, of one series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The number of the bucket: those of the period before come first.
    pub bucket: usize,
    /// Of the series; empty if there is only one.
    pub key: String,
    /// For people.
    pub label: String,
    pub currency: Option<Currency>,
    pub count: i64,
    pub sum: i128,
}

/// The buckets that were counted, and what they hold. A bucket without a cell holds nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    pub before: Vec<Bucket>,
    pub now: Vec<Bucket>,
    pub cells: Vec<Cell>,
    /// The first of all buckets of which nothing can be said: it has not begun, or how it was is not kept.
    pub unknown: Vec<bool>,
    /// Whether only what the asking person's own agents did was counted.
    pub is_own: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FigureAnswer {
    pub query: FigureQuery,
    /// What it is compared with.
    pub before: Period,
    pub buckets: Vec<Bucket>,
    /// The largest first.
    pub series: Vec<Series>,
    /// All series together, per currency.
    pub totals: Vec<Total>,
    /// How many series are not told.
    pub left_off: usize,
    pub is_own: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub key: String,
    pub label: String,
    pub currency: Option<Currency>,
    /// By bucket; none where there is no value: a share of nothing, or what is not known.
    pub values: Vec<Option<i64>>,
    /// By bucket of the period before, which may have one more or less.
    pub before_values: Vec<Option<i64>>,
    pub total: Option<i64>,
    pub before: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    pub currency: Option<Currency>,
    pub values: Vec<Option<i64>>,
    pub before_values: Vec<Option<i64>>,
    pub value: Option<i64>,
    pub before: Option<i64>,
}

/// The most series that are told one by one.
const MAX_SERIES: usize = 12;

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: i64,
    sum: i128,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
    }

    fn value(self, figure: &Figure) -> Result<Option<i64>, Invalid> {
        if matches!(figure.measure, Measure::Share | Measure::Average) && self.count == 0 {
            return Ok(None);
        }
        let count = i128::from(self.count);
        fits(match figure.measure {
            Measure::Count => count,
            Measure::Sum => self.sum,
            Measure::Share => rounded(self.sum * 1_000, count),
            // Of days, the sum is in seconds.
            Measure::Average if figure.unit == Unit::Days => rounded(self.sum * 10, count * 86_400),
            Measure::Average => rounded(self.sum, count),
        })
        .map(Some)
    }
}

/// One series while it is put together: what each of all buckets holds.
struct Line<'a> {
    figure: &'a Figure,
    counted: &'a Counted,
    tallies: Vec<Tally>,
}

impl Line<'_> {
    fn values(&self, from: usize, to: usize) -> Result<Vec<Option<i64>>, Invalid> {
        let value = |n: usize| match self.counted.unknown[n] {
            true => Ok(None),
            false => self.tallies[n].value(self.figure),
        };
        (from..to).map(value).collect()
    }

    /// What happened is added up; of what there was, the last that is known counts.
    fn total(&self, from: usize, to: usize) -> Result<Option<i64>, Invalid> {
        let known: Vec<Tally> =
            (from..to).filter(|n| !self.counted.unknown[*n]).map(|n| self.tallies[n]).collect();
        let told = match self.figure.told {
            Told::InBucket => {
                let mut all = Tally::default();
                known.into_iter().for_each(|tally| all.add(tally));
                Some(all)
            }
            Told::AtEnd | Told::Now => known.last().copied(),
        };
        told.map_or(Ok(None), |tally| tally.value(self.figure))
    }
}

pub fn answer(query: FigureQuery, counted: Counted) -> Result<FigureAnswer, Invalid> {
    let (first, all) = (counted.before.len(), counted.before.len() + counted.now.len());
    type Key = (Option<Currency>, String);
    let mut lines: BTreeMap<Key, (String, Vec<Tally>)> = BTreeMap::new();
    let mut sums: BTreeMap<Option<Currency>, Vec<Tally>> = BTreeMap::new();
    // Where nothing is counted, that is told too.
    if counted.cells.is_empty() && query.figure.unit != Unit::Money {
        sums.insert(None, vec![Tally::default(); all]);
    }
    for cell in &counted.cells {
        let tally = Tally { count: cell.count, sum: cell.sum };
        let line = lines.entry((cell.currency, cell.key.clone()));
        let line = line.or_insert_with(|| (cell.label.clone(), vec![Tally::default(); all]));
        line.1[cell.bucket].add(tally);
        let sum = sums.entry(cell.currency).or_insert_with(|| vec![Tally::default(); all]);
        sum[cell.bucket].add(tally);
    }
    let line = |tallies| Line { figure: query.figure, counted: &counted, tallies };
    let mut series = Vec::new();
    for ((currency, key), (label, tallies)) in lines {
        let line = line(tallies);
        series.push(Series {
            key,
            label,
            currency,
            values: line.values(first, all)?,
            before_values: line.values(0, first)?,
            total: line.total(first, all)?,
            before: line.total(0, first)?,
        });
    }
    series.sort_by_key(|one| std::cmp::Reverse((one.total.map(i64::unsigned_abs), one.before)));
    let left_off = series.len().saturating_sub(MAX_SERIES);
    series.truncate(MAX_SERIES);
    let mut totals = Vec::new();
    for (currency, tallies) in sums {
        let line = line(tallies);
        totals.push(Total {
            currency,
            values: line.values(first, all)?,
            before_values: line.values(0, first)?,
            value: line.total(first, all)?,
            before: line.total(0, first)?,
        });
    }
    totals.sort_by_key(|total| std::cmp::Reverse(total.value.map(i64::unsigned_abs)));
    let before = query.period.before();
    Ok(FigureAnswer { before, buckets: counted.now, series, totals, left_off, is_own: counted.is_own, query })
}
