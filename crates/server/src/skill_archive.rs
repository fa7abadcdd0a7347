//! Reads skills from an upload: one `SKILL.md`, or a zip with a folder per skill. Archives come from anywhere, so
//! nothing is written to disk, only the `SKILL.md` files are unpacked, and their size is counted while they are
//! unpacked.

use std::io::{Cursor, Read};

use axum::http::StatusCode;
use baton_core::skill_md;
use baton_core::skills::ImportedSkill;
use baton_core::text::Invalid;
use zip::ZipArchive;
use zip::read::ZipFile;

use crate::http::ApiError;

/// Of an upload, packed.
pub const MAX_UPLOAD: usize = 8 * 1024 * 1024;
/// Of all that is read out of it.
const MAX_UNPACKED: u64 = 2 * 1024 * 1024;
const MAX_ENTRIES: usize = 1_000;
const MAX_SKILLS: usize = 100;
const SKILL_MD: &str = "SKILL.md";
/// Some archives made on Windows have the other one.
const SLASHES: [char; 2] = ['/', '\\'];

#[derive(Debug, PartialEq)]
pub struct Unpacked {
    pub skills: Vec<ImportedSkill>,
    /// Files that were not taken: a skill here is its text.
    pub left_out: Vec<String>,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    #[error("Send a SKILL.md file, or a zip file with a folder per skill.")]
    NotASkill,
    #[error("The zip file is damaged.")]
    Damaged,
    #[error(
        "The zip file holds too much: at most {MAX_ENTRIES} files, {MAX_SKILLS} skills and 2 MiB of their text."
    )]
    TooLarge,
    #[error("There is no SKILL.md in the zip file.")]
    NoSkill,
    #[error("{0} can't be read: it must be UTF-8 text, not encrypted, and stored or deflated.")]
    Unreadable(String),
    #[error("{path}: {invalid}.")]
    Invalid { path: String, invalid: Invalid },
    #[error("There are two skills named {0}.")]
    Twice(String),
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        let text = refused.to_string();
        match refused {
            Refused::NotASkill => Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type", text),
            Refused::TooLarge => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text),
            Refused::Invalid { invalid, .. } => {
                Self::new(StatusCode::BAD_REQUEST, "invalid_skill", text).at(invalid.field)
            }
            _ => Self::new(StatusCode::BAD_REQUEST, "invalid_skill", text),
        }
    }
}

/// What it is, is read from the bytes.
pub fn unpack(bytes: &[u8]) -> Result<Unpacked, Refused> {
    if bytes.starts_with(b"PK") {
        return unzip(bytes);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Refused::NotASkill)?;
    let skill = skill_md::parse(text);
    let skill = skill.map_err(|invalid| Refused::Invalid { path: SKILL_MD.to_owned(), invalid })?;
    Ok(Unpacked { skills: vec![skill], left_out: Vec::new() })
}

fn unzip(bytes: &[u8]) -> Result<Unpacked, Refused> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Refused::Damaged)?;
    if archive.len() > MAX_ENTRIES {
        return Err(Refused::TooLarge);
    }
    let mut paths = Vec::with_capacity(archive.len());
    for path in archive.file_names() {
        let path = path.map_err(|_| Refused::Damaged)?;
        if is_wanted(&path) {
            paths.push(path.into_owned());
        }
    }
    paths.sort();
    let (found, left_out): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| path.rsplit(SLASHES).next() == Some(SKILL_MD));
    if found.is_empty() {
        return Err(Refused::NoSkill);
    }
    if found.len() > MAX_SKILLS {
        return Err(Refused::TooLarge);
    }
    let mut room = MAX_UNPACKED;
    let mut skills: Vec<ImportedSkill> = Vec::with_capacity(found.len());
    for path in found {
        let file = archive.by_name(&path).map_err(|_| Refused::Unreadable(path.clone()))?;
        let text = read(file, &path, &mut room)?;
        let skill = parse(&text, &path)?;
        if skills.iter().any(|other| other.name == skill.name) {
            return Err(Refused::Twice(skill.name));
        }
        skills.push(skill);
    }
    Ok(Unpacked { skills, left_out })
}

/// Folders, and what computers put beside files, are not worth a word.
fn is_wanted(path: &str) -> bool {
    let is_litter = |part: &str| part == "__MACOSX" || part == ".DS_Store" || part == "Thumbs.db";
    !path.ends_with(SLASHES) && !path.split(SLASHES).any(is_litter)
}

/// Reads as long as the limit allows. The sizes that an archive claims for itself are not believed.
fn read(file: ZipFile<'_, Cursor<&[u8]>>, path: &str, room: &mut u64) -> Result<String, Refused> {
    let mut bytes = Vec::new();
    let read = file.take(*room + 1).read_to_end(&mut bytes);
    let read = read.map_err(|_| Refused::Unreadable(path.to_owned()))? as u64;
    *room = room.checked_sub(read).ok_or(Refused::TooLarge)?;
    String::from_utf8(bytes).map_err(|_| Refused::Unreadable(path.to_owned()))
}

