//! The order of decisions. A fresh message: route, greet, finish a stage, load a skill, call, hand off, look up, talk.
//! Within a tool loop: at most a few more calls, never the same one twice, then an answer from the results.

use baton_core::models::{CallResult, ModelRequest, ToolCall};
use serde_json::Value;

use super::agents::{self, Agent, Wish};
use super::clauses::{Mood, Verbs, clauses};
use super::offer::{Bag, Kind};
use super::outcome::{Outcome, outcome};
use super::plan::{Request, Step, look_it_up, plan};
use super::quote::sentence;
use super::reply::{Planned, Reply};
use super::results;
use super::scene::Scene;
use super::words::{concept, name_words, shorten, stem, words};
use super::{route, skills, stage, talk};

const MOST_ROUNDS: usize = 4;

pub fn decide(request: &ModelRequest) -> Reply {
    let scene = Scene::read(request);
    let agents = agents::reachable(&scene);
    let own = agents::own_bag(&scene, &agents);
    let verbs = verbs(&scene);
    let mind = Mind { scene: &scene, agents: &agents, own: &own, verbs: &verbs };
    let mut reply = mind.reply();
    if reply.text.trim().is_empty() && reply.calls.is_empty() {
        reply.text = mind.fallback();
    }
    // My answer was cut off: the same answer comes to the same words, so only the rest is said.
    if let Some(rest) = scene.cut.and_then(|cut| reply.text.strip_prefix(cut.trim())) {
        reply.text = if rest.trim().is_empty() { "That was all.".to_owned() } else { rest.to_owned() };
    }
    reply
}

/// Verbs that tools do, so that "frobnicate the widget" is an order where such a tool is on offer.
fn verbs(scene: &Scene<'_>) -> Verbs {
    let mut verbs = Verbs::new();
    for tool in scene.plain_tools() {
        verbs.extend(tool.words.first().map(|verb| stem(verb)));
        verbs.extend(words(&tool.spec.description).first().map(|word| stem(&word.lower)));
    }
    verbs
}

struct Mind<'m> {
    scene: &'m Scene<'m>,
    agents: &'m [Agent],
    own: &'m Bag,
    verbs: &'m Verbs,
}

