//! Companies, contacts, deals and activities: what they are known by, stages, merging, history, pipeline.

use baton_core::data::kind::{Direction, Kind};
use baton_core::data::kinds::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};
use baton_core::data::rows::{Change, Filter, Once, RowQuery, Test};
use baton_core::data::sales::{ContactMerge, HistoryOf, Stage, weighted};
use baton_core::store::{Error, Rows, Sales, Workspaces};
use chrono::Utc;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, changes_of, fields, words};

impl Desk {
    async fn contact(&self, name: &str, email: &str) -> Uuid {
        self.made(&CONTACTS, json!({"name": name, "email": email})).await
    }

    async fn deal(&self, row: Value) -> Uuid {
        let mut deal = fields(json!({"name": "Deal", "currency": "EUR"}));
        deal.extend(fields(row));
        self.made(&DEALS, Value::Object(deal)).await
    }

    async fn stages(&self, deal: Uuid) -> Vec<(Stage, bool)> {
        let stages = self.cast.told.store.deal_stages(self.scope, deal).await.unwrap();
        stages.iter().map(|one| (one.stage, one.left_at.is_some())).collect()
    }

    async fn merge(&self, kept: Uuid, merged: Uuid) -> baton_core::store::Written {
        let merge = ContactMerge { kept, merged };
        self.cast.told.store.merge_contacts(&Once::Unkeyed, self.scope, self.author, merge).await
    }

    async fn contacts_of(&self, emails: &[&str]) -> Vec<Uuid> {
        let emails = emails.iter().map(|&email| email.to_owned()).collect();
        let found = self.cast.told.store.contacts_of(self.scope, emails).await.unwrap();
        found.into_iter().map(|(_, id)| id).collect()
    }
}

#[tokio::test]
async fn contacts_and_companies_are_known_by_one_address() {
    let desk = Desk::set_up().await;
    let acme = desk.made(&COMPANIES, json!({"name": "Acme", "domain": "https://www.Acme.example/en"})).await;
    assert_eq!(desk.row(&COMPANIES, acme).await.fields["domain"], "acme.example");
    let ada = desk.contact("Ada", " Ada@Acme.EXAMPLE ").await;
    assert_eq!(desk.row(&CONTACTS, ada).await.fields["email"], "ada@acme.example");
    let told = words(desk.create(&CONTACTS, json!({"name": "Other", "email": "ADA@acme.example"})).await);
    assert_eq!(told, "email is that of the contact \"Ada\" already");
    let told = words(desk.create(&COMPANIES, json!({"name": "Acme 2", "domain": "acme.example"})).await);
    assert_eq!(told, "domain is that of the company \"Acme\" already");
    let told = words(desk.create(&CONTACTS, json!({"name": "Nobody", "email": "nobody"})).await);
    assert_eq!(told, "email must be an email address");
    assert_eq!(desk.contacts_of(&["ADA@acme.example", "x@y.example"]).await, [ada]);
    // Who is deleted keeps nobody from having the address; then that one can't come back with it.
    desk.delete(&CONTACTS, ada).await.unwrap();
    assert!(desk.contacts_of(&["ada@acme.example"]).await.is_empty());
    desk.contact("Ada again", "ada@acme.example").await;
    let told = words(desk.change(&CONTACTS, Change::Restore { id: ada }).await);
    assert!(told.contains("is that of the contact \"Ada again\" already"), "{told}");
    // What others refer to stays.
    desk.made(&ACTIVITIES, json!({"subject": "Call", "company_id": acme})).await;
    let told = words(desk.delete(&COMPANIES, acme).await);
    assert_eq!(
        told,
        "This company can't be deleted: it is used by 1 activity. Give those another company first."
    );
    desk.end().await;
}

