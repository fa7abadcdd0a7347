//! What every request asks the database again, kept as long as nothing there has changed: under the number of changes
//! that the store says (`Store::generation`), or that a commit will confirm (`Store::last_generation`).

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Not for ever, all the same: sessions run out, and tokens note now and then that they are used.
const KEPT_TIME: Duration = Duration::from_secs(30);
const MOST: usize = 10_000;

pub struct Kept<K, V> {
    inner: Mutex<Inner<K, V>>,
}

struct Inner<K, V> {
    generation: u64,
    values: HashMap<K, (V, Instant)>,
}

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self { inner: Mutex::new(Inner { generation: 0, values: HashMap::new() }) }
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Kept<K, V> {
    /// The value for a key at this generation, found again if it has to be. `None` as generation keeps nothing.
    pub async fn get<E>(
        &self,
        generation: Option<u64>,
        key: &K,
        find: impl Future<Output = Result<Option<V>, E>>,
    ) -> Result<Option<V>, E> {
        let Some(generation) = generation else { return find.await };
        if let Some(value) = self.look(generation, key) {
            return Ok(Some(value));
        }
        let found = find.await?;
        if let Some(value) = &found {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            // Read before the database changed again: right for this request, not for the next.
            if inner.generation == generation && inner.values.len() < MOST {
                inner.values.insert(key.clone(), (value.clone(), Instant::now()));
            }
        }
        Ok(found)
    }

    fn look(&self, generation: u64, key: &K) -> Option<V> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.generation < generation {
            *inner = Inner { generation, values: HashMap::new() };
        }
        if inner.generation > generation {
            return None;
        }
        let (value, at) = inner.values.get(key)?;
        (at.elapsed() < KEPT_TIME).then(|| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[tokio::test]
    async fn a_change_makes_it_look_again() {
        let kept: Kept<u8, &str> = Kept::default();
        let find = |value| async move { Ok::<_, Infallible>(Some(value)) };
        assert_eq!(kept.get(Some(1), &7, find("old")).await, Ok(Some("old")));
        assert_eq!(kept.get(Some(1), &7, find("new")).await, Ok(Some("old")));
        assert_eq!(kept.get(Some(2), &7, find("new")).await, Ok(Some("new")));
        assert_eq!(kept.get(None, &7, find("newer")).await, Ok(Some("newer")));
        assert_eq!(kept.get(Some(1), &7, find("older")).await, Ok(Some("older")), "asked before it changed");
        assert_eq!(kept.get(Some(2), &7, find("newer")).await, Ok(Some("new")), "and nothing is lost by it");
    }
}
