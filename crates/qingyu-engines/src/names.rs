//! Names that every server takes.

use std::fmt::Write;

use qingyu_knowledge::Source;
use qingyu_knowledge::engine::Scope;
use serde_json::json;
use sha2::{Digest, Sha256};

/// A scope as one text: a list in JSON, so that no name reaches into another.
pub(crate) fn scope(scope: &Scope) -> String {
    json!([scope.user, scope.project]).to_string()
}

/// A source as one text.
pub(crate) fn source(source: &Source) -> String {
    json!([source.kind.name(), source.id]).to_string()
}

/// The digest of a point's place: the same for the same place, whoever puts it there.
pub(crate) fn place(scope: &str, source: &str, part: u32) -> [u8; 16] {
    let digest = Sha256::digest(json!([scope, source, part]).to_string());
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}

/// A model's name as a name of letters, digits and `_`, with a digest of what was left out.
pub(crate) fn collection(prefix: &str, model: &str) -> String {
    let plain: String = model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
    let digest = Sha256::digest(model);
    format!("{prefix}{plain}_{}", hex(&digest[..6]))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A field's name in letters, digits and `_`; no two fields get the same.
pub(crate) fn field(name: &str) -> String {
    name.chars().fold(String::new(), |mut plain, c| {
        let _ = if c.is_ascii_alphanumeric() { write!(plain, "{c}") } else { write!(plain, "_{:x}_", u32::from(c)) };
        plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_differ() {
        assert_eq!(field("role_type"), "role_5f_type");
        assert_ne!(field("a_5f_b"), field("a_b"));
        assert_ne!(collection("q_", "e5/small"), collection("q_", "e5:small"));
        let scopes = [Scope::new("甲", "一/二"), Scope::new("甲/一", "二"), Scope::new("甲\",\"一", "二")];
        assert_eq!(scopes.iter().map(scope).collect::<std::collections::BTreeSet<_>>().len(), 3);
    }
}
