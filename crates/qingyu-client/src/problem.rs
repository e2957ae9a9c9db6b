//! Failures on the wire: RFC 9457 problem documents with the stable codes of the studio.

use qingyu_studio::Failure;
use serde::{Deserialize, Serialize};

/// The body of an `application/problem+json` response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ProblemDocument {
    /// Names the kind of problem: `urn:qingyu:error:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status of the answer.
    pub status: u16,
    /// In English, for logs and for people without a door of their own.
    pub title: String,
    /// Stable, such as `unknown_project`.
    pub code: String,
    /// What the message is made of, by name.
    #[serde(default)]
    pub data: serde_json::Map<String, serde_json::Value>,
    /// In how many seconds it is worth trying again, if waiting helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The request, as in the logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl ProblemDocument {
    /// Returns the failure as the studio of the server reported it.
    pub fn failure(self) -> Failure {
        Failure { code: self.code, message: self.title, data: self.data.into_iter().collect() }
    }
}
