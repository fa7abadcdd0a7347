//! The command line of the benchmark.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};

pub const USAGE: &str = "\
usage: baton-bench --server BINARY [options]
       baton-bench fake-model [ADDRESS]

  --server BINARY   the Baton to measure
  --only PARTS      some of: start,first-token,cpu,growth,handoff,crowd,stop,deletion,requests,import,tools
  --rows N          of the file that is imported [default: 200000]
  --crowds SIZES    how many streams at once [default: 100,1000,4000]
  --effort PERCENT  fewer or more repetitions [default: 100]
  --seconds N       how long each kind of request is repeated, and turns beside a deletion [default: 3]
  --postgres URL    measure on Postgres: databases are made at this server with `psql`, and dropped again
  --json FILE       write the figures there too, a line of JSON each
";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Start,
    FirstToken,
    Cpu,
    Growth,
    Handoff,
    Crowd,
    Stop,
    Deletion,
    Requests,
    Import,
    Tools,
}

impl Part {
    const ALL: [Self; 11] = [
        Self::Start,
        Self::FirstToken,
        Self::Cpu,
        Self::Growth,
        Self::Handoff,
        Self::Crowd,
        Self::Stop,
        Self::Deletion,
        Self::Requests,
        Self::Import,
        Self::Tools,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::FirstToken => "first-token",
            Self::Cpu => "cpu",
            Self::Growth => "growth",
            Self::Handoff => "handoff",
            Self::Crowd => "crowd",
            Self::Stop => "stop",
            Self::Deletion => "deletion",
            Self::Requests => "requests",
            Self::Import => "import",
            Self::Tools => "tools",
        }
    }
}

#[derive(Debug, PartialEq)]
pub struct Options {
    pub server: PathBuf,
    pub parts: Vec<Part>,
    pub crowds: Vec<usize>,
    pub effort: usize,
    pub load_time: Duration,
    pub json: Option<PathBuf>,
    pub postgres: Option<String>,
    pub rows: usize,
}

impl Options {
    /// So many repetitions, by the effort asked for.
    pub fn rounds(&self, usual: usize) -> usize {
        (usual * self.effort / 100).max(1)
    }
}

#[derive(Debug, PartialEq)]
pub enum Asked {
    Help,
    FakeModel(SocketAddr),
    Load(Options),
}

impl Asked {
    pub fn from_args(args: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut args = args.peekable();
        if args.next_if(|arg| arg == "fake-model").is_some() {
            let at = args.next().map_or(Ok(SocketAddr::from(([127, 0, 0, 1], 0))), |at| at.parse())?;
            return Ok(Self::FakeModel(at));
        }
        let mut server = None;
        let mut options = Options {
            server: PathBuf::new(),
            parts: Part::ALL.to_vec(),
            crowds: vec![100, 1_000, 4_000],
            effort: 100,
            load_time: Duration::from_secs(3),
            json: None,
            postgres: None,
            rows: 200_000,
        };
        while let Some(arg) = args.next() {
            if matches!(arg.as_str(), "-h" | "--help") {
                return Ok(Self::Help);
            }
            let value = args.next().with_context(|| format!("{arg} needs a value\n\n{USAGE}"))?;
            let list = || value.split(',').map(str::trim);
            match arg.as_str() {
                "--server" => server = Some(PathBuf::from(&value)),
                "--only" => options.parts = list().map(named).collect::<anyhow::Result<_>>()?,
                "--crowds" => options.crowds = list().map(str::parse).collect::<Result<_, _>>()?,
                "--effort" => options.effort = value.parse()?,
                "--seconds" => options.load_time = Duration::from_secs(value.parse::<u64>()?.max(1)),
                "--postgres" => options.postgres = Some(value),
                "--rows" => options.rows = value.parse::<usize>()?.max(1),
                "--json" => options.json = Some(PathBuf::from(&value)),
                _ => bail!("{arg} is no option\n\n{USAGE}"),
            }
        }
        let server = server.with_context(|| format!("--server is needed\n\n{USAGE}"))?;
        options.server = std::path::absolute(server)?;
        Ok(Self::Load(options))
    }
}

fn named(name: &str) -> anyhow::Result<Part> {
    let part = Part::ALL.into_iter().find(|part| part.name() == name);
    part.with_context(|| format!("{name} is no part\n\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(args: &str) -> anyhow::Result<Asked> {
        Asked::from_args(args.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_can_be_asked() {
        let Ok(Asked::Load(options)) = asked("--server /x --only cpu,stop --crowds 10 --effort 1") else {
            panic!("it is right")
        };
        assert_eq!(options.parts, [Part::Cpu, Part::Stop]);
        assert_eq!((options.crowds.as_slice(), options.rounds(50)), ([10].as_slice(), 1));
        for wrong in ["", "--only cpu", "--server", "--server /x --only sleep", "--server /x --fast 1"] {
            assert!(asked(wrong).is_err(), "{wrong:?}");
        }
    }
}
