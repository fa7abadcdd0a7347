use baton_core::models::SaidCall;
use baton_core::schema;
use baton_core::tools::ToolSpec;
use serde_json::json;

use super::*;

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("Does {name}."),
        parameters: json!({"type": "object", "properties": {"at": {"type": "string"}}}),
    }
}

fn searched() -> Searched {
    let specs = vec![spec("files__read"), spec("files__write"), spec("weather")];
    Searched::new(specs, SEARCH.to_owned(), CALL.to_owned())
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn said(name: &str, arguments: Value) -> SaidCall {
    SaidCall { id: "c1".into(), name: name.into(), arguments: Ok(object(arguments)) }
}

#[test]
fn a_twentieth_of_the_window_is_not_too_much_and_a_token_more_is() {
    // 4,000 bytes with the schema's two.
    let specs = [ToolSpec { name: "a".into(), description: "x".repeat(3_998), parameters: json!({}) }];
    assert!(!are_too_many(specs.iter(), 20_000));
    assert!(are_too_many(specs.iter(), 19_999));
    assert!(!are_too_many(std::iter::empty(), 0), "none are never too many");
}

#[test]
fn a_call_is_the_call_of_the_tool_that_it_names() {
    let searched = searched();
    let through = Some(CALL.to_owned());
    for (call, name, arguments, by) in [
        (
            said(CALL, json!({"name": "weather", "arguments": {"at": "Rome"}})),
            "weather",
            json!({"at": "Rome"}),
            &through,
        ),
        (said(CALL, json!({"name": "weather"})), "weather", json!({}), &through),
        // By its own name: the model is shown how it should have been called.
        (said("weather", json!({"at": "Rome"})), "weather", json!({"at": "Rome"}), &through),
        (said("look", json!({"at": "Rome"})), "look", json!({"at": "Rome"}), &None),
        (said(SEARCH, json!({"query": "rain"})), SEARCH, json!({"query": "rain"}), &None),
    ] {
        let (meant, named_by) = searched.meant(call);
        assert_eq!((meant.name.as_str(), &meant.arguments), (name, &Ok(object(arguments))));
        assert_eq!((&named_by, meant.id.as_str()), (by, "c1"));
    }
}

#[tokio::test]
async fn what_names_no_tool_to_search_for_stays_a_call_that_is_told_why() {
    let searched = searched();
    let [_, call_tool] = searched.means();
    for arguments in [
        json!({"name": "nope", "arguments": {}}),
        json!({"name": "look", "arguments": {}}),
        json!({"name": CALL, "arguments": {"name": "weather"}}),
        json!({"name": "weather", "arguments": "{}"}),
        json!({"name": "weather", "arguments": {}, "more": 1}),
        json!({"name": 3}),
        json!({}),
    ] {
        let (same, through) = searched.meant(said(CALL, arguments.clone()));
        assert_eq!((same, through), (said(CALL, arguments.clone()), None));
        let fits = schema::check(&call_tool.spec().parameters, &arguments).is_ok()
            && call_tool.check(&object(arguments.clone())).is_ok();
        assert!(!fits, "{arguments}");
    }
    let why = call_tool.check(&object(json!({"name": "nope"}))).expect_err("unknown");
    assert!(why.0.contains(r#""nope""#) && why.0.contains(SEARCH), "{why}");
    let unreadable = SaidCall { arguments: Err("{".into()), ..said(CALL, json!({})) };
    assert_eq!(searched.meant(unreadable.clone()), (unreadable, None));
}

#[test]
fn the_model_is_shown_what_it_said() {
    let given = object(json!({"name": "weather", "arguments": {"at": "Rome"}}));
    let (meant, through) = searched().meant(said(CALL, Value::Object(given.clone())));
    let step = CallStep {
        call_id: meant.id,
        tool_name: meant.name,
        through,
        display_name: String::new(),
        args: meant.arguments.expect("an object"),
        nature: None,
        loads_skill: false,
        hands_off: false,
    };
    assert_eq!(as_said(&step, step.args.clone()), (CALL.to_owned(), given));
    // Arguments that a person changed are shown where the model put its own.
    let changed = object(json!({"at": "Oslo"}));
    let shown = object(json!({"name": "weather", "arguments": {"at": "Oslo"}}));
    assert_eq!(as_said(&step, changed.clone()), (CALL.to_owned(), shown));
    let plain = CallStep { through: None, ..step };
    assert_eq!(as_said(&plain, changed.clone()), ("weather".to_owned(), changed));
}

#[test]
fn a_step_says_by_what_it_was_named_only_where_it_was() {
    let step = json!({"call_id": "c", "tool_name": "t", "display_name": "T", "args": {}});
    let old: CallStep = serde_json::from_value(step.clone()).expect("a step of before");
    assert_eq!(old.through, None);
    assert_eq!(serde_json::to_value(&old).expect("json"), step, "the same as it was stored before");
}

#[test]
fn the_search_says_what_there_is() {
    let told = search_spec(&searched().specs).description;
    assert!(told.contains("3 more: files (2), weather."), "{told}");
    let many: Vec<ToolSpec> = (0..60).map(|n| spec(&format!("server{n}__look"))).collect();
    assert!(search_spec(&many).description.contains("and 20 others"));
}

mod searching {
    use super::*;
    use crate::tests::ready_agents::nobody;

    async fn search(specs: Vec<ToolSpec>, arguments: Value) -> Value {
        let searched = Searched::new(specs, SEARCH.to_owned(), CALL.to_owned());
        let [search, _] = searched.means();
        search.call(&nobody(), object(arguments)).await.expect("an answer").value
    }

    #[tokio::test]
    async fn finds_tools_with_all_that_a_call_needs() {
        let told = search(searched().specs.to_vec(), json!({"query": "read"})).await;
        let tool = &told["tools"][0];
        assert_eq!(tool["name"], "files__read");
        assert_eq!(tool["input_schema"]["properties"]["at"]["type"], "string");
        assert_eq!((tool["description"].as_str(), &told["more"]), (Some("Does files__read."), &Value::Null));
        let nothing = search(searched().specs.to_vec(), json!({"query": "zebra"})).await;
        assert_eq!(nothing["tools"], json!([]));
        assert!(nothing["note"].as_str().is_some_and(|note| note.contains("files (2)")), "{nothing}");
    }

    #[tokio::test]
    async fn tells_no_more_than_was_asked_for_or_fits() {
        let many: Vec<ToolSpec> = (0..60).map(|n| spec(&format!("server__look{n:02}"))).collect();
        let names = |told: &Value| told["tools"].as_array().map_or(0, Vec::len);
        let told = search(many.clone(), json!({"query": "server"})).await;
        assert_eq!((names(&told), &told["more"]), (5, &json!(55)));
        assert_eq!(told["tools"][0]["name"], "server__look00", "equals in their order");
        let told = search(many.clone(), json!({"query": "server", "limit": 20})).await;
        assert_eq!(names(&told), 20);
        let huge = many.into_iter().map(|one| ToolSpec { description: "x".repeat(30_000), ..one }).collect();
        let told = search(huge, json!({"query": "server", "limit": 20})).await;
        assert_eq!(names(&told), 1);
    }
}

mod ready {
    use super::*;
    use crate::tests::ready_agents;
    use baton_core::ids::AgentId;

    /// Six tools, of which people brought two; both specs together are some dozens of tokens.
    fn sent(window: u64) -> (Vec<String>, Option<Vec<String>>, usize) {
        let ready = ready_agents::ready(AgentId::new(), "Ana", "openai", 6, window);
        let names = |specs: &[ToolSpec]| specs.iter().map(|spec| spec.name.clone()).collect();
        (
            names(&ready.specs),
            ready.searched.as_ref().map(|searched| names(&searched.specs)),
            ready.tools.len(),
        )
    }

    #[test]
    fn what_people_brought_is_sent_as_long_as_it_fits_and_keeps_its_names() {
        let (all, none, tools) = sent(1_000_000);
        assert_eq!((all.len(), none, tools), (6, None, 6));
        let (sent, searched, tools) = sent(0);
        let searched = searched.expect("some");
        assert_eq!(tools, 8, "all are there, and the two");
        assert_eq!(sent[sent.len() - 2..], [SEARCH, CALL]);
        let left: Vec<&String> = sent[..sent.len() - 2].iter().collect();
        let kept: Vec<&String> = all.iter().filter(|name| !searched.contains(name)).collect();
        assert_eq!(left, kept, "the others in their order, by the names that they had");
        assert!(searched.iter().all(|name| all.contains(name)), "{searched:?}");
        let (again, ..) = self::sent(0);
        assert_eq!(again, sent);
    }
}
