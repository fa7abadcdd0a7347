//! What a node does beside its turns: it keeps its lease, takes over the turns of nodes that are gone, acts on hints
//! from other nodes, and ends in order.

mod claims;
pub mod drain;
mod hints;
mod lease;
mod loops;
mod upkeep;
