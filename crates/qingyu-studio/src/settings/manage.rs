//! The settings of a running studio: reading and changing.

use serde_json::Value;

use crate::error::Error;
use crate::settings::change::{SettingChange, SettingEdit};
use crate::settings::row::SettingRow;
use crate::studio::Studio;

impl Studio {
    /// Returns the effective settings and their sources, optionally for a project named as for [`show`](Self::show).
    /// Secrets are masked.
    pub async fn config(&self, project: Option<&str>) -> Result<Vec<SettingRow>, Error> {
        match project {
            Some(given) => self.settings().rows(Some(&self.find_project(given).await?.id)),
            None => self.settings().rows(None),
        }
    }

    /// Changes a setting in the user's file or a project's file, or removes the setting without a value. Later requests
    /// use the new value; active runs keep their settings.
    ///
    /// Returns [`Error::BadSettings`] if the resulting settings do not validate, and [`Error::Forbidden`] for remote
    /// callers if the setting starts programs, names files or determines the destination of keys.
    pub(crate) async fn change_setting(
        &self,
        key: &str,
        value: Option<Value>,
        project: Option<&str>,
    ) -> Result<SettingChange, Error> {
        let wish = SettingEdit::new(key, value)?;
        if wish.is_of_the_machine() {
            self.scope().demand_machine()?;
        }
        let project = match project {
            Some(given) => Some(self.find_project(given).await?.id),
            None => None,
        };
        self.settings().write(project.as_deref(), &wish)
    }
}

#[cfg(test)]
mod tests;
