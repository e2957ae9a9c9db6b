//! The settings, read and changed.

use serde_json::Value;

use super::operations;
use crate::diagnostics::Diagnostics;
use crate::{ServerCheck, SettingChange, SettingRow};

operations! {
    /// The effective settings, and where each comes from. Secrets are not shown.
    Admin Get "/settings"
    ReadSettings as "read_settings" {
        /// Those of a project.
        #[serde(default)]
        project: Option<String>,
    } -> Vec<SettingRow>
        = |studio, it| studio.config(it.project.as_deref()).await;

    /// Writes a setting into the settings file, or into that of a project, and leaves the rest of the file as it is.
    /// What starts programs, names files or says where keys are sent can be set by whoever works at the server's machine only.
    Admin Put "/settings"
    SetSetting as "set_setting" {
        /// Its place in the file, such as `budget.tokens`.
        key: String,
        /// Its value. `"***"` in it keeps the secret that is there.
        value: Value,
        /// For this project only.
        #[serde(default)]
        project: Option<String>,
    } -> SettingChange
        = |studio, it| studio.change_setting(&it.key, Some(it.value), it.project.as_deref()).await;

    /// Takes a setting out of the settings file, or out of that of a project.
    Admin Delete "/settings"
    UnsetSetting as "unset_setting" {
        /// Its place in the file, such as `budget.tokens`.
        key: String,
        /// For this project only.
        #[serde(default)]
        project: Option<String>,
    } -> SettingChange
        = |studio, it| studio.change_setting(&it.key, None, it.project.as_deref()).await;

    /// How the program is set up and what failed, for a bug report: no key, no text, no title and no path is in it.
    /// Models on servers are not tried.
    Admin Get "/diagnostics"
    ReadDiagnostics as "read_diagnostics" {} -> Diagnostics
        = |studio, _it| Ok(studio.diagnostics().await);

    /// Starts or reaches a server of tools that the settings name, and lists what it has.
    Admin Post "/settings/mcp_servers/check"
    CheckMcpServer as "check_mcp_server" {
        /// Its name in the settings.
        name: String,
    } -> ServerCheck
        = |studio, it| studio.check_server(&it.name).await;
}
