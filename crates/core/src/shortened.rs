//! Results of other people's tools that are too long for a model: their beginning, their end, and between them a line that
//! says what is missing and how to ask for less.

use serde_json::Value;

/// The most bytes of one result that a model is given.
pub const MAX_RESULT: usize = 50_000;
/// Of that, how much is the end: what was asked for mostly stands at the beginning, and what went wrong at the end.
const END: usize = MAX_RESULT / 4;

/// `None`: the text is short enough.
pub fn shortened(text: &str) -> Option<String> {
    if text.len() <= MAX_RESULT {
        return None;
    }
    // Room for the line itself.
    let head = text.floor_char_boundary(MAX_RESULT - END - 200);
    let tail = text.ceil_char_boundary(text.len() - END);
    let missing = tail - head;
    let line = format!(
        "[… {missing} of {} bytes are left out here. Ask for less: narrow what you search for, or take a page at a time.]",
        text.len()
    );
    Some(format!("{}\n{line}\n{}", &text[..head], &text[tail..]))
}

/// A value as it is, or as shortened text.
pub fn shortened_value(value: Value) -> Value {
    let short = match &value {
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    };
    short.map_or(value, Value::String)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_beginning_and_the_end_stay() {
        let text = format!("first {}last", "ü".repeat(60_000));
        let short = shortened(&text).expect("too long");
        assert!(short.len() <= MAX_RESULT, "{}", short.len());
        assert!(short.starts_with("first ü") && short.ends_with("ülast"));
        let told = short.lines().nth(1).expect("the line");
        let missing: usize = told.split(' ').nth(1).and_then(|number| number.parse().ok()).expect("a number");
        let kept = short.len() - told.len() - 2;
        assert_eq!(missing + kept, text.len(), "{told}");
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let fits = "x".repeat(MAX_RESULT);
        assert_eq!(shortened(&fits), None);
        assert_eq!(shortened_value(json!({"a": [1]})), json!({"a": [1]}));
        let long = shortened_value(json!({"a": vec!["word"; 20_000]}));
        assert!(
            long.as_str()
                .is_some_and(|text| text.starts_with(r#"{"a":["word""#) && text.ends_with(r#""word"]}"#))
        );
    }
}
