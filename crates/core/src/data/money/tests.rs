use super::*;

fn fields(value: Value) -> Fields {
    value.as_object().unwrap().clone()
}

fn transaction(amount: i64) -> Fields {
    fields(json!({
        "account_id": Uuid::from_u128(1).to_string(), "booked_on": "2026-03-17", "amount": amount, "currency": "EUR",
        "category_id": Uuid::from_u128(7).to_string(), "status": "booked", "activity": "payment", "transfer_id": null,
        "is_split": false,
    }))
}

fn part(category: u128, amount: i64) -> Part {
    Part { category_id: Some(Uuid::from_u128(category)), amount, memo: None }
}

fn counted(row: &Fields) -> Vec<(u128, Flow, Sum)> {
    let mut sums = SumChanges::default();
    sums.count_transaction(row, 1);
    let month = NaiveDate::from_ymd_opt(2026, 3, 1).unwrap();
    let all = sums.changes().map(|(key, sum)| {
        assert_eq!((key.account_id, key.month), (Uuid::from_u128(1), month));
        (key.category_id.as_u128(), key.flow, *sum)
    });
    all.collect()
}

#[test]
fn what_a_transaction_counts_for() {
    let out = |money_out| Sum { money_in: 0, money_out, entries: 1 };
    let mut row = transaction(-1250);
    assert_eq!(counted(&row), [(7, Flow::Payment, out(-1250))]);
    row.insert("category_id".into(), Value::Null);
    assert_eq!(counted(&row), [(0, Flow::Payment, out(-1250))]);
    row.insert("activity".into(), "trade".into());
    assert_eq!(counted(&row), [(0, Flow::Trade, out(-1250))]);
    row.insert("transfer_id".into(), "x".into());
    assert_eq!(counted(&row), [(0, Flow::Transfer, out(-1250))]);
    row.insert("status".into(), "pending".into());
    assert_eq!(counted(&row), []);
    assert_eq!(counted(&transaction(5)), [(7, Flow::Payment, Sum { money_in: 5, money_out: 0, entries: 1 })]);
    let halves = split(&transaction(-1250), vec![part(8, -1500), part(9, 250)]).unwrap();
    let back = Sum { money_in: 250, money_out: 0, entries: 1 };
    assert_eq!(counted(&halves), [(8, Flow::Payment, out(-1500)), (9, Flow::Payment, back)]);
    let mut sums = SumChanges::default();
    sums.count_transaction(&halves, 1);
    sums.count_transaction(&halves, -1);
    assert_eq!(sums.changes().count(), 0);
}

#[test]
fn sums_of_very_large_parts_are_exact() {
    let apart = split(&transaction(0), vec![part(8, MAX_AMOUNT), part(9, -MAX_AMOUNT)]).unwrap();
    let mut sums = SumChanges::default();
    for _ in 0..10_000 {
        sums.count_transaction(&apart, 1);
    }
    let all: Vec<Sum> = sums.changes().map(|(_, sum)| *sum).collect();
    let whole = 10_000 * i128::from(MAX_AMOUNT);
    let (entries, none) = (10_000, 0);
    assert_eq!(
        all,
        [
            Sum { money_in: whole, money_out: none, entries },
            Sum { money_in: none, money_out: -whole, entries }
        ]
    );
    for _ in 0..10_000 {
        sums.count_transaction(&apart, -1);
    }
    assert_eq!(sums.changes().count(), 0);
}

