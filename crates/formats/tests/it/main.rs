//! The crate from outside: files of independent parsers, properties over random input, a large file.

#![allow(clippy::unwrap_used)]

mod large;
mod oracles;
mod people;
mod properties;
mod random;
