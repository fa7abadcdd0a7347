//! People and models call accounts, categories, budgets and goals by name, or by id. A name counts without case; part of
//! one is enough if it fits only one.

use baton_core::reports::MoneyBook;
use baton_core::text::fold;
use baton_core::tools::ToolFailure;
use uuid::Uuid;

use super::arguments::failure;

/// How many candidates an error lists.
const SHOWN: usize = 30;
/// What means transactions without a category.
const NO_CATEGORY: [&str; 3] = ["none", "without category", "uncategorised"];

/// The row that a name or an id means. `one` is what the kind is called: `category`.
pub fn resolve<'a>(
    one: &str,
    wanted: &str,
    rows: impl IntoIterator<Item = (Uuid, &'a str)>,
) -> Result<Uuid, ToolFailure> {
    let rows: Vec<(Uuid, &str)> = rows.into_iter().collect();
    if let Ok(id) = wanted.parse::<Uuid>()
        && rows.iter().any(|row| row.0 == id)
    {
        return Ok(id);
    }
    let folded = fold(wanted.trim());
    let equal: Vec<&(Uuid, &str)> = rows.iter().filter(|row| fold(row.1.trim()) == folded).collect();
    let part: Vec<&(Uuid, &str)> = rows.iter().filter(|row| fold(row.1).contains(&folded)).collect();
    let fitting = if equal.is_empty() { part } else { equal };
    match fitting[..] {
        [(id, _)] => Ok(*id),
        [] if rows.is_empty() => {
            Err(failure(format!("There is no {one} {wanted:?}: there is none at all yet.")))
        }
        [] => {
            Err(failure(format!("There is no {one} {wanted:?}. There are {}.", listed(rows.iter(), false))))
        }
        _ => {
            let them = listed(fitting.iter().copied(), true);
            Err(failure(format!(
                "{wanted:?} could be more than one {one}: {them}. Name one, or give its id."
            )))
        }
    }
}

fn listed<'a>(rows: impl ExactSizeIterator<Item = &'a (Uuid, &'a str)>, with_ids: bool) -> String {
    let more = rows.len().saturating_sub(SHOWN);
    let name =
        |(id, name): &(Uuid, &str)| if with_ids { format!("{name} ({id})") } else { (*name).to_owned() };
    let mut listed = rows.take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    if more > 0 {
        listed.push_str(&format!(" and {more} more"));
    }
    listed
}

pub fn account(book: &MoneyBook, wanted: &str) -> Result<Uuid, ToolFailure> {
    let found = resolve("account", wanted, book.accounts.iter().map(|one| (one.id, one.name.as_str())));
    found.map_err(|none| {
        or_of_another_kind(none, wanted, "a category", book.categories.iter().map(|one| &*one.name))
    })
}

pub fn category(book: &MoneyBook, wanted: &str) -> Result<Uuid, ToolFailure> {
    let found = resolve("category", wanted, book.categories.iter().map(|one| (one.id, one.name.as_str())));
    found.map_err(|none| {
        or_of_another_kind(none, wanted, "an account", book.accounts.iter().map(|one| &*one.name))
    })
}

/// Models that mix up parameters ask the same again and again unless they are told what the name is of.
fn or_of_another_kind<'a>(
    none: ToolFailure,
    wanted: &str,
    other: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> ToolFailure {
    let folded = fold(wanted.trim());
    match names.any(|name| fold(name.trim()) == folded) {
        true => failure(format!("{wanted:?} is the name of {other}, so give it as that. {}", none.0)),
        false => none,
    }
}

/// A category, or the nil id for none.
pub fn category_or_none(book: &MoneyBook, wanted: &str) -> Result<Uuid, ToolFailure> {
    let is_named = book.categories.iter().any(|category| fold(&category.name) == fold(wanted));
    if !is_named && NO_CATEGORY.contains(&fold(wanted).as_str()) {
        return Ok(Uuid::nil());
    }
    category(book, wanted)
}

#[cfg(test)]
mod tests {
    use baton_core::reports::{Category, Side};

    use super::*;

    #[test]
    fn a_name_means_one_row_or_the_candidates_are_told() {
        let ids: Vec<Uuid> = (1..=4).map(Uuid::from_u128).collect();
        let rows = [(ids[0], "Food"), (ids[1], "Fast food"), (ids[2], "Straße"), (ids[3], "Rent")];
        let found = |wanted: &str| resolve("category", wanted, rows);
        assert_eq!(found("FOOD"), Ok(ids[0]), "the whole name wins over a part");
        assert_eq!(found(" strasse "), Ok(ids[2]));
        assert_eq!(found("fast"), Ok(ids[1]));
        assert_eq!(found(&ids[3].to_string()), Ok(ids[3]));
        let said = found("t").unwrap_err().0;
        assert!(said.contains("more than one category") && said.contains(&ids[1].to_string()), "{said}");
        let said = found("Travel").unwrap_err().0;
        assert!(said.contains("Food, Fast food, Straße, Rent"), "{said}");
        let elsewhere = found(&Uuid::from_u128(9).to_string()).unwrap_err().0;
        assert!(elsewhere.starts_with("There is no category"), "{elsewhere}");
        let none = resolve("goal", "Car", []).unwrap_err().0;
        assert!(none.contains("none at all"), "{none}");
        let book = MoneyBook::default();
        assert_eq!(category_or_none(&book, "None"), Ok(Uuid::nil()));
    }

    #[test]
    fn a_name_of_the_other_kind_is_told_as_such() {
        let category = Category { id: Uuid::now_v7(), name: "Groceries".into(), side: Side::Spending };
        let book = MoneyBook { categories: vec![category], ..MoneyBook::default() };
        let said = account(&book, "groceries").unwrap_err().0;
        assert!(
            said.starts_with("\"groceries\" is the name of a category, so give it as that. There is"),
            "{said}"
        );
        let said = account(&book, "Rent").unwrap_err().0;
        assert!(said.starts_with("There is no account"), "{said}");
    }
}
