//! Handing off, switching by name, routing: by the descriptions of agents the model has never met.

use baton_core::tools::ToolSpec;
use serde_json::json;

use super::Expect::{Calls, Says};
use super::{COACH, answered, ask, budgets, check, memory, request, said, tool, user};

fn to_sdr() -> ToolSpec {
    tool(
        "handoff_to_sdr",
        "Hand off to SDR Agent for sales outreach. Use when a qualified lead needs follow-up.",
        json!({
            "lead_id": {"type": "string", "description": "The ID of the lead to hand off"},
            "campaign_type": {"type": "string", "description": "Which outreach campaign to add to"},
        }),
        &["lead_id"],
    )
}

fn to_translator() -> ToolSpec {
    tool(
        "handoff_to_translator",
        "Hand off to the Translator, who translates texts into other languages.",
        json!({"target_language": {"type": "string"}, "text": {"type": "string"}}),
        &["target_language", "text"],
    )
}

fn switch_agent() -> ToolSpec {
    tool(
        "switch_agent",
        "Switches the conversation to another agent:\n- expense-auditor: goes through transactions for duplicates and unusual amounts\n- sales-agent: leads, deals and follow-ups\n- knowledge-curator: finds and keeps pages of documentation",
        json!({
            "agent": {"type": "string", "enum": ["expense-auditor", "sales-agent", "knowledge-curator"]},
            "reason": {"type": "string"},
        }),
        &["agent"],
    )
}

#[test]
fn a_message_goes_to_the_agent_it_belongs_to_with_typed_variables() {
    let asked =
        request(COACH, vec![budgets(), to_sdr()], "Lead 42 needs a follow-up in the outreach campaign");
    let reply =
        check(&asked, Calls(vec![("handoff_to_sdr", json!({"lead_id": "42", "campaign_type": "outreach"}))]));
    assert_eq!(reply.text, "I'll hand this to SDR Agent.");
    let asked = request(
        COACH,
        vec![budgets(), to_sdr(), to_translator()],
        "Translate into Danish: The budget is spent.",
    );
    check(
        &asked,
        Calls(vec![(
            "handoff_to_translator",
            json!({"target_language": "Danish", "text": "The budget is spent."}),
        )]),
    );
}

#[test]
fn a_missing_variable_is_asked_for() {
    let mut asked = request(COACH, vec![to_sdr()], "Please follow up with this qualified lead");
    let reply = check(&asked, Says(&["hand this to SDR Agent", "**lead ID**", "?"]));
    asked.messages.extend([said(&reply.text), user("It's L-1077")]);
    check(&asked, Calls(vec![("handoff_to_sdr", json!({"lead_id": "L-1077"}))]));
}

#[test]
fn a_refused_handoff_is_told_as_it_is() {
    let asked = request(COACH, vec![to_sdr()], "Lead 42 needs a follow-up by sales");
    let refused = answered(asked, &[("Not allowed: SDR Agent is restricted to premium members.", true)]);
    let reply =
        check(&refused, Says(&["couldn't hand this to SDR Agent", "premium members", "still with me"]));
    assert!(!reply.text.contains("I'll hand"));
}

#[test]
fn one_can_ask_for_an_agent_by_name() {
    for words in
        ["Switch me to the sales agent", "Can I talk to the Sales Agent please?", "connect me with sales"]
    {
        let mut reply = ask(&request(COACH, vec![switch_agent(), memory()], words));
        assert_eq!(reply.calls.len(), 1, "{words}: {}", reply.text);
        assert_eq!(reply.calls.remove(0).1["agent"], "sales-agent", "{words}");
    }
    let reply = check(
        &request(COACH, vec![switch_agent()], "Switch me to the astronaut"),
        Says(&["can't reach", "Expense Auditor"]),
    );
    assert!(!reply.text.contains("I'll hand"));
}

#[test]
fn topics_decide_where_nobody_is_named() {
    let asked =
        request(COACH, vec![switch_agent(), budgets()], "Are there duplicates among my transactions?");
    let mut reply = ask(&asked);
    assert_eq!(reply.calls.len(), 1, "{}", reply.text);
    assert_eq!(reply.calls.remove(0).1["agent"], "expense-auditor");
    for own in ["Show my budgets", "How do I keep to my limits with money?", "Hello there"] {
        let reply = ask(&request(COACH, vec![switch_agent(), budgets()], own));
        assert!(reply.calls.iter().all(|(name, _)| name != "switch_agent"), "{own}: {:?}", reply.calls);
    }
}

