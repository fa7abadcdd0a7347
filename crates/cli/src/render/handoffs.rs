//! Lines about handoffs and switches: who answers from here on.

use baton_core::handoffs::Trigger;
use baton_core::ids::{AgentId, TransitionId};

use super::{ERROR, Renderer, SHORT};
use crate::paint::Style;
use crate::plain;

/// A handoff as it is shown.
pub(super) struct Handed<'a> {
    pub id: TransitionId,
    pub to: AgentId,
    pub name: &'a str,
    pub reason: Option<&'a str>,
    /// Of a pipeline: which of how many, and what it is called.
    pub stage: Option<(usize, usize, &'a str)>,
}

impl Renderer {
    pub(super) fn handed(&mut self, handed: &Handed<'_>) {
        if self.handed.replace(handed.id) == Some(handed.id) {
            return;
        }
        let before = match handed.stage {
            Some((number, of, name)) => {
                format!("→ stage {number} of {of}, {}: handed to ", plain::line(name, SHORT))
            }
            None => "→ handed to ".to_owned(),
        };
        let after = handed.reason.map(|reason| format!(" ({})", plain::line(reason, ERROR)));
        self.about(&before, handed.to, handed.name, &after.unwrap_or_default());
    }

    pub(super) fn switched(&mut self, to: AgentId, name: &str, by: Trigger) {
        match by {
            Trigger::Fallback => self.about("→ ", to, name, " answers now: the agent before is gone"),
            Trigger::Rollback => self.about("→ back to ", to, name, ": the other could not answer"),
            Trigger::User | Trigger::Model | Trigger::Router | Trigger::Completion => {
                self.about("→ switched to ", to, name, "");
            }
        }
    }

    /// A line about an agent, whose name has its colour.
    fn about(&mut self, before: &str, agent: AgentId, name: &str, after: &str) {
        let name = self.paint.apply(Style::Agent(agent), &plain::line(name, SHORT));
        let after = if after.is_empty() { String::new() } else { self.paint.apply(Style::Dim, after) };
        let text = format!("{}{name}{after}", self.paint.apply(Style::Dim, before));
        self.line(Style::Plain, &text);
    }
}
