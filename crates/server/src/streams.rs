//! How many streams each person has open: a limit, so that nobody takes them all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

#[derive(Clone)]
pub struct Streams {
    most: usize,
    open: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Streams {
    pub fn new(most: usize) -> Self {
        Self { most, open: Arc::default() }
    }

    /// A place for one more stream of this person, free again when it is dropped.
    pub fn take(&self, person: Uuid) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(person).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { person, open: self.open.clone() })
    }
}

pub struct Place {
    person: Uuid,
    open: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let streams = Streams::new(2);
        let (ana, ben) = (Uuid::now_v7(), Uuid::now_v7());
        let first = streams.take(ana);
        let second = streams.take(ana);
        assert!(first.is_some() && second.is_some() && streams.take(ana).is_none());
        assert!(streams.take(ben).is_some(), "another person has places of their own");
        drop(first);
        assert!(streams.take(ana).is_some());
    }
}
