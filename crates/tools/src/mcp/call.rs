//! One call: sent once, followed until its answer, and called off at the server when nobody waits for it any more.
//!
//! Two clocks run. One starts again with each sign of progress, the other doesn't. Both stand still while a person is asked.

use std::sync::Arc;
use std::time::Duration;

use baton_core::server_tools::{CallFailure, Outcome, Said, ServerCall};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest, InputRequest,
    InputRequiredResult, InputResponses, RequestId, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RoleClient};
use rmcp::{Peer, ServiceError};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::asking::Place;
use super::connection::Connection;
use super::failure::{self, Ended};
use super::listener::{Sign, UnderWay};
use super::slot::Failed;
use super::{Options, results};

/// How often a server may come back with questions before it answers.
const MAX_ROUNDS: usize = 10;
/// Signs that wait to be told. More than that at once are progress that nobody could read.
const MAX_SIGNS: usize = 32;

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
struct Clock {
    idle: Duration,
    total: Duration,
    ends: Instant,
}

impl Clock {
    fn new(options: &Options, deadline: Option<std::time::Instant>) -> Self {
        let now = Instant::now();
        // The turn's own patience may be shorter.
        let left = deadline.map(|deadline| deadline.saturating_duration_since(std::time::Instant::now()));
        let total = left.map_or(options.total, |left| options.total.min(left));
        Self { idle: options.idle, total, ends: now + total }
    }
}

pub(super) async fn run(
    connection: &Connection,
    options: &Options,
    call: ServerCall<'_>,
) -> Result<Outcome, Failed> {
    let place = Arc::new(Place {
        server: call.server.clone(),
        context: call.context.clone(),
        people: options.people.clone(),
    });
    let mut clock = Clock::new(options, call.context.deadline());
    let mut asked = CallToolRequestParams::new(call.raw_name.to_owned()).with_arguments(call.arguments);
    for _ in 0..MAX_ROUNDS {
        let round = Round { connection, place: &place };
        match round.run(asked.clone(), &mut clock).await? {
            Answer::Result(result) => return Ok(results::read(result)),
            Answer::Error(said) => return Ok(error_outcome(said)),
            Answer::Questions(questions) => {
                let began = Instant::now();
                asked.request_state = questions.request_state.clone();
                asked.input_responses = answered(&place, questions).await?;
                clock.ends += began.elapsed();
            }
        }
    }
    let name = &call.server.slug;
    Err(CallFailure::Unknown(format!("{name}: it asked more than {MAX_ROUNDS} times and gave no answer."))
        .into())
}

/// A tool that fails in the way of JSON-RPC has failed like any other.
fn error_outcome(said: String) -> Outcome {
    Outcome { is_error: true, whole: json!({"error": said}), said: Said::Text(said), files: Vec::new() }
}

/// What a person says to a server's questions. Only people are asked: it gets no model and no folders of ours.
async fn answered(
    place: &Arc<Place>,
    questions: InputRequiredResult,
) -> Result<Option<InputResponses>, CallFailure> {
    let mut replies = InputResponses::new();
    for (key, question) in questions.input_requests.unwrap_or_default() {
        let InputRequest::Elicitation(question) = question else {
            let name = &place.server.slug;
            return Err(CallFailure::NotDone(format!(
                "{name}: it asked for something that is not offered to it."
            )));
        };
        let reply = serde_json::to_value(place.ask(question.params).await).unwrap_or_default();
        replies.insert(key, reply);
    }
    Ok((!replies.is_empty()).then_some(replies))
}

enum Answer {
    Result(Value),
    Error(String),
    /// The newer protocol's way to ask: the call is over, and made again with the replies.
    Questions(InputRequiredResult),
}

struct Round<'a> {
    connection: &'a Connection,
    place: &'a Arc<Place>,
}

