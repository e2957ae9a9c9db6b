//! The environment as a value, and the recognized variables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// An environment variable with an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variable {
    /// The name.
    pub(crate) name: &'static str,
    /// The corresponding setting, if any.
    pub(crate) setting: Option<&'static str>,
}

/// All recognized variables, except the providers' key variables (see the list of models).
pub(crate) const VARIABLES: &[Variable] = &[
    Variable { name: "QINGYU_HOME", setting: None },
    Variable { name: "QINGYU_UI_LANG", setting: Some("ui.language") },
    Variable { name: "QINGYU_MODEL", setting: Some("models.default") },
    Variable { name: "QINGYU_EMBEDDER", setting: Some("embeddings.embedder") },
    Variable { name: "QINGYU_BUDGET_TOKENS", setting: Some("budget.tokens") },
    Variable { name: "QINGYU_MAX_ITERATIONS", setting: Some("pipeline.max_iterations") },
    Variable { name: "QINGYU_STORAGE_URL", setting: Some("storage.url") },
    Variable { name: "QINGYU_DURABILITY", setting: Some("storage.durability") },
    Variable { name: "QINGYU_PROMPTS", setting: Some("prompts.folder") },
];

/// The environment passed by the front end. `Debug` hides the values: some are keys.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Collects the variables, such as `std::env::vars()`.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// Returns the value of a variable; `None` for an empty value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    /// Returns the data folder: `QINGYU_HOME`, else the platform's data folder.
    pub fn home(&self) -> PathBuf {
        if let Some(home) = self.get("QINGYU_HOME") {
            return home.into();
        }
        let under = |variable: &str, rest: &str| self.get(variable).map(|base| PathBuf::from(base).join(rest));
        let platform = match std::env::consts::OS {
            "windows" => under("LOCALAPPDATA", "qingyu"),
            "macos" => under("HOME", "Library/Application Support/qingyu"),
            _ => under("XDG_DATA_HOME", "qingyu").or_else(|| under("HOME", ".local/share/qingyu")),
        };
        platform.unwrap_or_else(|| PathBuf::from(".qingyu"))
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
