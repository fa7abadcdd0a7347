//! The four tools over a workspace's money. `desk.rs` is what a call works with, `names.rs` finds what people and models
//! call by name, `arguments.rs` reads what is asked, `fields.rs` takes fields from the descriptions of their kinds, `preview.rs`
//! says what a call would change, and `told.rs` puts reports into words and figures that need no arithmetic. Then there is a file per tool.
//!
//! What a transaction says of itself is data. It comes back in a result like any other and changes nothing: a write is
//! approved by a person, and nothing here reaches another workspace.

mod accounts;
pub(crate) mod arguments;
mod budgets;
pub(crate) mod desk;
pub(crate) mod fields;
mod goals;
pub mod names;
mod preview;
pub(crate) mod told;
mod transactions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use baton_core::store::{Effects, MoneyRows, Reports, Rows};
use baton_core::tools::Tool;

pub use accounts::NAME as ACCOUNTS;
pub use budgets::NAME as BUDGETS;
pub use goals::NAME as GOALS;
pub use transactions::NAME as TRANSACTIONS;

/// What the tools ask of the store.
#[derive(Clone)]
pub struct MoneyStore {
    pub rows: Arc<dyn Rows>,
    pub money: Arc<dyn MoneyRows>,
    pub reports: Arc<dyn Reports>,
    pub effects: Arc<dyn Effects>,
}

/// The tool of this name, if it is one of these.
pub fn tool(name: &str, store: &MoneyStore) -> Option<Arc<dyn Tool>> {
    Some(match name {
        TRANSACTIONS => Arc::new(transactions::Transactions(store.clone())),
        BUDGETS => Arc::new(budgets::Budgets(store.clone())),
        ACCOUNTS => Arc::new(accounts::Accounts(store.clone())),
        GOALS => Arc::new(goals::Goals(store.clone())),
        _ => return None,
    })
}
