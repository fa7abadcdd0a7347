//! Whether a thread or a task still runs. The thread holds one end of a channel, which closes when the thread ends,
//! however it ends.

use tokio::sync::watch;

#[derive(Clone)]
pub struct Life(watch::Receiver<()>);

/// Held by the thread or task while it runs.
pub struct Alive(#[expect(dead_code, reason = "only its end is heard")] watch::Sender<()>);

impl Life {
    pub fn begin() -> (Alive, Self) {
        let (alive, life) = watch::channel(());
        (Alive(alive), Self(life))
    }

    pub fn is_alive(&self) -> bool {
        self.0.has_changed().is_ok()
    }

    pub async fn ended(&self) {
        // Nothing is ever sent: it resolves when the other end is gone.
        let _ = self.0.clone().changed().await;
    }
}
