//! The expected result of anything that can happen to a conversation, said as simply as possible: pure, and without
//! knowing how the server does it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Swarm,
    Router,
    Pipeline,
}

/// A member of the team by its place. The first is the general one, the swarm's entry, and the first stage.
pub type Agent = usize;
pub const AGENTS: [&str; 3] = ["Vera", "Ben", "Cora"];

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Say,
    Retry,
    /// With the epoch the person has seen, if they say.
    Switch(Agent, Option<i64>),
    Auto,
    Stop,
    Decide(Decision),
    Crash,
    /// The model's answer to the request that waits for one.
    Reply(Answer),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    Approve,
    Reject,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    Text,
    Hand(Agent),
    /// Calls a tool that asks nobody; aloud it says something, too.
    Note {
        aloud: bool,
    },
    /// Calls a tool that a person is asked about, and perhaps hands off in the same reply.
    Save {
        and_hand: Option<Agent>,
    },
    /// Completes the task or the stage, and gives what that needs or doesn't.
    Complete {
        right: bool,
    },
    Fail,
    BreakOff,
    /// As a router. None: nonsense.
    Route(Option<Agent>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    pub agent: Agent,
    pub status: &'static str,
    pub pinned: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub kind: Kind,
    /// Who held the conversation, the last one holds it.
    pub held: Vec<Held>,
    pub epoch: i64,
    pub turn: Option<Turn>,
    /// How each turn ended.
    pub ended: Vec<&'static str>,
    /// How many messages of the person there are.
    pub said: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub at: At,
    pub speaker: Agent,
    /// Who it went through.
    chain: Vec<Agent>,
    /// The epoch that its last handoff made, if the agent it went to has said nothing yet.
    unheard: Option<i64>,
    /// The person gave the conversation to another: it ends with what is being said.
    switched: bool,
    /// Something came in between while the router decides.
    late: bool,
    /// How often it was interrupted at this step.
    tries: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    Routing,
    Speaking,
    /// Waits for a person to decide; then it hands off, perhaps.
    Waiting {
        hand: Option<Agent>,
    },
}

impl State {
    pub fn new(kind: Kind) -> Self {
        let first = Held { agent: 0, status: "active", pinned: false };
        Self { kind, held: vec![first], epoch: 1, turn: None, ended: vec![], said: 0 }
    }

    pub fn holder(&self) -> Held {
        *self.held.last().expect("someone holds it")
    }

    pub fn after(&self, op: &Op) -> Self {
        let mut next = self.clone();
        match *op {
            Op::Say => next.say(),
            Op::Retry => next.retry(),
            Op::Switch(_, Some(seen)) if seen != self.epoch => {}
            Op::Switch(to, _) => next.switch(to, self.kind == Kind::Router),
            Op::Auto if self.kind == Kind::Router => next.switch(self.holder().agent, false),
            Op::Auto => {}
            Op::Stop => next.end("stopped"),
            Op::Decide(_) => next.decided(),
            Op::Crash => next.crash(),
            Op::Reply(answer) => next.reply(answer),
        }
        next
    }

    /// It fails, and the person has asked to stop meanwhile: then nothing is handed anywhere, not back either.
    pub fn after_failing_stopped(&self) -> Self {
        let mut next = self.clone();
        next.end("failed");
        next
    }

    fn say(&mut self) {
        let is_waiting = matches!(&self.turn, Some(turn) if matches!(turn.at, At::Waiting { .. }));
        if self.turn.is_some() && !is_waiting {
            return;
        }
        self.end("stopped");
        self.said += 1;
        let is_routed = self.kind == Kind::Router && !self.holder().pinned;
        self.begin(if is_routed { At::Routing } else { At::Speaking });
    }

    fn retry(&mut self) {
        if self.turn.is_none() && self.ended.last().is_some_and(|last| *last != "completed") {
            self.begin(At::Speaking);
        }
    }

    fn begin(&mut self, at: At) {
        let speaker = self.holder().agent;
        self.turn = Some(Turn {
            at,
            speaker,
            chain: vec![speaker],
            unheard: None,
            switched: false,
            late: false,
            tries: 0,
        });
    }

