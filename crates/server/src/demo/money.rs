//! The demo workspace's money: a year of it that ends today. It comes in as a file does, through the import.

use std::time::Instant;

use anyhow::bail;
use baton_core::data::areas::Areas;
use baton_core::data::imports::{ImportStatus, NewImport, PIECE};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{
    ACCOUNTS, BUDGETS, CATEGORIES, CATEGORY_RULES, EXCHANGE_RATES, GOALS, TRANSACTIONS,
};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::ids::WorkspaceId;
use baton_core::listing::Window;
use baton_core::money::{self, Currency};
use baton_core::people::Profile;
use baton_formats::csv;
use baton_formats::export::{Cell, Writer};
use chrono::{Datelike, Months, NaiveDate, Utc};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::year::{CARD, CHECKING, DEPOT, DOLLARS, Entry, SAVINGS, year};
use crate::app::App;
use crate::imports::named_id;

const SEED: u64 = 20;
const FILENAME: &str = "demo-year.csv";

/// Name, type, currency, number, bank, opening balance.
const ACCOUNT_ROWS: [(&str, &str, &str, &str, &str, i64); 5] = [
    (CHECKING, "checking", "EUR", "DE89370400440532013000", "Sparkasse", 284_530),
    (SAVINGS, "savings", "EUR", "DE02120300000000202051", "Sparkasse", 412_000),
    (CARD, "credit_card", "EUR", "4111111111111111", "Sparkasse", 0),
    (DEPOT, "investment", "EUR", "X0000417", "Trade Nord", 86_215),
    (DOLLARS, "checking", "USD", "840012345678", "Wise", 215_000),
];

const SPENDING: [&str; 14] = [
    "Rent",
    "Groceries",
    "Eating out",
    "Transport",
    "Utilities",
    "Insurance",
    "Subscriptions",
    "Health",
    "Clothing",
    "Household",
    "Leisure",
    "Travel",
    "Gifts",
    "Business",
];
const INCOME: [&str; 4] = ["Salary", "Freelance", "Interest", "Tax refund"];

const RULES: [(&str, &str); 27] = [
    ("hausverwaltung", "Rent"),
    ("rewe", "Groceries"),
    ("lidl", "Groceries"),
    ("edeka", "Groceries"),
    ("bio company", "Groceries"),
    ("aldi", "Groceries"),
    ("osteria", "Eating out"),
    ("kantine", "Eating out"),
    ("sushi", "Eating out"),
    ("café", "Eating out"),
    ("burgerei", "Eating out"),
    ("thai garden", "Eating out"),
    ("bvg", "Transport"),
    ("winsim", "Utilities"),
    ("vodafone", "Utilities"),
    ("vattenfall", "Utilities"),
    ("huk coburg", "Insurance"),
    ("netflix", "Subscriptions"),
    ("spotify", "Subscriptions"),
    ("tagesblatt", "Subscriptions"),
    ("icloud", "Subscriptions"),
    ("fitx", "Subscriptions"),
    ("nordlicht", "Salary"),
    ("brightline", "Freelance"),
    ("digitalocean", "Business"),
    ("interest", "Interest"),
    ("finanzamt", "Tax refund"),
];

pub async fn seed(app: &App, workspace_id: WorkspaceId, owner: &Profile) -> anyhow::Result<()> {
    let began = Instant::now();
    let today = Utc::now().date_naive();
    let entries = year(SEED, today);
    let seeding = Seeding {
        app,
        scope: DataScope { workspace_id, areas: Areas::WRITE },
        author: Author { profile_id: owner.id, agent: None },
    };
    seeding.accounts_and_categories().await?;
    seeding.transactions(&entries).await?;
    seeding.plans(&entries, today).await?;
    tracing::info!(transactions = entries.len(), took = ?began.elapsed(), "made a year of money for the demo");
    Ok(())
}

struct Seeding<'a> {
    app: &'a App,
    scope: DataScope,
    author: Author,
}

fn object(fields: Value) -> Map<String, Value> {
    fields.as_object().cloned().unwrap_or_default()
}

