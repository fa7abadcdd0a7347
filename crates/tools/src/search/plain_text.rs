//! Text of results as people read it: without the markup that some engines leave in it, and of a limited length.

/// Without tags, entities and runs of spaces; cut at `max_chars`.
pub fn plain_text(given: &str, max_chars: usize) -> String {
    let mut words = String::with_capacity(given.len().min(max_chars * 4));
    let mut rest = given;
    while let Some(at) = rest.find(['<', '&']) {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        let (instead, length) = tag(rest).or_else(|| entity(rest)).unwrap_or((&rest[..1], 1));
        words.push_str(instead);
        rest = &rest[length..];
    }
    words.push_str(rest);
    let mut spaced = words.split_whitespace().collect::<Vec<_>>().join(" ");
    spaced.retain(|c| !c.is_control());
    if spaced.chars().count() <= max_chars {
        return spaced;
    }
    let cut: String = spaced.chars().take(max_chars).collect();
    format!("{}…", cut.trim_end())
}

/// A tag that `text` begins with, and its length: something in angle brackets that begins like one.
fn tag(text: &str) -> Option<(&'static str, usize)> {
    let inside = text.strip_prefix('<')?;
    let begins = inside.strip_prefix('/').unwrap_or(inside).starts_with(|c: char| c.is_ascii_alphabetic());
    let end = inside.find('>').filter(|end| begins && *end < 200)?;
    // A tag that breaks a line stands between two words.
    let breaks = ["br", "p", "/p", "li", "/li", "div", "/div"]
        .iter()
        .any(|name| inside[..end].trim_end_matches([' ', '/']) == *name);
    Some((if breaks { " " } else { "" }, end + 2))
}

fn entity(text: &str) -> Option<(&'static str, usize)> {
    const ENTITIES: [(&str, &str); 8] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
    ];
    ENTITIES.iter().find(|(name, _)| text.starts_with(name)).map(|(name, meant)| (*meant, name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_goes_and_words_stay() {
        let table = [
            ("Rust &amp; <strong>Cargo</strong>, it&#x27;s", "Rust & Cargo, it's"),
            ("one<br/>two<p>three</p>", "one two three"),
            ("a < b and b > c", "a < b and b > c"),
            ("1 <2> 3 & 4 &unknown; 5", "1 <2> 3 & 4 &unknown; 5"),
            ("  many \n\t spaces\u{0}  ", "many spaces"),
            ("&lt;script&gt;", "<script>"),
            ("<b", "<b"),
            ("äö<i>ü</i>", "äöü"),
        ];
        for (given, expected) in table {
            assert_eq!(plain_text(given, 100), expected);
        }
        assert_eq!(plain_text("äöü and more", 4), "äöü…");
    }
}
