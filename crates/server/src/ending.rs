//! How the server ends: at the first signal it drains, at the second it ends at once.

use std::time::Duration;

use tokio::sync::watch;

use crate::app::App;

/// How often this process was asked to end, by SIGTERM or Ctrl-C.
#[derive(Clone)]
pub struct Signals(watch::Receiver<u32>);

impl Signals {
    /// Listens from now on.
    pub fn listen() -> Self {
        let (asked, signals) = watch::channel(0);
        tokio::spawn(async move {
            #[cfg(unix)]
            let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
            loop {
                #[cfg(unix)]
                match &mut terminated {
                    Ok(terminated) => {
                        tokio::select! { _ = tokio::signal::ctrl_c() => {}, _ = terminated.recv() => {} }
                    }
                    Err(_) => drop(tokio::signal::ctrl_c().await),
                }
                #[cfg(not(unix))]
                drop(tokio::signal::ctrl_c().await);
                asked.send_modify(|times| *times += 1);
            }
        });
        Self(signals)
    }

    /// Is done when the process was asked to end so many times.
    pub async fn asked(&self, times: u32) {
        let mut signals = self.0.clone();
        if signals.wait_for(|asked| *asked >= times).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Lets the turns that run come to their end for a while, then leaves them to others. `at_once` cuts the wait short.
pub async fn drain(app: &App, at_once: impl Future<Output = ()>) {
    app.drain();
    let (turns, seconds) = (app.engine.running(), app.settings.drain_seconds);
    tracing::info!(turns, seconds, "ending: turns that run get this long; ask again to end at once");
    tokio::select! {
        () = app.engine.idle() => {}
        () = tokio::time::sleep(Duration::from_secs(seconds)) => {}
        () = at_once => {}
    }
    let left = app.engine.running();
    if left > 0 {
        tracing::warn!(
            turns = left,
            "ending with turns under way: another server goes on with them, or the next start"
        );
    }
    app.end().await;
}
