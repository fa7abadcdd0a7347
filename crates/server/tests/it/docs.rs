//! Every file and folder that the pages for developers and the guides name exists. A page may shorten a path: `engine/turn/run.rs` is
//! `crates/engine/src/turn/run.rs`, and a name without its folder is any file of that name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PAGES: &[&str] =
    &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "web/README.md", "bench/README.md"];
/// Folders that hold what is built or installed, and no sources.
const SKIPPED: &[&str] = &[".git", "build", "node_modules", "target"];
/// What a server keeps that is started here.
const SERVED: &str = "data";
/// Names that stand for any file, files that people write, and files that are made by running something.
const EXAMPLES: &[&str] =
    &["SKILL.md", "baton.toml", "build/bench.json", "foo.rs", "foo/tests.rs", "summary.txt", "web/dist"];
/// The endings by which a word is taken for a file.
const ENDINGS: &[&str] = &[
    "css", "js", "json", "md", "mjs", "patch", "py", "rs", "service", "sql", "toml", "ts", "tsx", "txt",
    "zip",
];
/// The folders at the root of the repository that a path may begin with, whatever it ends with.
const ROOTS: &[&str] = &["bench", "crates", "dist", "docs", "e2e", "packs", "scripts", "web"];

#[test]
fn every_file_that_a_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let known = paths_in(&root);
    let guides =
        known.iter().map(String::as_str).filter(|path| path.starts_with("docs/") && path.ends_with(".md"));
    for page in PAGES.iter().copied().chain(guides) {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        let named = paths_named(&text);
        assert!(page != "ARCHITECTURE.md" || named.len() > 150, "too few paths are seen: {named:?}");
        let missing: Vec<_> =
            named.iter().filter(|path| !EXAMPLES.contains(&path.as_str()) && !exists(path, &known)).collect();
        assert_eq!(missing, Vec::<&String>::new(), "{page} names files that don't exist");
    }
}

#[test]
fn what_is_missing_is_seen() {
    let known: BTreeSet<String> =
        ["crates/engine/src/turn/run.rs", "crates/engine/src/turn", "docs/demo.md", "scripts/test"]
            .map(str::to_owned)
            .into();
    for (text, missing) in [
        ("`engine/turn/run.rs`, `turn/run.rs`, `run.rs` and `engine/turn/`", &[][..]),
        ("`scripts/test e2e/x.test.js` and [a page](docs/demo.md#words)", &["e2e/x.test.js"][..]),
        ("`core/turn/run.rs` and `un.rs`", &["core/turn/run.rs", "un.rs"][..]),
        (
            "`GET /api/agents`, `sonnet/model`, `a.b`, `_handoff_from` and [home](https://example.com/a.md)",
            &[][..],
        ),
        ("[gone](docs/gone.md), `scripts/gone`", &["docs/gone.md", "scripts/gone"][..]),
    ] {
        let found: Vec<_> = paths_named(text).into_iter().filter(|path| !exists(path, &known)).collect();
        assert_eq!(found, missing, "{text}");
    }
}

fn exists(path: &str, known: &BTreeSet<String>) -> bool {
    let path = path.trim_end_matches('/');
    let ends_with =
        |whole: &str| known.iter().any(|known| known == whole || known.ends_with(&format!("/{whole}")));
    match path.split_once('/') {
        Some((name, rest)) if known.iter().any(|known| known.starts_with(&format!("crates/{name}/"))) => {
            known.contains(&format!("crates/{name}/src/{rest}"))
        }
        Some((name, _)) if ROOTS.contains(&name) => known.contains(path),
        _ => ends_with(path),
    }
}

/// What stands in `code` or as the target of a [link](…), and looks like a path of this repository.
fn paths_named(text: &str) -> BTreeSet<String> {
    let code = text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    code.chain(links).filter(|word| is_path(word)).map(str::to_owned).collect()
}

fn is_path(word: &str) -> bool {
    let is_plain = word.chars().all(|sign| sign.is_ascii_alphanumeric() || "/._-".contains(sign));
    let has_ending =
        word.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && ENDINGS.contains(&ending));
    let has_root = word.split_once('/').is_some_and(|(name, _)| ROOTS.contains(&name));
    let is_folder = word.ends_with('/') && word.len() > 1;
    is_plain && !word.starts_with(['/', '.']) && (has_ending || has_root || is_folder)
}

/// Every file and folder below the root, by its path from there.
fn paths_in(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a plain name");
            let is_folder = entry.file_type().expect("a type").is_dir();
            let path = folder.join(&name);
            if is_folder && (SKIPPED.contains(&name.as_str()) || path == Path::new(SERVED)) {
                continue;
            }
            found.insert(path.to_str().expect("a plain path").to_owned());
            if is_folder {
                folders.push(path);
            }
        }
    }
    found
}
