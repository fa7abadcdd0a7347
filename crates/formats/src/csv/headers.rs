//! How well a column's header fits a field's name.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Lower case, no accents, single spaces in place of all other signs.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => plain.push_str("ss"),
            'ł' | 'Ł' => plain.push('l'),
            'ø' | 'Ø' => plain.push('o'),
            c if c.is_alphanumeric() => plain.extend(c.to_lowercase()),
            _ if !plain.is_empty() && !plain.ends_with(' ') => plain.push(' '),
            _ => {}
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// From 0 (nothing in common) to 100 (the same; an address a little more), for two plain texts.
pub(super) fn fit(header: &str, name: &str) -> u32 {
    if header == name {
        // Where a file has a name and an address, the address says better who is meant.
        return 100 + u32::from(header.ends_with("email"));
    }
    // `firstName` and `first name`.
    if header.replace(' ', "") == name.replace(' ', "") {
        return 95;
    }
    let contains = format!(" {header} ").contains(&format!(" {name} "));
    match (contains, u32::try_from(name.len() * 30 / header.len().max(1))) {
        (true, Ok(share)) if !name.is_empty() => 60 + share.min(30),
        _ => 0,
    }
}

/// Columns that only hold what goes out, or only what comes in.
pub(super) const DEBIT: &[&str] = &[
    "debit",
    "debits",
    "debit amount",
    "withdrawal",
    "withdrawals",
    "withdrawal amount",
    "paid out",
    "money out",
    "outflow",
    "soll",
    "belastung",
    "lastschrift",
    "ausgaben",
    "debet",
    "debito",
    "cargo",
    "cargos",
    "uitgaven",
    "dare",
    "uscite",
    "saida",
    "af",
];
pub(super) const CREDIT: &[&str] = &[
    "credit",
    "credits",
    "credit amount",
    "deposit",
    "deposits",
    "deposit amount",
    "paid in",
    "money in",
    "inflow",
    "haben",
    "gutschrift",
    "einnahmen",
    "credito",
    "abono",
    "abonos",
    "inkomsten",
    "avere",
    "entrate",
    "entrada",
    "bij",
];
/// Columns that say whether an amount goes out or comes in.
pub(super) const DIRECTION: &[&str] = &[
    "debit credit",
    "credit debit",
    "dc",
    "cd",
    "cr dr",
    "dr cr",
    "direction",
    "type",
    "transaction type",
    "sign",
    "sens",
    "soll haben",
    "s h",
    "af bij",
    "signe",
    "kennzeichen",
    "umsatzart",
];

/// The best fit of a header to any of several names.
pub(super) fn best<'a>(header: &str, names: impl IntoIterator<Item = &'a str>) -> u32 {
    let header = plain(header);
    names.into_iter().map(|name| fit(&header, &plain(name))).max().unwrap_or(0)
}