/// A skill's folder has its name; a file at the top has none.
fn parse(text: &str, path: &str) -> Result<ImportedSkill, Refused> {
    let wrong = |invalid| Refused::Invalid { path: path.to_owned(), invalid };
    let skill = skill_md::parse(text).map_err(wrong)?;
    match path.rsplit(SLASHES).nth(1) {
        Some(folder) if folder != skill.name => {
            let message = format!("must be that of its folder, {folder}");
            Err(wrong(Invalid::new("name", message)))
        }
        _ => Ok(skill),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn skill(name: &str) -> String {
        format!("---\nname: {name}\ndescription: Does {name}.\n---\n# {name}")
    }

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (path, bytes) in files {
            zip.start_file(*path, options).expect("a file");
            zip.write_all(bytes).expect("written");
        }
        zip.finish().expect("a zip").into_inner()
    }

    fn names(unpacked: &Unpacked) -> Vec<&str> {
        unpacked.skills.iter().map(|skill| skill.name.as_str()).collect()
    }

    #[test]
    fn a_file_a_folder_and_several_folders() {
        assert_eq!(names(&unpack(skill("pdf").as_bytes()).expect("a skill")), ["pdf"]);
        let (pdf, docx, csv) = (skill("pdf"), skill("docx"), skill("csv"));
        let top = unpack(&zipped(&[(SKILL_MD, pdf.as_bytes())])).expect("a skill");
        assert_eq!(names(&top), ["pdf"]);
        let several = zipped(&[
            ("skills/pdf/SKILL.md", pdf.as_bytes()),
            ("skills/pdf/scripts/run.py", b"print()"),
            ("skills/docx/SKILL.md", docx.as_bytes()),
            ("__MACOSX/pdf/SKILL.md", b"\x00"),
            ("README.md", b"\xff"),
            ("skills\\csv\\SKILL.md", csv.as_bytes()),
        ]);
        let several = unpack(&several).expect("skills");
        assert_eq!(names(&several), ["docx", "pdf", "csv"]);
        assert_eq!(several.left_out, ["README.md", "skills/pdf/scripts/run.py"]);
    }

    #[test]
    fn what_is_no_skill_says_why() {
        let (pdf, docx) = (skill("pdf"), skill("docx"));
        let (pdf, docx) = (pdf.as_bytes(), docx.as_bytes());
        let unreadable = |path: &str| Refused::Unreadable(path.to_owned());
        for (bytes, refused) in [
            (b"\xff\xfe\x00".to_vec(), Refused::NotASkill),
            (b"PK\x03\x04 nonsense".to_vec(), Refused::Damaged),
            (zipped(&[]), Refused::NoSkill),
            (zipped(&[("a.txt", b"x")]), Refused::NoSkill),
            (zipped(&[("a/SKILL.md", b"\xff\xff")]), unreadable("a/SKILL.md")),
            (zipped(&[("a/pdf/SKILL.md", pdf), ("b/pdf/SKILL.md", pdf)]), Refused::Twice("pdf".into())),
        ] {
            assert_eq!(unpack(&bytes).expect_err("refused"), refused);
        }
        for (bytes, says) in [
            (b"# Hello".to_vec(), "SKILL.md: front_matter must begin"),
            (zipped(&[("pdf/SKILL.md", docx)]), "pdf/SKILL.md: name must be that of its folder"),
            (
                zipped(&[("pdf/SKILL.md", b"---\nname: pdf\n---\nx")]),
                "pdf/SKILL.md: description must be given",
            ),
        ] {
            let said = unpack(&bytes).expect_err("refused").to_string();
            assert!(said.starts_with(says), "{said}");
        }
        let whole = zipped(&[("pdf/SKILL.md", pdf)]);
        for length in 0..whole.len() {
            assert!(unpack(&whole[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn bombs_do_not_go_off() {
        let mut big = skill("pdf").into_bytes();
        big.resize(8 * 1024 * 1024, b' ');
        let bomb = zipped(&[("pdf/SKILL.md", &big)]);
        assert!(bomb.len() < 100_000, "a bomb is small: {}", bomb.len());
        assert_eq!(unpack(&bomb), Err(Refused::TooLarge));

        let each = vec![b' '; 1024 * 1024];
        let several: Vec<(String, Vec<u8>)> = ["a", "b", "c"]
            .iter()
            .map(|name| (format!("{name}/SKILL.md"), [skill(name).into_bytes(), each.clone()].concat()))
            .collect();
        let several: Vec<(&str, &[u8])> = several.iter().map(|(p, b)| (p.as_str(), b.as_slice())).collect();
        assert_eq!(unpack(&zipped(&several)), Err(Refused::TooLarge), "together they are too much");

        let beside = zipped(&[("pdf/SKILL.md", skill("pdf").as_bytes()), ("pdf/assets/big.bin", &big)]);
        assert_eq!(names(&unpack(&beside).expect("a skill")), ["pdf"], "what isn't taken isn't unpacked");
        let paths: Vec<String> = (0..=MAX_ENTRIES).map(|n| format!("{n}.txt")).collect();
        let many: Vec<(&str, &[u8])> = paths.iter().map(|path| (path.as_str(), &b"x"[..])).collect();
        assert_eq!(unpack(&zipped(&many)), Err(Refused::TooLarge));
    }

    #[test]
    fn encrypted_files_are_refused() {
        // The first bit of the flags, in the file's own header and in the directory, says "encrypted".
        let mut bytes = zipped(&[("pdf/SKILL.md", skill("pdf").as_bytes())]);
        let directory = bytes.windows(4).position(|four| four == b"PK\x01\x02").expect("a directory");
        bytes[6] |= 1;
        bytes[directory + 8] |= 1;
        assert_eq!(unpack(&bytes), Err(Refused::Unreadable("pdf/SKILL.md".into())));
    }
}
