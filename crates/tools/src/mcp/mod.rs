//! The Model Context Protocol. Its wire code is in this folder and nowhere else: the protocol is going to change.

pub mod serve;
