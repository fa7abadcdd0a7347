//! A workspace's money made from dice, kept twice: in the store, and here.

use baton_core::data::areas::Areas;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACCOUNTS, BUDGETS, CATEGORIES, EXCHANGE_RATES, GOALS, TRANSACTIONS};
use baton_core::data::money::{Part, Transfer};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::ids::ProfileId;
use baton_core::money::Currency;
use baton_core::reports::{Account, Budget, BudgetPeriod, Category, Goal, ReportAnswer, ReportQuery, Side};
use baton_core::store::{MoneyRows, Reports, Rows, Split};
use chrono::{Days, NaiveDate};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Told;

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Payment,
    Split,
    Pending,
    Deleted,
    Transfer,
    OneSidedTransfer,
    Trade,
}

impl Flavour {
    pub const ALL: [Self; 7] = [
        Self::Payment,
        Self::Split,
        Self::Pending,
        Self::Deleted,
        Self::Transfer,
        Self::OneSidedTransfer,
        Self::Trade,
    ];
}

#[derive(Debug, Clone)]
pub struct Transaction {
    pub id: Uuid,
    pub account: Uuid,
    pub on: NaiveDate,
    pub amount: i64,
    pub payee: Option<String>,
    pub memo: Option<String>,
    pub category: Option<Uuid>,
    pub parts: Vec<Part>,
    pub flavour: Flavour,
}

pub struct Book {
    pub told: Told,
    pub scope: DataScope,
    author: Author,
    pub accounts: Vec<Account>,
    pub categories: Vec<Category>,
    pub budgets: Vec<Budget>,
    pub goals: Vec<Goal>,
    pub transactions: Vec<Transaction>,
}

impl Book {
    /// Three accounts that people use, one at a broker, categories of both sides, budgets and goals.
    pub async fn open(rng: &mut fastrand::Rng) -> Self {
        let told = Told::begin().await;
        let (ana, workspace_id) = told.person("ana@example.org").await;
        let scope = DataScope { workspace_id, areas: Areas::WRITE };
        let author = Author { profile_id: ana.id, agent: None };
        let mut book = Self {
            told,
            scope,
            author,
            accounts: vec![],
            categories: vec![],
            budgets: vec![],
            goals: vec![],
            transactions: vec![],
        };
        for (name, code) in [("Everyday", "EUR"), ("Savings", "EUR"), ("Travel", "USD"), ("Broker", "EUR")] {
            book.account(name, code, rng.i64(-5_000..500_000)).await;
        }
        for (name, side) in [
            ("Groceries", Side::Spending),
            ("Rent", Side::Spending),
            ("Fun", Side::Spending),
            ("Salary", Side::Income),
            ("Interest", Side::Income),
        ] {
            let id = book.create(&CATEGORIES, json!({"name": name, "type": side})).await;
            book.categories.push(Category { id, name: name.into(), side });
        }
        book.categories.sort_by(|a, b| a.name.cmp(&b.name));
        for (at, period) in
            [BudgetPeriod::Week, BudgetPeriod::Month, BudgetPeriod::Year].into_iter().enumerate()
        {
            for rolls_over in [false, true] {
                book.budget(rng, at, period, rolls_over).await;
            }
        }
        book.goal("Bicycle", Some(1)).await;
        book.goal("Guitar", None).await;
        book
    }

    async fn account(&mut self, name: &str, code: &str, opening: i64) {
        let fields = json!({"name": name, "currency": code, "opening_balance": opening});
        let id = self.create(&ACCOUNTS, fields).await;
        let currency = Currency::parse(code).unwrap();
        let account_type = "checking".to_owned();
        let account = Account {
            id,
            name: name.into(),
            account_type,
            currency,
            opening_balance: opening,
            is_closed: false,
        };
        self.accounts.push(account);
    }

