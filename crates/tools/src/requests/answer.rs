//! An answer as the model is told it: what was picked of it, or why there is none. What the model is given a part of, or can't
//! read, is kept for the person.

use baton_core::files::image_type;
use baton_core::shortened::shortened;
use baton_core::tools::{Ended, Kept, Nature, ToolAnswer};
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
    let mut kept = Vec::new();
    let told = of_status(answered, pick, nature, &mut kept);
    ToolAnswer { kept, ..told }
}

fn of_status(answered: &Answered, pick: Option<&str>, nature: Nature, kept: &mut Vec<Kept>) -> ToolAnswer {
    let status = answered.status;
    let body = body(answered);
    if matches!(body, Body::Other(_)) {
        kept.push(whole(answered, &body));
    }
    match status {
        200..=299 => {
            let (answer, missed) = match (pick, &body) {
                (Some(pick), Body::Json(value)) => match value.pointer(pick) {
                    Some(picked) => (picked.clone(), None),
                    None => (value.clone(), Some(format!("There is nothing at {pick}; this is all of it."))),
                },
                _ => (body.value(), None),
            };
            let answer = part_of(answer, answered, &body, kept);
            let mut told = json!({"status": status, "answer": answer});
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
                json!({"status": status, "error": error, "answer": part_of(body.value(), answered, &body, kept)}),
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
                json!({"status": status, "error": error, "answer": part_of(body.value(), answered, &body, kept)}),
                Ended::Badly,
            )
        }
    }
}

/// As much of an answer as a model is given; the whole of it is kept if that is less.
fn part_of(answer: Value, answered: &Answered, body: &Body, kept: &mut Vec<Kept>) -> Value {
    let short = match &answer {
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    };
    let Some(short) = short else { return answer };
    kept.push(whole(answered, body));
    Value::String(short)
}

fn whole(answered: &Answered, body: &Body) -> Kept {
    let ending = match body {
        Body::Json(_) => "json",
        Body::Text(_) => "txt",
        Body::Other(_) => {
            image_type(&answered.bytes).map_or("bin", |image| image.trim_start_matches("image/"))
        }
    };
    let media_type = match body {
        Body::Json(_) => "application/json".to_owned(),
        Body::Text(_) | Body::Other(_) => answered.content_type.clone(),
    };
    Kept { name: format!("answer.{ending}"), media_type, bytes: answered.bytes.clone() }
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
    fn value(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Text(text) | Self::Other(text) => text.as_str().into(),
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
            return Body::Other(format!(
                "({} bytes of {kind}, which is no text and is kept for the person)",
                bytes.len()
            ));
        }
    };
    Body::Text(text)
}
