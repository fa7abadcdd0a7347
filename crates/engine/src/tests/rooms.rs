//! The rooms of this crate are its folders and the files beside them. A room imports only rooms that stand before it
//! in `lib.rs`. Every name that begins with `crate::` counts, in a `use` line or not; unit tests may name anything.
//! Inside the crate nothing is named through the exports of `lib.rs`: that would hide the room it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each room, with the rooms it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn rooms_import_only_what_stands_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = rooms_in(&std::fs::read_to_string(src.join("lib.rs")).expect("lib.rs"));
    for room in ["accept", "cluster", "driver", "handoff", "node", "prompt", "stream", "turn"] {
        assert!(order.iter().any(|name| name == room), "there is no room {room}: {order:?}");
    }
    let imports = imports_of(&src);
    assert!(imports["driver"].contains("turn") && imports["accept"].contains("driver"), "{imports:?}");
    assert_eq!(wrong_arrows(&order, &imports), Vec::<String>::new());
}

#[test]
fn a_wrong_arrow_is_seen_whatever_way_it_is_written() {
    let order = rooms_in("mod a;\npub mod b;\n#[cfg(test)]\nmod tests;\npub use b::Thing;\n");
    assert_eq!(order, ["a", "b"]);
    for (text, file) in [
        ("use crate::b::Thing;", "a/mod.rs"),
        ("use crate::{b::Thing, c};", "a/inner.rs"),
        ("fn f() -> crate::b::Other { todo() }", "a.rs"),
        ("let at = \"https://there\"; crate::b::go()", "a.rs"),
        ("use crate::{\n    a,\n    b,\n};", "a/mod.rs"),
        ("use super::super::b::Other;", "a/inner.rs"),
        ("use crate::Thing;", "a/mod.rs"),
        ("use crate::{a, Thing};", "a/mod.rs"),
    ] {
        let imports = Imports::from([("a".to_owned(), named(text, file))]);
        assert_ne!(wrong_arrows(&order, &imports), Vec::<String>::new(), "{text}");
    }
    let right = named("use crate::a::Other; // not crate::c\nuse crate::b;\nuse std::fmt;", "b/inner.rs");
    assert_eq!(wrong_arrows(&order, &Imports::from([("b".to_owned(), right)])), Vec::<String>::new());
}

/// The rooms in the order of `lib.rs`, without tests.
fn rooms_in(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    lines.map(|rest| rest.trim_end_matches(';').to_owned()).filter(|room| room != "tests").collect()
}

/// What a room names that doesn't stand before it.
fn wrong_arrows(order: &[String], imports: &Imports) -> Vec<String> {
    let place = |room: &str| order.iter().position(|name| name == room);
    let arrows = imports.iter().flat_map(|(from, named)| named.iter().map(move |to| (from, to)));
    let wrong = arrows.filter(|(from, to)| from != to && !(place(to).is_some() && place(to) < place(from)));
    wrong.map(|(from, to)| format!("{from} → {to}")).collect()
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
    // A comment has a space before it, or begins the line; an address has none.
    let code: String = text.lines().map(without_comment).collect::<Vec<_>>().join("\n");
    // How often `super` leads out of the room: once from `room/mod.rs`, twice from `room/file.rs`.
    let depth = file.split('/').filter(|part| *part != "mod.rs").count();
    let out = "super::".repeat(depth);
    let starts = code.match_indices("crate::").map(|(at, found)| at + found.len());
    let out_starts = code.match_indices(&out).map(|(at, found)| at + found.len());
    let names = starts.chain(out_starts.filter(|_| depth > 0)).flat_map(|at| first_names(&code[at..]));
    names.filter(|name| !name.is_empty()).collect()
}

fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices("//").map(|(at, _)| at).find(is_comment);
    &line[..comment.unwrap_or(line.len())]
}

/// The names that a path goes on with: one, or those of a list in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
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
