//! The loops that run beside the turns. No loop waits for another, each round ends within limits, and a loop that
//! breaks down is started again, because it keeps nothing between two rounds. The time of each loop's last round shows
//! whether the loop still runs.

use std::time::Duration;

use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use crate::node::engine::Engine;

/// A loop that breaks down is begun again after this.
const BREATH: Duration = Duration::from_secs(1);

impl Engine {
    /// Takes the first lease, then begins all that runs beside the turns: what an earlier process left is taken over. Ends
    /// with `end`.
    pub async fn start(&self) {
        let pace = self.0.pace.watch;
        // Streams are served, and end in order, before there is a lease.
        self.supervise("hints", |engine| async move { engine.take_hints().await });
        if self.0.shares() {
            self.keep_on("readers", pace.look, |engine| async move { engine.repair_readers().await });
            self.take_lease().await;
            self.keep_on("lease", pace.renew, |engine| async move { engine.keep_lease().await });
            self.keep_on("stops", pace.look, |engine| async move { engine.find_stops().await });
            self.supervise("lease's end", |engine| async move { engine.mind_lease().await });
        }
        self.keep_on("claims", pace.claim, |engine| async move { engine.claim().await });
        self.keep_on("left turns", pace.renew, |engine| async move { engine.take_up_left().await });
        self.keep_on("stranded turns", pace.look, |engine| async move { engine.find_stranded().await });
        self.keep_on("owed stops", pace.look, |engine| async move { engine.pay_stops().await });
        self.keep_on("spending", pace.renew, |engine| async move { engine.follow_spending().await });
        self.keep_on("approvals", pace.look, |engine| async move { engine.expire_overdue().await });
    }

    /// Does a round again and again.
    fn keep_on<F>(
        &self,
        name: &'static str,
        pace: Duration,
        round: impl Fn(Engine) -> F + Copy + Send + Sync + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        self.0.rounds.came_round(name);
        self.supervise(name, move |engine| async move {
            let mut tick = every(pace);
            loop {
                tick.tick().await;
                round(engine.clone()).await;
                engine.0.rounds.came_round(name);
            }
        });
    }

    /// Runs something until the engine ends, and begins it again when it breaks down.
    fn supervise<F>(&self, name: &'static str, work: impl Fn(Engine) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let engine = self.clone();
        tokio::spawn(async move {
            loop {
                let mut running = tokio::spawn(work(engine.clone()));
                let ended = tokio::select! {
                    ended = &mut running => ended,
                    () = engine.0.ended() => return running.abort(),
                };
                match ended {
                    Ok(()) => return,
                    Err(error) => tracing::error!(%error, name, "a loop broke down, and is begun again"),
                }
                sleep(BREATH).await;
            }
        });
    }
}

fn every(pace: Duration) -> Interval {
    let mut tick = interval(pace);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick
}
