use serde_json::json;

use super::*;

#[test]
fn what_fits_and_what_does_not() {
    let schema = json!({
        "type": "object",
        "required": ["to"],
        "additionalProperties": false,
        "properties": {
            "to": {"type": "string", "minLength": 1},
            "sum": {"type": ["integer", "null"], "minimum": 0},
            "how": {"enum": ["cash", "card"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
    });
    let table = [
        (json!({"to": "Ana", "sum": 3, "how": "cash", "tags": ["a"]}), None),
        (json!({"to": "Ana", "sum": null}), None),
        (json!({}), Some("to is missing")),
        (json!({"to": ""}), Some("to must have at least 1 characters")),
        (json!({"to": "Ana", "sum": 1.5}), Some("sum must be of type integer or null")),
        (json!({"to": "Ana", "sum": -1}), Some("sum must be at least 0")),
        (json!({"to": "Ana", "how": "gold"}), Some("how must be one of \"cash\", \"card\"")),
        (json!({"to": "Ana", "tags": [1]}), Some("tags[0] must be of type string")),
        (json!({"to": "Ana", "who": 1}), Some("who is not known")),
        (json!([]), Some("it must be of type object")),
    ];
    for (value, wrong) in table {
        assert_eq!(check(&schema, &value).err().as_deref(), wrong, "{value}");
    }
}

/// Of each keyword: something that fits, something that doesn't, and what is said of it.
#[test]
fn every_keyword_is_checked() {
    let table = [
        (json!({"pattern": "^[A-Z]{2}$"}), json!("DE"), json!("de"), "a must match the pattern ^[A-Z]{2}$"),
        (json!({"format": "date"}), json!("2026-02-28"), json!("2026-02-30"), "a must be of the format date"),
        (
            json!({"format": "date-time"}),
            json!("2026-02-28T10:00:00Z"),
            json!("10:00"),
            "a must be of the format date-time",
        ),
        (json!({"format": "time"}), json!("10:00:00Z"), json!("25:00:00Z"), "a must be of the format time"),
        (json!({"format": "email"}), json!("a@example.org"), json!("a"), "a must be of the format email"),
        (
            json!({"format": "uri"}),
            json!("https://example.org/a"),
            json!("a b"),
            "a must be of the format uri",
        ),
        (
            json!({"format": "uuid"}),
            json!("018f3c1e-0000-7000-8000-000000000001"),
            json!("1"),
            "a must be of the format uuid",
        ),
        (json!({"format": "ipv4"}), json!("10.0.0.1"), json!("10.0.0.256"), "a must be of the format ipv4"),
        (json!({"format": "ipv6"}), json!("::1"), json!(":1"), "a must be of the format ipv6"),
        (json!({"exclusiveMinimum": 0}), json!(0.1), json!(0), "a must be more than 0"),
        (json!({"exclusiveMaximum": 9}), json!(8), json!(9), "a must be less than 9"),
        (json!({"multipleOf": 0.1}), json!(0.3), json!(0.35), "a must be a multiple of 0.1"),
        (json!({"multipleOf": 5}), json!(15), json!(16), "a must be a multiple of 5"),
        (
            json!({"uniqueItems": true}),
            json!([1, 2, "1"]),
            json!([1, 2, 1.0]),
            "a[2] is there already: each must be there once",
        ),
        (
            json!({"uniqueItems": true}),
            json!([{"x": 1}]),
            json!([{"x": 1, "y": 2}, {"y": 2, "x": 1}]),
            "a[1] is there already: each must be there once",
        ),
        (
            json!({"prefixItems": [{"type": "string"}], "items": false}),
            json!(["x"]),
            json!(["x", 1]),
            "a[1] is not known",
        ),
        (
            json!({"contains": {"type": "string"}}),
            json!([1, "x"]),
            json!([1]),
            "a lacks an item: one of its items must be of type string",
        ),
        (
            json!({"contains": {"const": 1}, "minContains": 2}),
            json!([1, 1]),
            json!([1]),
            "a must have at least 2 items of the kind it must contain",
        ),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!([1]),
            json!([1, 1]),
            "a must have at most 1 items of that kind",
        ),
        (json!({"minProperties": 1}), json!({"x": 1}), json!({}), "a must have at least 1 properties"),
        (
            json!({"maxProperties": 1}),
            json!({"x": 1}),
            json!({"x": 1, "y": 1}),
            "a must have at most 1 properties",
        ),
        (
            json!({"patternProperties": {"^n_": {"type": "number"}}, "additionalProperties": false}),
            json!({"n_a": 1}),
            json!({"n_a": "x"}),
            "a.n_a must be of type number",
        ),
        (
            json!({"patternProperties": {"^n_": {}}, "additionalProperties": false}),
            json!({"n_a": 1}),
            json!({"m": 1}),
            "a.m is not known",
        ),
        (
            json!({"additionalProperties": {"type": "number"}}),
            json!({"x": 1}),
            json!({"x": "1"}),
            "a.x must be of type number",
        ),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!({"ab": 1}),
            json!({"abc": 1}),
            "a.abc must have at most 2 characters (its name is meant)",
        ),
        (
            json!({"dependentRequired": {"card": ["bank"]}}),
            json!({"cash": 1}),
            json!({"card": 1}),
            "a.bank is missing: it goes with a.card",
        ),
        (
            json!({"dependentSchemas": {"card": {"required": ["bank"]}}}),
            json!({"cash": 1}),
            json!({"card": 1}),
            "a.bank is missing",
        ),
        (json!({"allOf": [{"minimum": 1}, {"maximum": 3}]}), json!(2), json!(4), "a must be at most 3"),
        (
            json!({"anyOf": [{"type": "string"}, {"minimum": 5}]}),
            json!(5),
            json!(4),
            "a is nothing that it may be: a must be of type string; or a must be at least 5",
        ),
        (
            json!({"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}),
            json!(4),
            json!(6),
            "a is 2 of the things of which it must be exactly one",
        ),
        (
            json!({"oneOf": [{"const": 1}, {"const": 1}, {"const": 2}]}),
            json!(2),
            json!(3),
            "a is nothing that it may be: a must be 1; or a must be 2",
        ),
        (json!({"not": {"type": "string"}}), json!(1), json!("x"), "a is what it must not be"),
        (
            json!({"if": {"required": ["x"]}, "then": {"required": ["y"]}, "else": {"required": ["z"]}}),
            json!({"x": 1, "y": 1}),
            json!({"x": 1}),
            "a.y is missing",
        ),
        (
            json!({"if": {"required": ["x"]}, "then": {"required": ["y"]}, "else": {"required": ["z"]}}),
            json!({"z": 1}),
            json!({"y": 1}),
            "a.z is missing",
        ),
        (json!({"$ref": "#/$defs/code"}), json!("ab"), json!(1), "a must be of type string"),
        (json!({"const": 1}), json!(1.0), json!(2), "a must be 1"),
        (json!(false), json!(null), json!(1), "a is not known"),
    ];
    for (property, fits, misfits, words) in table {
        let schema = json!({
            "type": "object", "properties": {"a": property}, "$defs": {"code": {"type": "string"}},
        });
        assert_eq!(check_schema(&schema), Ok(()), "{property}");
        if property != json!(false) {
            assert_eq!(check(&schema, &json!({"a": fits})), Ok(()), "{property}");
        }
        assert_eq!(check(&schema, &json!({"a": misfits})), Err(words.to_owned()), "{property}");
    }
}

#[test]
fn a_schema_may_be_of_trees() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name"],
    });
    assert_eq!(check_schema(&schema), Ok(()));
    assert_eq!(check(&schema, &json!({"name": "a", "parts": [{"name": "b"}]})), Ok(()));
    let wrong = check(&schema, &json!({"name": "a", "parts": [{"name": "b", "parts": [{}]}]}));
    assert_eq!(wrong, Err("parts[0].parts[0].name is missing".to_owned()));
}

