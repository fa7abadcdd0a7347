//! Text of models and tools, made safe and short for a terminal: control characters in it are removed.

use serde_json::{Map, Value};

/// Several lines of text. What would move the cursor or change colours is shown, not done.
pub fn text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' | '\t' => plain.push(char),
            '\r' => {}
            control if control.is_control() => plain.extend(control.escape_default()),
            char => plain.push(char),
        }
    }
    plain
}

/// One line of at most this many characters. Characters that reorder others are shown too: a line is what people
/// decide on.
pub fn line(text: &str, most: usize) -> String {
    let mut plain = String::new();
    for char in text.trim().chars() {
        match char {
            '\n' | '\t' | '\r' => plain.push(' '),
            hidden if hidden.is_control() || is_reordering(hidden) => plain.extend(hidden.escape_default()),
            char => plain.push(char),
        }
    }
    shorten(&plain, most)
}

fn is_reordering(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}')
}

fn shorten(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// A tool with what it is called with: its action as a word, the rest as JSON.
pub fn call(display_name: &str, args: &Map<String, Value>, most: usize) -> String {
    let mut words = vec![line(display_name, 60)];
    let mut rest = args.clone();
    if let Some(action) = action_of(args) {
        words.push(line(action, 40));
        rest.remove("action");
    }
    if !rest.is_empty() {
        words.push(line(&Value::Object(rest).to_string(), most));
    }
    words.join(" ")
}

pub fn action_of(args: &Map<String, Value>) -> Option<&str> {
    args.get("action").and_then(Value::as_str).filter(|action| !action.trim().is_empty())
}

/// What a failed call says about it.
pub fn failure(result: &Value, most: usize) -> String {
    match result["error"].as_str().or(result.as_str()) {
        Some(error) => line(error, most),
        None => line(&result.to_string(), most),
    }
}

pub fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        _ => format!("{:.1} s", millis as f64 / 1_000.0),
    }
}

pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn cost(usd: Option<f64>) -> String {
    match usd {
        None => "no price".to_owned(),
        Some(usd) if usd <= 0.0 => "$0".to_owned(),
        Some(usd) if usd < 0.0001 => "<$0.0001".to_owned(),
        Some(usd) if usd < 1.0 => format!("${usd:.4}"),
        Some(usd) => format!("${usd:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_of_theirs_steers_the_terminal() {
        assert_eq!(text("a\u{1b}[31mb\r\n\tc\u{9b}2J"), "a\\u{1b}[31mb\n\tc\\u{9b}2J");
        assert_eq!(line(" one\ntwo \u{202e}gpj.exe ", 80), "one two \\u{202e}gpj.exe");
        assert_eq!(line("Grüße, 東京", 5), "Grüß…");
    }

    #[test]
    fn calls_are_one_line() {
        for (args, expected) in [
            (json!({}), "Memory"),
            (json!({"action": "save"}), "Memory save"),
            (json!({"action": "save", "path": "a"}), "Memory save {\"path\":\"a\"}"),
            (json!({"action": 1}), "Memory {\"action\":1}"),
            (json!({"text": "x".repeat(50)}), "Memory {\"text\":\"xxxxxxxxxx…"),
        ] {
            let args = args.as_object().expect("an object");
            assert_eq!(call("Memory", args, 20), expected);
        }
        assert_eq!(failure(&json!({"error": "There is no\nsuch note."}), 80), "There is no such note.");
        assert_eq!(failure(&json!("Broken."), 80), "Broken.");
        assert_eq!(failure(&json!([1]), 80), "[1]");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1_234, 1_234_567].map(count), ["0", "999", "1,234", "1,234,567"]);
        assert_eq!([12, 999, 1_240].map(duration), ["12 ms", "999 ms", "1.2 s"]);
        let costs = [None, Some(0.0), Some(0.00001), Some(0.00123), Some(2.5)].map(cost);
        assert_eq!(costs, ["no price", "$0", "<$0.0001", "$0.0012", "$2.50"]);
    }
}
