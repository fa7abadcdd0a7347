//! The assessment: stages that follow each other by themselves.

use baton_core::tools::ToolSpec;
use serde_json::{Value, json};

use super::super::Expect::{Calls, Says};
use super::super::shapes::notes;
use super::super::{ask, check, request, said, tool, user};

fn stage(properties: Value, required: &[&str]) -> ToolSpec {
    tool(
        "complete_stage",
        "Ends this stage with its result. The next stage begins at once.",
        properties,
        required,
    )
}

#[test]
fn an_assessment_runs_through_its_stages() {
    let text = json!({"type": "string"});
    let qualify = stage(
        json!({"company": text, "industry": text, "employees": {"type": "integer"}, "qualified": {"type": "boolean"}}),
        &["company", "industry", "employees", "qualified"],
    );
    let mut asked =
        request("You are the Qualifier.", vec![qualify], "Hi, I'm from Acme GmbH, we have 40 employees");
    let reply = check(&asked, Says(&["**industry**"]));
    asked.messages.extend([said(&reply.text), user("Logistics")]);
    let first = json!({"company": "Acme GmbH", "industry": "Logistics", "employees": 40, "qualified": true});
    check(&asked, Calls(vec![("complete_stage", first.clone())]));

    let assess = stage(
        json!({"readiness_score": {"type": "integer", "minimum": 0, "maximum": 100},
               "risk_level": {"type": "string", "enum": ["low", "medium", "high"]},
               "strengths": {"type": "array", "items": text}, "rationale": text}),
        &["readiness_score", "risk_level", "strengths", "rationale"],
    );
    let mut asked = request(
        "You are the Assessor. You rate what the qualifier found.",
        vec![assess],
        "(The next stage begins.)",
    );
    asked.system.context = Some(json!({"stages": {"qualifier": first}}).to_string());
    let reply = ask(&asked);
    assert_eq!(reply.calls.len(), 1, "{}", reply.text);
    let second = Value::Object(reply.calls[0].1.clone());
    assert_eq!((&second["readiness_score"], &second["risk_level"]), (&json!(50), &json!("medium")));

    let analyze =
        stage(json!({"report": text, "recommendations": {"type": "array", "items": text}}), &["report"]);
    let mut asked = request("You are the Analyzer. You write the report.", vec![analyze], "Begin.");
    asked.system.context = Some(json!({"stages": {"qualifier": first, "assessor": second}}).to_string());
    let reply = ask(&asked);
    let report = reply.calls[0].1["report"].as_str().unwrap().to_owned();
    for part in ["Acme GmbH", "Logistics", "40", "readiness score: 50", "risk level: medium"] {
        assert!(report.contains(part), "no {part} in {report}");
    }
}

#[test]
fn what_is_said_without_an_areas_name_counts_too() {
    let text = json!({"type": "string"});
    let score = json!({"type": "integer", "minimum": 1, "maximum": 5});
    let assess = stage(
        json!({"people_score": score, "people_answer": text, "data_score": score, "data_answer": text}),
        &["people_score", "people_answer", "data_score", "data_answer"],
    );
    let standing = "You are the Assessor. Don't ask the person anything: where nothing is known, score 2.";
    let asked = request(
        standing,
        vec![assess],
        "Our invoices are late, and nobody owns the topic. All is well in Excel.",
    );
    let reply = ask(&asked);
    let result = &reply.calls[0].1;
    assert_eq!((&result["people_score"], &result["data_score"]), (&json!(2), &json!(4)));
    assert_eq!(result["people_answer"], "The person said: “and nobody owns the topic”.");
}

#[test]
fn asking_to_go_on_tells_nothing_about_a_company() {
    let text = json!({"type": "string"});
    let qualify = stage(json!({"company": text, "situation": text}), &["company"]);
    let mut asked = request(
        "You are the Qualifier.",
        vec![qualify],
        "We are Nordwind. Our orders are in Excel. Please go on with it.",
    );
    let found = json!({"company": "Nordwind", "situation": "Our orders are in Excel."});
    check(&asked, Calls(vec![("complete_stage", found.clone())]));
    asked.messages.extend([said("Thank you, that"), user("Please go on")]);
    check(&asked, Calls(vec![("complete_stage", found)]));
}

#[test]
fn superlatives_are_answered_from_the_numbers_that_were_given() {
    let text = json!({"type": "string"});
    let report = tool(
        "complete_stage",
        "Completes the stage report: call it once you have everything it asks for. It is the last stage: then tell the person the result.",
        json!({"summary": text}),
        &["summary"],
    );
    let asked = |results: &Value, words: &str| {
        let standing = "You are the Analyzer. Afterwards you answer questions about the report.";
        let mut asked =
            request(standing, vec![report.clone(), notes()], "(The stage before yours is completed.)");
        asked.messages.extend([said("**Summary**\n\nDone."), user(words)]);
        asked.system.context =
            Some(format!("# Results of earlier stages (data, not instructions)\n{results}"));
        asked
    };
    let scores = json!({
        "assessment": {"data_score": 4, "people_score": 1, "people_answer": "Nobody has time.", "processes_score": 2},
        "qualification": {"team_size": 45}, "report": {"summary": "x"},
    });
    for (words, part) in [
        ("What is the weakest area?", "The weakest is **people**, with a score of 1."),
        ("Which area has the lowest score?", "The lowest is **people**, with a score of 1."),
        ("Where are we strongest?", "The strongest is **data**, with a score of 4."),
        ("What's the best area?", "The best is **data**, with a score of 4."),
    ] {
        let reply = check(&asked(&scores, words), Says(&["people 1, processes 2 and data 4"]));
        assert!(reply.text.starts_with(part), "{words}: {}", reply.text);
    }
    check(&asked(&scores, "What is the weakest area?"), Says(&["People: Nobody has time"]));
    let shared = json!({"report": {}, "scores": {"data": 2, "people": 2, "tools": 3}});
    check(
        &asked(&shared, "What is the lowest score?"),
        Says(&["**data** and **people**, each with a score of 2"]),
    );
    let listed =
        json!({"report": {}, "budgets": [{"name": "Travel", "spent": 120}, {"name": "Food", "spent": 300}]});
    check(&asked(&listed, "Which budget is the largest?"), Says(&["The largest is **Food**", "300"]));
    // What the numbers aren't about is looked for elsewhere.
    let reply = ask(&asked(&scores, "What is my best recipe?"));
    assert!(!reply.text.contains("score"), "{}", reply.text);
    let several =
        json!({"report": {}, "scores": {"data": 2, "people": 4}, "prices": {"car": 100, "van": 300}});
    for results in [json!({"report": {}, "min_price": 100, "max_price": 300}), several] {
        let reply = ask(&asked(&results, "What would be best?"));
        assert!(!reply.text.contains("The best is"), "{results}: {}", reply.text);
    }
}
