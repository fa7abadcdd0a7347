//! Pages: their tree, versions, links and files.

use std::time::{Duration, Instant};

use baton_core::data::areas::{Area, AreaAccess, AreaRule};
use baton_core::data::rows::{Author, ByAgent, Once};
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::ids::PageId;
use baton_core::listing::Window;
use baton_core::pages::{
    BodyChange, KEPT_DAYS, Listed, MAX_DEPTH, MAX_VERSIONS, Made, NewPage, NewPageFile, Page, PageChange,
    PageChanges, PageRef, Place, Sight,
};
use baton_core::search::Query;
use baton_core::store::{Conversations, Error, Pages, Turns, Workspaces};
use baton_core::workspaces::Role;
use chrono::Duration as Days;
use futures::future::join_all;
use serde_json::Value;

use crate::cast::{Cast, now};
use crate::whole;

pub fn by_hand(cast: &Cast) -> Author {
    Author { profile_id: cast.ana, agent: None }
}

impl Cast {
    pub async fn changed(&self, change: PageChange) -> Result<Value, String> {
        let changed =
            self.told.store.change_page(&Once::Unkeyed, self.workspace, by_hand(self), change).await;
        changed.map_err(|refused| match refused {
            EffectRefused::NotNow(words) => words,
            other => panic!("{other:?}"),
        })
    }

    pub async fn write_page(&self, parent: Option<PageId>, title: &str, body: &str) -> PageId {
        let id = PageId::new();
        self.changed(PageChange::Create { id, new: new_page(parent, title, body) }).await.unwrap();
        id
    }

    pub async fn page(&self, id: PageId) -> Page {
        let page = self.told.store.page(self.workspace, &PageRef::Id(id), Sight::All, Some(self.ana)).await;
        page.unwrap()
    }

    async fn set(&self, id: PageId, seen: Option<i64>, changes: PageChanges) -> Result<Value, String> {
        self.changed(PageChange::Set { page: PageRef::Id(id), seen, changes }).await
    }

    async fn write_body(&self, id: PageId, body: &str) {
        let body = Some(BodyChange::Whole(body.into()));
        self.set(id, None, PageChanges { body, ..PageChanges::default() }).await.unwrap();
    }

    async fn put(&self, id: PageId, below: Option<PageId>, place: Place) -> Result<Value, String> {
        let below = below.map(PageRef::Id);
        self.changed(PageChange::Move { page: PageRef::Id(id), seen: None, below, place }).await
    }

    /// The tree as text, each page below its own.
    async fn tree(&self) -> String {
        let mut tree = String::new();
        let mut open = vec![(None, 0)];
        while let Some((parent, level)) = open.pop() {
            let window = Window { limit: 100, offset: 0 };
            let listed = Listed::Below(parent);
            let rows = self.told.store.pages(self.workspace, listed, Sight::All, window).await.unwrap();
            if let Some(parent) = parent {
                let page = self.page(parent).await;
                assert_eq!(page.node.children, rows.total);
                tree.push_str(&format!("{}{}\n", "  ".repeat(level - 1), page.node.slug));
            }
            open.extend(rows.rows.iter().rev().map(|row| (Some(row.id), level + 1)));
        }
        tree
    }

    pub async fn titles_found(&self, search: &str, sight: Sight) -> Vec<String> {
        let query = Query::new(search).unwrap();
        let found = self.told.store.search_pages(self.workspace, &query, sight, 100).await.unwrap();
        found.found.into_iter().map(|page| page.node.title).collect()
    }
}

pub fn new_page(parent: Option<PageId>, title: &str, body: &str) -> NewPage {
    let parent = parent.map(PageRef::Id);
    NewPage { parent, title: title.into(), body: body.into(), properties: Vec::new(), is_public: false }
}

