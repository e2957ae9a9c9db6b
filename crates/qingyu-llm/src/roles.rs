//! Routing of purposes to models.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ChatModel;

/// The models of a run: a default, and overrides for named purposes.
///
/// A purpose is dotted (`outline.generate`); a route is a prefix of whole segments (`outline`, or `outline.generate`).
#[derive(Debug, Clone)]
pub struct ModelRoutes {
    default: Arc<dyn ChatModel>,
    routes: BTreeMap<String, Arc<dyn ChatModel>>,
}

impl ModelRoutes {
    /// Uses `default` for every purpose.
    pub fn new(default: Arc<dyn ChatModel>) -> Self {
        Self { default, routes: BTreeMap::new() }
    }

    /// Overrides the model of purposes under `prefix` with `model`.
    #[must_use]
    pub fn route(mut self, prefix: impl Into<String>, model: Arc<dyn ChatModel>) -> Self {
        self.routes.insert(prefix.into(), model);
        self
    }

    /// Returns the model of the longest route matching `purpose`, else the default.
    pub fn for_purpose(&self, purpose: &str) -> &Arc<dyn ChatModel> {
        prefixes(purpose).find_map(|prefix| self.routes.get(prefix)).unwrap_or(&self.default)
    }

    /// Returns the default model, used for purposes without a route.
    pub fn default_model(&self) -> &Arc<dyn ChatModel> {
        &self.default
    }

    /// Returns every model once, by name: first the model for `purpose`, then the default, then the others by prefix.
    pub fn distinct(&self, purpose: &str) -> Vec<&Arc<dyn ChatModel>> {
        let mut models: Vec<&Arc<dyn ChatModel>> = Vec::new();
        for model in [self.for_purpose(purpose), &self.default].into_iter().chain(self.routes.values()) {
            if !models.iter().any(|known| known.name() == model.name()) {
                models.push(model);
            }
        }
        models
    }

    /// Returns the same routes with every model wrapped by `wrap`.
    #[must_use]
    pub fn wrapped(&self, wrap: impl Fn(&Arc<dyn ChatModel>) -> Arc<dyn ChatModel>) -> Self {
        let routes = self.routes.iter().map(|(prefix, model)| (prefix.clone(), wrap(model)));
        Self { default: wrap(&self.default), routes: routes.collect() }
    }

    /// Iterates over the routes, sorted by prefix.
    pub fn routes(&self) -> impl Iterator<Item = (&str, &Arc<dyn ChatModel>)> {
        self.routes.iter().map(|(prefix, model)| (prefix.as_str(), model))
    }
}

/// Iterates over `a.b.c`, `a.b`, `a`.
pub(crate) fn prefixes(purpose: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(purpose), |longer| longer.rsplit_once('.').map(|(shorter, _)| shorter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ScriptedModel;

    #[test]
    fn the_longest_prefix_of_whole_segments_wins() {
        let model = |name: &str| -> Arc<dyn ChatModel> { Arc::new(ScriptedModel::new(name)) };
        let models = ModelRoutes::new(model("default"))
            .route("outline", model("planner"))
            .route("outline.correct", model("corrector"))
            .route("review.judge", model("critic"));
        for (purpose, wanted) in [
            ("outline.generate", "planner"),
            ("outline", "planner"),
            ("outline.correct", "corrector"),
            ("outline.correct.chapter", "corrector"),
            ("outlines.generate", "default"),
            ("review", "default"),
            ("review.judge", "critic"),
            ("", "default"),
        ] {
            assert_eq!(models.for_purpose(purpose).name(), wanted, "{purpose}");
        }
    }

    #[test]
    fn every_model_stands_once_the_one_for_the_purpose_first() {
        let model = |name: &str| -> Arc<dyn ChatModel> { Arc::new(ScriptedModel::new(name)) };
        let models = ModelRoutes::new(model("default"))
            .route("judge", model("critic"))
            .route("outline", model("planner"))
            .route("plot", model("planner"));
        let names = |purpose: &str| -> Vec<String> {
            models.distinct(purpose).into_iter().map(|model| model.name().to_owned()).collect()
        };
        assert_eq!(names("judge.score"), ["critic", "default", "planner"]);
        assert_eq!(names("plot"), ["planner", "default", "critic"]);
    }
}
