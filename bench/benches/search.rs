//! Full-text search over 100,000 pages, in the store itself: `cargo bench -p baton-bench --bench search`. On Postgres with
//! `BATON_TEST_POSTGRES` (`scripts/with-postgres`); `PAGES` asks for another number. It prints how long searches take, and
//! which take longer than they may.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use baton_core::ids::PageId;
use baton_core::pages::{ImportPage, ImportedAs, Sight};
use baton_core::people::{FirstWorkspace, NewProfile, Tier};
use baton_core::search::Query;
use baton_core::store::{Pages, People};
use baton_store::{DataDir, Database, Durability, Locked, SqlStore};

/// Milliseconds that a search may take.
const GOAL: f64 = 30.0;
const ROUNDS: usize = 200;

/// Words as they occur in a language: the first ones everywhere, most of them rarely.
fn word(dice: &mut u64) -> String {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let roll = (*dice >> 33) as f64 / f64::from(u32::MAX >> 1);
    format!(
        "{}{}",
        ["ka", "ro", "mi", "ten", "su"][(*dice >> 40) as usize % 5],
        (50_000f64.powf(roll)) as u32
    )
}

fn text(dice: &mut u64, words: usize) -> String {
    (0..words).map(|_| word(dice)).collect::<Vec<_>>().join(" ")
}

async fn filled(store: &SqlStore, pages: usize) -> baton_core::ids::WorkspaceId {
    let new = NewProfile {
        email: "bench@example.org".into(),
        name: "Bench".into(),
        password_hash: None,
        tier: Tier::Free,
        is_admin: false,
    };
    let by = store.sign_up(new, FirstWorkspace::Own { name: "Bench".into() }).await.unwrap().id;
    let workspace = store.memberships(by).await.unwrap()[0].workspace_id;
    let import = store.begin_page_import(workspace, by, "bench.zip").await.unwrap();
    let mut dice = 20_261_118;
    let mut piece = Vec::new();
    // A folder for each hundred: nobody keeps all beside each other.
    let mut folder = None;
    for number in 0..pages {
        let id = PageId::new();
        let (title, body) =
            (text(&mut dice, 4), format!("# {}\n\n{}", text(&mut dice, 3), text(&mut dice, 300)));
        let parent = if number % 100 == 0 { None } else { folder };
        if number % 100 == 0 {
            folder = Some(id);
        }
        piece.push(ImportPage {
            id,
            as_: ImportedAs::New,
            parent,
            source_path: format!("{number}.md"),
            digest: String::new(),
            title: format!("{title} {number}"),
            body,
            properties: Vec::new(),
            is_public: None,
            position: Some(number as i64),
        });
        if piece.len() == 500 || number + 1 == pages {
            let pages = std::mem::take(&mut piece);
            store.import_pages(workspace, import, by, None, pages, Vec::new()).await.unwrap();
        }
    }
    workspace
}

#[tokio::main]
async fn main() {
    let pages: usize = std::env::var("PAGES").ok().and_then(|pages| pages.parse().ok()).unwrap_or(100_000);
    let dir = tempfile::tempdir().unwrap();
    let database = match std::env::var("BATON_TEST_POSTGRES") {
        Ok(url) => Database::Postgres { url, connections: 5 },
        Err(_) => match DataDir::lock(dir.path()).unwrap() {
            Locked::Ours(dir) => Database::Sqlite { dir, durability: Durability::Normal },
            Locked::Theirs => panic!("the folder is locked"),
        },
    };
    let store = SqlStore::open(database).await.unwrap();
    let begun = Instant::now();
    let workspace = filled(&store, pages).await;
    println!("each search in at most {GOAL} ms at p99");
    println!("{pages} pages written in {:.1} s", begun.elapsed().as_secs_f64());
    for (what, typed) in [
        ("a rare word", "ten31337"),
        ("half a rare word", "mi4999"),
        ("two letters", "ka"),
        ("a word that is everywhere", "ro1 "),
        ("three common words", "ro1 mi2 su3 "),
        ("a common and a rare word", "ka1 su20011"),
        ("a word of titles", "1234"),
    ] {
        let query = Query::new(typed).unwrap();
        let mut took: Vec<Duration> = Vec::new();
        let mut found = 0;
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            found = store.search_pages(workspace, &query, Sight::All, 20).await.unwrap().total;
            took.push(begun.elapsed());
        }
        took.sort();
        let ms = |share: usize| took[(ROUNDS - 1) * share / 100].as_secs_f64() * 1e3;
        let goal = if ms(99) <= GOAL { "" } else { "  missed" };
        println!("{what:26} {typed:14} {found:5} found  p50 {:6.2} ms  p99 {:6.2} ms{goal}", ms(50), ms(99));
    }
}