#[tokio::test]
async fn pages_lie_in_a_tree_and_are_moved_in_it() {
    let cast = Cast::gather().await;
    let handbook = cast.write_page(None, "Handbook", "").await;
    let sales = cast.write_page(Some(handbook), "Sales", "").await;
    let refunds = cast.write_page(Some(sales), "Refunds", "").await;
    let support = cast.write_page(Some(handbook), "Support", "").await;
    let again = cast.write_page(Some(handbook), "Sales", "").await;
    assert_eq!(cast.tree().await, "handbook\n  sales\n    refunds\n  support\n  sales-2\n");
    assert_eq!(cast.page(refunds).await.path(), "handbook/sales/refunds");
    let named = async |name: &str| {
        let page = PageRef::Named(name.into());
        cast.told.store.page(cast.workspace, &page, Sight::All, None).await.map(|page| page.node.id)
    };
    assert_eq!(named("/handbook/sales/refunds/").await.unwrap(), refunds);
    assert_eq!(named("REFUNDS").await.unwrap(), refunds);
    assert!(matches!(named("nothing").await, Err(Error::NotFound("page"))));
    let several = named("Sales").await.unwrap_err().to_string();
    assert!(several.contains("handbook/sales, handbook/sales-2"), "{several}");

    cast.put(again, Some(handbook), Place::Before(sales)).await.unwrap();
    cast.put(support, Some(handbook), Place::Before(sales)).await.unwrap();
    assert_eq!(cast.tree().await, "handbook\n  sales-2\n  support\n  sales\n    refunds\n");
    // Between the same two, again and again: they are numbered anew when there is no place left.
    for _ in 0..20 {
        cast.put(support, Some(handbook), Place::Before(sales)).await.unwrap();
        cast.put(again, Some(handbook), Place::Before(sales)).await.unwrap();
    }
    assert_eq!(cast.tree().await, "handbook\n  support\n  sales-2\n  sales\n    refunds\n");
    cast.put(again, Some(sales), Place::Last).await.unwrap();
    assert_eq!(cast.page(again).await.path(), "handbook/sales/sales", "its slug is free there");
    for below in [handbook, sales, refunds] {
        let refused = cast.put(handbook, Some(below), Place::Last).await.unwrap_err();
        assert!(refused.contains("below itself"), "{refused}");
    }
    cast.put(sales, None, Place::Before(handbook)).await.unwrap();
    assert_eq!(cast.tree().await, "sales\n  refunds\n  sales\nhandbook\n  support\n");

    let mut deepest = handbook;
    for level in 2..=MAX_DEPTH {
        deepest = cast.write_page(Some(deepest), &format!("Level {level}"), "").await;
    }
    let id = PageId::new();
    let refused = cast.changed(PageChange::Create { id, new: new_page(Some(deepest), "Too deep", "") }).await;
    assert!(refused.unwrap_err().contains("levels deep"));
    assert!(cast.put(sales, Some(deepest), Place::Last).await.unwrap_err().contains("levels deep"));
    cast.told.end().await;
}

#[tokio::test]
async fn moves_at_the_same_moment_make_no_circle() {
    let cast = Cast::gather().await;
    for round in 0..5 {
        let mut all = Vec::new();
        for name in ["a", "b", "c", "d"] {
            all.push(cast.write_page(None, &format!("{name}{round}"), "").await);
        }
        // Each below the next, all at once: one of them must be refused.
        let moves = (0..4).map(|at| cast.put(all[at], Some(all[(at + 1) % 4]), Place::Last));
        let refused = join_all(moves).await.into_iter().filter(Result::is_err).count();
        assert!(refused >= 1);
        for id in all {
            assert!(cast.page(id).await.above.len() < 4);
        }
    }
    cast.told.end().await;
}

#[tokio::test]
async fn a_change_names_the_version_that_it_saw() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let id = cast.write_page(None, "Refunds", "Within 30 days.").await;
    let title = |title: &str| PageChanges { title: Some(title.into()), ..PageChanges::default() };
    cast.set(id, Some(1), title("Refund policy")).await.unwrap();
    let refused = cast.set(id, Some(1), title("Something else")).await.unwrap_err();
    assert!(refused.contains("you saw version 1, it is at version 2"), "{refused}");
    // What changes nothing makes no version.
    assert_eq!(cast.set(id, Some(2), title("Refund policy")).await.unwrap()["version"], 2);
    cast.write_body(id, "Within 60 days.").await;
    let public = PageChanges { is_public: Some(true), ..PageChanges::default() };
    cast.set(id, Some(3), public).await.unwrap();

    let list = store.page_versions(id, None, 10, Some(cast.ana)).await.unwrap();
    let said: Vec<_> = list.iter().map(|one| (one.version, one.made, one.title.as_str())).collect();
    let expected = [
        (4, Made::Changed, "Refund policy"),
        (3, Made::Changed, "Refund policy"),
        (2, Made::Changed, "Refund policy"),
        (1, Made::Created, "Refunds"),
    ];
    assert_eq!(said, expected);
    assert_eq!(list[0].profile_name.as_deref(), Some("Ana"));
    assert_eq!(store.page_versions(id, Some(3), 1, None).await.unwrap()[0].version, 2);
    for (version, body) in [(1, "Within 30 days."), (2, "Within 30 days."), (4, "Within 60 days.")] {
        assert_eq!(store.page_version(id, version, None).await.unwrap().body, body);
    }
    let restore = PageChange::RestoreVersion { page: id, seen: Some(4), version: 1 };
    assert_eq!(cast.changed(restore).await.unwrap()["version"], 5);
    let page = cast.page(id).await;
    assert_eq!((page.node.title.as_str(), page.body.as_str()), ("Refunds", "Within 30 days."));
    assert!(page.node.is_public, "an old version doesn't say who may read it now");
    assert_eq!(page.last.unwrap().made, Made::Restored);
    assert_eq!(cast.titles_found("60", Sight::All).await, [""; 0]);
    assert!(matches!(store.page_version(id, 99, None).await, Err(Error::NotFound("version"))));
    cast.told.end().await;
}

