//! What opens where, and the file that holds the keys.

use std::collections::BTreeSet;
use std::path::Path;

use baton_core::ids::WorkspaceId;
use baton_core::secrets::{Sealed, SecretPlace, SecretText, SecretUse};
use uuid::Uuid;

use super::seal::SealingKey;
use super::{KEY_FILE, Keyring};

const KEY: &str = "a text of more than thirty-two characters";

fn place() -> SecretPlace {
    SecretPlace {
        workspace_id: Some(WorkspaceId(Uuid::from_u128(1))),
        used_for: SecretUse::ModelProvider,
        owner_id: Uuid::from_u128(2),
        sent_to: "https://api.example.org".to_owned(),
    }
}

#[test]
fn a_secret_opens_in_its_place_and_nowhere_else() {
    let key = SealingKey::new(KEY).expect("a key");
    let secret = SecretText::new("sk-planted-0815");
    let sealed = key.seal(&place(), &secret).expect("sealed");
    assert_eq!(key.open(&place(), &sealed), Some(secret.clone()));
    assert!(!sealed.bytes.windows(10).any(|bytes| bytes == b"sk-planted"));
    assert_ne!(key.seal(&place(), &secret).expect("sealed").bytes, sealed.bytes, "another nonce each time");

    let elsewhere = [
        SecretPlace { workspace_id: None, ..place() },
        SecretPlace { workspace_id: Some(WorkspaceId(Uuid::from_u128(9))), ..place() },
        SecretPlace { used_for: SecretUse::SearchEngine, ..place() },
        SecretPlace { owner_id: Uuid::from_u128(9), ..place() },
        SecretPlace { sent_to: "https://api.example.com".to_owned(), ..place() },
    ];
    for place in elsewhere {
        assert_eq!(key.open(&place, &sealed), None, "{place:?}");
    }
    let other = SealingKey::new("another text of more than thirty-two characters").expect("a key");
    assert_ne!(other.id, key.id);
    assert_eq!(other.open(&place(), &sealed), None);
    for at in 0..sealed.bytes.len() {
        let mut bytes = sealed.bytes.clone();
        bytes[at] ^= 1;
        assert_eq!(key.open(&place(), &Sealed { bytes, ..sealed.clone() }), None, "byte {at}");
        let cut = Sealed { bytes: sealed.bytes[..at].to_vec(), ..sealed.clone() };
        assert_eq!(key.open(&place(), &cut), None, "cut at {at}");
    }
}

fn ids(folder: &Path) -> Vec<String> {
    Keyring::of_folder(folder).expect("keys").keys().iter().map(|key| key.id.clone()).collect()
}

#[test]
fn the_file_is_made_once_however_many_begin_at_the_same_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("data");
    let made: BTreeSet<String> = std::thread::scope(|scope| {
        let make = || Keyring::of_folder(&folder).expect("a ring").first().expect("a key").id.clone();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a key")).collect()
    });
    assert_eq!(made.len(), 1, "all have the same key");
    assert_eq!(ids(&folder), Vec::from_iter(made));
    let names: Vec<_> =
        std::fs::read_dir(&folder).expect("files").map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(names, [KEY_FILE], "nothing is left beside it");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.join(KEY_FILE)).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn keys_come_and_go() {
    let dir = tempfile::tempdir().expect("a folder");
    let ring = Keyring::of_folder(dir.path()).expect("a ring");
    assert!(ring.keys().is_empty() && ids(dir.path()).is_empty(), "nothing is made before it is needed");
    let first = ring.first().expect("a key").id.clone();
    // Another process puts a key before it; this one finds it when it is asked for.
    let other = Keyring::of_folder(dir.path()).expect("a ring");
    let second = other.add().expect("a key").id.clone();
    assert_eq!(ids(dir.path()), [second.clone(), first.clone()]);
    assert!(ring.find(&second).is_some() && ring.find("0123456789abcdef").is_none());
    other.keep(std::slice::from_ref(&second)).expect("kept");
    assert_eq!(ids(dir.path()), [second]);

    std::fs::write(dir.path().join(KEY_FILE), "short\n").expect("written");
    let wrong = Keyring::of_folder(dir.path()).err().expect("no keys").to_string();
    assert!(wrong.contains("put your copy of it back"), "{wrong}");
}

#[test]
fn a_setting_holds_one_key_or_several() {
    let both = format!("{KEY}, another text of more than thirty-two characters");
    assert_eq!(Keyring::of_setting(&both).expect("keys").keys().len(), 2);
    let one = Keyring::of_setting(KEY).expect("a key");
    assert!(one.is_of_setting() && one.add().is_err(), "the operator's to change");
    for short in ["", "too short", &format!("{KEY},"), &format!("{KEY},short")] {
        assert!(Keyring::of_setting(short).is_err(), "{short:?}");
    }
}
