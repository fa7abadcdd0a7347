use baton_core::attachments::NewAttachment;
use baton_core::ids::{FileId, VisitorId, WorkspaceId};
use baton_core::listing::Window;
use baton_core::people::{NewSession, SignedInBy};
use baton_core::store::{Attachments, Error, People, Sessions};
use baton_core::visitors::Person;
use chrono::{Duration, Utc};

use crate::Told;

fn file(workspace_id: WorkspaceId, person: Person, name: &str) -> NewAttachment {
    let bytes = format!("the text of {name}").into_bytes();
    NewAttachment { workspace_id, person, name: name.into(), media_type: "text/plain", bytes }
}

#[tokio::test]
async fn an_attachment_is_for_its_own_person_and_workspace() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, here) = told.person("ana@example.org").await;
    let (ben, there) = told.person("ben@example.org").await;
    let (hers, his) = (Person::Profile(ana.id), Person::Profile(ben.id));
    let one = store.keep_attachment(file(here, hers, "one.txt")).await.unwrap();
    let two = store.keep_attachment(file(here, hers, "Zwei Ä.txt")).await.unwrap();
    let other = store.keep_attachment(file(here, his, "other.txt")).await.unwrap();
    let abroad = store.keep_attachment(file(there, hers, "abroad.txt")).await.unwrap();
    assert_eq!((one.size, one.media_type.as_str()), (19, "text/plain"));

    let read = store.attachment(two.id, hers).await.unwrap();
    assert_eq!((read.about, read.workspace_id), (two.clone(), here));
    assert_eq!(read.bytes, "the text of Zwei Ä.txt".as_bytes());
    let not_there = |result: Result<(), Error>| matches!(result, Err(Error::NotFound("attachment")));
    assert!(not_there(store.attachment(one.id, his).await.map(drop)));
    assert!(not_there(store.attachment(one.id, Person::Visitor(VisitorId(ana.id.0))).await.map(drop)));

    let ids = [two.id, one.id, two.id];
    let mut several = store.attachments(&[other.id, two.id, one.id, FileId::new()], hers, 8).await.unwrap();
    several.sort_by_key(|found| found.about.name.clone());
    assert_eq!(several.iter().map(|found| &found.about).collect::<Vec<_>>(), [&two, &one], "what is hers");
    assert_eq!(several[1].bytes, b"the text", "as much of a text as asked for");
    let picture = NewAttachment { media_type: "image/png", ..file(here, hers, "three.png") };
    let picture = store.keep_attachment(picture).await.unwrap();
    let whole = store.attachments(&[picture.id], hers, 8).await.unwrap();
    assert_eq!(whole[0].bytes.len() as u64, picture.size, "images are whole");
    store.delete_attachment(picture.id, hers).await.unwrap();
    assert_eq!(store.attachment_refs(&ids[..2], here, hers).await.unwrap(), [two, one.clone()]);
    assert!(store.attachments(&[], hers, 8).await.unwrap().is_empty());
    for wrong in [other.id, abroad.id, FileId::new()] {
        let ids = [one.id, wrong];
        assert!(not_there(store.attachment_refs(&ids, here, hers).await.map(drop)));
    }

    let names = |page: baton_core::listing::Page<baton_core::attachments::AttachmentRef>| {
        (page.rows.into_iter().map(|about| about.name).collect::<Vec<_>>(), page.total)
    };
    let list = |limit, offset| store.own_attachments(here, hers, Window { limit, offset });
    assert_eq!(names(list(9, 0).await.unwrap()), (vec!["Zwei Ä.txt".to_owned(), "one.txt".to_owned()], 2));
    assert_eq!(names(list(1, 1).await.unwrap()), (vec!["one.txt".to_owned()], 2));
    assert!(not_there(store.delete_attachment(one.id, his).await));
    store.delete_attachment(one.id, hers).await.unwrap();
    assert!(not_there(store.delete_attachment(one.id, hers).await));
    assert_eq!(names(list(9, 0).await.unwrap()).1, 1);

    store.delete_profile(ben.id).await.unwrap();
    store.delete_expired().await.unwrap();
    assert!(not_there(store.attachment(other.id, his).await.map(drop)), "it goes with its person");
    assert!(not_there(store.attachment(abroad.id, hers).await.map(drop)), "and with the workspace");
    told.end().await;
}

#[tokio::test]
async fn a_visitors_attachments_follow_them_in() {
    let told = Told::begin().await;
    let store = &told.store;
    let (ana, workspace) = told.person("ana@example.org").await;
    let (visitor, stranger) = (VisitorId::new(), VisitorId::new());
    let kept = store.keep_attachment(file(workspace, Person::Visitor(visitor), "a.txt")).await.unwrap();
    let theirs = store.keep_attachment(file(workspace, Person::Visitor(stranger), "b.txt")).await.unwrap();
    let session = NewSession {
        token_hash: b"one".to_vec(),
        signed_in_by: SignedInBy::Password,
        expires_at: Utc::now() + Duration::hours(1),
        visitor: Some(visitor),
    };
    store.open_session(ana.id, session).await.unwrap();
    assert_eq!(store.attachment(kept.id, Person::Profile(ana.id)).await.unwrap().about, kept);
    assert!(store.attachment(kept.id, Person::Visitor(visitor)).await.is_err());
    assert!(store.attachment(theirs.id, Person::Profile(ana.id)).await.is_err());
    assert!(store.attachment(theirs.id, Person::Visitor(stranger)).await.is_ok());
    told.end().await;
}
