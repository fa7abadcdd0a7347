//! Acts on hints from other nodes. A hint only makes this node do something earlier; without it, the node finds the
//! change by reading the database.

use baton_core::bus::{Heard, Hint};
use futures::StreamExt;

use crate::node::engine::Engine;
use crate::stream::hub::Signal;

impl Engine {
    /// Listens until the bus is closed.
    pub(crate) async fn take_hints(&self) {
        let mut heard = self.0.bus.listen();
        while let Some(heard) = heard.next().await {
            match heard {
                Heard::Hint(hint) => self.take(hint),
                // Readers of conversations are repaired by looking. Notices are stored nowhere: whoever wants them reads again.
                Heard::Missed => {
                    self.0.kept.forget_all();
                    self.0.news.report_missed();
                }
            }
        }
    }

    fn take(&self, hint: Hint) {
        match hint {
            Hint::Notice(notice) => self.0.news.report(notice),
            Hint::Stored { conversation_id, seq } => {
                if let Some(live) = self.0.hub.find(conversation_id).filter(|live| live.told() < seq) {
                    live.has_read(seq);
                    live.signal(Signal::ReadOn);
                }
            }
            Hint::Stopped(task_id) => self.0.stop_running(task_id),
            Hint::Deleted(conversation_id) => self.0.has_deleted(conversation_id),
            // Not for the engine: the server listens for it, and asks again who may read its open streams.
            Hint::LookAgain(Some(_)) => {}
            // A workspace or an account was deleted.
            Hint::LookAgain(None) => self.0.kept.forget_all(),
        }
    }
}
