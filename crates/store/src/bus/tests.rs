use baton_core::ids::{AgentId, ConversationId, ProfileId, WorkspaceId};
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::visitors::Person;

use super::*;

fn switched(to_name: String) -> Heard {
    Heard::Hint(Hint::Notice(Notice {
        workspace_id: WorkspaceId::new(),
        audience: Audience::Person(Person::Profile(ProfileId::new())),
        happened: Happened::Switched {
            conversation_id: ConversationId::new(),
            from: AgentId::new(),
            to: AgentId::new(),
            to_name,
            trigger: baton_core::handoffs::Trigger::User,
            epoch: 7,
        },
    }))
}

#[test]
fn what_is_packed_is_unpacked_by_others_and_fits() {
    let (me, other) = (Uuid::new_v4(), Uuid::new_v4());
    let look = || Heard::Hint(Hint::LookAgain(None));
    let said: Vec<Heard> = (0..200).map(|n| switched("Zoë ".repeat(n % 40))).chain([look()]).collect();
    let payloads = pack(me, &said);
    assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() < 8_000));
    let heard: Vec<Heard> =
        payloads.iter().flat_map(|payload| unpack(other, payload).expect("ours")).collect();
    assert_eq!(heard, said);
    assert!(payloads.iter().all(|payload| unpack(me, payload) == Some(vec![])), "not one's own");
    assert_eq!(pack(me, &[]), Vec::<String>::new());
}

#[test]
fn what_does_not_fit_or_is_not_understood_is_missed() {
    let other = Uuid::new_v4();
    let payloads = pack(Uuid::new_v4(), &[switched("x".repeat(9_000)), Heard::Missed]);
    assert_eq!(unpack(other, &payloads[0]), Some(vec![Heard::Missed, Heard::Missed]));
    for strange in ["", "hello", "hello [1]"] {
        assert_eq!(unpack(other, strange), None, "{strange}");
    }
    let newer = format!("{} [{{\"hint\":{{\"new\":1}}}},\"missed\"]", Uuid::new_v4());
    assert_eq!(unpack(other, &newer), Some(vec![Heard::Missed]), "what is new says nothing here");
}
