//! What the cells of a column look like, over the whole file.

use super::mapping::goes_out;
use super::value::bool_of;
use crate::date::DateColumn;
use crate::money::{AmountColumn, Currency, DecimalSign, scan};

/// After so many cells without a single date, a column holds no dates; the same for amounts.
const ENOUGH: u64 = 1_000;
const MAX_DISTINCT: usize = 12;

#[derive(Debug, Clone, Default)]
pub struct Column {
    pub name: String,
    /// Cells that hold anything.
    pub filled: u64,
    pub dates: DateColumn,
    pub amounts: AmountColumn,
    /// Cells that are amounts, and those of them below zero.
    pub amount_cells: u64,
    pub negative_cells: u64,
    /// Cells that are a currency's code.
    pub currency_cells: u64,
    pub bool_cells: u64,
    /// Cells that say only "in" or "out".
    pub direction_cells: u64,
    /// The currency that amounts name, if they all name the same.
    pub currency: Option<Currency>,
    mixed_currencies: bool,
    /// Its values, as long as they are few.
    pub distinct: Vec<String>,
    many: bool,
}

impl Column {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub fn look_at(&mut self, cell: &str) {
        let cell = crate::export::unquoted(cell.trim());
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if self.filled <= ENOUGH || self.dates.count() > 0 {
            self.dates.look_at(cell);
        }
        if self.filled <= ENOUGH || self.amount_cells > 0 {
            self.look_at_amount(cell);
        }
        if cell.len() <= 16 {
            self.currency_cells += u64::from(cell.len() == 3 && Currency::parse(cell).is_some());
            self.bool_cells += u64::from(bool_of(cell).is_some());
            self.direction_cells += u64::from(goes_out(cell).is_some());
        }
        if !self.many && !self.distinct.iter().any(|known| known == cell) {
            self.many = self.distinct.len() == MAX_DISTINCT;
            if !self.many {
                self.distinct.push(cell.chars().take(60).collect());
            }
        }
    }

    fn look_at_amount(&mut self, cell: &str) {
        let Some(written) = scan(cell) else { return };
        if written.split(DecimalSign::Point).is_none() && written.split(DecimalSign::Comma).is_none() {
            return;
        }
        self.amounts.add(cell, &written);
        self.amount_cells += 1;
        self.negative_cells += u64::from(written.negative);
        match (self.currency, written.currency) {
            (None, found) if !self.mixed_currencies => self.currency = found,
            (Some(known), Some(found)) if known != found => {
                self.currency = None;
                self.mixed_currencies = true;
            }
            _ => {}
        }
    }

    /// Whether at least half of its cells are of a sort: a short file may end in lines of totals, and single rows that
    /// are wrong are refused one by one.
    fn mostly(&self, count: u64) -> bool {
        self.filled > 0 && count * 2 >= self.filled
    }

    pub fn has_dates(&self) -> bool {
        self.mostly(self.dates.count())
    }

    pub fn has_amounts(&self) -> bool {
        self.mostly(self.amount_cells)
    }

    pub fn has_currencies(&self) -> bool {
        self.mostly(self.currency_cells)
    }

    pub fn has_bools(&self) -> bool {
        self.mostly(self.bool_cells)
    }

    pub fn has_directions(&self) -> bool {
        self.filled > 0 && self.direction_cells == self.filled
    }
}
