//! Audit records of the API.

use qingyu_studio::operations::OperationDescription;
use qingyu_studio::{Right, Studio};
use serde_json::Value;

use super::HttpProblem;
use super::listen::Peer;

/// Read-only operations exporting data.
const EXPORTS: &[&str] = &["export_book", "export_content"];
/// Read-only operations reserved for administrators.
const LOOKS: &[&str] = &["preview_prompt"];
/// The fields naming the object of an operation, most specific first.
const NAMING: &[&str] = &["run", "memory", "branch", "finding", "project", "key", "name", "provider", "genre"];

/// Returns whether an operation is audited: changes and exports.
pub(super) fn is_kept(described: &OperationDescription) -> bool {
    let changes = described.right != Right::Read && !LOOKS.contains(&described.name);
    changes || EXPORTS.contains(&described.name)
}

/// Returns the object of a request: the id of a run, a memory or a project, the name of a setting or a prompt. No
/// content is included.
pub(super) fn object(asked: &Value) -> Option<String> {
    NAMING.iter().find_map(|name| asked[*name].as_str()).map(str::to_owned)
}

/// Appends an operation, its object and its outcome to the audit log.
///
/// A failed write does not fail the request, and is logged.
pub(super) async fn record<T>(
    studio: &Studio,
    action: &str,
    object: &str,
    done: &Result<T, HttpProblem>,
    peer: Option<Peer>,
) {
    let code = done.as_ref().err().map_or("ok", |problem| problem.document().code.as_str());
    let origin = peer.map(|Peer(address)| address.ip().to_string()).unwrap_or_default();
    if let Err(error) = studio.access().from(&origin).record_as(action, object, code).await {
        tracing::error!(%error, action, object, "failed to write an audit entry");
    }
}
