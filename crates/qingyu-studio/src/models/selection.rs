//! The selected models of a run.

use std::collections::BTreeMap;

use qingyu_llm::ModelRoutes;

use crate::models::choice::{ModelChoice, ModelReason};

/// The selected models.
#[derive(Debug, Clone)]
pub(crate) struct ModelSelection {
    /// The default model.
    pub(crate) default: ModelChoice,
    /// Models overriding the default, by role.
    pub(crate) roles: BTreeMap<String, String>,
    /// The fallback models, called when the model of a role fails.
    pub(crate) fallbacks: Vec<String>,
}

impl ModelSelection {
    /// Returns the model of a role.
    pub(crate) fn of<'a>(&'a self, role: &str) -> &'a str {
        self.roles.get(role).unwrap_or(&self.default.model)
    }

    /// Returns all selected models without duplicates.
    pub(crate) fn models(&self) -> std::collections::BTreeSet<&str> {
        let roles = self.roles.values().chain(&self.fallbacks).map(String::as_str);
        roles.chain([self.default.model.as_str()]).collect()
    }
}

pub(crate) fn chosen_from(models: &ModelRoutes) -> ModelSelection {
    let default = ModelChoice {
        model: models.default_model().name().into(),
        why: ModelReason::Configured { layer: crate::SettingLayer::Flag },
    };
    let roles = models.routes().map(|(role, model)| (role.to_owned(), model.name().to_owned())).collect();
    ModelSelection { default, roles, fallbacks: Vec::new() }
}
