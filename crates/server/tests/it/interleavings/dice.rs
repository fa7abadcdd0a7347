//! Random choice of what happens next.

use std::time::Duration;

use fastrand::Rng;

use super::reference::{AGENTS, Answer, At, Decision, Kind, Op, State};

pub struct Dice(Rng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    pub fn kind(&mut self) -> Kind {
        [Kind::Swarm, Kind::Router, Kind::Pipeline][self.0.usize(..3)]
    }

    pub fn steps(&mut self) -> usize {
        self.0.usize(6..24)
    }

    /// When the server is killed while something is under way.
    pub fn moment(&mut self) -> Duration {
        Duration::from_micros(self.0.u64(..12_000))
    }

    pub fn op(&mut self, now: &State) -> Op {
        let Some(turn) = &now.turn else {
            return match self.0.u8(..20) {
                0..12 => Op::Say,
                12 | 13 => Op::Retry,
                14 => Op::Auto,
                15 => Op::Stop,
                16 => self.crash_or_say(),
                _ => self.switch(now),
            };
        };
        match (turn.at, self.0.u8(..20)) {
            (_, 0) => Op::Stop,
            (_, 1) => self.crash_or_say(),
            (_, 2) => Op::Auto,
            (_, 3) => Op::Retry,
            (_, 4 | 5) => self.switch(now),
            (At::Waiting { .. }, _) => self.decide(),
            (at, _) => Op::Reply(self.answer(now, at)),
        }
    }

    /// Two things at once, now and then.
    pub fn race(&mut self, now: &State) -> Option<(Op, Op)> {
        let turn = now.turn.as_ref()?;
        if self.0.u8(..6) > 0 {
            return None;
        }
        let one = match turn.at {
            At::Waiting { .. } => self.decide(),
            at => Op::Reply(self.answer(now, at)),
        };
        let other = match (turn.at, self.0.u8(..8)) {
            (_, 0 | 1) => Op::Crash,
            (_, 2) => Op::Stop,
            (At::Waiting { .. }, 3) => self.decide(),
            (_, 3) => Op::Say,
            (_, 4) => return Some((self.switch(now), self.switch(now))),
            _ => self.switch(now),
        };
        Some((one, other))
    }

    /// Crashes cost the most time.
    fn crash_or_say(&mut self) -> Op {
        if self.0.bool() { Op::Crash } else { Op::Say }
    }

    fn decide(&mut self) -> Op {
        Op::Decide(if self.0.bool() { Decision::Approve } else { Decision::Reject })
    }

    fn agent(&mut self) -> usize {
        self.0.usize(..AGENTS.len())
    }

    fn switch(&mut self, now: &State) -> Op {
        let seen = match self.0.u8(..6) {
            0 => Some(now.epoch - 1),
            1..3 => Some(now.epoch),
            _ => None,
        };
        Op::Switch(self.agent(), seen)
    }

    fn answer(&mut self, now: &State, at: At) -> Answer {
        if at == At::Routing {
            return match self.0.u8(..8) {
                0 => Answer::Fail,
                1 | 2 => Answer::Route(None),
                _ => Answer::Route(Some(self.agent())),
            };
        }
        match (now.kind, self.0.u8(..16)) {
            (_, 0 | 1) => Answer::Fail,
            (_, 2) => Answer::BreakOff,
            (_, 3) => Answer::Note { aloud: true },
            (_, 4) => Answer::Note { aloud: false },
            (_, 5) => Answer::Save { and_hand: None },
            (Kind::Swarm, 6) => Answer::Save { and_hand: Some(self.agent()) },
            (_, 6..9) => Answer::Text,
            (Kind::Swarm, _) => Answer::Hand(self.agent()),
            _ => Answer::Complete { right: self.0.u8(..5) > 0 },
        }
    }
}
