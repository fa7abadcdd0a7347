//! Answers without a tool, in the voice of the agent: greetings, what lies in the message itself, and an honest word
//! where there is no answer.

use super::about::{can_do, colleagues, lower_start, once, role, spoken_name};
use super::agents::Agent;
use super::clauses::{Clause, Mood, OWN, plain};
use super::crafts;
use super::extremes;
use super::files;
use super::offer::Kind;
use super::quote::{is_foreign, turned};
use super::render;
use super::resume::resumes;
use super::scene::Scene;
use super::sums::sum;
use super::words::{Word, capitalised, concept, hash, name_words, shorten, words};

pub fn small_talk(scene: &Scene<'_>, agents: &[Agent]) -> String {
    let all = words(&scene.asked);
    let says = |list: &[&str]| all.iter().any(|word| list.contains(&word.lower.as_str()));
    let name = spoken_name(scene.standing).map(|name| format!(" I'm {name}.")).unwrap_or_default();
    let role = role(scene.standing).filter(|_| scene.in_team() && !scene.introduced);
    let name = format!("{name}{}", role.map(|role| format!(" {role}")).unwrap_or_default());
    if says(&["bye", "goodbye", "later", "tschüss", "night"]) {
        return "Goodbye! This conversation stays here whenever you want to go on.".to_owned();
    }
    if says(&["thanks", "thank", "thx", "danke", "cheers"]) {
        let ways = ["You're welcome.", "Glad to help.", "Any time."];
        return format!("{} Is there anything else?", pick(&ways, &scene.asked));
    }
    if says(&[
        "hello",
        "hi",
        "hey",
        "hallo",
        "moin",
        "morning",
        "evening",
        "afternoon",
        "servus",
        "guten",
        "yo",
    ]) {
        let ways = ["Hello!", "Hi there!", "Good to see you."];
        let can = spaced(&can_do(scene, agents));
        return format!("{}{name}{can}{} What would you like to do?", pick(&ways, &scene.asked), once(scene));
    }
    if all.is_empty() {
        return format!(
            "I couldn't find words in that.{name}{} What would you like to do?",
            spaced(&can_do(scene, agents))
        );
    }
    let text = scene.asked.to_lowercase();
    let ways = if ["how are", "how is it", "how's it", "what's up", "wie geht"]
        .iter()
        .any(|asked| text.contains(asked))
    {
        ["Fine, thank you."; 3]
    } else {
        ["All right.", "Good.", "Understood."]
    };
    let can = if scene.introduced {
        String::new()
    } else {
        format!("{}{}", spaced(&can_do(scene, agents)), once(scene))
    };
    format!("{}{can} What shall we do next?", pick(&ways, &scene.asked))
}

/// "Thanks", "bye": no answer to a question, and no reason to ask it again.
pub fn takes_leave(asked: &str) -> bool {
    let leave = ["bye", "goodbye", "thanks", "thank", "thx", "danke", "tschüss"];
    words(asked).iter().any(|word| leave.contains(&word.lower.as_str()))
}

fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}

fn pick<'t>(ways: &[&'t str], text: &str) -> &'t str {
    ways.get(hash(text) as usize % ways.len().max(1)).copied().unwrap_or_default()
}

