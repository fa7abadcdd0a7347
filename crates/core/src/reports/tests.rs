use super::*;

#[test]
fn every_report_is_listed() {
    assert_eq!(Report::ALL.map(Report::as_str), Report::WORDS);
}

#[test]
fn sums_that_no_longer_fit_are_refused() {
    assert_eq!(fits(i64::MAX.into()), Ok(i64::MAX));
    assert!(fits(i128::from(i64::MAX) + 1).is_err());
    assert!(fits(i128::from(i64::MIN) - 1).is_err());
}

#[test]
fn the_category_decides_and_without_one_the_sign() {
    let (food, pay) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let category = |id, side| Category { id, name: "One".into(), side };
    let categories = vec![category(food, Side::Spending), category(pay, Side::Income)];
    let book = MoneyBook { categories, ..MoneyBook::default() };
    for (category, spending, income) in
        [(food, 70, 0), (pay, 0, -70), (Uuid::nil(), 100, 30), (Uuid::max(), 100, 30)]
    {
        assert_eq!(book.counted(Side::Spending, category, 30, -100), spending, "{category}");
        assert_eq!(book.counted(Side::Income, category, 30, -100), income, "{category}");
    }
}
