//! The message: the text on the command line, and the text that is piped in.
//!
//! Like other programs that read a pipe, this one waits for the pipe's end: the writer may take long to begin, and to
//! send only what has come so far would cut the message. If the pipe is open and silent, the program says that it
//! waits.

use std::io::{self, IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use baton_core::conversations::MAX_CONTENT;

const PATIENCE: Duration = Duration::from_secs(2);
/// A character has at most four bytes.
const MOST: usize = MAX_CONTENT * 4;

pub enum Input {
    Message(String),
    /// Neither said nor piped in.
    Nothing,
    /// Someone sits at a terminal and has said nothing yet.
    Terminal,
}

pub fn message(said: Option<&str>) -> anyhow::Result<Input> {
    if io::stdin().is_terminal() && said.is_none() {
        return Ok(Input::Terminal);
    }
    let piped = if io::stdin().is_terminal() { String::new() } else { piped()? };
    let message = joined(said.unwrap_or_default(), &piped);
    Ok(if message.trim().is_empty() { Input::Nothing } else { Input::Message(message) })
}

fn joined(said: &str, piped: &str) -> String {
    match (said.trim().is_empty(), piped.trim().is_empty()) {
        (false, false) => format!("{}\n\n{piped}", said.trim_end()),
        (false, true) => said.to_owned(),
        (true, _) => piped.to_owned(),
    }
}

fn piped() -> anyhow::Result<String> {
    let (sender, read) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let done = io::stdin().lock().take(MOST as u64 + 1).read_to_end(&mut bytes);
        // Nobody listens any more only when the program ends.
        let _ = sender.send(done.map(|_| bytes));
    });
    let bytes = read.recv_timeout(PATIENCE).or_else(|_| {
        eprintln!("waiting for the end of standard input (with nothing to add, run it with </dev/null)");
        read.recv()
    });
    let bytes = bytes.context("standard input")?.context("standard input can't be read")?;
    if bytes.len() > MOST {
        bail!("what is piped in is too long: a message has at most {MAX_CONTENT} characters");
    }
    String::from_utf8(bytes).context("standard input is no text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_piped_in_follows_what_is_said() {
        for (said, piped, message) in [
            ("Sum this up", "a\nb\n", "Sum this up\n\na\nb\n"),
            ("Hello", " \n", "Hello"),
            ("", "a\nb\n", "a\nb\n"),
            (" ", "", ""),
        ] {
            assert_eq!(joined(said, piped), message, "{said:?} {piped:?}");
        }
    }
}
