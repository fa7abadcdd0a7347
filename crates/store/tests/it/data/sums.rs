//! The sums of months and the numbers of rows say what the rows say, whatever was done to them.

use std::collections::BTreeMap;

use baton_core::data::check::bytes;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, TRANSACTIONS};
use baton_core::data::money::{Part, SumChanges, Transfer, Which};
use baton_core::data::rows::{Change, RowQuery};
use baton_core::effects::EffectRefused;
use baton_core::store::{Error, Written};
use chrono::NaiveDate;
use fastrand::Rng;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use uuid::Uuid;

use super::{Desk, changes_of};

/// What random operations work on.
struct Pool {
    accounts: Vec<Uuid>,
    categories: Vec<Uuid>,
    transactions: Vec<Uuid>,
    changes: Vec<Uuid>,
}

impl Desk {
    /// One operation. It may be refused with words; anything else is a failure.
    async fn anything(&self, random: &mut Rng, pool: &mut Pool) {
        let account = *random.choice(&pool.accounts).unwrap();
        let category = random.choice(&pool.categories).copied().filter(|_| random.f64() < 0.8);
        let id = random.choice(&pool.transactions).copied().unwrap_or_default();
        let amount = random.i64(-900..900);
        let day = format!("2026-0{}-{:02}", random.u32(1..4), random.u32(1..29));
        let written = match random.u32(0..11) {
            0..=2 => {
                let status = if random.f64() < 0.2 { "pending" } else { "booked" };
                let row = json!({"account_id": account, "booked_on": day, "amount": amount, "category_id": category,
                                 "status": status, "payee": "Someone"});
                self.create(&TRANSACTIONS, row).await
            }
            3 => self.set(&TRANSACTIONS, id, json!({"amount": amount, "booked_on": day})).await,
            4 => self.set(&TRANSACTIONS, id, json!({"category_id": category, "notes": "n".repeat(9)})).await,
            5 => self.delete(&TRANSACTIONS, id).await,
            6 => self.change(&TRANSACTIONS, Change::Restore { id }).await,
            7 => {
                let whole = self.cast.told.row_amount(id).await.unwrap_or_default();
                let part = |amount| Part { category_id: category, amount, memo: None };
                let parts =
                    if random.f64() < 0.7 { vec![part(amount), part(whole - amount)] } else { vec![] };
                self.split(id, parts).await
            }
            8 => match random.f64() < 0.6 {
                true => self.transfer(Transfer::OneSide(id)).await,
                false => self.unmark(id).await,
            },
            9 => {
                let some = pool.transactions.iter().copied().filter(|_| random.f64() < 0.3).collect();
                self.categorise(Which::These(some), category).await
            }
            _ => {
                let some: Vec<Uuid> = random.choice(&pool.changes).into_iter().copied().collect();
                self.undo(some).await
            }
        };
        if let Some(outcome) = told(written) {
            for row in outcome["rows"].as_array().unwrap() {
                let id = row["id"].as_str().unwrap().parse().unwrap();
                if row["kind"] == "transactions" && !pool.transactions.contains(&id) {
                    pool.transactions.push(id);
                }
            }
            pool.changes.extend(changes_of(&outcome));
        }
    }

    async fn pool(&self) -> Pool {
        let (accounts, categories) = (
            vec![self.account("Giro").await, self.account("Cash").await],
            vec![self.category("Food").await, self.category("Fun").await],
        );
        Pool { accounts, categories, transactions: Vec::new(), changes: Vec::new() }
    }

