//! Made-up input for the benchmarks: a long conversation with tool calls, the events of one message, and answers as
//! vendors stream them.

use std::collections::{HashMap, HashSet};

use baton_core::events::Event;
use baton_core::ids::{AgentId, MessageId, RuleId, TaskId};
use baton_core::log::{
    CallStep, LoggedStep, MessageStatus, ResultStep, Said, Spent, Start, Step, TurnStatus,
};
use baton_core::models::{ModelRequest, StopReason, SystemPrompt};
use baton_core::rules::Rule;
use baton_core::tape::{Block, Voice};
use baton_core::tools::{Nature, ToolSpec};
use baton_engine::{Sight, view};
use chrono::DateTime;
use serde_json::{Map, Value, json};

const WORDS: &str = "The quick brown fox jumps over the lazy dog, and then rests for a while under a tree. ";

/// A conversation of turns of eight steps, each with one tool call.
pub struct Talk {
    pub agent_id: AgentId,
    pub log: Vec<LoggedStep>,
}

impl Talk {
    pub fn new(steps: usize) -> Self {
        let mut talk = Self { agent_id: AgentId::new(), log: Vec::new() };
        while talk.log.len() < steps {
            talk.turn();
        }
        talk.log.truncate(steps / 8 * 8);
        talk
    }

    fn turn(&mut self) {
        let (task, message, call_id) = (TaskId::new(), MessageId::new(), format!("call_{}", self.log.len()));
        let start = Start { agent_name: "Ada".into(), avatar_url: None, parts: vec![] };
        let args = object(json!({ "query": WORDS, "limit": 5 }));
        let steps = [
            Step::User { content: WORDS.repeat(2), attachments: vec![], web_search: false, synthetic: false },
            Step::Call { attempt: 1, start: Some(start), lost: None },
            said(None),
            Step::ToolCall(CallStep {
                call_id: call_id.clone(),
                tool_name: "search".into(),
                display_name: "Search".into(),
                args,
                nature: Some(Nature::READS),
                loads_skill: false,
                hands_off: false,
            }),
            Step::ToolResult(ResultStep {
                call_id,
                tool_name: "search".into(),
                result: json!({ "found": [WORDS, WORDS, WORDS] }),
                success: true,
                duration_ms: 3,
                unknown: false,
                wrote: false,
            }),
            Step::Call { attempt: 1, start: None, lost: None },
            said(Some(MessageStatus::Complete)),
            Step::Done { status: TurnStatus::Completed, spent: Spent::NOTHING, calls: 2 },
        ];
        for step in steps {
            self.log.push(LoggedStep {
                seq: self.log.len() as i64 + 1,
                task_id: Some(task),
                agent_id: self.agent_id,
                message_id: Some(message),
                step,
                at: DateTime::UNIX_EPOCH,
            });
        }
    }
}

fn said(ends: Option<MessageStatus>) -> Step {
    let stop = if ends.is_some() { StopReason::End } else { StopReason::ToolUse };
    Step::Said(Said {
        blocks: vec![Block { voice: Voice::Text, text: WORDS.repeat(6) }],
        thinking: vec![],
        model: "openai/some-model".into(),
        prompt_hash: String::new(),
        spent: Spent::NOTHING,
        stop: Some(stop),
        unsent: false,
        ends,
    })
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// A message told in so many events, mostly text with a tool call now and then.
pub fn events(count: usize, message_id: MessageId, agent_id: AgentId) -> Vec<Event> {
    let event = |index: usize| match index % 100 {
        98 => Event::ToolStart {
            message_id,
            agent_id,
            tool_call_id: format!("call_{}", index / 100),
            tool_name: "search".into(),
            display_name: "Search".into(),
            args: object(json!({ "query": WORDS })),
        },
        99 => Event::ToolResult {
            message_id,
            agent_id,
            tool_call_id: format!("call_{}", index / 100),
            tool_name: "search".into(),
            result: json!({ "found": [WORDS] }),
            success: true,
            duration_ms: 3,
        },
        _ => Event::Text { message_id, agent_id, content: "a few words ".into(), is_complete: false },
    };
    (0..count).map(event).collect()
}

/// What a model would be asked next in this conversation.
pub fn request(talk: &Talk) -> ModelRequest {
    let tools: Vec<ToolSpec> = ["search", "read_memory", "write_memory", "list_agents", "load_skill"]
        .into_iter()
        .map(|name| ToolSpec {
            name: name.into(),
            description: WORDS.into(),
            parameters: json!({ "type": "object", "required": ["query"], "additionalProperties": false, "properties": {
                "query": { "type": "string", "description": WORDS }, "limit": { "type": "integer", "minimum": 1 },
            } }),
        })
        .collect();
    let offered: HashSet<String> = tools.iter().map(|tool| tool.name.clone()).collect();
    let seen = view(&Sight {
        log: &talk.log.iter().collect::<Vec<_>>(),
        reader: talk.agent_id,
        task_id: TaskId::new(),
        model: "openai/some-model",
        prompt_hash: "",
        offered: &offered,
        files: &HashMap::new(),
    });
    ModelRequest {
        model: "some-model".into(),
        system: SystemPrompt { fixed: WORDS.repeat(40), context: None },
        messages: seen.messages,
        tools,
        max_output_tokens: 8_192,
        demo: None,
    }
}

pub fn rules(count: i32) -> Vec<Rule> {
    let rule = |position| Rule {
        id: RuleId::new(),
        workspace_id: None,
        name: format!("Rule {position}"),
        content: WORDS.repeat(3),
        active: position % 5 != 4,
        position: count - position,
        agent_ids: vec![],
        ai_agent_ids: vec![],
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    };
    (0..count).map(rule).collect()
}

/// An answer of chat completions, in the pieces it arrives in.
pub fn openai_stream(pieces: usize) -> Vec<String> {
    let chunk = |delta: Value, finish: Option<&str>| {
        json!({ "id": "chatcmpl-made-up", "object": "chat.completion.chunk", "created": 1_700_000_000,
            "model": "some-model", "system_fingerprint": "fp_made_up", "usage": null, "choices": [
                { "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }] })
    };
    let mut all =
        vec![chunk(json!({ "role": "assistant", "content": "", "refusal": null }), None).to_string()];
    all.extend((0..pieces).map(|_| chunk(json!({ "content": " ten bytes" }), None).to_string()));
    all.push(chunk(json!({}), Some("stop")).to_string());
    all.push("[DONE]".to_owned());
    all.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// An answer of the Messages API, in the pieces it arrives in.
pub fn anthropic_stream(pieces: usize) -> Vec<String> {
    let mut all = vec![
        json!({ "type": "message_start", "message": { "id": "msg_made_up", "type": "message", "role": "assistant",
            "content": [], "model": "some-model", "stop_reason": null,
            "usage": { "input_tokens": 100, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
    ];
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": " ten bytes" } });
    all.extend((0..pieces).map(|_| delta.clone()));
    all.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 400 } }),
        json!({ "type": "message_stop" }),
    ]);
    let name = |data: &Value| data["type"].as_str().unwrap_or_default().to_owned();
    all.iter().map(|data| format!("event: {}\ndata: {data}\n\n", name(data))).collect()
}