#[tokio::test]
async fn of_very_many_versions_the_oldest_are_forgotten() {
    let cast = Cast::gather().await;
    let id = cast.write_page(None, "Diary", "the first text").await;
    let all_bytes = async || cast.told.store.space_taken(cast.workspace).await.unwrap().all.bytes;
    let flip = |is_public| PageChanges { is_public: Some(is_public), ..PageChanges::default() };
    for number in 0..MAX_VERSIONS + 5 {
        cast.set(id, None, flip(number % 2 == 0)).await.unwrap();
    }
    let store = &cast.told.store;
    let oldest = store.page_versions(id, Some(8), 10, None).await.unwrap();
    assert_eq!(oldest.iter().map(|one| one.version).collect::<Vec<_>>(), [7]);
    assert_eq!(store.page_version(id, 7, None).await.unwrap().body, "the first text");
    let before = all_bytes().await;
    for number in 0..4 {
        cast.set(id, None, flip(number % 2 == 0)).await.unwrap();
    }
    assert!(all_bytes().await.abs_diff(before) < 200, "what is forgotten takes no space");
    cast.told.end().await;
}

#[tokio::test]
async fn links_are_kept_by_id_and_found_from_both_ends() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let policy = cast.write_page(None, "Refund policy", "").await;
    let handbook = cast.write_page(None, "Handbook", "").await;
    let body = format!(
        "[[refund policy]], [[Nowhere]], [it](/handbook), [x](page:{}), [y](/knowledge/{policy}#part)",
        PageId::new()
    );
    let home = cast.write_page(None, "Home", &body).await;
    let kept = cast.page(home).await.body;
    assert!(
        kept.starts_with(&format!("[refund policy](page:{policy}), [[Nowhere]], [it](page:{handbook})")),
        "{kept}"
    );
    assert!(kept.ends_with(&format!("[y](page:{policy}#part)")), "{kept}");
    let names = |nodes: Vec<baton_core::pages::PageNode>| -> Vec<String> {
        nodes.into_iter().map(|node| node.title).collect()
    };
    let links = store.page_links(cast.workspace, home, Sight::All).await.unwrap();
    assert_eq!(names(links.links), ["Handbook", "Refund policy"]);
    let renamed = PageChanges { title: Some("Returns".into()), ..PageChanges::default() };
    cast.set(policy, None, renamed).await.unwrap();
    cast.put(policy, Some(handbook), Place::Last).await.unwrap();
    let back = store.page_links(cast.workspace, policy, Sight::All).await.unwrap();
    assert_eq!(names(back.backlinks), ["Home"]);
    // Nothing of what is not public, to who sees only that.
    let public = store.page_links(cast.workspace, policy, Sight::Public).await.unwrap();
    assert!(public.links.is_empty() && public.backlinks.is_empty());
    cast.write_body(home, "nothing").await;
    assert!(store.page_links(cast.workspace, policy, Sight::All).await.unwrap().backlinks.is_empty());

    // A page of another workspace is none.
    let (ben, elsewhere) = cast.told.person("ben@example.org").await;
    let theirs = PageId::new();
    let author = Author { profile_id: ben.id, agent: None };
    let create =
        PageChange::Create { id: theirs, new: new_page(None, "Theirs", &format!("[a](page:{home})")) };
    store.change_page(&Once::Unkeyed, elsewhere, author, create).await.unwrap();
    assert!(store.page_links(elsewhere, theirs, Sight::All).await.unwrap().links.is_empty());
    assert!(store.page_links(cast.workspace, home, Sight::All).await.unwrap().backlinks.is_empty());
    let not_there = store.page(cast.workspace, &PageRef::Id(theirs), Sight::All, None).await;
    assert!(matches!(not_there, Err(Error::NotFound("page"))));
    let change = PageChange::Delete { page: PageRef::Id(theirs), seen: None };
    assert!(cast.changed(change).await.unwrap_err().contains("There is no page"));
    cast.told.end().await;
}

