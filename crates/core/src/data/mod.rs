//! The workspace's own data. Each kind of it (accounts, transactions, budgets …) is described once, in [`kinds`]:
//! validation, the rows API, CSV columns, the fields in tool schemas and the columns of the web app come from there.
//! Adding a field is one line there and a migration.

pub mod areas;
pub mod check;
pub mod duplicates;
pub mod exports;
pub mod imports;
pub mod kind;
pub mod kinds;
pub mod money;
pub mod projects;
pub mod rows;
pub mod sales;
pub mod shown;
