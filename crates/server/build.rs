//! Tells the build which commit it is made from, makes sure the folder of the web app exists, so that the server
//! builds before the web app does, and makes a release build embed the current app. Debug builds read it from disk.
//!
//! What is hard: a source archive has no git and must build too, and it may lie inside another repository, whose
//! commit is not Baton's. Debug builds name no commit: a new commit would rebuild the server though nothing changed.

use std::path::Path;
use std::process::Command;

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=BATON_COMMIT");
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_release {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
    let told = std::env::var("BATON_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    let commit = told.or_else(|| if is_release { commit_of_checkout() } else { None });
    name_version(commit.as_deref(), is_release);
    std::fs::create_dir_all("../../web/dist")
}

/// `commit` is a hash and, after a space, its date.
fn name_version(commit: Option<&str>, is_release: bool) {
    let words: Vec<&str> = commit.unwrap_or_default().split_whitespace().take(2).collect();
    for (name, word) in ["BATON_BUILD_COMMIT", "BATON_BUILD_DATE"].iter().zip(&words) {
        println!("cargo:rustc-env={name}={word}");
    }
    let about = match (words.is_empty(), is_release) {
        (false, _) => format!(" ({})", words.join(" ")),
        (true, true) => String::new(),
        (true, false) => " (debug build)".to_owned(),
    };
    println!("cargo:rustc-env=BATON_BUILD_VERSION={}{about}", env!("CARGO_PKG_VERSION"));
}

/// Such as `abc1234 2026-11-18`; the build runs again when another commit is checked out or made.
fn commit_of_checkout() -> Option<String> {
    let root = Path::new("../..").canonicalize().ok()?;
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()? != root {
        return None;
    }
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // A file that isn't there would run the build every time.
        if let Some(file) = git(&["rev-parse", "--git-path", name]).filter(|file| Path::new(file).exists()) {
            println!("cargo:rerun-if-changed={file}");
        }
    }
    git(&["log", "-1", "--format=%h %cs", "--abbrev=7"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
