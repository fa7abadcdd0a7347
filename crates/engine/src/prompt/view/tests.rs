//! What an agent is shown, line by line: who said what, which thinking is sent back, and what is left out of a log
//! that is too long.

use baton_core::attachments::AttachmentRef;
use baton_core::ids::{ActivationId, ApprovalId};
use baton_core::log::{Handoff, Spent, Start, Switched};
use baton_core::models::Thinking;
use baton_core::tape::Block;
use baton_core::tools::Nature;
use chrono::DateTime;
use serde_json::json;

use super::*;

const ANA: &str = "Ana";
const BO: &str = "Bo";

/// A log in the making. Ana reads it, with the tool `look`.
struct Log {
    steps: Vec<LoggedStep>,
    agents: HashMap<&'static str, AgentId>,
    task: TaskId,
    message: MessageId,
    files: HashMap<FileId, FileContent>,
}

impl Log {
    fn new() -> Self {
        let agents = HashMap::from([(ANA, AgentId::new()), (BO, AgentId::new())]);
        let (steps, files) = (vec![], HashMap::new());
        Self { steps, agents, task: TaskId::new(), message: MessageId::new(), files }
    }

    fn step(&mut self, agent: &str, step: Step) -> &mut Self {
        let seq = self.steps.len() as i64 + 1;
        let (task_id, message_id, agent_id) = (Some(self.task), Some(self.message), self.agents[agent]);
        self.steps.push(LoggedStep { seq, task_id, agent_id, message_id, step, at: DateTime::UNIX_EPOCH });
        self
    }

    /// A person writes, and a turn begins.
    fn asks(&mut self, content: &str) -> &mut Self {
        self.task = TaskId::new();
        self.said_on(content)
    }

    /// The same within the turn: Baton begins a stage.
    fn said_on(&mut self, content: &str) -> &mut Self {
        let content = content.to_owned();
        self.step(ANA, Step::User { content, attachments: vec![], web_search: false, synthetic: false })
    }

    fn opens(&mut self, agent: &'static str) -> &mut Self {
        let start = Some(Start { agent_name: agent.into(), avatar_url: None, parts: vec![] });
        self.message = MessageId::new();
        self.step(agent, Step::Call { attempt: 1, start, lost: None })
    }

    fn says(&mut self, agent: &'static str, text: &str) -> &mut Self {
        self.opens(agent).step(agent, Step::Said(said(text)))
    }

    /// Ana thinks, and calls a tool that answers.
    fn looks(&mut self, id: &str, answer: &str) -> &mut Self {
        self.says(ANA, "").calls(ANA, id, "look").answers(ANA, id, json!(answer), true)
    }

    fn calls(&mut self, agent: &str, id: &str, tool: &str) -> &mut Self {
        let (call_id, tool_name, display_name) = (id.into(), tool.into(), tool.into());
        let args = map(json!({"at": id}));
        let nature = Some(Nature::READS);
        self.step(
            agent,
            Step::ToolCall(CallStep {
                call_id,
                tool_name,
                through: None,
                display_name,
                args,
                nature,
                loads_skill: false,
                hands_off: false,
            }),
        )
    }

    fn answers(&mut self, agent: &str, id: &str, result: Value, success: bool) -> &mut Self {
        let (call_id, tool_name) = (id.into(), "look".into());
        let (unknown, wrote, duration_ms) = (false, false, 0);
        let kept = Vec::new();
        let answer = ResultStep { call_id, tool_name, result, success, duration_ms, unknown, wrote, kept };
        self.step(agent, Step::ToolResult(answer))
    }

    fn imports(&mut self, role: MessageRole, content: &str) -> &mut Self {
        self.step(ANA, Step::Imported { role, content: content.into() });
        self.steps.iter_mut().last().expect("one").task_id = None;
        self
    }

    fn switches(&mut self, from: &str, to: &str, by: Trigger) -> &mut Self {
        let (from, to, to_name) = (self.agents[from], self.agents[to], to.to_owned());
        let (epoch, activation_id) = (2, ActivationId::new());
        let switched = Switched { from, to, to_name, by, epoch, activation_id, pinned: false };
        self.step(ANA, Step::Switched(switched))
    }

