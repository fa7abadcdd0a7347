//! The demo workspace's customers: companies, the people there, deals in every stage and what was spoken about. Made up from a
//! seed: the same for the same seed and day.

use std::time::Instant;

use baton_core::data::areas::Areas;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::people::Profile;
use chrono::{Days, NaiveDate, Utc};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::year::Dice;
use crate::app::App;
use crate::imports::named_id;

const SEED: u64 = 22;

/// Name, domain, industry, town.
const FIRMS: [(&str, &str, &str, &str); 18] = [
    ("Nordwind Logistik", "nordwind-logistik.example", "Logistics", "Hamburg"),
    ("Lumen Optics", "lumen-optics.example", "Manufacturing", "Jena"),
    ("Café Mirabelle", "mirabelle.example", "Hospitality", "Leipzig"),
    ("Brandt & Söhne", "brandt-soehne.example", "Construction", "Bremen"),
    ("Helio Energy", "helio-energy.example", "Energy", "Freiburg"),
    ("Kestrel Software", "kestrel.example", "Software", "Dublin"),
    ("Maison Delacroix", "delacroix.example", "Retail", "Lyon"),
    ("Oakfield Schools", "oakfield.example", "Education", "Bristol"),
    ("Pelikan Druck", "pelikan-druck.example", "Printing", "Berlin"),
    ("Quantum Health", "quantum-health.example", "Health", "Zürich"),
    ("Rivera Foods", "rivera-foods.example", "Food", "Valencia"),
    ("Skagen Shipping", "skagen-shipping.example", "Logistics", "Skagen"),
    ("Tannhof Hotels", "tannhof.example", "Hospitality", "Garmisch"),
    ("Ulmer Maschinen", "ulmer-maschinen.example", "Manufacturing", "Ulm"),
    ("Vantage Legal", "vantage-legal.example", "Legal", "London"),
    ("Weidenfeld Bau", "weidenfeld-bau.example", "Construction", "Kassel"),
    ("Ystad Design", "ystad-design.example", "Design", "Ystad"),
    ("Zephyr Cycles", "zephyr-cycles.example", "Retail", "Utrecht"),
];
const FIRST: [&str; 24] = [
    "Alma", "Ben", "Clara", "Dario", "Elin", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kim", "Lena",
    "Malik", "Nora", "Oskar", "Paula", "Quentin", "Rosa", "Samir", "Tilda", "Umut", "Vera", "Wanda", "Yusuf",
];
const LAST: [&str; 20] = [
    "Albrecht", "Berg", "Castillo", "Dahl", "Ekström", "Fischer", "Garnier", "Haas", "Ivanov", "Jensen",
    "Keller", "Lindgren", "Moreau", "Novak", "Okafor", "Petersen", "Rossi", "Schubert", "Tanaka", "Weber",
];
const TITLES: [&str; 7] = [
    "Managing director",
    "Head of purchasing",
    "Office manager",
    "IT lead",
    "Operations",
    "Marketing",
    "Finance",
];
const SOURCES: [&str; 5] = ["Website", "Trade fair", "Recommendation", "Newsletter", "Cold call"];
/// Whom the starters of the pack Outreach call lead L-42.
const LEAD: (&str, &str) = ("Maartje Visser", "maartje.visser@zephyr-cycles.example");
const SUBJECTS: [&str; 8] = [
    "Website relaunch",
    "Online shop",
    "Booking system",
    "Support contract",
    "Brand refresh",
    "Training days",
    "Data migration",
    "Mobile app",
];
const REASONS: [&str; 4] =
    ["Price", "Went with another supplier", "No budget this year", "Project was stopped"];

pub async fn seed(app: &App, workspace_id: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let began = Instant::now();
    let scope = DataScope { workspace_id, areas: Areas::WRITE };
    let author = Author { profile_id: owner.id, agent: None };
    let members = app.store.members(workspace_id).await?;
    let people: Vec<ProfileId> = members.iter().map(|member| member.profile_id).collect();
    let id = |kind: &Kind, at: usize| {
        named_id(&[workspace_id.0.as_bytes(), b"demo", kind.name.as_bytes(), &at.to_be_bytes()])
    };
    let rows = customers(SEED, Utc::now().date_naive(), &people, id);
    let mut number = 0;
    for (kind, rows) in rows {
        number += rows.len();
        // A start that was cut short may have made them.
        if app.store.row(scope, kind, id(kind, 0)).await.is_ok() {
            continue;
        }
        let change =
            |(at, fields): (usize, Map<String, Value>)| Change::Create { id: id(kind, at), fields }.of(kind);
        let changes: Vec<RowChange> = rows.into_iter().enumerate().map(change).collect();
        let made = app.store.change_rows(&Once::Unkeyed, scope, author, changes).await;
        made.map_err(|refused| anyhow::anyhow!("the demo's {}: {refused}", kind.name))?;
    }
    tracing::info!(rows = number, took = ?began.elapsed(), "made customers for the demo");
    Ok(())
}

type Rows = Vec<Map<String, Value>>;

fn object(fields: Value) -> Map<String, Value> {
    fields.as_object().cloned().unwrap_or_default()
}

