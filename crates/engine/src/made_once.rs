//! Things made from the database and kept under the number of changes that they were read at: each is made once, however
//! many turns ask for it at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::OnceCell;

use crate::hub::lock;

/// Not for ever, all the same: someone may have changed something by hand in the database.
const KEPT_TIME: Duration = Duration::from_secs(30);

type Making<V> = Arc<OnceCell<Arc<V>>>;

pub struct MadeOnce<K, V>(Mutex<Kept<K, V>>);

struct Kept<K, V> {
    generation: u64,
    places: HashMap<K, (Instant, Making<V>)>,
}

impl<K, V> Default for MadeOnce<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Kept { generation: 0, places: HashMap::new() }))
    }
}

impl<K: Eq + Hash, V> MadeOnce<K, V> {
    /// As it was at this number of changes or later; without one it is made anew.
    pub async fn get<E>(
        &self,
        known: Option<u64>,
        key: K,
        make: impl Future<Output = Result<Arc<V>, E>>,
    ) -> Result<Arc<V>, E> {
        match known.and_then(|generation| lock(&self.0).place(generation, key)) {
            Some(making) => making.get_or_try_init(|| make).await.cloned(),
            None => make.await,
        }
    }
}

impl<K: Eq + Hash, V> Kept<K, V> {
    /// Where it is, or is to be; nowhere if newer ones are kept.
    fn place(&mut self, generation: u64, key: K) -> Option<Making<V>> {
        if self.generation < generation {
            *self = Self { generation, places: HashMap::new() };
        }
        if self.generation > generation {
            return None;
        }
        let fresh = || (Instant::now(), Making::default());
        let place = self.places.entry(key).or_insert_with(fresh);
        if place.0.elapsed() > KEPT_TIME {
            *place = fresh();
        }
        Some(place.1.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_kept_is_as_new_as_asked_for() {
        let made: MadeOnce<u8, &str> = MadeOnce::default();
        let get = async |known, value: &'static str| {
            *made.get(known, 7, async { Ok::<_, ()>(Arc::new(value)) }).await.expect("made")
        };
        assert_eq!(get(Some(1), "first").await, "first");
        assert_eq!(get(Some(1), "again").await, "first");
        assert_eq!(get(Some(2), "changed").await, "changed");
        assert_eq!(get(Some(1), "asked before it changed").await, "asked before it changed");
        assert_eq!(get(None, "now").await, "now");
        assert_eq!(get(Some(2), "again").await, "changed");
        let failed = made.get(Some(2), 8, async { Err("no answer") }).await;
        assert_eq!(failed.expect_err("an error"), "no answer");
        assert!(made.get(Some(2), 8, async { Ok::<_, ()>(Arc::new("there")) }).await.is_ok());
    }
}