    fn hands_to(&mut self, to: &str) -> &mut Self {
        let handoff = Handoff {
            id: baton_core::ids::TransitionId::new(),
            from: self.agents[ANA],
            to: self.agents[to],
            to_name: to.to_owned(),
            trigger: Trigger::Model,
            reason: None,
            context: Default::default(),
            epoch: 2,
            activation_id: ActivationId::new(),
            task_id: TaskId::new(),
            mode: baton_core::agents::PermissionMode::Default,
            stage: None,
            call_id: None,
        };
        self.step(ANA, Step::Handoff(handoff))
    }

    fn seen_with(&self, model: &str, prompt: &str) -> View {
        let log: Vec<&LoggedStep> = self.steps.iter().collect();
        let offered = HashSet::from(["look".to_owned()]);
        let (reader, task_id, files) = (self.agents[ANA], self.task, &self.files);
        view(&Sight { log: &log, reader, task_id, model, prompt_hash: prompt, offered: &offered, files })
    }

    fn seen(&self) -> View {
        self.seen_with("any/model", "prompt")
    }

    fn shows(&self) -> Vec<String> {
        self.seen().messages.iter().map(line).collect()
    }

    /// How many thoughts go back.
    fn thoughts(&self) -> usize {
        thoughts(&self.seen())
    }
}

fn thoughts(view: &View) -> usize {
    let of = |message: &ChatMessage| match message {
        ChatMessage::Assistant(said) => said.thinking.len(),
        _ => 0,
    };
    view.messages.iter().map(of).sum()
}

