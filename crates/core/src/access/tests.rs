use super::*;

const PLAIN: Gate = Gate { is_default: false, is_support: false, is_restricted: false };
const DEFAULT: Gate = Gate { is_default: true, ..PLAIN };
const SUPPORTING: Gate = Gate { is_support: true, ..PLAIN };
const RESTRICTED: Gate = Gate { is_restricted: true, ..PLAIN };
const RESTRICTED_DEFAULT: Gate = Gate { is_restricted: true, ..DEFAULT };

#[test]
fn the_access_table() {
    use AccessRefusal::{Premium, SignIn};
    let visitor = Viewer::Visitor;
    let free = Viewer::Profile(Tier::Free);
    let premium = Viewer::Profile(Tier::Premium);
    // (viewer, agent, see/begin/select, model switch)
    let table = [
        (visitor, PLAIN, Err(SignIn), Err(SignIn)),
        (visitor, DEFAULT, Ok(()), Err(SignIn)),
        (visitor, SUPPORTING, Ok(()), Ok(())),
        (visitor, RESTRICTED, Err(SignIn), Err(SignIn)),
        (visitor, RESTRICTED_DEFAULT, Err(SignIn), Err(SignIn)),
        (free, PLAIN, Ok(()), Ok(())),
        (free, DEFAULT, Ok(()), Ok(())),
        (free, SUPPORTING, Ok(()), Ok(())),
        (free, RESTRICTED, Err(Premium), Err(Premium)),
        (free, RESTRICTED_DEFAULT, Err(Premium), Err(Premium)),
        (premium, PLAIN, Ok(()), Ok(())),
        (premium, DEFAULT, Ok(()), Ok(())),
        (premium, SUPPORTING, Ok(()), Ok(())),
        (premium, RESTRICTED, Ok(()), Ok(())),
        (premium, RESTRICTED_DEFAULT, Ok(()), Ok(())),
    ];
    for (viewer, agent, person, model) in table {
        for how in [Use::See, Use::Begin, Use::Select] {
            assert_eq!(may_use(viewer, agent, how), person, "{viewer:?} {agent:?} {how:?}");
        }
        assert_eq!(may_use(viewer, agent, Use::ModelSwitch), model, "{viewer:?} {agent:?} by a model");
    }
}

#[test]
fn the_rule_as_a_table() {
    let words = |how| {
        let of = |one: &Pairing| match one.gate {
            Gate { is_restricted: true, .. } => (one.viewer, "restricted"),
            Gate { is_support: true, .. } => (one.viewer, "support"),
            Gate { is_default: true, .. } => (one.viewer, "default"),
            _ => (one.viewer, "plain"),
        };
        pairings(how).iter().map(of).collect::<std::collections::BTreeSet<_>>()
    };
    let profiles = [
        ("free", "plain"),
        ("free", "default"),
        ("free", "support"),
        ("premium", "plain"),
        ("premium", "default"),
        ("premium", "support"),
        ("premium", "restricted"),
    ];
    let chosen = [("visitor", "default"), ("visitor", "support")].into_iter().chain(profiles);
    assert_eq!(words(Use::Select), chosen.collect());
    assert_eq!(words(Use::ModelSwitch), std::iter::once(("visitor", "support")).chain(profiles).collect());
    assert_eq!(
        serde_json::to_value(pairings(Use::ModelSwitch)[0]).unwrap(),
        serde_json::json!({
            "viewer": "free", "is_default": false, "is_support": false, "is_restricted": false,
        })
    );
}

#[test]
fn a_refusal_says_what_helps() {
    assert!(AccessRefusal::SignIn.wording().contains("sign in"));
    assert!(AccessRefusal::Premium.wording().contains("premium subscription"));
}
