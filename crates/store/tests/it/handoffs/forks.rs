//! Versions of a conversation that changed hands.
