//! How many of something each network address may have at once: connections, or streams of people without an account.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::public_limits::origin_of;

#[derive(Clone)]
pub struct Crowd {
    most: usize,
    here: Arc<Mutex<HashMap<String, usize>>>,
}

impl Crowd {
    /// 0 is any number.
    pub fn new(most: usize) -> Self {
        Self { most, here: Arc::default() }
    }

    /// A place for one more, free again when it is dropped.
    pub fn enter(&self, from: IpAddr) -> Option<Stay> {
        let from = origin_of(from);
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        let count = here.entry(from.clone()).or_default();
        if self.most > 0 && *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Stay { from, here: self.here.clone() })
    }
}

pub struct Stay {
    from: String,
    here: Arc<Mutex<HashMap<String, usize>>>,
}

impl Drop for Stay {
    fn drop(&mut self) {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = here.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                here.remove(&self.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_and_they_come_back() {
        let crowd = Crowd::new(2);
        let (here, there) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let first = crowd.enter(here);
        let second = crowd.enter(here);
        assert!(first.is_some() && second.is_some() && crowd.enter(here).is_none());
        assert!(crowd.enter(there).is_some(), "another address has its own");
        drop(first);
        assert!(crowd.enter(here).is_some());
        drop(second);
        assert!(crowd.here.lock().is_ok_and(|here| here.is_empty()), "nothing is kept of who has gone");
        let any = Crowd::new(0);
        assert!((0..100).map(|_| any.enter(here)).all(|stay| stay.is_some()));
    }
}
