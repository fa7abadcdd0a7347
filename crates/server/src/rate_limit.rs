//! How often something may be tried: counts per key in a window, in memory. Each node counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub struct RateLimit {
    window: Duration,
    counts: Mutex<HashMap<String, Count>>,
}

struct Count {
    began: Instant,
    tries: u32,
}

/// Keys kept before old ones are cleared away.
const MAX_KEYS: usize = 50_000;

impl RateLimit {
    pub fn new(window: Duration) -> Self {
        Self { window, counts: Mutex::default() }
    }

    /// Takes one of the `limit` tries that `key` has in a window, or says how long to wait.
    pub fn take(&self, key: &str, limit: u32) -> Result<(), Duration> {
        self.take_many(key, 1, limit)
    }

    /// The same for what counts as several. The last may be more than are left.
    pub fn take_many(&self, key: &str, tries: u32, limit: u32) -> Result<(), Duration> {
        let mut counts = self.counts();
        if counts.len() >= MAX_KEYS {
            self.make_room(&mut counts);
        }
        let fresh = || Count { began: Instant::now(), tries: 0 };
        let count = counts.entry(key.to_owned()).or_insert_with(fresh);
        let left = self.window.checked_sub(count.began.elapsed()).filter(|left| !left.is_zero());
        let Some(left) = left else {
            *count = Count { tries, ..fresh() };
            return Ok(());
        };
        if count.tries >= limit {
            return Err(left);
        }
        count.tries = count.tries.saturating_add(tries);
        Ok(())
    }

    /// Gives back a try that turned out to be fine.
    pub fn give_back(&self, key: &str) {
        if let Some(count) = self.counts().get_mut(key) {
            count.tries = count.tries.saturating_sub(1);
        }
    }

    pub fn clear(&self, key: &str) {
        self.counts().remove(key);
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<String, Count>> {
        self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Drops what has ended, and if that isn't enough, keys that were hardly used: those who try often stay known.
    fn make_room(&self, counts: &mut HashMap<String, Count>) {
        counts.retain(|_, count| count.began.elapsed() < self.window);
        if counts.len() >= MAX_KEYS {
            counts.retain(|_, count| count.tries >= 3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_waits_after_its_limit_and_others_do_not() {
        let limit = RateLimit::new(Duration::from_secs(60));
        for _ in 0..3 {
            assert_eq!(limit.take("a", 3), Ok(()));
        }
        assert!(limit.take("a", 3).is_err_and(|wait| wait <= Duration::from_secs(60)));
        assert_eq!(limit.take("b", 3), Ok(()));
        limit.give_back("a");
        assert_eq!(limit.take("a", 3), Ok(()));
        assert!(limit.take("a", 3).is_err());
        limit.clear("a");
        assert_eq!(limit.take("a", 3), Ok(()));
    }

    #[test]
    fn some_things_count_as_several() {
        let limit = RateLimit::new(Duration::from_secs(60));
        assert_eq!(limit.take_many("a", 2, 4), Ok(()));
        assert_eq!(limit.take_many("a", 100, 4), Ok(()), "the first beyond it is let through");
        assert!(limit.take_many("a", 1, 4).is_err());
        assert_eq!(limit.take_many("b", u32::MAX, 4), Ok(()));
        assert!(limit.take("b", 4).is_err());
    }

    #[test]
    fn a_window_ends() {
        let limit = RateLimit::new(Duration::from_millis(500));
        assert_eq!(limit.take("a", 1), Ok(()));
        assert!(limit.take("a", 1).is_err());
        std::thread::sleep(Duration::from_millis(520));
        assert_eq!(limit.take("a", 1), Ok(()));
        assert!(limit.take("a", 1).is_err(), "and the next one counts again");
    }

    #[test]
    fn strangers_cannot_push_out_who_tries_often() {
        let limit = RateLimit::new(Duration::from_secs(60));
        for _ in 0..10 {
            let _ = limit.take("often", 10);
        }
        for stranger in 0..MAX_KEYS + 10 {
            let _ = limit.take(&stranger.to_string(), 10);
        }
        assert!(limit.take("often", 10).is_err());
        assert!(limit.counts().len() <= MAX_KEYS);
    }
}
