use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

use super::*;
use crate::Error;

fn zipped(files: &[(&str, &[u8])]) -> Cursor<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let mut done = zip.finish().unwrap();
    done.set_position(0);
    done
}

fn page(files: &[(&str, &[u8])], path: &str) -> Page {
    let read = from_zip(zipped(files), Limits::default()).unwrap();
    let found = read.map(|file| file.unwrap().unwrap()).find_map(|file| match file {
        File::Page(page) if page.path == path => Some(page),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn folders_are_the_tree() {
    let tree = Tree::new([
        "Home.md",
        "Guides/index.md",
        "Guides/Setup.md",
        "Guides/Deep/One.md",
        "Team.md",
        "Team/Ann.md",
        "img/logo.png",
        "Notes/README.md",
        "Notes/index.md",
        "__MACOSX/x.md",
        ".obsidian/app.md",
    ]);
    let seen: Vec<_> = tree
        .nodes()
        .iter()
        .map(|n| (n.path.as_str(), n.parent.as_deref(), n.title.as_str(), n.has_file))
        .collect();
    assert_eq!(
        seen,
        [
            ("Guides/index.md", None, "Guides", true),
            ("Guides/Deep", Some("Guides/index.md"), "Deep", false),
            ("Notes/index.md", None, "Notes", true),
            ("Team.md", None, "Team", true),
            ("Guides/Deep/One.md", Some("Guides/Deep"), "One", true),
            ("Guides/Setup.md", Some("Guides/index.md"), "Setup", true),
            ("Home.md", None, "Home", true),
            ("Notes/README.md", Some("Notes/index.md"), "Notes", true),
            ("Team/Ann.md", Some("Team.md"), "Ann", true),
        ]
    );
    assert_eq!(tree.refused(), []);
}

#[test]
fn links_find_their_pages_and_files() {
    let body = "# Start\n[setup](../Guides/Set%20up.md#two \"x\") ![logo](/img/logo.png) [out](https://example.com/a.md)\n\
[[Ann|our Ann]] [up](../../x.md) [folder](../Guides/) <img alt='' src=\"../img/Logo.png\"> `[no](a.md)` \\](no.md) [mail](mailto:a@b.c)\n\
```\n[no](a.md)\n```\n[here](#part) [gone](gone.md)\n[ref]: <../img/logo.png>\n[ref2]: Ann\n[sp](Set up.md)\n";
    let files: [(&str, &[u8]); 5] = [
        ("Team/Start.md", body.as_bytes()),
        ("Team/Ann.md", b"hi"),
        ("Team/Set up.md", b"hi"),
        ("Guides/Set up.md", b"hi"),
        ("img/logo.png", b"png"),
    ];
    let page = page(&files, "Team/Start.md");
    assert_eq!(page.title, "Start");
    let is = |target: &Target| match target {
        Target::Page(path) => format!("page {path}"),
        Target::Attachment(path) => format!("file {path}"),
        Target::Missing(path) => format!("no {path}"),
    };
    let seen: Vec<_> =
        page.links.iter().map(|link| (&page.body[link.at.clone()], is(&link.target))).collect();
    let expected = [
        ("../Guides/Set%20up.md#two", "page Guides/Set up.md"),
        ("/img/logo.png", "file img/logo.png"),
        ("[[Ann|our Ann]]", "page Team/Ann.md"),
        ("../../x.md", "no ../../x.md"),
        ("../Guides/", "page Guides"),
        ("../img/Logo.png", "file img/logo.png"),
        ("gone.md", "no Team/gone.md"),
        ("../img/logo.png", "file img/logo.png"),
        ("Ann", "page Team/Ann.md"),
        ("Set up.md", "page Team/Set up.md"),
    ];
    assert_eq!(seen.iter().map(|(a, b)| (*a, b.as_str())).collect::<Vec<_>>(), expected);
    assert_eq!(page.links[0].fragment.as_deref(), Some("two"));
    let rewritten = rewrite(&page.body, &page.links, |link| match &link.target {
        Target::Page(path) if link.wiki => Some(format!("[x](page:{path})")),
        Target::Page(path) => Some(format!("page:{path}")),
        _ => None,
    });
    assert!(rewritten.contains("[setup](page:Guides/Set up.md \"x\")"), "{rewritten}");
    assert!(rewritten.contains("[x](page:Team/Ann.md) [up](../../x.md)"), "{rewritten}");
}

#[test]
fn front_matter_becomes_properties() {
    let text = b"---\ntitle: \"My: page\"\ntags: [a, b]\nnested:\n  x: 1\npublic: true\n---\n\n# Other\ntext";
    let found = page(&[("a.md", text)], "a.md");
    let seen: Vec<_> = found.properties.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(seen, [("tags", "a, b"), ("nested", "x, 1"), ("public", "true")]);
    assert_eq!((found.title.as_str(), found.body.as_str()), ("My: page", "# Other\ntext"));
    // What is not front matter is text.
    for text in ["---\nnot closed", "---\n- a\n---\nx", "---\na: *b\n---\nx", "---\n", "plain"] {
        let found = page(&[("a.md", text.as_bytes())], "a.md");
        assert_eq!((found.properties.len(), found.body.as_str()), (0, text));
    }
}

#[test]
fn what_leads_out_of_the_zip_is_refused_alone() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for name in ["../evil.md", "a/../../evil.md", "/etc/passwd.md", "C:\\evil.md", "good.md"] {
        zip.start_file(name, options).unwrap();
        zip.write_all(b"x").unwrap();
    }
    zip.add_symlink("link.md", "/etc/passwd", options).unwrap();
    let mut done = zip.finish().unwrap();
    done.set_position(0);
    let pages = from_zip(done, Limits::default()).unwrap();
    let mut refused: Vec<_> =
        pages.tree().refused().iter().map(|file| format!("{}: {}", file.path, file.reason)).collect();
    refused.sort();
    assert_eq!(
        refused,
        [
            "../evil.md: its path leads out of the import",
            "/etc/passwd.md: its path is absolute",
            "C:\\evil.md: its path is absolute",
            "a/../../evil.md: its path leads out of the import",
            "link.md: it is a link of the file system",
        ]
    );
    let files: Vec<_> = pages.map(|file| file.unwrap().unwrap()).collect();
    assert!(matches!(files.as_slice(), [File::Page(page)] if page.path == "good.md"));
}

#[test]
fn bombs_are_refused_whole() {
    let zeros = vec![0; 8 << 20];
    let first_error = |files: &[(&str, &[u8])], limits: Limits| {
        from_zip(zipped(files), limits)
            .and_then(|mut pages| pages.try_for_each(|file| file.map(drop)))
            .unwrap_err()
    };
    let is = |error: Error, words: &str| assert!(error.to_string().contains(words), "{error}");
    is(first_error(&[("a.md", &zeros)], Limits::default()), "far more than it is");
    let noise: Vec<u8> = (0..2u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let small = Limits { total: 3 << 20, ..Limits::default() };
    is(first_error(&[("a.bin", &noise), ("b.bin", &noise)], small), "more than 3 MiB");
    is(
        first_error(&[("a.md", b""), ("b.md", b"")], Limits { files: 1, ..Limits::default() }),
        "2 files, more than 1",
    );
    assert!(from_zip(Cursor::new(b"PK\x03\x04nonsense"), Limits::default()).is_err());
    // One large file is refused alone.
    let limits = Limits { file: 1 << 20, ..Limits::default() };
    let files: Vec<_> =
        from_zip(zipped(&[("a.bin", &noise), ("b.md", b"x")]), limits).unwrap().map(Result::unwrap).collect();
    assert_eq!(files[0].as_ref().unwrap_err().reason, "it is larger than 1 MiB");
    assert!(files[1].is_ok());
}

#[test]
fn a_page_of_brackets_is_read_in_time() {
    let begun = std::time::Instant::now();
    for piece in ["[[", "](", "`a``", " src=\"", "[a]: <", "\\"] {
        let tree = Tree::new(["a.md"]);
        tree.file("a.md", piece.repeat(100_000).into_bytes()).unwrap();
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn links_that_are_written_lead_where_they_should() {
    for (from, to, link) in [
        ("a.md", "b.md", "b.md"),
        ("a/b.md", "a/c d.md", "c%20d.md"),
        ("a/b/c.md", "a/d.md", "../d.md"),
        ("a/b.md", "img/x(1).png", "../img/x%281%29.png"),
        ("a.md", "b/a#b?.md", "b/a%23b%3F.md"),
        ("a.md", "100%25.md", "100%2525.md"),
    ] {
        assert_eq!(relative(from, to), link);
        let body = format!("[x]({link})");
        let tree = Tree::new([from, to]);
        let Some(File::Page(page)) = tree.file(from, body.into_bytes()) else { panic!("{from}") };
        let target =
            if to.ends_with(".md") { Target::Page(to.to_owned()) } else { Target::Attachment(to.to_owned()) };
        assert_eq!(page.links[0].target, target);
    }
}
