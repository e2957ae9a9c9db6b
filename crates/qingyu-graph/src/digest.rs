//! Digests and fingerprints.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Hashes `parts`, each prefixed with the length, and returns 32 hexadecimal digits.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a digest of the JSON of `value`, independent of the order of maps.
pub(crate) fn fingerprint(value: &(impl Serialize + ?Sized)) -> Result<String, serde_json::Error> {
    let value = sorted(serde_json::to_value(value)?);
    Ok(digest(&[&value.to_string()]))
}

/// Returns `value` with the entries of all objects sorted by key.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(entries) => {
            let entries: BTreeMap<_, _> = entries.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.into_iter().collect()
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_fingerprint_does_not_depend_on_the_order_of_maps() {
        #[derive(Serialize)]
        struct Input {
            second: u8,
            first: [HashMap<u8, u8>; 1],
        }
        let input = |keys: [u8; 3]| Input { second: 2, first: [keys.map(|key| (key, key)).into()] };
        let expected = fingerprint(&json!({ "first": [{ "1": 1, "2": 2, "3": 3 }], "second": 2 })).unwrap();
        for keys in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
            assert_eq!(fingerprint(&input(keys)).unwrap(), expected);
        }
        assert_ne!(fingerprint(&input([1, 2, 4])).unwrap(), expected);
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