fn map(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn said(text: &str) -> Said {
    Said {
        blocks: vec![Block { voice: Voice::Text, text: text.into() }],
        thinking: vec![Thinking { text: "Hm".into(), opaque: None }],
        model: "any/model".into(),
        prompt_hash: "prompt".into(),
        spent: Spent::NOTHING,
        stop: None,
        unsent: false,
        ends: None,
    }
}

fn line(message: &ChatMessage) -> String {
    match message {
        ChatMessage::User(parts) => {
            let part = |part: &UserPart| match part {
                UserPart::Text(text) => text.clone(),
                UserPart::Image { media_type, .. } => media_type.clone(),
            };
            format!("user: {}", parts.iter().map(part).collect::<Vec<_>>().join(" | "))
        }
        ChatMessage::Assistant(said) => {
            let calls = said.calls.iter().map(|call| format!(" {}({})", call.id, json!(call.arguments)));
            format!("ana: {}{}", said.text, calls.collect::<String>())
        }
        ChatMessage::Results(results) => {
            let result = |one: &CallResult| {
                format!(" {}={}{}", one.call_id, one.content, if one.is_error { "!" } else { "" })
            };
            format!("results:{}", results.iter().map(result).collect::<String>())
        }
    }
}

#[test]
fn words_are_the_readers_own_or_told_by_name() {
    let mut log = Log::new();
    log.asks("Hi").says(ANA, " Hello. ").says(BO, "Bo here.").asks("And?").says(BO, " ");
    let bo = format!("[{BO}, another agent, said:]\nBo here.");
    assert_eq!(log.shows(), ["user: Hi", "ana: Hello.", &format!("user: {bo} | And?")]);
    let nameless = log
        .steps
        .iter()
        .position(|step| matches!(&step.step, Step::Said(said) if said.blocks[0].text == "Bo here."));
    log.steps[nameless.expect("Bo's words")].message_id = None;
    assert!(log.shows()[2].contains("[Another agent, another agent, said:]"), "{:?}", log.shows());
}

#[test]
fn only_text_is_told_and_blocks_are_paragraphs() {
    let mut log = Log::new();
    let block = |voice, text: &str| Block { voice, text: text.into() };
    let blocks = vec![block(Voice::Text, "One."), block(Voice::Reasoning, "Hm."), block(Voice::Text, "Two.")];
    log.asks("Hi").opens(ANA).step(ANA, Step::Said(Said { blocks, ..said("") })).asks("And?");
    assert_eq!(log.shows(), ["user: Hi", "ana: One.\n\nTwo.", "user: And?"]);
}

#[test]
fn calls_go_with_what_came_back() {
    let mut log = Log::new();
    log.asks("Hi").says(ANA, "I look.").calls(ANA, "a", "look").calls(ANA, "b", "look");
    let (approval_id, call_id) = (ApprovalId::new(), "b".to_owned());
    let (decision, by) = (baton_core::approvals::Decision::Approved, "Eva".to_owned());
    let (reason, remember, args) = (None, false, Some(map(json!({"at": "home"}))));
    let args_hash = None;
    let resolved =
        Step::ApprovalResolved { approval_id, call_id, decision, by, reason, remember, args, args_hash };
    log.step(ANA, resolved);
    log.answers(ANA, "b", json!({"found": 1}), true).answers(ANA, "a", json!("  "), false);
    log.answers(ANA, "a", json!("a second answer"), true);
    let called = "ana: I look. a({\"at\":\"a\"}) b({\"at\":\"home\"})";
    let first = ["user: Hi", called, "results: a=(nothing)! b={\"found\":1}"];
    assert_eq!(log.shows(), first);
    log.says(ANA, "").calls(ANA, "c", "look");
    let interrupted = format!("results: c={INTERRUPTED}!");
    assert_eq!(log.shows()[3..], ["ana:  c({\"at\":\"c\"})", &interrupted]);
    // Another turn's answer is no answer to it.
    log.task = TaskId::new();
    log.answers(ANA, "c", json!("late"), true);
    assert_eq!(log.shows()[4], interrupted);
}

#[test]
fn calls_of_tools_that_are_gone_are_told_in_words() {
    let mut log = Log::new();
    log.asks("Hi").says(ANA, "I send.").calls(ANA, "a", "send").answers(ANA, "a", json!("Sent."), true);
    let told = "user: [Result of send with {\"at\":\"a\"}:]\nSent.";
    assert_eq!(log.shows(), ["user: Hi", "ana: I send.", told]);
    let mut silent = Log::new();
    silent.asks("Hi").says(ANA, "").calls(ANA, "a", "look").calls(ANA, "b", "send");
    silent.answers(ANA, "a", json!("Seen."), true).answers(ANA, "b", json!("Sent."), true);
    let both = "[Result of look with {\"at\":\"a\"}:]\nSeen.\n\n[Result of send with {\"at\":\"b\"}:]\nSent.";
    assert_eq!(silent.shows(), ["user: Hi", "ana: (I used a tool.)", &format!("user: {both}")]);
}

#[test]
fn a_view_begins_and_ends_on_the_users_side_and_alternates() {
    let mut log = Log::new();
    assert_eq!(log.shows(), [format!("user: {BEGIN}")]);
    log.imports(MessageRole::Assistant, "Welcome.").imports(MessageRole::Assistant, " ");
    log.imports(MessageRole::Assistant, "What is it?");
    let welcome = "ana: Welcome.\n\nWhat is it?";
    assert_eq!(log.shows(), [&format!("user: {BEGIN}"), welcome, &format!("user: {GO_ON}")]);
    log.imports(MessageRole::User, "Hi").asks(" ").says(ANA, "Well.");
    let (begin, go_on) = (format!("user: {BEGIN}"), format!("user: {GO_ON}"));
    assert_eq!(log.shows(), [&begin, welcome, "user: Hi", "ana: Well.", &go_on]);
    // Asked again in a turn without words, it goes on; in the same turn it is one message.
    log.says(ANA, "Also.");
    log.task = TaskId::new();
    log.says(ANA, "More.");
    assert_eq!(log.shows()[3..], ["ana: Well.\n\nAlso.", &go_on, "ana: More.", &go_on]);
    let mut ended = Log::new();
    ended.asks("Hi").looks("a", "Seen.").asks("Stop");
    assert_eq!(ended.shows()[2..], ["results: a=Seen.", &format!("ana: {ENDED}"), "user: Stop"]);
}

#[test]
fn a_greeting_is_the_readers_own_or_told_by_name() {
    let greeting =
        |agent: &str| Step::Greeting { agent_name: agent.into(), avatar_url: None, text: "Hello.".into() };
    let mut log = Log::new();
    log.asks("Hi").step(ANA, greeting(ANA)).step(BO, greeting(BO));
    assert_eq!(log.shows(), ["user: Hi", "ana: Hello.", "user: [Bo, another agent, said:]\nHello."]);
}

#[test]
fn only_who_gets_it_back_is_told_of_a_rollback() {
    let told = |to, by| {
        let mut log = Log::new();
        log.asks("Hi").says(ANA, "Bo knows.").switches(if to == ANA { BO } else { ANA }, to, by);
        log.shows().iter().any(|line| line.contains(ROLLED_BACK))
    };
    assert!(told(ANA, Trigger::Rollback));
    assert!(!told(BO, Trigger::Rollback));
    assert!(!told(ANA, Trigger::User));
}

#[test]
fn an_answer_that_was_cut_is_gone_on_with_when_it_is_tried_again() {
    let cut = |agent, said: Said| {
        let mut log = Log::new();
        log.asks("Hi").opens(agent).step(agent, Step::Said(said));
        log
    };
    let failed = |text: &str| Said { ends: Some(MessageStatus::Failed), ..said(text) };
    let is_told = |log: &Log| log.shows().iter().any(|line| line.contains(CUT));
    let mut log = cut(ANA, failed("Half an"));
    assert!(!is_told(&log), "nobody asked again yet");
    log.opens(ANA);
    assert!(is_told(&log));
    let mut wrote = cut(ANA, failed("Half an"));
    wrote.asks("Never mind").opens(ANA);
    assert!(!is_told(&wrote), "the person said something new");
    let thought = Said { blocks: vec![Block { voice: Voice::Reasoning, text: "Hm".into() }], ..failed("") };
    for mut other in
        [cut(ANA, said("Whole.")), cut(ANA, failed(" ")), cut(ANA, thought), cut(BO, failed("Bo's"))]
    {
        other.opens(ANA);
        assert!(!is_told(&other), "{:?}", other.shows());
    }
}

#[test]
fn thinking_goes_back_within_its_own_loop_alone() {
    let mut log = Log::new();
    log.asks("Hi").looks("a", "Seen.").looks("b", "Seen.");
    assert_eq!(log.thoughts(), 2);
    assert_eq!(thoughts(&log.seen_with("other/model", "prompt")), 0, "to no other model");
    assert_eq!(thoughts(&log.seen_with("any/model", "other")), 0, "after no other prompt");
    log.says(ANA, "Done.");
    assert_eq!(log.thoughts(), 0, "a turn that was answered is over");
    let mut said_on = Log::new();
    said_on.asks("Hi").looks("a", "Seen.").said_on("The next stage.").looks("b", "Seen.");
    assert_eq!(said_on.thoughts(), 1, "a word from the user's side ends it");
    let mut later = Log::new();
    later.asks("Hi").looks("a", "Seen.");
    later.task = TaskId::new();
    assert_eq!(later.thoughts(), 0, "in no other turn");
    let after = |change: for<'a> fn(&'a mut Log) -> &'a mut Log| {
        let mut log = Log::new();
        log.asks("Hi").looks("a", "Seen.");
        change(&mut log);
        log.looks("b", "Seen.").thoughts()
    };
    assert_eq!(after(|log| log.hands_to(BO)), 1, "what was thought before the handoff");
    assert_eq!(after(|log| log.switches(ANA, BO, Trigger::User)), 1, "by whomever");
    assert_eq!(after(|log| log.switches(ANA, ANA, Trigger::User)), 2, "a pin changes no hands");
}

