//! Errors of vendors, translated to [`ModelError`], and whether trying again can help.

use std::time::Duration;

use baton_core::models::ModelError;
use serde_json::Value;

const MAX_WORDS: usize = 300;

/// One failed try.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub error: ModelError,
    pub retry: Retry,
    /// For the log: what the vendor or the connection said.
    pub said: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Retry {
    Never,
    Soon,
    /// Not before this has passed.
    After(Duration),
}

impl Failure {
    pub fn new(error: ModelError, retry: Retry, said: impl Into<String>) -> Self {
        Self { error, retry, said: said.into() }
    }

    /// An answer other than a stream.
    pub fn from_answer(status: u16, body: &str) -> Self {
        Said::from_body(body).failure(status)
    }

    /// An error inside a stream that began well.
    pub fn from_stream(error: &Value) -> Self {
        let said = Said::from_error(error);
        let status = said.status();
        said.failure(status)
    }
}

/// The parts of an error body that decide, wherever a vendor puts them.
#[derive(Debug, Default)]
struct Said {
    kind: String,
    code: String,
    /// Anthropic's second code, which alone tells a spend limit from a rate limit.
    detail: String,
    message: String,
}

impl Said {
    fn from_body(body: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            // A proxy's page of HTML says nothing to a person.
            let message = if body.trim_start().starts_with('<') { "" } else { body };
            return Self { message: words(message), ..Self::default() };
        };
        let value = value.get(0).unwrap_or(&value);
        Self::from_error(value.get("error").unwrap_or(value))
    }

    fn from_error(error: &Value) -> Self {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let message =
            [error, &error["message"], &error["detail"]].map(text).into_iter().find(|m| !m.is_empty());
        Self {
            kind: text(&error["type"]),
            code: text(&error["code"]),
            detail: text(&error["details"]["error_code"]),
            message: words(&message.unwrap_or_default()),
        }
    }

    /// The status an error inside a stream would have come with.
    fn status(&self) -> u16 {
        match self.kind.as_str() {
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" => 429,
            "timeout_error" => 504,
            "overloaded_error" => 529,
            _ => self.code.parse().ok().filter(|code| (400..600).contains(code)).unwrap_or(500),
        }
    }

    fn is_about_money(&self) -> bool {
        const WORDS: [&str; 6] = [
            "insufficient_quota",
            "billing_error",
            "billing_hard_limit_reached",
            "billing_not_active",
            "enforced_spend_limit_reached",
            "insufficient_balance",
        ];
        [&self.kind, &self.code, &self.detail].iter().any(|said| WORDS.contains(&said.as_str()))
            || self.message.to_lowercase().contains("credit balance is too low")
    }

    fn is_about_length(&self) -> bool {
        const CODES: [&str; 4] = [
            "context_length_exceeded",
            "exceed_context_size_error",
            "request_too_large",
            "string_above_max_length",
        ];
        const WORDS: [&str; 5] =
            ["context length", "prompt is too long", "context window", "context size", "maximum context"];
        let message = self.message.to_lowercase();
        [&self.kind, &self.code].iter().any(|said| CODES.contains(&said.as_str()))
            || WORDS.iter().any(|words| message.contains(words))
    }

    fn failure(self, status: u16) -> Failure {
        let (error, retry) = match status {
            402 => (ModelError::NoCredit, Retry::Never),
            _ if self.is_about_money() => (ModelError::NoCredit, Retry::Never),
            413 => (ModelError::ContextTooLong, Retry::Never),
            400 | 422 if self.is_about_length() => (ModelError::ContextTooLong, Retry::Never),
            401 | 403 => (ModelError::KeyRejected, Retry::Never),
            404 => (ModelError::Rejected(self.words_or(NOT_FOUND)), Retry::Never),
            408 | 502 | 504 => (ModelError::Unreachable, Retry::Soon),
            409 | 429 | 503 | 529 => (ModelError::Overloaded, Retry::Soon),
            500.. => (ModelError::ProviderFailed, Retry::Soon),
            400.. => (ModelError::Rejected(self.words_or("it gave no reason.")), Retry::Never),
            // Redirects are not followed: the key would go wherever they point.
            _ => (ModelError::Unreachable, Retry::Never),
        };
        let said = format!("{status} {} {} {} {}", self.kind, self.code, self.detail, self.message);
        Failure { error, retry, said: words(&said) }
    }

    fn words_or(&self, otherwise: &str) -> String {
        if self.message.is_empty() { otherwise.to_owned() } else { self.message.clone() }
    }
}

