//! The document for a bug report.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostics::check::CheckState;
use crate::runs::kind::RunKind;
use crate::settings::layer::SettingLayer;

/// The configuration and failures of the program, without any of the author's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostics {
    /// An explanation for people.
    pub about: String,
    /// The format: `qingyu-diagnostics-1`.
    pub format: String,
    /// The time of creation.
    pub made: Timestamp,
    /// The program.
    pub program: ProgramFacts,
    /// The operating system.
    pub platform: PlatformFacts,
    /// The name of the data folder, without its parent folders.
    pub folder: String,
    /// The settings different from the default, by name.
    pub settings: Vec<ReportedSetting>,
    /// The number of projects with their own settings file.
    pub project_settings: usize,
    /// The results of the doctor.
    pub checks: Vec<ReportedCheck>,
    /// The number of recent runs, by status.
    pub runs: BTreeMap<String, usize>,
    /// The most recent failed runs, newest first.
    pub failures: Vec<ReportedFailure>,
    /// Sizes: bytes of files for names ending in `_bytes`, counts otherwise.
    pub sizes: BTreeMap<String, u64>,
    /// The failed parts of the diagnostics, with the failure's code.
    pub unread: BTreeMap<String, String>,
}

/// Facts about the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramFacts {
    /// The release.
    pub version: String,
    /// Whether the program is a debug build.
    pub debug: bool,
    /// The enabled features.
    pub features: Vec<String>,
}

/// Facts about the operating system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlatformFacts {
    /// The operating system, such as `linux`.
    pub system: String,
    /// The architecture, such as `x86_64`.
    pub architecture: String,
    /// The number of hardware threads; `None` if unknown.
    pub processors: Option<usize>,
}

/// A redacted setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedSetting {
    /// The name in the settings reference: `providers.<provider>.base_url`.
    pub key: String,
    /// The value, or `<hidden>`.
    pub value: Value,
    /// The layer of the value.
    pub layer: SettingLayer,
    /// The name of the file or variable setting the value.
    pub source: Option<String>,
}

/// A redacted check result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedCheck {
    /// The name of the check, such as `free_space`.
    pub check: String,
    /// The result of the check.
    pub state: CheckState,
    /// Numbers, codes and known names from the check.
    pub data: BTreeMap<String, Value>,
}

/// A redacted failure of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedFailure {
    /// The kind of the run; `None` for a kind of a later release.
    pub kind: Option<RunKind>,
    /// The default model, or `<hidden>`.
    pub model: String,
    /// The start of the run.
    pub started: Timestamp,
    /// The end of the run.
    pub ended: Option<Timestamp>,
    /// The failure's code, such as `provider_unreachable`.
    pub code: String,
    /// Numbers, codes and known names from the failure.
    pub data: BTreeMap<String, Value>,
}
