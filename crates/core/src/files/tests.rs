use super::*;

#[test]
fn images_are_known_by_their_bytes() {
    assert_eq!(image_type(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
    assert_eq!(image_type(b"RIFF....WEBPVP8 "), Some("image/webp"));
    assert_eq!(image_type(b"<svg onload=alert(1)>"), None);
    assert_eq!(image_type(b""), None);
}
