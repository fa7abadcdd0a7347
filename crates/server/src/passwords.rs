//! Passwords: argon2id, off the async threads, a few at a time (each takes 19 MiB by design).

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OnceCell, Semaphore};

pub struct Passwords {
    at_once: Arc<Semaphore>,
    /// What an unknown address is checked against, so that it takes as long as a known one.
    nobody: OnceCell<String>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self { at_once: Arc::new(Semaphore::new(cores)), nobody: OnceCell::new() }
    }
}

impl Passwords {
    pub async fn hash(&self, password: &str) -> anyhow::Result<String> {
        let password = password.to_owned();
        self.blocking(move || {
            let hash = Argon2::default().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| anyhow::anyhow!("could not hash: {error}"))
        })
        .await?
    }

    /// Whether the password fits. Without a hash to check against it does the same work and says no.
    pub async fn verify(&self, password: &str, hash: Option<String>) -> anyhow::Result<bool> {
        let known = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.nobody.get_or_try_init(|| self.hash("nobody has this password")).await?.clone(),
        };
        let password = password.to_owned();
        self.blocking(move || {
            let fits = PasswordHash::new(&hash)
                .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
            fits && known
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        let permit = self.at_once.clone().acquire_owned().await?;
        // The permit goes along: the work goes on even when whoever asked for it has gone.
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        Ok(tokio::task::spawn_blocking(work).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_right_password_fits_and_no_other() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse").await.expect("a hash");
        assert!(hash.starts_with("$argon2id$"));
        assert!(passwords.verify("correct horse", Some(hash.clone())).await.expect("an answer"));
        assert!(!passwords.verify("wrong horse", Some(hash)).await.expect("an answer"));
        assert!(!passwords.verify("nobody has this password", None).await.expect("an answer"));
    }
}
