//! The holder of the conversation: shows who it is, and gives the conversation to another agent.

use baton_core::events::Event;
use baton_core::handoffs::Trigger;
use baton_core::ids::AgentId;
use baton_core::log::MessageStatus;
use baton_core::parts::Part;
use chrono::Utc;

use crate::api::{Agent, Switched};
use crate::command::{AGENTS, SWITCH, is_yes};
use crate::paint::Style;
use crate::terminal::Typed;
use crate::turn::{Talk, With};
use crate::{choice, plain};

/// The agent that another said would take over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggested {
    pub to: AgentId,
    pub name: String,
}

impl Talk<'_> {
    /// Everyone hired here, and who answers.
    pub async fn list_agents(&mut self) -> anyhow::Result<()> {
        for agent in self.client.agents(self.workspace).await? {
            let is_holder = agent.local_id.map(AgentId) == self.holder;
            let mark = if is_holder { " · answers" } else { "" };
            self.terminal
                .note(Style::Plain, &plain::line(&format!("{} ({}){mark}", agent.name, agent.slug), 300))?;
        }
        Ok(())
    }

    pub async fn switch(&mut self, named: Option<&str>) -> anyhow::Result<()> {
        let Some(named) = named else {
            let usage =
                format!("{SWITCH} NAME, or {SWITCH} auto in a team with a router; {AGENTS} lists them");
            return Ok(self.terminal.note(Style::Dim, &usage)?);
        };
        let agents = self.client.agents(self.workspace).await?;
        let agent = match named.eq_ignore_ascii_case("auto") {
            true => None,
            false => Some(choice::agent(&agents, Some(named), None)?),
        };
        match (self.conversation, agent) {
            (Some(_), None) => self.switch_to("auto").await,
            (Some(_), Some(agent)) => self.switch_to(&agent.local_id.unwrap_or(agent.id).to_string()).await,
            (None, Some(agent)) => self.begin_with(agent),
            (None, None) => anyhow::bail!("nothing was said yet: the team's router has the choice anyway"),
        }
    }

    /// Before the first message there is nothing to switch: the conversation then begins with the other agent.
    fn begin_with(&mut self, agent: &Agent) -> anyhow::Result<()> {
        let Some(id) = agent.local_id else { anyhow::bail!("{} is not hired here", agent.name) };
        self.with = Some(With::Agent(id));
        self.holder = Some(AgentId(id));
        Ok(self.terminal.note(Style::Dim, &plain::line(&format!("{} answers", agent.name), 300))?)
    }

    async fn switch_to(&mut self, to: &str) -> anyhow::Result<()> {
        let Some(id) = self.conversation else { anyhow::bail!("nothing was said yet") };
        let Switched { active, message } = self.client.switch(id, to).await?;
        if to == "auto" {
            let said = format!("the router decides again; {} answers until then", active.agent_name);
            self.terminal.note(Style::Dim, &plain::line(&said, 300))?;
        } else if self.holder == Some(active.agent_id) {
            self.terminal.note(Style::Dim, &plain::line(&format!("{} answers", active.agent_name), 300))?;
        } else {
            self.terminal.show(&Event::Switched {
                from: self.holder.unwrap_or(active.agent_id),
                to: active.agent_id,
                to_name: active.agent_name.clone(),
                by: Trigger::User,
                epoch: active.epoch,
                pinned: false,
            })?;
        }
        self.holder = Some(active.agent_id);
        let Some(greeting) = message else { return Ok(()) };
        let (message_id, agent_id, timestamp) = (greeting.id, active.agent_id, Utc::now());
        self.terminal.show(&Event::MessageStart {
            message_id,
            agent_id,
            agent_name: active.agent_name,
            avatar_url: None,
            attempt: 1,
            parts: vec![Part::Text { text: greeting.content }],
            timestamp,
        })?;
        let status = MessageStatus::Complete;
        Ok(self.terminal.show(&Event::MessageComplete { message_id, agent_id, status, timestamp })?)
    }

    /// An agent said that another takes over, but did not hand off: the person is asked whether to switch.
    pub async fn offer(&mut self) -> anyhow::Result<()> {
        let Some(Suggested { to, name }) = self.suggested.take() else { return Ok(()) };
        let name = plain::line(&name, 100);
        if !self.terminal.can_ask() {
            let how =
                format!("{name} was said to take over, but nothing was handed off: {SWITCH} {name} does it");
            return Ok(self.terminal.note(Style::Notice, &how)?);
        }
        self.terminal.forget_typed();
        let question = format!("{name} was said to take over. Switch? [y/N] › ");
        match self.terminal.ask(Style::Bold, &question).await? {
            Typed::Line(typed) if is_yes(&typed) => self.switch_to(&to.to_string()).await,
            Typed::Line(_) | Typed::End | Typed::Interrupt => Ok(()),
        }
    }

    /// Keeps who has the conversation, as the stream tells.
    pub fn note_holder(&mut self, event: &Event) {
        match event {
            Event::Handoff { to, .. } | Event::Switched { to, .. } => {
                self.holder = Some(*to);
                self.suggested = None;
            }
            Event::MessageStart { agent_id, .. } if self.holder.is_none() => self.holder = Some(*agent_id),
            Event::HandoffSuggested { to, to_name } => {
                self.suggested = Some(Suggested { to: *to, name: to_name.clone() });
            }
            _ => {}
        }
    }
}
