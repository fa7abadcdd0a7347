//! Telling "left out" from "null" in a PATCH.

use serde::{Deserialize, Deserializer};

/// For `Option<Option<T>>` with `#[serde(default)]`: a field that is there, even as null, is `Some`.
pub fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}
