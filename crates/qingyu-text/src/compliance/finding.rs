//! A rule of a platform that a chapter does not keep.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule of a platform that a chapter does not keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The code, such as `QC101`; it never means anything else.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// Its bytes in the text, if it has a place.
    pub span: Option<Range<usize>>,
    /// The text as it stands there.
    pub text: String,
    /// What is wrong, in the language asked for.
    pub title: String,
    /// What to do, in the language asked for.
    pub advice: String,
    /// The values that title and advice are filled with.
    pub values: BTreeMap<String, String>,
}