impl Mind<'_> {
    fn request<'r>(&self, message: &'r str, answers: &'r [String]) -> Request<'r> {
        Request { message, clauses: clauses(message, self.verbs), answers }
    }

    fn fallback(&self) -> String {
        talk::fallback(self.scene, self.agents, &self.request(&self.scene.asked, &[]).clauses)
    }

    fn reply(&self) -> Reply {
        let request = self.request(&self.scene.asked, &[]);
        if let Some(reply) = route::decide(self.scene, &request.clauses) {
            return reply;
        }
        if self.scene.rounds.is_empty() { self.fresh(&request) } else { self.go_on(&request) }
    }

    fn fresh(&self, request: &Request<'_>) -> Reply {
        let scene = self.scene;
        if let Some(about) = talk::about_me(&scene.asked) {
            return Reply::text("The person asks about me.", talk::introduce(scene, self.agents, about));
        }
        let stage = stage::progress(scene, &request.clauses);
        if let Some(stage::Progress::Done(reply)) = stage {
            return reply;
        }
        let small = request.clauses.iter().all(|clause| clause.mood == Mood::SmallTalk);
        if !small && let Some(reply) = skills::load(scene, &request.clauses) {
            return reply;
        }
        if let Some(reply) = self.act(request).or_else(|| self.answered()) {
            return reply;
        }
        if let Some(stage::Progress::Ask(question)) = stage {
            return Reply::text("Something this stage requires is still missing.", question);
        }
        if small && scene.files.is_empty() && scene.images.is_empty() {
            return Reply::text(
                "This is small talk; no tool is needed.",
                talk::small_talk(scene, self.agents),
            );
        }
        if let Wish::Unknown(name) = agents::wished(&scene.asked, self.agents) {
            return Reply::text(
                "That agent can't be reached from here.",
                talk::unreachable(&name, self.agents),
            );
        }
        if let Some(text) = talk::from_what_is_here(scene, &request.clauses) {
            return Reply::text("What I need is in the message itself.", text);
        }
        if let Some(step) = look_it_up(scene, request) {
            return spoken(vec![step]);
        }
        Reply::text("No tool on offer clearly fits, so I answer without one.", self.fallback())
    }

    /// What the message alone makes me do.
    fn act(&self, request: &Request<'_>) -> Option<Reply> {
        let steps = plan(self.scene, request, self.agents, self.own, self.verbs);
        (!steps.is_empty()).then(|| spoken(steps))
    }

    /// A reply to a question of mine: the request it belongs to lies further back.
    fn answered(&self) -> Option<Reply> {
        let scene = self.scene;
        let said = scene.said.filter(|said| said.contains('?'))?;
        let first = words(&scene.asked).first().map(|word| word.lower.clone()).unwrap_or_default();
        if said.contains("Shall I remember")
            && ["yes", "yep", "sure", "please", "ja", "ok", "okay"].contains(&first.as_str())
        {
            let message = format!("Remember that {}", scene.earlier.first()?);
            return self.act(&self.request(&message, &[]));
        }
        let answer = clauses(&scene.asked, self.verbs);
        if answer.iter().any(|clause| clause.mood == Mood::Question) {
            return None;
        }
        for back in 0..scene.earlier.len().min(4) {
            let mut answers: Vec<String> = scene.earlier[..back].iter().rev().cloned().collect();
            let asked = self.act(&self.request(&scene.earlier[back], &answers));
            let Some(asked) = asked else { continue };
            if !asked.calls.is_empty() {
                return None;
            }
            answers.push(scene.asked.clone());
            return self.act(&self.request(&scene.earlier[back], &answers));
        }
        None
    }

    fn go_on(&self, request: &Request<'_>) -> Reply {
        let scene = self.scene;
        if scene.rounds.len() < MOST_ROUNDS && !scene.tools.is_empty() {
            let only_skills = scene.calls().next().is_some()
                && scene.calls().all(|(call, _)| {
                    scene.tool(&call.name).is_some_and(|t| matches!(t.kind, Kind::Skill { .. }))
                });
            if only_skills {
                let next =
                    self.act(request).or_else(|| look_it_up(scene, request).map(|step| spoken(vec![step])));
                if let Some(reply) = next.filter(|reply| !reply.calls.is_empty()) {
                    return reply;
                }
            }
            if let Some(reply) = self.follow_up(request) {
                return reply;
            }
        }
        Reply::text("I have the results, so I answer from them.", self.answer(request))
    }

    /// The second half of a lookup, once the first has found the thing.
    fn follow_up(&self, request: &Request<'_>) -> Option<Reply> {
        let steps = plan(self.scene, request, self.agents, self.own, self.verbs);
        let mut calls = Vec::new();
        for step in steps {
            let Step::Lookup { first, mut then, key, .. } = step else { continue };
            let Some((_, result)) = self.scene.calls().find(|(call, _)| made(call, &first)) else { continue };
            let topics = request.clauses.iter().flat_map(|clause| &clause.topics);
            let concepts: Vec<&str> = topics.map(|topic| topic.concept.as_str()).collect();
            if let Some(value) = key_of_best(result, &key, &concepts) {
                then.arguments.insert(key, value);
                if !self.scene.calls().any(|(call, _)| made(call, &then)) {
                    calls.push(then);
                }
            }
        }
        (!calls.is_empty()).then(|| Reply {
            reasoning: "I found what is meant; now the change itself.".to_owned(),
            text: String::new(),
            calls,
        })
    }

    fn answer(&self, request: &Request<'_>) -> String {
        let scene = self.scene;
        let topics: Vec<_> = request.clauses.iter().flat_map(|clause| clause.topics.clone()).collect();
        let skill = skills::loaded(scene);
        let mut parts = Vec::new();
        let all: Vec<_> = scene.calls().collect();
        for (at, (call, result)) in all.iter().enumerate() {
            let kind = scene.tool(&call.name).map(|tool| tool.kind.clone());
            let is_skill = name_words(&call.name).iter().any(|word| word.starts_with("skill"));
            let outcome = outcome(result);
            let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Rejected(_));
            let looked_up =
                all[at + 1..].iter().any(|(next, _)| next.name == call.name && scene.rounds.len() > 1);
            if !failed && (is_skill || looked_up) {
                continue;
            }
            parts.push(match kind {
                Some(Kind::Handoff | Kind::Switch { .. }) => handed(scene, call, &outcome),
                Some(Kind::Complete) if !failed => "This step is done.".to_owned(),
                _ => {
                    let by_name = name_words(&call.name).iter().any(|word| concept(word) == "remember");
                    let remembers = by_name || scene.tool(&call.name).is_some_and(|tool| tool.recalls());
                    results::answer(call, &outcome, &topics, remembers)
                }
            });
        }
        if let Some((name, steps)) = skill {
            let followed = if parts.is_empty() {
                skills::follow(scene, &request.clauses, &name, &steps)
            } else {
                let first = steps.first().map(|step| format!(": {}", sentence(step))).unwrap_or_default();
                format!("(I followed the skill **{name}**{first})")
            };
            parts.push(followed);
        }
        if !scene.tools.is_empty() {
            let steps = plan(scene, request, self.agents, self.own, self.verbs);
            parts.extend(steps.into_iter().filter_map(|step| match step {
                Step::Ask(question) => Some(question),
                _ => None,
            }));
        }
        parts.join("\n\n")
    }
}

