//! Short names for long contents.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Hashes `parts`, each with its length, to 32 hexadecimal digits.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes the JSON of `value`. Maps must be ordered, or the same value gets different fingerprints.
pub(crate) fn fingerprint(value: &(impl Serialize + ?Sized)) -> Result<String, serde_json::Error> {
    Ok(digest(&[&serde_json::to_string(value)?]))
}
