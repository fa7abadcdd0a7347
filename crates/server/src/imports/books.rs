//! The accounts, categories and rules of a workspace, as an import finds and makes them. It runs on a thread that may wait.
//!
//! What an import makes has an id that follows from the import and the name: after a crash it is found again, and known for its own.

use std::collections::HashMap;
use std::sync::Arc;

use aho_corasick::AhoCorasick;
use baton_core::data::imports::{ImportClaim, ImportedChange};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, CATEGORY_RULES};
use baton_core::data::rows::{Author, Change, DataScope, MAX_PAGE, Once, Row, RowChange, RowQuery};
use baton_core::ids::ImportId;
use baton_core::money::Currency;
use baton_core::store::{self, Store};
use baton_core::text;
use baton_formats::statement;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;
use uuid::Uuid;

/// Whether anything is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    DryRun,
    Import,
}

#[derive(Debug, Clone)]
pub struct BookAccount {
    pub id: Uuid,
    pub name: String,
    pub number: Option<String>,
    pub currency: Currency,
    pub opening_balance: i64,
    /// Made by this import.
    pub is_new: bool,
}

pub struct Books {
    store: Arc<dyn Store>,
    runtime: Handle,
    scope: DataScope,
    author: Author,
    claim: ImportClaim,
    mode: Mode,
    pub accounts: Vec<BookAccount>,
    /// By their folded names.
    categories: HashMap<String, Uuid>,
    category_ids: Vec<Uuid>,
    pub new_categories: Vec<String>,
    rules: Option<(AhoCorasick, Vec<Uuid>)>,
}

/// Why something could not be found or made: words for a row's refusal, or the store's own failure.
pub enum NotMade {
    Refused(String),
    Store(store::Error),
}

impl From<store::Error> for NotMade {
    fn from(error: store::Error) -> Self {
        Self::Store(error)
    }
}

/// All rows of a kind.
pub async fn all_rows(store: &dyn Store, scope: DataScope, kind: &'static Kind) -> store::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut cursor = None;
    loop {
        let query = RowQuery { limit: MAX_PAGE, cursor: cursor.take(), ..RowQuery::default() };
        let page = store.rows(scope, kind, query).await?;
        rows.extend(page.rows);
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(rows),
        }
    }
}

impl Books {
    pub async fn open(
        store: Arc<dyn Store>,
        scope: DataScope,
        author: Author,
        claim: ImportClaim,
        mode: Mode,
    ) -> store::Result<Self> {
        let text = |row: &Row, name: &str| row.fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut accounts = Vec::new();
        for row in all_rows(&*store, scope, &ACCOUNTS).await? {
            let name = text(&row, "name").unwrap_or_default();
            let number = text(&row, "number");
            let Some(currency) = text(&row, "currency").and_then(|code| Currency::parse(&code)) else {
                continue;
            };
            let opening_balance =
                row.fields.get("opening_balance").and_then(Value::as_i64).unwrap_or_default();
            let made = |key: &str| made_id(claim.import_id, "accounts", key) == row.id;
            let is_new = made(&name) || number.as_deref().is_some_and(|number| made(&plain(number)));
            accounts.push(BookAccount { id: row.id, name, number, currency, opening_balance, is_new });
        }
        let mut categories = HashMap::new();
        let (mut category_ids, mut new_categories) = (Vec::new(), Vec::new());
        for row in all_rows(&*store, scope, &CATEGORIES).await? {
            let name = text(&row, "name").unwrap_or_default();
            let folded = text::fold(&name);
            if made_id(claim.import_id, "categories", &folded) == row.id {
                new_categories.push(name);
            }
            category_ids.push(row.id);
            categories.insert(folded, row.id);
        }
        let (mut texts, mut given) = (Vec::new(), Vec::new());
        for row in all_rows(&*store, scope, &CATEGORY_RULES).await? {
            let category = text(&row, "category_id").and_then(|id| id.parse().ok());
            if let (Some(words), Some(category)) = (text(&row, "text"), category) {
                texts.push(text::fold(&words));
                given.push(category);
            }
        }
        let rules = AhoCorasick::new(&texts).ok().filter(|_| !texts.is_empty()).map(|find| (find, given));
        let runtime = Handle::current();
        Ok(Self {
            store,
            runtime,
            scope,
            author,
            claim,
            mode,
            accounts,
            categories,
            category_ids,
            new_categories,
            rules,
        })
    }

    pub fn account(&self, id: Uuid) -> Option<&BookAccount> {
        self.accounts.iter().find(|account| account.id == id)
    }

    /// By its number or its name.
    pub fn find_account(&self, named: &str) -> Option<&BookAccount> {
        let number = plain(named);
        let by_number =
            |account: &&BookAccount| account.number.as_deref().is_some_and(|it| plain(it) == number);
        let name = text::fold(named.trim());
        let by_name = |account: &&BookAccount| text::fold(&account.name) == name;
        let found = self.accounts.iter().find(by_number).filter(|_| !number.is_empty());
        found.or_else(|| self.accounts.iter().find(by_name))
    }

