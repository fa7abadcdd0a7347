use super::*;

fn place() -> SecretPlace {
    SecretPlace {
        workspace_id: None,
        used_for: SecretUse::ModelProvider,
        owner_id: Uuid::from_u128(7),
        sent_to: "https://api.example.org".to_owned(),
    }
}

#[test]
fn every_place_is_different_bytes() {
    let places = [
        place(),
        SecretPlace { workspace_id: Some(WorkspaceId(Uuid::nil())), ..place() },
        SecretPlace { workspace_id: Some(WorkspaceId(Uuid::from_u128(1))), ..place() },
        SecretPlace { used_for: SecretUse::SearchEngine, ..place() },
        SecretPlace { owner_id: Uuid::from_u128(8), ..place() },
        SecretPlace { sent_to: "https://api.example.org:444".to_owned(), ..place() },
    ];
    for (i, one) in places.iter().enumerate() {
        for (k, other) in places.iter().enumerate() {
            assert_eq!(i == k, one.associated_data() == other.associated_data(), "{one:?} {other:?}");
        }
    }
}

#[test]
fn a_secret_is_not_shown() {
    let secret = SecretText::new("sk-planted");
    assert_eq!(format!("{secret:?}"), "(secret)");
    let sealed = Sealed { key_id: "k1".into(), bytes: vec![77, 78] };
    assert!(!format!("{sealed:?}").contains("77"));
}

#[test]
fn keys_as_people_paste_them() {
    let checked = |text: &str| SecretText::new(text).checked("key");
    assert_eq!(checked("  sk-1\n").map(|key| key.reveal().to_owned()), Ok("sk-1".to_owned()));
    for wrong in ["", "  ", "sk-1\nsk-2", "sk 1", "sk-ä", &"x".repeat(MAX_SECRET + 1)] {
        let error = checked(wrong).unwrap_err();
        assert_eq!(error.field, "key");
        assert!(wrong.trim().is_empty() || !error.message.contains(wrong), "{error}");
    }
}
