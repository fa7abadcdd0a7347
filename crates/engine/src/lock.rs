//! A mutex that stays usable after a panic in another thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic in another thread: such a panic leaves these maps valid.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
