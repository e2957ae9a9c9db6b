//! Settings.

use serde_json::Value;

use crate::diagnostics::report::Diagnostics;
use crate::operations::operation::operations;
use crate::settings::change::SettingChange;
use crate::settings::row::SettingRow;
use crate::storage::schedule::BackupStatus;
use crate::workspaces::servers::ServerCheck;

operations! {
    /// Returns the effective settings and their sources. Secrets are masked.
    Admin Get "/settings"
    ReadSettings as "read_settings" {
        /// The project; the user's settings by default.
        #[serde(default)]
        project: Option<String>,
    } -> Vec<SettingRow>
        = |studio, it| studio.config(it.project.as_deref()).await;

    /// Sets a setting in the settings file, or in a project's settings file, preserving the rest of the file. Settings
    /// for starting programs, naming files or determining the destination of keys are restricted to the local user of
    /// the server's machine.
    Admin Put "/settings"
    SetSetting as "set_setting" {
        /// The key in the settings file, such as `budget.tokens`.
        key: String,
        /// The value. `"***"` inside the value keeps the current secret.
        value: Value,
        /// Restricts the setting to a project.
        #[serde(default)]
        project: Option<String>,
    } -> SettingChange
        = |studio, it| studio.change_setting(&it.key, Some(it.value), it.project.as_deref()).await;

    /// Removes a setting from the settings file, or from a project's settings file.
    Admin Delete "/settings"
    UnsetSetting as "unset_setting" {
        /// The key in the settings file, such as `budget.tokens`.
        key: String,
        /// Restricts the removal to a project.
        #[serde(default)]
        project: Option<String>,
    } -> SettingChange
        = |studio, it| studio.change_setting(&it.key, None, it.project.as_deref()).await;

    /// Returns the configuration and failures of the program for a bug report, without keys, texts, titles or paths.
    /// Does not call models on servers.
    Admin Get "/diagnostics"
    ReadDiagnostics as "read_diagnostics" {} -> Diagnostics
        = |studio, _it| Ok(studio.diagnostics().await);

    /// Returns the scheduled backups of the database, the next one, and the failure of the last try.
    Admin Get "/backups"
    ReadBackups as "read_backups" {} -> BackupStatus
        = |studio, _it| studio.backups();

    /// Backs up the database at once into the folder of scheduled backups. Of the backups on request the oldest are deleted
    /// as on schedule; the scheduled ones stay.
    Admin Post "/backups"
    MakeScheduledBackup as "make_scheduled_backup" {} -> BackupStatus
        = |studio, _it| studio.back_up_now().await;

    /// Starts or connects to a configured tool server, and returns its tools.
    Admin Post "/settings/mcp_servers/check"
    CheckMcpServer as "check_mcp_server" {
        /// The name in the settings.
        name: String,
    } -> ServerCheck
        = |studio, it| studio.check_server(&it.name).await;
}
