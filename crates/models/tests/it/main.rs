//! The clients against a server that speaks real HTTP on this machine.

// Helpers of tests, outside the test functions themselves.
#![allow(clippy::unwrap_used)]

mod failures;
mod guarded;
mod limits;
mod server;
mod streams;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::models::{
    ChatMessage, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, Models, StopReason,
    SystemPrompt, Usage, UserPart,
};
use baton_core::secrets::SecretText;
use baton_models::{HttpOptions, ModelOptions, ModelSet, Provider, ProviderKey, ProviderOptions, WireFormat};
use futures::StreamExt;
use server::FakeServer;

const KEY: &str = "sk-very-secret";

/// Stands in for the demo model, which is never asked here.
struct Nobody;

#[async_trait]
impl ChatModel for Nobody {
    async fn call(&self, _: ModelRequest) -> Result<ModelStream, ModelError> {
        panic!("the demo model was called");
    }
}

#[derive(Clone, Copy, Debug)]
enum Vendor {
    Anthropic,
    OpenAi,
}

const BOTH: [Vendor; 2] = [Vendor::Anthropic, Vendor::OpenAi];

fn quick() -> HttpOptions {
    HttpOptions { backoff: Duration::from_millis(10), ..HttpOptions::default() }
}

fn client_at(vendor: Vendor, address: &str, http: HttpOptions) -> Arc<dyn ChatModel> {
    let path = match vendor {
        Vendor::Anthropic => "",
        Vendor::OpenAi => "/v1",
    };
    let base_url = format!("{address}{path}").parse().unwrap();
    let wire = match vendor {
        Vendor::Anthropic => WireFormat::Anthropic,
        Vendor::OpenAi => WireFormat::Openai,
    };
    let key = ProviderKey::Known(SecretText::new(KEY));
    let options = ProviderOptions { key, base_url: Some(base_url), ..ProviderOptions::of_settings(wire) };
    let providers = vec![Arc::new(Provider::new(options, http).unwrap())];
    let options = ModelOptions { providers, ..ModelOptions::new(Arc::new(Nobody)) };
    ModelSet::new(options).unwrap().resolve(&format!("{wire}/model-x")).unwrap().client
}

fn client(vendor: Vendor, server: &FakeServer) -> Arc<dyn ChatModel> {
    client_at(vendor, &server.address, quick())
}

fn request() -> ModelRequest {
    ModelRequest {
        model: "model-x".into(),
        system: SystemPrompt::default(),
        messages: vec![ChatMessage::User(vec![UserPart::Text("Hi".into())])],
        tools: Vec::new(),
        max_output_tokens: 100,
        demo: None,
    }
}

/// All that one call gives, in order; failing to open it counts as its only item.
async fn ask(client: &Arc<dyn ChatModel>) -> Vec<Result<ModelEvent, ModelError>> {
    match client.call(request()).await {
        Ok(stream) => stream.collect().await,
        Err(error) => vec![Err(error)],
    }
}

/// The answer as a vendor streams it: "Grüße, 世界." and the counts 3 and 2.
fn answer(vendor: Vendor) -> &'static str {
    match vendor {
        Vendor::Anthropic => concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":0}}}\n\n",
            "event: ping\ndata: {\"type\": \"ping\"}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Grüße, \"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"世界.\"}}\n\n",
            "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n",
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        ),
        Vendor::OpenAi => concat!(
            ": a comment\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Grüße, \"}}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"世界.\"}}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n",
            "data: [DONE]\n\n",
        ),
    }
}

/// The first words of that answer.
fn first_words(vendor: Vendor) -> &'static str {
    let whole = answer(vendor);
    let end = whole.find("Grüße").unwrap();
    &whole[..end + whole[end..].find("\n\n").unwrap() + 2]
}

/// The text of a whole answer; fails the test if there was anything else.
#[track_caller]
fn text_of(items: &[Result<ModelEvent, ModelError>]) -> String {
    let (last, words) = items.split_last().unwrap();
    let usage = Usage { input_tokens: 3, output_tokens: 2, ..Usage::default() };
    assert_eq!(*last, Ok(ModelEvent::End { stop: StopReason::End, usage }), "{items:?}");
    let words = words.iter().map(|item| match item {
        Ok(ModelEvent::Text(text)) => text.as_str(),
        other => panic!("{other:?}"),
    });
    words.collect()
}

fn said(text: &str) -> Result<ModelEvent, ModelError> {
    Ok(ModelEvent::Text(text.into()))
}
