//! The command lines of `baton chat` and `baton import`.

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

    #[command(flatten)]
    pub server: Server,
}

/// Which server, and who asks.
#[derive(Args)]
pub struct Server {
    /// The server to talk to, with BATON_TOKEN [default: http://127.0.0.1:8787]
    #[arg(long, env = "BATON_URL", value_name = "URL")]
    pub url: Option<String>,

    /// The data folder of a server on this machine [default: ./data]
    #[arg(long, env = "BATON_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,

    /// The settings file that may name the data folder [default: baton.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// On the server's own machine: who you are [default: the demo's owner, or the only admin]
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
  baton chat \"How much did I spend on groceries last month?\"
  baton chat --agent budget-coach
  baton chat --team \"Fleet Office\" \"I want to lease a van\"
  git diff | baton chat --agent \"Report Generator\" \"Sum this up\" > summary.txt
  BATON_TOKEN=bat_… baton chat --url https://baton.example.org \"Good morning\"";

/// Bring a file into a workspace: CSV of any kind; OFX, QFX, CAMT.053 or QIF of transactions; vCards of contacts; Markdown as pages
#[derive(Args)]
#[command(after_help = AFTER_IMPORT_HELP)]
pub struct ImportOptions {
    /// What the file holds: transactions, accounts, categories, category_rules, budgets, goals, exchange_rates,
    /// companies, contacts, deals, activities, projects, project_tasks or pages
    pub kind: String,

    /// The file; of pages a zip of Markdown, or a folder
    pub file: PathBuf,

    /// The account of rows that don't name one, by name, number or id
    #[arg(long, value_name = "ACCOUNT")]
    pub account: Option<String>,

    /// Only count what would come of it
    #[arg(long)]
    pub dry_run: bool,

    /// What comes first in dates such as 01/02/2025: `day`, `month` or `year`
    #[arg(long, value_name = "FIRST", value_parser = ["day", "month", "year"])]
    pub date_order: Option<String>,

    /// What begins the decimals in amounts such as 1,234: `point` or `comma`
    #[arg(long, value_name = "SIGN", value_parser = ["point", "comma"])]
    pub decimal_sign: Option<String>,

    /// The currency of amounts that don't name one, such as EUR
    #[arg(long, value_name = "CODE")]
    pub currency: Option<String>,

    /// Which column is a field, as field=column; may be given several times
    #[arg(long = "column", value_name = "FIELD=COLUMN")]
    pub columns: Vec<String>,

    /// The workspace, by slug, name or id [default: your first]
    #[arg(long, env = "BATON_WORKSPACE", value_name = "WORKSPACE")]
    pub workspace: Option<String>,

    #[command(flatten)]
    pub server: Server,
}

const AFTER_IMPORT_HELP: &str = "\
What the file can't tell is asked, at a terminal; elsewhere it must be said with the options above.

Exit codes:
  0 it is done (lines that were refused are printed), 1 it failed, 3 it needs answers, 130 it was interrupted; what was
  stored by then stays, and the server goes on with the rest.

Examples:
  baton import transactions statement.ofx
  baton import transactions export.csv --account Checking --dry-run
  baton import categories categories.csv
  baton import pages notes/
  BATON_TOKEN=bat_… baton import transactions may.xml --url https://baton.example.org";
