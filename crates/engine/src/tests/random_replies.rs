//! What models say and tools and people answer in a random conversation.

use baton_core::approvals::Decision;
use baton_core::ids::ApprovalId;
use baton_core::log::{ResultStep, Step};
use baton_core::models::{ModelRequest, SaidCall, Thinking};
use baton_core::tape::{Tape, Voice};
use chrono::DateTime;
use serde_json::{Value, json};

use super::random_log::{Now, Teller};
use super::random_text::{anything, object, value, words};
use super::ready_agents::TOOLS;
use super::strict::signature;
use crate::nul::{clean, clean_value};
use crate::turn::run::Fate;
use crate::turn::state::Consent;

fn object_of(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

impl Teller<'_> {
    pub(super) fn tape(&mut self) -> Tape {
        let mut tape = Tape::default();
        for _ in 0..self.dice.usize(..4) {
            let voice = if self.rarely(3) { Voice::Reasoning } else { Voice::Text };
            let text = match (voice, self.rarely(6)) {
                (Voice::Text, false) => self.marked('¶'),
                _ => anything(&mut self.dice),
            };
            if tape.blocks().last().is_some_and(|block| block.voice != voice) {
                tape.end_block();
            }
            tape.say(voice, &clean(&text));
        }
        tape
    }

    pub(super) fn calls(&mut self, now: &Now) -> Vec<SaidCall> {
        let ids =
            ["call_1", "call_2", "", "toolu_01", "a b", "ä", "0123456789012345678901234567890123456789x"];
        let count = if self.dice.bool() { 0 } else { self.dice.usize(1..4) };
        let mut calls = Vec::new();
        for _ in 0..count {
            let known: Vec<String> = now.ready.specs.iter().map(|spec| spec.name.clone()).collect();
            let name = match (self.dice.u8(..8), self.dice.choice(&known)) {
                (0, _) | (_, None) => {
                    (*self.dice.choice(&["nope", "a\0b", "", "ask bo"]).expect("a name")).into()
                }
                (1, _) => self.dice.choice(TOOLS).expect("a tool").0.to_owned(),
                (_, Some(name)) => name.clone(),
            };
            let raw = if self.rarely(12) { Some(anything(&mut self.dice)) } else { None };
            let mut arguments = raw.map_or_else(|| Ok(object(&mut self.dice, 2)), Err);
            if let (Ok(given), Some(searched)) = (&mut arguments, &now.ready.searched)
                && name == searched.call
            {
                let meant = self.dice.choice(&*searched.specs).map_or("nope", |spec| &spec.name);
                let meant = if self.rarely(6) { "look" } else { meant };
                let inner = Value::Object(std::mem::take(given));
                *given = object_of(json!({"name": meant, "arguments": inner}));
            }
            let id = if self.dice.bool() {
                format!("call_{}", self.log.len() + calls.len())
            } else {
                (*self.dice.choice(&ids).expect("an id")).to_owned()
            };
            calls.push(SaidCall { id, name, arguments });
        }
        calls
    }

    /// Bound to the very request it was thought after, where the vendor signs.
    pub(super) fn thinking(&mut self, now: &Now, request: &ModelRequest) -> Vec<Thinking> {
        let text = if self.rarely(20) { "hm\0".to_owned() } else { words(&mut self.dice).replace('\0', "") };
        let is_signed = now.ready.model_name().starts_with("anthropic/");
        let opaque = || json!({"type": "thinking", "thinking": text, "signature": signature(request)});
        let thought = Thinking { text: text.clone(), opaque: is_signed.then(opaque) };
        if self.dice.bool() { vec![thought] } else { vec![] }
    }

    pub(super) fn ask(&mut self, now: &mut Now, calls: &[usize]) {
        for index in calls {
            let call = now.turn.calls[*index].step.clone();
            self.add(
                now,
                Step::ApprovalAsked {
                    approval_id: ApprovalId::new(),
                    call_id: call.call_id,
                    tool_name: call.tool_name,
                    args: call.args,
                    expires_at: DateTime::UNIX_EPOCH,
                    preview: None,
                },
            );
        }
    }

    pub(super) fn answer(&mut self, now: &mut Now, fates: Vec<(usize, Fate)>) {
        if self.rarely(12) {
            return self.taken_over(now);
        }
        for (index, fate) in fates {
            let call = now.turn.calls[index].step.clone();
            let result = match fate {
                Fate::Run => value(&mut self.dice, 2),
                _ => json!({"error": "It was not run."}),
            };
            let filler = self.filler();
            let result = if filler.is_empty() { result } else { Value::String(filler) };
            let success = fate == Fate::Run && !self.rarely(4);
            let step = ResultStep {
                call_id: call.call_id,
                tool_name: call.tool_name,
                result: clean_value(&result),
                success,
                duration_ms: 1,
                unknown: fate == Fate::Unknown || (!success && self.rarely(4)),
                wrote: false,
                kept: Vec::new(),
            };
            self.add(now, Step::ToolResult(step));
        }
        now.facts.taken_over = false;
        now.facts.tries = 0;
    }

    pub(super) fn decide(&mut self, now: &mut Now) {
        let asked: Vec<(ApprovalId, String)> = now
            .turn
            .calls
            .iter()
            .filter_map(|call| match call.consent {
                Consent::Asked(id) if !call.is_answered => Some((id, call.step.call_id.clone())),
                _ => None,
            })
            .collect();
        let Some((approval_id, call_id)) = self.dice.choice(&asked).cloned() else { return };
        let decisions = [Decision::Approved, Decision::Rejected, Decision::Expired, Decision::Cancelled];
        let decision = *self.dice.choice(&decisions).expect("a decision");
        let args = (decision == Decision::Approved && self.rarely(3)).then(|| object(&mut self.dice, 2));
        let reason = (decision == Decision::Rejected).then(|| words(&mut self.dice));
        let by = "Eva".to_owned();
        let remember = false;
        self.add(
            now,
            Step::ApprovalResolved {
                approval_id,
                call_id,
                decision,
                by,
                reason,
                remember,
                args,
                args_hash: None,
            },
        );
        // Whoever goes on is a new driver.
        now.attempt += 1;
        now.facts.taken_over = false;
        self.recast(now);
    }
}
