//! An MCP server that is a child process: it speaks over its standard input and output.
//!
//! It gets a clean environment and a process group of its own, and the whole group ends with it: a launcher such as `npx`
//! starts further processes, which would otherwise go on.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use baton_core::secrets::SecretText;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, ReadBuf};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// What a child inherits: where programs, its person's files and temporary files are, and the language. No more, as the
/// server's own environment holds secrets.
const INHERITED: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];
/// How long a child may take to end by itself once its input is closed, and then once it is asked to.
const ENDS_WITHIN: Duration = Duration::from_secs(2);
/// How much of what a child writes to its standard error is kept.
const KEPT_LINES: usize = 20;
const MAX_LINE: u64 = 1_000;

pub(super) struct Process {
    child: Child,
    group: Group,
    complaints: Arc<Mutex<VecDeque<String>>>,
}

/// The process group of a child. It is killed when this is dropped: nothing of a server outlives its connection.
struct Group(Option<Pid>);

impl Group {
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // It fails only if nobody of the group is there any more.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// Starts a program. What it says is read up to `max_bytes` for each line.
pub(super) fn start(
    program: &str,
    arguments: &[String],
    environment: &[(String, SecretText)],
    max_bytes: usize,
) -> io::Result<(Process, Lines, ChildStdin)> {
    let inherited = INHERITED.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(inherited)
        .envs(environment.iter().map(|(name, value)| (name, value.reveal())))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
    let input = child.stdin.take().ok_or_else(gone)?;
    let output = child.stdout.take().ok_or_else(gone)?;
    let complaints = Arc::<Mutex<VecDeque<String>>>::default();
    tokio::spawn(keep_complaints(child.stderr.take().ok_or_else(gone)?, complaints.clone()));
    let lines = Lines { output, line: 0, max_bytes, too_long: Arc::default() };
    Ok((Process { child, group, complaints }, lines, input))
}

impl Process {
    /// Waits for the process to end by itself, as its input is closed by now; then makes it.
    pub(super) async fn end(mut self) {
        if !self.ended_within(ENDS_WITHIN).await {
            self.group.signal(Signal::TERM);
            self.ended_within(ENDS_WITHIN).await;
        }
        // Dropping the group kills what is left of it.
    }

    async fn ended_within(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, self.child.wait()).await.is_ok()
    }

    /// What it wrote to its standard error last, for the log.
    pub(super) fn complaints(&self) -> String {
        let kept = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

async fn keep_complaints(from: ChildStderr, kept: Arc<Mutex<VecDeque<String>>>) {
    use tokio::io::AsyncReadExt;
    let mut from = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        // A longer line is kept in pieces.
        match (&mut from).take(MAX_LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == KEPT_LINES {
                    kept.pop_front();
                }
                kept.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
        }
    }
}

/// A child's standard output. A line that is too long ends it: whatever waits for that line is told so then, and not
/// when its time is over.
pub(super) struct Lines {
    output: ChildStdout,
    line: usize,
    max_bytes: usize,
    too_long: Arc<AtomicBool>,
}

impl Lines {
    /// Becomes true when a line was too long.
    pub(super) fn too_long(&self) -> Arc<AtomicBool> {
        self.too_long.clone()
    }
}

impl AsyncRead for Lines {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.output).poll_read(context, buffer);
        let new = &buffer.filled()[before..];
        self.line = match new.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => new.len() - end - 1,
            None => self.line + new.len(),
        };
        if self.line > self.max_bytes {
            self.too_long.store(true, Ordering::Release);
            buffer.set_filled(before);
        }
        read
    }
}
