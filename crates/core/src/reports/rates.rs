//! Totals in one currency, by the exchange rates that the workspace entered itself. Exact integers throughout; only the
//! result is rounded, half away from zero, to the currency's smallest unit.

use chrono::NaiveDate;

use super::{fits, too_large};
use crate::money::Currency;
use crate::text::Invalid;

/// What one unit of a currency is worth in another from a day on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    pub currency: Currency,
    pub in_currency: Currency,
    /// A decimal number.
    pub rate: String,
    pub valid_from: NaiveDate,
}

/// A total in one currency, and whence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    pub currency: Currency,
    /// None if a rate is missing: half a total helps nobody.
    pub total: Option<i64>,
    pub used: Vec<RateUsed>,
    pub missing: Vec<Currency>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateUsed {
    pub of: Currency,
    pub rate: Rate,
    /// The rate was entered for the other direction.
    pub is_inverse: bool,
}

/// Adds up amounts in the currency `to`, with the latest rates of `day` or before.
pub fn convert(
    amounts: impl IntoIterator<Item = (Currency, i128)>,
    to: Currency,
    day: NaiveDate,
    rates: &[Rate],
) -> Result<Converted, Invalid> {
    let mut converted = Converted { currency: to, total: None, used: Vec::new(), missing: Vec::new() };
    let mut total: i128 = 0;
    for (of, amount) in amounts {
        if of == to || amount == 0 {
            total = total.checked_add(amount).ok_or_else(too_large)?;
            continue;
        }
        match latest(of, to, day, rates) {
            Some(used) => {
                total = total.checked_add(used.apply(amount, to)?).ok_or_else(too_large)?;
                converted.used.push(used);
            }
            None => converted.missing.push(of),
        }
    }
    if converted.missing.is_empty() {
        converted.total = Some(fits(total)?);
    }
    Ok(converted)
}

/// The newest rate between the two; of the same day, the one in the direction that is asked for.
fn latest(of: Currency, to: Currency, day: NaiveDate, rates: &[Rate]) -> Option<RateUsed> {
    let fitting = rates.iter().filter(|rate| rate.valid_from <= day).filter_map(|rate| {
        let is_inverse = match (rate.currency, rate.in_currency) {
            pair if pair == (of, to) => false,
            pair if pair == (to, of) => true,
            _ => return None,
        };
        (decimal(&rate.rate)?.0 > 0).then_some((rate, is_inverse))
    });
    let (rate, is_inverse) = fitting.max_by_key(|(rate, is_inverse)| (rate.valid_from, !is_inverse))?;
    Some(RateUsed { of, rate: rate.clone(), is_inverse })
}

impl RateUsed {
    fn apply(&self, amount: i128, to: Currency) -> Result<i128, Invalid> {
        let (digits, scale) = decimal(&self.rate.rate).ok_or_else(too_large)?;
        let ten = |n: u32| 10i128.checked_pow(n).ok_or_else(too_large);
        let (up, down) = match self.is_inverse {
            false => (digits, ten(scale)?),
            true => (ten(scale)?, digits),
        };
        let up = up.checked_mul(ten(to.exponent().into())?).ok_or_else(too_large)?;
        let down = down.checked_mul(ten(self.of.exponent().into())?).ok_or_else(too_large)?;
        let product = amount.checked_mul(up).ok_or_else(too_large)?;
        Ok(rounded(product, down))
    }
}

/// Half away from zero; the divisor is positive.
pub fn rounded(dividend: i128, by: i128) -> i128 {
    let (whole, rest) = (dividend / by, dividend % by);
    match rest.unsigned_abs() >= by.unsigned_abs().div_ceil(2) && rest != 0 {
        true => whole + dividend.signum(),
        false => whole,
    }
}

/// `1.0825` as 10825 and 4.
fn decimal(text: &str) -> Option<(i128, u32)> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let part = part.trim_end_matches('0');
    let digits = format!("{whole}{part}");
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let digits = is_number.then(|| digits.parse().ok()).flatten()?;
    Some((digits, u32::try_from(part.len()).ok()?))
}

#[cfg(test)]
mod tests;
