//! The terminal: what is printed, what is typed, and Ctrl-C.

use std::io::{self, BufRead, IsTerminal, Write};

use baton_core::events::Event;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::paint::{Paint, Style};
use crate::render::{Ink, Layout, Reasoning, Renderer, To};

pub struct Terminal {
    renderer: Renderer,
    layout: Layout,
    typed: Option<UnboundedReceiver<Typed>>,
    interrupts: UnboundedReceiver<()>,
}

/// What came in answer to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    Line(String),
    /// Ctrl-D.
    End,
    /// Ctrl-C.
    Interrupt,
}

impl Terminal {
    /// From now on Ctrl-C is ours to act on.
    pub fn open(reasoning: Reasoning) -> Self {
        let layout = if io::stdout().is_terminal() { Layout::Together } else { Layout::Apart };
        let paint = Paint::for_terminal(beside_is_terminal(layout));
        let renderer = Renderer::new(layout, paint, reasoning);
        Self { renderer, layout, typed: None, interrupts: interrupts() }
    }

    /// Whether there is someone to ask.
    pub fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && beside_is_terminal(self.layout)
    }

    pub fn show(&mut self, event: &Event) -> io::Result<()> {
        let ink = self.renderer.event(event);
        self.print(&ink)
    }

    pub fn note(&mut self, style: Style, text: &str) -> io::Result<()> {
        let ink = self.renderer.note(style, text);
        self.print(&ink)
    }

    pub fn display_name(&self, call_id: &str) -> Option<&str> {
        self.renderer.display_name(call_id)
    }

    /// Asks, and waits for a line.
    pub async fn ask(&mut self, style: Style, prompt: &str) -> io::Result<Typed> {
        let ink = self.renderer.prompt(style, prompt);
        self.print(&ink)?;
        let typed = self.typed.get_or_insert_with(lines);
        let typed = tokio::select! {
            typed = typed.recv() => typed.unwrap_or(Typed::End),
            _ = self.interrupts.recv() => Typed::Interrupt,
        };
        if !matches!(typed, Typed::Line(_)) {
            self.print(&[Ink { to: To::Aside, text: "\n".to_owned() }])?;
        }
        Ok(typed)
    }

    /// Forgets a Ctrl-C that came too late: it must not stop something else.
    pub fn forget_interrupts(&mut self) {
        while self.interrupts.try_recv().is_ok() {}
    }

    /// What was typed before the question was asked is no answer to it.
    pub fn forget_typed(&mut self) {
        if let Some(typed) = &mut self.typed {
            while typed.try_recv().is_ok() {}
        }
    }

    /// Waits for Ctrl-C. Safe to drop.
    pub async fn interrupted(&mut self) {
        if self.interrupts.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    fn print(&self, ink: &[Ink]) -> io::Result<()> {
        for Ink { to, text } in ink {
            match (self.layout, to) {
                (Layout::Apart, To::Aside) => io::stderr().write_all(text.as_bytes())?,
                _ => io::stdout().write_all(text.as_bytes())?,
            }
        }
        io::stdout().flush()
    }
}

fn beside_is_terminal(layout: Layout) -> bool {
    match layout {
        Layout::Together => io::stdout().is_terminal(),
        Layout::Apart => io::stderr().is_terminal(),
    }
}

/// The lines of standard input. Nobody waits for the thread that reads them: it ends with the process.
fn lines() -> UnboundedReceiver<Typed> {
    let (sender, lines) = unbounded_channel();
    std::thread::spawn(move || {
        // At a terminal Ctrl-D ends one question, and the next can still be answered.
        let mut ends = 0;
        while ends < 2 {
            let mut line = String::new();
            let typed = match io::stdin().lock().read_line(&mut line) {
                Ok(0) => Typed::End,
                Ok(_) => Typed::Line(line.trim_end_matches(['\n', '\r']).to_owned()),
                Err(_) => return,
            };
            ends = if typed == Typed::End { ends + 1 } else { 0 };
            if sender.send(typed).is_err() {
                return;
            }
        }
    });
    lines
}

fn interrupts() -> UnboundedReceiver<()> {
    let (sender, interrupts) = unbounded_channel();
    tokio::spawn(async move { while tokio::signal::ctrl_c().await.is_ok() && sender.send(()).is_ok() {} });
    interrupts
}
