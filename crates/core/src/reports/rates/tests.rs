use super::*;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn rate(of: &str, to: &str, rate: &str, from: &str) -> Rate {
    Rate {
        currency: currency(of),
        in_currency: currency(to),
        rate: rate.to_owned(),
        valid_from: from.parse().unwrap(),
    }
}

fn total(amounts: &[(&str, i128)], to: &str, day: &str, rates: &[Rate]) -> Converted {
    let amounts = amounts.iter().map(|(code, amount)| (currency(code), *amount));
    convert(amounts, currency(to), day.parse().unwrap(), rates).unwrap()
}

#[test]
fn totals_are_exact_and_rounded_once() {
    for (of, amount, to, entered, is) in [
        ("USD", 10_000, "EUR", rate("USD", "EUR", "0.925", "2026-01-01"), 9_250),
        ("USD", -10_000, "EUR", rate("USD", "EUR", "0.925", "2026-01-01"), -9_250),
        ("USD", 1, "EUR", rate("USD", "EUR", "0.5", "2026-01-01"), 1),
        ("USD", -1, "EUR", rate("USD", "EUR", "0.5", "2026-01-01"), -1),
        ("USD", 1, "EUR", rate("USD", "EUR", "0.49", "2026-01-01"), 0),
        ("USD", 300, "EUR", rate("EUR", "USD", "3", "2026-01-01"), 100),
        ("USD", 100, "EUR", rate("EUR", "USD", "3", "2026-01-01"), 33),
        ("JPY", 1_000, "EUR", rate("JPY", "EUR", "0.0061", "2026-01-01"), 610),
        ("EUR", 610, "JPY", rate("JPY", "EUR", "0.0061", "2026-01-01"), 1_000),
        ("KWD", 1_000, "USD", rate("KWD", "USD", "3.250", "2026-01-01"), 325),
    ] {
        let told = total(&[(of, amount)], to, "2026-06-01", std::slice::from_ref(&entered));
        assert_eq!(told.total, Some(is), "{amount} {of} in {to} at {entered:?}");
        assert_eq!(told.used[0].is_inverse, entered.currency != currency(of));
    }
}

#[test]
fn the_latest_rate_of_the_day_is_used_and_named() {
    let rates = [
        rate("USD", "EUR", "0.9", "2026-01-01"),
        rate("USD", "EUR", "0.8", "2026-03-01"),
        rate("EUR", "USD", "2", "2026-03-01"),
        rate("EUR", "USD", "4", "2026-05-01"),
        rate("CHF", "USD", "1", "2026-01-01"),
    ];
    for (day, is, from) in
        [("2026-02-28", 90, "2026-01-01"), ("2026-03-01", 80, "2026-03-01"), ("2026-05-01", 25, "2026-05-01")]
    {
        let told = total(&[("USD", 100)], "EUR", day, &rates);
        assert_eq!((told.total, told.used[0].rate.valid_from.to_string().as_str()), (Some(is), from));
    }
    let early = total(&[("USD", 100), ("EUR", 5)], "EUR", "2025-12-31", &rates);
    assert_eq!((early.total, early.missing), (None, vec![currency("USD")]));
    let other = total(&[("EUR", 5), ("CHF", 100), ("USD", 0)], "EUR", "2026-06-01", &rates);
    assert_eq!((other.total, other.missing), (None, vec![currency("CHF")]), "rates are not chained");
}

#[test]
fn what_is_too_large_is_refused() {
    let rates = [rate("USD", "EUR", "99999999999999999999", "2026-01-01")];
    let day = "2026-06-01".parse().unwrap();
    for amount in [i128::from(i64::MAX), i128::from(i64::MAX) << 60] {
        assert!(convert([(currency("USD"), amount)], currency("EUR"), day, &rates).is_err());
    }
    for nonsense in ["", "-1", "1e5", "0", "0.00", "x"] {
        let told = total(&[("USD", 100)], "EUR", "2026-06-01", &[rate("USD", "EUR", nonsense, "2026-01-01")]);
        assert_eq!(told.missing, [currency("USD")], "{nonsense}");
    }
}
