use super::*;

#[test]
fn cursors_are_text_that_grows_pair_wise() {
    let cursor = Cursor { seq: 12, off: 345 };
    assert_eq!("12.345".parse(), Ok(cursor));
    assert_eq!(cursor.to_string(), "12.345");
    assert!(Cursor::at(13) > cursor);
    for wrong in ["", "12", "12.", ".3", "-1.0", "1.-2", "1.2.3", "+1.0", "99999999999999999999.0"] {
        assert!(wrong.parse::<Cursor>().is_err(), "{wrong:?}");
    }
}
