use super::*;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

#[test]
fn amounts_as_people_write_them() {
    use DecimalSign::{Comma, Point};
    for (text, code, sign, minor) in [
        ("1.234,56", "EUR", Comma, 123_456),
        ("1,234.56", "USD", Point, 123_456),
        ("1 234,56", "EUR", Comma, 123_456),
        ("1\u{a0}234,56", "EUR", Comma, 123_456),
        ("1\u{202f}234,56", "EUR", Comma, 123_456),
        ("1'234.50", "CHF", Point, 123_450),
        ("1’234.50", "CHF", Point, 123_450),
        ("CHF 1'234.50", "CHF", Point, 123_450),
        ("(12.00)", "USD", Point, -1_200),
        ("($1,212.00)", "USD", Point, -121_200),
        ("-110.7 €", "EUR", Point, -11_070),
        ("12.00-", "USD", Point, -1_200),
        ("\u{2212}12,00", "EUR", Comma, -1_200),
        ("12.00 CR", "USD", Point, 1_200),
        ("12.00DR", "USD", Point, -1_200),
        ("12,00 S", "EUR", Comma, -1_200),
        ("12,00 H", "EUR", Comma, 1_200),
        ("+5", "USD", Point, 500),
        ("$ -5.1", "USD", Point, -510),
        ("-$5.10", "USD", Point, -510),
        ("US$5.10", "USD", Point, 510),
        ("5,10 zł", "PLN", Comma, 510),
        ("12,-", "EUR", Comma, 1_200),
        ("1.200,-- €", "EUR", Comma, 120_000),
        ("Fr. 12.50", "CHF", Point, 1_250),
        ("12.50 Fr.", "CHF", Point, 1_250),
        (".50", "USD", Point, 50),
        ("50.", "USD", Point, 5_000),
        ("1,23,45,678.90", "INR", Point, 1_234_567_890),
        ("1,234", "JPY", Point, 1_234),
        ("1.234", "KWD", Point, 1_234),
        ("1.5", "KWD", Point, 1_500),
        ("12.5000", "USD", Point, 1_250),
        ("0000000012.50", "USD", Point, 1_250),
        ("92,233,720,368,547,758.07", "USD", Point, i64::MAX),
        ("-0", "USD", Point, 0),
    ] {
        assert_eq!(parse(text, currency(code), sign), Ok(minor), "{text} in {code}");
    }
}

#[test]
fn what_is_no_amount_is_refused() {
    use AmountError::{NotAnAmount, OtherCurrency, Separators, TooLarge, TooPrecise};
    let usd = currency("USD");
    for (text, wrong) in [
        ("", NotAnAmount),
        ("-", NotAnAmount),
        ("abc", NotAnAmount),
        ("12 abc", NotAnAmount),
        ("--12", NotAnAmount),
        ("(12", NotAnAmount),
        ("-(12)", NotAnAmount),
        ("12/5", NotAnAmount),
        ("1.2e5", NotAnAmount),
        ("1,23", Separators),
        ("1,234,56.00", Separators),
        ("1.234.567", Separators),
        ("1'234,567.00", Separators),
        ("1.234", TooPrecise { currency: usd, exponent: 2 }),
        ("92233720368547758.08", TooLarge),
        ("99999999999999999999999999999", TooLarge),
        ("12 €", OtherCurrency { written: currency("EUR"), expected: usd }),
        ("12 GBP", OtherCurrency { written: currency("GBP"), expected: usd }),
    ] {
        assert_eq!(parse(text, usd, DecimalSign::Point), Err(wrong), "{text}");
    }
    assert!(matches!(parse("1.5", currency("JPY"), DecimalSign::Point), Err(TooPrecise { exponent: 0, .. })));
}

#[test]
fn where_there_are_no_thousands_one_sign_is_the_decimal_sign() {
    for (text, code, minor) in [
        ("-12.34", "USD", -1_234),
        ("-12,34", "EUR", -1_234),
        ("1.234", "KWD", 1_234),
        ("1,234.56", "USD", 123_456),
        ("+00000000000115.8331", "USD", 11_583),
        ("-197.1250", "USD", -19_712),
        ("-197.1350", "USD", -19_714),
        ("0.0051", "USD", 1),
        ("120", "USD", 12_000),
        ("1.234.567", "USD", 123_456_700),
    ] {
        assert_eq!(parse_exact(text, currency(code)).map(|exact| exact.minor), Ok(minor), "{text}");
    }
    assert_eq!(parse_exact("1.2345", Currency::USD).unwrap().rounded_from.as_deref(), Some("1.2345"));
    assert_eq!(parse_exact("1.2300", Currency::USD).unwrap().rounded_from, None);
    assert_eq!(parse_exact("92233720368547758.079", Currency::USD), Err(AmountError::TooLarge));
}

#[test]
fn a_column_decides_what_its_cells_cannot() {
    use Decided::{Ask, Known};
    use DecimalSign::{Comma, Point};
    for (cells, decided) in [
        (&["1,234", "5.50"][..], Known(Point)),
        (&["1,234", "5,5"], Known(Comma)),
        (&["1,234", "1,234,567"], Known(Point)),
        (&["1.234", "1.234.567"], Known(Comma)),
        (&["1,234", "0,500"], Known(Comma)),
        (&["1,234", "1234,567"], Known(Comma)),
        (&["1,234", "1 234,567"], Known(Comma)),
        (&["12", "13"], Known(Point)),
        (&["1,234"], Ask),
        (&["1,234", "12", "999.000"], Ask),
        (&["12.50", "12,50"], Ask),
    ] {
        let mut column = AmountColumn::default();
        cells.iter().for_each(|cell| column.look_at(cell));
        assert_eq!(column.decide(Currency::parse("USD")), decided, "{cells:?}");
    }
    let mut yen = AmountColumn::default();
    yen.look_at("1,234");
    assert_eq!(yen.decide(Currency::parse("JPY")), Known(Point));
    assert_eq!(yen.samples, ["1,234"]);
}

#[test]
fn minor_units_are_written_as_they_are_read() {
    for (minor, code, text) in
        [(-1, "USD", "-0.01"), (123_456, "EUR", "1234.56"), (-1_234, "JPY", "-1234"), (5, "KWD", "0.005")]
    {
        assert_eq!(format(minor, currency(code)), text);
        assert_eq!(parse_exact(text, currency(code)).map(|exact| exact.minor), Ok(minor));
    }
    assert_eq!(Decimal::parse("1.234,50", DecimalSign::Comma).unwrap().to_string(), "1234.5");
    assert_eq!(Decimal::parse("-0,05", DecimalSign::Comma).unwrap(), Decimal { units: -5, scale: 2 });
}

#[test]
fn currencies_know_their_decimals() {
    for (code, exponent) in
        [("JPY", 0), ("kwd", 3), ("CLF", 4), (" eur ", 2), ("XAF", 0), ("TND", 3), ("HRK", 2)]
    {
        assert_eq!(currency(code).exponent(), exponent, "{code}");
    }
    for none in ["", "EU", "EURO", "AAA", "é$", "USD "] {
        assert_eq!(Currency::parse(none).is_some(), none == "USD ", "{none}");
    }
    assert!(serde_json::from_str::<Currency>("\"XYZ\"").is_err());
}
