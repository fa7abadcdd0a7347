//! How often something may be tried: counts per key in a window, in memory. Each node counts for itself.

use std::collections::HashMap;
use std::sync::Mutex;
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

    /// How long to wait if `key` has had `limit` tries in the window.
    pub fn wait(&self, key: &str, limit: u32) -> Option<Duration> {
        let counts = self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let count = counts.get(key).filter(|count| count.tries >= limit)?;
        self.window.checked_sub(count.began.elapsed())
    }

    pub fn count(&self, key: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if counts.len() >= MAX_KEYS {
            let window = self.window;
            counts.retain(|_, count| count.began.elapsed() < window);
        }
        let count = counts.entry(key.to_owned()).or_insert_with(|| Count { began: Instant::now(), tries: 0 });
        if count.began.elapsed() >= self.window {
            *count = Count { began: Instant::now(), tries: 0 };
        }
        count.tries += 1;
    }

    pub fn clear(&self, key: &str) {
        self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_waits_after_its_limit_and_others_do_not() {
        let limit = RateLimit::new(Duration::from_secs(60));
        for _ in 0..3 {
            assert_eq!(limit.wait("a", 3), None);
            limit.count("a");
        }
        assert!(limit.wait("a", 3).is_some_and(|wait| wait <= Duration::from_secs(60)));
        assert_eq!(limit.wait("b", 3), None);
        limit.clear("a");
        assert_eq!(limit.wait("a", 3), None);
    }

    #[test]
    fn a_window_ends() {
        let limit = RateLimit::new(Duration::ZERO);
        limit.count("a");
        assert_eq!(limit.wait("a", 1), None);
    }
}
