//! The fleet office: offers, documents, deadlines and appointments.

use baton_core::models::UserPart;
use serde_json::{Value, json};

use super::super::Expect::Says;
use super::super::shapes::{clock, notes};
use super::super::{answered, ask, check, request, tool};
use super::{Desk, complete_task, update_context};

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

const DOCUMENT: &str = "You file the fleet's documents.\n\nA document can be filed once these are known:\n\
    - type: what it is, such as driver's license, registration or permit\n- expires_on: the date it expires, as YYYY-MM-DD\n\
    - file (optional): the name of the attached file\n\nHow you work:\n\
    - Note every document with update_context in the list documents, each entry with type, expires_on and file.";

#[test]
fn a_document_says_itself_what_it_is_and_how_long_it_holds() {
    for file in [
        "Vehicle registration certificate\nPlate: AB12345\nValid until 2026-12-24",
        "Vehicle registration certificate No. 77, issued 2020-01-02 … Valid until 2026-12-24",
    ] {
        let mut desk = Desk::new(DOCUMENT, vec![update_context(), complete_task()]);
        desk.send(vec![
            UserPart::Text("Please file this document".into()),
            UserPart::Text(format!("[Attached file papers.txt:]\n{file}")),
        ]);
        let paper = json!({
            "type": "vehicle registration certificate", "expires_on": "2026-12-24", "file": "papers.txt",
        });
        assert_eq!(Value::Object(desk.kept.clone()), json!({"documents": [paper]}), "{file}");
    }
}

const BOOKING: &str = "You arrange appointments.\n\nAn appointment is complete when four things are known:\n\
    - purpose: what it is for\n- vehicle: which one, by number plate or by model\n- date: the day, as YYYY-MM-DD\n\
    - time (optional): the hour, if it matters\n- place: where, or \"any\"\n\n\
    Note each thing with update_context under the name appointment. End with complete_task.";

#[test]
fn an_appointment_is_read_from_one_sentence() {
    for (words, appointment) in [
        (
            "Book a tyre change for AB12345 on 2026-11-20 at 10:00 in Aarhus",
            json!({"purpose": "tyre change", "vehicle": "AB12345", "date": "2026-11-20", "time": "10:00",
                   "place": "Aarhus"}),
        ),
        (
            "inspection appointment for AB12345 next Tuesday in Aarhus",
            json!({"purpose": "inspection appointment", "vehicle": "AB12345", "date": "next Tuesday",
                   "place": "Aarhus"}),
        ),
    ] {
        let mut desk = Desk::new(BOOKING, vec![update_context(), complete_task()]);
        desk.say(words);
        assert_eq!(desk.kept["appointment"], appointment, "{words}");
        assert!(desk.done.is_some(), "{words}");
    }
    let mut desk = Desk::new(BOOKING, vec![update_context(), complete_task()]);
    assert!(desk.say("Book a tyre change for AB12345 in Aarhus").contains("**date**"));
    assert!(desk.say("AB12345").contains("**date**"), "a plate is no day");
    desk.say("2026-11-20");
    assert!(desk.done.is_some());
}

#[test]
fn deadlines_are_noted_and_the_task_ends() {
    let standing = "You watch the deadlines.\n\nHow you work:\n- Always begin with read_context.\n\
        - Note the result with update_context: checked_on, and upcoming as a list.\n\
        - When the question is answered, end with complete_task; its summary is the next deadline.";
    let read = tool("read_context", "Shows what your teammates have noted.", json!({}), &[]);
    let asked = || {
        let tools = vec![read.clone(), update_context(), complete_task()];
        let mut asked = request(standing, tools, "Which documents expire soon?");
        asked.system.context = Some("Current date: 2026-07-17".into());
        asked
    };
    let notes = json!({"notes": {"documents": [{"type": "permit", "expires_on": "2026-08-16"}]}}).to_string();
    let reply = ask(&answered(asked(), &[(notes.as_str(), false)]));
    assert!(reply.text.contains("2026-08-16 (in 30 days)"), "{}", reply.text);
    let calls: Vec<&str> = reply.calls.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(calls, ["update_context", "complete_task"]);
    assert_eq!(
        reply.calls[0].1["context_data"],
        json!({"checked_on": "2026-07-17",
               "upcoming": [{"type": "permit", "expires_on": "2026-08-16", "days_left": 30}]})
    );
    assert!(reply.calls[1].1["summary"].as_str().unwrap().contains("Permit: expires on 2026-08-16"));
    // With nothing to tell, the question stays open.
    let reply = ask(&answered(asked(), &[("{}", false)]));
    assert!(reply.calls.is_empty() && reply.text.contains("Nothing with a date"), "{}", reply.text);
}

#[test]
fn a_router_goes_on_with_the_one_thing_that_lies_unfinished() {
    let route = tool(
        "route",
        "Decides who answers the person's message.",
        json!({
            "decision": {"type": "string", "enum": ["stay", "switch", "resume"]},
            "agent": {"type": "string", "enum": ["desk", "offers", "dates", "booking"]},
        }),
        &["decision"],
    );
    let standing = "You route messages.\n\nAgents:\n- desk: Front Desk. General questions. (general)\n\
        - offers: Offers. Quotes for cars.\n- dates: Due Dates. What expires.\n- booking: Booking. Appointments.";
    for (context, words, decision) in [
        (
            "Active agent: dates\nPaused: desk\nPaused: offers\nDue Dates: Nothing is noted.",
            "Where were we?",
            "resume",
        ),
        ("Active agent: desk\nPaused: offers\nFront Desk: Is there anything else?", "Let's go on", "resume"),
        ("Active agent: dates\nPaused: offers\nDue Dates: Which document?", "Please go on", "stay"),
        ("Active agent: dates\nPaused: offers\nPaused: booking\nDue Dates: Nothing.", "Let's go on", "stay"),
        ("Active agent: offers\nPaused: desk\nOffers: What is the **brand**?", "Let's go on", "stay"),
    ] {
        let mut asked = request(standing, vec![route.clone()], words);
        asked.system.context = Some(context.into());
        let reply = ask(&asked);
        assert_eq!(reply.calls[0].1["decision"], decision, "{context}: {words}");
        let to = reply.calls[0].1.get("agent").and_then(Value::as_str);
        assert_eq!(to, (decision == "resume").then_some("offers"), "{context}: {words}");
    }
}

#[test]
fn words_that_resume_are_no_answer() {
    let mut desk = Desk::new(OFFER, vec![update_context(), complete_task(), clock(), notes()]);
    assert!(desk.say("I want a quote for a new car").contains("**brand**"));
    for (words, opening) in [
        ("Back to the quote", "Back to the quote. Nothing is noted yet. What is the **brand**?"),
        ("let's go on", "Let's go on. Nothing is noted yet. What is the **brand**?"),
        ("Where were we?", "Let's go on. Nothing is noted yet. What is the **brand**?"),
        ("Please continue", "Let's go on. Nothing is noted yet. What is the **brand**?"),
    ] {
        assert_eq!(desk.say(words), opening);
        assert_eq!(desk.kept.len(), 0, "{words}");
    }
    assert!(desk.say("Back to my quote: a Toyota").contains("**budget**"));
    assert_eq!(Value::Object(desk.kept.clone()), json!({"brand": "Toyota"}));
    assert_eq!(
        desk.say("Back to my quote"),
        "Back to your quote. So far I have:\n\n- brand: Toyota\n\nWhat is the **budget**?"
    );
    assert_eq!(Value::Object(desk.kept.clone()), json!({"brand": "Toyota"}));
}