    async fn budget(&mut self, rng: &mut fastrand::Rng, at: usize, period: BudgetPeriod, rolls_over: bool) {
        let category = rng
            .bool()
            .then(|| self.categories.iter().filter(|one| one.side == Side::Spending).nth(at).unwrap().id);
        let starts_on = day("2025-08-11") + Days::new(rng.u64(0..200));
        let name = format!("{period} {rolls_over}");
        let amount = rng.i64(1..100_000);
        let ends_on = rng.bool().then(|| starts_on + Days::new(rng.u64(1..500)));
        let fields = json!({
            "name": name, "category_id": category, "period": period, "amount": amount, "currency": "EUR",
            "rolls_over": rolls_over, "starts_on": starts_on, "ends_on": ends_on,
        });
        let id = self.create(&BUDGETS, fields).await;
        let currency = Currency::EUR;
        let budget = Budget {
            id,
            name,
            category_id: category,
            period,
            amount,
            currency,
            rolls_over,
            starts_on,
            ends_on,
        };
        self.budgets.push(budget);
        self.budgets.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    }

    async fn goal(&mut self, name: &str, account: Option<usize>) {
        let account_id = account.map(|at| self.accounts[at].id);
        let fields = json!({
            "name": name, "target_amount": 2_000_000, "currency": "EUR", "target_on": "2028-01-01",
            "account_id": account_id, "saved_amount": 12_345, "starts_on": "2025-09-01",
        });
        let id = self.create(&GOALS, fields).await;
        self.goals.push(Goal {
            id,
            name: name.into(),
            target_amount: 2_000_000,
            currency: Currency::EUR,
            target_on: Some(day("2028-01-01")),
            account_id,
            saved_amount: 12_345,
            starts_on: day("2025-09-01"),
            status: "active".into(),
        });
    }

    pub async fn rate(&self, of: &str, to: &str, rate: &str, from: &str) {
        self.create(
            &EXCHANGE_RATES,
            json!({"currency": of, "in_currency": to, "rate": rate, "valid_from": from}),
        )
        .await;
    }

    async fn create(&self, kind: &'static Kind, fields: Value) -> Uuid {
        let id = Uuid::now_v7();
        let fields = fields.as_object().unwrap().clone();
        self.change(vec![RowChange { kind, change: Change::Create { id, fields } }]).await;
        id
    }

    pub fn person(&self) -> ProfileId {
        self.author.profile_id
    }

    async fn change(&self, changes: Vec<RowChange>) {
        self.told.store.change_rows(&Once::Unkeyed, self.scope, self.author, changes).await.unwrap();
    }

    /// Transactions of these kinds, somewhere in a year and a half.
    pub async fn write(&mut self, rng: &mut fastrand::Rng, number: usize, flavours: &[Flavour]) {
        for _ in 0..number {
            let flavour = *rng.choice(flavours).unwrap();
            let mut one = self.any(rng, flavour);
            if flavour == Flavour::Transfer {
                one.account = self.accounts[0].id;
                let mut other = one.clone();
                (other.id, other.account, other.amount) = (Uuid::now_v7(), self.accounts[3].id, -one.amount);
                self.enter(&one).await;
                self.enter(&other).await;
                let pair = Transfer::Pair(one.id, other.id);
                self.told.store.mark_transfer(&Once::Unkeyed, self.scope, self.author, pair).await.unwrap();
                self.transactions.push(other);
            } else {
                self.enter(&one).await;
            }
            self.finish(&one).await;
            self.transactions.push(one);
        }
    }

