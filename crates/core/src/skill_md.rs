//! Reads a `SKILL.md` of the open format for skills: YAML front matter with a name and a description, then Markdown.
//! Such files come from anywhere, so the YAML is read as a flat list of keys: nothing nests, nothing is expanded.

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
mod tests;
