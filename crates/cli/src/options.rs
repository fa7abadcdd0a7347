//! The command line of `baton chat`.

use std::path::PathBuf;

use clap::Args;
use uuid::Uuid;

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Options {
    /// What to say; what is piped in follows it. Without it: a conversation line by line, or what is piped in
    pub message: Option<String>,

    /// The agent to begin with, by name, slug or id [default: the workspace's default agent]
    #[arg(long, value_name = "AGENT", conflicts_with = "conversation")]
    pub agent: Option<String>,

    /// The team to begin with, by name, slug or id
    #[arg(long, value_name = "TEAM", conflicts_with_all = ["conversation", "agent"])]
    pub team: Option<String>,

    /// Go on with this conversation; without it, a new one begins
    #[arg(long, value_name = "ID", value_parser = conversation_id)]
    pub conversation: Option<Uuid>,

    /// Try the last turn of the conversation again, after an error or a stop
    #[arg(long, requires = "conversation", conflicts_with = "message")]
    pub retry: bool,

    /// The workspace of a new conversation, by slug, name or id [default: your first]
    #[arg(long, env = "BATON_WORKSPACE", value_name = "WORKSPACE")]
    pub workspace: Option<String>,

    /// Allow every tool call that asks for approval
    #[arg(long, short)]
    pub yes: bool,

    /// Leave out what the agent thinks before it speaks
    #[arg(long)]
    pub no_reasoning: bool,

    /// The server to talk to, with BATON_TOKEN [default: http://127.0.0.1:8787]
    #[arg(long, env = "BATON_URL", value_name = "URL")]
    pub url: Option<String>,

    /// The data folder of a server on this machine [default: ./data]
    #[arg(long, env = "BATON_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,

    /// The settings file that may name the data folder [default: baton.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// On the server's own machine: whom to talk as [default: the demo's owner, or the only admin]
    #[arg(long = "as", value_name = "EMAIL")]
    pub as_email: Option<String>,
}

fn conversation_id(text: &str) -> Result<Uuid, &'static str> {
    let wrong = "a conversation is named by its id, such as 01890a5d-ac96-774b-bcce-b302099a8057; \
                 baton chat prints it at the end";
    Uuid::parse_str(text.trim()).map_err(|_| wrong)
}

const AFTER_HELP: &str = "\
Who you are:
  With BATON_TOKEN (an API token) in the environment, whoever made the token.
  Without it, baton asks the server that runs on the data folder, on this machine.

In a conversation:
  /agents lists who is hired here, and marks who answers.
  /switch NAME gives the conversation to another agent; /switch auto leaves it to the team's router.
  /retry tries the last turn again.

What is piped in:
  It is read to its end, also where a message is given. Started by something that leaves standard
  input open and silent, give it </dev/null.

Exit codes:
  0 the turn completed, 1 it failed, 3 it waits for an approval, 130 it was stopped.

Examples:
  baton chat \"Remember that my budget review is on Fridays\"
  baton chat --agent budget-coach
  baton chat --team \"Fleet Office\" \"I want to lease a van\"
  git diff | baton chat --agent \"Report Generator\" \"Sum this up\" > summary.txt
  BATON_TOKEN=bat_… baton chat --url https://baton.example.org \"Good morning\"";
