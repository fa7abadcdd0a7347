//! Who I am and what I can do here, from the prompt and the tools on offer. What I am is said once in a conversation.

use super::agents::Agent;
use super::clauses::{OWN, plain};
use super::lexicon::GENERIC;
use super::offer::Offered;
use super::quote::turned;
use super::scene::Scene;
use super::words::{capitalised, join, shorten, words};

pub const CONNECT: &str = "To talk to a full model, set ANTHROPIC_API_KEY or OPENAI_API_KEY (or OPENAI_BASE_URL for a local one) and restart.";

const MOST_TOOLS: usize = 4;
const MOST_LISTED: usize = 12;

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

/// The same as it is spoken of: "the Budget Coach", but "Solutions".
pub fn spoken_name(standing: &str) -> Option<String> {
    let name = agent_name(standing)?;
    let before = &standing[..standing.find(&name)?];
    let article = before.split_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("the"));
    let article = article || !before.trim_end().to_lowercase().ends_with(" are");
    Some(if article { format!("the {name}") } else { name })
}

/// What the agent is for, in its own voice: "I help people see where their money goes."
pub fn role(standing: &str) -> Option<String> {
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

pub fn colleagues(agents: &[Agent]) -> Option<String> {
    let mut names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
    names.dedup();
    names.truncate(6);
    (!names.is_empty()).then(|| join(&names, "or"))
}

pub fn can_do(scene: &Scene<'_>, agents: &[Agent]) -> String {
    // In a team the tools are for the work between its members; people want to know whom to turn to.
    match (abilities(scene).filter(|_| !scene.in_team()), colleagues(agents)) {
        (_, names) if scene.in_team() => {
            let names = names.map(|names| format!("I can hand you to {names}."));
            names.unwrap_or_default()
        }
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
    let alone = [
        "help",
        "hilfe",
        "help me",
        "help please",
        "can you help",
        "can you help me",
        "i need help",
        "kannst du mir helfen",
        "kannst du helfen",
        "ich brauche hilfe",
    ]
    .contains(&text.as_str());
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
        "what are your abilities",
        "was machst du",
        "wie funktioniert",
        "what is this place",
        "how do i start",
        "where do i start",
        "get started",
        "how does this work",
        "don't understand",
    ]);
    (alone || abilities).then_some(AboutMe::What)
}

/// "Never mind": whatever was asked for is to rest.
pub fn drops(asked: &str) -> bool {
    let all: Vec<String> =
        words(asked.get(..60).unwrap_or(asked)).iter().map(|word| word.text.to_lowercase()).collect();
    let said = all
        .iter()
        .map(String::as_str)
        .filter(|word| !["oh", "ok", "okay", "please", "no", "then"].contains(word));
    let said = said.collect::<Vec<_>>().join(" ");
    ["never mind", "nevermind", "leave it", "drop it", "vergiss es", "lass es", "egal"]
        .contains(&said.as_str())
}

/// Whether the person asks if I could do something, rather than for it to be done: the tool that would, if there is one.
pub fn asks_ability<'s, 'a>(scene: &'s Scene<'a>) -> Option<Option<&'s Offered<'a>>> {
    let all = words(scene.asked.get(..120).unwrap_or(&scene.asked));
    let said = |at: usize| all.get(at).map(|word| word.text.to_lowercase()).unwrap_or_default();
    let opens = |phrase: &[&str]| phrase.iter().enumerate().all(|(at, part)| said(at) == *part);
    let can = [
        &["can", "you"][..],
        &["could", "you"],
        &["are", "you", "able", "to"],
        &["do", "you"],
        &["how", "do", "you"],
        &["how", "can", "you"],
        &["kannst", "du"],
    ];
    let has = [&["do", "you", "have"][..], &["have", "you", "got"], &["hast", "du"]];
    let has_it = has.iter().find(|phrase| opens(phrase));
    let skip = has_it.or_else(|| can.iter().find(|phrase| opens(phrase)))?.len();
    let personal =
        ["i", "me", "my", "mine", "our", "us", "this", "that", "it", "about", "mein", "meine", "mich", "mir"];
    let rest = all.get(skip..)?;
    let generic = rest.iter().any(|word| GENERIC.contains(&word.text.to_lowercase().as_str()));
    // "My data" is data in general; "my budget" is not.
    let is_personal = |word: &super::words::Word<'_>| {
        let lower = word.text.to_lowercase();
        personal.contains(&plain(&lower)) && !(generic && OWN.contains(&lower.as_str()))
    };
    if all.len() > 8 || rest.iter().any(is_personal) {
        return None;
    }
    let content = |word: &&super::words::Word<'_>| !word.stop && !GENERIC.contains(&word.lower.as_str());
    let meanings: Vec<&str> = rest.iter().filter(content).map(|word| word.concept.as_str()).collect();
    let does = |tool: &&Offered<'a>| {
        let speaks = |meaning: &&str| tool.bag.get(*meaning).is_some_and(|weight| *weight >= 1.2);
        meanings.iter().all(speaks)
    };
    // "Can you remember things?" and "do you have a memory?" ask; "can you book a room?" orders.
    let asks = meanings.len() == 1 && (generic || has_it.is_some() || rest.len() == 1);
    asks.then(|| scene.plain_tools().find(does))
}

