//! Answers without tools: greetings, who it is, files, images, sums, and an honest word for everything else.

use std::sync::Arc;

use baton_core::models::{ChatMessage, UserPart};

use super::Expect::Says;
use super::{COACH, ask, budgets, check, memory, request};

#[test]
fn greetings_and_thanks() {
    check(&request(COACH, vec![budgets()], "Hello!"), Says(&["I'm the Budget Coach", "manage budgets"]));
    check(&request(COACH, vec![], "Thank you very much!"), Says(&["anything else"]));
    check(&request("", vec![], "bye"), Says(&["Goodbye"]));
}

#[test]
fn it_says_what_it_is() {
    for asked in ["Who are you?", "What are you?", "which model are you", "Are you a human?"] {
        check(
            &request(COACH, vec![budgets(), memory()], asked),
            Says(&["Budget Coach", "Baton's demo model", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"]),
        );
    }
    check(&request("", vec![], "Who are you?"), Says(&["I'm Baton's demo model"]));
    check(
        &request(COACH, vec![budgets()], "What can you do?"),
        Says(&["manage budgets", "I help people see where their money goes"]),
    );
}

#[test]
fn without_a_fitting_tool_it_stays_honest_and_never_says_the_same() {
    let first = check(
        &request(COACH, vec![budgets()], "Why is the sky blue?"),
        Says(&["sky blue", "demo", "manage budgets"]),
    );
    let second = check(&request(COACH, vec![budgets()], "Who won the cup in 1990?"), Says(&["won the cup"]));
    assert_ne!(first.text, second.text);
}

#[test]
fn a_table_is_read() {
    let csv = "item,amount,paid\nRent,1200.50,yes\nPower,80,no\n";
    let asked = format!("What is in this file?\n\n<file name=\"costs.csv\" type=\"text/csv\">\n{csv}</file>");
    check(
        &request(COACH, vec![memory()], &asked),
        Says(&["**costs.csv**", "2 rows and 3 columns", "item, amount and paid", "- amount: 1280.5"]),
    );
    let mut parts = request(COACH, vec![], "");
    let texts = ["Please look at this", "Attached file costs.csv:\n```csv\nitem,amount\nRent,5\n```"];
    parts.messages = vec![ChatMessage::User(texts.map(|text| UserPart::Text(text.into())).into())];
    check(&parts, Says(&["**costs.csv**", "- amount: 5"]));
}

#[test]
fn an_image_is_named_but_not_seen() {
    let mut asked = request(COACH, vec![], "");
    let image = UserPart::Image { media_type: "image/png".into(), bytes: Arc::from([1u8, 2]) };
    asked.messages = vec![ChatMessage::User(vec![UserPart::Text("What do you see?".into()), image.clone()])];
    check(&asked, Says(&["PNG image", "can't see"]));
    asked.messages = vec![ChatMessage::User(vec![image])];
    check(&asked, Says(&["PNG image"]));
}

#[test]
fn sums_and_the_date() {
    check(&request(COACH, vec![budgets(), memory()], "What is 12 * 7.5?"), Says(&["= 90"]));
    let mut asked = request("", vec![], "What day is it today?");
    asked.system.context = Some("Today is 2026-07-17.".into());
    check(&asked, Says(&["Friday, 17 July 2026"]));
}

#[test]
fn what_other_agents_said_is_not_what_was_asked() {
    let mut asked = request(COACH, vec![budgets()], "");
    let texts = ["Show my budgets", "[Project Manager]: I'll hand this to Budget Coach."];
    asked.messages = vec![ChatMessage::User(texts.map(|text| UserPart::Text(text.into())).into())];
    assert_eq!(ask(&asked).calls[0].0, "manageBudgets");
}
