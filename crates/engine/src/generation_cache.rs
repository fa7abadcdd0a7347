//! A cache of what is read from the database again and again. An entry is kept as long as nothing in the database has
//! changed: it remembers the number of changes at which it was read. That number comes from the store
//! (`Store::generation`), or a commit will confirm it (`Store::last_generation`).

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::OnceCell;

use crate::lock::lock;

/// Not for ever, all the same: sessions run out, tokens note now and then that they are used, and someone may have changed
/// something by hand in the database.
const KEPT_TIME: Duration = Duration::from_secs(30);
const MOST: usize = 10_000;

pub struct GenerationCache<K, V>(Mutex<Values<K, V>>);

struct Values<K, V> {
    generation: u64,
    values: HashMap<K, (V, Instant)>,
}

impl<K, V> Default for GenerationCache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Values { generation: 0, values: HashMap::new() }))
    }
}

impl<K: Eq + Hash + Clone, V: Clone> GenerationCache<K, V> {
    /// The value for a key at this number of changes, found again if it has to be; without a number nothing is kept. Nor is it
    /// kept that there is none.
    pub async fn find<E>(
        &self,
        known: Option<u64>,
        key: &K,
        find: impl Future<Output = Result<Option<V>, E>>,
    ) -> Result<Option<V>, E> {
        let Some(generation) = known else { return find.await };
        if let Some(value) = lock(&self.0).look(generation, key) {
            return Ok(Some(value));
        }
        let found = find.await?;
        if let Some(value) = &found {
            lock(&self.0).keep(generation, key, value);
        }
        Ok(found)
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Values<K, V> {
    fn look(&mut self, generation: u64, key: &K) -> Option<V> {
        if self.generation < generation {
            *self = Self { generation, values: HashMap::new() };
        }
        let (value, since) = self.values.get(key).filter(|_| self.generation == generation)?;
        (since.elapsed() < KEPT_TIME).then(|| value.clone())
    }

    /// Whether there is a place for it. What was read before the database changed again is right for who asked, and not for
    /// the next.
    fn keep(&mut self, generation: u64, key: &K, value: &V) -> bool {
        let has_place = self.values.len() < MOST || self.values.contains_key(key);
        let keeps = self.generation == generation && has_place;
        if keeps {
            self.values.insert(key.clone(), (value.clone(), Instant::now()));
        }
        keeps
    }
}

type Making<V> = Arc<OnceCell<Arc<V>>>;

/// The same for things that take a while: each is made once, however many turns ask for it at the same time.
pub struct MadeOnce<K, V>(GenerationCache<K, Making<V>>);

impl<K, V> Default for MadeOnce<K, V> {
    fn default() -> Self {
        Self(GenerationCache::default())
    }
}

impl<K: Eq + Hash + Clone, V> MadeOnce<K, V> {
    /// As it was at this number of changes or later; without one it is made anew.
    pub async fn get<E>(
        &self,
        known: Option<u64>,
        key: K,
        make: impl Future<Output = Result<Arc<V>, E>>,
    ) -> Result<Arc<V>, E> {
        match known.and_then(|generation| self.place(generation, &key)) {
            Some(making) => making.get_or_try_init(|| make).await.cloned(),
            None => make.await,
        }
    }

    /// Where it is, or is to be; nowhere if newer ones are kept.
    fn place(&self, generation: u64, key: &K) -> Option<Making<V>> {
        let mut kept = lock(&self.0.0);
        kept.look(generation, key).or_else(|| {
            let making = Making::default();
            kept.keep(generation, key, &making).then_some(making)
        })
    }
}

#[cfg(test)]
mod tests;
