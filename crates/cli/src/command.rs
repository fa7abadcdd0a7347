//! What a typed line asks for: a message to the agent, or one of a few commands.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command<'a> {
    Say(&'a str),
    Retry,
    /// List the hired agents.
    Agents,
    /// Whom to switch to; nobody named.
    Switch(Option<&'a str>),
}

pub const RETRY: &str = "/retry";
pub const AGENTS: &str = "/agents";
pub const SWITCH: &str = "/switch";

/// A line that is no command is a message, even if it begins with a slash: people write about paths too.
pub fn parse(line: &str) -> Command<'_> {
    let typed = line.trim();
    let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    match (word, rest.trim()) {
        (RETRY, "") => Command::Retry,
        (AGENTS, "") => Command::Agents,
        (SWITCH, "") => Command::Switch(None),
        (SWITCH, name) => Command::Switch(Some(name)),
        _ => Command::Say(line),
    }
}

/// Whether a question that expects no for an answer was answered with yes.
pub fn is_yes(typed: &str) -> bool {
    matches!(typed.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_are_commands() {
        for (line, expected) in [
            ("Hello", Command::Say("Hello")),
            (" /retry ", Command::Retry),
            ("/retry that", Command::Say("/retry that")),
            ("/agents", Command::Agents),
            ("/switch", Command::Switch(None)),
            ("/switch  Budget Coach ", Command::Switch(Some("Budget Coach"))),
            ("/switch auto", Command::Switch(Some("auto"))),
            ("/switchboard", Command::Say("/switchboard")),
            ("/etc/hosts is what?", Command::Say("/etc/hosts is what?")),
        ] {
            assert_eq!(parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn silence_is_no() {
        assert!(is_yes("y") && is_yes(" YES "));
        assert!(!is_yes("") && !is_yes("n") && !is_yes("why?"));
    }
}
