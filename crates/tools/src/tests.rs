//! The tools as a model uses them: calls in, results and writes out.

use std::sync::Arc;

use baton_core::agents::{Agent, AgentDefinition};
use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{
    ACCOUNTS, ACTIVITIES, BUDGETS, COMPANIES, CONTACTS, DEALS, GOALS, PROJECT_TASKS, PROJECTS,
};
use baton_core::effects::EffectRefused;
use baton_core::ids::{AgentId, ProfileId, VisitorId, WorkspaceId};
use baton_core::memories::{MAX_CONTENT, MemoryChange, Scope};
use baton_core::schema;
use baton_core::search_engines::SearchEngineKind;
use baton_core::store::Error;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolPlace, Toolbox};
use baton_core::visitors::Person;
use chrono::DateTime;
use serde_json::{Map, Value, json};

use crate::export::ExportTool;
use crate::finance::fields::{self, LeftOut};
use crate::knowledge::KnowledgeTool;
use crate::memory::MemoryTool;
use crate::projects::asked;
use crate::sales::record;
use crate::search::{self, Engine, EngineKey, Way};
use crate::skills::LoadSkill;
use crate::testing::{Shelf, context};
use crate::{Sources, WorkspaceTools, clock, directory};

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

async fn call(tool: &dyn Tool, context: &ToolContext, with: Value) -> Result<ToolAnswer, ToolFailure> {
    tool.call(context, arguments(with)).await
}

async fn value(tool: &dyn Tool, context: &ToolContext, with: Value) -> Value {
    let answer = call(tool, context, with).await.expect("an answer");
    assert_eq!(answer.notes, None);
    answer.value
}

async fn refused(tool: &dyn Tool, context: &ToolContext, with: Value) -> String {
    call(tool, context, with).await.expect_err("a refusal").0
}

#[tokio::test]
async fn looking_into_memory() {
    let (context, ana) = context();
    let ben = ProfileId::new();
    let long = "train ".repeat(500);
    let shelf = Shelf::default()
        .note(Scope::Own, "secret", "Ben's train", ben)
        .note(Scope::Agent, "house/style", "Be brief", ana)
        .note(Scope::Own, "trips", "Lisbon by TRAIN", ana)
        .note(Scope::Own, "long", &long, ana);
    let shelf = shelf.shared();
    let tool = MemoryTool::new(shelf.clone(), shelf);

    let found = value(&tool, &context, json!({"action": "search", "query": "Which train to Lisbon?"})).await;
    let found = found["memories"].as_array().expect("memories");
    assert_eq!((&found[0]["path"], &found[0]["scope"]), (&json!("trips"), &json!("person")));
    assert_eq!(found.len(), 2, "another person's note is not there: {found:?}");
    let cut = found[1]["content"].as_str().expect("text");
    assert!(found[1]["isCut"] == true && cut.chars().count() == 1_001);
    let agents = json!({"action": "search", "query": "train brief", "scope": "agent"});
    assert_eq!(value(&tool, &context, agents).await["memories"][0]["path"], "house/style");

    let listed = value(&tool, &context, json!({"action": "list", "scope": "person"})).await;
    assert_eq!(listed["total"], 2);
    assert_eq!(value(&tool, &context, json!({"scope": "person"})).await, listed, "what is left out lists");
    let latest = value(&tool, &context, json!({"limit": 1})).await;
    assert_eq!(
        (&latest["total"], &latest["more"]),
        (&json!(3), &json!("2 more: search for words, or raise limit."))
    );
    let first = value(&tool, &context, json!({"query": "train to Lisbon", "limit": 1})).await;
    assert_eq!((&first["memories"][0]["path"], &first["memories"][1]), (&json!("trips"), &Value::Null));
    assert!(first["more"].as_str().is_some_and(|more| more.starts_with("There may be more")));
    let whole = value(&tool, &context, json!({"path": "long"})).await;
    assert_eq!(whole["content"], json!(long));
    assert!(!whole.to_string().contains("people/"), "the folder is not the model's to see");
    let style = json!({"action": "read", "path": "house/style", "scope": "agent"});
    assert_eq!(value(&tool, &context, style).await["content"], "Be brief");

    for (with, says) in [
        (json!({"action": "read", "path": "secret"}), "There is no note"),
        (json!({"action": "read", "path": format!("people/{ben}/secret"), "scope": "agent"}), "people/"),
        (json!({"action": "read", "path": format!("../{ben}/secret")}), "path"),
        (json!({"action": "read"}), "path is required"),
        (json!({"action": "search"}), "query is required"),
        (json!({"action": "search", "query": "?!"}), "words"),
        (json!({"action": "search", "query": "x", "scope": "world"}), "scope must be"),
        (json!({"action": "Search", "query": "x"}), "There is no action"),
        (json!({"content": "Likes trains"}), "action must be save"),
        (json!({"limit": 0}), "limit must be"),
    ] {
        let said = refused(&tool, &context, with.clone()).await;
        assert!(said.contains(says), "{with} → {said}");
    }
}

