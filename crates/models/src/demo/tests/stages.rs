//! Stages that end with a schema, and skills that are read before they are followed.

use baton_core::tools::ToolSpec;
use serde_json::json;

use super::Expect::{Calls, Says};
use super::{answered, ask, check, memory, request, said, tool, user};

const QUALIFIER: &str = "You are the Qualifier. You find out what a company needs.";

fn complete_stage() -> ToolSpec {
    tool(
        "complete_stage",
        "Ends this stage with its result.",
        json!({
            "company": {"type": "string", "description": "Who is asking"},
            "budget": {"type": "number", "description": "What they can spend, in euros"},
            "team_size": {"type": "integer", "description": "How many people will use it"},
            "plan": {"type": "string", "enum": ["starter", "team", "enterprise"]},
        }),
        &["company", "budget", "team_size"],
    )
}

#[test]
fn a_stage_asks_for_what_is_missing_one_by_one_and_then_ends() {
    let mut asked = request(QUALIFIER, vec![complete_stage(), memory()], "Hello!");
    let reply = check(&asked, Says(&["Let's begin. What is the **company**"]));
    assert!(!reply.text.contains("**budget**"), "one question at a time: {}", reply.text);
    asked.messages.extend([said(&reply.text), user("We're Acme GmbH and our budget is €20k")]);
    let reply = check(&asked, Says(&["Thank you. What is the **team size**"]));
    assert!(!reply.text.contains("**budget**"), "{}", reply.text);
    asked.messages.extend([said(&reply.text), user("40")]);
    check(
        &asked,
        Calls(vec![("complete_stage", json!({"company": "Acme GmbH", "budget": 20000, "team_size": 40}))]),
    );
}

#[test]
fn bare_replies_meet_their_questions_in_order() {
    let mut asked = request(QUALIFIER, vec![complete_stage()], "Hi");
    let reply = ask(&asked);
    asked.messages.extend([said(&reply.text), user("Globex, 15000, 12")]);
    check(
        &asked,
        Calls(vec![("complete_stage", json!({"company": "Globex", "budget": 15000, "team_size": 12}))]),
    );
}

#[test]
fn a_stage_that_begins_by_itself_uses_the_context() {
    let mut asked = request(QUALIFIER, vec![complete_stage()], "Begin.");
    asked.system.context = Some(
        r#"{"qualifier": {"company": "Initech", "budget": 900, "team_size": 3, "plan": "team"}}"#.into(),
    );
    let reply = check(
        &asked,
        Calls(vec![(
            "complete_stage",
            json!({"company": "Initech", "budget": 900, "team_size": 3, "plan": "team"}),
        )]),
    );
    assert!(reply.text.contains("company: Initech"));

    let analyze = tool(
        "complete_stage",
        "Ends this stage.",
        json!({"result": {"type": "object", "properties": {
            "summary": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10},
        }, "required": ["summary", "score"]}}),
        &["result"],
    );
    let mut asked = request("You are the Analyzer.", vec![analyze], "Begin.");
    asked.system.context = Some("company: Initech\nbudget: 900".into());
    let reply = ask(&asked);
    assert_eq!(reply.calls.len(), 1, "{}", reply.text);
    assert_eq!(reply.calls[0].1["result"]["score"], 5);
    assert!(reply.calls[0].1["result"]["summary"].as_str().unwrap().contains("Initech"));
}

#[test]
fn a_task_ends_when_the_person_is_done() {
    let complete = tool(
        "complete_task",
        "Ends your task and hands back.",
        json!({"summary": {"type": "string"}}),
        &["summary"],
    );
    assert!(ask(&request(QUALIFIER, vec![complete.clone()], "What does it cost?")).calls.is_empty());
    let reply = ask(&request(QUALIFIER, vec![complete], "Thanks, that's all"));
    assert_eq!(reply.calls[0].0, "complete_task");
    assert!(reply.calls[0].1["summary"].as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn a_skill_is_read_first_and_followed() {
    let load = tool(
        "load_skill",
        "Loads a skill's instructions by its name.",
        json!({"name": {"type": "string"}}),
        &["name"],
    );
    let standing = "You are the Report Generator.\n\n# Skills\nLoad one with load_skill when it fits:\n- weekly-report: How to write the weekly report for the team\n- onboarding: How to greet new colleagues\n";
    let asked = request(standing, vec![load], "Write the weekly report");
    check(&asked, Calls(vec![("load_skill", json!({"name": "weekly-report"}))]));
    let loaded = answered(
        asked,
        &[(
            "---\nname: weekly-report\n---\n# Weekly report\n\n1. Begin with the three wins.\n2. Ask which risks are open.\n3. End with next week.\n",
            false,
        )],
    );
    check(&loaded, Says(&["**weekly report**", "Begin with the three wins", "please tell me"]));
    let other = tool(
        "load_skill",
        "Loads a skill.",
        json!({"name": {"type": "string", "enum": ["weekly-report"]}}),
        &["name"],
    );
    assert!(ask(&request("", vec![other], "Hello")).calls.is_empty());
}

#[test]
fn skills_are_told_and_loaded_by_name() {
    let skills = tool(
        "load_skill",
        "Loads a skill's instructions by its name.",
        json!({"name": {"type": "string", "description": "The skill's name, as listed under Skills."}}),
        &["name"],
    );
    let standing = "You are the Coach.\n\n# Skills\n\nCall load_skill with its name.\n\n- weekly-report: How to write it\n- foo: How to foo\n";
    let say = |asked: &str| request(standing, vec![skills.clone(), super::memory()], asked);
    for asked in ["which skills do you have?", "What skills are there?", "list your skills"] {
        check(&say(asked), Says(&["- **weekly-report**: How to write it", "- **foo**: How to foo"]));
    }
    for asked in ["load the skill foo", "use your foo skill please"] {
        check(&say(asked), Calls(vec![("load_skill", json!({"name": "foo"}))]));
    }
    check(&say("load the skill bar"), Says(&["no skill of that name", "**foo**"]));
}
