//! How hard a model thinks, by what it is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::roles::prefixes;
use crate::{ChatModel, Effort, Error, EventStream, Request};

/// Sets the effort of requests that have none, by the longest prefix of their purpose.
#[derive(Debug)]
pub struct Efforts {
    model: Arc<dyn ChatModel>,
    levels: Arc<BTreeMap<String, Effort>>,
}

impl Efforts {
    /// `levels` are by prefixes of whole segments, as the routes of [`Models`](crate::Models) are.
    pub fn new(model: Arc<dyn ChatModel>, levels: Arc<BTreeMap<String, Effort>>) -> Self {
        Self { model, levels }
    }
}

impl ChatModel for Efforts {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let level = || prefixes(&request.purpose).find_map(|prefix| self.levels.get(prefix)).copied();
            match request.effort.or_else(level) {
                effort if effort == request.effort => self.model.stream(request).await,
                effort => self.model.stream(&Request { effort, ..request.clone() }).await,
            }
        })
    }
}
