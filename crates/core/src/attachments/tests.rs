use super::*;

#[test]
fn types_come_from_the_bytes_and_only_text_looks_at_the_name() {
    assert_eq!(media_type("x.csv", b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
    assert_eq!(media_type("Plan.CSV", b"a,b\n1,2"), Some("text/csv"));
    assert_eq!(media_type("notes", "Grüße".as_bytes()), Some("text/plain"));
    assert_eq!(media_type("x.png", b"%PDF-1.7\0\xff"), None);
    assert_eq!(media_type("x.txt", b"a\0b"), None);
}