#[tokio::test]
async fn what_is_remembered_is_one_write_of_the_store() {
    let (context, ana) = context();
    let shelf = Shelf::default().shared();
    let tool = MemoryTool::new(shelf.clone(), shelf.clone());
    let save = |path: Option<&str>, content: &str| MemoryChange::Save {
        path: path.map(str::to_owned),
        content: content.to_owned(),
    };
    for (with, scope, change) in [
        (
            json!({"action": "save", "path": "/diet", "content": "No fish"}),
            Scope::Own,
            save(Some("diet"), "No fish"),
        ),
        (
            json!({"action": "save", "path": "diet", "content": "Cook fresh", "scope": "agent"}),
            Scope::Agent,
            save(Some("diet"), "Cook fresh"),
        ),
        (
            json!({"action": "save", "path": "", "content": "日本語", "scope": null}),
            Scope::Own,
            save(None, "日本語"),
        ),
        (
            json!({"action": "delete", "path": "diet"}),
            Scope::Own,
            MemoryChange::Delete { path: "diet".into() },
        ),
    ] {
        let answer = call(&tool, &context, with.clone()).await.expect("an answer");
        let (hash, write) = shelf.written.lock().expect("what was written").pop().expect("a write");
        assert_eq!(answer.value, write.outcome("here", false), "{with}: what the store says");
        assert_eq!((write.scope, write.change, write.person, hash.as_str()), (scope, change, ana, "hash"));
        assert_eq!(
            (write.agent_id, write.workspace_id),
            (context.calling_agent().expect("an agent").agent_id, context.workspace_id)
        );
    }
    for (with, says) in [
        (json!({"action": "save", "path": "x"}), "content is required"),
        (json!({"action": "save", "path": "x", "content": 5}), "content must be text"),
        (json!({"action": "save", "path": "a//b", "content": "x"}), "path must be"),
        (json!({"action": "save", "path": "people/a/b", "content": "x", "scope": "agent"}), "people/"),
        (json!({"action": "save", "content": "x".repeat(MAX_CONTENT + 1)}), "content must be at most"),
    ] {
        let said = refused(&tool, &context, with.clone()).await;
        assert!(said.contains(says), "{says} ← {said}");
    }

    let member = ToolContext { may_change_agent: false, ..context.clone() };
    for action in ["save", "delete"] {
        let shared = json!({"action": action, "path": "team/rule", "content": "x", "scope": "agent"});
        assert!(refused(&tool, &member, shared).await.contains("may not change"), "{action}");
    }
    assert!(shelf.written.lock().expect("what was written").is_empty(), "nothing of it was asked for");
    let own = json!({"action": "save", "path": "new", "content": "x"});
    assert!(call(&tool, &member, own).await.is_ok(), "their own they may");

    let visitor = ToolContext { person: Person::Visitor(VisitorId::new()), ..context };
    assert!(refused(&tool, &visitor, json!({"action": "list"})).await.contains("not signed in"));
}

