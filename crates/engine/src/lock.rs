//! A mutex that stays usable after a panic in another thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic elsewhere leaves these maps as whole as they were.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
