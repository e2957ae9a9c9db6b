//! JSON names of kinds.

use serde::Serialize;

/// Returns the JSON name of a kind, such as `parent_of`.
pub(super) fn kind_name(kind: impl Serialize) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}
