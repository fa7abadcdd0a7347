//! The processes that are measured: started, observed through `/proc`, ended. So this needs Linux.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

use crate::shape::Shape;

const END_TIME: Duration = Duration::from_secs(10);

/// The same for every process of this machine.
pub fn monotonic_micros() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000 + now.tv_nsec as u64 / 1_000
}

/// As many open files as we may have, for this process and those it starts.
pub fn raise_file_limit() -> anyhow::Result<u64> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?;
    Ok(maximum.unwrap_or(u64::MAX))
}

/// A child that is ended when it is dropped.
pub struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
}

/// Bytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    pub resident: u64,
    pub peak: u64,
    /// Pages shared with others counted by their share.
    pub proportional: Option<u64>,
}

impl Process {
    pub fn start(command: &mut Command) -> anyhow::Result<Self> {
        let program = command.get_program().to_owned();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", program.display()))?;
        let out = child.stdout.take().context("no standard output")?;
        Ok(Self { child, out: BufReader::new(out) })
    }

    /// Its next line on standard output.
    pub fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.out.read_line(&mut line)? == 0 {
            bail!("a process ended before it was ready: {}", self.child.wait()?);
        }
        Ok(line.trim().to_owned())
    }

    fn proc(&self, file: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{file}", self.child.id()))
    }

    fn read(&self, file: &str) -> anyhow::Result<String> {
        let path = self.proc(file);
        std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))
    }

    /// Time on the processor so far, in user code and in the kernel.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = self.read("stat")?;
        let after_name = stat.rsplit_once(')').context("no name in stat")?.1;
        let mut fields = after_name.split_whitespace().skip(11);
        let mut ticks = || anyhow::Ok(fields.next().context("no times in stat")?.parse::<u64>()?);
        let ticks = ticks()? + ticks()?;
        Ok(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
    }

    /// Bytes that it caused to be written to disk so far.
    pub fn written(&self) -> anyhow::Result<u64> {
        let io = self.read("io")?;
        let value =
            io.lines().find_map(|line| line.strip_prefix("write_bytes:")).context("no write_bytes")?;
        Ok(value.trim().parse()?)
    }

    pub fn memory(&self) -> anyhow::Result<Memory> {
        let status = self.read("status")?;
        let proportional = self.read("smaps_rollup").ok().and_then(|text| field(&text, "Pss:"));
        Ok(Memory {
            resident: field(&status, "VmRSS:").context("no VmRSS")?,
            peak: field(&status, "VmHWM:").context("no VmHWM")?,
            proportional,
        })
    }

    /// Lets the peak of its memory begin again from now.
    pub fn forget_peak(&self) -> anyhow::Result<()> {
        std::fs::write(self.proc("clear_refs"), "5").context("could not reset the peak of memory")
    }

    /// Asks it to end, and waits until it has. One that does not is killed, which is said but spoils no figure.
    pub fn end(mut self) -> anyhow::Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).context("no process id")?;
        kill_process(pid, Signal::TERM)?;
        let began = Instant::now();
        while began.elapsed() < END_TIME {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        eprintln!("process {pid:?} did not end within {END_TIME:?} of SIGTERM, and was killed");
        Ok(())
    }
}

