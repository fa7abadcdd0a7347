//! Answers without a tool, in the voice of the agent: greetings, who I am, what I can do, and an honest word where a
//! demo model has no answer.

use super::agents::Agent;
use super::clauses::{Clause, Mood};
use super::files;
use super::quote::turned;
use super::render;
use super::scene::Scene;
use super::sums::sum;
use super::words::{capitalised, concept, hash, join, name_words, shorten, words};

pub const CONNECT: &str = "To talk to a full model, set ANTHROPIC_API_KEY or OPENAI_API_KEY (or OPENAI_BASE_URL for a local one) and restart.";

const MOST_TOOLS: usize = 4;

/// "You are the Budget Coach and …" → Budget Coach.
pub fn agent_name(standing: &str) -> Option<String> {
    let start = standing.get(..4_000).unwrap_or(standing);
    let all = words(start);
    let said = |at: usize, phrase: &[&str]| {
        phrase
            .iter()
            .zip(all.get(at..).unwrap_or_default())
            .filter(|(part, word)| **part == word.text.to_lowercase())
            .count()
            == phrase.len()
    };
    let at = (0..all.len().min(400)).find_map(|at| {
        [&["you", "are"][..], &["your", "name", "is"], &["du", "bist"]]
            .into_iter()
            .find(|phrase| said(at, phrase))
            .map(|phrase| at + phrase.len())
    })?;
    let articles = ["the", "a", "an", "der", "die", "das"];
    let rest =
        all[at..].iter().skip_while(|word| articles.contains(&word.lower.as_str())).collect::<Vec<_>>();
    let mut name = Vec::new();
    for (offset, word) in rest.iter().enumerate() {
        let close = offset == 0 || {
            let between = &start[rest[offset - 1].end()..word.start];
            between.trim().is_empty() || between == "-" || between == "&"
        };
        if !close || !word.text.starts_with(char::is_uppercase) || name.len() == 5 {
            break;
        }
        name.push(word.text);
    }
    (!name.is_empty()).then(|| name.join(" "))
}

/// What the agent is for, in its own voice: "I help people see where their money goes."
fn role(standing: &str) -> Option<String> {
    let start = shorten(standing, 1_200).replace('\n', " ");
    let sentences = start.split_inclusive(". ").map(str::trim);
    let does =
        sentences.filter(|text| text.starts_with("You ") && !text.starts_with("You are") && text.len() < 260);
    does.map(|text| turned(text.trim_end_matches('…'))).next()
}

/// "manage budgets and search web", in the tools' own words.
fn abilities(scene: &Scene<'_>) -> Option<String> {
    let tools: Vec<String> = scene.plain_tools().map(|tool| tool.human()).collect();
    let more = if tools.len() > MOST_TOOLS + 1 { tools.len() - MOST_TOOLS } else { 0 };
    let mut shown: Vec<String> =
        tools.into_iter().take(if more > 0 { MOST_TOOLS } else { MOST_TOOLS + 1 }).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    (!shown.is_empty()).then(|| join(&shown, "and"))
}

fn colleagues(agents: &[Agent]) -> Option<String> {
    let mut names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
    names.dedup();
    names.truncate(6);
    (!names.is_empty()).then(|| join(&names, "or"))
}

fn can_do(scene: &Scene<'_>, agents: &[Agent]) -> String {
    match (abilities(scene), colleagues(agents)) {
        (Some(tools), Some(names)) => format!("My tools here: {tools}. I can also hand you to {names}."),
        (Some(tools), None) => format!("My tools here: {tools}."),
        (None, Some(names)) => format!("I can hand you to {names}."),
        (None, None) => "I have no tools here, so I can only talk.".to_owned(),
    }
}

/// What a message asks about me rather than about the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AboutMe {
    Who,
    What,
}

pub fn about_me(asked: &str) -> Option<AboutMe> {
    let all = words(asked.get(..300).unwrap_or(asked));
    if all.len() > 14 {
        return None;
    }
    let text =
        all.iter().map(|word| word.text.to_lowercase().replace('’', "'")).collect::<Vec<_>>().join(" ");
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    if has(&[
        "who are you",
        "who're you",
        "what are you",
        "your name",
        "are you a",
        "are you real",
        "which model",
        "what model",
        "are you chatgpt",
        "are you claude",
        "are you gpt",
        "wer bist du",
        "introduce yourself",
        "who am i talking to",
    ]) {
        return Some(AboutMe::Who);
    }
    let alone = ["help", "hilfe", "help me", "help please"].contains(&text.as_str());
    let abilities = has(&[
        "what can you do",
        "what do you do",
        "how can you help",
        "what can i ask",
        "your tools",
        "tools do you have",
        "was kannst du",
        "what can i do here",
        "how do you work",
    ]);
    (alone || abilities).then_some(AboutMe::What)
}

pub fn introduce(scene: &Scene<'_>, agents: &[Agent], about: AboutMe) -> String {
    let name = agent_name(scene.standing);
    let who = match (&name, about) {
        (Some(name), AboutMe::Who) => format!("I'm the {name}, and behind me speaks Baton's demo model."),
        (Some(name), AboutMe::What) => format!("I'm the {name}, spoken by Baton's demo model."),
        (None, _) => "I'm Baton's demo model.".to_owned(),
    };
    let role = role(scene.standing).map(|role| format!(" {role}")).unwrap_or_default();
    format!(
        "{who}{role} {}\n\nI pick tools by reading their descriptions and I don't know anything by myself. {CONNECT}",
        can_do(scene, agents)
    )
}