/// What lies in the message itself: files, images, a sum, or data and the date from the context.
pub fn from_what_is_here(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<String> {
    let mut parts: Vec<String> = scene.files.iter().take(5).map(files::describe).collect();
    for kind in scene.images.iter().take(5) {
        let name = kind.strip_prefix("image/").unwrap_or(kind).to_uppercase();
        parts.push(format!("A {name} image came with your message. As a demo model I can't see images."));
    }
    if !parts.is_empty() {
        if !scene.files.is_empty() && !scene.introduced {
            parts.push(
                "That is what I can read from it as Baton's demo model; I can't interpret it further."
                    .to_owned(),
            );
        }
        return Some(parts.join("\n\n"));
    }
    if let Some((expression, value)) = sum(&scene.asked) {
        return Some(format!("{expression} = {}", files::tidy(value)));
    }
    let asks = |meanings: &[&str]| {
        clauses.iter().any(|clause| {
            clause.asks()
                && !clause.topics.is_empty()
                && clause.topics.iter().all(|topic| topic.weak || meanings.contains(&topic.concept.as_str()))
        })
    };
    if let Some(today) = scene.context.today.filter(|_| asks(&["date", "time"])) {
        let other = super::moments::reckoned(&scene.asked, today);
        return Some(other.unwrap_or_else(|| format!("Today is {}.", today.format("%A, %-d %B %Y"))));
    }
    if let Some(text) = extremes::answered(scene, clauses) {
        return Some(text);
    }
    let topics: Vec<&str> = clauses
        .iter()
        .filter(|clause| clause.asks())
        .flat_map(|clause| &clause.topics)
        .map(|topic| topic.concept.as_str())
        .collect();
    let known = scene.context.data.iter().find(|(name, value)| {
        let key: Vec<String> = name_words(name)
            .into_iter()
            .filter(|word| !["id", "type"].contains(&word.as_str()))
            .map(|word| concept(&word))
            .collect();
        !value.is_object() && !key.is_empty() && key.iter().all(|meaning| topics.contains(&meaning.as_str()))
    })?;
    let (key, value) = (render::human_key(&known.0), render::plain(&known.1));
    // A list of sentences is no value of a sentence.
    if let Some(items) = known.1.as_array().filter(|items| items.len() > 1) {
        let lines: Vec<String> = items.iter().map(|item| format!("- {}", render::plain(item))).collect();
        return Some(format!("{}:\n\n{}", capitalised(&key), lines.join("\n")));
    }
    Some(match value.ends_with('.') {
        true => format!("{}: {value}", capitalised(&key)),
        false => format!("The {key} is {value}."),
    })
}

/// "Don't remember my address": said back, so that it is clear that nothing happened.
pub fn refused(scene: &Scene<'_>, clause: &Clause<'_>) -> String {
    let order = clause.body.trim_end_matches(['.', '!']);
    let lower = order.to_lowercase();
    let order = ["don't ", "don’t ", "dont ", "do not ", "never "]
        .iter()
        .find_map(|no| lower.strip_prefix(no).and_then(|rest| order.get(order.len() - rest.len()..)));
    let keeps = clause.has_topic("remember") && scene.plain_tools().any(|tool| tool.recalls());
    let hint = if keeps { " If I keep a note of it already, tell me to forget it." } else { "" };
    match order {
        Some(order) => format!(
            "All right, I won't {}. Nothing was saved or changed.{hint}",
            turned(&shorten(order, 100))
        ),
        None => format!("All right, I won't. Nothing was saved or changed.{hint}"),
    }
}

/// Nothing fits: say so, in this agent's voice, and say what would.
pub fn fallback(scene: &Scene<'_>, agents: &[Agent], clauses: &[Clause<'_>]) -> String {
    let can = can_do(scene, agents);
    let name = spoken_name(scene.standing).map_or_else(|| "Here".to_owned(), |name| format!("As {name}"));
    let is_mine = scene.tools.iter().any(|tool| tool.kind == Kind::Complete);
    let given = given(scene);
    let told = |said: &str| said.contains(&given);
    let is_told = scene.said.is_some_and(told) || scene.history.iter().any(|(said, _)| told(said));
    let spoken_to = crafts::is_spoken_to(scene);
    if scene.context.handed
        && !spoken_to
        && !given.is_empty()
        && scene.rounds.is_empty()
        && !is_mine
        && !is_told
    {
        let limits = match (scene.in_team(), scene.introduced) {
            (true, false) => {
                " I'm Baton's demo model: I show that it arrived; the work itself takes a full model."
            }
            (true, true) => "",
            (false, _) => once(scene),
        };
        let text = format!("{name}, I've taken this over. What I was given:\n\n{given}\n\n{can}{limits}");
        return text.trim_end().to_owned();
    }
    if resumes(&scene.asked).is_some() {
        let open =
            scene.said.and_then(|said| said.split_inclusive(['.', '!', '\n']).rfind(|one| one.contains('?')));
        return format!("Let's go on. {}", open.map_or("What would you like to do?", str::trim));
    }
    let told = clauses.iter().all(|clause| matches!(clause.mood, Mood::Statement | Mood::SmallTalk));
    let opening = if told { "All right.".to_owned() } else { no_answer(scene, clauses) };
    let remembers = !scene.in_team() && scene.plain_tools().any(|tool| tool.recalls());
    if told
        && remembers
        && clauses.iter().all(|clause| clause.mood == Mood::Statement)
        && is_fact(clauses.first().map_or("", |clause| clause.body))
    {
        return format!("{opening} Shall I remember that?{}", once(scene));
    }
    let role = role(scene.standing).filter(|_| !scene.introduced);
    let role = role.map(|role| format!("{name}, {} ", lower_start(&role))).unwrap_or_default();
    // What I can do was said with what I am; after each refusal it would be noise.
    let can = if scene.introduced { String::new() } else { can };
    format!("{opening} {role}{can}{}", once(scene)).trim_end().to_owned()
}