    fn end(&mut self, how: &'static str) {
        if self.turn.take().is_some() {
            self.ended.push(how);
        }
    }

    /// The one way in which a conversation changes hands.
    fn give(&mut self, to: Agent, left: &'static str, pinned: bool) {
        self.held.last_mut().expect("someone holds it").status = left;
        self.held.push(Held { agent: to, status: "active", pinned });
        self.epoch += 1;
    }

    fn switch(&mut self, to: Agent, pinned: bool) {
        let holder = self.holder();
        if holder.agent == to {
            return self.pin(pinned);
        }
        self.give(to, "paused", pinned);
        match &mut self.turn {
            Some(Turn { at: At::Waiting { .. }, .. }) => self.end("stopped"),
            Some(turn) => turn.switched = true,
            None => {}
        }
    }

    /// The holder stays, and so does what it is doing. A router that decides just then is late.
    fn pin(&mut self, pinned: bool) {
        let Some(holder) = self.held.last_mut().filter(|holder| holder.pinned != pinned) else { return };
        holder.pinned = pinned;
        self.turn.iter_mut().filter(|turn| turn.at == At::Routing).for_each(|turn| turn.late = true);
    }

    fn decided(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let At::Waiting { hand } = turn.at else { return };
        turn.at = At::Speaking;
        if let Some(to) = hand {
            self.hand(to);
        }
    }

    fn crash(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        if let At::Waiting { .. } = turn.at {
            return;
        }
        turn.tries += 1;
        if turn.tries == 3 {
            self.fail();
        } else if turn.switched {
            self.end("stopped");
        }
    }

    /// Who was handed to and said nothing gives it back.
    fn fail(&mut self) {
        let Some(turn) = &self.turn else { return };
        if turn.unheard == Some(self.epoch) {
            let before = self.held[self.held.len() - 2];
            self.give(before.agent, "cancelled", before.pinned);
        }
        self.end("failed");
    }

    fn reply(&mut self, answer: Answer) {
        let Some(turn) = &mut self.turn else { return };
        turn.tries = 0;
        if turn.at == At::Routing {
            return self.routed(answer);
        }
        match answer {
            Answer::Fail => return self.fail(),
            // What it said before stays, and so does who said it.
            Answer::BreakOff => {
                turn.unheard = None;
                return self.fail();
            }
            Answer::Text => return self.end("completed"),
            _ if turn.switched => return self.end("stopped"),
            Answer::Note { aloud: true } | Answer::Save { .. } => turn.unheard = None,
            _ => {}
        }
        let speaker = turn.speaker;
        match (answer, self.kind) {
            (Answer::Hand(to), Kind::Swarm) => self.hand(to),
            (Answer::Save { and_hand }, _) => {
                turn.at = At::Waiting { hand: and_hand.filter(|_| self.kind == Kind::Swarm) };
            }
            (Answer::Complete { right: true }, Kind::Router) if speaker != 0 => self.hand(0),
            (Answer::Complete { right: true }, Kind::Pipeline) if speaker + 1 < AGENTS.len() => {
                turn.chain.clear();
                self.hand(speaker + 1);
            }
            // The same agent is asked again, and told what was wrong.
            _ => {}
        }
    }

    fn routed(&mut self, answer: Answer) {
        let Some(turn) = &mut self.turn else { return };
        if turn.switched {
            return self.end("stopped");
        }
        turn.at = At::Speaking;
        let is_late = turn.late;
        match answer {
            Answer::Route(Some(to)) if to != self.holder().agent && !is_late => self.goes_to(to, "paused"),
            _ => {}
        }
    }

    /// The speaker hands off, if the turn may go there.
    fn hand(&mut self, to: Agent) {
        let Some(turn) = &self.turn else { return };
        let goes_round = matches!(turn.chain[..], [.., a, b, c] if a == c && b == to);
        if turn.chain.last() != Some(&to) && turn.chain.len() <= 8 && !goes_round {
            self.goes_to(to, "completed");
        }
    }

    fn goes_to(&mut self, to: Agent, left: &'static str) {
        self.give(to, left, false);
        let Some(turn) = &mut self.turn else { return };
        turn.chain.push(to);
        (turn.speaker, turn.unheard) = (to, Some(self.epoch));
    }
}