const NOT_FOUND: &str = "there is no such model there. Check its name and the base URL.";

/// One line of limited length.
fn words(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()));
        if line.len() > MAX_WORDS {
            break;
        }
    }
    match line.char_indices().nth(MAX_WORDS) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_our_words() {
        use ModelError::{ContextTooLong, KeyRejected, NoCredit, Overloaded, ProviderFailed, Unreachable};
        let rejected = |words: &str| ModelError::Rejected(words.to_owned());
        let (again, never) = (Retry::Soon, Retry::Never);
        let table = [
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                Overloaded,
                again,
            ),
            (429, r#"{"error":{"type":"rate_limit_error","message":"slow down"}}"#, Overloaded, again),
            (
                429,
                r#"{"error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
                NoCredit,
                never,
            ),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","message":"You exceeded your quota"}}"#,
                NoCredit,
                never,
            ),
            (429, r#"{"error":{"code":"billing_hard_limit_reached"}}"#, NoCredit, never),
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low to access"}}"#,
                NoCredit,
                never,
            ),
            (402, r#"{"error":{"message":"Insufficient Balance"}}"#, NoCredit, never),
            (
                400,
                r#"{"error":{"message":"prompt is too long: 300000 tokens > 200000"}}"#,
                ContextTooLong,
                never,
            ),
            (400, r#"{"error":{"code":"context_length_exceeded","message":"no"}}"#, ContextTooLong, never),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens."}"#,
                ContextTooLong,
                never,
            ),
            (
                400,
                r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"too big"}}"#,
                ContextTooLong,
                never,
            ),
            (413, "<html>too large</html>", ContextTooLong, never),
            (401, r#"{"error":{"message":"Incorrect API key provided: sk-x"}}"#, KeyRejected, never),
            (403, "", KeyRejected, never),
            (
                404,
                r#"{"error":{"type":"not_found_error","message":"model: claude-x"}}"#,
                rejected("model: claude-x"),
                never,
            ),
            (404, "<html>", rejected(NOT_FOUND), never),
            (400, r#"{"error":"no\n  such\tthing"}"#, rejected("no such thing"), never),
            (422, r#"{"detail":"bad field"}"#, rejected("bad field"), never),
            (400, r#"[{"error":{"code":400,"message":"in a list"}}]"#, rejected("in a list"), never),
            (400, "plain words", rejected("plain words"), never),
            (500, "", ProviderFailed, again),
            (
                500,
                r#"{"error":{"type":"api_error","message":"Internal server error"}}"#,
                ProviderFailed,
                again,
            ),
            (520, "<html>", ProviderFailed, again),
            (503, r#"{"error":{"message":"Loading model","code":503}}"#, Overloaded, again),
            (502, "<html>", Unreachable, again),
            (504, "", Unreachable, again),
            (408, "", Unreachable, again),
            (409, "", Overloaded, again),
            (302, "", Unreachable, never),
        ];
        for (status, body, error, retry) in table {
            let failure = Failure::from_answer(status, body);
            assert_eq!((failure.error, failure.retry), (error, retry), "{status} {body}");
        }
    }

    #[test]
    fn errors_inside_a_stream() {
        let error = |text: &str| Failure::from_stream(&serde_json::from_str(text).unwrap());
        let overloaded = error(r#"{"type":"overloaded_error","message":"Overloaded"}"#);
        assert_eq!((overloaded.error, overloaded.retry), (ModelError::Overloaded, Retry::Soon));
        let numbered = error(r#"{"code":401,"message":"no"}"#);
        assert_eq!(numbered.error, ModelError::KeyRejected);
        let bad = error(r#"{"type":"BadRequestError","code":400,"message":"maximum context length is 9"}"#);
        assert_eq!(bad.error, ModelError::ContextTooLong);
        assert_eq!(error(r#""just words""#).error, ModelError::ProviderFailed);
    }

    #[test]
    fn long_words_are_cut() {
        let cut = words(&"ü".repeat(400));
        assert_eq!(cut.chars().count(), MAX_WORDS + 1);
        assert!(words(&"word ".repeat(400)).ends_with('…'));
    }
}
