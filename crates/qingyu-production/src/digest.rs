//! Digests to compare values.

use qingyu_story::digest::hexadecimal;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns the first 16 hexadecimal digits of the SHA-256 of a value as JSON. The order of object members does not
/// matter.
pub(crate) fn digest(value: &Value) -> String {
    let mut hasher = Sha256::new();
    feed(value, &mut hasher);
    hexadecimal(&hasher.finalize()[..8])
}

fn feed(value: &Value, hasher: &mut Sha256) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_by_key(|(name, _)| *name);
            hasher.update(b"{");
            for (name, value) in names {
                hasher.update(Value::from(name.as_str()).to_string());
                hasher.update(b":");
                feed(value, hasher);
                hasher.update(b",");
            }
            hasher.update(b"}");
        }
        Value::Array(entries) => {
            hasher.update(b"[");
            for entry in entries {
                feed(entry, hasher);
                hasher.update(b",");
            }
            hasher.update(b"]");
        }
        plain => hasher.update(plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn order_of_members_does_not_matter_and_everything_else_does() {
        assert_eq!(digest(&json!({"a": 1, "b": [2]})), digest(&serde_json::from_str(r#"{"b":[2],"a":1}"#).unwrap()));
        let values = [json!(1), json!("1"), json!([1]), json!({"1": 1}), json!([[1]]), json!([1, null]), json!(null)];
        let digests: std::collections::BTreeSet<_> = values.iter().map(digest).collect();
        assert_eq!(digests.len(), values.len());
    }
}
