//! What a call would change of a page, for the person who is asked: a sentence, and old and new beside each other. Of a text only
//! the lines that differ.

use baton_core::pages::{Page, PageChange, Properties};
use baton_core::tools::{Preview, PreviewChange};

/// `page` is the one that is meant, `below` the one under which it would come. None for a change that can't be made: the call says why.
pub fn preview(change: &PageChange, page: Option<&Page>, below: Option<&Page>) -> Option<Preview> {
    let place = below.map_or("at the top".to_owned(), |below| format!("below {}", below.path()));
    let (sentence, changes) = match change {
        PageChange::Create { new, .. } => {
            let what = "New page";
            let changes = vec![
                changed(what, "Title", None, Some(new.title.clone())),
                changed(what, "Text", None, Some(new.body.clone())),
                changed(what, "Properties", None, Some(told(&new.properties))),
                changed(what, PUBLIC, None, new.is_public.then(|| "yes".to_owned())),
            ];
            (format!("Make the page “{}” {place}.", new.title), changes)
        }
        PageChange::Set { changes, .. } => {
            let page = page?;
            let what = page.node.title.as_str();
            let body = changes.body.as_ref().map(|body| body.applied(&page.body)).transpose().ok()?;
            let (old, new) = body.map_or((None, None), |body| difference(&page.body, &body));
            let title = changes.title.clone().map(|title| (page.node.title.clone(), title));
            let properties = changes.properties.as_ref().map(|new| (told(&page.properties), told(new)));
            let word = |is: bool| if is { "yes" } else { "no" }.to_owned();
            let public = changes.is_public.map(|is| (word(page.node.is_public), word(is)));
            let mut rows = Vec::new();
            for (field, pair) in [("Title", title), ("Properties", properties), (PUBLIC, public)] {
                let (old, new) = pair.unzip();
                rows.push(changed(what, field, old, new));
            }
            rows.insert(1, changed(what, "Text", old, new));
            (format!("Change the page {}.", page.path()), rows)
        }
        PageChange::Move { .. } => {
            let page = page?;
            let old =
                page.above.last().map_or("at the top".to_owned(), |above| format!("below {}", above.title));
            let changes = vec![changed(&page.node.title, "Place", Some(old), Some(place.clone()))];
            let to = if below.is_none() { "to the top" } else { place.as_str() };
            (format!("Move the page {} {to}.", page.path()), changes)
        }
        PageChange::Delete { .. } => {
            let page = page?;
            let with = if page.node.children > 0 { " with all pages below it" } else { "" };
            let changes = vec![changed(&page.node.title, "Text", Some(page.body.clone()), None)];
            (format!("Delete the page {}{with}. It can be restored for 30 days.", page.path()), changes)
        }
        PageChange::Restore { .. } | PageChange::RestoreVersion { .. } => return None,
    };
    Some(Preview { sentence, changes: changes.into_iter().flatten().collect(), more: 0, seen: Vec::new() })
}

const PUBLIC: &str = "Visitors may read it";

/// None if nothing changes.
fn changed(what: &str, field: &str, old: Option<String>, new: Option<String>) -> Option<PreviewChange> {
    let [old, new] = [old, new].map(|text| text.filter(|text| !text.trim().is_empty()));
    (old != new).then(|| PreviewChange { what: what.to_owned(), field: field.to_owned(), old, new })
}

fn told(properties: &Properties) -> String {
    properties.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n")
}

/// The lines between those that both begin and end with.
fn difference(old: &str, new: &str) -> (Option<String>, Option<String>) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let first = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let text = |lines: &[&str]| Some(lines[..lines.len() - last].join("\n").trim().to_owned());
    (text(old), text(new))
}

#[cfg(test)]
mod tests {
    use baton_core::ids::{PageId, WorkspaceId};
    use baton_core::pages::{BodyChange, NewPage, PageChanges, PageName, PageNode, PageRef, Place};
    use chrono::DateTime;

    use super::*;

