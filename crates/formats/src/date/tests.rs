use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn dates_as_files_write_them() {
    use DateOrder::{DayMonthYear, MonthDayYear, YearMonthDay};
    for (text, order, expected) in [
        ("2025-01-31", DayMonthYear, "2025-01-31"),
        ("2025/1/31", MonthDayYear, "2025-01-31"),
        ("20250131", DayMonthYear, "2025-01-31"),
        ("2025-01-31T10:20:30Z", DayMonthYear, "2025-01-31"),
        ("2025-01-31+01:00", DayMonthYear, "2025-01-31"),
        ("20250131100000.000[-5:EST]", DayMonthYear, "2025-01-31"),
        ("31.01.2025", DayMonthYear, "2025-01-31"),
        ("31.01.2025 10:20", DayMonthYear, "2025-01-31"),
        ("1/31/2025, 9:05 AM", MonthDayYear, "2025-01-31"),
        ("01/02/2025", DayMonthYear, "2025-02-01"),
        ("01/02/2025", MonthDayYear, "2025-01-02"),
        ("01/02/25", MonthDayYear, "2025-01-02"),
        ("01/02/99", DayMonthYear, "1999-02-01"),
        ("25/02/01", YearMonthDay, "2025-02-01"),
        ("1/ 2'05", MonthDayYear, "2005-01-02"),
        ("1/2' 5", MonthDayYear, "2005-01-02"),
        ("2/14'2020", MonthDayYear, "2020-02-14"),
        ("31012025", DayMonthYear, "2025-01-31"),
        ("12 Jan 2025", DayMonthYear, "2025-01-12"),
        ("Jan 12, 2025", DayMonthYear, "2025-01-12"),
        ("January 12th 2025", DayMonthYear, "2025-01-12"),
        ("Mon, 12 Jan 2025", DayMonthYear, "2025-01-12"),
        ("12-MAR-25", MonthDayYear, "2025-03-12"),
        ("3. März 2025", MonthDayYear, "2025-03-03"),
        ("14 juillet 2025", MonthDayYear, "2025-07-14"),
        ("12 de enero de 2025", MonthDayYear, "2025-01-12"),
        ("2025-Jan-12", MonthDayYear, "2025-01-12"),
    ] {
        assert_eq!(parse(text, order), Some(day(expected)), "{text}");
    }
}

#[test]
fn what_is_no_date_is_none() {
    for text in [
        "",
        "2025",
        "31.12.",
        "2025-13-01",
        "2025-02-30",
        "30/02/2025",
        "1-2-3",
        "12.50",
        "1,234.56",
        "abc",
        "12 Foo 2025",
        "99/99/2025",
        "1/1/20255",
        "0000000000000000",
        "192.168.1.1",
        "+1 555 0100",
        "12:30:45",
        "0001-01-01",
    ] {
        assert_eq!(parse(text, DateOrder::DayMonthYear), None, "{text}");
    }
}

#[test]
fn a_column_decides_what_its_cells_cannot() {
    use DateOrder::{DayMonthYear, MonthDayYear, YearMonthDay};
    use Decided::{Ask, Known};
    for (cells, decided) in [
        (&["01/02/2025", "13/02/2025"][..], Known(DayMonthYear)),
        (&["01/02/2025", "02/13/2025"], Known(MonthDayYear)),
        (&["01/02/2025", "03/04/2025"], Ask),
        (&["01/02/2025", "13/02/2025", "02/13/2025"], Ask),
        (&["05/05/2025", "2025-01-02"], Known(DayMonthYear)),
        (&["01/02/2025", "nonsense", "99/99/2025", "13/02/2025"], Known(DayMonthYear)),
        (&["25/12/31", "25/12/01"], Known(DayMonthYear)),
        (&["99/12/31", "99/12/01"], Known(YearMonthDay)),
    ] {
        let mut column = DateColumn::default();
        cells.iter().for_each(|cell| column.look_at(cell));
        assert_eq!(column.decide(), decided, "{cells:?}");
    }
}