    fn any(&self, rng: &mut fastrand::Rng, flavour: Flavour) -> Transaction {
        // All that is at the broker is traded, or moved from and to it.
        let account = if flavour == Flavour::Trade { 3 } else { rng.usize(0..3) };
        let mut amount = rng.i64(-20_000..15_000);
        if amount == 0 {
            amount = -1;
        }
        let some = |rng: &mut fastrand::Rng| {
            rng.choice(&self.categories).map(|one| one.id).filter(|_| rng.u8(0..5) > 0)
        };
        let mut parts = Vec::new();
        if flavour == Flavour::Split {
            let first = rng.i64(-20_000..-15_000);
            let second = rng.i64(1..500);
            for amount in [first, second, amount - first - second] {
                parts.push(Part { category_id: some(rng), amount, memo: None });
            }
        }
        let payee = ["Shop", "shop ", "Landlord", "Netradio", "Employer", "Café"];
        Transaction {
            id: Uuid::now_v7(),
            account: self.accounts[account].id,
            on: day("2025-06-01") + Days::new(rng.u64(0..520)),
            amount,
            payee: (rng.u8(0..8) > 0).then(|| rng.choice(payee).unwrap().trim().to_owned()),
            memo: rng.bool().then(|| "memo".to_owned()),
            category: if flavour == Flavour::Split { None } else { some(rng) },
            parts,
            flavour,
        }
    }

    async fn enter(&self, one: &Transaction) {
        let status = if one.flavour == Flavour::Pending { "pending" } else { "booked" };
        let fields = json!({
            "account_id": one.account, "booked_on": one.on, "amount": one.amount, "payee": one.payee,
            "memo": one.memo, "category_id": one.category, "status": status,
        });
        let fields = fields.as_object().unwrap().clone();
        self.change(vec![RowChange { kind: &TRANSACTIONS, change: Change::Create { id: one.id, fields } }])
            .await;
    }

    async fn finish(&self, one: &Transaction) {
        let store = &self.told.store;
        match one.flavour {
            Flavour::Payment | Flavour::Pending | Flavour::Transfer => {}
            Flavour::Split => {
                let split = Split { transaction: one.id, seen: None, parts: one.parts.clone() };
                store.split_transaction(&Once::Unkeyed, self.scope, self.author, split).await.unwrap();
            }
            Flavour::Deleted => {
                let change = Change::Delete { id: one.id, seen: None };
                self.change(vec![RowChange { kind: &TRANSACTIONS, change }]).await;
            }
            Flavour::OneSidedTransfer => {
                let transfer = Transfer::OneSide(one.id);
                store.mark_transfer(&Once::Unkeyed, self.scope, self.author, transfer).await.unwrap();
            }
            Flavour::Trade => self.trade(one).await,
        }
    }

    /// Only imports bring trades. The account has no payments, so its sums of payments are those of this trade.
    async fn trade(&self, one: &Transaction) {
        let raw = self.told.raw().await;
        let run = async |sql: &str, id: Uuid| {
            let statement = Statement::from_sql_and_values(raw.get_database_backend(), sql, [id.into()]);
            raw.execute_raw(statement).await.unwrap();
        };
        run("UPDATE transactions SET activity = 'trade' WHERE id = $1", one.id).await;
        for sql in [
            "UPDATE month_sums SET money_in = month_sums.money_in + new.money_in, \
             money_out = month_sums.money_out + new.money_out, entries = month_sums.entries + new.entries \
             FROM month_sums AS new WHERE new.account_id = $1 AND new.flow = 'payment' \
             AND month_sums.account_id = new.account_id AND month_sums.flow = 'trade' AND month_sums.month = new.month \
             AND month_sums.category_id = new.category_id",
            "DELETE FROM month_sums WHERE account_id = $1 AND flow = 'payment' AND EXISTS (\
             SELECT 1 FROM month_sums AS kept WHERE kept.account_id = $1 AND kept.flow = 'trade' \
             AND kept.month = month_sums.month AND kept.category_id = month_sums.category_id)",
            "UPDATE month_sums SET flow = 'trade' WHERE account_id = $1 AND flow = 'payment'",
        ] {
            run(sql, one.account).await;
        }
    }

    pub async fn ask(&self, query: ReportQuery) -> ReportAnswer {
        let asked = format!("{query:?}");
        self.told.store.report(self.scope, query).await.unwrap_or_else(|error| panic!("{error}: {asked}"))
    }
}
