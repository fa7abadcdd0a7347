//! Schemas of a document, so that they stand alone: what they refer to goes along as `$defs`, cycles too.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Schemas of one tool, and what they need of the document.
pub struct Schemas<'d> {
    document: &'d Value,
    needed: BTreeSet<String>,
}

impl<'d> Schemas<'d> {
    pub fn new(document: &'d Value) -> Self {
        Self { document, needed: BTreeSet::new() }
    }

    /// A schema whose references lead to `$defs` of the tool's parameters.
    pub fn own(&mut self, schema: &Value) -> Value {
        match schema {
            Value::Array(items) => items.iter().map(|item| self.own(item)).collect(),
            Value::Object(map) => self.of_object(map),
            other => other.clone(),
        }
    }

    fn of_object(&mut self, map: &Map<String, Value>) -> Value {
        if let Some(name) = map.get("$ref").and_then(Value::as_str).and_then(named) {
            self.needed.insert(name.to_owned());
            return json!({"$ref": format!("#/$defs/{name}")});
        }
        let mut own = Map::new();
        for (keyword, value) in map {
            let value = match (keyword.as_str(), value) {
                // Examples of other programs are long, and for people.
                ("example" | "examples" | "xml" | "nullable", _) => continue,
                ("enum" | "const" | "default", data) => data.clone(),
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(named)) => {
                    named.iter().map(|(name, schema)| (name.clone(), self.own(schema))).collect()
                }
                (_, schema) => self.own(schema),
            };
            own.insert(keyword.clone(), value);
        }
        // As version 3.0 says it.
        if map.get("nullable") == Some(&Value::Bool(true))
            && let Some(Value::String(kind)) = own.get("type").cloned()
        {
            own.insert("type".to_owned(), json!([kind, "null"]));
        }
        Value::Object(own)
    }

    /// All that is needed, and what that needs.
    pub fn definitions(mut self) -> Map<String, Value> {
        let mut found = Map::new();
        while let Some(name) = self.needed.pop_first() {
            if found.contains_key(&name) {
                continue;
            }
            let schema =
                self.document.pointer("/components/schemas").and_then(|all| all.get(unescaped(&name)));
            let own = schema.map_or(Value::Bool(true), |schema| self.own(schema));
            found.insert(name, own);
        }
        // As it stands in the pointer, so it is looked up.
        found.into_iter().map(|(name, schema)| (unescaped(&name), schema)).collect()
    }
}

fn named(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/components/schemas/").filter(|name| !name.contains('/'))
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}