pub fn small_talk(scene: &Scene<'_>, agents: &[Agent]) -> String {
    let all = words(&scene.asked);
    let says = |list: &[&str]| all.iter().any(|word| list.contains(&word.lower.as_str()));
    let name = agent_name(scene.standing).map(|name| format!(" I'm the {name}.")).unwrap_or_default();
    if says(&["thanks", "thank", "thx", "danke", "cheers"]) {
        let ways = ["You're welcome.", "Glad to help.", "Any time."];
        return format!("{} Is there anything else?", pick(&ways, &scene.asked));
    }
    if says(&["bye", "goodbye", "later", "tschüss"]) {
        return "Goodbye! This conversation stays here whenever you want to go on.".to_owned();
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
        return format!(
            "{}{name} {} What would you like to do?",
            pick(&ways, &scene.asked),
            can_do(scene, agents)
        );
    }
    if all.is_empty() {
        return format!(
            "I couldn't find words in that.{name} {} What would you like to do?",
            can_do(scene, agents)
        );
    }
    let ways = ["All right.", "Good.", "Understood."];
    format!("{} {} What shall we do next?", pick(&ways, &scene.asked), can_do(scene, agents))
}

fn pick<'t>(ways: &[&'t str], text: &str) -> &'t str {
    ways.get(hash(text) as usize % ways.len().max(1)).copied().unwrap_or_default()
}

/// What lies in the message itself: files, images, a sum, or data and the date from the context.
pub fn from_what_is_here(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<String> {
    let mut parts: Vec<String> = scene.files.iter().take(5).map(files::describe).collect();
    for kind in scene.images.iter().take(5) {
        let name = kind.strip_prefix("image/").unwrap_or(kind).to_uppercase();
        parts.push(format!(
            "A {name} image came with your message. The demo model can't see images; a connected model can."
        ));
    }
    if !parts.is_empty() {
        if !scene.files.is_empty() {
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
        return Some(format!("Today is {}.", today.format("%A, %-d %B %Y")));
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
    Some(format!("The {} is {}.", render::human_key(&known.0), render::plain(&known.1)))
}

/// Nothing fits: say so, in this agent's voice, and say what would.
pub fn fallback(scene: &Scene<'_>, agents: &[Agent], clauses: &[Clause<'_>]) -> String {
    let topics: Vec<String> = clauses
        .iter()
        .filter(|clause| clause.mood != Mood::SmallTalk)
        .flat_map(|clause| &clause.topics)
        .filter(|topic| !topic.weak)
        .take(4)
        .map(|topic| shorten(&topic.text.to_lowercase(), 40))
        .collect();
    let about = if topics.is_empty() { "that".to_owned() } else { format!("“{}”", topics.join(" ")) };
    let name = agent_name(scene.standing).map_or_else(|| "Here".to_owned(), |name| format!("As the {name}"));
    let role = role(scene.standing).unwrap_or_default();
    let handed = scene.context.handed && !scene.context.data.is_empty() && scene.rounds.is_empty();
    let opening = if handed {
        let data: Vec<String> = scene
            .context
            .data
            .iter()
            .filter(|(_, value)| !value.is_object())
            .take(6)
            .map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)))
            .collect();
        format!("{}, I've taken this over. What I was given:\n\n{}\n\n", name, data.join("\n"))
    } else {
        let told = clauses.iter().all(|clause| matches!(clause.mood, Mood::Statement | Mood::SmallTalk));
        let ways = if told {
            [
                "Thank you, I've read what you say about {}.",
                "Noted for this conversation: {}.",
                "I see, this is about {}.",
            ]
        } else {
            [
                "You asked about {}.",
                "About {}: none of my tools fits it.",
                "I have nothing that answers {} directly.",
            ]
        };
        let said = pick(&ways, &scene.asked).replace("{}", &about);
        format!("{said} ")
    };
    let offer = if scene.plain_tools().any(|tool| tool.recalls())
        && clauses.iter().all(|c| c.mood == Mood::Statement)
    {
        " Shall I remember that?"
    } else {
        ""
    };
    let demo = [
        "I'm Baton's demo model, so I can't say more by myself.",
        "As a demo model I work only with the tools I'm given.",
        "A connected model would answer this in full; I'm only the demo.",
    ];
    let role =
        if role.is_empty() || handed { String::new() } else { format!("{name}, {} ", lower_start(&role)) };
    format!(
        "{opening}{role}{} {}{offer}",
        capitalised(&can_do(scene, agents)),
        pick(&demo, &format!("{} ", scene.asked))
    )
}

/// "I help …" stays, "Help …" becomes "help …".
fn lower_start(text: &str) -> String {
    if text.starts_with("I ") || text.starts_with("I'") {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// Agents I could hand to, when the person named one I can't.
pub fn unreachable(name: &str, agents: &[Agent]) -> String {
    match colleagues(agents) {
        Some(names) => format!("I can't reach “{name}” from here. I can hand you to {names}."),
        None => format!("I can't reach “{name}” from here, and I have nobody to hand you to."),
    }
}
