//! Research: the web searched, read and cited.

use qingyu_graph::NodeError;
use qingyu_story::Language;
use qingyu_web::Web;
use serde_json::Value;

use crate::call::{CallRecord, Seat};

/// What is to be found out.
pub(super) struct Researching {
    pub(super) question: String,
    pub(super) premise: String,
    pub(super) language: Language,
    pub(super) max_queries: usize,
    pub(super) max_sources: usize,
}

/// What was found out.
pub(super) struct Researched {
    pub(super) report: Value,
    pub(super) records: Vec<CallRecord>,
    pub(super) warnings: Vec<String>,
}

/// Finds out.
pub(super) async fn research(_: &Seat<'_>, _: &Web, asked: &Researching) -> Result<Researched, NodeError> {
    let report = serde_json::json!({"question": asked.question});
    Ok(Researched { report, records: Vec::new(), warnings: Vec::new() })
}
