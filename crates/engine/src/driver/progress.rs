//! How far a tool call is, told to those who read the conversation on this node. It is told and not stored, and no more often
//! than anyone can read: what came in between is left out, and the newest is told.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baton_core::events::Event;
use baton_core::ids::{AgentId, MessageId};
use baton_core::server_tools::Progress;
use baton_core::tools::TellProgress;

use crate::nul::clean;
use crate::stream::hub::Live;

/// Between two of one call.
const PACE: Duration = Duration::from_millis(250);
/// The most characters of what a tool says of its progress.
const MAX_MESSAGE: usize = 300;

/// Whose call it is.
#[derive(Debug, Clone)]
pub struct CallOf {
    pub message_id: MessageId,
    pub agent_id: AgentId,
    pub tool_call_id: String,
}

#[derive(Default)]
struct Pace {
    /// Something was told a moment ago.
    is_resting: bool,
    newest: Option<Progress>,
}

pub fn told_to(live: Arc<Live>, call: CallOf) -> TellProgress {
    let pace = Arc::<Mutex<Pace>>::default();
    TellProgress::new(move |progress| {
        {
            let mut pace = lock(&pace);
            if pace.is_resting {
                pace.newest = Some(progress);
                return;
            }
            pace.is_resting = true;
        }
        tell(&live, &call, progress);
        let (live, call, pace) = (live.clone(), call.clone(), pace.clone());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PACE).await;
                let newest = {
                    let mut pace = lock(&pace);
                    pace.is_resting = pace.newest.is_some();
                    pace.newest.take()
                };
                let Some(newest) = newest else { return };
                tell(&live, &call, newest);
            }
        });
    })
}

fn lock(pace: &Mutex<Pace>) -> std::sync::MutexGuard<'_, Pace> {
    pace.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(live: &Live, call: &CallOf, progress: Progress) {
    let CallOf { message_id, agent_id, tool_call_id } = call.clone();
    let Progress { done, total, message } = progress;
    let message = message.map(|said| clean(&said).chars().take(MAX_MESSAGE).collect());
    live.tell(&Event::ToolProgress { message_id, agent_id, tool_call_id, progress: done, total, message });
}