/// Something that may matter later, rather than a feeling or a word about me.
fn is_fact(text: &str) -> bool {
    let all = words(text);
    let about_others = ["you", "that", "this", "it", "there", "so", "no", "du"];
    let own =
        |word: &Word<'_>| ["i", "ich"].contains(&word.lower.as_str()) || OWN.contains(&word.lower.as_str());
    let least = if all.first().is_some_and(own) { 3 } else { 4 };
    (least..=30).contains(&all.len())
        && all.first().is_some_and(|word| !about_others.contains(&plain(&word.lower)))
}

/// What was handed over, line by line.
fn given(scene: &Scene<'_>) -> String {
    let plain = scene.context.data.iter().filter(|(_, value)| !value.is_object()).take(6);
    let lines = plain.map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)));
    lines.collect::<Vec<_>>().join("\n")
}

/// That there is no answer here, with the question, so that nobody wonders what was understood.
fn no_answer(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> String {
    let asked = shorten(&scene.asked.split_whitespace().collect::<Vec<_>>().join(" "), 80);
    if is_foreign(&asked) {
        return format!("I'm not sure I understand “{asked}”; I read English and a little German.");
    }
    let lower = asked.to_lowercase();
    if ["can you", "could you", "are you able", "do you have", "kannst du"]
        .iter()
        .any(|ask| lower.starts_with(ask))
    {
        return format!("No, none of my tools fits “{asked}”.");
    }
    let asks = clauses.iter().any(|clause| clause.mood == Mood::Question);
    let orders = clauses.iter().any(|clause| matches!(clause.mood, Mood::Command | Mood::Wish));
    let ways: &[&str] = match () {
        () if asks => &[
            "I can't answer “{}”: none of my tools is about that.",
            "I have nothing here that answers “{}”.",
        ],
        () if orders => {
            &["I can't do that here: none of my tools fits “{}”.", "No tool of mine can do “{}”."]
        }
        () => &["I don't know what to make of “{}”.", "I'm not sure what you mean by “{}”."],
    };
    pick(ways, &scene.asked).replace("{}", &asked)
}

/// Agents I could hand to, when the person named one I can't.
pub fn unreachable(name: &str, agents: &[Agent]) -> String {
    match colleagues(agents) {
        Some(names) => format!("I can't reach “{name}” from here. I can hand you to {names}."),
        None => format!("I can't reach “{name}” from here, and I have nobody to hand you to."),
    }
}
