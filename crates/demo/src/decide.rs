//! Decides what to do next for a request. It looks first at results that came back, then at what the agent collects,
//! then at what the message is about.

use baton_core::models::{CallResult, ModelRequest, ToolCall};
use baton_core::tools::ToolSpec;
use chrono::NaiveDate;
use serde_json::{Map, Value};

use crate::Reply;
use crate::answer::{SWITCH_AGENT, as_line, came_back, lines, talk, template, with_introduction};
use crate::fill::{Filled, Sources, arguments, asks_for, choices, question};
use crate::forms::{self, COMPLETE_STAGE, COMPLETE_TASK, READ_CONTEXT, UPDATE_CONTEXT, is_given_up};
use crate::route::{ROUTE, route};
use crate::scene::{Heard, Scene};
use crate::score::{Candidate, ENOUGH, best, overlaps, properties};
use crate::values;
use crate::words::{content, is_filler, is_question, words};

pub fn decide(request: &ModelRequest, today: NaiveDate) -> Reply {
    if request.tools.iter().any(|tool| tool.name == ROUTE) {
        return route(request);
    }
    let scene = Scene::read(request, today);
    let candidates = candidates(&scene);
    if !scene.done.is_empty() {
        return after(&scene, &candidates);
    }
    let next = starter(&scene).or_else(|| forms::work(&scene)).or_else(|| act(&scene, &candidates));
    next.or_else(|| look_up(&scene)).unwrap_or_else(|| Reply::text(closing(&scene, &candidates)))
}

/// What can be chosen: tools, agents to hand to or ask, skills.
fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for tool in scene.tools {
        match tool.name.as_str() {
            COMPLETE_STAGE | COMPLETE_TASK | UPDATE_CONTEXT | READ_CONTEXT => {}
            SWITCH_AGENT => found.extend(
                tool.description.lines().filter_map(|line| Candidate::listed(SWITCH_AGENT, "agent", line)),
            ),
            "load_skill" => {
                let skills = scene.fixed.lines().skip_while(|line| *line != "# Skills");
                found.extend(skills.filter_map(|line| Candidate::listed(&tool.name, "name", line)));
            }
            _ => found.push(Candidate::of(tool)),
        }
    }
    found
}

/// For exactly the text of a starter, makes the starter's call.
fn starter(scene: &Scene<'_>) -> Option<Reply> {
    let starter = scene.card.starters.iter().find(|starter| starter.text.trim() == scene.asked.trim())?;
    let tool = scene.tool(starter.tool.as_deref()?)?;
    let dated = |value: &Value| match value.as_str() {
        Some(text) if text.starts_with("today") && !text.contains(' ') => {
            values::date(text, scene.today).map(|day| Value::from(day.to_string()))
        }
        _ => None,
    };
    let arguments = starter
        .args
        .iter()
        .map(|(name, value)| (name.clone(), dated(value).unwrap_or_else(|| value.clone())));
    Some(Reply::call(&tool.name, arguments.collect()))
}

/// The tool that a message is about, and what it fills.
struct Wanted<'a> {
    tool: &'a ToolSpec,
    filled: Filled,
}

/// The message together with those before it that it answers a question to, unless it begins something else.
fn wanted<'a>(scene: &Scene<'a>, candidates: &[Candidate]) -> Option<Wanted<'a>> {
    let fresh = best(&scene.asked, candidates, ENOUGH);
    let chain = chain(&scene.heard);
    let asked_for = scene.heard.last().and_then(|heard| asks_for(&heard.after)?.tool);
    let pending = asked_for.and_then(|name| candidates.iter().find(|one| one.tool == name));
    let leaves = is_question(&scene.asked)
        || fresh.is_some_and(|fresh| Some(&fresh.tool) != pending.map(|one| &one.tool));
    let (candidate, heard) = match pending {
        Some(pending) if !leaves => (pending, chain),
        _ => (fresh?, scene.heard.last().into_iter().collect()),
    };
    // An agent that was just given the conversation does not hand it back.
    if scene.is_handed && candidate.tool == SWITCH_AGENT {
        return None;
    }
    let tool = scene.tool(&candidate.tool)?;
    let filled = arguments(tool, candidate, &Sources { heard, facts: &[], today: scene.today });
    // A tool of many actions is meant only if one of them is.
    let acts = |name: &String| tool.parameters["properties"][name].get("enum").is_none();
    filled.missing.iter().all(acts).then_some(Wanted { tool, filled })
}

fn chain(heard: &[Heard]) -> Vec<&Heard> {
    let mut from = heard.len().saturating_sub(1);
    while from > 0 && asks_for(&heard[from].after).is_some_and(|asked| asked.tool.is_some()) {
        from -= 1;
    }
    heard[from..].iter().collect()
}