    /// The account of a statement, made if it is not there.
    pub fn account_of(
        &mut self,
        account: &statement::Account,
        is_named: bool,
        currency: Currency,
    ) -> Result<BookAccount, NotMade> {
        let Some(id) = account.id.as_deref().map(str::trim).filter(|id| !id.is_empty()) else {
            return Err(NotMade::Refused("the file does not say which account this is of".to_owned()));
        };
        if let Some(found) = self.find_account(id) {
            return Ok(found.clone());
        }
        let kind = account_type(account.kind.as_deref());
        let (name, number, key) = match is_named {
            true => (clipped(id, 100), None, clipped(id, 100)),
            false => (short_name(kind, id), Some(clipped(id, 64)), plain(id)),
        };
        let mut fields = Map::new();
        fields.insert("name".to_owned(), json!(name));
        fields.insert("type".to_owned(), json!(kind));
        fields.insert("currency".to_owned(), json!(currency.code()));
        fields.insert("number".to_owned(), json!(number));
        let made = self.make(&ACCOUNTS, &key, fields)?;
        let made = BookAccount { id: made, name, number, currency, opening_balance: 0, is_new: true };
        self.accounts.push(made.clone());
        Ok(made)
    }

    /// The category of this name, made if it is not there.
    pub fn category(&mut self, name: &str, amount: i64) -> Result<Uuid, NotMade> {
        let name = clipped(&cleaned(name), 100);
        let folded = text::fold(&name);
        if let Some(&found) = self.categories.get(&folded) {
            return Ok(found);
        }
        let mut fields = Map::new();
        fields.insert("name".to_owned(), json!(name));
        fields.insert("type".to_owned(), json!(if amount > 0 { "income" } else { "spending" }));
        let made = self.make(&CATEGORIES, &folded, fields)?;
        self.categories.insert(folded, made);
        self.category_ids.push(made);
        self.new_categories.push(name);
        Ok(made)
    }

    pub fn is_category(&self, id: Uuid) -> bool {
        self.category_ids.contains(&id)
    }

    /// The category that the first fitting rule gives.
    pub fn by_rule(&self, payee: Option<&str>, memo: Option<&str>) -> Option<Uuid> {
        let (find, given) = self.rules.as_ref()?;
        let mut first = usize::MAX;
        for field in [payee, memo].into_iter().flatten() {
            let folded = text::fold(field);
            first = find
                .find_overlapping_iter(&folded)
                .map(|found| found.pattern().as_usize())
                .fold(first, usize::min);
        }
        given.get(first).copied()
    }

    fn make(&self, kind: &'static Kind, key: &str, fields: Map<String, Value>) -> Result<Uuid, NotMade> {
        let id = made_id(self.claim.import_id, kind.name, key);
        if self.mode == Mode::DryRun {
            return Ok(id);
        }
        // Noted first: after a crash it is known for this import's.
        let intent = ImportedChange { row_id: id, kind: kind.name.to_owned(), change_id: None, version: 1 };
        self.runtime.block_on(self.store.note_changes(self.claim, vec![intent]))?;
        let change = RowChange { kind, change: Change::Create { id, fields } };
        let made = self.store.change_rows(&Once::Unkeyed, self.scope, self.author, vec![change]);
        self.runtime.block_on(made).map_err(refused)?;
        Ok(id)
    }
}

/// What people or the store have against a change.
pub fn refused(error: baton_core::effects::EffectRefused) -> NotMade {
    use baton_core::effects::EffectRefused;
    match error {
        EffectRefused::Store(store::Error::Invalid(invalid)) => NotMade::Refused(invalid.to_string()),
        EffectRefused::Store(
            error @ (store::Error::NameTaken { .. }
            | store::Error::TooMany { .. }
            | store::Error::NotFound(_)),
        ) => NotMade::Refused(error.to_string()),
        EffectRefused::Store(error) => NotMade::Store(error),
        other => NotMade::Refused(other.to_string()),
    }
}

/// The id of what an import makes under this name.
pub fn made_id(import: ImportId, kind: &str, key: &str) -> Uuid {
    named_id(&[import.0.as_bytes(), kind.as_bytes(), key.as_bytes()])
}

/// An id that follows from these.
pub fn named_id(parts: &[&[u8]]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// A number without spaces and signs, as files write it differently.
fn plain(number: &str) -> String {
    number.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

fn account_type(kind: Option<&str>) -> &'static str {
    match kind.unwrap_or_default().to_uppercase().as_str() {
        "SAVINGS" | "MONEYMRKT" | "CD" => "savings",
        "CREDITCARD" | "CREDITLINE" | "CCARD" => "credit_card",
        "INVESTMENT" | "INVST" => "investment",
        "CASH" => "cash",
        "OTH L" | "OTHL" => "loan",
        "OTH A" | "OTHA" => "other",
        _ => "checking",
    }
}

fn short_name(kind: &str, number: &str) -> String {
    let label = match kind {
        "savings" => "Savings",
        "credit_card" => "Credit card",
        "investment" => "Investment",
        "cash" => "Cash",
        "loan" => "Loan",
        "other" => "Account",
        _ => "Checking",
    };
    let number = plain(number);
    let last: String = number.chars().skip(number.chars().count().saturating_sub(4)).collect();
    format!("{label} …{last}")
}

/// One line, as long as its column takes.
pub fn clipped(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Without control characters, and with single spaces.
pub fn cleaned(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