#[test]
fn what_is_a_schema_and_what_is_not() {
    let good = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Result", "x-order": 1,
        "type": "object", "required": ["size"],
        "properties": {"size": {"type": "integer"}, "who": {"type": "array", "items": {"type": "string"}}},
    });
    assert_eq!(check_schema(&good), Ok(()));
    for wrong in
        [json!(null), json!({}), json!({"type": "string"}), json!({"type": "object", "properties": []})]
    {
        assert!(check_schema(&wrong).is_err(), "{wrong}");
    }
    assert!(check_schema(&json!({"type": "object", "required": ["a"]})).is_err());
    let table = [
        (json!({"type": "text"}), "it.a has a type that is none of string,"),
        (json!({"type": []}), "it.a has a type that is none of"),
        (json!({"type": ["string", 1]}), "it.a has a type that is none of"),
        (json!({"enum": []}), "it.a: enum must be a list"),
        (json!({"items": 5}), "it.a[] must be a JSON Schema"),
        (json!({"items": [{}]}), "it.a[] must be a JSON Schema"),
        (json!({"pattern": "("}), "it.a: pattern is no regular expression"),
        (json!({"pattern": "(?=x)x"}), "it.a: pattern is no regular expression"),
        (json!({"pattern": "(a{1000}){1000}"}), "it.a: pattern is too large"),
        (json!({"pattern": "a".repeat(2_000)}), "it.a: pattern must be at most"),
        (json!({"pattern": 1}), "it.a: pattern must be text"),
        (json!({"patternProperties": {"(": {}}}), "it.a: patternProperties has (, which is no"),
        (json!({"$ref": "#/$defs/nowhere"}), "it.a: $ref must lead to a schema within this one"),
        (json!({"$ref": "https://example.org/x"}), "it.a: $ref must lead to a schema within this one"),
        (json!({"$ref": "#/required"}), "it.a: $ref must lead"),
        (json!({"$ref": "#/properties/a"}), "it.a: $ref leads back to where it is"),
        (json!({"allOf": [{"$ref": "#/properties/a"}]}), "$ref leads back to where it is"),
        (json!({"minimum": "x"}), "it.a: minimum must be a number"),
        (json!({"minLength": "x"}), "it.a: minLength must be a whole number"),
        (json!({"minLength": -1}), "it.a: minLength must be a whole number"),
        (json!({"maxItems": 1.5}), "it.a: maxItems must be a whole number"),
        (json!({"multipleOf": 0}), "it.a: multipleOf must be a number above 0"),
        (json!({"uniqueItems": 1}), "it.a: uniqueItems must be true or false"),
        (json!({"required": "b"}), "it.a: required must be a list of names"),
        (json!({"dependentRequired": {"b": "c"}}), "it.a: dependentRequired must be"),
        (json!({"oneOf": []}), "it.a: oneOf must be a list of schemas"),
        (json!({"anyOf": [1]}), "it.a (anyOf[0]) must be a JSON Schema"),
        (json!({"not": "x"}), "it.a (not) must be a JSON Schema"),
        (json!({"format": "hostname"}), "it.a: format must be one of date,"),
        (json!({"unevaluatedProperties": false}), "it.a has the keyword unevaluatedProperties, which can't"),
        (json!({"minLenght": 1}), "it.a has the keyword minLenght, which can't"),
        (json!({"properties": {"b": {"nullable": true}}}), "it.a.b has the keyword nullable"),
    ];
    for (property, words) in table {
        let said = check_schema(&json!({"type": "object", "required": [], "properties": {"a": property}}));
        let said = said.expect_err(&property.to_string());
        assert!(said.contains(words), "{property}: {said}");
    }
    let mut deep = json!({});
    for _ in 0..20 {
        deep = json!({"properties": {"a": deep}});
    }
    deep["type"] = json!("object");
    assert!(check_schema(&deep).is_err_and(|said| said.contains("nested too deeply")));
}