impl Process {
    /// Where a server with demo data answers, and the token of its sign-in link, as it prints them.
    pub fn sign_in_link(&mut self) -> anyhow::Result<(SocketAddr, String)> {
        loop {
            let line = self.line()?;
            let Some((before, token)) = line.split_once("/sign-in/link#") else { continue };
            let at = before.rsplit_once("http://").context("no address before the link")?.1.parse()?;
            return Ok((at, token.to_owned()));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A field of `/proc` in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The fake model, in a process of its own.
pub struct FakeModel {
    pub process: Process,
    pub at: SocketAddr,
}

impl FakeModel {
    pub fn start() -> anyhow::Result<Self> {
        let this = std::env::current_exe()?;
        let mut process = Process::start(Command::new(this).arg("fake-model"))?;
        let at = process.line()?.parse()?;
        Ok(Self { process, at })
    }
}

/// How to start the server that is measured.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    pub binary: &'a Path,
    /// What its model says.
    pub shape: Shape,
    pub model_at: SocketAddr,
    /// A Postgres server to make databases at.
    pub postgres: Option<&'a str>,
}

impl Setup<'_> {
    /// The command of a server on this port, with nothing taken over from our own environment.
    pub fn command(&self, dir: &Path, port: u16, options: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command
            .arg("serve")
            .args(options)
            .current_dir(dir)
            .env_clear()
            .env("BATON_DATA_DIR", dir.join("data"))
            .env("BATON_LISTEN", format!("127.0.0.1:{port}"))
            // Besides what is wrong, how long the commits of an import took.
            .env("BATON_LOG", "warn,baton_server::imports::run=info")
            .env("BATON_STREAMS_PER_PERSON", "100000")
            .env("BATON_TURNS_PER_PERSON", "0")
            .env("BATON_TURNS_PER_WORKSPACE", "0")
            .env("BATON_TURNS_PER_NODE", "0")
            .env("BATON_DRAIN_SECONDS", "0")
            .env("OPENAI_BASE_URL", format!("http://{}/v1", self.model_at))
            .env("BATON_OPENAI_MODEL", self.shape.model());
        command
    }

    /// A server with demo data in a folder of its own.
    pub fn start(&self) -> anyhow::Result<Server> {
        let dir = tempfile::tempdir()?;
        let log = dir.path().join("log");
        let mut command = self.command(dir.path(), 0, &["--demo"]);
        let database = self.postgres.map(Database::make).transpose()?;
        if let Some(database) = &database {
            command.env("DATABASE_URL", &database.url);
        }
        let mut process = Process::start(command.stderr(File::create(&log)?))?;
        let (at, token) = process.sign_in_link()?;
        Ok(Server { process, at, token, log, database, _dir: dir })
    }
}

pub struct Server {
    pub process: Process,
    pub at: SocketAddr,
    /// Of the sign-in link, which works once.
    pub token: String,
    log: PathBuf,
    /// Dropped after the process.
    database: Option<Database>,
    _dir: TempDir,
}

impl Server {
    pub fn is_on_postgres(&self) -> bool {
        self.database.is_some()
    }

    /// The longest commit of the latest import, as the server logged it.
    pub fn longest_commit(&self) -> anyhow::Result<Duration> {
        let log = std::fs::read_to_string(&self.log)?;
        let last = log.lines().rfind(|line| line.contains(IMPORTED)).context("no import was logged")?;
        let said = last.rsplit_once("longest_commit=").context("no commit was logged")?.1;
        duration(said.split_whitespace().next().unwrap_or_default()).context("an unknown time was logged")
    }
}

/// What the server says of an import that is in.
const IMPORTED: &str = "an import is complete";

/// As Rust writes it: `76.2ms`.
fn duration(text: &str) -> Option<Duration> {
    let at = text.find(|c: char| c.is_alphabetic())?;
    let number: f64 = text[..at].parse().ok()?;
    let seconds = match &text[at..] {
        "s" => number,
        "ms" => number / 1e3,
        "µs" => number / 1e6,
        "ns" => number / 1e9,
        _ => return None,
    };
    Some(Duration::from_secs_f64(seconds))
}

/// A database of one server's own.
struct Database {
    server: String,
    name: String,
    url: String,
}

impl Database {
    fn make(server: &str) -> anyhow::Result<Self> {
        let name = format!("bench_{}_{}", std::process::id(), monotonic_micros());
        let (base, _) = server.rsplit_once('/').context("no database in the Postgres URL")?;
        psql(server, &format!("CREATE DATABASE {name}"))?;
        Ok(Self { server: server.to_owned(), url: format!("{base}/{name}"), name })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Err(error) = psql(&self.server, &format!("DROP DATABASE {} WITH (FORCE)", self.name)) {
            eprintln!("{} is left over: {error:#}", self.name);
        }
    }
}

fn psql(server: &str, sql: &str) -> anyhow::Result<()> {
    let mut command = Command::new("psql");
    let status = command.args([server, "-qc", sql]).status().context("psql is needed for --postgres")?;
    if !status.success() {
        bail!("psql could not do: {sql}");
    }
    Ok(())
}

impl Drop for Server {
    /// What it warned of belongs beside the figures.
    fn drop(&mut self) {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let wrong: Vec<&str> = log.lines().filter(|line| !line.contains(IMPORTED)).collect();
        if let Some(first) = wrong.first() {
            eprintln!("the server logged {} lines, the first: {first}", wrong.len());
        }
    }
}

/// A port that nobody listens on.
pub fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_logged() {
        for time in [Duration::from_micros(76_228), Duration::from_nanos(900), Duration::from_millis(1_500)] {
            assert_eq!(duration(&format!("{time:?}")), Some(time));
        }
        assert_eq!(duration("soon"), None);
    }
}
