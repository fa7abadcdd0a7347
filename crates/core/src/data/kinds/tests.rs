use std::collections::HashSet;

use super::*;
use crate::data::kind::{FieldType, Presence};

#[test]
fn descriptions_hold_together() {
    let mut names = HashSet::new();
    for (at, kind) in KINDS.iter().enumerate() {
        assert!(names.insert(kind.name), "{} is there twice", kind.name);
        assert!(kind.field(kind.title).is_some(), "{} has no {}", kind.name, kind.title);
        assert!(kind.field(kind.order.field).is_some_and(|field| field.is_sorted), "{}", kind.name);
        let mut fields = HashSet::new();
        for field in kind.fields {
            let place = format!("{}.{}", kind.name, field.name);
            assert!(fields.insert(field.name), "{place} is there twice");
            match field.of {
                FieldType::Reference(other) => {
                    let earlier = KINDS[..=at].iter().any(|kind| kind.name == other);
                    assert!(earlier, "{place} refers to {other}, which comes later or not at all");
                }
                FieldType::Money { currency } => {
                    let named = kind.field(currency).map(|field| field.of);
                    assert_eq!(named, Some(FieldType::Currency), "{place}");
                }
                FieldType::Choice(choices) => assert!(choices.len() > 1, "{place}"),
                _ => {}
            }
            if let Presence::Default(text) = field.presence {
                serde_json::from_str::<serde_json::Value>(text).unwrap_or_else(|_| panic!("{place}: {text}"));
            }
        }
    }
}

#[test]
fn models_see_fields_in_camel_case() {
    let names: Vec<String> = TRANSACTIONS.fields.iter().map(|field| field.camel_name()).collect();
    assert!(names.contains(&"bookedOn".to_owned()) && names.contains(&"payee".to_owned()), "{names:?}");
}
