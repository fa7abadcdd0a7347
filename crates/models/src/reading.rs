//! The answer of an open call: bytes in, events out. Dropping it closes the connection; no task runs behind it.

use std::time::Duration;

use baton_core::models::{ModelError, ModelEvent, ModelStream};
use reqwest::Response;
use tokio::time::timeout;

use crate::errors::{Failure, Retry};
use crate::events::Events;
use crate::http::{Log, causes};
use crate::sse::SseReader;
use crate::surrogates::mended;
use crate::wire::Wire;

/// How long to wait for the usage after a complete answer, if the server neither sends it nor closes the connection.
const AFTER_COMPLETE: Duration = Duration::from_secs(5);

pub struct Reading<W> {
    /// `None` once there is nothing more to read.
    response: Option<Response>,
    sse: SseReader,
    wire: W,
    events: Events,
    /// Comes after the events that were read before it.
    failure: Option<Failure>,
    idle: Duration,
    has_given: bool,
}

impl<W: Wire> Reading<W> {
    pub fn new(response: Response, wire: W, idle: Duration) -> Self {
        Self {
            response: Some(response),
            sse: SseReader::default(),
            wire,
            events: Events::default(),
            failure: None,
            idle,
            has_given: false,
        }
    }

    /// Fails only if nothing at all was said.
    pub async fn until_first_event(&mut self) -> Result<(), Failure> {
        while self.events.is_empty() {
            match self.failure.take() {
                Some(failure) => return Err(failure),
                None => self.read_on().await,
            }
        }
        Ok(())
    }

    pub fn into_stream(self, log: Log) -> ModelStream {
        // Boxed, as the state moves through every step of the stream.
        let state = Box::new((self, log));
        Box::pin(futures::stream::unfold(state, async |mut state| {
            let (reading, log) = &mut *state;
            let item = reading.next().await?.map_err(|failure| {
                let failure = log.without_key(failure);
                log.warn(&failure, "model call broke off");
                failure.error
            });
            Some((item, state))
        }))
    }

    async fn next(&mut self) -> Option<Result<ModelEvent, Failure>> {
        loop {
            if let Some(event) = self.events.pop() {
                self.has_given = true;
                if matches!(event, ModelEvent::End { .. }) {
                    self.response = None;
                    self.failure = None;
                }
                return Some(Ok(event));
            }
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure));
            }
            self.response.as_ref()?;
            self.read_on().await;
        }
    }

    /// Reads one piece. Afterwards there are events, a failure, or more to read.
    async fn read_on(&mut self) {
        if let Err(failure) = self.read_piece().await {
            self.response = None;
            self.failure = Some(failure);
        }
    }

    async fn read_piece(&mut self) -> Result<(), Failure> {
        let Some(response) = &mut self.response else {
            return Err(self.broken(Retry::Never, "was read to its end"));
        };
        let wait = if self.wire.is_complete() { self.idle.min(AFTER_COMPLETE) } else { self.idle };
        match timeout(wait, response.chunk()).await {
            Ok(Ok(Some(bytes))) => {
                if self.sse.push(&bytes).is_err() {
                    return Err(self.broken(Retry::Never, "one event is larger than any vendor's"));
                }
                self.take_events()
            }
            Ok(Ok(None)) => {
                self.sse.close();
                self.take_events()?;
                self.end()
            }
            Ok(Err(error)) => self.end().map_err(|_| self.broken(Retry::Soon, causes(&error))),
            // Not tried again before the first word either: a person has waited long enough.
            Err(_) => self.end().map_err(|_| self.broken(Retry::Never, "was silent for too long")),
        }
    }

    fn take_events(&mut self) -> Result<(), Failure> {
        while let Some(data) = self.sse.next_event() {
            self.wire.data(&mended(&data), &mut self.events)?;
            if self.events.has_ended() {
                break;
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Failure> {
        if self.events.has_ended() {
            return Ok(());
        }
        self.wire.end(&mut self.events).map_err(|error| {
            let retry = if error == ModelError::Truncated { Retry::Soon } else { Retry::Never };
            Failure::new(error, retry, "ended too early")
        })
    }

    fn broken(&self, retry: Retry, said: impl Into<String>) -> Failure {
        let has_spoken = self.has_given || !self.events.is_empty();
        let error = if has_spoken { ModelError::Truncated } else { ModelError::Unreachable };
        Failure::new(error, retry, said)
    }
}
