//! OpenAI's chat completions, and the many servers that speak it: vLLM, llama.cpp, Ollama and more.

mod call_pieces;
pub mod request;
pub(crate) mod stream;
mod think_tag;
mod usage;

use async_trait::async_trait;
use baton_core::models::{ChatModel, ModelError, ModelRequest, ModelStream};
use reqwest::header::{AUTHORIZATION, HeaderMap};

use crate::calls::CallIds;
use crate::http::{Endpoint, secret};
use crate::options::{HttpOptions, ProviderOptions, SetupError};

pub struct OpenAi {
    endpoint: Endpoint,
    dialect: request::Dialect,
}

impl OpenAi {
    pub fn new(configured: &ProviderOptions, options: HttpOptions) -> Result<Self, SetupError> {
        let mut headers = HeaderMap::new();
        if let Some(key) = configured.key() {
            let (name, value) = secret(configured, AUTHORIZATION, &format!("Bearer {key}"))?;
            headers.insert(name, value);
        }
        let endpoint = Endpoint::new(configured, "/chat/completions", headers, options)?;
        let dialect =
            if configured.is_vendors_own() { request::Dialect::OpenAi } else { request::Dialect::Lookalike };
        Ok(Self { endpoint, dialect })
    }
}

#[async_trait]
impl ChatModel for OpenAi {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let body = request::body(&request, self.dialect).to_string().into_bytes();
        let machine = || stream::Machine::new(CallIds::of(&request));
        self.endpoint.call(&request.model, body, machine).await
    }
}
