//! The streams that each person has open: limits their number, and can make each of them ask at once whether it may
//! still be read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_core::bus::{Bus, Heard, Hint};
use futures::StreamExt;
use tokio::sync::watch;
use uuid::Uuid;

use crate::crowd::Stay;

#[derive(Clone)]
pub struct Streams {
    most: usize,
    open: Arc<Mutex<HashMap<Uuid, Open>>>,
    bus: Arc<dyn Bus>,
}

struct Open {
    count: usize,
    look: watch::Sender<()>,
}

impl Streams {
    pub fn new(most: usize, bus: Arc<dyn Bus>) -> Self {
        Self { most, open: Arc::default(), bus }
    }

    /// A place for one more stream of this person, free again when it is dropped.
    pub fn take(&self, person: Uuid) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = open.entry(person).or_insert_with(|| Open { count: 0, look: watch::channel(()).0 });
        if theirs.count >= self.most {
            return None;
        }
        theirs.count += 1;
        Some(Place { person, open: self.open.clone(), look: theirs.look.subscribe(), _stay: None })
    }

    /// A session or token of theirs has ended, or a membership.
    pub fn look_again(&self, person: Uuid) {
        self.look_here(Some(person));
        self.bus.tell(Hint::LookAgain(Some(person)));
    }

    /// Something has ended that many people read.
    pub fn all_look_again(&self) {
        self.look_here(None);
        self.bus.tell(Hint::LookAgain(None));
    }

    /// The streams of this node: one person's, or all.
    fn look_here(&self, person: Option<Uuid>) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match person {
            Some(person) => open.get(&person).into_iter().for_each(|theirs| theirs.look.send_replace(())),
            None => open.values().for_each(|theirs| theirs.look.send_replace(())),
        }
    }

    /// Acts on hints of other nodes, until the bus ends.
    pub async fn hear(self) {
        let mut heard = self.bus.listen();
        // What was told before it listened is not heard.
        self.look_here(None);
        while let Some(heard) = heard.next().await {
            match heard {
                Heard::Hint(Hint::LookAgain(person)) => self.look_here(person),
                Heard::Hint(_) => {}
                Heard::Missed => self.look_here(None),
            }
        }
    }
}

pub struct Place {
    person: Uuid,
    open: Arc<Mutex<HashMap<Uuid, Open>>>,
    look: watch::Receiver<()>,
    _stay: Option<Stay>,
}

impl Place {
    /// Takes a place of an address along.
    pub fn with(self, stay: Option<Stay>) -> Self {
        let mut place = self;
        place._stay = stay;
        place
    }

    /// Waits until it is to be asked whether this stream may still be read. Safe to drop.
    pub async fn told_to_look(&mut self) {
        // The other side lives as long as this place is taken.
        if self.look.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(theirs) = open.get_mut(&self.person) {
            theirs.count -= 1;
            if theirs.count == 0 {
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
        let streams = Streams::new(2, Arc::new(baton_core::bus::Alone));
        let (ana, ben) = (Uuid::now_v7(), Uuid::now_v7());
        let first = streams.take(ana);
        let second = streams.take(ana);
        assert!(first.is_some() && second.is_some() && streams.take(ana).is_none());
        assert!(streams.take(ben).is_some(), "another person has places of their own");
        drop(first);
        assert!(streams.take(ana).is_some());
    }

    #[tokio::test]
    async fn only_those_meant_look_again() {
        use futures::FutureExt;
        let streams = Streams::new(2, Arc::new(baton_core::bus::Alone));
        let (ana, ben) = (Uuid::now_v7(), Uuid::now_v7());
        let mut places = [ana, ana, ben].map(|person| streams.take(person).expect("a place"));
        let mut told = || places.each_mut().map(|place| place.told_to_look().now_or_never().is_some());
        streams.look_again(ana);
        assert_eq!(told(), [true, true, false]);
        assert_eq!(told(), [false; 3], "once");
        streams.all_look_again();
        assert_eq!(told(), [true; 3]);
    }
}
