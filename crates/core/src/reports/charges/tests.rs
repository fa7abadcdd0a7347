use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// `2026-11-03 9.99`, one a line, of one payee.
fn charges(rows: &[(&str, i64)]) -> Vec<Charge> {
    let charge = |(at, (day_text, amount)): (usize, &(&str, i64))| Charge {
        id: Uuid::from_u128(at as u128 + 1),
        account_id: Uuid::nil(),
        booked_on: day(day_text),
        payee: if at % 2 == 0 { "Netradio".into() } else { " NETRADIO ".into() },
        amount: *amount,
        currency: Currency::EUR,
    };
    rows.iter().enumerate().map(charge).collect()
}

#[test]
fn charges_that_deserve_a_second_look() {
    let period = Period { from: day("2026-09-01"), to: day("2026-11-30") };
    let found = |rows: &[(&str, i64)]| -> Vec<(String, FindingKind)> {
        let told = judge(charges(rows), period, 50);
        told.findings.iter().map(|one| (one.charge.booked_on.to_string(), one.kind)).collect()
    };
    let none: Vec<(String, FindingKind)> = vec![];
    for (rows, is) in [
        (&[("2026-11-03", 999), ("2026-11-05", 999)][..], vec![("2026-11-05", FindingKind::Doubled)]),
        (&[("2026-11-03", 999), ("2026-11-03", 999)], vec![("2026-11-03", FindingKind::Doubled)]),
        (&[("2026-11-03", 999), ("2026-11-07", 999)], vec![]),
        (&[("2026-11-03", 999), ("2026-11-04", 998)], vec![]),
        (&[("2026-08-03", 999), ("2026-08-04", 999)], vec![]),
        (&[("2026-08-31", 999), ("2026-09-02", 999)], vec![("2026-09-02", FindingKind::Doubled)]),
        (
            &[("2026-08-10", 999), ("2026-09-10", 999), ("2026-10-10", 1_299)],
            vec![("2026-10-10", FindingKind::Dearer)],
        ),
        (&[("2026-08-10", 999), ("2026-09-10", 899), ("2026-10-10", 1_299)], vec![]),
        (&[("2026-08-10", 999), ("2026-09-10", 999), ("2026-10-10", 799)], vec![]),
        (&[("2026-09-01", 999), ("2026-09-10", 999), ("2026-10-10", 1_299)], vec![]),
        (
            &[
                ("2026-08-01", 500),
                ("2026-08-09", 700),
                ("2026-08-20", 600),
                ("2026-09-02", 650),
                ("2026-09-20", 2_100),
            ],
            vec![("2026-09-20", FindingKind::Unusual)],
        ),
        (&[("2026-08-01", 500), ("2026-08-09", 700), ("2026-09-20", 2_100)], vec![]),
    ] {
        let is: Vec<(String, FindingKind)> =
            is.into_iter().map(|(day, kind)| (day.to_owned(), kind)).collect();
        assert_eq!(found(rows), is, "{rows:?}");
    }
    assert_eq!(found(&[]), none);
    let many: Vec<(&str, i64)> = vec![("2026-11-03", 999); 10];
    let told = judge(charges(&many), period, 4);
    assert_eq!((told.findings.len(), told.left_off), (4, 5));
}

#[test]
fn a_payee_may_have_very_many_charges() {
    let first = day("2026-08-01");
    let mut all: Vec<(String, i64)> = (0..10_000u64)
        .map(|n| ((first + chrono::Days::new(n / 100)).to_string(), 1_000 + n as i64))
        .collect();
    all.push(("2026-11-12".into(), 100_000));
    let rows: Vec<(&str, i64)> = all.iter().map(|(day, amount)| (day.as_str(), *amount)).collect();
    let told = judge(charges(&rows), Period { from: day("2026-09-01"), to: day("2026-11-30") }, 50);
    let found: Vec<(i64, FindingKind)> =
        told.findings.iter().map(|one| (one.charge.amount, one.kind)).collect();
    assert_eq!(found, [(100_000, FindingKind::Unusual)]);
    assert!(told.findings[0].why.contains("EUR 60.00, the median of 10000 charges"), "{:?}", told.findings);
}
