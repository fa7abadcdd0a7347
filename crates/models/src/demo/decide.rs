//! The order of decisions. A fresh message: route, greet, finish a stage, load a skill, call, hand off, look up, talk.
//! Within a tool loop: at most a few more calls, never the same one twice, then an answer from the results.

use baton_core::models::ModelRequest;
use serde_json::Map;

use super::agents::{self, Agent, Wish};
use super::clauses::{Mood, Verbs, clauses};
use super::deeds::deed;
use super::lexicon::Act;
use super::meant::Settled;
use super::offer::{Bag, Kind};
use super::plan::{Request, Step, plan};
use super::quote::sentence;
use super::recall::look_it_up;
use super::reply::Reply;
use super::resume::resumes;
use super::scene::Scene;
use super::words::{name_words, stem, words};
use super::{
    about, answer, conversation, crafts, ellipsis, follow, habits, meant, route, skills, stage, sums, talk,
};

const MOST_ROUNDS: usize = 4;
/// Removing a long list takes several rounds of the same kind.
const MOST_WHILE_CLEARING: usize = 6;

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
        let (order, answers) = match meant::settled(self.scene) {
            Some(Settled::Dropped) => {
                let text = "All right, I leave them as they are. Nothing was changed.";
                return Reply::text("The person wants none of them.", text);
            }
            Some(Settled::Order(order, answers)) => (Some(order), answers),
            None => (ellipsis::resolved(self.scene), Vec::new()),
        };
        let request = self.request(order.as_deref().unwrap_or(&self.scene.asked), &answers);
        if let Some(reply) = route::decide(self.scene, &request.clauses) {
            return reply;
        }
        if self.scene.rounds.is_empty() { self.fresh(&request) } else { self.go_on(&request) }
    }

    fn fresh(&self, request: &Request<'_>) -> Reply {
        let scene = self.scene;
        if let Some(reply) = self.about_us(request) {
            return reply;
        }
        if ellipsis::goes_on(&scene.asked)
            && let Some(reply) = self.completed()
        {
            return reply;
        }
        if scene.context.handed
            && let Some(text) = crafts::asked_for(scene, &request.clauses)
        {
            return Reply::text("The person's message has what my work needs.", text);
        }
        if let Some(reply) = self.handed_on(request).or_else(|| self.handed_back()) {
            return reply;
        }
        if let Some(text) = crafts::work(scene, &request.clauses) {
            return Reply::text("With what I was handed I can begin.", text);
        }
        if let Some(reply) = habits::begin(scene, &request.clauses) {
            return reply;
        }
        let stage = stage::progress(scene, &request.clauses);
        if let Some(stage::Progress::Done(reply)) = stage {
            return reply;
        }
        // "Back to the quote" is no request of its own: the question that was left open is asked again.
        let resumed = resumes(&scene.asked).is_some();
        if let Some(stage::Progress::Ask(question)) = stage.as_ref().filter(|_| resumed) {
            return Reply::text("The person wants to go on with this.", question.clone());
        }
        let small = request.clauses.iter().all(|clause| clause.mood == Mood::SmallTalk);
        if !small && let Some(reply) = skills::load(scene, &request.clauses) {
            return reply;
        }
        let acted = self.act(request).or_else(|| self.answered()).or_else(|| self.completed());
        if let Some(reply) = acted {
            return reply;
        }
        let leaves = small && talk::takes_leave(&scene.asked);
        if let Some(stage::Progress::Ask(question)) = stage.filter(|_| !leaves) {
            return Reply::text("Something this stage requires is still missing.", question);
        }
        if small && scene.files.is_empty() && scene.images.is_empty() {
            return Reply::text(
                "This is small talk; no tool is needed.",
                talk::small_talk(scene, self.agents),
            );
        }
        self.without_a_tool(request)
    }

    /// What clearly is another's work goes there before I take it for an answer to my own questions.
    fn handed_on(&self, request: &Request<'_>) -> Option<Reply> {
        let scene = self.scene;
        let asked = scene.said.is_some_and(|said| said.contains("**"));
        let is_reply = asked && scene.asked.split_whitespace().count() <= 3;
        if !scene.in_team() || self.agents.is_empty() || is_reply {
            return None;
        }
        let steps = plan(scene, request, self.agents, self.own, self.verbs);
        steps.iter().any(|step| matches!(step, Step::Handoff { .. })).then(|| spoken(steps))
    }

    /// A colleague has finished and given the conversation to me: I say what was done.
    fn handed_back(&self) -> Option<Reply> {
        let scene = self.scene;
        let by = name_words(scene.context.by_tool.as_deref()?);
        let done = scene.context.why.as_deref().filter(|_| by.iter().any(|word| word == "complete"))?;
        let told = |said: &str| said.contains(done);
        if scene.said.is_some_and(told) || scene.history.iter().any(|(said, _)| told(said)) {
            return None;
        }
        let text = format!("That's done. {} Is there anything else?", sentence(done));
        Some(Reply::text("A colleague has finished and handed back to me.", text))
    }

    /// Questions about me, about this conversation, and orders not to do something.
    fn about_us(&self, request: &Request<'_>) -> Option<Reply> {
        let scene = self.scene;
        if let Some(about) = about::about_me(&scene.asked) {
            return Some(Reply::text(
                "The person asks about me.",
                about::introduce(scene, self.agents, about),
            ));
        }
        if let Some(tool) = about::asks_ability(scene) {
            let text = about::ability(scene, self.agents, tool);
            return Some(Reply::text("The person asks whether I could, not for it to be done.", text));
        }
        if let Some(text) = conversation::recalled(scene, &request.clauses) {
            return Some(Reply::text("The answer is in this conversation.", text));
        }
        if let Some(text) = skills::told(scene, &request.clauses) {
            return Some(Reply::text("The person asks about my skills.", text));
        }
        if about::drops(&scene.asked) {
            let text = "All right, I leave it at that. Nothing more was saved or changed.";
            return Some(Reply::text("The person drops it.", text));
        }
        if let Some(text) = sums::undefined(&scene.asked) {
            return Some(Reply::text("That sum has no value.", text));
        }
        let mut spoken = request.clauses.iter().filter(|clause| clause.mood != Mood::SmallTalk);
        let refused = spoken.next().filter(|clause| clause.mood == Mood::Refusal);
        let refused = refused.filter(|_| spoken.next().is_none())?;
        Some(Reply::text("The person wants this not to be done.", talk::refused(scene, refused)))
    }

    /// A message that only says what is different from the question before it.
    fn completed(&self) -> Option<Reply> {
        let scene = self.scene;
        // What only went on with a question itself is no question to go on with.
        let earlier = scene.earlier.iter().filter(|text| !ellipsis::goes_on(text)).take(2);
        let whole = earlier.filter_map(|earlier| ellipsis::completed(scene, earlier));
        let asked = whole.filter_map(|message| self.act(&self.request(&message, &[])));
        let bare = || ellipsis::bare_zone(scene).map(|call| Reply::call("That is a time zone.", call));
        asked.into_iter().find(|reply| !reply.calls.is_empty()).or_else(bare)
    }

    fn without_a_tool(&self, request: &Request<'_>) -> Reply {
        let scene = self.scene;
        if let Wish::Unknown(name) = agents::wished(&scene.asked, self.agents) {
            return Reply::text(
                "That agent can't be reached from here.",
                talk::unreachable(&name, self.agents),
            );
        }
        let keeps = request.clauses.iter().any(|clause| clause.act == Some(Act::Save));
        if keeps && scene.plain_tools().any(|tool| tool.recalls()) {
            let text = "What should I remember? Say it with “Remember that …” before it.";
            return Reply::text("There is nothing in the message that could be kept.", text);
        }
        if let Some(text) = talk::from_what_is_here(scene, &request.clauses) {
            return Reply::text("What I need is in the message itself.", text);
        }
        if let Some(text) = crafts::asked_for(scene, &request.clauses) {
            return Reply::text("The person's message has what my work needs.", text);
        }
        if let Some(step) = look_it_up(scene, request) {
            return spoken(vec![step]);
        }
        if let Some(text) = conversation::told_before(scene, &request.clauses) {
            return Reply::text("The person said so earlier.", text);
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
        scene.said.filter(|said| said.contains('?'))?;
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
        let most = if follow::clears(scene) { MOST_WHILE_CLEARING } else { MOST_ROUNDS };
        if scene.rounds.len() < most && !scene.tools.is_empty() {
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
            if let Some(reply) = habits::answer(scene, &request.clauses) {
                return reply;
            }
            if let Some(reply) = self.follow_up(request).or_else(|| self.kept(request)) {
                return reply;
            }
        }
        let steps = if scene.tools.is_empty() { Vec::new() } else { self.steps(request) };
        let text = answer::from_results(scene, request, &steps);
        Reply::text("I have the results, so I answer from them.", text)
    }

    /// Once what was told is kept: the next question, or the end of the task.
    fn kept(&self, request: &Request<'_>) -> Option<Reply> {
        let scene = self.scene;
        let is_keep =
            |name: &str| scene.tool(name).is_some_and(|tool| matches!(tool.kind, Kind::Keep { .. }));
        let mut calls = scene.calls().peekable();
        calls.peek()?;
        // A clock may have been asked which date "next Tuesday" is.
        let told_day = |name: &str| scene.context.today.is_some() && deed(name, &Map::new()).reads();
        if !calls.all(|(call, result)| (is_keep(&call.name) || told_day(&call.name)) && !result.is_error) {
            return None;
        }
        Some(match stage::progress(scene, &request.clauses)? {
            stage::Progress::Done(reply) => reply,
            stage::Progress::Ask(question) => {
                Reply::text("Something this stage requires is still missing.", question)
            }
        })
    }

    /// Everything the message leads to: what a tool is for, else what may be looked up.
    fn steps(&self, request: &Request<'_>) -> Vec<Step> {
        let steps = plan(self.scene, request, self.agents, self.own, self.verbs);
        if steps.is_empty() { look_it_up(self.scene, request).into_iter().collect() } else { steps }
    }

    fn follow_up(&self, request: &Request<'_>) -> Option<Reply> {
        let calls = follow::calls(self.scene, request, &self.steps(request));
        (!calls.is_empty()).then(|| Reply {
            reasoning: "I found what is meant; now the change itself.".to_owned(),
            text: String::new(),
            calls,
        })
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