#[tokio::test]
async fn fields_name_members_and_keep_those_who_left() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    let deal = |owner: Uuid| json!({"name": "D", "currency": "EUR", "owner_id": owner});
    let told = words(desk.create(&DEALS, deal(bob.id.0)).await);
    assert_eq!(told, "owner_id names no member of this workspace");
    let anas = desk.deal(deal(desk.cast.ana.0)).await;
    let row = desk.row(&DEALS, anas).await;
    assert!(row.titles["owner"].as_str().is_some_and(|name| !name.is_empty()), "{:?}", row.titles);
    let filters = vec![Filter { field: "owner_id", test: Test::Is(json!(desk.cast.ana)) }];
    let page = desk.page(&DEALS, RowQuery { filters, limit: 5, ..Default::default() }).await;
    assert_eq!(page.rows.len(), 1);
    // Without the check, as if he had been one once.
    let raw = desk.cast.told.raw().await;
    let id = |id: Uuid| match desk.cast.told.is_postgres() {
        true => format!("'{id}'"),
        false => format!("X'{}'", id.simple()),
    };
    let sql = format!("UPDATE deals SET owner_id = {} WHERE id = {}", id(bob.id.0), id(anas));
    raw.execute_unprepared(&sql).await.unwrap();
    desk.set(&DEALS, anas, json!({"amount": 5})).await.unwrap();
    let row = desk.row(&DEALS, anas).await;
    assert_eq!((&row.fields["owner_id"], row.titles["owner"].is_string()), (&json!(bob.id), true));
    assert!(store.members(desk.cast.workspace).await.unwrap().iter().all(|one| one.profile_id != bob.id));
    raw.close().await.unwrap();
    desk.end().await;
}

#[tokio::test]
async fn deals_keep_the_history_of_their_stages() {
    let desk = Desk::set_up().await;
    let today = Utc::now().date_naive().to_string();
    let first = desk.deal(json!({"name": "First"})).await;
    let deal = desk.deal(json!({"amount": 500_000})).await;
    let row = desk.row(&DEALS, deal).await;
    assert_eq!((&row.fields["stage"], &row.fields["closed_on"]), (&json!("lead"), &Value::Null));
    assert_eq!(row.fields["stage_since"], json!(today));
    let position = |row: &baton_core::data::rows::Row| row.fields["position"].as_i64().unwrap();
    assert!(position(&row) > position(&desk.row(&DEALS, first).await), "the new one is the last");
    // What is no stage leaves the history alone.
    desk.set(&DEALS, deal, json!({"notes": "Likes blue", "position": 5})).await.unwrap();
    desk.set(&DEALS, deal, json!({"stage": "proposal"})).await.unwrap();
    assert_eq!(desk.stages(deal).await, [(Stage::Lead, true), (Stage::Proposal, false)]);
    let won = desk.set(&DEALS, deal, json!({"stage": "won"})).await.unwrap();
    let row = desk.row(&DEALS, deal).await;
    assert_eq!((&row.fields["closed_on"], &row.fields["stage_since"]), (&json!(today), &json!(today)));
    // Taken back, it is open again, and the history says so.
    desk.undo(changes_of(&won)).await.unwrap();
    let row = desk.row(&DEALS, deal).await;
    assert_eq!((&row.fields["stage"], &row.fields["closed_on"]), (&json!("proposal"), &Value::Null));
    let closed = json!({"stage": "lost", "closed_on": "2026-01-31", "lost_reason": "Price"});
    desk.set(&DEALS, deal, closed).await.unwrap();
    assert_eq!(desk.row(&DEALS, deal).await.fields["closed_on"], "2026-01-31");
    let stages = desk.stages(deal).await;
    let expected = [Stage::Lead, Stage::Proposal, Stage::Won, Stage::Proposal, Stage::Lost];
    assert_eq!(stages.iter().map(|one| one.0).collect::<Vec<_>>(), expected);
    assert_eq!(stages.iter().filter(|one| !one.1).count(), 1);
    let people = desk.cast.told.store.people(desk.scope).await.unwrap();
    assert!(
        people.iter().any(|member| member.profile_id == desk.cast.ana),
        "a deal can name whom the workspace has"
    );
    let told = desk.cast.told.store.deal_stages(desk.scope, deal).await.unwrap();
    assert!(told.windows(2).all(|two| two[0].left_at == Some(two[1].entered_at)));
    assert_eq!(told[0].author, Some(desk.author));
    for (row, said) in [
        (json!({"amount": -1}), "amount must not be negative"),
        (json!({"amount": 10_000_000_000_001_i64}), "amount is too large"),
        (json!({"probability": 101}), "probability must be an integer from 0 to 100"),
        (json!({"stage_since": "2026-01-01"}), "stage_since is set by the server"),
    ] {
        assert_eq!(words(desk.set(&DEALS, deal, row).await), said);
    }
    // One that is deleted has none to show; restored it goes on.
    desk.delete(&DEALS, deal).await.unwrap();
    let gone = desk.cast.told.store.deal_stages(desk.scope, deal).await;
    assert!(matches!(gone, Err(Error::NotFound("deal"))));
    desk.change(&DEALS, Change::Restore { id: deal }).await.unwrap();
    assert_eq!(desk.stages(deal).await.len(), 5);
    desk.end().await;
}