#[tokio::test]
async fn what_is_deleted_goes_with_all_below_it_and_comes_back_so() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let handbook = cast.write_page(None, "Handbook", "").await;
    let sales = cast.write_page(Some(handbook), "Sales", "pricing").await;
    let refunds = cast.write_page(Some(sales), "Refunds", "pricing").await;
    let gone = cast.write_page(Some(sales), "Old", "pricing").await;
    let delete = |id| PageChange::Delete { page: PageRef::Id(id), seen: None };
    cast.changed(delete(gone)).await.unwrap();
    assert_eq!(cast.changed(delete(sales)).await.unwrap()["pages"], 2);
    assert_eq!(cast.tree().await, "handbook\n");
    assert!(cast.titles_found("pricing", Sight::All).await.is_empty());
    assert!(cast.page(refunds).await.node.deleted_at.is_some(), "its history can still be read");
    let window = Window { limit: 10, offset: 0 };
    let listed = store.pages(cast.workspace, Listed::Deleted, Sight::All, window).await.unwrap();
    assert_eq!(listed.rows.iter().map(|row| row.id).collect::<Vec<_>>(), [sales, gone]);
    assert!(cast.set(refunds, None, PageChanges::default()).await.unwrap_err().contains("There is no page"));
    let refused = cast.changed(PageChange::Restore { page: refunds }).await.unwrap_err();
    assert!(refused.contains("restore that one"), "{refused}");

    // Meanwhile another page has its slug.
    cast.write_page(Some(handbook), "Sales", "").await;
    cast.changed(PageChange::Restore { page: sales }).await.unwrap();
    assert_eq!(cast.tree().await, "handbook\n  sales-2\n    refunds\n  sales\n");
    assert_eq!(cast.titles_found("pricing", Sight::All).await.len(), 2);
    assert!(cast.changed(PageChange::Restore { page: sales }).await.is_err());
    // What it lay below is gone: it comes back at the top.
    cast.changed(delete(refunds)).await.unwrap();
    cast.changed(delete(handbook)).await.unwrap();
    cast.changed(PageChange::Restore { page: refunds }).await.unwrap();
    assert_eq!(cast.tree().await, "refunds\n");

    store.purge(now() + Days::days(KEPT_DAYS + 1)).await.unwrap();
    let there = store.pages(cast.workspace, Listed::Deleted, Sight::All, window).await.unwrap();
    assert_eq!(there.total, 0);
    assert_eq!(cast.titles_found("pricing", Sight::All).await, ["Refunds"]);
    cast.told.end().await;
}

#[tokio::test]
async fn an_agents_change_says_which_agent_where_and_who_allowed_it() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Write it down");
    store.commit(&accept).await.unwrap();
    let effect = |seq| Effect {
        call: CallPlace { conversation_id: begun.id, seq, fence: begun.fence() },
        args_hash: "these".to_owned(),
        deadline: Instant::now() + Duration::from_secs(60),
        shown: Shown::default(),
    };
    let agent = Some(ByAgent { agent_id: cast.agent, conversation_id: begun.id, seq: 3 });
    let author = Author { profile_id: cast.ana, agent };
    let (id, other) = (PageId::new(), PageId::new());
    let create = |id| PageChange::Create { id, new: new_page(None, "Notes", "x") };
    let once = Once::Call(effect(3));
    let first = store.change_page(&once, cast.workspace, author, create(id)).await.unwrap();
    let again = store.change_page(&once, cast.workspace, author, create(other)).await.unwrap();
    assert_eq!(first, again, "the same call is carried out once");
    assert_eq!((first["done"].as_str(), first["path"].as_str()), (Some("created"), Some("notes")));
    let last = cast.page(id).await.last.unwrap();
    assert_eq!(last.author, Some(author));
    assert_eq!(last.agent_name.as_deref(), Some("Budget Coach"));
    assert_eq!(last.conversation_id, Some(begun.id));
    let others = store.page_versions(id, None, 1, None).await.unwrap().remove(0);
    assert_eq!(others.conversation_id, None, "it is nobody else's conversation");

    let request = |hash: &str| Once::Request {
        profile_id: cast.ana,
        key: "key".to_owned(),
        request_hash: hash.to_owned(),
    };
    let by = by_hand(&cast);
    let first = store.change_page(&request("a"), cast.workspace, by, create(other)).await.unwrap();
    let again = store.change_page(&request("a"), cast.workspace, by, create(PageId::new())).await.unwrap();
    assert_eq!(first, again, "so is the same request");
    let refused = store.change_page(&request("b"), cast.workspace, by, create(PageId::new())).await;
    assert!(matches!(refused, Err(EffectRefused::OtherArguments)), "{refused:?}");
    cast.told.end().await;
}