impl Seeding<'_> {
    fn id(&self, kind: &Kind, name: &str) -> Uuid {
        named_id(&[self.scope.workspace_id.0.as_bytes(), b"demo", kind.name.as_bytes(), name.as_bytes()])
    }

    fn row(&self, kind: &'static Kind, name: &str, fields: Value) -> RowChange {
        RowChange { kind, change: Change::Create { id: self.id(kind, name), fields: object(fields) } }
    }

    /// Makes these rows, unless a start that was cut short has made them.
    async fn make(&self, rows: Vec<RowChange>) -> anyhow::Result<()> {
        let Some(RowChange { kind, change: Change::Create { id, .. } }) = rows.first() else { return Ok(()) };
        if self.app.store.row(self.scope, kind, *id).await.is_ok() {
            return Ok(());
        }
        let made = self.app.store.change_rows(&Once::Unkeyed, self.scope, self.author, rows).await;
        made.map(drop).map_err(|refused| anyhow::anyhow!("the demo's data: {refused}"))
    }

    async fn accounts_and_categories(&self) -> anyhow::Result<()> {
        let account = |&(name, of, currency, number, institution, opening): &(
            &str,
            &str,
            &str,
            &str,
            &str,
            i64,
        )| {
            let fields = json!({
                "name": name, "type": of, "currency": currency, "number": number, "institution": institution,
                "opening_balance": opening,
            });
            self.row(&ACCOUNTS, name, fields)
        };
        self.make(ACCOUNT_ROWS.iter().map(account).collect()).await?;
        let category =
            |name: &&str, of: &str| self.row(&CATEGORIES, name, json!({ "name": name, "type": of }));
        let spending = SPENDING.iter().map(|name| category(name, "spending"));
        self.make(spending.chain(INCOME.iter().map(|name| category(name, "income"))).collect()).await?;
        let rule = |(at, (text, category)): (usize, &(&str, &str))| {
            let fields =
                json!({ "text": text, "category_id": self.id(&CATEGORIES, category), "position": at });
            self.row(&CATEGORY_RULES, text, fields)
        };
        self.make(RULES.iter().enumerate().map(rule).collect()).await
    }

    async fn transactions(&self, entries: &[Entry]) -> anyhow::Result<()> {
        let workspace_id = self.scope.workspace_id;
        let imports = self.app.store.imports(workspace_id, Window { limit: 50, offset: 0 }).await?;
        let is_done =
            imports.rows.iter().any(|it| it.filename == FILENAME && it.status == ImportStatus::Completed);
        if is_done {
            return Ok(());
        }
        let new = NewImport {
            workspace_id,
            profile_id: self.author.profile_id,
            kind: TRANSACTIONS.name,
            filename: FILENAME.to_owned(),
            is_dry_run: false,
            account_id: None,
        };
        let id = self.app.store.begin_import(new).await?;
        let file = file(entries)?;
        for (position, piece) in (0..).zip(file.chunks(PIECE)) {
            self.app.store.keep_piece(workspace_id, id.0, position, piece.to_vec()).await?;
        }
        self.app.store.end_upload(id, file.len() as u64).await?;
        let import = self.app.imports.finish(id).await?;
        if import.status != ImportStatus::Completed || import.counts.refused > 0 {
            let remarks = self.app.store.remarks(id).await?;
            bail!(
                "the demo's transactions did not come in: {:?}, {:?}, {remarks:?}",
                import.status,
                import.problem
            );
        }
        Ok(())
    }

    /// Budgets, one near its limit and one over it, goals and exchange rates.
    async fn plans(&self, entries: &[Entry], today: NaiveDate) -> anyhow::Result<()> {
        let first = today.with_day(1).unwrap_or(today);
        let spent = |category: &str| {
            let of_month = entries
                .iter()
                .filter(|entry| entry.day >= first && !entry.is_pending && entry.transfer.is_none());
            let amounts = of_month.map(|entry| match category_of(entry) == Some(category) {
                true if entry.parts.is_empty() => entry.amount,
                _ => entry.parts.iter().filter(|part| part.0 == category).map(|part| part.1).sum(),
            });
            (-amounts.sum::<i64>()).max(2_000)
        };
        // To whole tens of euros: 92 % spent, and 15 % over.
        let near = (spent("Groceries") * 100 / 92 / 500 + 1) * 500;
        let over = (spent("Eating out") * 100 / 115 / 500).max(1) * 500;
        let starts_on = (first - Months::new(11)).to_string();
        let budget = |name: &str, category: Option<&str>, period: &str, amount: i64| {
            let category = category.map(|category| self.id(&CATEGORIES, category));
            let fields = json!({
                "name": name, "category_id": category, "period": period, "amount": amount, "currency": "EUR",
                "starts_on": starts_on,
            });
            self.row(&BUDGETS, name, fields)
        };
        self.make(vec![
            budget("Groceries", Some("Groceries"), "month", near),
            budget("Eating out", Some("Eating out"), "month", over),
            budget("Subscriptions", Some("Subscriptions"), "month", 9_000),
            budget("Clothing", Some("Clothing"), "month", 20_000),
            budget("Travel", Some("Travel"), "year", 150_000),
            budget("Everything", None, "month", 320_000),
        ])
        .await?;
        let day = |months: u32| (today + Months::new(months)).to_string();
        let goal = |name: &str, fields: Value| self.row(&GOALS, name, fields);
        self.make(vec![
            goal("Emergency fund", json!({
                "name": "Emergency fund", "target_amount": 1_200_000, "currency": "EUR", "target_on": day(10),
                "account_id": self.id(&ACCOUNTS, SAVINGS), "starts_on": starts_on,
            })),
            goal("Japan", json!({
                "name": "Japan", "target_amount": 400_000, "currency": "EUR", "target_on": day(8), "saved_amount": 135_000,
                "starts_on": starts_on, "notes": "Three weeks, in spring",
            })),
            goal("Laptop", json!({
                "name": "Laptop", "target_amount": 159_900, "currency": "EUR", "saved_amount": 159_900,
                "starts_on": starts_on, "status": "completed",
            })),
        ])
        .await?;
        let rates = (0..12u32).flat_map(|ago| {
            let from = (first - Months::new(11 - ago)).to_string();
            let dollars = format!("0.9{:02}", 18 + (ago * 7) % 13);
            let pounds = format!("1.1{:02}", 62 + (ago * 5) % 17);
            [("USD", dollars), ("GBP", pounds)].map(|(code, rate)| {
                let fields =
                    json!({ "currency": code, "in_currency": "EUR", "rate": rate, "valid_from": from });
                self.row(&EXCHANGE_RATES, &format!("{code} {from}"), fields)
            })
        });
        self.make(rates.collect()).await
    }
}