#[tokio::test]
async fn merged_contacts_keep_both_histories_and_come_apart_again() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let kept = desk.made(&CONTACTS, json!({"name": "Ada Byron", "phone": "1"})).await;
    let merged = desk
        .made(&CONTACTS, json!({"name": "A. Byron", "phone": "2", "email": "ada@x.example", "status": "new"}))
        .await;
    let before = (desk.row(&CONTACTS, kept).await.fields, desk.row(&CONTACTS, merged).await.fields);
    let deal = desk.deal(json!({"contact_id": merged})).await;
    let call = desk
        .made(&ACTIVITIES, json!({"subject": "Call", "contact_id": merged, "done_on": "2026-02-01"}))
        .await;
    desk.made(&ACTIVITIES, json!({"subject": "Mail", "contact_id": kept, "due_on": "2026-03-01"})).await;
    let of = async |kind: &'static Kind, id| desk.row(kind, id).await.fields["contact_id"].clone();

    let outcome = desk.merge(kept, merged).await.unwrap();
    let row = desk.row(&CONTACTS, kept).await;
    let told = ["name", "phone", "email", "status"].map(|name| row.fields[name].clone());
    assert_eq!(told, [json!("Ada Byron"), json!("1"), json!("ada@x.example"), json!("new")]);
    assert_eq!((of(&DEALS, deal).await, of(&ACTIVITIES, call).await), (json!(kept), json!(kept)));
    assert!(matches!(store.row(desk.scope, &CONTACTS, merged).await, Err(Error::NotFound("contact"))));
    let history = store.contact_history(desk.scope, kept, 50, None).await.unwrap().entries;
    let activities = history.iter().filter(|one| matches!(one.of, HistoryOf::Activity(_))).count();
    let changes: Vec<Uuid> = history
        .iter()
        .filter_map(|one| match &one.of {
            HistoryOf::Change(change) => Some(change.row_id),
            _ => None,
        })
        .collect();
    assert_eq!(activities, 2);
    assert!(changes.contains(&kept) && changes.contains(&merged), "both histories");

    // The address of the one that is gone, if the other had its own, means the one that stayed, however often that is merged.
    let other = desk.made(&CONTACTS, json!({"name": "Ada K.", "email": "ada@y.example"})).await;
    let last = desk.made(&CONTACTS, json!({"name": "Countess", "email": "ada@z.example"})).await;
    let first = desk.merge(other, kept).await.unwrap();
    let second = desk.merge(last, other).await.unwrap();
    assert_eq!(desk.contacts_of(&["ada@x.example", "ada@y.example"]).await, [last, last]);
    assert_eq!(of(&ACTIVITIES, call).await, json!(last));
    // A merge is taken back as a whole, whichever of its changes is named; and that can be taken back too.
    let told = words(desk.undo(changes_of(&outcome)).await);
    assert!(told.starts_with("This can't be undone"), "{told}");
    let undone = desk.undo(vec![*changes_of(&second).last().unwrap()]).await.unwrap();
    assert_eq!(of(&ACTIVITIES, call).await, json!(other));
    desk.undo(vec![changes_of(&undone)[0]]).await.unwrap();
    assert_eq!(of(&ACTIVITIES, call).await, json!(last));
    let again =
        store.changes(desk.scope, baton_core::store::ChangesOf::Workspace { before: None }, 1).await.unwrap();
    desk.undo(vec![again[0].id]).await.unwrap();
    desk.undo(vec![changes_of(&first)[0]]).await.unwrap();
    desk.undo(vec![changes_of(&outcome)[0]]).await.unwrap();
    let after = (desk.row(&CONTACTS, kept).await.fields, desk.row(&CONTACTS, merged).await.fields);
    assert_eq!(after, before);
    assert_eq!((of(&DEALS, deal).await, of(&ACTIVITIES, call).await), (json!(merged), json!(merged)));
    assert_eq!(desk.contacts_of(&["ada@x.example"]).await, [merged]);

    assert_eq!(words(desk.merge(kept, kept).await), "merged must be another contact than the one that stays");
    assert_eq!(words(desk.merge(kept, deal).await), "there is no such contact");
    desk.end().await;
}

