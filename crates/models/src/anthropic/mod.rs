//! Anthropic's Messages API.

pub mod request;
pub(crate) mod stream;
mod usage;

use async_trait::async_trait;
use baton_core::models::{ChatModel, ModelError, ModelRequest, ModelStream};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::calls::CallIds;
use crate::http::{Endpoint, secret};
use crate::options::{HttpOptions, ProviderOptions, SetupError};

const VERSION: &str = "2023-06-01";

pub struct Anthropic {
    endpoint: Endpoint,
}

impl Anthropic {
    pub fn new(configured: &ProviderOptions, options: HttpOptions) -> Result<Self, SetupError> {
        let mut headers = HeaderMap::new();
        headers.insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION));
        if let Some(key) = configured.key() {
            let (name, value) = secret(configured, HeaderName::from_static("x-api-key"), key)?;
            headers.insert(name, value);
        }
        let endpoint = Endpoint::new(configured, "/v1/messages", headers, options)?;
        Ok(Self { endpoint })
    }
}

#[async_trait]
impl ChatModel for Anthropic {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let body = request::body(&request).to_string().into_bytes();
        let machine = || stream::Machine::new(CallIds::of(&request));
        self.endpoint.call(&request.model, body, machine).await
    }
}