impl Round<'_> {
    async fn run(&self, asked: CallToolRequestParams, clock: &mut Clock) -> Result<Answer, Failed> {
        let name = &self.place.server.slug;
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(asked));
        let sent =
            self.connection.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await;
        // The connection is gone before anything was written.
        let mut sent = sent.map_err(|_| {
            CallFailure::NotDone(format!("{name}: the connection is gone. Nothing was done."))
        })?;
        let (signs, mut seen) = mpsc::channel(MAX_SIGNS);
        let under_way = UnderWay {
            token: sent.progress_token.clone(),
            place: self.place.clone(),
            signs,
            asking: tokio::sync::Mutex::default(),
        };
        let _begun = self.connection.calls.begin(sent.id.clone(), under_way);
        let mut call_off = CallOff { peer: &self.connection.peer, id: Some(sent.id.clone()) };
        let answer = loop {
            let idle = Instant::now() + clock.idle;
            tokio::select! {
                biased;
                answer = &mut sent.rx => break answer,
                Some(sign) = seen.recv() => match sign {
                    Sign::Progress(progress) => self.place.context.progress.tell(progress),
                    Sign::Asking => {
                        let began = Instant::now();
                        tokio::select! {
                            biased;
                            answer = &mut sent.rx => break answer,
                            () = asked_enough(&mut seen) => {}
                            () = self.place.context.cancelled.wait() => return Err(self.stopped()),
                        }
                        clock.ends += began.elapsed();
                    }
                    Sign::Asked => {}
                },
                () = self.place.context.cancelled.wait() => return Err(self.stopped()),
                () = tokio::time::sleep_until(idle.min(clock.ends)) => return Err(self.too_late(clock)),
            }
        };
        call_off.id = None;
        match answer {
            Ok(Ok(result)) => self.read(result),
            Ok(Err(error)) => self.failed(error),
            Err(_) => self.failed(ServiceError::TransportClosed),
        }
    }

    fn read(&self, result: ServerResult) -> Result<Answer, Failed> {
        let value = match result {
            ServerResult::InputRequiredResult(questions) => return Ok(Answer::Questions(questions)),
            ServerResult::CallToolResult(result) => serde_json::to_value(result),
            // It isn't quite as the protocol says; what can be read of it is.
            ServerResult::CustomResult(result) => Ok(result.0),
            ServerResult::EmptyResult(_) => Ok(json!({})),
            _ => return self.failed(ServiceError::UnexpectedResponse),
        };
        value.map(Answer::Result).or_else(|_| self.failed(ServiceError::UnexpectedResponse))
    }

    fn failed(&self, error: ServiceError) -> Result<Answer, Failed> {
        let name = &self.place.server.slug;
        if self.connection.said_too_much() {
            let why = "its answer is too large and was not read. The call was sent, and nobody knows whether it was carried out";
            return Err(CallFailure::Unknown(format!("{name}: {why}.")).into());
        }
        match failure::of_call(name, error) {
            Ended::Failed(failure) => Err(failure.into()),
            Ended::SignIn(challenge) => Err(Failed::SignIn(challenge)),
            Ended::Said(said) => Ok(Answer::Error(said)),
        }
    }

    fn too_late(&self, clock: &Clock) -> Failed {
        let (name, idle, total) = (&self.place.server.slug, clock.idle.as_secs(), clock.total.as_secs());
        CallFailure::Unknown(format!(
            "{name}: it did not answer. A call may take {idle} seconds without a sign of progress, and {total} in all. \
             It was called off, and nobody knows whether it was carried out."
        ))
        .into()
    }

    fn stopped(&self) -> Failed {
        let name = &self.place.server.slug;
        CallFailure::Unknown(format!(
            "{name}: the call was stopped, and nobody knows whether it was carried out."
        ))
        .into()
    }
}

/// Waits until the person has been asked.
async fn asked_enough(seen: &mut mpsc::Receiver<Sign>) {
    while let Some(sign) = seen.recv().await {
        if matches!(sign, Sign::Asked) {
            return;
        }
    }
}

/// Tells the server that nobody waits for a call any more, also when the future of the call is dropped.
struct CallOff<'a> {
    peer: &'a Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for CallOff<'_> {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else { return };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let stopped =
                CancelledNotificationParam::new(Some(id), Some("nobody waits for it any more".into()));
            // A connection that is gone has called it off already.
            let _ = peer.notify_cancelled(stopped).await;
        });
    }
}
