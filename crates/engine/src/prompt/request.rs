//! The request to a model: the agent's prompt, a view of the log, its tools.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use baton_core::handoffs::Activation;
use baton_core::ids::{FileId, TaskId};
use baton_core::log::{LoggedStep, Step};
use baton_core::models::{ChatMessage, ModelRequest, SystemPrompt, UserPart};
use baton_core::tape::Voice;
use serde_json::Value;

use crate::agent::ready::ReadyAgent;
use crate::prompt::context::{Situation, context_block};
use crate::prompt::scope::Scope;
use crate::prompt::view::{FileContent, MAX_BYTES, Sight, view};
use crate::sizes::{json_size, tokens_in, tools_size};
use crate::turn::run::Offered;

const MAX_OUTPUT_TOKENS: u32 = 8_192;
/// About how many bytes an image stands for, and a call beside its name.
const ATTACHED: usize = 6_000;
const CALLED: usize = 50;
const LEFT_OUT: &str = "The beginning of this conversation is too long and is not shown.";

pub struct RequestInput<'a> {
    pub ready: &'a ReadyAgent,
    /// The vendor's name of the model.
    pub model: &'a str,
    pub log: &'a [LoggedStep],
    /// Whether the log's beginning was left out already.
    pub log_is_cut: bool,
    pub scope: &'a Scope,
    /// How the agent comes to the conversation.
    pub activation: Option<&'a Activation>,
    pub snapshots: &'a [(String, Value)],
    pub task_id: TaskId,
    pub offered: Offered,
    /// What this turn's calls are told besides.
    pub note: Option<&'a str>,
    pub files: &'a HashMap<FileId, FileContent>,
}

pub fn request(input: &RequestInput<'_>) -> ModelRequest {
    let RequestInput { ready, model, log, log_is_cut, task_id, offered, files, .. } = *input;
    let tools = match offered {
        Offered::Tools => ready.specs.clone(),
        Offered::Nothing => Vec::new(),
    };
    let names: HashSet<String> = tools.iter().map(|tool| tool.name.clone()).collect();
    let shown = input.scope.of(log, ready.agent.id);
    let prompt_hash = prompt_hash(input);
    let seen = view(&Sight {
        log: &shown,
        reader: ready.agent.id,
        task_id,
        model: &ready.model_name(),
        prompt_hash: &prompt_hash,
        offered: &names,
        files,
    });
    let is_cut = seen.is_cut || (log_is_cut && *input.scope == Scope::Full);
    let notes: Vec<&str> = is_cut.then_some(LEFT_OUT).into_iter().chain(input.note).collect();
    let situation = Situation { activation: input.activation, snapshots: input.snapshots, notes: &notes };
    ModelRequest {
        model: model.to_owned(),
        system: SystemPrompt { fixed: ready.system_prompt.clone(), context: context_block(&situation) },
        messages: seen.messages,
        tools,
        max_output_tokens: MAX_OUTPUT_TOKENS,
        demo: Some(ready.demo.clone()),
    }
}

/// A hash of what this agent reads before the conversation: vendors bind thinking to it. The view checks whether
/// older turns are left out.
pub fn prompt_hash(input: &RequestInput<'_>) -> String {
    let notes: Vec<&str> = input.note.into_iter().collect();
    let situation = Situation { activation: input.activation, snapshots: input.snapshots, notes: &notes };
    let mut hasher = DefaultHasher::new();
    (&input.ready.prompt_hash, context_block(&situation)).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// About how many tokens a request has, for vendors that don't report it.
pub fn estimated_tokens(request: &ModelRequest) -> u64 {
    let system = request.system.fixed.len() + request.system.context.as_deref().map_or(0, str::len);
    let messages: usize = request.messages.iter().map(size).sum();
    tokens_in(system + tools_size(&request.tools) + messages)
}

/// About how many bytes a step is in a request, without making one.
pub fn step_size(step: &Step) -> usize {
    match step {
        Step::User { content, attachments, .. } => content.len() + attachments.len() * ATTACHED,
        Step::Imported { content, .. } => content.len(),
        Step::Said(said) => {
            let spoken = said.blocks.iter().filter(|block| block.voice == Voice::Text);
            spoken.map(|block| block.text.len()).sum()
        }
        Step::ToolCall(call) => call.tool_name.len() + CALLED,
        Step::ToolResult(result) => json_size(&result.result),
        Step::Greeting { text, .. } => text.len(),
        _ => 0,
    }
}

/// About how many bytes a request is: prompt and tools, and the steps that are shown.
pub fn request_size<'a>(fixed: usize, shown: impl Iterator<Item = &'a LoggedStep>) -> usize {
    fixed + shown.map(|logged| step_size(&logged.step)).sum::<usize>().min(MAX_BYTES)
}

fn size(message: &ChatMessage) -> usize {
    match message {
        ChatMessage::User(parts) => parts
            .iter()
            .map(|part| match part {
                UserPart::Text(text) => text.len(),
                UserPart::Image { .. } => ATTACHED,
            })
            .sum(),
        ChatMessage::Assistant(said) => {
            said.text.len() + said.calls.iter().map(|call| call.name.len() + CALLED).sum::<usize>()
        }
        ChatMessage::Results(results) => results.iter().map(|result| result.content.len()).sum(),
    }
}
