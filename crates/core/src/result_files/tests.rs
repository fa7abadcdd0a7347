use super::*;

const PNG: [u8; 9] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0];

fn kept(name: &str, media_type: &str, bytes: &[u8]) -> Kept {
    Kept { name: name.into(), media_type: media_type.into(), bytes: bytes.into() }
}

#[test]
fn a_file_is_what_its_bytes_say() {
    let long = format!("audio/{}", "x".repeat(100));
    let cases: [(&str, &[u8], &str); 11] = [
        ("text/html", &PNG, "image/png"),
        ("image/png", &[0xff, 0], "application/octet-stream"),
        ("image/svg+xml", b"<svg onload=\"x\"/>", "text/plain"),
        ("text/html; charset=utf-8", b"<script>", "text/plain"),
        ("application/json; charset=utf-8", b"{}", "application/json"),
        ("Text/CSV", b"a,b", "text/csv"),
        ("application/pdf", &[0xff, 0], "application/pdf"),
        ("audio/ogg; codecs=opus", &[0xff, 0], "audio/ogg"),
        ("audio/x\r\nset-cookie: a", &[0xff, 0], "application/octet-stream"),
        (&long, &[0xff, 0], "application/octet-stream"),
        ("", &[0xff, 0], "application/octet-stream"),
    ];
    for (claimed, bytes, served) in cases {
        assert_eq!(type_of(claimed, bytes), served, "{claimed}");
    }
}

#[test]
fn a_name_is_one_line_and_never_empty() {
    let long = "x".repeat(999);
    for (given, name) in [("a\r\nb.png", "ab.png"), (" \n ", "file"), (&long, &long[..MAX_NAME])] {
        let (files, is_whole) = of_result(vec![kept(given, "", b"a")]);
        assert_eq!((files[0].0.name.as_str(), files[0].0.size, is_whole), (name, 1, true));
    }
}

#[test]
fn what_is_too_much_is_left_out_and_the_rest_stays() {
    let huge = vec![0; MAX_BYTES];
    let (files, is_whole) =
        of_result(vec![kept("a", "", b"a"), kept("huge", "", &huge), kept("b", "", b"b")]);
    let names: Vec<&str> = files.iter().map(|(about, _)| about.name.as_str()).collect();
    assert_eq!((names, is_whole), (vec!["a", "b"], false));
    let (files, is_whole) = of_result(vec![kept("a", "", b"a"); MAX_FILES + 1]);
    assert_eq!((files.len(), is_whole), (MAX_FILES, false));
}
