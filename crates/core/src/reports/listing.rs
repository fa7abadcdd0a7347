//! Single transactions as reports tell them.

use chrono::NaiveDate;
use uuid::Uuid;

use super::Side;
use super::period::Period;
use crate::money::{Currency, Money};

/// What transactions that fit a query add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Matching {
    /// Pending ones too.
    pub count: i64,
    /// Split transactions besides these: they have no category themselves, and are in the sums with their parts in the category
    /// that was asked for.
    pub split: i64,
    /// More fit than are added up; nothing is, then.
    pub is_too_many: bool,
    /// Booked ones that are in no sum: transfers between own accounts, and trades.
    pub set_aside: i64,
    /// Of booked payments, per currency: what came in, and what went out.
    pub sums: Vec<InAndOut>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InAndOut {
    pub money_in: Money,
    /// Not positive.
    pub money_out: Money,
}

/// The biggest payments first.
#[derive(Debug, Clone, PartialEq)]
pub struct Biggest {
    pub side: Side,
    pub period: Period,
    pub rows: Vec<Listed>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub id: Uuid,
    pub account_id: Uuid,
    pub account: String,
    pub booked_on: NaiveDate,
    pub amount: i64,
    pub currency: Currency,
    pub payee: Option<String>,
    pub memo: Option<String>,
    pub category_id: Option<Uuid>,
    /// `Split` of one that has several.
    pub category: String,
}
