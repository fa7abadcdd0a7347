//! The properties at the beginning of a Markdown file, between two lines of three hyphens. Files come from anywhere, so
//! the YAML is read as a flat stream of events: nothing nests, nothing is expanded. What is no such YAML is text.

use saphyr_parser::{Event, Parser};

/// More is no front matter.
const MAX_LENGTH: usize = 64 * 1024;
const MAX_PROPERTIES: usize = 100;
const MAX_VALUE: usize = 10_000;

/// The properties, and the text that follows them.
pub(super) fn split(text: &str) -> (Vec<(String, String)>, &str) {
    let Some((yaml, body)) = fenced(text) else { return (Vec::new(), text) };
    match properties(yaml) {
        Some(properties) => (properties, body),
        None => (Vec::new(), text),
    }
}

fn fenced(text: &str) -> Option<(&str, &str)> {
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let start = lines.next().filter(|line| is_fence(line))?.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            let body = &text[end + line.len()..];
            return Some((&text[start..end], body.trim_start_matches(['\r', '\n'])));
        }
        end += line.len();
        if end > MAX_LENGTH {
            return None;
        }
    }
    None
}

fn properties(yaml: &str) -> Option<Vec<(String, String)>> {
    let mut properties: Vec<(String, String)> = Vec::new();
    let mut depth = 0usize;
    let mut key: Option<String> = None;
    // The values below the key, where it has more than one.
    let mut values: Vec<String> = Vec::new();
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.ok()?;
        match event {
            Event::Alias(_) => return None,
            Event::MappingStart(..) if depth == 0 => depth = 1,
            Event::SequenceStart(..) | Event::Scalar(..) if depth == 0 => return None,
            Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    let value = std::mem::take(&mut values).join(", ");
                    properties.extend(key.take().map(|key| (key, value)));
                }
            }
            Event::Scalar(value, ..) if depth == 1 => match key.take() {
                None => key = Some(value.into_owned()),
                Some(key) => properties.push((key, cut(&value))),
            },
            Event::Scalar(value, ..) if values.len() < MAX_PROPERTIES => values.push(cut(&value)),
            _ => {}
        }
        if properties.len() > MAX_PROPERTIES {
            return None;
        }
    }
    Some(properties)
}

fn cut(value: &str) -> String {
    value.chars().take(MAX_VALUE).collect()
}
