//! Teams played from beginning to end, each agent with the tools and prompts that packs give: what is collected is kept
//! as the agent's context, asked for one thing at a time, and handed on when it is whole.

use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, ToolCall, UserPart};
use baton_core::tools::ToolSpec;
use serde_json::{Map, Value, json};

use super::Expect::{Calls, Says};
use super::shapes::{clock, notes};
use super::{ask, check, request, said, tool, user};

fn update_context() -> ToolSpec {
    tool(
        "update_context",
        "Keeps your working state for this conversation. What you give replaces what was there.",
        json!({"context_data": {"type": "object", "description": "The whole state"}}),
        &["context_data"],
    )
}

fn complete_task() -> ToolSpec {
    tool(
        "complete_task",
        "Ends your task and hands the conversation back. Call it when the person has what they came for.",
        json!({"summary": {"type": "string", "description": "What was achieved"}}),
        &["summary"],
    )
}

/// A specialist at work: the context it keeps is shown to it with the next message.
struct Desk {
    request: ModelRequest,
    kept: Map<String, Value>,
    done: Option<String>,
}

impl Desk {
    fn new(standing: &str, tools: Vec<ToolSpec>) -> Self {
        let mut request = request(standing, tools, "");
        request.messages.clear();
        Self { request, kept: Map::new(), done: None }
    }

    fn say(&mut self, text: &str) -> String {
        self.send(vec![UserPart::Text(text.into())])
    }

    fn send(&mut self, parts: Vec<UserPart>) -> String {
        self.request.messages.push(ChatMessage::User(parts));
        for round in 0..5 {
            let reply = ask(&self.request);
            if reply.calls.is_empty() || self.done.is_some() {
                self.request.messages.push(said(&reply.text));
                return reply.text;
            }
            let mut calls = Vec::new();
            let mut results = Vec::new();
            for (at, (name, arguments)) in reply.calls.into_iter().enumerate() {
                match name.as_str() {
                    "update_context" => self.kept = arguments["context_data"].as_object().unwrap().clone(),
                    "complete_task" => self.done = arguments["summary"].as_str().map(str::to_owned),
                    other => panic!("{other} {arguments:?}"),
                }
                let id = format!("{}-{round}-{at}", self.request.messages.len());
                results.push(CallResult {
                    call_id: id.clone(),
                    content: r#"{"ok": true}"#.into(),
                    is_error: false,
                });
                calls.push(ToolCall { id, name, arguments });
            }
            let message = AssistantMessage { text: reply.text, calls, ..Default::default() };
            self.request.messages.extend([ChatMessage::Assistant(message), ChatMessage::Results(results)]);
            self.request.system.context =
                Some(format!("Your context:\n{}", Value::Object(self.kept.clone())));
        }
        panic!("goes round in circles: {:?}", self.kept);
    }
}

const OFFER: &str = "You are the Vehicle Offer agent. You prepare requests for car quotes.\n\n\
    Collect the brand, the budget, the time and the financing (cash, loan or leasing). Keep each with update_context. \
    When you have all four, sum up the request with complete_task.";

#[test]
fn a_vehicle_offer_is_collected_kept_and_summed_up() {
    let mut desk = Desk::new(OFFER, vec![update_context(), complete_task(), clock(), notes()]);
    let asked = desk.say("I want a quote for a Toyota, budget 150-200k DKK");
    assert_eq!(Value::Object(desk.kept.clone()), json!({"brand": "Toyota", "budget": "150-200k DKK"}));
    assert_eq!(asked, "Thank you. What is the **time**?");
    assert!(desk.say("within 2 months").contains("**financing** (cash, loan or leasing)"));
    assert_eq!(desk.done, None);
    desk.say("Leasing, please");
    assert_eq!(desk.kept["financing"], "leasing");
    let summary = desk.done.unwrap();
    for part in ["Toyota", "150-200k DKK", "2 months", "leasing"] {
        assert!(summary.contains(part), "no {part} in {summary}");
    }
}

