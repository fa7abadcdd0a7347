//! What a specialist of a team with a router is sent of a long conversation: little, but everything it must know.

use serde_json::{Value, json};

use crate::held_model::{Asked, HeldModel, Reply};
use crate::talk::text_of;
use crate::test_app::{Actor, TestApp};

const SUMMARY: &str = "The person is \"in a hurry\": they want a blue car, cash, by Friday.";

/// A turn of which the model gives these replies; what it was asked for each, as size and body.
async fn turn(
    of: &Actor<'_>,
    model: &mut HeldModel,
    id: &str,
    words: &str,
    replies: Vec<Reply>,
) -> Vec<Value> {
    let mut bodies = Vec::new();
    let last = match replies.last() {
        Some(Reply::Says { text, .. }) => text.clone(),
        _ => String::new(),
    };
    let answering = async {
        for reply in replies {
            let asked: Asked = model.next().await;
            bodies.push(asked.body.clone());
            asked.reply(reply);
        }
    };
    let (events, ()) = tokio::join!(of.say(id, words), answering);
    assert!(text_of(&events).ends_with(&last), "{events:#?}");
    bodies
}

fn stays() -> Reply {
    Reply::call("route", json!({"decision": "stay"}))
}

fn contents(messages: &Value) -> Vec<String> {
    let list = messages.as_array().expect("a list").iter();
    list.filter_map(|message| message["content"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_specialist_is_sent_a_fifth_of_a_long_conversation_and_all_it_must_know() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let team = ana.make_team("router", &[&vera, &ben]).await;
    let id = ana.begin("teamId", &team).await;
    for n in 0..25 {
        let asked = format!("Question {n}: {}?", "what about the lease of the vans ".repeat(4).trim());
        let told = format!("Answer {n}: {}.", "one of them is due for its inspection ".repeat(20).trim());
        let bodies = turn(&ana, &mut model, &id, &asked, vec![stays(), Reply::text(told)]).await;
        assert_eq!(bodies.len(), 2, "the router is asked about every message");
    }
    let before = contents(&ana.read(&id).await["messages"]);
    assert_eq!(before.len(), 50);

    let wanted = "Now I want a car. The blue one.";
    let noted = json!({"budget": 31_750, "financing": "cash"});
    let replies = vec![
        Reply::call("route", json!({"decision": "switch", "agent": "ben", "summary": SUMMARY})),
        Reply::call("update_context", json!({"data": noted})),
        Reply::text("Which brand, and may it be used?"),
    ];
    let called_in = turn(&ana, &mut model, &id, wanted, replies).await;
    let goes_on = "Any brand. Used is fine.";
    let replies = vec![stays(), Reply::text("I look for one.")];
    let later = turn(&ana, &mut model, &id, goes_on, replies).await;

    let read = ana.read(&id).await;
    assert_eq!(read["active"]["agentId"], json!(ben));
    let history: usize = contents(&read["messages"]).iter().map(String::len).sum();
    let transition = ana.get_owned(format!("/api/agents/transitions?workspaceId={}", ana.workspace)).await;
    let estimated = |field: &str| transition["transitions"][0][field].as_i64().expect("tokens");
    let size = |body: &Value| body.to_string().len();
    println!("the history, only what was said: {history} bytes");
    println!("the router's request: {} bytes, and {} later", size(&called_in[0]), size(&later[0]));
    println!("the specialist's request: {} bytes, and {} later", size(&called_in[1]), size(&later[1]));
    let (full, sent) = (estimated("tokens_full"), estimated("tokens_sent"));
    println!("recorded: {full} tokens with the whole history, {sent} sent");

    for body in [&called_in[1], &called_in[2], &later[1]] {
        assert!(size(body) * 5 <= history, "{} of {history}", size(body));
        let system = body["messages"][0]["content"].as_str().expect("a system prompt");
        assert!(
            system.starts_with("You are Ben.") && system.contains(&json!(SUMMARY).to_string()),
            "{system}"
        );
        let all = contents(&body["messages"]).join("\n");
        assert!(before.iter().all(|old| !all.contains(old)), "what was before is summed up, not sent");
    }
    assert!(sent * 5 <= full, "{sent} of {full}");
    assert_eq!(contents(&called_in[1]["messages"])[1..], [wanted]);
    let said = contents(&later[1]["messages"]);
    assert!(said[0].contains(&noted.to_string()), "its notes: {}", said[0]);
    let spoken: Vec<&String> = said[1..].iter().filter(|text| !text.contains("noted")).collect();
    assert_eq!(spoken, [wanted, "Which brand, and may it be used?", goes_on], "and every message since");
    app.end().await;
}
