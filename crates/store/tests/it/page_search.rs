//! Full-text search: the same pages are found on both engines, as the words alone say.

use baton_core::data::rows::{Author, Once};
use baton_core::ids::PageId;
use baton_core::pages::{NewPage, PageChange, PageChanges, PageRef, Sight, searchable};
use baton_core::search::Query;
use baton_core::store::Pages;

use crate::cast::Cast;
use crate::pages::new_page;

/// Numbers that a seed gives: the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn one<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.roll(among.len())]
    }
}

const PIECES: [&str; 32] = [
    "refund",
    "Refunds",
    "REFUNDED",
    "policy",
    "Größe",
    "GROSSE",
    "café",
    "Cafe",
    "naïve",
    "日本語",
    "東京都",
    "京都",
    "한국어",
    "ไทย",
    "Ёлка",
    "елка",
    "don't",
    "l'été",
    "e-mail",
    "a",
    "ab",
    "12",
    "1,234.50",
    "w0f",
    "=refund",
    "@wabc",
    "it's 'quoted' \\ \"so\"",
    "AND",
    "NEAR(",
    "*",
    "المُحَمَّد",
    "हिन्दी",
];

#[tokio::test]
async fn random_pages_are_found_by_random_words_as_the_words_say() {
    let seed = std::env::var("BATON_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_118);
    println!("BATON_SEED={seed}");
    let mut dice = Dice(seed);
    let cast = Cast::gather().await;
    let text = |dice: &mut Dice, most: usize| {
        let count = dice.roll(most);
        (0..count).map(|_| dice.one(&PIECES)).collect::<Vec<_>>().join(dice.one(&[" ", ", ", "\n", "\n# "]))
    };
    let mut all = Vec::new();
    for number in 0..60 {
        let (title, body) =
            (format!("P{number} {}", text(&mut dice, 3).replace('\n', " ")), text(&mut dice, 12));
        let is_public = dice.roll(3) == 0;
        let id = PageId::new();
        let new = NewPage { is_public, ..new_page(None, &title, &body) };
        cast.changed(PageChange::Create { id, new: new.clone() }).await.unwrap();
        all.push((id, title, body, is_public));
    }
    // Of another workspace, with the same words.
    let (ben, elsewhere) = cast.told.person("ben@example.org").await;
    for (_, title, body, _) in all.iter().take(20) {
        let author = Author { profile_id: ben.id, agent: None };
        let create = PageChange::Create { id: PageId::new(), new: new_page(None, title, body) };
        cast.told.store.change_page(&Once::Unkeyed, elsewhere, author, create).await.unwrap();
    }
    let mut hits = 0;
    for _ in 0..150 {
        let mut typed = text(&mut dice, 3);
        let cut = typed.floor_char_boundary(typed.len() - dice.roll(3).min(typed.len()));
        typed.truncate(cut);
        let Some(query) = Query::new(&typed) else { continue };
        for sight in [Sight::All, Sight::Public] {
            let mut expected: Vec<PageId> = Vec::new();
            for (id, title, body, is_public) in &all {
                let there = searchable(title, body, &Vec::new());
                let mut words = query.words().iter();
                if words.all(|asked| there.counts().any(|(word, _)| asked.matches(word)))
                    && (*is_public || sight == Sight::All)
                {
                    expected.push(*id);
                }
            }
            let found = cast.told.store.search_pages(cast.workspace, &query, sight, 100).await.unwrap();
            assert!(found.is_counted && found.total == found.found.len() as u64);
            let mut ids: Vec<PageId> = found.found.iter().map(|page| page.node.id).collect();
            ids.sort();
            expected.sort();
            assert_eq!(ids, expected, "{typed:?} {query:?}");
            hits += ids.len();
        }
    }
    assert!(hits > 500, "{hits}");
    cast.told.end().await;
}

#[tokio::test]
async fn a_title_ranks_over_a_heading_and_that_over_the_text() {
    let cast = Cast::gather().await;
    let filler = "Something else is written here at some length. ".repeat(20);
    cast.write_page(None, "In the text", &format!("{filler} A refund, and a refund again: refund. {filler}"))
        .await;
    cast.write_page(None, "In a heading", &format!("{filler}\n\n## Refund\n\n{filler}")).await;
    let title = cast.write_page(None, "Refund", &filler).await;
    cast.write_page(None, "Not there", &filler).await;
    assert_eq!(cast.titles_found("refund", Sight::All).await, ["Refund", "In a heading", "In the text"]);
    assert_eq!(cast.titles_found("refu", Sight::All).await.first().unwrap(), "Refund", "half typed");
    assert_eq!(cast.titles_found("REFÜND length", Sight::All).await.len(), 3, "in any case, without accents");
    assert!(cast.titles_found("refund nothing", Sight::All).await.is_empty(), "all words");

    let query = Query::new("refu").unwrap();
    let found = cast.told.store.search_pages(cast.workspace, &query, Sight::All, 10).await.unwrap();
    assert_eq!(found.found[0].title.marked("<", ">"), "<Refund>");
    assert!(found.found[1].snippet.marked("<", ">").contains("<Refund>"));
    assert!(found.found[2].snippet.marked("<", ">").contains("A <refund>, and a <refund> again"));
    let first = cast.told.store.search_pages(cast.workspace, &query, Sight::All, 1).await.unwrap();
    assert_eq!((first.found.len(), first.total), (1, 3));

    // What is written anew is found by its new words only.
    let changes = PageChanges { title: Some("Return".into()), ..PageChanges::default() };
    cast.changed(PageChange::Set { page: PageRef::Id(title), seen: None, changes }).await.unwrap();
    assert_eq!(cast.titles_found("refund", Sight::All).await, ["In a heading", "In the text"]);
    assert_eq!(cast.titles_found("return", Sight::All).await, ["Return"]);
    cast.told.end().await;
}

#[tokio::test]
async fn a_word_that_is_everywhere_costs_no_title() {
    let cast = Cast::gather().await;
    for number in 0..520 {
        cast.write_page(None, &format!("Page {number}"), "everywhere").await;
    }
    cast.write_page(None, "Everywhere", "the newest").await;
    let query = Query::new("everywhere").unwrap();
    let found = cast.told.store.search_pages(cast.workspace, &query, Sight::All, 5).await.unwrap();
    assert_eq!(found.found[0].node.title, "Everywhere");
    assert!(!found.is_counted && found.total == 500 && found.found.len() == 5, "{}", found.total);
    cast.told.end().await;
}
