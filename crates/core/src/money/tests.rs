use super::*;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

#[test]
fn amounts_are_written_and_read_by_the_currencys_decimals() {
    for (minor, code, text) in [
        (-1250, "EUR", "-12.50"),
        (5, "EUR", "0.05"),
        (0, "EUR", "0.00"),
        (-1250, "JPY", "-1250"),
        (1_234_567, "KWD", "1234.567"),
        (i64::MAX, "USD", "92233720368547758.07"),
    ] {
        assert_eq!(format(minor, currency(code)), text);
        assert_eq!(parse(text, currency(code)), Ok(minor), "{text}");
    }
}

#[test]
fn what_is_no_amount_is_refused_and_nothing_is_rounded() {
    let eur = Currency::EUR;
    for (text, minor) in [("12", 1200), ("12.5", 1250), ("+.5", 50), ("7.", 700), ("1.500", 150)] {
        assert_eq!(parse(text, eur), Ok(minor), "{text}");
    }
    for text in ["", "-", ".", "1,50", "12 EUR", "1e3", "١٢", "--1", "1.2.3"] {
        assert_eq!(parse(text, eur), Err(NotMoney::NotAnAmount), "{text}");
    }
    assert_eq!(parse("1.005", eur), Err(NotMoney::TooPrecise { currency: eur, exponent: 2 }));
    assert_eq!(
        parse("1.5", currency("JPY")),
        Err(NotMoney::TooPrecise { currency: currency("JPY"), exponent: 0 })
    );
    assert_eq!(parse("92233720368547758.08", eur), Err(NotMoney::TooLarge));
}
