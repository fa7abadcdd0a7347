//! The rooms of this crate, its folders and the files beside them, import each other in one direction only: no room comes
//! back to itself. What a file names as `crate::…` counts, in a `use` line or not; its unit tests may name anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each room, with the rooms it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_room_comes_back_to_itself() {
    let imports = imports_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    for room in ["accept", "cluster", "driver", "handoff", "node", "prompt", "stream", "turn"] {
        assert!(imports.contains_key(room), "there is no room {room}");
    }
    assert!(imports["driver"].contains("turn") && imports["accept"].contains("driver"), "{imports:?}");
    if let Some(cycle) = cycle_in(&imports) {
        panic!("rooms import each other in a circle: {}", cycle.join(" → "));
    }
}

#[test]
fn a_circle_is_seen_whatever_way_it_is_written() {
    for (one, other) in [
        ("use crate::b::Thing;", "use crate::a::Other;"),
        ("use crate::{b::Thing, c};", "fn f() -> crate::a::Other { todo() }"),
        ("pub use crate::b::{Thing, More};", "use crate::{\n    a,\n    c,\n};"),
        ("use crate::b::Thing;", "use super::super::a::Other;"),
    ] {
        let mut imports = Imports::new();
        imports.insert("a".into(), named(one, "a/mod.rs"));
        imports.insert("b".into(), named(other, "b/inner.rs"));
        assert!(cycle_in(&imports).is_some(), "{one} {other}");
        imports.insert("b".into(), named("use crate::c; // not crate::a\n", "b/inner.rs"));
        assert_eq!(cycle_in(&imports), None, "{one}");
    }
}

fn imports_of(src: &Path) -> Imports {
    let mut imports = Imports::new();
    for file in files_in(src) {
        let inside = file.strip_prefix(src).expect("a file of the crate");
        let inside = inside.to_str().expect("a plain name").to_owned();
        let is_test = inside.split('/').any(|part| part == "tests" || part == "tests.rs");
        if is_test || inside == "lib.rs" {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a file");
        let room = room_of(&inside);
        let mut found = named(&text, &inside);
        found.remove(&room);
        imports.entry(room).or_default().extend(found);
    }
    imports
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| match path.is_dir() {
        true => files_in(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

fn room_of(file: &str) -> String {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// The rooms that a file names.
fn named(text: &str, file: &str) -> BTreeSet<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    // How often `super` leads out of the room: once from `room/mod.rs`, twice from `room/file.rs`.
    let depth = file.split('/').filter(|part| *part != "mod.rs").count();
    let out = "super::".repeat(depth);
    let starts = code.match_indices("crate::").map(|(at, found)| at + found.len());
    let out_starts = code.match_indices(&out).map(|(at, found)| at + found.len());
    starts.chain(out_starts.filter(|_| depth > 0)).flat_map(|at| first_names(&code[at..])).collect()
}

/// The names that a path goes on with: one, or those of a list in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
    };
    let Some(list) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut open, mut item) = (Vec::new(), 1, String::new());
    for c in list.chars() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 1 => names.push(name(&std::mem::take(&mut item))),
            _ => {}
        }
        if open == 0 {
            break;
        }
        if c != ',' || open > 1 {
            item.push(c);
        }
    }
    names.push(name(&item));
    names
}

fn cycle_in(imports: &Imports) -> Option<Vec<String>> {
    imports.keys().find_map(|room| way(imports, room, room, &mut BTreeSet::new()))
}

/// A way from one room to another, by what each imports.
fn way(imports: &Imports, from: &str, to: &str, seen: &mut BTreeSet<String>) -> Option<Vec<String>> {
    for next in imports.get(from)? {
        if next == to {
            return Some(vec![from.to_owned(), to.to_owned()]);
        }
        if seen.insert(next.clone())
            && let Some(rest) = way(imports, next, to, seen)
        {
            return Some([vec![from.to_owned()], rest].concat());
        }
    }
    None
}
