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
    let deep = format!("name: pdf\ndescription: x\nmetadata: {}{}", "[".repeat(20_000), "]".repeat(20_000));
    // Refused or passed over: either is fine, as long as the process lives.
    let _ = skill(&deep);
    let _ = skill(&"? ".repeat(20_000));
    let _ = skill(&"- ".repeat(20_000));
}
