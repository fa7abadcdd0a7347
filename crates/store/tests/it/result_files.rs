//! Files of tools' results: for the person of the conversation, as long as the conversation, and none that no result names.

use baton_core::conversations::Versions;
use baton_core::ids::{ConversationId, FileId, VisitorId};
use baton_core::log::{ResultStep, Step};
use baton_core::result_files::{NewResultFiles, of_result};
use baton_core::store::{Conversations, Error, ResultFiles, Turns};
use baton_core::tools::Kept;
use baton_core::turns::After;
use baton_core::visitors::Person;
use chrono::Duration;
use serde_json::json;

use crate::cast::{Begun, Cast, called, now};

pub fn new(cast: &Cast, conversation_id: ConversationId, seq: i64, names: &[&str]) -> NewResultFiles {
    let kept = |name: &&str| Kept {
        name: (*name).to_owned(),
        media_type: "text/plain".to_owned(),
        bytes: format!("all of {name}").into_bytes(),
    };
    let (files, _) = of_result(names.iter().map(kept).collect());
    NewResultFiles { workspace_id: cast.workspace, conversation_id, seq, files }
}

/// A turn with a call; the number of the call's step.
async fn calling(cast: &Cast) -> (Begun, i64) {
    let (accept, begun) = cast.fresh("Look");
    let last = cast.told.store.commit(&accept).await.unwrap().last_seq;
    let running = After::Running { progressed: true };
    let commit = cast.commit(&begun, last, vec![called("c")], running);
    let last = cast.told.store.commit(&commit).await.unwrap().last_seq;
    (begun, last)
}

async fn is_there(cast: &Cast, id: FileId) -> bool {
    match cast.told.store.result_file(id, Person::Profile(cast.ana)).await {
        Ok(_) => true,
        Err(Error::NotFound("file")) => false,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_file_is_for_the_person_of_the_conversation_and_goes_with_it() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (ben, _) = cast.told.person("ben@example.org").await;
    let (begun, seq) = calling(&cast).await;
    let before = store.space_taken(cast.workspace).await.unwrap().all.bytes;
    let new = new(&cast, begun.id, seq, &["one.txt", "two.txt"]);
    let kept = store.keep_result_files(&new).await.unwrap();
    // Its answer was lost, and it is kept again.
    assert_eq!(store.keep_result_files(&new).await.unwrap(), kept);
    let size: u64 = kept.iter().map(|about| about.size).sum();
    assert_eq!(store.space_taken(cast.workspace).await.unwrap().all.bytes, before + size, "counted once");

    let read = store.result_file(kept[1].id, Person::Profile(cast.ana)).await.unwrap();
    assert_eq!((&read.about, read.workspace_id), (&kept[1], cast.workspace));
    assert_eq!(read.bytes, b"all of two.txt");
    for other in [Person::Profile(ben.id), Person::Visitor(VisitorId(cast.ana.0))] {
        assert!(matches!(store.result_file(kept[0].id, other).await, Err(Error::NotFound("file"))));
    }
    store.delete_conversation(begun.id, Person::Profile(cast.ana), Versions::All).await.unwrap();
    assert!(!is_there(&cast, kept[0].id).await, "at once");
    store.purge(now() + Duration::minutes(11)).await.unwrap();
    assert_eq!(store.space_taken(cast.workspace).await.unwrap().all.bytes, 0, "nothing is left of it");
    cast.told.end().await;
}

#[tokio::test]
async fn files_that_no_result_names_are_removed_a_day_later() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (begun, seq) = calling(&cast).await;
    let named = store.keep_result_files(&new(&cast, begun.id, seq, &["named.txt"])).await.unwrap();
    let lost = store.keep_result_files(&new(&cast, begun.id, seq, &["a", "b"])).await.unwrap();
    let result = Step::ToolResult(ResultStep {
        call_id: "c".into(),
        tool_name: "manageMemory".into(),
        result: json!("short"),
        success: true,
        duration_ms: 1,
        unknown: false,
        wrote: false,
        kept: named.clone(),
    });
    let running = After::Running { progressed: true };
    store.commit(&cast.commit(&begun, seq, vec![result], running)).await.unwrap();

    store.purge(now() + Duration::hours(23)).await.unwrap();
    assert!(is_there(&cast, lost[0].id).await, "its result may still be stored");
    for _ in 0..2 {
        store.purge(now() + Duration::hours(25)).await.unwrap();
        assert!(is_there(&cast, named[0].id).await);
        assert!(!is_there(&cast, lost[0].id).await && !is_there(&cast, lost[1].id).await);
    }
    cast.told.end().await;
}
