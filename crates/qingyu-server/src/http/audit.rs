//! What was done over the API, for the audit.

use qingyu_studio::operations::Described;
use qingyu_studio::{Right, Studio};
use serde_json::Value;

use super::Problem;
use super::listen::Peer;

/// Operations that change nothing but take something away with them.
const EXPORTS: &[&str] = &["export_book", "export_content"];
/// Operations that only whoever looks after the server may ask for, and that change nothing.
const LOOKS: &[&str] = &["preview_prompt"];
/// The fields that name what is done something to, the narrowest first.
const NAMING: &[&str] = &["run", "memory", "branch", "finding", "project", "key", "name", "provider"];

/// Whether it is written down: what changes something, or takes it away.
pub(super) fn is_kept(described: &Described) -> bool {
    let changes = described.right != Right::Read && !LOOKS.contains(&described.name);
    changes || EXPORTS.contains(&described.name)
}

/// What a request is about: the id of a run, a memory or a project, the name of a setting or a prompt. Nothing of what it says.
pub(super) fn object(asked: &Value) -> Option<String> {
    NAMING.iter().find_map(|name| asked[*name].as_str()).map(str::to_owned)
}

/// Writes down what was done to what, and what came of it.
///
/// Nobody is refused because this cannot be written; the log says so.
pub(super) async fn record<T>(
    studio: &Studio,
    action: &str,
    object: &str,
    done: &Result<T, Problem>,
    peer: Option<Peer>,
) {
    let code = done.as_ref().err().map_or("ok", |problem| problem.document().code.as_str());
    let origin = peer.map(|Peer(address)| address.ip().to_string()).unwrap_or_default();
    if let Err(error) = studio.access().from(&origin).record_as(action, object, code).await {
        tracing::error!(%error, action, object, "what was done could not be written into the audit");
    }
}