    fn page(title: &str, slug: &str, body: &str) -> Page {
        let node = PageNode {
            id: PageId::new(),
            parent_id: None,
            position: 0,
            slug: slug.into(),
            title: title.into(),
            is_public: false,
            version: 3,
            children: 0,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            deleted_at: None,
        };
        let above = vec![PageName { id: PageId::new(), slug: "handbook".into(), title: "Handbook".into() }];
        let properties = vec![("owner".to_owned(), "Ana".to_owned())];
        Page { node, workspace_id: WorkspaceId::new(), body: body.into(), properties, above, last: None }
    }

    /// The sentence, then a line for each change.
    fn said(change: PageChange, page: Option<&Page>, below: Option<&Page>) -> String {
        let preview = preview(&change, page, below).expect("a preview");
        let line = |change: &PreviewChange| {
            let [old, new] = [&change.old, &change.new].map(|text| text.as_deref().unwrap_or("-"));
            format!("\n{} {}: {old} → {new}", change.what, change.field)
        };
        preview.sentence.clone() + &preview.changes.iter().map(line).collect::<String>()
    }

    fn set(changes: PageChanges) -> PageChange {
        PageChange::Set { page: PageRef::Named("x".into()), seen: Some(3), changes }
    }

    #[test]
    fn a_change_is_told_with_what_differs_and_nothing_else() {
        let trips = page("Trips", "trips", "# Trips\n\nPay by card.\n\nKeep receipts.\n");
        let replace = BodyChange::Replace { old: "card".into(), new: "cash".into() };
        let changes = PageChanges { body: Some(replace), is_public: Some(true), ..PageChanges::default() };
        assert_eq!(
            said(set(changes), Some(&trips), None),
            "Change the page handbook/trips.\nTrips Text: Pay by card. → Pay by cash.\nTrips Visitors may read it: no → yes"
        );
        let append =
            PageChanges { body: Some(BodyChange::Append("Ask first.".into())), ..PageChanges::default() };
        assert_eq!(
            said(set(append), Some(&trips), None),
            "Change the page handbook/trips.\nTrips Text: - → Ask first."
        );
        let rest = PageChanges {
            title: Some("Journeys".into()),
            properties: Some(vec![]),
            is_public: Some(false),
            ..PageChanges::default()
        };
        assert_eq!(
            said(set(rest), Some(&trips), None),
            "Change the page handbook/trips.\nTrips Title: Trips → Journeys\nTrips Properties: owner: Ana → -"
        );
    }

    #[test]
    fn pages_that_come_move_and_go() {
        let trips = page("Trips", "trips", "Pay by card.");
        let new = NewPage {
            parent: None,
            title: "Visa".into(),
            body: "Apply early.".into(),
            properties: vec![],
            is_public: false,
        };
        let create = PageChange::Create { id: PageId::new(), new };
        assert_eq!(
            said(create.clone(), None, Some(&trips)),
            "Make the page “Visa” below handbook/trips.\nNew page Title: - → Visa\nNew page Text: - → Apply early."
        );
        assert!(said(create, None, None).starts_with("Make the page “Visa” at the top."));
        let named = PageRef::Named("trips".into());
        let move_ = PageChange::Move { page: named.clone(), seen: Some(3), below: None, place: Place::Last };
        assert_eq!(
            said(move_, Some(&trips), None),
            "Move the page handbook/trips to the top.\nTrips Place: below Handbook → at the top"
        );
        let delete = PageChange::Delete { page: named, seen: Some(3) };
        assert_eq!(
            said(delete, Some(&trips), None),
            "Delete the page handbook/trips. It can be restored for 30 days.\nTrips Text: Pay by card. → -"
        );
    }

    #[test]
    fn what_cannot_be_done_has_no_preview() {
        let trips = page("Trips", "trips", "Pay by card.");
        let replace = BodyChange::Replace { old: "cheque".into(), new: "cash".into() };
        let changes = PageChanges { body: Some(replace), ..PageChanges::default() };
        assert_eq!(preview(&set(changes.clone()), Some(&trips), None), None);
        assert_eq!(preview(&set(changes), None, None), None);
    }
}
