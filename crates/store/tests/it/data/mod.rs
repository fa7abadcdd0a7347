//! The workspace's data, through the descriptions of its kinds.

mod as_shown;
mod money;
mod once;
mod projects;
mod reading;
mod rows;
mod sales;
mod sales_speed;
mod sums;
mod tables;
mod undo;

use std::time::{Duration, Instant};

use baton_core::data::areas::Areas;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACCOUNTS, CATEGORIES, TRANSACTIONS};
use baton_core::data::rows::{Author, Change, DataScope, Once, Row, RowChange, RowPage, RowQuery};
use baton_core::effects::{CallPlace, Effect, EffectRefused, Shown};
use baton_core::store::{Error, Rows, Written};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::cast::{Begun, Cast};

/// Someone who works with the data of a workspace.
pub struct Desk {
    pub cast: Cast,
    pub scope: DataScope,
    pub author: Author,
}

pub fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// The words of a refusal.
pub fn words(written: Written) -> String {
    match written {
        Err(EffectRefused::NotNow(words)) => words,
        Err(EffectRefused::Store(
            error
            @ (Error::Invalid(_) | Error::NameTaken { .. } | Error::NotFound(_) | Error::AreaRefused(_)),
        )) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

impl Desk {
    pub async fn set_up() -> Self {
        let cast = Cast::gather().await;
        let scope = DataScope { workspace_id: cast.workspace, areas: Areas::WRITE };
        let author = Author { profile_id: cast.ana, agent: None };
        Self { cast, scope, author }
    }

    pub async fn change(&self, kind: &'static Kind, change: Change) -> Written {
        let changes = vec![RowChange { kind, change }];
        self.cast.told.store.change_rows(&Once::Unkeyed, self.scope, self.author, changes).await
    }

    pub async fn create(&self, kind: &'static Kind, row: Value) -> Written {
        self.change(kind, Change::Create { id: Uuid::now_v7(), fields: fields(row) }).await
    }

    /// The id of a new row.
    pub async fn made(&self, kind: &'static Kind, row: Value) -> Uuid {
        let outcome = self.create(kind, row).await.unwrap();
        outcome["rows"][0]["id"].as_str().unwrap().parse().unwrap()
    }

    pub async fn set(&self, kind: &'static Kind, id: Uuid, row: Value) -> Written {
        self.change(kind, Change::Set { id, seen: None, fields: fields(row) }).await
    }

    pub async fn delete(&self, kind: &'static Kind, id: Uuid) -> Written {
        self.change(kind, Change::Delete { id, seen: None }).await
    }

    pub async fn row(&self, kind: &'static Kind, id: Uuid) -> Row {
        self.cast.told.store.row(self.scope, kind, id).await.unwrap()
    }

    pub async fn page(&self, kind: &'static Kind, query: RowQuery) -> RowPage {
        self.cast.told.store.rows(self.scope, kind, query).await.unwrap()
    }

    pub async fn account(&self, name: &str) -> Uuid {
        self.made(&ACCOUNTS, json!({"name": name, "currency": "EUR"})).await
    }

    pub async fn category(&self, name: &str) -> Uuid {
        self.made(&CATEGORIES, json!({"name": name})).await
    }

    pub async fn transaction(&self, account: Uuid, on: &str, amount: i64, payee: &str) -> Uuid {
        let row = json!({"account_id": account, "booked_on": on, "amount": amount, "payee": payee});
        self.made(&TRANSACTIONS, row).await
    }

    pub async fn end(self) {
        self.cast.told.end().await;
    }
}

pub fn call(begun: &Begun, seq: i64) -> Once {
    Once::Call(Effect {
        call: CallPlace { conversation_id: begun.id, seq, fence: begun.fence() },
        args_hash: "these".to_owned(),
        deadline: Instant::now() + Duration::from_secs(60),
        shown: Shown::default(),
    })
}

pub fn changes_of(outcome: &Value) -> Vec<Uuid> {
    outcome["changes"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect()
}
