//! Imports of pages: what is there already is found, links find pages that come later, and all can be taken back.

use baton_core::ids::{PageFileId, PageId, PageImportId};
use baton_core::pages::{
    ImportCounts, ImportFile, ImportPage, ImportedAs, Made, PageChange, PageChanges, PageRef, PageSource,
    Sight, source_digest,
};
use baton_core::store::Pages;

use crate::cast::Cast;

fn source(path: &str, parent: Option<&str>, title: &str, body: &str) -> PageSource {
    PageSource {
        path: path.into(),
        parent: parent.map(str::to_owned),
        title: title.into(),
        digest: source_digest(title, &Vec::new(), body),
        id: None,
        files: Vec::new(),
    }
}

fn brought(
    id: PageId,
    as_: ImportedAs,
    parent: Option<PageId>,
    source: &PageSource,
    body: &str,
) -> ImportPage {
    ImportPage {
        id,
        as_,
        parent,
        source_path: source.path.clone(),
        digest: source.digest.clone(),
        title: source.title.clone(),
        body: body.into(),
        properties: Vec::new(),
        is_public: None,
        position: None,
    }
}

impl Cast {
    async fn import(&self, pages: Vec<ImportPage>, files: Vec<ImportFile>) -> PageImportId {
        let store = &self.told.store;
        let import = store.begin_page_import(self.workspace, self.ana, "wiki.zip").await.unwrap();
        for page in pages {
            store.import_pages(self.workspace, import, self.ana, None, vec![page], vec![]).await.unwrap();
        }
        store.import_pages(self.workspace, import, self.ana, None, vec![], files).await.unwrap();
        let counts = ImportCounts { read: 2, created: 2, ..ImportCounts::default() };
        store.end_page_import(import, counts).await.unwrap();
        import
    }
}

#[tokio::test]
async fn the_same_files_are_known_again_and_an_import_is_taken_back() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let sources =
        [source("guide.md", None, "Guide", "a"), source("guide/start.md", Some("guide.md"), "Start", "b")];
    let find = async || store.find_imported(cast.workspace, None, &sources).await.unwrap();
    assert_eq!(find().await, [None, None]);
    let (guide, start, image) = (PageId::new(), PageId::new(), PageFileId::new());
    let pages = vec![
        brought(
            guide,
            ImportedAs::New,
            None,
            &sources[0],
            &format!("[next](page:{start}) ![i](file:{image})"),
        ),
        brought(start, ImportedAs::New, Some(guide), &sources[1], "b"),
    ];
    let file = ImportFile {
        id: image,
        page_id: guide,
        name: "i.png".into(),
        media_type: "image/png".into(),
        digest: "d".into(),
        bytes: vec![1; 10],
    };
    let import = cast.import(pages, vec![file]).await;
    let links = store.page_links(cast.workspace, guide, Sight::All).await.unwrap();
    assert_eq!(links.links.len(), 1, "a page that came later");
    let made = store.page_versions(start, None, 9, None).await.unwrap();
    assert_eq!((made[0].made, made[0].import_id), (Made::Imported, Some(import)));
    let found = find().await;
    assert_eq!(
        found[1].as_ref().map(|page| (page.id, page.digest.as_deref())),
        Some((start, Some(&*sources[1].digest)))
    );
    // By their titles too, whatever their files are called, and by their ids.
    let mut renamed = sources.clone();
    renamed[0].path = "other.md".into();
    renamed[1] = PageSource { path: "x.md".into(), parent: Some("other.md".into()), ..renamed[1].clone() };
    let by_title = store.find_imported(cast.workspace, None, &renamed).await.unwrap();
    assert_eq!(by_title.iter().flatten().map(|page| page.id).collect::<Vec<_>>(), [guide, start]);
    let by_id = PageSource { id: Some(start), ..source("y.md", Some("nowhere"), "Y", "") };
    assert_eq!(
        store.find_imported(cast.workspace, None, &[by_id]).await.unwrap()[0].as_ref().unwrap().id,
        start
    );

    // A page that someone has changed since stays, with the page above it.
    let changes = PageChanges { title: Some("Begin".into()), ..PageChanges::default() };
    cast.changed(PageChange::Set { page: PageRef::Id(start), seen: None, changes }).await.unwrap();
    let undone = store.undo_page_import(cast.workspace, import, cast.ana).await.unwrap();
    assert_eq!((undone.removed, undone.reset, undone.kept), (0, 0, 2));
    assert!(store.page_import(import).await.unwrap().1.undone_at.is_some());
    assert_eq!(store.page_imports(cast.workspace, 9).await.unwrap()[0].counts.created, 2);
    let again = store.undo_page_import(cast.workspace, import, cast.ana).await.unwrap();
    assert_eq!(again, Default::default(), "once");
    cast.told.end().await;
}

#[tokio::test]
async fn what_an_import_changed_gets_its_earlier_text_and_what_it_made_goes() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let there = cast.write_page(None, "Guide", "as it was").await;
    let gone = cast.write_page(None, "Old", "deleted by a person").await;
    cast.changed(PageChange::Delete { page: PageRef::Id(gone), seen: None }).await.unwrap();
    let sources = [
        source("guide.md", None, "Guide", "new"),
        source("a.md", None, "A", "a"),
        source("old.md", None, "Old", ""),
    ];
    let made = PageId::new();
    let pages = vec![
        brought(there, ImportedAs::Changed, None, &sources[0], "new"),
        brought(made, ImportedAs::New, Some(gone), &sources[1], "a"),
        brought(gone, ImportedAs::Changed, None, &sources[2], "back?"),
    ];
    let import = cast.import(pages, vec![]).await;
    assert_eq!(cast.page(there).await.body, "new");
    assert_eq!(cast.page(made).await.path(), "a", "what it should lie below is deleted");
    assert!(cast.page(gone).await.node.deleted_at.is_some(), "it stays deleted");
    let undone = store.undo_page_import(cast.workspace, import, cast.ana).await.unwrap();
    assert_eq!((undone.removed, undone.reset, undone.kept), (1, 1, 0));
    assert_eq!(cast.page(there).await.body, "as it was");
    assert!(store.page(cast.workspace, &PageRef::Id(made), Sight::All, None).await.is_err());
    assert!(cast.titles_found("a", Sight::All).await.is_empty());
    let found = store.find_imported(cast.workspace, None, &sources).await.unwrap();
    assert_eq!(found[0].as_ref().unwrap().digest, None, "the same file is new again");
    assert!(found[1].is_none());
    cast.told.end().await;
}
