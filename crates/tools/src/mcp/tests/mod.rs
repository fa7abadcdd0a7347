//! The client against servers of our own that behave well, badly and worse. Servers that others wrote are in `others.rs`.

mod child;
mod fake;
mod http;
mod others;
mod sign_in;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use baton_core::data::rows::Once;
use baton_core::server_tools::{
    CallFailure, Endpoint, Listing, Outcome, Progress, Said, Server, ServerCall, ServerTools, Trouble, Trust,
};
use baton_core::tools::{CancelOnDrop, Cancelled, TellProgress, ToolContext};
use serde_json::{Map, Value};

use super::{Connections, Options};
use crate::outbound::Outbound;
use crate::testing;

fn connections(options: Options) -> Connections {
    let out = Outbound::new(vec!["127.0.0.0/8".parse().expect("a network")]);
    Connections::start(Arc::new(out), options)
}

fn options() -> Options {
    Options::default()
}

fn server(endpoint: Endpoint) -> Server {
    Server {
        id: baton_core::ids::ToolId::new(),
        workspace_id: baton_core::ids::WorkspaceId::new(),
        slug: "fake".into(),
        endpoint,
        trust: Trust::Untrusted,
    }
}

fn at(url: impl Into<String>) -> Server {
    server(Endpoint::Url { url: url.into(), headers: vec![] })
}

fn command(program: &str, arguments: &[&str]) -> Server {
    server(Endpoint::Command {
        program: program.into(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        environment: vec![],
    })
}

/// Somebody waits for a call as long as the first of the two is kept.
fn context() -> (CancelOnDrop, ToolContext) {
    let (waits, cancelled) = Cancelled::new();
    let mut context = testing::context().0;
    context.cancelled = cancelled;
    // However long: the tests have deadlines of their own.
    context.once = Once::Unkeyed;
    (waits, context)
}

async fn call(with: &Connections, server: &Server, tool: &str) -> Result<Outcome, CallFailure> {
    call_with(with, server, tool, Value::Null).await.0
}

/// With arguments, and what it told of its progress.
async fn call_with(
    with: &Connections,
    server: &Server,
    tool: &str,
    arguments: Value,
) -> (Result<Outcome, CallFailure>, Vec<Progress>) {
    let (_waits, mut context) = context();
    let told = Arc::<Mutex<Vec<Progress>>>::default();
    let telling = told.clone();
    context.progress = TellProgress::new(move |progress| telling.lock().expect("a lock").push(progress));
    let asked = ServerCall {
        server,
        raw_name: tool,
        arguments: arguments.as_object().cloned().unwrap_or_else(Map::new),
        context: &context,
    };
    let outcome = with.call(asked).await;
    let told = told.lock().expect("a lock").clone();
    (outcome, told)
}

fn text(outcome: Result<Outcome, CallFailure>) -> String {
    match outcome.expect("an outcome").said {
        Said::Text(text) => text,
        Said::Structured(value) => panic!("structured: {value}"),
    }
}

/// What the words of a failed call are; it must be of the kind that is asked for.
fn not_done(outcome: Result<Outcome, CallFailure>) -> String {
    match outcome {
        Err(CallFailure::NotDone(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn unknown(outcome: Result<Outcome, CallFailure>) -> String {
    match outcome {
        Err(CallFailure::Unknown(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn down(listing: &Listing) -> String {
    match &listing.trouble {
        Some(Trouble::Down(why)) => why.clone(),
        other => panic!("{other:?}"),
    }
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.tools.iter().map(|tool| tool.name.as_str()).collect()
}
