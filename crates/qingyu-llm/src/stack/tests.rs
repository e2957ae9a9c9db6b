//! What the layers do, on the runtime's paused clock.

mod breaker;
mod budget;
mod fallback;
mod rate;
mod replay;
mod retry;

use std::sync::Arc;
use std::time::Duration;

use super::{BreakerSettings, RateLimit, RetryModel, Stack};
use crate::model::drain;
use crate::testing::{ModelScript, ScriptedModel};
use crate::{ChatEvent, ChatMessage, ChatModel, ChatRequest, Error, Reply, Usage};

const PURPOSE: &str = "draft.scene";

fn request() -> ChatRequest {
    ChatRequest { purpose: PURPOSE.into(), messages: vec![ChatMessage::user("雪夜")], ..ChatRequest::default() }
}

fn scripted<const N: usize>(name: &str, scripts: [ModelScript; N]) -> ScriptedModel {
    let model = ScriptedModel::new(name);
    for script in scripts {
        model.push(PURPOSE, script);
    }
    model
}

fn lost() -> Error {
    Error::Transport { model: "scripted".into(), message: "reset".into() }
}

fn http(status: u16, retry_after: Option<Duration>) -> Error {
    Error::Http { model: "scripted".into(), status, body: String::new(), retry_after, url: Box::default() }
}

fn answer(text: &str, input: u64, output: u64) -> ModelScript {
    let usage = Usage { input, output, ..Usage::default() };
    Reply { text: text.into(), usage, ..Reply::default() }.into()
}

/// Some text, then the error.
fn broken_off(text: &str, error: Error) -> ModelScript {
    ModelScript::Items(vec![Ok(ChatEvent::Text(text.into())), Err(error)])
}

async fn call(model: &dyn ChatModel) -> Result<Reply, Error> {
    drain(model.stream(&request()).await?).await
}

#[tokio::test(start_paused = true)]
async fn a_stack_has_its_layers_in_order() {
    let wire = scripted("wire", [lost().into(), lost().into(), answer("雪", 1, 1)]);
    let spare = scripted("spare", [answer("夜", 1, 1)]);
    let stack = Stack::new(Arc::new(wire.clone()))
        .retry(RetryModel { attempts: 2, ..RetryModel::default() })
        .breaker(BreakerSettings { failures: 1, ..BreakerSettings::default() })
        .rate(RateLimit { requests: 100.try_into().ok(), tokens: None })
        .fallback([Arc::new(spare) as Arc<dyn ChatModel>])
        .build();
    let reply = call(&*stack).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("夜", "spare"));
    assert_eq!(wire.left(), 1, "two tries were one failure, which opened the breaker, and the next model was asked");
    let error = call(&*stack).await.unwrap_err();
    assert!(matches!(error, Error::Resting { .. }), "{error}");
    assert_eq!(wire.left(), 1);
}