#[test]
fn bare_replies_are_the_answers_to_their_questions() {
    let mut desk = Desk::new(OFFER, vec![update_context(), complete_task(), notes()]);
    assert!(desk.say("Hello").contains("**brand**"));
    assert!(desk.say("Volvo").contains("**budget**"));
    assert!(desk.say("300000").contains("**time**"));
    assert!(desk.say("as soon as possible").contains("**financing**"));
    assert!(desk.say("hm, what is best?").contains("**financing**"), "a question is no answer");
    desk.say("cash");
    assert_eq!(
        Value::Object(desk.kept.clone()),
        json!({"brand": "Volvo", "budget": "300000", "time": "as soon as possible", "financing": "cash"})
    );
    assert!(desk.done.is_some());
}

#[test]
fn an_appointment_is_collected_from_a_list_in_the_prompt() {
    let booking = "You are the Booking agent. You arrange appointments.\n\nCollect these, one at a time:\n\
        - purpose: what the appointment is for\n- date: the day\n- time: the hour\n\nThen complete the task.";
    let mut desk = Desk::new(booking, vec![update_context(), complete_task()]);
    desk.request.system.context = Some("Current date: 2026-07-17".into());
    assert!(desk.say("I'd like an appointment").contains("**purpose** (what the appointment is for)"));
    assert!(desk.say("Vehicle inspection").contains("**date**"));
    assert!(desk.say("next Tuesday").contains("**time**"));
    desk.say("at 10:30");
    assert_eq!(desk.kept["purpose"], "Vehicle inspection");
    assert_eq!(desk.kept["time"], "10:30");
    assert!(desk.done.is_some_and(|summary| summary.contains("10:30")));
}

#[test]
fn a_document_is_read_and_its_expiry_told_by_a_teammate() {
    let document =
        "You are the Document agent. You take an uploaded document and record its type and when it expires.";
    let mut desk = Desk::new(document, vec![update_context(), complete_task()]);
    desk.send(vec![
        UserPart::Text("Here is my driver's license".into()),
        UserPart::Text(
            "[Attached file license.txt:]\nDriver's license\nName: Ana Weber\nValid until 2027-05-01".into(),
        ),
    ]);
    assert_eq!(
        Value::Object(desk.kept.clone()),
        json!({"type": "driver's license", "expires": "2027-05-01"})
    );
    assert!(desk.done.is_some_and(|summary| summary.contains("2027-05-01")));

    let compliance = "You are the Compliance agent. You watch when documents expire.";
    let mut asked =
        request(compliance, vec![complete_task(), notes()], "When does my driver's license expire?");
    let team = json!({"document": {"type": "driver's license", "expires": "2027-05-01"}});
    asked.system.context = Some(format!("What your teammates know:\n{team}"));
    check(&asked, Says(&["2027-05-01"]));
}

fn stage(properties: Value, required: &[&str]) -> ToolSpec {
    tool(
        "complete_stage",
        "Ends this stage with its result. The next stage begins at once.",
        properties,
        required,
    )
}

#[test]
fn an_assessment_runs_through_its_stages() {
    let text = json!({"type": "string"});
    let qualify = stage(
        json!({"company": text, "industry": text, "employees": {"type": "integer"}, "qualified": {"type": "boolean"}}),
        &["company", "industry", "employees", "qualified"],
    );
    let mut asked =
        request("You are the Qualifier.", vec![qualify], "Hi, I'm from Acme GmbH, we have 40 employees");
    let reply = check(&asked, Says(&["**industry**"]));
    asked.messages.extend([said(&reply.text), user("Logistics")]);
    let first = json!({"company": "Acme GmbH", "industry": "Logistics", "employees": 40, "qualified": true});
    check(&asked, Calls(vec![("complete_stage", first.clone())]));

    let assess = stage(
        json!({"readiness_score": {"type": "integer", "minimum": 0, "maximum": 100},
               "risk_level": {"type": "string", "enum": ["low", "medium", "high"]},
               "strengths": {"type": "array", "items": text}, "rationale": text}),
        &["readiness_score", "risk_level", "strengths", "rationale"],
    );
    let mut asked = request(
        "You are the Assessor. You rate what the qualifier found.",
        vec![assess],
        "(The next stage begins.)",
    );
    asked.system.context = Some(json!({"stages": {"qualifier": first}}).to_string());
    let reply = ask(&asked);
    assert_eq!(reply.calls.len(), 1, "{}", reply.text);
    let second = Value::Object(reply.calls[0].1.clone());
    assert_eq!((&second["readiness_score"], &second["risk_level"]), (&json!(50), &json!("medium")));

    let analyze =
        stage(json!({"report": text, "recommendations": {"type": "array", "items": text}}), &["report"]);
    let mut asked = request("You are the Analyzer. You write the report.", vec![analyze], "Begin.");
    asked.system.context = Some(json!({"stages": {"qualifier": first, "assessor": second}}).to_string());
    let reply = ask(&asked);
    let report = reply.calls[0].1["report"].as_str().unwrap().to_owned();
    for part in ["Acme GmbH", "Logistics", "40", "readiness score: 50", "risk level: medium"] {
        assert!(report.contains(part), "no {part} in {report}");
    }
}

