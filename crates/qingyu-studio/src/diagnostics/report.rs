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
    pub(crate) about: String,
    /// The format: `qingyu-diagnostics-1`.
    pub(crate) format: String,
    /// The time of creation.
    pub(crate) made: Timestamp,
    /// The program.
    pub(crate) program: ProgramFacts,
    /// The operating system.
    pub(crate) platform: PlatformFacts,
    /// The name of the data folder, without its parent folders.
    pub(crate) folder: String,
    /// The settings different from the default, by name.
    pub(crate) settings: Vec<ReportedSetting>,
    /// The number of projects with their own settings file.
    pub(crate) project_settings: usize,
    /// The results of the doctor.
    pub(crate) checks: Vec<ReportedCheck>,
    /// The number of recent runs, by status.
    pub(crate) runs: BTreeMap<String, usize>,
    /// The most recent failed runs, newest first.
    pub(crate) failures: Vec<ReportedFailure>,
    /// Sizes: bytes of files for names ending in `_bytes`, counts otherwise.
    pub(crate) sizes: BTreeMap<String, u64>,
    /// The failed parts of the diagnostics, with the failure's code.
    pub(crate) unread: BTreeMap<String, String>,
}

/// Facts about the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ProgramFacts {
    /// The release.
    pub(crate) version: String,
    /// Whether the program is a debug build.
    pub(crate) debug: bool,
    /// The enabled features.
    pub(crate) features: Vec<String>,
}

/// Facts about the operating system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlatformFacts {
    /// The operating system, such as `linux`.
    pub(crate) system: String,
    /// The architecture, such as `x86_64`.
    pub(crate) architecture: String,
    /// The number of hardware threads; `None` if unknown.
    pub(crate) processors: Option<usize>,
}

/// A redacted setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReportedSetting {
    /// The name in the settings reference: `providers.<provider>.base_url`.
    pub(crate) key: String,
    /// The value, or `<hidden>`.
    pub(crate) value: Value,
    /// The layer of the value.
    pub(crate) layer: SettingLayer,
    /// The name of the file or variable setting the value.
    pub(crate) source: Option<String>,
}

/// A redacted check result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReportedCheck {
    /// The name of the check, such as `free_space`.
    pub(crate) check: String,
    /// The result of the check.
    pub(crate) state: CheckState,
    /// Numbers, codes and known names from the check.
    pub(crate) data: BTreeMap<String, Value>,
}

/// A redacted failure of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReportedFailure {
    /// The kind of the run; `None` for a kind of a later release.
    pub(crate) kind: Option<RunKind>,
    /// The default model, or `<hidden>`.
    pub(crate) model: String,
    /// The start of the run.
    pub(crate) started: Timestamp,
    /// The end of the run.
    pub(crate) ended: Option<Timestamp>,
    /// The failure's code, such as `provider_unreachable`.
    pub(crate) code: String,
    /// Numbers, codes and known names from the failure.
    pub(crate) data: BTreeMap<String, Value>,
}
