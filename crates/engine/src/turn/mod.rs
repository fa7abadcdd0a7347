//! A turn without I/O: its state, folded from its steps (`state.rs`), what it does next (`run.rs`), how it ends
//! (`ending.rs`).

pub mod ending;
pub mod results;
pub mod run;
pub mod state;