#[tokio::test]
async fn a_contacts_history_goes_page_by_page() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let ada = desk.contact("Ada", "ada@x.example").await;
    let ben = desk.contact("Ben", "ben@x.example").await;
    for (subject, day) in [("Late", "2099-01-01"), ("Early", "2020-01-01"), ("Early too", "2020-01-01")] {
        desk.made(&ACTIVITIES, json!({"subject": subject, "due_on": day, "contact_id": ada})).await;
    }
    desk.made(&ACTIVITIES, json!({"subject": "Today", "contact_id": ada})).await;
    desk.made(&ACTIVITIES, json!({"subject": "Ben's", "contact_id": ben})).await;
    let deal = desk.deal(json!({"name": "Big", "contact_id": ada})).await;
    desk.set(&DEALS, deal, json!({"stage": "won"})).await.unwrap();
    desk.set(&CONTACTS, ada, json!({"phone": "1"})).await.unwrap();
    let expected = ["Late", "changed", "Big: won", "Big: lead", "Today", "created", "Early too", "Early"]
        .map(str::to_owned);
    for limit in [1, 3, 50] {
        let (mut told, mut cursor) = (Vec::new(), None);
        loop {
            let page = store.contact_history(desk.scope, ada, limit, cursor).await.unwrap();
            told.extend(page.entries.into_iter().map(|entry| match entry.of {
                HistoryOf::Activity(row) => row.fields["subject"].as_str().unwrap().to_owned(),
                HistoryOf::Stage(stage) => format!("{}: {}", stage.deal, stage.stage),
                HistoryOf::Change(change) => change.action.to_string(),
            }));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(told, expected, "{limit} at a time");
    }
    let wrong = store.contact_history(desk.scope, ada, 5, Some("x".to_owned())).await;
    assert!(matches!(wrong, Err(Error::Invalid(_))));
    let nobody = store.contact_history(desk.scope, deal, 5, None).await;
    assert!(matches!(nobody, Err(Error::NotFound("contact"))));
    desk.end().await;
}

#[tokio::test]
async fn a_pipeline_is_the_sum_of_its_deals() {
    let desk = Desk::set_up().await;
    let mut naive: std::collections::BTreeMap<(Stage, &str), (u64, i64, i64)> = Default::default();
    for (at, stage) in Stage::ALL.into_iter().cycle().take(20).enumerate() {
        let amount = 33_333 * at as i64 + 1;
        let currency = if at % 3 == 0 { "USD" } else { "EUR" };
        let probability = (at % 2 == 0).then_some(7 * at as i64 % 101);
        let row = json!({"stage": stage, "amount": amount, "currency": currency, "probability": probability});
        let id = desk.deal(row).await;
        if at == 4 {
            desk.delete(&DEALS, id).await.unwrap();
            continue;
        }
        let sum = naive.entry((stage, currency)).or_default();
        let weight = weighted(amount, probability.unwrap_or(stage.probability()));
        *sum = (sum.0 + 1, sum.1 + amount, sum.2 + weight);
    }
    let store = &desk.cast.told.store;
    let told = store.pipeline(desk.scope, vec![]).await.unwrap();
    let told: Vec<_> = told
        .iter()
        .map(|sum| ((sum.stage, sum.currency.code()), (sum.deals, sum.amount, sum.weighted)))
        .collect();
    assert_eq!(told, naive.into_iter().collect::<Vec<_>>());
    let filters = vec![Filter { field: "owner_id", test: Test::Is(json!(desk.cast.ana)) }];
    assert!(store.pipeline(desk.scope, filters).await.unwrap().is_empty());
    desk.end().await;
}

