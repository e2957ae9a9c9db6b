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

/// The same for contents that may be absent.
pub(crate) mod optional {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => super::serialize(bytes, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        #[derive(serde::Deserialize)]
        struct Encoded(#[serde(deserialize_with = "crate::encoded::deserialize")] Vec<u8>);
        let encoded: Option<Encoded> = serde::Deserialize::deserialize(deserializer)?;
        Ok(encoded.map(|Encoded(bytes)| bytes))
    }
}