#[tokio::test]
async fn who_may_not_change_pages_changes_none() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (ben, _) = cast.told.person("ben@example.org").await;
    let author = Author { profile_id: ben.id, agent: None };
    let create = || PageChange::Create { id: PageId::new(), new: new_page(None, "Mine", "") };
    let refused = store.change_page(&Once::Unkeyed, cast.workspace, author, create()).await;
    let Err(EffectRefused::NotNow(words)) = refused else { panic!("{refused:?}") };
    assert!(words.contains("may not change data of the area knowledge"), "{words}");
    // Owners always may.
    let rule = AreaRule { role: Role::Owner, area: Area::Knowledge, access: AreaAccess::None };
    store.set_area_rules(cast.workspace, cast.ana, vec![rule]).await.unwrap();
    cast.changed(create()).await.unwrap();
    cast.told.end().await;
}

#[tokio::test]
async fn files_go_with_their_page_and_everything_is_exported_and_counted() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let before = store.space_taken(cast.workspace).await.unwrap().all.bytes;
    let id = cast.write_page(None, "Logo", &"x".repeat(5_000)).await;
    let file = NewPageFile {
        page_id: id,
        name: "logo.png".into(),
        media_type: "image/png".into(),
        bytes: vec![7; 3_000],
    };
    let info = store.keep_page_file(cast.workspace, cast.ana, file.clone()).await.unwrap();
    let read = store.page_file(info.id).await.unwrap();
    assert_eq!((read.bytes.len(), read.is_public, read.workspace_id), (3_000, false, cast.workspace));
    assert_eq!(store.page_files(id).await.unwrap(), std::slice::from_ref(&info));
    let nowhere = NewPageFile { page_id: PageId::new(), ..file };
    let nowhere = store.keep_page_file(cast.workspace, cast.ana, nowhere).await;
    assert!(matches!(nowhere, Err(Error::NotFound("page"))));
    let taken = store.space_taken(cast.workspace).await.unwrap().all.bytes - before;
    assert!((13_000..16_000).contains(&taken), "the page, its version and its file: {taken}");

    let delete = PageChange::Delete { page: PageRef::Id(id), seen: None };
    cast.changed(delete).await.unwrap();
    let all = whole(store.export_workspace(cast.workspace, cast.ana).await.unwrap()).await;
    let page = &all["pages"][0];
    assert_eq!(page["title"], "Logo");
    assert_eq!(page["versions"].as_array().unwrap().len(), 2);
    assert_eq!(page["files"][0]["base64"].as_str().unwrap().len(), 4_000);
    assert!(!store.page_file(info.id).await.unwrap().is_public);
    store.purge(now() + Days::days(KEPT_DAYS + 1)).await.unwrap();
    assert!(matches!(store.page_file(info.id).await, Err(Error::NotFound("file"))));
    assert_eq!(store.space_taken(cast.workspace).await.unwrap().all.bytes, before);
    cast.told.end().await;
}

#[tokio::test]
async fn pages_are_found_by_id_and_listed_by_id() {
    let cast = Cast::gather().await;
    let id = cast.write_page(None, "One", "Text").await;
    let store = &cast.told.store;
    assert_eq!(store.page_workspace(id).await.unwrap(), cast.workspace);
    assert_eq!(store.all_pages(cast.workspace, None, 10).await.unwrap().len(), 1);
    assert!(store.all_pages(cast.workspace, Some(id), 10).await.unwrap().is_empty());
    cast.told.end().await;
}
