//! The tasks of a file among themselves: which is above which, by id or by title, and in which order they come in, so that each
//! finds the one above it.

use std::collections::HashMap;

use baton_core::data::kind::Kind;
use baton_core::data::kinds::PROJECT_TASKS;
use baton_core::text;
use baton_formats::csv::{self, Field, Value as Cell};

use super::rows::Read;

/// Rows in the order in which they come in, those above before those below.
pub struct Arranged {
    pub records: Vec<Read>,
    /// The place of the row above each, if the file has it.
    pub above: Vec<Option<usize>>,
}

pub fn arranged(kind: &Kind, fields: &[Field], records: Vec<Read>) -> Arranged {
    if kind != &PROJECT_TASKS {
        return Arranged { above: vec![None; records.len()], records };
    }
    let cell = |at: usize, name: &str| match records[at].as_ref().ok()?.get(fields, name) {
        Some(Cell::Text(text)) => Some(text::fold(text.trim())),
        _ => None,
    };
    let project = |at: usize| cell(at, "project_id").unwrap_or_default();
    let (mut by_id, mut by_title) = (HashMap::new(), HashMap::new());
    for at in 0..records.len() {
        if let Some(id) = cell(at, csv::ROW_ID) {
            by_id.entry(id).or_insert(at);
        }
        if let Some(title) = cell(at, "title") {
            by_title.entry((project(at), title)).or_insert(at);
        }
    }
    let above = |at: usize| {
        let by = |name: &str| by_id.get(&cell(at, name)?).copied();
        let titled = || by_title.get(&(project(at), cell(at, "parent_id")?)).copied();
        by(&csv::row_id_of("parent_id"))
            .or_else(|| by("parent_id"))
            .or_else(titled)
            .filter(|above| *above != at)
    };
    let above: Vec<Option<usize>> = (0..records.len()).map(above).collect();
    let level = |at: usize| {
        let (mut level, mut next) = (0, above[at]);
        // A circle ends somewhere; the store refuses it.
        while let Some(at) = next.filter(|_| level < above.len()) {
            (level, next) = (level + 1, above[at]);
        }
        level
    };
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_cached_key(|at| (level(*at), *at));
    let mut place = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        place[*from] = to;
    }
    let above = order.iter().map(|at| above[*at].map(|above| place[above])).collect();
    let mut records: Vec<Option<Read>> = records.into_iter().map(Some).collect();
    Arranged { records: order.iter().filter_map(|at| records[*at].take()).collect(), above }
}

/// A file whose rows name no project is one: what it is called.
pub fn project_of_file(filename: &str) -> String {
    let stem = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
    let name = super::books::clipped(&super::books::cleaned(&stem.replace('_', " ")), 100);
    if name.is_empty() { "Imported tasks".to_owned() } else { name }
}