/// Rows of each kind, in the order in which they refer to each other. Pure.
fn customers(
    seed: u64,
    today: NaiveDate,
    people: &[ProfileId],
    id: impl Fn(&Kind, usize) -> Uuid,
) -> [(&'static Kind, Rows); 4] {
    let mut dice = Dice::new(seed);
    let day = |back: i64| match back {
        0.. => today - Days::new(back.unsigned_abs()),
        _ => today + Days::new(back.unsigned_abs()),
    };
    let (mut companies, mut contacts, mut deals, mut activities): (Rows, Rows, Rows, Rows) =
        Default::default();
    for (at, (name, domain, industry, town)) in FIRMS.into_iter().enumerate() {
        companies.push(object(json!({
            "name": name, "domain": domain, "website": format!("https://www.{domain}"), "industry": industry,
            "address": town, "owner_id": people.get(at % people.len().max(1)),
        })));
    }
    for at in 0..48 {
        let firm = at % FIRMS.len();
        let (first, last) = (FIRST[at % FIRST.len()], LAST[(at * 7 + at / FIRST.len()) % LAST.len()]);
        let status = match at % 8 {
            0 => Some("new"),
            3 => Some("contacted"),
            5 => Some("qualified"),
            7 if at % 16 == 7 => Some("unqualified"),
            _ => None,
        };
        let email = baton_core::text::slugify(&format!("{first} {last}"), "someone").replace('-', ".");
        contacts.push(object(json!({
            "name": format!("{first} {last}"), "email": format!("{email}@{}", FIRMS[firm].1),
            "phone": format!("+49 30 {}", dice.between(1_000_000, 9_999_999)), "job_title": dice.one_of(&TITLES),
            "company_id": id(&COMPANIES, firm), "status": status, "source": dice.one_of(&SOURCES),
            "owner_id": people.get(at % people.len().max(1)),
        })));
    }
    for at in 0..36 {
        let contact = (at * 5) % contacts.len();
        let firm = contact % FIRMS.len();
        let stage = ["lead", "qualified", "proposal", "negotiation", "won", "lost", "won"][at % 7];
        let is_closed = matches!(stage, "won" | "lost");
        let mut deal = object(json!({
            "name": format!("{}, {}", SUBJECTS[at % SUBJECTS.len()], FIRMS[firm].0), "company_id": id(&COMPANIES, firm),
            "contact_id": id(&CONTACTS, contact), "stage": stage, "amount": dice.between(12, 480) * 10_000,
            "currency": if at % 12 == 11 { "USD" } else { "EUR" }, "owner_id": people.get(at % people.len().max(1)),
        }));
        let closes = if is_closed { dice.between(3, 330) } else { -dice.between(-9, 90) };
        let field = if is_closed { "closed_on" } else { "expected_close_on" };
        deal.insert(field.to_owned(), json!(day(closes)));
        if stage == "lost" {
            deal.insert("lost_reason".to_owned(), dice.one_of(&REASONS).into());
        }
        deals.push(deal);
    }
    for at in 0..80 {
        let deal = (at * 3) % deals.len();
        let contact = (deal * 5) % contacts.len();
        let of = ["call", "email", "meeting", "task", "task"][at % 5];
        let name = contacts[contact].get("name").and_then(Value::as_str).unwrap_or_default();
        let subject = match of {
            "call" => format!("Called {name}"),
            "email" => format!("Wrote to {name}"),
            "meeting" => format!("Met {name}"),
            _ => format!("Follow up with {name}"),
        };
        let back = if of == "task" { dice.between(-21, 14) } else { dice.between(1, 200) };
        // Some of what was due is still to be done.
        let is_open = of == "task" && (back <= 0 || dice.chance(40));
        activities.push(object(json!({
            "subject": subject, "type": of, "due_on": (of == "task").then(|| day(back)),
            "done_on": (!is_open).then(|| day(back.max(0))), "contact_id": id(&CONTACTS, contact),
            "deal_id": id(&DEALS, deal), "company_id": id(&COMPANIES, contact % FIRMS.len()),
            "assignee_id": people.get(at % people.len().max(1)),
        })));
    }
    contacts.push(object(json!({
        "name": LEAD.0, "email": LEAD.1, "company_id": id(&COMPANIES, 17), "status": "contacted",
        "source": "Trade fair", "owner_id": people.first(),
        "notes": "Lead L-42: bought two carts from us three years ago, and nothing since.",
    })));
    [(&COMPANIES, companies), (&CONTACTS, contacts), (&DEALS, deals), (&ACTIVITIES, activities)]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use baton_core::data::check;
    use baton_core::data::sales::Stage;

    use super::*;

    #[test]
    fn the_demos_customers_hold_together_and_stay_the_same() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 18).expect("a day");
        let id = |kind: &Kind, at: usize| named_id(&[kind.name.as_bytes(), &at.to_be_bytes()]);
        let people = [ProfileId(Uuid::from_u128(1)), ProfileId(Uuid::from_u128(2))];
        let rows = customers(SEED, today, &people, id);
        assert_eq!(rows, customers(SEED, today, &people, id));
        for (kind, rows) in &rows {
            for row in rows {
                check::created(kind, row).unwrap_or_else(|wrong| panic!("{}: {wrong}: {row:?}", kind.name));
            }
        }
        let emails: HashSet<&Value> = rows[1].1.iter().map(|row| &row["email"]).collect();
        assert_eq!(emails.len(), rows[1].1.len(), "each contact has its own address");
        let named: Vec<&Map<String, Value>> = rows[1]
            .1
            .iter()
            .filter(|row| row.get("notes").is_some_and(|notes| notes.to_string().contains("L-42")))
            .collect();
        assert_eq!(named.len(), 1, "the lead of the starters is there");
        assert!(named[0]["status"].is_string(), "and is a lead");
        let stages: HashSet<Stage> = rows[2].1.iter().map(Stage::of).collect();
        assert_eq!(stages.len(), Stage::ALL.len());
        let today = json!(today);
        let overdue = rows[3]
            .1
            .iter()
            .filter(|row| row["done_on"].is_null() && row["due_on"].as_str() < today.as_str());
        assert!(overdue.count() > 2);
    }
}
