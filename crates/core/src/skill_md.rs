//! Reads a `SKILL.md` of the open format for skills: YAML front matter with a name and a description, then Markdown.
//! Files come from anywhere, so the YAML is read as a flat stream of events: nothing nests, nothing is expanded.

use saphyr_parser::{Event, Parser};

use crate::skills::{ImportedSkill, SkillChanges};
use crate::text::Invalid;

/// What is wrong names the field, or `front_matter` as a whole.
pub fn parse(text: &str) -> Result<ImportedSkill, Invalid> {
    let (yaml, body) = split(text)?;
    let found = fields(yaml)?;
    let missing = |field: &str| Invalid::new(field, "must be given in the front matter");
    let checked = SkillChanges {
        name: Some(found.name.ok_or_else(|| missing("name"))?),
        description: Some(found.description.ok_or_else(|| missing("description"))?.trim().to_owned()),
        content: Some(body.trim().to_owned()),
        ..SkillChanges::default()
    }
    .checked()?;
    match (checked.name, checked.description, checked.content) {
        (Some(name), Some(description), Some(content)) => Ok(ImportedSkill { name, description, content }),
        _ => Err(missing("name")),
    }
}

fn wrong(message: impl Into<String>) -> Invalid {
    Invalid::new("front_matter", message)
}

/// What stands between the first two lines of three hyphens, and what follows.
fn split(text: &str) -> Result<(&str, &str), Invalid> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line));
    let start = first.ok_or_else(|| wrong("must begin the file with a line of three hyphens"))?.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            return Ok((&text[start..end], &text[end + line.len()..]));
        }
        end += line.len();
    }
    Err(wrong("must end with a line of three hyphens"))
}

#[derive(Default)]
struct Fields {
    name: Option<String>,
    description: Option<String>,
}

/// The two fields we take; others, nested ones too, are the format's or someone's own and are passed over.
fn fields(yaml: &str) -> Result<Fields, Invalid> {
    let mut fields = Fields::default();
    let mut depth = 0usize;
    let mut documents = 0;
    // The key whose value comes next, at the top.
    let mut key: Option<String> = None;
    for event in Parser::new_from_str(yaml) {
        let (event, span) =
            event.map_err(|error| wrong(format!("is not YAML: {error}; put text with a colon in quotes")))?;
        let line = span.start.line() + 1;
        match event {
            Event::DocumentStart(_) if documents > 0 => return Err(wrong("must be one YAML document")),
            Event::DocumentStart(_) => documents += 1,
            Event::Alias(_) => return Err(wrong("must not use YAML aliases")),
            Event::MappingStart(..) if depth == 0 => depth = 1,
            Event::SequenceStart(..) | Event::Scalar(..) if depth == 0 => {
                return Err(wrong("must be fields such as name: weekly-report"));
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                match key.as_deref() {
                    Some(name @ ("name" | "description")) if depth == 1 => {
                        return Err(Invalid::new(name, "must be text"));
                    }
                    None if depth == 1 => return Err(wrong(format!("has no plain key in line {line}"))),
                    _ => {}
                }
                depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    key = None;
                }
            }
            Event::Scalar(value, ..) if depth == 1 => match key.take() {
                None => key = Some(value.into_owned()),
                Some(name) => fields.set(&name, value.into_owned())?,
            },
            _ => {}
        }
    }
    Ok(fields)
}

impl Fields {
    fn set(&mut self, name: &str, value: String) -> Result<(), Invalid> {
        let field = match name {
            "name" => &mut self.name,
            "description" => &mut self.description,
            _ => return Ok(()),
        };
        match field.replace(value) {
            None => Ok(()),
            Some(_) => Err(Invalid::new(name, "is given twice")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(front_matter: &str) -> Result<ImportedSkill, Invalid> {
        parse(&format!("---\n{front_matter}\n---\n# How\nDo it.\n"))
    }

    #[test]
    fn the_formats_own_ways_to_write_text() {
        for (front_matter, description) in [
            ("name: pdf\ndescription: Reads PDF files.", "Reads PDF files."),
            ("name: 'pdf'\ndescription: \"Reads: \\\"PDF\\\" files\"", "Reads: \"PDF\" files"),
            ("# note\nname: pdf # why\ndescription: >-\n  Reads PDF\n  files.", "Reads PDF files."),
            ("name: pdf\ndescription: |\n  Reads\n  PDF.\nlicense: MIT", "Reads\nPDF."),
            ("description: Reads\n  PDF files.\nname: pdf", "Reads PDF files."),
            (
                "name: pdf\nmetadata:\n  name: other\n  tags: [a, {b: c}]\nallowed-tools: Bash(git:*) Read\ndescription: x\ncompatibility: any",
                "x",
            ),
            ("{name: pdf, description: x}", "x"),
        ] {
            let read = skill(front_matter).unwrap_or_else(|wrong| panic!("{front_matter}: {wrong}"));
            assert_eq!((read.name.as_str(), read.description.as_str()), ("pdf", description));
            assert_eq!(read.content, "# How\nDo it.");
        }
        let crlf = parse("\u{feff}---\r\nname: pdf\r\ndescription: x\r\n---\r\nBody\r\n---\r\nmore").unwrap();
        assert_eq!((crlf.description.as_str(), crlf.content.as_str()), ("x", "Body\r\n---\r\nmore"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, field) in [
            ("", "front_matter"),
            ("# Just Markdown", "front_matter"),
            ("---\nname: pdf\ndescription: x\n", "front_matter"),
            ("---\nother: [\n---\nx", "front_matter"),
            ("---\nname: a: b\n---\nx", "front_matter"),
            ("---\n- name\n---\nx", "front_matter"),
            ("---\njust text\n---\nx", "front_matter"),
            ("---\na: &a [x, x]\nb: *a\n---\nx", "front_matter"),
            ("---\ndescription: x\n---\nx", "name"),
            ("---\nname: Not Plain\ndescription: x\n---\nx", "name"),
            ("---\nname: {a: b}\ndescription: x\n---\nx", "name"),
            ("---\nname: pdf\n---\nx", "description"),
            ("---\nname: pdf\ndescription:\n---\nx", "description"),
            ("---\nname: pdf\ndescription: [a]\n---\nx", "description"),
            ("---\nname: pdf\ndescription: x\n---\n \n", "content"),
        ] {
            assert_eq!(parse(text).unwrap_err().field, field, "{text:?}");
        }
        assert!(skill(&format!("name: pdf\ndescription: {}", "x".repeat(1_025))).is_err());
        assert!(skill("name: pdf\nname: doc\ndescription: x").is_err());
    }

    #[test]
    fn deep_nesting_neither_fails_nor_overflows() {
        let deep =
            format!("name: pdf\ndescription: x\nmetadata: {}{}", "[".repeat(20_000), "]".repeat(20_000));
        // Refused or passed over: either is fine, as long as the process lives.
        let _ = skill(&deep);
        let _ = skill(&"? ".repeat(20_000));
        let _ = skill(&"- ".repeat(20_000));
    }
}