fn handoffs() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    vec![
        tool(
            "handoff_to_sdr",
            "Hand off to the SDR Agent when a qualified lead is ready for outreach.",
            json!({"lead_id": {"type": "string", "description": "The lead to contact"}, "campaign_type": text}),
            &["lead_id"],
        ),
        tool(
            "handoff_to_translator",
            "Hand off to the Translator for texts in another language.",
            json!({"target_language": text, "text": text}),
            &["target_language", "text"],
        ),
        tool(
            "handoff_to_support",
            "Hand off to Support when a customer has a problem with a ticket.",
            json!({"ticket_id": text, "priority": {"type": "string", "enum": ["low", "normal", "high"]}}),
            &["ticket_id"],
        ),
    ]
}

#[test]
fn an_outreach_swarm_hands_off_with_its_variables() {
    let standing = "You are the Growth Manager. You decide who contacts whom.";
    for (words, name, arguments) in [
        ("Lead L-42 is qualified, start the outreach", "handoff_to_sdr", json!({"lead_id": "L-42"})),
        (
            "Please contact lead 77 with the newsletter campaign",
            "handoff_to_sdr",
            json!({"lead_id": "77", "campaign_type": "newsletter"}),
        ),
        (
            "Translate into Danish: We look forward to meeting you.",
            "handoff_to_translator",
            json!({"target_language": "Danish", "text": "We look forward to meeting you."}),
        ),
        (
            "There is a problem with ticket T-9, it's urgent",
            "handoff_to_support",
            json!({"ticket_id": "T-9", "priority": "high"}),
        ),
    ] {
        let mut tools = handoffs();
        tools.extend([clock(), notes()]);
        check(&request(standing, tools, words), Calls(vec![(name, arguments)]));
    }
    let mut asked = request(standing, handoffs(), "A customer has a problem with their ticket");
    let reply = check(&asked, Says(&["**ticket ID**"]));
    asked.messages.extend([said(&reply.text), user("T-12")]);
    check(&asked, Calls(vec![("handoff_to_support", json!({"ticket_id": "T-12"}))]));
}

#[test]
fn a_procurement_desk_switches_to_who_is_meant() {
    let switch = tool(
        "switch_agent",
        "Hands the conversation to another agent when it fits them better than you.\n\
         - rfp-design: writes requests for proposals, requirements and evaluation criteria\n\
         - support: help with accounts, errors and orders that went wrong",
        json!({"agent": {"type": "string", "enum": ["rfp-design", "support"]}, "reason": {"type": "string"}}),
        &["agent", "reason"],
    );
    let standing = "You are the Solutions agent. You help buyers find products and suppliers.";
    for (words, agent) in [
        ("I need to write an RFP for 200 laptops", Some("rfp-design")),
        ("My order went wrong and I get an error", Some("support")),
        ("Can I talk to support?", Some("support")),
        ("Which suppliers sell laptops?", None),
        ("Hello", None),
        ("What time is it?", None),
    ] {
        let reply = ask(&request(standing, vec![switch.clone(), clock()], words));
        let to = reply.calls.iter().find(|(name, _)| name == "switch_agent");
        assert_eq!(
            to.and_then(|(_, arguments)| arguments["agent"].as_str()),
            agent,
            "{words}: {}",
            reply.text
        );
        assert!(
            to.is_none_or(|(_, arguments)| arguments["reason"].as_str().is_some_and(|why| !why.is_empty()))
        );
    }
}

