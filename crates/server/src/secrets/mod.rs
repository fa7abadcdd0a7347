//! Secrets that Baton must read again, such as keys of model providers: how they are encrypted, with which key, and how
//! that key is changed. What is encrypted is kept by the store; the key never is.

mod keyring;
mod seal;
#[cfg(test)]
mod tests;
mod vault;

pub use keyring::{KEY_FILE, Keyring};
pub use vault::{Rotated, Unreadable, Vault, VaultError};
