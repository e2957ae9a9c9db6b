//! Thinking effort by purpose.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::roles::prefixes;
use crate::{ChatModel, ChatRequest, Effort, Error, EventStream};

/// Sets the effort of requests without an effort, by the longest matching prefix of their purpose.
#[derive(Debug)]
pub struct EffortModel {
    model: Arc<dyn ChatModel>,
    levels: Arc<BTreeMap<String, Effort>>,
}

impl EffortModel {
    /// `levels` are keyed by prefixes of whole segments, like the routes of [`ModelRoutes`](crate::ModelRoutes).
    pub fn new(model: Arc<dyn ChatModel>, levels: Arc<BTreeMap<String, Effort>>) -> Self {
        Self { model, levels }
    }
}

impl ChatModel for EffortModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let level = || prefixes(&request.purpose).find_map(|prefix| self.levels.get(prefix)).copied();
            match request.effort.or_else(level) {
                effort if effort == request.effort => self.model.stream(request).await,
                effort => self.model.stream(&ChatRequest { effort, ..request.clone() }).await,
            }
        })
    }
}
