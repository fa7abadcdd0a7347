//! Tools the model has never seen: choosing, filling, asking for what is missing, and answering from results.

use baton_core::models::ModelRequest;
use baton_core::tools::ToolSpec;
use serde_json::json;

use super::Expect::{Calls, Says};
use super::{COACH, answered, ask, budgets, check, clock, memory, request, said, tool, user};

fn book_room() -> ToolSpec {
    tool(
        "book_room",
        "Books a meeting room in the office.",
        json!({
            "room": {"type": "string", "enum": ["Aurora", "Borealis"]},
            "date": {"type": "string", "format": "date"},
            "people": {"type": "integer", "description": "How many will come"},
        }),
        &["room", "date", "people"],
    )
}

fn convert() -> ToolSpec {
    tool(
        "convert_currency",
        "Converts an amount from one currency to another at today's rate.",
        json!({
            "amount": {"type": "number"},
            "from": {"type": "string", "description": "ISO code of the currency"},
            "to": {"type": "string", "description": "ISO code of the currency wanted"},
        }),
        &["amount", "from", "to"],
    )
}

fn create_ticket() -> ToolSpec {
    tool(
        "create_ticket",
        "Opens a ticket for the facilities team.",
        json!({
            "title": {"type": "string"},
            "priority": {"type": "string", "enum": ["low", "medium", "high"]},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["hardware", "software", "office"]}},
        }),
        &["title"],
    )
}

fn translate() -> ToolSpec {
    tool(
        "translate",
        "Translates a text.",
        json!({"target_language": {"type": "string"}, "text": {"type": "string"}}),
        &["target_language", "text"],
    )
}

fn weather() -> ToolSpec {
    tool(
        "get_weather",
        "Current weather and forecast of a city.",
        json!({"city": {"type": "string"}}),
        &["city"],
    )
}

fn messaging() -> ToolSpec {
    tool(
        "send_message",
        "Sends a message to a person or a channel.",
        json!({"to": {"type": "string"}, "message": {"type": "string"}}),
        &["to", "message"],
    )
}

fn list_tickets() -> ToolSpec {
    tool(
        "list_tickets",
        "Lists open tickets.",
        json!({"priority": {"type": "string", "enum": ["low", "medium", "high"]}}),
        &[],
    )
}

fn all() -> Vec<ToolSpec> {
    vec![
        book_room(),
        convert(),
        create_ticket(),
        list_tickets(),
        translate(),
        weather(),
        messaging(),
        memory(),
        budgets(),
        clock(),
    ]
}

fn on_friday(tools: Vec<ToolSpec>, asked: &str) -> ModelRequest {
    let mut request = request("You are the Office Helper. You look after the office.", tools, asked);
    request.system.context = Some("Current time: 2026-07-17T09:00:00Z (Europe/Zurich)".into());
    request
}

#[test]
fn tools_are_chosen_and_filled_from_what_was_said() {
    for (asked, name, arguments) in [
        (
            "Book Aurora for 6 people tomorrow",
            "book_room",
            json!({"room": "Aurora", "date": "2026-07-18", "people": 6}),
        ),
        (
            "I need the Borealis room on 2026-08-02 for twelve guests",
            "book_room",
            json!({"room": "Borealis", "date": "2026-08-02", "people": 12}),
        ),
        ("Convert €1,200 to USD", "convert_currency", json!({"amount": 1200, "from": "EUR", "to": "USD"})),
        (
            "How much is 20k CHF in euros? Please convert it",
            "convert_currency",
            json!({"amount": 20000, "from": "CHF", "to": "EUR"}),
        ),
        (
            "Create a high priority ticket: the printer on floor 3 is broken",
            "create_ticket",
            json!({"title": "Printer on floor 3 is broken", "priority": "high"}),
        ),
        (
            "Please open a ticket about the broken coffee machine",
            "create_ticket",
            json!({"title": "Broken coffee machine"}),
        ),
        ("Show me the urgent tickets", "list_tickets", json!({"priority": "high"})),
        ("Which tickets are open?", "list_tickets", json!({})),
        (
            "Translate to German: Good morning. How are you?",
            "translate",
            json!({"target_language": "German", "text": "Good morning. How are you?"}),
        ),
        (
            "translate \"see you soon\" into French",
            "translate",
            json!({"target_language": "French", "text": "see you soon"}),
        ),
        ("What's the weather in Berlin?", "get_weather", json!({"city": "Berlin"})),
        (
            "Send a message to Ana: lunch at noon?",
            "send_message",
            json!({"to": "Ana", "message": "lunch at noon?"}),
        ),
        ("What time is it?", "get_current_time", json!({})),
        ("Show my budgets", "manageBudgets", json!({"action": "list"})),
        (
            "Create a budget named Groceries with a limit of 400",
            "manageBudgets",
            json!({"action": "create", "name": "Groceries", "limit": 400}),
        ),
    ] {
        let mut reply = check(&on_friday(all(), asked), Calls(vec![(name, arguments)]));
        assert!(reply.reasoning.len() > 10, "{asked} has no reason");
        assert_eq!(reply.calls.remove(0).0, name);
    }
}

