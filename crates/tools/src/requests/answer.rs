//! An answer as the model is told it: what was picked of it, or why there is none.

use baton_core::shortened::shortened_value;
use baton_core::tools::{Ended, Nature, ToolAnswer};
use serde_json::{Value, json};

use super::send::{Answered, Came, MAX_ANSWER, Whole};

pub fn told(came: Came, pick: Option<&str>, nature: Nature) -> ToolAnswer {
    match came {
        Came::NotSent(why) => ended(json!({"error": format!("Nothing was sent: {why}.")}), Ended::Badly),
        Came::NoAnswer(why) if !nature.writes => {
            ended(json!({"error": format!("It was sent, but {why}. Try again later.")}), Ended::Badly)
        }
        Came::NoAnswer(why) => {
            let error = format!(
                "It was sent, but {why}, so nobody knows whether it was carried out. Look before you do it again."
            );
            ended(json!({"error": error}), Ended::Unknown)
        }
        Came::Answered(answered) => of(&answered, pick, nature),
    }
}

fn ended(value: Value, ended: Ended) -> ToolAnswer {
    ToolAnswer { ended, ..value.into() }
}

fn of(answered: &Answered, pick: Option<&str>, nature: Nature) -> ToolAnswer {
    let status = answered.status;
    let body = body(answered);
    match status {
        200..=299 => {
            let (answer, missed) = match (pick, &body) {
                (Some(pick), Body::Json(value)) => match value.pointer(pick) {
                    Some(picked) => (picked.clone(), None),
                    None => (value.clone(), Some(format!("There is nothing at {pick}; this is all of it."))),
                },
                _ => (body.value(), None),
            };
            let mut told = json!({"status": status, "answer": shortened_value(answer)});
            let note = missed.or_else(|| cut(answered.whole));
            if let Some(note) = note {
                told["note"] = note.into();
            }
            ended(told, Ended::Well)
        }
        300..=399 => {
            let error =
                "It answered with another address, which is not followed: an admin has to enter that one.";
            ended(json!({"status": status, "error": error}), Ended::Badly)
        }
        // Whoever stands between here and there gave up waiting.
        502 | 504 if nature.writes => {
            let error = format!(
                "It answered {status}, so nobody knows whether it was carried out. Look before you do it again."
            );
            ended(
                json!({"status": status, "error": error, "answer": shortened_value(body.value())}),
                Ended::Unknown,
            )
        }
        _ => {
            let error = match status {
                401 | 403 => "It refused access. An admin may have to check the tool's secrets.",
                404 => "It found nothing there.",
                429 => "It takes no more requests for now. Try again later.",
                500..=599 => "It has a problem of its own. Try again later.",
                _ => "It refused the request.",
            };
            ended(
                json!({"status": status, "error": error, "answer": shortened_value(body.value())}),
                Ended::Badly,
            )
        }
    }
}

fn cut(whole: Whole) -> Option<String> {
    match whole {
        Whole::Yes => None,
        Whole::TooLarge => Some(format!(
            "The answer is larger than {} MiB; this is its beginning. Ask for less.",
            MAX_ANSWER >> 20
        )),
        Whole::BrokeOff => Some("The answer broke off; this is its beginning.".to_owned()),
    }
}

enum Body {
    Json(Value),
    Text(String),
    /// Neither: how many bytes of what.
    Other(String),
}

impl Body {
    fn value(self) -> Value {
        match self {
            Self::Json(value) => value,
            Self::Text(text) | Self::Other(text) => text.into(),
        }
    }
}

fn body(answered: &Answered) -> Body {
    let Answered { content_type, bytes, .. } = answered;
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Body::Json(value);
    }
    let text = match String::from_utf8(bytes.clone()) {
        Ok(text) => text,
        // A letter may be cut in two where reading ended.
        Err(error) if answered.whole != Whole::Yes && error.utf8_error().valid_up_to() + 4 > bytes.len() => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        Err(_) => {
            let kind = content_type.chars().filter(|c| c.is_ascii_graphic()).take(80).collect::<String>();
            return Body::Other(format!("({} bytes of {kind}, which is no text)", bytes.len()));
        }
    };
    Body::Text(text)
}
