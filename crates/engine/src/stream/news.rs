//! Notices for the people who look at a workspace. Each workspace has its own channel for as long as somebody looks at
//! it, so a notice wakes only readers of its workspace.

use std::collections::HashMap;
use std::sync::Mutex;

use baton_core::ids::WorkspaceId;
use baton_core::notices::Notice;
use tokio::sync::broadcast::{self, Receiver, Sender};

use crate::lock::lock;

#[derive(Debug, Clone)]
pub enum News {
    Notice(Notice),
    /// Some may be missing: read again.
    Missed,
}

/// More than a reader who keeps up is ever behind.
const QUEUE: usize = 128;

#[derive(Default)]
pub struct Newsroom(Mutex<HashMap<WorkspaceId, Sender<News>>>);

impl Newsroom {
    pub fn listen(&self, workspace: WorkspaceId) -> Receiver<News> {
        lock(&self.0).entry(workspace).or_insert_with(|| broadcast::channel(QUEUE).0).subscribe()
    }

    pub fn report(&self, notice: Notice) {
        let mut rooms = lock(&self.0);
        let workspace = notice.workspace_id;
        if let Some(room) = rooms.get(&workspace)
            && room.send(News::Notice(notice)).is_err()
        {
            // Nobody looks any more.
            rooms.remove(&workspace);
        }
    }

    pub fn report_missed(&self) {
        lock(&self.0).retain(|_, room| room.send(News::Missed).is_ok());
    }
}

#[cfg(test)]
mod tests;
