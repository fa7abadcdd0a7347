//! The turn.
