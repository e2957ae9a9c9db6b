//! Errors on the wire: RFC 9457 problem documents with the stable codes of the studio.

use qingyu_studio::FailureRecord;
use serde::{Deserialize, Serialize};

/// The body of an `application/problem+json` response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ProblemDocument {
    /// The problem type: `urn:qingyu:error:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The HTTP status.
    pub status: u16,
    /// An English message, for logs and for people without a translating client.
    pub title: String,
    /// The stable error code, such as `unknown_project`.
    pub code: String,
    /// The data of the message, by name.
    #[serde(default)]
    pub data: serde_json::Map<String, serde_json::Value>,
    /// Seconds until a retry is useful, if waiting helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The request id used in the logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl ProblemDocument {
    /// Returns the failure as the studio of the server reported it.
    pub fn failure(self) -> FailureRecord {
        FailureRecord { code: self.code, message: self.title, data: self.data.into_iter().collect() }
    }
}
