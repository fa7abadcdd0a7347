//! The token counts that chat completions report. Their input count includes cached tokens.

use baton_core::models::Usage;
use serde::Deserialize;

#[derive(Deserialize, Default)]
pub struct Said {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<InputDetails>,
    completion_tokens_details: Option<OutputDetails>,
    /// DeepSeek's name for what was read from the cache.
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Deserialize, Default)]
struct InputDetails {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

#[derive(Deserialize, Default)]
struct OutputDetails {
    reasoning_tokens: Option<u64>,
}

impl From<Said> for Usage {
    fn from(said: Said) -> Self {
        let input = said.prompt_tokens_details.unwrap_or_default();
        let input_tokens = said.prompt_tokens.unwrap_or_default();
        let read = input.cached_tokens.or(said.prompt_cache_hit_tokens).unwrap_or_default().min(input_tokens);
        let write = input.cache_write_tokens.unwrap_or_default().min(input_tokens - read);
        let output = said.completion_tokens_details.unwrap_or_default();
        Self {
            input_tokens,
            cache_read_tokens: read,
            cache_write_tokens: write,
            output_tokens: said.completion_tokens.unwrap_or_default(),
            reasoning_tokens: output.reasoning_tokens.unwrap_or_default(),
        }
    }
}