/// The category that the entry names, else the one that the rules will give it.
fn category_of(entry: &Entry) -> Option<&'static str> {
    let folded = baton_core::text::fold(&format!("{}\n{}", entry.payee, entry.memo));
    let by_rule = || RULES.iter().find(|(text, _)| folded.contains(text)).map(|(_, category)| *category);
    entry.category.or_else(by_rule)
}

/// As an export of another Baton would be.
fn file(entries: &[Entry]) -> anyhow::Result<Vec<u8>> {
    let columns = csv::fields_of(&TRANSACTIONS);
    let mut writer = Writer::new(Vec::new(), columns.iter().map(|column| column.label.as_str()))?;
    for entry in entries {
        let cells: Vec<String> = columns.iter().map(|column| cell(entry, &column.name)).collect();
        writer.row(cells.iter().map(|cell| Cell::Plain(cell)))?;
    }
    Ok(writer.finish()?)
}

fn cell(entry: &Entry, column: &str) -> String {
    let currency = if entry.account == DOLLARS { Currency::USD } else { Currency::EUR };
    let foreign = entry.foreign.and_then(|(amount, code, rate)| Some((amount, Currency::parse(code)?, rate)));
    match column {
        "account_id" => entry.account.to_owned(),
        "booked_on" | "value_on" => entry.day.to_string(),
        "amount" => money::format(entry.amount, currency),
        "currency" => currency.code().to_owned(),
        "payee" => entry.payee.clone(),
        "memo" => entry.memo.to_owned(),
        "category_id" => entry.category.unwrap_or_default().to_owned(),
        "status" => if entry.is_pending { "pending" } else { "booked" }.to_owned(),
        "activity" => if entry.is_trade { "trade" } else { "payment" }.to_owned(),
        "transfer_id" => entry.transfer.clone().unwrap_or_default(),
        "foreign_amount" => foreign.map(|(amount, code, _)| money::format(amount, code)).unwrap_or_default(),
        "foreign_currency" => foreign.map(|(_, code, _)| code.code().to_owned()).unwrap_or_default(),
        "foreign_rate" => foreign.map(|(_, _, rate)| rate.to_owned()).unwrap_or_default(),
        csv::SPLITS if !entry.parts.is_empty() => {
            let part = |&(category, amount): &(&str, i64)| json!({ "category": category, "amount": money::format(amount, currency) });
            entry.parts.iter().map(part).collect::<Value>().to_string()
        }
        _ => String::new(),
    }
}
