//! A person stops a turn. If the turn runs, its driver is told, on whichever node it is. If the turn waits for an
//! approval, it is ended here.

use baton_core::bus::Hint;
use baton_core::ids::{ConversationId, TaskId};
use baton_core::log::{LoggedStep, TurnStatus};
use baton_core::store::Error;
use baton_core::turns::{After, Commit, Fence, Guard, Refused, TurnRow};

use crate::clock::now;
use crate::lock::lock;
use crate::node::engine::{Engine, Seat, whole};
use crate::turn::ending::{Cause, close_waiting};

impl Engine {
    /// Asks the turn of a conversation to stop; whether there was one.
    pub async fn stop(&self, id: ConversationId, by: &str) -> Result<bool, Error> {
        let (engine, by) = (self.clone(), by.to_owned());
        whole(async move { engine.stop_now(id, &by).await }).await
    }

    /// Stops a turn that is driven here, or was until the database went away; it is told later. Whether there is one.
    pub fn stop_here(&self, id: ConversationId) -> bool {
        self.0.owe_stop(id)
    }

    async fn stop_now(&self, id: ConversationId, by: &str) -> Result<bool, Error> {
        match self.stop_turn(id, None, by).await {
            // The database can't be told now. Whoever drives the turn can, if it is driven here.
            Err(error) if self.0.owe_stop(id) => {
                tracing::warn!(%error, conversation = %id, "a stop is stored later");
                Ok(true)
            }
            stopped => stopped,
        }
    }

    /// Stops the turn of a conversation, or none but this one; whether it was there.
    pub async fn stop_turn(&self, id: ConversationId, only: Option<TaskId>, by: &str) -> Result<bool, Error> {
        let Some(turn) = self.0.store.request_stop(id, only, now()).await? else { return Ok(false) };
        match turn.owner {
            // Nobody runs it: it ends here and now.
            None => self.end_waiting(id, turn, by).await?,
            Some(node) if node == self.0.node() => self.0.stop_running(turn.task_id),
            // Its node also looks for stops every other second, and every commit sees one.
            Some(_) => self.0.bus.tell(Hint::Stopped(turn.task_id)),
        }
        Ok(true)
    }

    async fn end_waiting(&self, id: ConversationId, waiting: TurnRow, by: &str) -> Result<(), Error> {
        for _ in 0..5 {
            let loaded = self.0.store.load(id).await?;
            let same = loaded.turn.filter(|turn| turn.task_id == waiting.task_id);
            let Some(row) = same else { return Ok(()) };
            if row.owner.is_some() {
                self.0.stop_running(row.task_id);
                return Ok(());
            }
            let (last_seq, at) = (loaded.conversation.last_seq, now());
            let closed = close_waiting(&loaded, row.task_id, &Cause::Stopped { by: by.to_owned() }, at);
            let seat = Seat::of(&loaded.conversation);
            let guard = Guard::Turn {
                fence: Fence { task_id: row.task_id, attempt: row.attempt },
                working: closed.working,
                after: After::Ended(TurnStatus::Stopped),
            };
            let commit = Commit {
                steps: closed.steps,
                messages: closed.message.into_iter().collect(),
                resolved: closed.resolved,
                ..Commit::new((id, seat.workspace_id), last_seq, guard, at)
            };
            match self.commit_until_answered(&commit, self.patience()).await {
                Ok(_) => {
                    let steps = (last_seq + 1..).zip(commit.steps);
                    let logged: Vec<LoggedStep> = steps.map(|(seq, new)| new.at(seq, at)).collect();
                    self.0.tell(&seat, &logged);
                    self.live(id).publish_steps(logged);
                    return Ok(());
                }
                Err(Refused::Moved) => {}
                Err(Refused::Store(error)) => return Err(error),
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Tells the database of stops it could not be told of.
    pub(crate) async fn pay_stops(&self) {
        let stops = &self.0.owed_stops;
        let owed: Vec<_> = lock(&stops.owed).iter().map(|(task, id)| (*task, *id)).collect();
        for (task, id) in owed {
            let paid = self.0.bounded(self.stop_turn(id, Some(task), "the person"));
            match paid.await {
                Ok(_) | Err(Error::NotFound(_)) => drop(lock(&stops.owed).remove(&task)),
                Err(error) => return tracing::warn!(%error, "could not store a stop yet"),
            }
        }
    }
}
