//! Whom each agent reaches and with which tools, as tables.

use baton_core::defined_tools::{PresetConfig, ToolConfig, ToolDefinition};
use baton_core::ids::ToolId;
use baton_core::people::Tier;
use baton_core::teams::TeamDefinition;
use chrono::DateTime;

use super::*;
use crate::tests::ready_agents::{agent, workspace};
use crate::tests::teams;

const PREMIUM: Viewer = Viewer::Profile(Tier::Premium);
const FREE: Viewer = Viewer::Profile(Tier::Free);

/// Ana, Bo (support), Cy (restricted) and Dee. The first three may be a team.
struct House {
    hired: Vec<Agent>,
    team: Option<Team>,
    defined: Vec<DefinedTool>,
    viewer: Viewer,
    is_public: bool,
}

impl House {
    fn of(kind: Option<TeamKind>) -> Self {
        let mut hired = ["Ana", "Bo", "Cy", "Dee"].map(|name| agent(AgentId::new(), name, "any"));
        hired[1].definition.role = Some("support".into());
        hired[2].definition.is_restricted = true;
        let members = [hired[0].id, hired[1].id, hired[2].id];
        let team = kind.map(|kind| teams::team(kind, members));
        Self { hired: hired.into(), team, defined: vec![], viewer: PREMIUM, is_public: false }
    }

    fn seen_by(viewer: Viewer, kind: Option<TeamKind>) -> Self {
        Self { viewer, ..Self::of(kind) }
    }

    /// Ana lists this tool.
    fn listing(mut self, tool: &str) -> Self {
        self.hired[0].definition.tools.push(tool.to_owned());
        self
    }

    /// The workspace has a handoff tool to an agent, whoever lists it.
    fn defines(mut self, name: &str, to: AgentId) -> Self {
        let config = json!({
            "target_agent_id": to,
            "context_variables": [{"name": "lead", "type": "string", "required": true}],
        });
        self.defined
            .push(defined(name, ToolConfig::Handoff(serde_json::from_value(config).expect("a tool"))));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.hired.retain(|agent| agent.definition.name != name);
        self
    }

    fn id(&self, name: &str) -> AgentId {
        self.hired.iter().find(|agent| agent.definition.name == name).expect("hired").id
    }

    fn around<'a>(&'a self, agent: &'a Agent) -> Surroundings<'a> {
        let Self { hired, team, defined, viewer, is_public } = self;
        Surroundings { agent, team: team.as_ref(), hired, defined, viewer: *viewer, is_public: *is_public }
    }

    fn tools_of(&self, name: &str) -> Vec<(ToolSpec, HandoffTool)> {
        let agent = self.hired.iter().find(|agent| agent.definition.name == name).expect("hired");
        self.around(agent).tools()
    }

    fn tool_of(&self, name: &str, tool: &str) -> Option<(ToolSpec, HandoffTool)> {
        self.tools_of(name).into_iter().find(|(spec, _)| spec.name == tool)
    }

    fn names_of(&self, name: &str) -> Vec<String> {
        self.tools_of(name).into_iter().map(|(spec, _)| spec.name).collect()
    }

    /// Whom Ana can switch to, by slug; the model is told of the same.
    fn reached(&self) -> Option<Vec<String>> {
        let (spec, tool) = self.tool_of("Ana", SWITCH_AGENT)?;
        let HandoffTool::Switch(targets) = tool else { panic!("{tool:?}") };
        let slugs: Vec<String> = targets.iter().map(|target| target.slug.clone()).collect();
        assert_eq!(spec.parameters["properties"]["agent"]["enum"], json!(slugs));
        for target in &targets {
            assert!(spec.description.contains(&target.line()), "{}", spec.description);
        }
        Some(slugs)
    }
}