#[test]
fn a_tool_of_its_own_words_is_an_order_too() {
    let frobnicate = tool(
        "frobnicate_widget",
        "Frobnicates a widget.",
        json!({"widget_id": {"type": "integer"}, "twice": {"type": "boolean"}}),
        &["widget_id"],
    );
    let asked = request("", vec![frobnicate, memory()], "Frobnicate widget 42 twice");
    check(&asked, Calls(vec![("frobnicate_widget", json!({"widget_id": 42, "twice": true}))]));
}

#[test]
fn several_things_are_called_together() {
    let asked = request(
        COACH,
        vec![budgets(), memory(), clock()],
        "Remember that my budget review is on Fridays and tell me the time",
    );
    let save = json!({"action": "save", "content": "my budget review is on Fridays", "path": "my-budget-review-is-on-fridays"});
    check(&asked, Calls(vec![("manageMemory", save), ("get_current_time", json!({}))]));
    let both = answered(asked, &[(r#"{"ok": true}"#, false), (r#"{"time": "09:00"}"#, false)]);
    check(&both, Says(&["I'll remember that your budget review", "The time is 09:00."]));
    let one = request(COACH, vec![memory(), clock()], "Remember that I like to run and read");
    assert_eq!(ask(&one).calls.len(), 1, "“read” begins nothing new");
}

#[test]
fn what_is_missing_is_asked_for_and_then_used() {
    let mut asked = on_friday(all(), "Book a room for 6 people");
    let reply = check(&asked, Says(&["**room** (Aurora or Borealis)", "**date**", "?"]));
    asked.messages.extend([said(&reply.text), user("Borealis, tomorrow")]);
    check(&asked, Calls(vec![("book_room", json!({"room": "Borealis", "date": "2026-07-18", "people": 6}))]));

    let mut ticket = on_friday(all(), "Create a ticket");
    let reply = check(&ticket, Says(&["**title**", "?"]));
    ticket.messages.extend([said(&reply.text), user("The lift is stuck")]);
    check(&ticket, Calls(vec![("create_ticket", json!({"title": "The lift is stuck"}))]));
}

#[test]
fn days_stay_as_said_where_today_is_unknown() {
    let asked = request("", vec![book_room()], "Book Aurora tomorrow for 3 people");
    check(&asked, Calls(vec![("book_room", json!({"room": "Aurora", "date": "tomorrow", "people": 3}))]));
}

#[test]
fn results_are_told_as_people_want_them() {
    let list = on_friday(all(), "Which tickets are open?");
    let rows = json!([{"id": 1, "title": "Printer", "priority": "high"}, {"id": 2, "title": "Lamp | desk", "priority": "low"}]);
    check(
        &answered(list.clone(), &[(&rows.to_string(), false)]),
        Says(&["I found 2", "| title | priority | id |", "Lamp \\| desk"]),
    );
    let many: Vec<_> = (0..30).map(|n| json!({"id": n, "title": format!("T{n}")})).collect();
    check(
        &answered(list.clone(), &[(&json!({"tickets": many, "total": 120}).to_string(), false)]),
        Says(&["I found 120", "and 112 more"]),
    );
    check(&answered(list.clone(), &[("[]", false)]), Says(&["empty"]));
    check(
        &answered(list, &[("permission denied for tickets", true)]),
        Says(&["I couldn't list the tickets", "more rights"]),
    );
    let convert = on_friday(all(), "Convert €1,200 to USD");
    check(
        &answered(convert.clone(), &[(r#"{"amount": 1311.6, "currency": "USD"}"#, false)]),
        Says(&["amount: 1311.6", "currency: USD"]),
    );
    let mcp = json!({"content": [{"type": "text", "text": "1,200 EUR are 1,311.60 USD"}]}).to_string();
    check(&answered(convert, &[(&mcp, false)]), Says(&["1,200 EUR are 1,311.60 USD"]));
}

#[test]
fn a_rejected_call_is_accepted_as_not_done() {
    let book = on_friday(all(), "Book Aurora for 6 people tomorrow");
    for (result, is_error) in [
        ("The person rejected this call: too expensive", true),
        (r#"{"status": "rejected", "reason": "The person said: too expensive"}"#, false),
    ] {
        let reply = check(
            &answered(book.clone(), &[(result, is_error)]),
            Says(&["did not book the room", "too expensive"]),
        );
        assert!(!reply.text.contains("Done"));
    }
    let done = answered(book, &[(r#"{"confirmation": "AUR-12", "room": "Aurora"}"#, false)]);
    check(&done, Says(&["Done, I booked the room", "- people: 6", "- confirmation: AUR-12"]));
}

#[test]
fn no_call_is_made_twice_and_loops_end() {
    let mut loop_ = on_friday(all(), "Which tickets are open?");
    loop_ = answered(loop_, &[("oops", true)]);
    check(&loop_, Says(&["I couldn't list the tickets"]));
    // Even where the engine goes on without a new message.
    for _ in 0..6 {
        let reply = ask(&loop_);
        assert!(reply.calls.is_empty());
        loop_.messages.push(said(&reply.text));
        loop_.messages.push(baton_core::models::ChatMessage::Results(vec![]));
    }
}

#[test]
fn without_tools_left_the_answer_comes_from_the_results() {
    let mut asked = answered(
        on_friday(all(), "Which tickets are open?"),
        &[(r#"[{"id": 1, "title": "Printer"}]"#, false)],
    );
    asked.tools.clear();
    check(&asked, Says(&["Printer"]));
    let mut asked = answered(request(COACH, vec![memory()], "When is my budget review?"), &[("[]", false)]);
    asked.tools.clear();
    check(&asked, Says(&["no note about your budget review"]));
}

#[test]
fn nothing_is_called_without_a_reason() {
    for asked in [
        "Hello!",
        "Thanks a lot",
        "The weather was lovely at the wedding.",
        "Write a poem about a bank account that ran dry",
        "Tickets are boring.",
        "Keep going",
        "I spent the evening reading.",
        "Delete everything",
        "lol",
    ] {
        let reply = ask(&on_friday(all(), asked));
        assert!(reply.calls.is_empty(), "{asked}: {:?}", reply.calls);
    }
}

#[test]
fn values_come_from_earlier_messages_and_the_context_where_required() {
    let lookup = tool(
        "get_order",
        "Shows an order and where it is.",
        json!({"order_id": {"type": "string"}}),
        &["order_id"],
    );
    let mut asked = request("", vec![lookup.clone()], "My order is ORD-77.");
    asked.messages.extend([said("Thank you."), user("Where is my order?")]);
    check(&asked, Calls(vec![("get_order", json!({"order_id": "ORD-77"}))]));
    let mut asked = request("", vec![lookup], "Where is my order?");
    asked.system.context = Some("Data:\n{\"order_id\": \"ORD-9\"}".into());
    check(&asked, Calls(vec![("get_order", json!({"order_id": "ORD-9"}))]));
}
