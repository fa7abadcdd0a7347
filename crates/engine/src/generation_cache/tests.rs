use super::*;
use std::convert::Infallible;

#[tokio::test]
async fn a_change_makes_it_look_again() {
    let kept: GenerationCache<u8, &str> = GenerationCache::default();
    let find = async |known, value| {
        let found = kept.find(known, &7, async { Ok::<_, Infallible>(value) }).await;
        found.expect("no error")
    };
    assert_eq!(find(Some(1), None).await, None);
    assert_eq!(find(Some(1), Some("old")).await, Some("old"), "that there is none is not kept");
    assert_eq!(find(Some(1), Some("new")).await, Some("old"));
    assert_eq!(find(Some(2), Some("new")).await, Some("new"));
    assert_eq!(find(None, Some("newer")).await, Some("newer"));
    assert_eq!(find(Some(1), Some("older")).await, Some("older"), "asked before it changed");
    assert_eq!(find(Some(2), Some("newer")).await, Some("new"), "and nothing is lost by it");
}

#[tokio::test]
async fn what_is_made_is_as_new_as_asked_for() {
    let made: MadeOnce<u8, &str> = MadeOnce::default();
    let get = async |known, value: &'static str| {
        *made.get(known, 7, async { Ok::<_, ()>(Arc::new(value)) }).await.expect("made")
    };
    assert_eq!(get(Some(1), "first").await, "first");
    assert_eq!(get(Some(1), "again").await, "first");
    assert_eq!(get(Some(2), "changed").await, "changed");
    assert_eq!(get(Some(1), "asked before it changed").await, "asked before it changed");
    assert_eq!(get(None, "now").await, "now");
    assert_eq!(get(Some(2), "again").await, "changed");
    let failed = made.get(Some(2), 8, async { Err("no answer") }).await;
    assert_eq!(failed.expect_err("an error"), "no answer");
    assert!(made.get(Some(2), 8, async { Ok::<_, ()>(Arc::new("there")) }).await.is_ok());
}
