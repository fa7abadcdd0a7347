//! Amounts of money as people and banks write them, to integers of the currency's smallest unit. Never a float.
//! What is hard: `1,234` is a thousand in one country and a little over one in another. A cell alone can't tell, so
//! [`AmountColumn`] looks at all cells of a column, and where even that can't tell, a person is asked.

mod scan;

use serde::{Deserialize, Serialize};

pub use baton_core::money::{Currency, format};
pub(crate) use scan::{Written, scan};

/// The sign between whole units and the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecimalSign {
    Point,
    Comma,
}

impl DecimalSign {
    fn char(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }
}

/// Why a text is not an amount, in words that follow the text itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    #[error("is not an amount")]
    NotAnAmount,
    #[error("has thousands and decimals where this column does not have them")]
    Separators,
    #[error("has more decimals than {currency} has ({exponent})")]
    TooPrecise { currency: Currency, exponent: u8 },
    #[error("is too large")]
    TooLarge,
    #[error("says {written}, but the row is in {expected}")]
    OtherCurrency { written: Currency, expected: Currency },
}

/// What to do with more decimals than the currency has. Where the decimal sign is certain they are rounded (brokers
/// write four); where it was found by looking, they are a sign that it was misread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    Refuse,
    /// To the nearest, and of two equally near to the even one.
    Round,
}

/// An amount in minor units, by a decimal sign that is known.
pub fn parse(text: &str, currency: Currency, decimal: DecimalSign) -> Result<i64, AmountError> {
    let written = scan(text).ok_or(AmountError::NotAnAmount)?;
    match written.currency {
        Some(other) if other != currency => {
            return Err(AmountError::OtherCurrency { written: other, expected: currency });
        }
        _ => {}
    }
    let (whole, part) = written.split(decimal).ok_or(AmountError::Separators)?;
    to_minor(&whole, &part, written.negative, currency, Excess::Refuse)
}

/// An amount of a format that has no thousands (OFX, CAMT): a single point or comma is the decimal sign.
pub fn parse_exact(text: &str, currency: Currency) -> Result<Exact, AmountError> {
    let written = scan(text).ok_or(AmountError::NotAnAmount)?;
    let decimal = match written.body.rfind(['.', ',']) {
        Some(at) if written.body[at..].starts_with(',') => DecimalSign::Comma,
        _ => DecimalSign::Point,
    };
    // More than one of the same sign can only be thousands.
    let decimal = match written.body.matches(decimal.char()).count() {
        0 | 1 => decimal,
        _ if decimal == DecimalSign::Comma => DecimalSign::Point,
        _ => DecimalSign::Comma,
    };
    let (whole, part) = match written.body.split_once(decimal.char()) {
        Some((whole, part)) if !whole.contains([',', '.', '_']) => (whole.to_owned(), part.to_owned()),
        _ => written.split(decimal).ok_or(AmountError::Separators)?,
    };
    let minor = to_minor(&whole, &part, written.negative, currency, Excess::Round)?;
    let is_rounded = part.bytes().skip(usize::from(currency.exponent())).any(|digit| digit != b'0');
    Ok(Exact { minor, rounded_from: is_rounded.then(|| text.trim().to_owned()) })
}

/// An amount, and how it was written if that was more than the currency has decimals for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact {
    pub minor: i64,
    pub rounded_from: Option<String>,
}

/// Digits before and after the decimal sign, scaled to the currency's exponent.
fn to_minor(
    whole: &str,
    part: &str,
    negative: bool,
    currency: Currency,
    excess: Excess,
) -> Result<i64, AmountError> {
    let exponent = currency.exponent();
    let keep = usize::from(exponent);
    let (kept, rest) = part.split_at(part.len().min(keep));
    let rest = rest.trim_end_matches('0');
    if !rest.is_empty() && excess == Excess::Refuse {
        return Err(AmountError::TooPrecise { currency, exponent });
    }
    let digits = whole.chars().chain(kept.chars()).chain(std::iter::repeat_n('0', keep - kept.len()));
    let mut minor: i64 = 0;
    for digit in digits {
        let digit = digit.to_digit(10).ok_or(AmountError::NotAnAmount)?;
        minor =
            minor.checked_mul(10).and_then(|n| n.checked_add(digit.into())).ok_or(AmountError::TooLarge)?;
    }
    if rounds_up(rest, minor) {
        minor = minor.checked_add(1).ok_or(AmountError::TooLarge)?;
    }
    Ok(if negative { -minor } else { minor })
}

