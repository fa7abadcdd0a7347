//! Surrogate halves: some servers cut text between the two escapes of one character, which no JSON parser accepts. Each
//! single half is replaced here.

use std::borrow::Cow;

const REPLACED: &str = "\\ufffd";

/// The JSON text with every half of a character replaced.
pub fn mended(json: &str) -> Cow<'_, str> {
    let has_escape = |json: &str| json.match_indices("\\u").any(|(at, _)| is_half(code(&json[at..])));
    if !has_escape(json) {
        return Cow::Borrowed(json);
    }
    let mut mended = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let (kept, length) = match (code(rest), rest.get(6..).map(code)) {
            (Some(0xd800..=0xdbff), Some(Some(0xdc00..=0xdfff))) => (&rest[..12], 12),
            (half, _) if is_half(half) => (REPLACED, 6),
            // Whatever is escaped, a backslash too, is one sign.
            _ => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                (&rest[..length], length)
            }
        };
        mended.push_str(kept);
        rest = &rest[length..];
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

fn code(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

fn is_half(code: Option<u32>) -> bool {
    matches!(code, Some(0xd800..=0xdfff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_nothing_else_is() {
        for (given, read) in [
            (r#""plain ä""#, "plain ä"),
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00 end""#, "\u{fffd} end"),
            (r#""\ud83d\ude00\u00e9""#, "😀é"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\\ud83d \"\n""#, "\\ud83d \"\n"),
            (r#""\ud83d\\ude00""#, "\u{fffd}\\ude00"),
        ] {
            assert_eq!(serde_json::from_str::<String>(&mended(given)).unwrap(), read, "{given}");
        }
        for broken in ["\\", "\\u", "\\ud8", "\\ud83d\\", "\\ud83dä"] {
            let _ = mended(broken);
        }
    }
}