/// However many there are: a page is read in the order of an index, and words are found by theirs.
#[tokio::test]
async fn pages_of_deals_come_in_the_order_of_an_index() {
    let desk = Desk::set_up().await;
    let company = desk.made(&COMPANIES, json!({"name": "Acme"})).await;
    let contact = desk.made(&CONTACTS, json!({"name": "Ada", "company_id": company})).await;
    let deal = json!({"contact_id": contact, "company_id": company, "owner_id": desk.cast.ana});
    desk.deal(deal).await;
    let raw = desk.cast.told.raw().await;
    let id = if desk.cast.told.is_postgres() { "gen_random_uuid()" } else { "randomblob(16)" };
    let columns = "workspace_id, name, company_id, contact_id, stage, currency, stage_since, owner_id, version, created_at, updated_at";
    let sql = format!(
        "INSERT INTO deals (id, amount, position, search_text, {columns}) WITH RECURSIVE copies(number) AS \
         (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < 3000) \
         SELECT {id}, number, number, search_text || 'number' || number || ' ', {columns} FROM deals, copies"
    );
    raw.execute_unprepared(&sql).await.unwrap();
    if desk.cast.told.is_postgres() {
        raw.execute_unprepared("ANALYZE").await.unwrap();
    }
    let is = |field: &'static str, value: Value| vec![Filter { field, test: Test::Is(value) }];
    let by = |field: &str, direction| Some((field.to_owned(), direction));
    for (order, filters, words) in [
        (None, vec![], "stage_since"),
        (by("position", Direction::Rising), is("stage", json!("lead")), "position"),
        (by("amount", Direction::Falling), vec![], "\"amount\""),
        (by("name", Direction::Rising), vec![], "lower("),
        (None, is("company_id", json!(company)), "company_id"),
        (None, is("owner_id", json!(desk.cast.ana)), "owner_id"),
    ] {
        let query = RowQuery { order, filters, limit: 20, ..Default::default() };
        let page = desk.page(&DEALS, query.clone()).await;
        assert!(page.next_cursor.is_some());
        desk.page(&DEALS, RowQuery { cursor: page.next_cursor, ..query }).await;
        let plans = desk.cast.told.plans.of(words, &raw).await;
        let pages = plans.iter().filter(|plan| plan.contains("idx_deals_"));
        assert!(pages.clone().count() >= 2, "{words}: {plans:?}");
        for plan in pages {
            let sorts = plan.contains("USE TEMP B-TREE") || plan.contains(r#""Node Type": "Sort""#);
            assert!(!sorts, "{words}: {plan}");
        }
    }
    let search = Some("number77 deal".to_owned());
    let page = desk.page(&DEALS, RowQuery { search, limit: 5, ..Default::default() }).await;
    assert_eq!((page.total, page.is_counted), (1, true));
    let sums = desk.cast.told.store.pipeline(desk.scope, vec![]).await.unwrap();
    assert_eq!(sums[0].deals, 3_001);
    raw.close().await.unwrap();
    desk.end().await;
}

/// Every filter that the kinds of sales have, alone: each is looked for in the plans when the test ends.
#[tokio::test]
async fn every_filter_of_sales_has_an_index() {
    let desk = Desk::set_up().await;
    for kind in [&COMPANIES, &CONTACTS, &DEALS, &ACTIVITIES] {
        for field in kind.fields.iter().filter(|field| field.is_filtered) {
            let value = match field.of {
                baton_core::data::kind::FieldType::Choice(words) => json!(words[0]),
                baton_core::data::kind::FieldType::Day => json!("2026-01-01"),
                baton_core::data::kind::FieldType::Currency => json!("EUR"),
                baton_core::data::kind::FieldType::Money { .. } => json!(5),
                baton_core::data::kind::FieldType::Line { .. } => json!("x"),
                _ => json!(Uuid::now_v7()),
            };
            for test in [Test::Is(value.clone()), Test::IsNull, Test::AtLeast(value)] {
                let filters = vec![Filter { field: field.name, test }];
                desk.page(kind, RowQuery { filters, limit: 5, ..Default::default() }).await;
            }
        }
    }
    desk.end().await;
}
