//! Money: an integer of the currency's smallest unit, with the currency. It is never a float, and sums of different
//! currencies never meet.

mod currency;

use serde::{Deserialize, Serialize};

pub use currency::Currency;

/// An amount in one currency; money that leaves is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    /// In minor units.
    pub amount: i64,
    pub currency: Currency,
}

impl Money {
    pub fn new(amount: i64, currency: Currency) -> Self {
        Self { amount, currency }
    }

    /// The amount as models and files have it: `-12.50`, for JPY `-1250`.
    pub fn decimal(self) -> String {
        format(self.amount, self.currency)
    }
}

/// For people: `EUR -12.50`.
impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.currency, self.decimal())
    }
}

/// Minor units as text with a decimal point: `-12.50`, for JPY `-1250`.
pub fn format(minor: i64, currency: Currency) -> String {
    scaled(minor, currency.exponent())
}

/// An integer with its last `scale` digits behind a decimal point.
pub fn scaled(units: i64, scale: u8) -> String {
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = usize::from(scale) + 1);
    let (whole, part) = digits.split_at(digits.len() - usize::from(scale));
    let sign = if units < 0 { "-" } else { "" };
    match part {
        "" => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{part}"),
    }
}

/// Why a text is not an amount of a currency, in words that follow the name of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMoney {
    #[error("must be an amount such as -12.50")]
    NotAnAmount,
    #[error("must have at most {exponent} decimals, as {currency} has")]
    TooPrecise { currency: Currency, exponent: u8 },
    #[error("is too large")]
    TooLarge,
}

/// A decimal number with a point, as models and our own files write amounts. (What people and banks write is read by the
/// crate `formats`.)
pub fn parse(text: &str, currency: Currency) -> Result<i64, NotMoney> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || !is_number(whole) || !is_number(part) {
        return Err(NotMoney::NotAnAmount);
    }
    let exponent = currency.exponent();
    let keep = usize::from(exponent);
    let (kept, rest) = part.split_at(part.len().min(keep));
    if rest.bytes().any(|digit| digit != b'0') {
        return Err(NotMoney::TooPrecise { currency, exponent });
    }
    let digits = whole.bytes().chain(kept.bytes()).chain(std::iter::repeat_n(b'0', keep - kept.len()));
    let mut minor: i64 = 0;
    for digit in digits {
        let digit = i64::from(digit - b'0');
        minor = minor.checked_mul(10).and_then(|n| n.checked_add(digit)).ok_or(NotMoney::TooLarge)?;
    }
    Ok(if negative { -minor } else { minor })
}

#[cfg(test)]
mod tests;