#[test]
fn parts_add_up() {
    let whole = transaction(-1250);
    let halves = split(&whole, vec![part(8, -1000), part(9, -250)]).unwrap();
    assert_eq!((halves["is_split"].clone(), halves["category_id"].clone()), (true.into(), Value::Null));
    assert_eq!(parts(&halves), [part(8, -1000), part(9, -250)]);
    let undivided = split(&halves, vec![]).unwrap();
    assert!(undivided["is_split"] == false && !undivided.contains_key(PARTS));
    for (wrong, said) in [
        (vec![part(8, -1250)], "parts must be 2 to 50"),
        (vec![part(8, -25); 51], "parts must be 2 to 50"),
        (
            vec![part(8, -1000), part(9, -251)],
            "parts must add up to the transaction's amount: -1251 is not -1250",
        ),
        (vec![part(8, i64::MAX), part(9, 1)], "amount is too large"),
    ] {
        let error = split(&whole, wrong).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn a_transfer_has_two_opposite_sides() {
    let side = |account: u128, amount: i64, currency: &str| {
        fields(
            json!({"account_id": Uuid::from_u128(account).to_string(), "amount": amount, "currency": currency}),
        )
    };
    let one = side(1, -500, "EUR");
    assert_eq!(check_pair(&one, &side(2, 500, "EUR")), Ok(()));
    assert_eq!(check_pair(&one, &side(2, 540, "USD")), Ok(()), "other currencies have other amounts");
    for (other, said) in [
        (side(1, 500, "EUR"), "same account"),
        (side(2, 501, "EUR"), "must be opposite"),
        (side(2, -500, "EUR"), "must be negative and the other positive"),
        (side(2, -540, "USD"), "must be negative and the other positive"),
        (side(2, 0, "USD"), "must be negative and the other positive"),
    ] {
        assert!(check_pair(&one, &other).unwrap_err().contains(said), "{said}");
    }
}

#[test]
fn the_first_rule_that_fits_gives_the_category() {
    let rule = |text: &str, category: u128| CategoryRule {
        text: text::fold(text),
        category_id: Uuid::from_u128(category),
    };
    let rules = [rule("REWE", 1), rule("Straße", 2), rule("we", 3)];
    let by = |payee: &str, memo: &str| by_rule(&rules, &fields(json!({"payee": payee, "memo": memo})));
    for (payee, memo, category) in [
        ("Rewe Markt", "", Some(1)),
        ("Kiosk", "HAUPTSTRASSE 5", Some(2)),
        ("Werkstatt", "", Some(3)),
        ("Kiosk", "", None),
    ] {
        assert_eq!(by(payee, memo), category.map(Uuid::from_u128), "{payee} {memo}");
    }
}

#[test]
fn transfers_are_proposed_by_amount_time_and_number() {
    let day = |day: u32| NaiveDate::from_ymd_opt(2026, 3, day).unwrap();
    let one = |id: u128, account: u128, on: u32, amount: i64| Candidate {
        id: Uuid::from_u128(id),
        account_id: Uuid::from_u128(account),
        booked_on: day(on),
        amount,
        currency: "EUR".into(),
        counterparty: None,
    };
    let own = [
        OwnAccount { id: Uuid::from_u128(1), number: Some("DE02 1203".into()) },
        OwnAccount { id: Uuid::from_u128(2), number: None },
    ];
    let found = |candidates: &[Candidate]| -> Vec<(u128, u128, bool)> {
        let proposed = propose(candidates, &own);
        proposed.iter().map(|pair| (pair.from.as_u128(), pair.to.as_u128(), pair.is_certain)).collect()
    };
    let from = one(10, 1, 10, -500);
    assert_eq!(found(&[from.clone(), one(11, 2, 12, 500)]), [(10, 11, false)]);
    for other in [one(11, 1, 10, 500), one(11, 2, 16, 500), one(11, 2, 10, 501), one(11, 2, 10, -500)] {
        assert_eq!(found(&[from.clone(), other]), []);
    }
    let in_dollars = Candidate { currency: "USD".into(), ..one(11, 2, 10, 500) };
    assert_eq!(found(&[from.clone(), in_dollars]), []);
    // The nearest; and one that names the own account before all others.
    assert_eq!(found(&[from.clone(), one(11, 2, 13, 500), one(12, 2, 9, 500)]), [(10, 12, false)]);
    let named = Candidate { counterparty: Some("de021203".into()), ..one(11, 2, 15, 500) };
    assert_eq!(found(&[from, named, one(12, 2, 10, 500)]), [(10, 11, true)]);
    // Thousands of equal amounts would be millions of pairs: some of them are proposed.
    let equal = |id: u128| one(id, id % 2 + 1, 10, if id.is_multiple_of(2) { -500 } else { 500 });
    let many: Vec<Candidate> = (100..5_100).map(equal).collect();
    assert!(!found(&many).is_empty());
}