fn made(call: &ToolCall, planned: &Planned) -> bool {
    call.name == planned.name && call.arguments == planned.arguments
}

/// The key of the item that speaks most of what was asked.
fn key_of_best(result: &CallResult, key: &str, concepts: &[&str]) -> Option<Value> {
    let items = match outcome(result) {
        Outcome::Items { items, .. } => items,
        Outcome::Object(map) => vec![Value::Object(map)],
        _ => return None,
    };
    let rank = |item: &Value| {
        let text = item.to_string();
        let all = words(&text);
        concepts.iter().filter(|meaning| all.iter().any(|word| word.concept == **meaning)).count()
    };
    let best = items
        .iter()
        .map(|item| (rank(item), item))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    // What nothing speaks of is not what was meant: better to say so than to remove it.
    (best.0 > 0).then(|| best.1.get(key).cloned()).flatten()
}

fn handed(scene: &Scene<'_>, call: &ToolCall, outcome: &Outcome) -> String {
    let named = scene.tool(&call.name).map(|tool| match tool.kind {
        Kind::Switch { param } => {
            let value =
                call.arguments.get(&tool.params[param].name).and_then(Value::as_str).unwrap_or_default();
            name_words(value).iter().map(|word| super::words::capitalised(word)).collect::<Vec<_>>().join(" ")
        }
        _ => tool.target(),
    });
    let to = named.unwrap_or_else(|| "the other agent".to_owned());
    match outcome {
        Outcome::Failed(reason) | Outcome::Rejected(reason) => format!(
            "I couldn't hand this to {to}: {} You're still with me; tell me how you'd like to go on.",
            sentence(&shorten(reason, 240))
        ),
        _ => format!("{to} has been told about this."),
    }
}

/// Steps as one reply: calls together, a sentence before a handoff, questions only where nothing is called.
fn spoken(steps: Vec<Step>) -> Reply {
    let mut reply = Reply::default();
    let mut why = Vec::new();
    let mut questions = Vec::new();
    let mut said = Vec::new();
    for step in steps {
        let (call, reason) = match step {
            Step::Call { call, why } => (call, why),
            Step::Lookup { first, why, .. } => (first, why),
            Step::Handoff { call, to, why } => {
                said.push(format!("I'll hand this to {to}."));
                (call, why)
            }
            Step::Ask(question) => {
                questions.push(question);
                continue;
            }
        };
        if !reply.calls.contains(&call) {
            reply.calls.push(call);
            why.push(reason);
        }
    }
    if reply.calls.is_empty() {
        why.push("Something it needs is missing, so I ask.".to_owned());
        said = questions;
    }
    Reply { reasoning: why.join(" "), text: said.join("\n\n"), calls: reply.calls }
}
