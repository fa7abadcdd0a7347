use super::*;
use baton_core::access::Gate;
use baton_core::ids::AgentId;

fn target(slug: &str, name: &str) -> Target {
    let gate = Gate { is_default: false, is_support: false, is_restricted: false };
    Target { id: AgentId::new(), slug: slug.into(), name: name.into(), description: None, gate }
}

#[test]
fn what_was_only_said_is_told_from_what_is_innocent() {
    let (design, support) = (target("rfp-design", "RFP Design"), target("support", "Support"));
    let reachable = [&design, &support];
    let table = [
        ("I'll transfer you to RFP Design now.", Some("rfp-design")),
        ("Let me hand this over to RFP Design.", Some("rfp-design")),
        ("Great! I am connecting you with Support. One moment please.", Some("support")),
        ("I’m handing you to the RFP Design agent", Some("rfp-design")),
        ("RFP Design will take it from here.", Some("rfp-design")),
        ("Support is taking over.", Some("support")),
        ("I will route you to rfp-design, who knows all about this.", Some("rfp-design")),
        ("Let me put you through to Support!", Some("support")),
        ("I have passed this on. I'm passing you to Support.", Some("support")),
        ("Ich verbinde dich mit Support.", Some("support")),
        ("Would you like me to connect you with Support?", None),
        ("If you want, I can transfer you to RFP Design.", None),
        ("I can't transfer you to RFP Design without an account.", None),
        ("RFP Design handles requests for proposals; I do the rest.", None),
        ("I could hand this to Support, but I think I can help myself.", None),
        ("Support told me earlier that the ticket is closed.", None),
        ("I'll design the RFP with you: what is it for?", None),
        ("You can reach Support at any time with the menu above.", None),
        ("I'm handing out the report tomorrow; supporting files are attached.", None),
        ("I'll connect you with RFP Design or Support.", None),
        ("I'm connecting you now\nSupport is a good team", None),
        ("I'll transfer you; Support is a good team.", None),
        ("I'll transfer you to Support, is that right?", None),
        ("I'll transfer you to the supporters.", None),
        ("I'll transfer you to techsupport.", None),
        ("I'll transfer you to rfp design", Some("rfp-design")),
        ("You could ask Support. I'll transfer you to RFP Design.", Some("rfp-design")),
        ("They transfer calls to Support all day.", None),
        ("We pretransfer what I'll need to Support.", None),
    ];
    for (text, expected) in table {
        let found = suggested(text, &reachable).map(|target| target.slug.as_str());
        assert_eq!(found, expected, "{text}");
    }
}