fn rounds_up(rest: &str, minor: i64) -> bool {
    match rest.as_bytes() {
        [] | [b'0'..=b'4', ..] => false,
        [b'5'] => minor % 2 == 1,
        _ => true,
    }
}

/// A number that is no money: exact, as many decimals as were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    pub units: i64,
    pub scale: u8,
}

impl Decimal {
    pub fn parse(text: &str, decimal: DecimalSign) -> Result<Self, AmountError> {
        let written = scan(text).ok_or(AmountError::NotAnAmount)?;
        let (whole, part) = written.split(decimal).ok_or(AmountError::Separators)?;
        let part = part.trim_end_matches('0');
        let units = format!("{whole}{part}").parse::<i64>().map_err(|_| AmountError::TooLarge)?;
        let scale = u8::try_from(part.len()).map_err(|_| AmountError::TooLarge)?;
        Ok(Self { units: if written.negative { -units } else { units }, scale })
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&baton_core::money::scaled(self.units, self.scale))
    }
}

/// What the cells of a column say about its decimal sign.
#[derive(Debug, Clone, Default)]
pub struct AmountColumn {
    /// Cells that can be read in one way only, by the sign that they show.
    point: u64,
    comma: u64,
    /// Cells such as `1,234`: how many, and the first few.
    unclear: u64,
    pub samples: Vec<String>,
}

/// What a column as a whole says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided<T> {
    Known(T),
    /// A person must say.
    Ask,
}

impl AmountColumn {
    pub(crate) fn add(&mut self, text: &str, written: &Written) {
        match written.shows() {
            scan::Shows::Point => self.point += 1,
            scan::Shows::Comma => self.comma += 1,
            scan::Shows::Unclear => {
                self.unclear += 1;
                if self.samples.len() < 3 {
                    self.samples.push(text.trim().to_owned());
                }
            }
            scan::Shows::Nothing => {}
        }
    }

    /// Looks at one more cell; what is no amount says nothing.
    pub fn look_at(&mut self, text: &str) {
        if let Some(written) = scan(text) {
            self.add(text, &written);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.point += other.point;
        self.comma += other.comma;
        self.unclear += other.unclear;
        let room = 3usize.saturating_sub(self.samples.len());
        self.samples.extend(other.samples.iter().take(room).cloned());
    }

    /// Whether some cell can be read only with the other sign, and none only with this one.
    pub fn contradicts(&self, sign: DecimalSign) -> bool {
        match sign {
            DecimalSign::Point => self.point == 0 && self.comma > 0,
            DecimalSign::Comma => self.comma == 0 && self.point > 0,
        }
    }

    /// `currency` is the account's, if it is known: where it has no decimals, a single sign before three digits is one
    /// of thousands.
    pub fn decide(&self, currency: Option<Currency>) -> Decided<DecimalSign> {
        match (self.point, self.comma, self.unclear) {
            (0, 0, 0) | (1.., 0, _) => Decided::Known(DecimalSign::Point),
            (0, 1.., _) => Decided::Known(DecimalSign::Comma),
            (0, 0, _) if currency.is_some_and(|currency| currency.exponent() == 0) => {
                let commas = self.samples.iter().any(|sample| sample.contains(','));
                Decided::Known(if commas { DecimalSign::Point } else { DecimalSign::Comma })
            }
            _ => Decided::Ask,
        }
    }
}

#[cfg(test)]
mod tests;