#[test]
fn a_fleet_office_is_routed() {
    let route = tool(
        "route",
        "Decides who answers the person's message.",
        json!({
            "decision": {"type": "string", "enum": ["stay", "switch", "resume"]},
            "agent": {"type": "string", "enum": ["general", "vehicle-offer", "document", "compliance", "booking"]},
            "summary": {"type": "string"},
        }),
        &["decision", "summary"],
    );
    let standing = "You route messages of a fleet office.\n\nAgents:\n- general: greets and answers general questions\n\
        - vehicle-offer: collects brand, budget and financing for a car quote\n\
        - document: takes uploads such as a driver's license or an insurance policy\n\
        - compliance: deadlines, renewals and when documents expire\n- booking: appointments, inspections and workshop visits\n\n";
    for (active, words, decision, agent) in [
        ("general", "I'd like a quote for a Toyota", "switch", Some("vehicle-offer")),
        ("general", "I want to upload my driver's license", "switch", Some("document")),
        ("general", "When does my insurance expire? Any renewals due?", "switch", Some("compliance")),
        ("general", "Can I get an appointment for an inspection next week?", "switch", Some("booking")),
        ("vehicle-offer", "around 200k", "stay", None),
        ("vehicle-offer", "leasing", "stay", None),
        ("booking", "Tuesday at 10", "stay", None),
        ("general", "Good morning", "stay", None),
    ] {
        let standing = format!("{standing}Active agent: {active}");
        let reply = ask(&request(&standing, vec![route.clone()], words));
        let arguments = &reply.calls[0].1;
        assert_eq!(arguments["decision"], decision, "{words}");
        assert_eq!(arguments.get("agent").and_then(Value::as_str), agent, "{words}");
    }
}

#[test]
fn side_questions_and_corrections_do_not_spoil_what_is_collected() {
    let mut desk = Desk::new(OFFER, vec![update_context(), complete_task()]);
    desk.say("I want a quote for a Toyota");
    assert_eq!(Value::Object(desk.kept.clone()), json!({"brand": "Toyota"}));
    assert!(desk.say("Why do you ask?").contains("**budget**"), "the question stays open");
    desk.say("My budget is 200k DKK");
    assert_eq!(desk.kept["budget"], "200k DKK");
    desk.say("Actually my budget is 250k DKK");
    assert_eq!(desk.kept["budget"], "250k DKK");
    desk.say("next month");
    assert_eq!(desk.kept["time"], "next month");
    assert!(desk.say("banana").contains("**financing**"), "not one of the choices");
    desk.say("loan");
    assert!(desk.done.is_some_and(|summary| summary.contains("250k DKK") && summary.contains("loan")));
}

#[test]
fn an_agent_with_nothing_to_collect_works_as_ever() {
    let tools = || vec![update_context(), complete_task(), clock(), notes()];
    let standing = "You are the Office Helper. You look after the office.";
    for (words, name) in [
        ("When is my budget review?", "manageMemory"),
        ("What time is it?", "getCurrentTime"),
        ("Thanks, that's all", "complete_task"),
    ] {
        let reply = ask(&request(standing, tools(), words));
        let names: Vec<&str> = reply.calls.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [name], "{words}: {}", reply.text);
    }
    check(&request(standing, tools(), "Hello"), Says(&["I'm the Office Helper"]));
    // Beside what is collected, other questions are still answered.
    let reply = ask(&request(OFFER, tools(), "What time is it in Tokyo?"));
    assert_eq!(reply.calls[0].0, "getCurrentTime", "{:?}", reply.calls);
}
