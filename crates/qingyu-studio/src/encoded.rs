//! Serialization of file contents as base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

pub(crate) fn deserialize<'de, B: From<Vec<u8>>, D: Deserializer<'de>>(deserializer: D) -> Result<B, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = STANDARD.decode(text.as_bytes());
    bytes.map(B::from).map_err(|error| serde::de::Error::custom(format!("the file must be base64: {error}")))
}