/// A reply of Ana's that was answered counts its words, its arguments and its results; an image counts for 8,000.
#[test]
fn a_view_holds_so_much_and_not_a_byte_more() {
    let with = |bytes: usize| {
        let mut log = Log::new();
        log.asks("old").says(ANA, "old answer").asks("Hi");
        let image = AttachmentRef {
            id: FileId::new(),
            name: "a.png".into(),
            media_type: "image/png".into(),
            size: 1,
        };
        let (media_type, kept) = (image.media_type.clone(), Arc::from(&b"x"[..]));
        log.files.insert(image.id, FileContent::Image { media_type, bytes: kept });
        let Some(Step::User { attachments, .. }) = log.steps.last_mut().map(|step| &mut step.step) else {
            panic!()
        };
        attachments.push(image);
        log.says(ANA, "Looking.").calls(ANA, "a", "look").answers(ANA, "a", json!("x".repeat(bytes)), true);
        log.seen()
    };
    let others =
        "old".len() + "old answer".len() + "Hi".len() + 8_000 + "Looking.".len() + r#"{"at":"a"}"#.len();
    let whole = with(MAX_BYTES - others);
    assert_eq!((whole.is_cut, line(&whole.messages[0])), (false, "user: old".into()));
    assert_eq!(thoughts(&whole), 1);
    let cut = with(MAX_BYTES - others + 1);
    assert_eq!((cut.is_cut, line(&cut.messages[0])), (true, "user: Hi | image/png".into()));
    assert_eq!(thoughts(&cut), 0, "it was thought after words that are not shown any more");
    assert!(!line(&cut.messages[2]).contains(LEFT_OUT_HERE), "with the older turn gone there is room");
}