#[test]
fn nobody_hands_back_to_where_it_came_from() {
    let words = "Are there duplicates among my transactions?";
    let mut asked = request("You are the Sales Agent. You look after leads.", vec![switch_agent()], words);
    assert_eq!(ask(&asked).calls.len(), 1);
    asked.system.context = Some(
        r#"Context: {"_handoff_from": "expense-auditor", "_handoff_tool": "switch_agent", "lead_id": "42"}"#
            .into(),
    );
    let reply = ask(&asked);
    assert!(reply.calls.is_empty(), "{:?}", reply.calls);
    assert!(reply.text.contains("lead ID: 42"), "{}", reply.text);
}

fn route() -> ToolSpec {
    tool(
        "route",
        "Decide who answers the message.",
        json!({
            "decision": {"type": "string", "enum": ["stay", "switch", "resume"]},
            "agent": {"type": "string", "enum": ["general", "vehicle-offer", "document", "booking"]},
            "summary": {"type": "string", "description": "Why, in one sentence"},
        }),
        &["decision", "summary"],
    )
}

const ROUTER: &str = "You route messages.\n\nAgents:\n- general: general questions\n- vehicle-offer: collects what is needed for a car quote\n- document: uploads and organises documents such as a driver's license\n- booking: appointments and inspections\n\nActive agent: general";

#[test]
fn a_router_always_decides() {
    for (asked, decision, agent) in [
        ("I want a quote for a Toyota, budget 200k", "switch", Some("vehicle-offer")),
        ("Can you book an inspection appointment next week?", "switch", Some("booking")),
        ("hello", "stay", None),
        ("hm, whatever", "stay", None),
    ] {
        let mut reply = ask(&request(ROUTER, vec![route()], asked));
        assert_eq!(reply.calls.len(), 1, "{asked}: {}", reply.text);
        let arguments = reply.calls.remove(0).1;
        assert_eq!(arguments["decision"], decision, "{asked}");
        assert_eq!(arguments.get("agent").and_then(|agent| agent.as_str()), agent, "{asked}");
        assert!(arguments["summary"].as_str().unwrap().contains(asked));
    }
    let paused = format!("{ROUTER}\nPaused: vehicle-offer (waiting for the brand)");
    let reply = ask(&request(&paused, vec![route()], "Back to the car quote please"));
    assert_eq!(reply.calls[0].1["decision"], "resume");
}

#[test]
fn agents_are_called_by_their_names() {
    let switch = tool(
        "switch_agent",
        "Hands the conversation to another agent. Agents:\n- rfp-design: RFP Design. Writes requests for proposals.\n\
         - travel: Writes itineraries. Books nothing.",
        json!({"agent": {"type": "string", "enum": ["rfp-design", "travel"]}, "reason": {"type": "string"}}),
        &["agent"],
    );
    let support = tool(
        "handoff_to_support",
        "Hands a customer's ticket to Customer Support. Use it for complaints.",
        json!({}),
        &[],
    );
    check(
        &request("You are Solutions.", vec![switch, support], "What can you do?"),
        Says(&["I'm Solutions,", "RFP Design, Travel or Customer Support"]),
    );
}

#[test]
fn a_router_follows_its_instructions_and_leaves_answers_alone() {
    let standing = "You route messages.\n\nAgents:\n- front: Front Desk. General questions. (general)\n\
        - papers: Papers. Takes in documents that are uploaded.\n- dates: Due Dates. Which documents expire.\n\n\
        A document that is uploaded goes to Papers; a question about what expires or is due goes to Due Dates.";
    let route = tool(
        "route",
        "Decides who answers.",
        json!({
            "decision": {"type": "string", "enum": ["stay", "switch", "resume"]},
            "agent": {"type": "string", "enum": ["front", "papers", "dates"]},
            "summary": {"type": "string"},
        }),
        &["decision"],
    );
    for (active, said, words, agent) in [
        ("front", "", "I want to upload my documents", Some("papers")),
        ("front", "", "Which of my documents expire soon?", Some("dates")),
        ("papers", "Papers: What is the type?", "a document", None),
        ("dates", "Due Dates: Which one do you mean?", "the uploaded documents", None),
        ("front", "Front Desk: Is there anything else?", "upload documents", Some("papers")),
    ] {
        let mut asked = request(standing, vec![route.clone()], words);
        asked.system.context = Some(format!("Active agent: {active}\n{said}"));
        let reply = ask(&asked);
        let to = reply.calls[0].1.get("agent").and_then(|agent| agent.as_str());
        assert_eq!(to, agent, "{words}");
    }
}