fn defined(name: &str, config: ToolConfig) -> DefinedTool {
    DefinedTool {
        id: ToolId::new(),
        workspace_id: workspace().id,
        definition: ToolDefinition { name: name.into(), description: "For leads.".into(), config },
        created_by: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}

#[test]
fn whom_an_agent_can_switch_to() {
    use TeamKind::{Pipeline, Router, Swarm};
    let listing = |viewer, kind| House::seen_by(viewer, kind).listing(SWITCH_AGENT);
    let table: [(&str, House, &[&str]); 13] = [
        ("a swarm reaches its other members", House::of(Some(Swarm)), &["bo", "cy"]),
        (
            "and whom the person may not use: they are told so",
            House::seen_by(FREE, Some(Swarm)),
            &["bo", "cy"],
        ),
        ("a member that is gone is not named", House::of(Some(Swarm)).without("Cy"), &["bo"]),
        ("who lists the tool reaches the rest too", listing(PREMIUM, Some(Swarm)), &["bo", "cy", "dee"]),
        ("nobody is named twice", listing(FREE, Some(Swarm)), &["bo", "cy", "dee"]),
        ("a visitor is handed to support only", listing(Viewer::Visitor, Some(Swarm)), &["bo", "cy"]),
        ("without a team all that the person may use", listing(PREMIUM, None), &["bo", "cy", "dee"]),
        ("for a free person no restricted one", listing(FREE, None), &["bo", "dee"]),
        ("for a visitor only support", listing(Viewer::Visitor, None), &["bo"]),
        ("who doesn't list it hands to nobody", House::of(None), &[]),
        ("nor does a router's specialist", House::of(Some(Router)), &[]),
        ("nor a stage", House::of(Some(Pipeline)), &[]),
        ("alone there is nobody", listing(PREMIUM, None).without("Bo").without("Cy").without("Dee"), &[]),
    ];
    for (what, house, expected) in table {
        let expected =
            (!expected.is_empty()).then(|| expected.iter().map(|slug| (*slug).to_owned()).collect());
        assert_eq!(house.reached(), expected, "{what}");
    }
}

#[test]
fn a_tool_to_an_agent_hides_it_from_the_switch() {
    let house = House::of(Some(TeamKind::Swarm));
    let (bo, cy) = (house.id("Bo"), house.id("Cy"));
    let house = house.defines("to_bo", bo).defines("to_cy", cy);
    assert_eq!(house.reached().expect("both"), ["bo", "cy"], "Ana lists neither");
    let house = house.listing("to_bo");
    assert_eq!(house.reached().expect("one"), ["cy"]);
    assert_eq!(house.names_of("Ana"), [SWITCH_AGENT, "to_bo"]);
    let house = house.listing("to_cy");
    assert_eq!(house.reached(), None, "its variables can't be avoided");
    assert_eq!(house.names_of("Ana"), ["to_bo", "to_cy"]);
    assert_eq!(house.names_of("Bo"), [SWITCH_AGENT], "Bo lists neither");
}

#[test]
fn at_the_public_address_only_what_is_named_for_it_is_listed() {
    let mut house = House::seen_by(Viewer::Visitor, None).listing(SWITCH_AGENT).listing("to_dee");
    let dee = house.id("Dee");
    house = house.defines("to_dee", dee);
    assert_eq!(house.names_of("Ana"), [SWITCH_AGENT, "to_dee"]);
    house.is_public = true;
    assert!(house.names_of("Ana").is_empty());
    house.hired[0].public_tools = vec!["to_dee".into()];
    assert_eq!(house.names_of("Ana"), ["to_dee"]);
    house.hired[0].public_tools = vec![SWITCH_AGENT.into()];
    assert_eq!(house.reached().expect("support"), ["bo"]);
    house.hired[0].definition.tools.clear();
    assert_eq!(house.reached().expect("support"), ["bo"], "whatever else it has");
}

#[test]
fn what_a_defined_tool_means() {
    let house = House::of(None);
    let (ana, bo) = (house.id("Ana"), house.id("Bo"));
    let preset = PresetConfig { tool: "manageMemory".into(), arguments: Map::new() };
    let mut house = house.defines("to_bo", bo).defines("to_ana", ana).listing("to_bo").listing("to_ana");
    house.defined.push(defined("remember", ToolConfig::Internal(preset)));
    house = house.listing("remember");
    assert_eq!(house.names_of("Ana"), ["to_bo"], "neither to itself nor what hands nothing off");
    let (spec, tool) = house.tool_of("Ana", "to_bo").expect("the tool");
    assert_eq!((spec.description.as_str(), &spec.parameters["required"]), ("For leads.", &json!(["lead"])));
    assert_eq!((tool.trigger(), tool.named(&Map::new())), (Trigger::Model, Some(bo)));
    let HandoffTool::Defined { target: Some(target), .. } = tool else { panic!("{tool:?}") };
    assert_eq!(target.slug, "bo");
    let house = house.without("Bo");
    let (_, tool) = house.tool_of("Ana", "to_bo").expect("it is there, and says that the agent is gone");
    assert!(matches!(tool, HandoffTool::Defined { target: None, .. }), "{tool:?}");
    assert_eq!(tool.named(&Map::new()), Some(bo));
}

#[test]
fn a_specialist_hands_back_to_the_general_member() {
    let house = House::of(Some(TeamKind::Router));
    assert!(house.names_of("Ana").is_empty(), "who is general completes nothing");
    assert!(house.names_of("Dee").is_empty(), "nor does who is no member");
    let (spec, tool) = house.tool_of("Bo", COMPLETE_TASK).expect("a specialist");
    assert!(spec.description.contains("Ana then goes on"), "{}", spec.description);
    assert_eq!(spec.parameters["required"], json!(["summary"]));
    assert_eq!((tool.trigger(), tool.named(&Map::new())), (Trigger::Completion, Some(house.id("Ana"))));
    assert!(house.without("Ana").names_of("Bo").is_empty());
}

#[test]
fn where_a_stage_stands_and_what_follows() {
    let house = House::of(Some(TeamKind::Pipeline));
    let place = |house: &House, name: &str| {
        let (spec, tool) = house.tool_of(name, COMPLETE_STAGE).expect("a stage");
        assert_eq!(spec.parameters["required"], json!(["size"]), "it takes what the stage asks for");
        let (trigger, named) = (tool.trigger(), tool.named(&Map::new()));
        assert_eq!(trigger, Trigger::Completion);
        let HandoffTool::CompleteStage(place) = tool else { panic!("{tool:?}") };
        (place, named, spec.description)
    };
    let (first, named, told) = place(&house, "Ana");
    assert_eq!((first.stage.name.as_str(), first.number, first.of), ("stage 0", 1, 3));
    assert!(
        matches!(&first.next, NextStage::Stage { name, target } if name == "stage 1" && target.slug == "bo")
    );
    assert_eq!(named, Some(house.id("Bo")));
    assert!(told.contains("stage 0") && told.contains("The stage stage 1 then begins"), "{told}");

    let (last, named, told) = place(&house, "Cy");
    assert_eq!((last.number, last.of, last.next, named), (3, 3, NextStage::Nothing, None));
    assert!(told.contains("the last stage"), "{told}");

    let gone = house.without("Bo");
    let (first, named, told) = place(&gone, "Ana");
    assert_eq!((first.next, named), (NextStage::Gone { name: "stage 1".into() }, None));
    assert!(told.contains("The stage stage 1 then begins"), "{told}");
    assert!(gone.names_of("Dee").is_empty());
}

#[test]
fn models_name_agents_by_slug_name_or_id_in_any_case() {
    let mut target = Target::of(&agent(AgentId::new(), "RFP Design", "any"));
    target.slug = "rfp-design".into();
    let id = target.id.to_string();
    let switch = HandoffTool::Switch(vec![target.clone()]);
    let asked = |named: Value| switch.named(json!({"agent": named}).as_object().expect("an object"));
    let loud = id.to_uppercase();
    for named in ["rfp-design", "RFP-DESIGN", "rfp design", "RFP Design", id.as_str(), loud.as_str()] {
        assert_eq!(asked(json!(named)), Some(target.id), "{named}");
    }
    for named in [json!("rfp"), json!(""), json!(7)] {
        assert_eq!(asked(named.clone()), None, "{named}");
    }
    assert_eq!((switch.named(&Map::new()), switch.trigger()), (None, Trigger::Model));
}

#[test]
fn an_agent_is_one_line_for_whoever_chooses() {
    let mut target = Target::of(&agent(AgentId::new(), "Ana", "any"));
    assert_eq!(target.line(), "- ana: Ana. no description");
    target.description = Some("Helps\n\n  with   bills".into());
    assert_eq!(target.line(), "- ana: Ana. Helps with bills");
}

#[test]
fn members_are_those_who_are_there_in_their_order() {
    let house = House::of(Some(TeamKind::Router));
    let slugs = |house: &House| -> Vec<String> {
        house.around(&house.hired[0]).members().into_iter().map(|member| member.slug).collect()
    };
    assert_eq!(slugs(&house), ["ana", "bo", "cy"]);
    assert_eq!(slugs(&house.without("Bo")), ["ana", "cy"]);
    assert!(slugs(&House::of(None)).is_empty());
}

#[test]
fn what_a_team_adds_to_the_prompt() {
    let prompt = |house: &House, name: &str| {
        let agent = house.hired.iter().find(|agent| agent.definition.name == name).expect("hired");
        team_prompt(agent, house.team.as_ref().expect("a team"))
    };
    assert_eq!(prompt(&House::of(Some(TeamKind::Swarm)), "Bo"), None);
    let router = House::of(Some(TeamKind::Router));
    assert_eq!((prompt(&router, "Ana"), prompt(&router, "Dee")), (None, None));
    let specialist = prompt(&router, "Bo").expect("a specialist");
    assert!(
        specialist.contains("a specialist of Desk") && specialist.contains(COMPLETE_TASK),
        "{specialist}"
    );
    let mut pipeline = House::of(Some(TeamKind::Pipeline));
    let stage = |house: &House| prompt(house, "Bo").expect("a stage");
    let told =
        "# Your stage\nYou do the stage stage 1 (2 of 3) of Desk. Call complete_stage when it is done.";
    assert_eq!((stage(&pipeline).as_str(), prompt(&pipeline, "Dee")), (told, None));
    let TeamDefinition { members, .. } = &mut pipeline.team.as_mut().expect("a team").definition;
    members[1].stage.as_mut().expect("a stage").instructions = Some(" Ask for the size. ".into());
    assert_eq!(stage(&pipeline), format!("{told}\n\nAsk for the size."));
}