#[test]
fn the_oldest_turns_go_first_and_the_newest_never() {
    let long = "x".repeat(MAX_BYTES / 2);
    let mut log = Log::new();
    log.imports(MessageRole::Assistant, "Welcome.");
    for number in ["one", "two", "three"] {
        log.asks(number).says(ANA, &long);
    }
    let seen = log.seen();
    assert_eq!(
        (seen.is_cut, line(&seen.messages[0])),
        (true, "user: three".into()),
        "{}",
        seen.messages.len()
    );
    log.asks(&"y".repeat(MAX_BYTES + 1));
    let seen = log.seen();
    assert_eq!((seen.is_cut, seen.messages.len()), (true, 1));
    let mut first = Log::new();
    first.asks(&"y".repeat(MAX_BYTES + 1));
    assert!(!first.seen().is_cut, "nothing is missing before it");
}

#[test]
fn thoughts_stay_while_a_turn_pushes_nothing_more_out() {
    let mut log = Log::new();
    log.asks("one").looks("a", &"x".repeat(MAX_BYTES / 2)).says(ANA, "Well.");
    log.asks("two").looks("b", &"x".repeat(MAX_BYTES / 2 - 100)).says(ANA, "Well.");
    // With its first word the turn has pushed out the first; what it thinks since was thought without it.
    log.asks(&"y".repeat(200)).looks("c", "Seen.");
    assert_eq!((log.seen().is_cut, log.thoughts()), (true, 1));
    log.looks("d", &"x".repeat(MAX_BYTES / 2));
    assert_eq!(log.thoughts(), 0, "now it has pushed out the second too");
}

#[test]
fn a_turn_too_long_by_itself_keeps_how_its_oldest_results_begin() {
    let shortened = format!("{}{LEFT_OUT_HERE}", "x".repeat(KEPT_OF_RESULT));
    let contents = |sizes: [usize; 4], more: usize| {
        let mut log = Log::new();
        log.asks(&"y".repeat(more));
        for (id, size) in ["a", "b", "c", "d"].into_iter().zip(sizes) {
            log.looks(id, &"x".repeat(size));
        }
        let seen = log.seen();
        assert!(!seen.is_cut);
        let results = seen.messages.iter().filter_map(|message| match message {
            ChatMessage::Results(results) => Some(results[0].content.clone()),
            _ => None,
        });
        (results.map(|one| if one == shortened { 0 } else { one.len() }).collect::<Vec<_>>(), thoughts(&seen))
    };
    let args = 4 * r#"{"at":"a"}"#.len();
    let (least, half) = (2 * KEPT_OF_RESULT, MAX_BYTES / 2);
    let others = args + least + 3_000;
    // Just short enough: nothing is cut and every thought goes back.
    assert_eq!(
        contents([least, half, half - others, 3_000], 0),
        (vec![least, half, half - others, 3_000], 4)
    );
    // A byte too long: the oldest that is long enough to be worth it.
    assert_eq!(contents([least, half, half - others, 3_000], 1), (vec![least, 0, half - others, 3_000], 0));
    // One is enough, to the byte; with one byte more the next goes too.
    let room = MAX_BYTES - args - least - shortened.len() - half - 3_000;
    assert_eq!(contents([least, half, half, 3_000], room), (vec![least, 0, half, 3_000], 0));
    assert_eq!(contents([least, half, half, 3_000], room + 1), (vec![least, 0, 0, 3_000], 0));
    // A letter is not cut in two.
    let mut log = Log::new();
    log.asks("Hi").looks("a", &format!("x{}", "ü".repeat(MAX_BYTES)));
    assert!(line(&log.seen().messages[2]).contains(&format!("ü{LEFT_OUT_HERE}")));
}
