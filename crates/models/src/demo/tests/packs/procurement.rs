//! The procurement desk: who is meant, and the request that is written.

use serde_json::json;

use super::super::shapes::clock;
use super::super::{ask, request, tool};
use super::{Desk, update_context};

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
fn a_request_is_drafted_from_what_was_collected() {
    let rfp = "You are RFP Design.\n\nA first draft can be written once these are known:\n- item: what is delivered\n\
        - requirements: what an offer must fulfil\n- budget: an amount or a range, with its currency\n\
        - deadline: until when offers are due\n- criteria: how offers are judged\n\n\
        Every request has these parts, in this order:\n1. Purpose: why.\n2. Scope: what.\n3. Requirements: numbered.\n\
        4. Judging: with weights.\n5. Timetable: days.\n6. What an offer must contain.\n\nNote each with update_context.";
    let mut desk = Desk::new(rfp, vec![update_context()]);
    for (said, asked) in [
        ("We need 40 laptops by March", "**requirements**"),
        ("At least 16 GB of memory, two years of warranty", "**budget**"),
        ("60000 EUR", "**criteria**"),
    ] {
        let reply = desk.say(said);
        assert!(reply.contains(asked), "{said}: {reply}");
    }
    let draft = desk.say("Price 60, warranty 40");
    for part in [
        "**1. Purpose**\n\nWe want to buy 40 laptops.",
        "1. At least 16 GB of memory (must)\n2. Two years of warranty (must)",
        "- Price 60\n- warranty 40",
        "- Offers until: March",
        "**6. What an offer must contain**",
        "budget of 60000 EUR",
        "demo model",
    ] {
        assert!(draft.contains(part), "no {part} in {draft}");
    }
    assert!(!draft.contains("add up"), "{draft}");
}