fn act(scene: &Scene<'_>, candidates: &[Candidate]) -> Option<Reply> {
    let was_asked = scene.heard.last().is_some_and(|heard| asks_for(&heard.after).is_some());
    if was_asked && is_given_up(&scene.asked) {
        return Some(Reply::text("All right, I leave it."));
    }
    let Wanted { tool, filled } = wanted(scene, candidates)?;
    let Some(name) = filled.missing.first() else { return Some(Reply::call(&tool.name, filled.values)) };
    // A value that nobody gave may be known to the tool itself.
    if let Some(call) = search(tool, &scene.asked).filter(|_| filled.values.values().any(Value::is_string)) {
        return Some(call);
    }
    let asked = question(Some(&tool.name), name, &tool.parameters["properties"][name]);
    Some(Reply::text(with_introduction(scene, asked)))
}

/// A call that searches, if the tool can: an action `search`, and a text to search for.
fn search(tool: &ToolSpec, asked: &str) -> Option<Reply> {
    let (action, _) = properties(&tool.parameters)
        .find(|(_, field)| choices(field).iter().any(|(value, _)| *value == "search"))?;
    let (query, _) = properties(&tool.parameters).find(|(name, _)| name.as_str() == "query")?;
    let candidate = Candidate::of(tool);
    let said = words(asked).into_iter().filter(|word| !is_filler(word));
    let told: Vec<String> = said.filter(|word| is_question(asked) || !candidate.knows(word)).collect();
    let arguments = [(action.clone(), "search".into()), (query.clone(), told.join(" ").into())];
    (!told.is_empty()).then(|| Reply::call(&tool.name, Map::from_iter(arguments)))
}

/// A question that is about no tool: what the context says of it, or what a tool finds.
fn look_up(scene: &Scene<'_>) -> Option<Reply> {
    if !is_question(&scene.asked) || content(&scene.asked).is_empty() {
        return None;
    }
    let about: Map<String, Value> =
        scene.facts.iter().filter(|(name, _)| overlaps(name, &scene.asked)).cloned().collect();
    if !about.is_empty() {
        return Some(Reply::text(with_introduction(scene, lines(&Value::Object(about)))));
    }
    scene.tools.iter().find_map(|tool| search(tool, &scene.asked))
}

/// After tools have run: the next step of what is collected, or what came back.
fn after(scene: &Scene<'_>, candidates: &[Candidate]) -> Reply {
    let Some((call, result)) = scene.done.last() else { return Reply::text(closing(scene, candidates)) };
    if !result.is_error {
        if call.name == UPDATE_CONTEXT
            && let Some(reply) = forms::work(scene)
        {
            return reply;
        }
        if let Some(reply) = found(scene, candidates, call, result) {
            return reply;
        }
        if call.name == COMPLETE_STAGE
            && let Some(text) = template(scene)
        {
            return Reply::text(with_introduction(scene, text));
        }
    }
    let told: Vec<String> = scene
        .done
        .iter()
        .filter(|(call, result)| result.is_error || call.name != UPDATE_CONTEXT)
        .map(|(call, result)| match call.name.as_str() {
            COMPLETE_STAGE if !result.is_error => lines(&Value::Object(call.arguments.clone())),
            tool => came_back(tool, result),
        })
        .collect();
    Reply::text(with_introduction(scene, told.join("\n\n")))
}

/// What was searched for to be used: if exactly one was found, it is.
fn found(scene: &Scene<'_>, candidates: &[Candidate], call: &ToolCall, result: &CallResult) -> Option<Reply> {
    let Wanted { tool, mut filled } =
        wanted(scene, candidates).filter(|wanted| wanted.tool.name == call.name)?;
    let [name] = filled.missing.as_slice() else { return None };
    let mut values = Vec::new();
    collect(&serde_json::from_str(&result.content).ok()?, name, &mut values);
    let [value] = values.as_slice() else { return None };
    filled.values.insert(name.clone(), value.clone());
    Some(Reply::call(&tool.name, filled.values))
}

fn collect(value: &Value, name: &str, into: &mut Vec<Value>) {
    match value {
        Value::Object(map) => {
            into.extend(map.get(name).cloned());
            map.values().for_each(|inner| collect(inner, name, into));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, into)),
        _ => {}
    }
}

/// The text when there is nothing to do.
fn closing(scene: &Scene<'_>, candidates: &[Candidate]) -> String {
    if !scene.is_handed {
        return talk(scene, candidates);
    }
    let passed = || {
        let facts = as_line(scene.facts.iter().map(|(name, value)| (name.as_str(), value)));
        let passed = scene.why.clone().or(Some(facts).filter(|facts| !facts.is_empty()))?;
        Some(format!("I have it now. What was passed to me: {passed}"))
    };
    let text = template(scene).or_else(passed);
    text.map_or_else(|| talk(scene, candidates), |text| with_introduction(scene, text))
}
