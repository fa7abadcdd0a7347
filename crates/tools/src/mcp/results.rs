//! The result of a call, in Baton's own types: `content` or `structuredContent`, never both; pictures, sounds and binary
//! resources are files. It works on JSON, so that a block of an unknown kind doesn't spoil the others.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use baton_core::server_tools::{Outcome, OutcomeFile, Said};
use serde_json::Value;

/// The most files of one answer that are kept.
const MAX_FILES: usize = 20;
const MAX_FILE_NAME: usize = 100;

/// The outcome that a result of `tools/call` tells.
pub(super) fn read(result: Value) -> Outcome {
    let mut answer = Answer::default();
    for block in result.get("content").and_then(Value::as_array).into_iter().flatten() {
        answer.add(block);
    }
    let text = answer.texts.join("\n\n");
    let said = match result.get("structuredContent") {
        // Servers that send structured content repeat it as text: told twice, it would cost twice.
        Some(structured) if !answer.has_text => Said::Structured(structured.clone()),
        _ => Said::Text(text),
    };
    Outcome {
        is_error: result.get("isError").and_then(Value::as_bool).unwrap_or(false),
        said,
        files: answer.files,
        whole: result,
    }
}

#[derive(Default)]
struct Answer {
    texts: Vec<String>,
    /// Whether a text says more than which files came along.
    has_text: bool,
    files: Vec<OutcomeFile>,
}

impl Answer {
    fn add(&mut self, block: &Value) {
        let text = |key: &str| block.get(key).and_then(Value::as_str);
        match text("type") {
            Some("text") => self.say(text("text").unwrap_or_default()),
            Some("image" | "audio") => self.keep(text("data"), text("mimeType"), None),
            Some("resource") => self.add_resource(block.get("resource").unwrap_or(&Value::Null)),
            Some("resource_link") => {
                let name = text("title").or_else(|| text("name")).unwrap_or("resource");
                let about = text("description").map(|about| format!(": {about}")).unwrap_or_default();
                self.say(&format!("[{name}]({}){about}", text("uri").unwrap_or_default()));
            }
            other => {
                self.note(format!("[an answer of the kind {}, which can't be read]", other.unwrap_or("none")))
            }
        }
    }

    fn add_resource(&mut self, resource: &Value) {
        let text = |key: &str| resource.get(key).and_then(Value::as_str);
        let uri = text("uri").unwrap_or_default();
        match (text("text"), text("blob")) {
            (Some(content), _) => self.say(&format!("{uri}\n{content}")),
            (None, blob) => self.keep(blob, text("mimeType"), uri.rsplit('/').next()),
        }
    }

    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.texts.push(text.to_owned());
            self.has_text = true;
        }
    }

    fn note(&mut self, text: String) {
        self.texts.push(text);
    }

    fn keep(&mut self, data: Option<&str>, media_type: Option<&str>, name: Option<&str>) {
        let media_type = media_type.unwrap_or("application/octet-stream");
        let Some(bytes) = data.and_then(|data| STANDARD.decode(data).ok()) else {
            return self.note(format!("[a file ({media_type}) that can't be read]"));
        };
        if self.files.len() == MAX_FILES {
            return self.note(format!("[a file ({media_type}) too many]"));
        }
        let name: String = match name.filter(|name| !name.is_empty()) {
            Some(name) => name.chars().filter(|c| !c.is_control()).take(MAX_FILE_NAME).collect(),
            None => format!("{}-{}.{}", kind(media_type), self.files.len() + 1, extension(media_type)),
        };
        self.note(format!("[{name}: {media_type}, {} bytes, shown to the person]", bytes.len()));
        self.files.push(OutcomeFile { name, media_type: media_type.to_owned(), bytes });
    }
}

fn kind(media_type: &str) -> &str {
    match media_type.split('/').next() {
        Some(kind @ ("image" | "audio" | "video")) => kind,
        _ => "file",
    }
}

fn extension(media_type: &str) -> String {
    let subtype = media_type.split(';').next().and_then(|plain| plain.rsplit('/').next()).unwrap_or_default();
    let subtype: String = subtype.split('+').next().unwrap_or_default().chars().take(10).collect();
    let is_plain = !subtype.is_empty() && subtype.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain && subtype != "octet" { subtype } else { "bin".into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(result: Value) -> Said {
        read(result).said
    }

    #[test]
    fn content_or_structured_content_is_said_and_never_both() {
        let text = json!([{"type": "text", "text": "sunny"}]);
        let structured = json!({"sky": "clear"});
        for (result, expected) in [
            (json!({"content": text}), Said::Text("sunny".into())),
            (json!({"content": text, "structuredContent": structured}), Said::Text("sunny".into())),
            (json!({"content": [], "structuredContent": structured}), Said::Structured(structured.clone())),
            (json!({"structuredContent": structured}), Said::Structured(structured.clone())),
            (
                json!({"content": [{"type": "text", "text": "  "}], "structuredContent": structured}),
                Said::Structured(structured.clone()),
            ),
            (json!({}), Said::Text(String::new())),
        ] {
            assert_eq!(said(result.clone()), expected, "{result}");
        }
    }

    #[test]
    fn an_error_is_a_result_and_keeps_what_it_says() {
        let outcome = read(json!({"content": [{"type": "text", "text": "no such city"}], "isError": true}));
        assert!(outcome.is_error);
        assert_eq!(outcome.said, Said::Text("no such city".into()));
    }

    #[test]
    fn pictures_and_binary_resources_are_files_and_text_resources_are_text() {
        let outcome = read(json!({"content": [
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a/b.pdf", "blob": "aGk=", "mimeType": "application/pdf"}},
            {"type": "resource", "resource": {"uri": "note://1", "text": "remember"}},
            {"type": "resource_link", "uri": "note://2", "name": "second"},
            {"type": "image", "data": "not base64!", "mimeType": "image/png"},
            {"type": "hologram"},
        ]}));
        let files: Vec<_> = outcome.files.iter().map(|file| (file.name.as_str(), file.bytes.len())).collect();
        assert_eq!(files, [("image-1.png", 2), ("b.pdf", 2)]);
        let Said::Text(text) = outcome.said else { panic!("text") };
        for part in ["note://1\nremember", "[second](note://2)", "can't be read", "hologram"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn the_whole_is_kept_as_it_came() {
        let result = json!({"content": [{"type": "text", "text": "a"}], "structuredContent": {"a": 1}, "_meta": {"x": 2}});
        assert_eq!(read(result.clone()).whole, result);
    }
}
