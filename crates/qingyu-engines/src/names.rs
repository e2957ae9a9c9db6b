//! Names valid on every server.

use std::fmt::Write;

use qingyu_knowledge::Source;
use qingyu_knowledge::engine::Scope;
use qingyu_story::digest::{hexadecimal, prefix};
use serde_json::json;

/// Returns a scope as a text: a JSON list, so that no name can run into another.
pub(crate) fn scope(scope: &Scope) -> String {
    json!([scope.user, scope.project]).to_string()
}

/// Returns a source as a text.
pub(crate) fn source(source: &Source) -> String {
    json!([source.kind.name(), source.id]).to_string()
}

/// Returns the digest of a point's place, the same for every caller.
pub(crate) fn place(scope: &str, source: &str, part: u32) -> [u8; 16] {
    prefix(json!([scope, source, part]).to_string().as_bytes())
}

/// Returns a model's name in letters, digits and `_`, with a digest of the removed characters.
pub(crate) fn collection(start: &str, model: &str) -> String {
    let plain: String = model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
    format!("{start}{plain}_{}", hexadecimal(&prefix::<6>(model.as_bytes())))
}

/// Returns a field's name in letters, digits and `_`, without collisions.
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
