//! Colours: a few that can be read on a dark and on a light background, and none when the output is not a terminal.

use baton_core::ids::AgentId;

/// Middle tones of the 256 colours. Red and yellow are left to errors and notices.
const AGENTS: [u8; 6] = [33, 35, 133, 37, 166, 99];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Dim,
    Bold,
    Notice,
    Error,
    Agent(AgentId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Colours,
    None,
}

impl Paint {
    /// For something that is or isn't a terminal, as <https://no-color.org> asks.
    pub fn for_terminal(is_terminal: bool) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_terminal && !is_set("NO_COLOR") && !is_dumb { Self::Colours } else { Self::None }
    }

    pub fn apply(self, style: Style, text: &str) -> String {
        let code = match (self, style) {
            (Self::None, _) | (_, Style::Plain) => return text.to_owned(),
            (_, Style::Dim) => "2".to_owned(),
            (_, Style::Bold) => "1".to_owned(),
            (_, Style::Notice) => "33".to_owned(),
            (_, Style::Error) => "31".to_owned(),
            (_, Style::Agent(id)) => format!("1;38;5;{}", colour_of(id)),
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// The same agent has the same colour in every conversation.
fn colour_of(id: AgentId) -> u8 {
    let sum: usize = id.0.as_bytes().iter().map(|byte| usize::from(*byte)).sum();
    AGENTS[sum % AGENTS.len()]
}
