use super::*;
use crate::notices::{Audience, Happened};
use serde_json::json;
use uuid::Uuid;

fn person(name: &str, number: u128) -> ChannelPerson {
    ChannelPerson { profile_id: ProfileId(Uuid::from_u128(number)), name: name.to_owned() }
}

#[test]
fn names_become_ids_where_they_mean_one_person() {
    let people =
        [person("Ana", 1), person("Ana Maria", 2), person("Ben", 3), person("Ben", 4), person("Zoë [x]", 5)];
    let link = |name: &str, number: u128| person_link(name, ProfileId(Uuid::from_u128(number)));
    let (ana, maria, zoe) = (link("Ana", 1), link("Ana Maria", 2), link("Zoë [x]", 5));
    for (written, expected) in [
        ("@Ana look", format!("{ana} look")),
        ("hey @ana, @ANA!", format!("hey {ana}, {ana}!")),
        ("@Ana Maria, and (@Ana)", format!("{maria}, and ({ana})")),
        ("@Anabel", "@Anabel".to_owned()),
        ("ana@Ana.org", "ana@Ana.org".to_owned()),
        ("@Ben", "@Ben".to_owned()),
        ("@zoë [x]", zoe.clone()),
        ("@@Ana @", format!("@{ana} @")),
        (&ana, ana.clone()),
    ] {
        let with_ids = with_ids(written, &people);
        assert_eq!(with_ids, expected);
        assert_eq!(super::with_ids(&with_ids, &people), expected, "once more");
    }
    assert_eq!(zoe, format!("[@Zoë x](person:{})", Uuid::from_u128(5)));
    let text = format!("{maria} and {ana} and {maria}, [@x](person:no) [@");
    assert_eq!(mentioned(&text), [people[1].profile_id, people[0].profile_id]);
    assert_eq!(plain(&text), "@Ana Maria and @Ana and @Ana Maria, [@x](person:no) [@");
    assert_eq!(plain("[@a](person:"), "[@a](person:");
}

#[test]
fn text_is_checked_and_names_are_compared() {
    assert_eq!(checked_text("\n a\r\nb \n").unwrap(), " a\nb");
    assert!(checked_text(" \n").is_err() && checked_text(&"x".repeat(MAX_TEXT + 1)).is_err());
    assert_eq!(checked_name(" #general ").unwrap(), "general");
    assert!(checked_name("#").is_err());
    assert_eq!(name_key("#General "), name_key("general"));
    let new = |kind| NewChannel { kind, name: "x".into(), topic: String::new(), people: vec![] };
    assert!(new(ChannelKind::Open).checked().is_ok() && new(ChannelKind::Direct).checked().is_err());
}

#[test]
fn an_outcome_says_who_hears_of_it() {
    let (workspace, channel, message) = (WorkspaceId::new(), ChannelId::new(), ChannelMessageId::new());
    let ben = ProfileId::new();
    let sent = json!({
        "done": done::SENT, "channel": {"id": channel, "name": "general"}, "message_id": message,
        "notified": [{"id": ben, "name": "Ben"}],
    });
    let told = notices(workspace, &sent);
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].audience, Audience::Channel(channel));
    assert!(matches!(told[0].happened, Happened::ChannelMessage { thread_id: None, .. }));
    assert_eq!(told[1].audience, Audience::Person(crate::visitors::Person::Profile(ben)));
    let removed = json!({"done": done::REMOVED, "channel": {"id": channel}, "gone": [{"id": ben}]});
    assert_eq!(notices(workspace, &removed).len(), 2);
    for other in [json!({"done": "created", "id": channel}), json!("text"), json!({"channel": {"id": 7}})] {
        assert!(notices(workspace, &other).is_empty(), "{other}");
    }
}