    /// The kept sums and numbers are those of the rows.
    async fn adds_up(&self, seed: u64) {
        let raw = self.cast.told.raw().await;
        let mut cursor = None;
        let (mut expected, mut number) = (SumChanges::default(), 0);
        loop {
            let query = RowQuery { limit: 500, cursor: cursor.take(), ..Default::default() };
            let page = self.page(&TRANSACTIONS, query).await;
            for row in &page.rows {
                expected.count_transaction(&row.fields, 1);
                number += 1;
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                assert_eq!(page.total, number, "seed {seed}");
                break;
            }
        }
        let expected: BTreeMap<_, _> = expected
            .changes()
            .map(|(key, sum)| {
                let key = (key.account_id, key.month, key.category_id, key.flow.as_str().to_owned());
                (key, (sum.money_in, sum.money_out, sum.entries))
            })
            .collect();
        let sql = "SELECT * FROM month_sums";
        let rows = raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        let kept: BTreeMap<_, _> = rows
            .iter()
            .map(|row| {
                let id = |name: &str| row.try_get::<Uuid>("", name).unwrap();
                let number = |name: &str| row.try_get::<i64>("", name).unwrap();
                let month: NaiveDate = row.try_get("", "month").unwrap();
                let flow: String = row.try_get("", "flow").unwrap();
                let key = (id("account_id"), month, id("category_id"), flow);
                (key, (number("money_in").into(), number("money_out").into(), number("entries")))
            })
            .collect();
        assert_eq!(kept, expected, "seed {seed}");
        for kind in [&ACCOUNTS, &CATEGORIES] {
            let page = self.page(kind, RowQuery { limit: 500, ..Default::default() }).await;
            let size = page.rows.iter().map(|row| bytes(&row.fields)).sum::<i64>();
            assert_eq!(self.bytes_of(kind).await, size, "seed {seed}, {}", kind.name);
        }
        raw.close().await.unwrap();
    }

    async fn bytes_of(&self, kind: &Kind) -> i64 {
        let raw = self.cast.told.raw().await;
        let sql = format!("SELECT bytes FROM data_totals WHERE kind = '{}'", kind.name);
        let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        raw.close().await.unwrap();
        row.map_or(0, |row| row.try_get("", "bytes").unwrap())
    }
}

/// What came of it, unless it was refused with words.
fn told(written: Written) -> Option<serde_json::Value> {
    match written {
        Ok(outcome) => Some(outcome),
        Err(EffectRefused::NotNow(_) | EffectRefused::Store(Error::Invalid(_) | Error::NotFound(_))) => None,
        Err(error) => panic!("{error:?}"),
    }
}

impl crate::Told {
    /// The amount of a transaction, deleted or not.
    async fn row_amount(&self, id: Uuid) -> Option<i64> {
        let raw = self.raw().await;
        let sql = "SELECT amount FROM transactions WHERE id = $1";
        let statement = Statement::from_sql_and_values(raw.get_database_backend(), sql, [id.into()]);
        let row = raw.query_one_raw(statement).await.unwrap();
        raw.close().await.unwrap();
        row.map(|row| row.try_get("", "amount").unwrap())
    }
}

fn seed() -> u64 {
    let seed = std::env::var("BATON_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("BATON_SEED={seed}");
    seed
}

#[tokio::test]
async fn sums_follow_whatever_is_done() {
    let desk = Desk::set_up().await;
    let seed = seed();
    let mut random = Rng::with_seed(seed);
    let mut pool = desk.pool().await;
    for _ in 0..5 {
        for _ in 0..40 {
            desk.anything(&mut random, &mut pool).await;
        }
        desk.adds_up(seed).await;
    }
    desk.end().await;
}

#[tokio::test]
async fn sums_hold_when_writers_meet() {
    let desk = Desk::set_up().await;
    let seed = seed();
    let mut pool = desk.pool().await;
    let mut random = Rng::with_seed(seed);
    for _ in 0..15 {
        desk.anything(&mut random, &mut pool).await;
    }
    let writer = async |number: u64| {
        let mut random = Rng::with_seed(seed.wrapping_add(number));
        let mut own = Pool {
            accounts: pool.accounts.clone(),
            categories: pool.categories.clone(),
            transactions: pool.transactions.clone(),
            changes: pool.changes.clone(),
        };
        for _ in 0..25 {
            desk.anything(&mut random, &mut own).await;
        }
    };
    tokio::join!(writer(1), writer(2), writer(3), writer(4));
    desk.adds_up(seed).await;
    desk.end().await;
}
