use std::collections::BTreeMap;

use super::*;

/// How often each day is counted.
fn counted(pieces: &Pieces) -> BTreeMap<NaiveDate, i32> {
    let mut counted = BTreeMap::new();
    let mut add = |from: NaiveDate, to: NaiveDate, by: i32| {
        for day in from.iter_days().take_while(|day| *day <= to) {
            *counted.entry(day).or_default() += by;
        }
    };
    if let Some((first, last)) = pieces.months {
        assert!(first <= last && first == month_start(first) && last == month_start(last));
        add(first, month_end(last), 1);
    }
    for days in &pieces.days {
        add(days.from, days.to, if days.is_added { 1 } else { -1 });
    }
    counted.retain(|_, times| *times != 0);
    counted
}

#[test]
fn every_day_of_a_period_is_counted_once_and_no_other() {
    let begin = NaiveDate::from_ymd_opt(2023, 12, 20).unwrap();
    for from in begin.iter_days().take(80) {
        for to in from.iter_days().take(100) {
            let period = Period { from, to };
            let pieces = pieces(period);
            let days: Vec<NaiveDate> = from.iter_days().take_while(|day| *day <= to).collect();
            let counted = counted(&pieces);
            assert!(counted.values().all(|times| *times == 1), "{period}: {pieces:?}");
            assert_eq!(counted.into_keys().collect::<Vec<_>>(), days, "{period}: {pieces:?}");
            for days in &pieces.days {
                let most = if pieces.months.is_some() { 16 } else { 31 };
                assert!((days.to - days.from).num_days() < most, "{period}: {pieces:?}");
            }
        }
    }
}