pub fn ability(scene: &Scene<'_>, agents: &[Agent], tool: Option<&Offered<'_>>) -> String {
    let Some(tool) = tool else {
        return format!("No, none of my tools does that. {}{}", can_do(scene, agents), once(scene));
    };
    let example = match tool.recalls() {
        true => " Say, for example, “Remember that my desk is in room 12”, and later “Where is my desk?”",
        false => " Just tell me what you need.",
    };
    let asks_how = scene.asked.to_lowercase().starts_with("how");
    let how = described(tool);
    let answer = if asks_how { capitalised(&how) } else { format!("Yes, {how}") };
    format!("{answer}.{example}{}", once(scene))
}

/// A tool by its name and the beginning of its own description.
fn described(tool: &Offered<'_>) -> String {
    let about = tool.spec.description.split(['.', ';', '\n']).next().unwrap_or_default();
    let about = turned(&shorten(about.trim(), 100));
    match about.is_empty() {
        true => format!("with **{}**", tool.human()),
        false => format!("with **{}** ({})", tool.human(), lower_start(&about)),
    }
}

/// What I am, unless this conversation has heard it.
pub fn once(scene: &Scene<'_>) -> &'static str {
    match scene.introduced {
        true => "",
        false => " I'm Baton's demo model: I work with the tools I'm given and know nothing by myself.",
    }
}

pub fn introduce(scene: &Scene<'_>, agents: &[Agent], about: AboutMe) -> String {
    let name = spoken_name(scene.standing);
    let who = match (&name, about) {
        (Some(name), AboutMe::Who) => format!("I'm {name}, and behind me speaks Baton's demo model."),
        (Some(name), AboutMe::What) => format!("I'm {name}, spoken by Baton's demo model."),
        (None, _) => "I'm Baton's demo model.".to_owned(),
    };
    let role = role(scene.standing).map(|role| format!(" {role}")).unwrap_or_default();
    let tools: Vec<&Offered<'_>> = scene.plain_tools().take(MOST_LISTED).collect();
    let can = match (about, tools.len()) {
        (AboutMe::What, 2..) if !scene.in_team() => {
            let lines = tools.iter().map(|tool| {
                let about = tool.spec.description.split(['.', ';', '\n']).next().unwrap_or_default().trim();
                format!("- **{}**: {}", tool.human(), turned(&shorten(about, 120)))
            });
            let lines = lines.collect::<Vec<_>>().join("\n");
            let hands = colleagues(agents)
                .map(|names| format!("\n\nI can also hand you to {names}."))
                .unwrap_or_default();
            format!("My tools here:\n\n{lines}{hands}")
        }
        _ => can_do(scene, agents),
    };
    let more = match scene.introduced {
        true => String::new(),
        false => format!(
            "\n\nI pick tools by reading their descriptions and I don't know anything by myself. {CONNECT}"
        ),
    };
    format!("{who}{role} {can}{more}")
}

/// "I help …" stays, "Help …" becomes "help …".
pub fn lower_start(text: &str) -> String {
    if text.starts_with("I ") || text.starts_with("I'") {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
