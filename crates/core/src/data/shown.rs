//! Rows as models and people read them: camelCase, and amounts as decimal text beside their currency.

use serde_json::{Map, Value};

use super::check::Fields;
use super::kind::{FieldType, Kind};
use super::money::PARTS;
use crate::money::{self, Currency};

/// A row for a model: what is null is left out.
pub fn for_models(kind: &Kind, fields: &Fields, titles: &Fields) -> Map<String, Value> {
    let mut shown = Map::new();
    for field in kind.fields {
        let Some(value) = fields.get(field.name).filter(|value| !value.is_null()) else { continue };
        let value = match field.of {
            FieldType::Money { currency } => decimal(fields, currency, value),
            _ => value.clone(),
        };
        shown.insert(field.camel_name(), value);
    }
    for (name, title) in titles {
        shown.insert(name.clone(), title.clone());
    }
    if let Some(parts) = fields.get(PARTS).and_then(Value::as_array) {
        let part = |part: &Value| {
            let mut shown = Map::new();
            shown.insert("amount".to_owned(), decimal(fields, "currency", &part["amount"]));
            for (name, camel) in [("category_id", "categoryId"), ("category", "category"), ("memo", "memo")] {
                if !part[name].is_null() {
                    shown.insert(camel.to_owned(), part[name].clone());
                }
            }
            Value::Object(shown)
        };
        shown.insert("parts".to_owned(), parts.iter().map(part).collect());
    }
    shown
}

/// What a field that refers to another row is called when it holds that row's title: `category` of `category_id`.
pub fn title_name(field: &str) -> &str {
    field.strip_suffix("_id").unwrap_or(field)
}

fn decimal(fields: &Fields, currency: &str, value: &Value) -> Value {
    let currency = fields.get(currency).and_then(Value::as_str).and_then(Currency::parse);
    match (value.as_i64(), currency) {
        (Some(minor), Some(currency)) => money::format(minor, currency).into(),
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests;
