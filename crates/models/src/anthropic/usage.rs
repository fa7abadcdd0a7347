//! The token counts that the Messages API reports. Each report replaces the one before; a count that a report leaves
//! out stays as it was.

use baton_core::models::Usage;
use serde::Deserialize;

#[derive(Deserialize, Default)]
pub struct Said {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    output_tokens_details: Option<Details>,
}

#[derive(Deserialize, Default)]
struct Details {
    thinking_tokens: Option<u64>,
}

#[derive(Default)]
pub struct Counts {
    /// Without what was cached.
    plain_input: u64,
    cache_write: u64,
    cache_read: u64,
    output: u64,
    thinking: u64,
}

impl Counts {
    pub fn replace(&mut self, said: Said) {
        let thinking = said.output_tokens_details.and_then(|details| details.thinking_tokens);
        for (count, said) in [
            (&mut self.plain_input, said.input_tokens),
            (&mut self.cache_write, said.cache_creation_input_tokens),
            (&mut self.cache_read, said.cache_read_input_tokens),
            (&mut self.output, said.output_tokens),
            (&mut self.thinking, thinking),
        ] {
            *count = said.unwrap_or(*count);
        }
    }

    pub fn normal(&self) -> Usage {
        Usage {
            input_tokens: self.plain_input + self.cache_write + self.cache_read,
            cache_read_tokens: self.cache_read,
            cache_write_tokens: self.cache_write,
            output_tokens: self.output,
            reasoning_tokens: self.thinking,
        }
    }
}