/// Schemas that would keep a naive checker busy for years.
#[test]
fn no_check_is_endless() {
    let begun = std::time::Instant::now();
    // Each doubles the work of the one before.
    let mut defs = serde_json::Map::from_iter([("d0".to_owned(), json!({"type": "integer"}))]);
    for at in 1..60 {
        let before = json!({"$ref": format!("#/$defs/d{}", at - 1)});
        defs.insert(format!("d{at}"), json!({"allOf": [before.clone(), before]}));
    }
    let doubling =
        json!({"type": "object", "$defs": defs, "properties": {"a": {"not": {"$ref": "#/$defs/d59"}}}});
    assert_eq!(check_schema(&doubling), Ok(()));
    let said = check(&doubling, &json!({"a": 1}));
    assert!(said.is_err_and(|said| said.contains("too long to check")));
    let greedy = json!({"type": "object", "properties": {"a": {"pattern": "^(a+)+$"}}});
    assert_eq!(check_schema(&greedy), Ok(()));
    let text = "a".repeat(100_000);
    assert_eq!(check(&greedy, &json!({"a": text})), Ok(()));
    assert!(check(&greedy, &json!({"a": text + "b"})).is_err());
    let many: Vec<usize> = (0..50_000).collect();
    assert_eq!(check(&json!({"properties": {"a": {"uniqueItems": true}}}), &json!({"a": many})), Ok(()));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// They aren't refused when made: schemas of other people's tools aren't looked at.
#[test]
fn a_reference_in_a_circle_asks_for_nothing() {
    let circle = json!({"properties": {
        "a": {"$ref": "#/properties/a"},
        "b": {"allOf": [{"$ref": "#/properties/c"}], "type": "integer"},
        "c": {"anyOf": [{"$ref": "#/properties/b"}]},
    }});
    assert_eq!(check(&circle, &json!({"a": 1, "b": 2, "c": 3})), Ok(()));
    assert!(check(&circle, &json!({"c": "x"})).is_err(), "what else is asked for holds");
    let tree = json!({"type": "object", "additionalProperties": {"$ref": "#"}});
    assert_eq!(check(&tree, &json!({"a": {"b": {}}})), Ok(()));
    assert!(check(&tree, &json!({"a": {"b": 7}})).is_err());
}

/// As many tools of other people still describe themselves.
#[test]
fn words_of_draft_07_are_understood() {
    let schema = json!({"properties": {
        "pair": {"items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false},
        "loose": {"items": [{"type": "string"}]},
        "card": {"dependencies": {
            "number": ["holder"],
            "holder": {"properties": {"number": {"type": "string"}}},
        }},
    }});
    for (value, wrong) in [
        (json!({"pair": ["a", 1]}), None),
        (json!({"pair": ["a"]}), None),
        (json!({"pair": [1, "a"]}), Some("pair[0] must be of type string")),
        (json!({"pair": ["a", 1, 2]}), Some("pair[2] is not known")),
        (json!({"loose": ["a", 1, null]}), None),
        (json!({"card": {"holder": "Ana"}}), None),
        (json!({"card": {"number": "1"}}), Some("card.holder is missing: it goes with card.number")),
        (json!({"card": {"number": 1, "holder": "Ana"}}), Some("card.number must be of type string")),
    ] {
        assert_eq!(check(&schema, &value).err().as_deref(), wrong, "{value}");
    }
}