/// A write is done once, so it can be asked for again until somebody answers.
#[tokio::test(start_paused = true)]
async fn a_write_that_meets_an_outage_waits_and_one_that_is_refused_says_why() {
    let (context, _) = context();
    let save = json!({"action": "save", "path": "new", "content": "x"});
    let away = || EffectRefused::Store(Error::Unavailable);
    for (met, says) in [
        (vec![], None),
        (vec![away(), away()], None),
        (vec![EffectRefused::Fenced, away()], Some("goes on elsewhere")),
        (vec![EffectRefused::OtherArguments], Some("with other arguments")),
        (vec![EffectRefused::NotNow("Delete some first.".into())], Some("Delete some first.")),
        (vec![EffectRefused::Store(Error::Database("secret".into()))], Some("a problem on the server")),
    ] {
        let shelf = Shelf { refusals: met.into(), ..Shelf::default() }.shared();
        let tool = MemoryTool::new(shelf.clone(), shelf.clone());
        match (call(&tool, &context, save.clone()).await, says) {
            (Ok(_), None) => assert_eq!(shelf.written.lock().expect("what was written").len(), 1),
            (Err(failure), Some(says)) => assert!(failure.0.contains(says), "{says} ← {failure}"),
            (other, says) => panic!("{other:?} is not {says:?}"),
        }
        assert!(shelf.refusals.lock().expect("refusals").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_asked_for_in_an_outage_is_made_when_it_is_over() {
    let (context, _) = context();
    let context = ToolContext { areas: Areas::WRITE, ..context };
    let away = || EffectRefused::Store(Error::Unavailable);
    let shelf = Shelf { refusals: vec![away(), away()].into(), ..Shelf::default() }.shared();
    let tool = ExportTool::new(shelf.clone(), shelf.clone());
    // What this exporter says once it is there.
    assert!(refused(&tool, &context, json!({})).await.contains("more rows than fit"));
    assert!(shelf.refusals.lock().expect("refusals").is_empty());
}

#[test]
fn only_looking_needs_no_one() {
    let shelf = Shelf::default().shared();
    let tool = MemoryTool::new(shelf.clone(), shelf);
    for (action, nature) in [
        (json!("search"), Nature::READS),
        (json!("list"), Nature::READS),
        (json!("read"), Nature::READS),
        (json!("save"), Nature::WRITES),
        (json!("delete"), Nature::WRITES),
        (json!("SAVE"), Nature::WRITES),
        (json!(5), Nature::WRITES),
        (Value::Null, Nature::READS),
    ] {
        assert_eq!(tool.nature(&arguments(json!({"action": action}))), nature, "{action}");
    }
}

#[tokio::test]
async fn who_is_asked_reads_what_would_be_remembered_or_forgotten() {
    let (context, ana) = context();
    let shelf = Shelf::default().note(Scope::Own, "seat", "Window", ana).shared();
    let tool = MemoryTool::new(shelf.clone(), shelf);
    let preview = async |with: Value| tool.preview(&context, &arguments(with)).await;
    let told = async |with: Value| {
        let preview = preview(with).await.expect("a preview");
        let change = preview.changes[0].clone();
        (preview.sentence, change.what, change.old, change.new)
    };
    let text = |text: &str| Some(text.to_owned());
    let new = told(json!({"action": "save", "content": "Aisle", "scope": "agent"})).await;
    let sentence = "Remember this, for everyone whom it works for.".to_owned();
    assert_eq!(new, (sentence, "New note".to_owned(), None, text("Aisle")));
    let over = told(json!({"action": "save", "path": "seat", "content": "Aisle"})).await;
    let sentence = "Remember this in place of an earlier note, only when it works for you.".to_owned();
    assert_eq!(over, (sentence, "seat".to_owned(), text("Window"), text("Aisle")));
    let gone = told(json!({"action": "delete", "path": "seat"})).await;
    assert_eq!((gone.2, gone.3), (text("Window"), None));
    for nothing in
        [json!({"action": "delete", "path": "none"}), json!({"query": "seat"}), json!({"action": "save"})]
    {
        assert_eq!(preview(nothing.clone()).await, None, "{nothing}");
    }
}

#[tokio::test]
async fn a_skill_is_loaded_by_name() {
    let (context, _) = context();
    let tool = LoadSkill::new(Shelf::default().skill("pdf", "Reads.").skill("report", "Writes.").shared());
    assert!(tool.loads_skill());
    let loaded = value(&tool, &context, json!({"name": " pdf "})).await;
    assert_eq!(loaded, json!({"name": "pdf", "content": "# pdf"}));
    let unknown = refused(&tool, &context, json!({"name": "docx"})).await;
    assert_eq!(unknown, "There is no skill \"docx\". There are: pdf, report.");
    assert_eq!(refused(&tool, &context, json!({})).await, "name is required.");
    let none = LoadSkill::new(Shelf::default().shared());
    assert!(refused(&none, &context, json!({"name": "pdf"})).await.contains("none now"));
}

fn agent(tools: &[&str]) -> Agent {
    let mut definition = AgentDefinition::new("Coach", "You coach.").expect("an agent");
    definition.tools = tools.iter().map(|id| (*id).to_owned()).collect();
    Agent {
        id: AgentId::new(),
        workspace_id: WorkspaceId::new(),
        ai_agent_id: None,
        slug: "coach".into(),
        definition,
        is_active: true,
        public_tools: vec![],
        hired_version: None,
        created_by: None,
        hired_at: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}

const ALONE: ToolPlace = ToolPlace { in_team: false, is_public: false };

async fn offered(shelf: &Arc<Shelf>, tools: &[&str]) -> (Vec<String>, Option<String>) {
    let toolbox = WorkspaceTools::new(Sources::of(shelf, shelf.clone(), shelf.clone()));
    let offer = toolbox.offered(&agent(tools), ALONE).await.expect("an offer");
    (offer.tools.iter().map(|tool| tool.spec().name).collect(), offer.skills)
}

#[tokio::test]
async fn an_agent_is_offered_what_it_lists_and_what_there_is() {
    let bare = Shelf::default().shared();
    assert_eq!(offered(&bare, &[]).await, (vec!["getCurrentTime".into()], None));
    let listed = ["memory", "leads", "budgets", "manageMemory", "handoff_to_sdr"];
    assert_eq!(
        offered(&bare, &listed).await.0,
        ["getCurrentTime", "manageBudgets", "manageCRM", "manageMemory"]
    );
    // Web search is there where there is an engine, and is told as missing where there is none.
    assert_eq!(offered(&bare, &["webSearch"]).await.0, ["getCurrentTime"]);
    let missing = WorkspaceTools::new(Sources::of(&bare, bare.clone(), bare.clone()));
    let missing =
        missing.offered(&agent(&["webSearch", "searchWeb", "leads"]), ALONE).await.expect("an offer");
    assert_eq!(missing.missing, ["Web Search"]);
    let searching = Arc::new(Shelf { engine: Some(engine()), ..Shelf::default() });
    let listed = ["webSearch", "memory", "searchWeb"];
    assert_eq!(offered(&searching, &listed).await.0, ["getCurrentTime", "manageMemory", "searchWeb"]);
    let skilled = Shelf::default().skill("pdf", "Reads\n  PDF files.").skill("report", "Writes.").shared();
    let (tools, skills) = offered(&skilled, &["memory"]).await;
    assert_eq!(tools, ["getCurrentTime", "manageMemory", "load_skill"]);
    let skills = skills.expect("a block");
    assert!(skills.starts_with("# Skills\n"));
    assert!(skills.ends_with("\n\n- pdf: Reads PDF files.\n- report: Writes.\n"), "{skills}");
}

#[tokio::test]
async fn at_the_public_address_there_is_what_is_named_and_may_be_public() {
    let place = ToolPlace { is_public: true, ..ALONE };
    let offered = async |shelf: Shelf, named: &[&str]| {
        let shelf = shelf.shared();
        let toolbox = WorkspaceTools::new(Sources::of(&shelf, shelf.clone(), shelf.clone()));
        let public_tools = named.iter().map(ToString::to_string).collect();
        let agent = Agent { public_tools, ..agent(&["memory", "webSearch"]) };
        let offer = toolbox.offered(&agent, place).await.expect("an offer");
        offer.tools.iter().map(|tool| tool.spec().name).collect::<Vec<_>>()
    };
    let searching = || Shelf { engine: Some(engine()), ..Shelf::default() };
    assert_eq!(offered(searching(), &[]).await, Vec::<String>::new());
    assert_eq!(offered(searching(), &["searchWeb", "manageMemory"]).await, ["searchWeb"]);
    assert_eq!(offered(searching(), &["getCurrentTime", "webSearch"]).await, ["getCurrentTime", "searchWeb"]);
    assert_eq!(offered(Shelf::default(), &["searchWeb"]).await, Vec::<String>::new());
}

fn engine() -> Engine {
    let base_url = "http://127.0.0.1:1/".parse().expect("a URL");
    Engine { kind: SearchEngineKind::Searxng, base_url, key: EngineKey::None, way: Way::Open }
}

#[tokio::test]
async fn at_the_public_address_pages_are_only_read() {
    let shelf = Shelf::default().shared();
    let toolbox = WorkspaceTools::new(Sources::of(&shelf, shelf.clone(), shelf.clone()));
    let public = ToolPlace { in_team: false, is_public: true };
    let mut agent = agent(&["knowledge", "memory"]);
    assert!(toolbox.offered(&agent, public).await.expect("an offer").tools.is_empty(), "it names none");
    agent.public_tools = vec!["knowledge".into()];
    let offered = toolbox.offered(&agent, public).await.expect("an offer").tools;
    let [tool] = &offered[..] else { panic!("one tool") };
    let spec = tool.spec();
    assert_eq!(spec.parameters["properties"]["action"]["enum"], json!(["search", "list", "read", "links"]));
    for name in ["body", "title", "parent", "isPublic", "version"] {
        assert!(spec.parameters["properties"].get(name).is_none(), "{name}");
    }
    assert!(tool.check(&arguments(json!({"action": "create", "title": "x"}))).is_err());
    let (context, _) = context();
    let refused =
        refused(tool.as_ref(), &context, json!({"action": "delete", "page": "x", "version": 1})).await;
    assert!(refused.contains("it must be one of search, list, read, links"), "{refused}");
}

#[tokio::test]
async fn who_may_not_see_pages_is_told_so() {
    let shelf = Shelf::default().shared();
    let tool = KnowledgeTool::new(shelf);
    let (mut context, _) = context();
    context.areas = Areas::WRITE.with(Area::Knowledge, AreaAccess::Read);
    let create = json!({"action": "create", "title": "x"});
    assert!(refused(&tool, &context, create).await.contains("may not change data of the area knowledge"));
    assert_eq!(value(&tool, &context, json!({"limit": 10})).await["total"], 0);
    assert!(refused(&tool, &context, json!({"page": "x"})).await.contains("There is no page at the path"));
    context.areas = Areas::NONE;
    assert!(refused(&tool, &context, json!({"search": "x"})).await.contains("may not see data of the area"));
}

/// What an agent has that lists all tools of the directory.
async fn everything() -> Vec<Arc<dyn Tool>> {
    let shelf = Shelf { engine: Some(engine()), ..Shelf::default() }.skill("pdf", "Reads.").shared();
    let toolbox = WorkspaceTools::new(Sources::of(&shelf, shelf.clone(), shelf.clone()))
        .exporting(shelf.clone(), shelf.clone());
    let all: Vec<&str> = directory::ids().collect();
    toolbox.offered(&agent(&all), ALONE).await.expect("an offer").tools
}

/// The example that holds for each of them: without an action it reads, at most so much.
#[tokio::test]
async fn every_tool_reads_when_no_action_is_named() {
    let mut tried = 0;
    for tool in everything().await {
        let spec = tool.spec();
        if directory::lookup(&spec.name).is_none() {
            continue;
        }
        let mut example = json!({"limit": 10});
        if spec.name == search::NAME {
            example["query"] = "opening hours".into();
        }
        assert!(spec.parameters["properties"]["action"].is_object(), "{}", spec.name);
        assert_eq!(schema::check(&spec.parameters, &example), Ok(()), "{}", spec.name);
        let example = arguments(example);
        assert_eq!(tool.check(&example), Ok(()), "{}", spec.name);
        assert!(!tool.nature(&example).writes, "{}", spec.name);
        tried += 1;
    }
    assert_eq!(tried, directory::all().len());
}

#[tokio::test]
async fn every_vendor_takes_the_specs() {
    let tools = everything().await;
    assert!(tools.iter().any(|tool| tool.spec().name == clock::NAME));
    for tool in tools {
        let spec = tool.spec();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(spec.name.len() <= 64 && spec.name.chars().all(plain), "{}", spec.name);
        assert!(
            spec.description.chars().count() <= 1_024 && !tool.display_name().is_empty(),
            "{}",
            spec.name
        );
        assert_eq!(spec.parameters["type"], "object");
    }
}

/// A field that is added to a kind is a parameter of the tools over it, unless someone says why not.
#[tokio::test]
async fn every_field_that_can_be_set_is_a_parameter() {
    let tools = everything().await;
    let of = |name: &str| {
        let tool = tools.iter().find(|tool| tool.spec().name == name).unwrap_or_else(|| panic!("{name}"));
        tool.spec().parameters["properties"].clone()
    };
    let mut looked_at = 0;
    let described: [(&str, &'static Kind, LeftOut); 12] = [
        ("manageAccounts", &ACCOUNTS, &[]),
        ("manageBudgets", &BUDGETS, &[]),
        ("manageGoals", &GOALS, &[]),
        ("manageCRM", &CONTACTS, record::left_out(&CONTACTS)),
        ("manageCRM", &DEALS, record::left_out(&DEALS)),
        ("manageCRM", &ACTIVITIES, record::left_out(&ACTIVITIES)),
        ("manageSales", &CONTACTS, record::left_out(&CONTACTS)),
        ("manageSales", &COMPANIES, record::left_out(&COMPANIES)),
        ("manageSales", &DEALS, record::left_out(&DEALS)),
        ("manageSales", &ACTIVITIES, record::left_out(&ACTIVITIES)),
        ("manageProjects", &PROJECTS, asked::NOT_OF_PROJECTS),
        ("manageProjects", &PROJECT_TASKS, asked::NOT_OF_TASKS),
    ];
    for (tool, kind, left_out) in described {
        let parameters = of(tool);
        for (name, reason) in left_out {
            assert!(
                kind.settable().any(|field| field == *name),
                "{tool} leaves out {name}, which nobody sets"
            );
            assert!(!reason.is_empty(), "{name}");
        }
        for name in kind.settable().filter(|name| left_out.iter().all(|(left_out, _)| left_out != name)) {
            let parameter = fields::parameter(kind.field(name).expect("a field"));
            assert!(parameters[&parameter].is_object(), "{tool} has no {parameter}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 60, "{looked_at}");
}

/// What a model may choose is what the tool reads.
#[tokio::test]
async fn each_action_that_a_schema_offers_is_read() {
    for tool in everything().await {
        let spec = tool.spec();
        let Some(choices) = spec.parameters["properties"]["action"]["enum"].as_array().cloned() else {
            continue;
        };
        let words = |action: &Value| {
            let read = tool.check(&arguments(json!({"action": action})));
            read.err().map(|failure| failure.0).unwrap_or_default()
        };
        let is_unknown = |words: &str| words.contains("There is no action");
        for choice in &choices {
            assert!(!is_unknown(&words(choice)), "{}: {choice}", spec.name);
        }
        let other = json!({"action": "sing"});
        assert!(schema::check(&spec.parameters, &other).is_err(), "{}", spec.name);
        if choices.len() > 1 {
            assert!(is_unknown(&words(&other["action"])), "{}", spec.name);
        }
    }
}
