//! What a file is, by its beginning first and by its name only where that says nothing.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Ofx,
    Camt,
    Qif,
    Vcard,
    /// A zip, to be read as pages.
    Zip,
    Markdown,
    /// Known, and not read: what it is, for people.
    Other(&'static str),
    Unknown,
}

/// `beginning` is the file's first bytes; a few kilobytes are enough.
pub fn sniff(filename: &str, beginning: &[u8]) -> Format {
    let ending = filename.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
    if let Some(format) = by_magic(beginning, &ending) {
        return format;
    }
    let text = decoded(&beginning[..beginning.len().min(4096)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if let Some(format) = by_text(text) {
        return format;
    }
    match ending.as_str() {
        "csv" | "tsv" | "tab" => Format::Csv,
        "ofx" | "qfx" => Format::Ofx,
        "qif" => Format::Qif,
        "vcf" | "vcard" => Format::Vcard,
        "md" | "markdown" => Format::Markdown,
        "txt" if text.lines().take(5).any(|line| line.contains([';', '\t', ','])) => Format::Csv,
        "txt" => Format::Markdown,
        "" if text.lines().take(2).any(|line| line.matches([';', '\t', ',']).count() >= 2) => Format::Csv,
        _ => Format::Unknown,
    }
}

fn by_magic(bytes: &[u8], ending: &str) -> Option<Format> {
    let contains = |name: &[u8]| bytes.windows(name.len()).take(4096).any(|window| window == name);
    Some(match bytes {
        [b'P', b'K', 3 | 5, ..] => match ending {
            "xlsx" | "ods" | "numbers" => Format::Other("a spreadsheet; save it as CSV"),
            _ if contains(b"xl/worksheets") || contains(b"xl/workbook") => {
                Format::Other("a spreadsheet; save it as CSV")
            }
            _ => Format::Zip,
        },
        [b'%', b'P', b'D', b'F', ..] => Format::Other("a PDF"),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Format::Other("an old spreadsheet; save it as CSV"),
        [0x1f, 0x8b, ..] => Format::Other("a gzip; unpack it"),
        _ => return None,
    })
}

fn by_text(text: &str) -> Option<Format> {
    let upper = text.to_uppercase();
    let has_tag = |tag: &str| upper.contains(&format!("<{tag}>"));
    let first = text.lines().next().unwrap_or_default();
    if first.trim().eq_ignore_ascii_case("BEGIN:VCARD") {
        return Some(Format::Vcard);
    }
    if upper.starts_with("OFXHEADER") || upper.contains("<?OFX") || has_tag("OFX") {
        return Some(Format::Ofx);
    }
    if text.contains("camt.05")
        || ["BkToCstmrStmt", "BkToCstmrAcctRpt", "BkToCstmrDbtCdtNtfctn"].iter().any(|tag| text.contains(tag))
    {
        return Some(Format::Camt);
    }
    let is_header = |line: &str| {
        let line = line.to_lowercase();
        ["!type:", "!account", "!option:", "!clear:"].iter().any(|header| line.starts_with(header))
    };
    if text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty()).is_some_and(is_header) {
        return Some(Format::Qif);
    }
    if first.starts_with(":20:") || text.starts_with("{1:F01") {
        return Some(Format::Other("MT940; download CAMT.053 or CSV"));
    }
    if text.starts_with("<?xml") || upper.starts_with("<!DOCTYPE HTML") || upper.starts_with("<HTML") {
        return Some(Format::Unknown);
    }
    None
}

fn decoded(bytes: &[u8]) -> String {
    match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes).0.into_owned(),
        // UTF-16 without a mark is Latin letters with zeros between.
        None => String::from_utf8_lossy(bytes).replace('\0', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_file_says_more_than_its_name() {
        for (name, bytes, format) in [
            ("a.csv", &b"Date;Amount\n"[..], Format::Csv),
            ("a.txt", b"Date;Amount\n", Format::Csv),
            ("a", b"Date;Payee;Amount\n", Format::Csv),
            ("a.csv", b"OFXHEADER:100\n", Format::Ofx),
            ("a.xml", b"<?xml?>\n<?OFX OFXHEADER=\"200\"?>", Format::Ofx),
            ("a.qfx", b"\n\n<OFX>", Format::Ofx),
            (
                "a.xml",
                b"<?xml?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\">",
                Format::Camt,
            ),
            ("a.txt", b"# x\n!Type:Bank\nD1/1/20\n", Format::Qif),
            ("a.zip", b"PK\x03\x04rest", Format::Zip),
            ("a.xlsx", b"PK\x03\x04rest", Format::Other("a spreadsheet; save it as CSV")),
            ("a.md", b"# Hello", Format::Markdown),
            ("a.pdf", b"%PDF-1.7", Format::Other("a PDF")),
            ("a.sta", b":20:STARTUMS\n", Format::Other("MT940; download CAMT.053 or CSV")),
            ("a.xml", b"<?xml?><x/>", Format::Unknown),
            ("a.bin", b"\0\x01", Format::Unknown),
            ("", b"", Format::Unknown),
            ("a.qif", b"\xff\xfe!\0T\0y\0p\0e\0:\0", Format::Qif),
        ] {
            assert_eq!(sniff(name, bytes), format, "{name}");
        }
    }
}
