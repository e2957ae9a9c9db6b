//! Models that answer well.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatModel, ChatRequest, Error, EventStream, ModelRoutes, Reply};
use serde_json::Value;
use tokio::sync::Semaphore;

pub(crate) use crate::answers::{CALLS, REQUIREMENT, USAGE, answer, judgement};

/// A model that answers well.
pub(crate) fn model() -> ScriptedModel {
    ScriptedModel::responding("scripted", |request| reply(&answer(&request.purpose)))
}

pub(crate) fn models(model: &ScriptedModel) -> ModelRoutes {
    ModelRoutes::new(Arc::new(model.clone()))
}

pub(crate) fn reply(answer: &Value) -> ModelScript {
    ModelScript::from(Reply { text: answer.to_string(), usage: USAGE, ..Reply::default() })
}

/// A model that says when it is asked for one purpose, and then answers only as often as it is allowed to.
#[derive(Debug, Clone)]
pub(crate) struct Stuck {
    pub(crate) inner: ScriptedModel,
    purpose: &'static str,
    pub(crate) reached: Arc<Semaphore>,
    pub(crate) allowed: Arc<Semaphore>,
}

impl Stuck {
    pub(crate) fn at(purpose: &'static str) -> Self {
        Self { inner: model(), purpose, reached: Arc::new(Semaphore::new(0)), allowed: Arc::new(Semaphore::new(0)) }
    }

    pub(crate) fn models(&self) -> ModelRoutes {
        ModelRoutes::new(Arc::new(self.clone()))
    }

    pub(crate) async fn is_reached(&self) {
        self.reached.acquire().await.unwrap().forget();
    }
}

impl ChatModel for Stuck {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            if request.purpose == self.purpose {
                self.reached.add_permits(1);
                self.allowed.acquire().await.unwrap().forget();
            }
            self.inner.stream(request).await
        })
    }
}
