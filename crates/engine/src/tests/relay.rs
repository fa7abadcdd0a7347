//! A line between two nodes that loses, doubles and delays what goes through it.

use std::sync::Arc;

use fastrand::Rng;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::stream::hub::{Live, Signal};

pub async fn relay(mut from: Receiver<Signal>, to: Arc<Live>, mut dice: Rng) {
    let mut late: Vec<Signal> = Vec::new();
    loop {
        let signal = match from.recv().await {
            Ok(signal) => signal,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        match dice.u8(..10) {
            0 | 1 => {}
            2 => late.push(signal),
            3 => {
                to.signal(signal.clone());
                late.push(signal.clone());
                to.signal(signal);
            }
            _ => to.signal(signal),
        }
        if dice.u8(..4) == 0
            && let Some(index) = dice.choice(0..late.len())
        {
            to.signal(late.swap_remove(index));
        }
    }
}
