//! Follows the turn that answers a message: tells of its progress, and at its end what came of it. A turn belongs to the
//! server; only a client that hangs up on purpose stops it.

use std::collections::VecDeque;
use std::time::Duration;

use axum::body::Bytes;
use baton_core::ids::{ConversationId, TaskId};
use baton_engine::{Departure, Reader};
use baton_tools::mcp::serve::{Era, Failure, Object, Reply, Request, TASKS, Told};
use futures::StreamExt;
use serde_json::Value;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::outcome::Outcomes;
use super::workspace::Workspace;
use crate::app::SharedApp;
use crate::http::Someone;
use crate::streams::Place;

/// Clients give up on what is silent for long, but start anew with each word of progress.
const AT_WORK: Duration = Duration::from_secs(10);

pub struct Following {
    outcomes: Outcomes,
    someone: Someone,
    place: Place,
    reader: Reader,
    departure: Departure,
    beat: Interval,
    progress: u64,
    queue: VecDeque<Told>,
    stop: StopOnHangUp,
    is_over: bool,
}

impl Following {
    pub fn new(
        workspace: &Workspace,
        request: &Request,
        place: Place,
        reader: Reader,
        (conversation, task): (ConversationId, TaskId),
    ) -> Self {
        let mut beat = interval_at(Instant::now() + AT_WORK, AT_WORK);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let app = workspace.app.clone();
        // Who began with `initialize` says so when an answer is no longer wanted: a lost connection says nothing.
        let is_meant = request.era == Era::Stateless;
        let stop =
            StopOnHangUp { app, conversation, task, by: workspace.someone.name().to_owned(), is_meant };
        Self {
            departure: workspace.app.engine.departure(conversation),
            outcomes: Outcomes::of(workspace, (conversation, task), request.knows(TASKS)),
            someone: workspace.someone.clone(),
            place,
            reader,
            beat,
            progress: 0,
            queue: VecDeque::new(),
            stop,
            is_over: false,
        }
    }

    /// Something that people are told when the turn begins.
    pub fn noting(mut self, notice: Option<String>) -> Self {
        if let Some(notice) = notice {
            self.tell(notice);
        }
        self
    }

    pub fn told(self) -> Reply {
        let told = futures::stream::unfold(Box::new(self), |mut following| async move {
            following.next().await.map(|told| (told, following))
        });
        Reply::Later(told.boxed())
    }

    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.queue.pop_front() {
                return Some(told);
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                biased;
                () = self.place.told_to_look() => self.check_rights().await,
                read = self.reader.next() => match read {
                    Ok(Some(frames)) => self.hear(&frames),
                    Ok(None) => self.end().await,
                    Err(error) => {
                        tracing::warn!(%error, "a turn could not be followed");
                        self.end().await;
                    }
                },
                // The server ends: the turn goes on, and its answer will be in the conversation.
                () = self.departure.due() => self.end().await,
                _ = self.beat.tick() => {
                    self.check_rights().await;
                    // The result is the last that is told.
                    if !self.is_over {
                        self.tell("Still at work.".to_owned());
                    }
                }
            }
        }
    }

    fn tell(&mut self, message: String) {
        self.progress += 1;
        self.queue.push_back(Told::Progress { progress: self.progress, message });
    }

    fn hear(&mut self, frames: &Bytes) {
        let text = String::from_utf8_lossy(frames);
        let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
        for words in events.filter_map(|event| words(&serde_json::from_str(event).ok()?)) {
            self.tell(words);
        }
    }

    async fn end(&mut self) {
        let result = self.outcomes.result().await;
        self.over(result);
    }

    async fn check_rights(&mut self) {
        match self.outcomes.app.is_still_in(&self.someone).await {
            Ok(true) => {}
            Ok(false) => self.over(Err(Failure::internal("This token is no longer valid."))),
            Err(error) => tracing::warn!(%error, "nobody could say whether a token is still valid"),
        }
    }

    fn over(&mut self, result: Result<Object, Failure>) {
        self.stop.is_meant = false;
        self.is_over = true;
        self.queue.push_back(Told::Result(result));
    }
}

/// What an event of the turn says to who waits for the answer.
fn words(event: &Value) -> Option<String> {
    let text = |name: &str| event[name].as_str().filter(|text| !text.is_empty());
    match text("type")? {
        "message_start" => Some(format!("{} is answering.", text("agentName")?)),
        "tool_start" => Some(format!("Uses {}.", text("displayName").or(text("toolName"))?)),
        "handoff" => Some(format!("{} takes over.", text("toName")?)),
        "approval_required" => Some(format!("Waits for a person to allow {}.", text("toolName")?)),
        "notice" | "tool_progress" => text("message").map(str::to_owned),
        _ => None,
    }
}

/// Stops the turn when it is dropped before the end: nobody listens any more.
struct StopOnHangUp {
    app: SharedApp,
    conversation: ConversationId,
    task: TaskId,
    by: String,
    is_meant: bool,
}

impl Drop for StopOnHangUp {
    fn drop(&mut self) {
        // A server that ends hangs up itself, and its turns go on elsewhere.
        if !self.is_meant || self.app.engine.is_ending() {
            return;
        }
        let (app, conversation, task, by) = (self.app.clone(), self.conversation, self.task, self.by.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = app.engine.stop_turn(conversation, Some(task), &by).await {
                    tracing::warn!(%error, %conversation, "a turn that nobody waits for could not be stopped");
                }
            });
        }
    }
}
