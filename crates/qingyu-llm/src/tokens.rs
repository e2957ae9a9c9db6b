//! Counting tokens: by an estimate for any model, corrected for one, or exactly for those whose vocabulary is known.

#[cfg(feature = "tokenizer")]
mod o200k;

use std::fmt::Debug;
use std::sync::Arc;

use crate::Message;
use crate::estimate::{self, Estimator};

#[cfg(feature = "tokenizer")]
pub use o200k::O200k;

/// What the role and the separators around a message cost.
const AROUND: u64 = 4;

/// Counts the tokens that a text costs. The same text costs the same until the counter learns better.
pub trait TokenCounter: Debug + Send + Sync {
    /// The tokens of `text`.
    fn count(&self, text: &str) -> u64;
}

/// The tokens of `message`: its text and calls, or its provider's own blocks where these are longer, and what is around.
pub fn of_message(counter: &dyn TokenCounter, message: &Message) -> u64 {
    let calls = message.tool_calls.iter().map(|call| counter.count(&call.name) + counter.count(&call.arguments));
    let said = counter.count(&message.text) + calls.sum::<u64>();
    let raw = if message.raw.is_null() { 0 } else { counter.count(&message.raw.to_string()) };
    AROUND + said.max(raw)
}

/// The best counter for the model called `model`: its vocabulary if it is built in, else the estimate as `estimator` has
/// corrected it.
pub fn counter(model: &str, estimator: &Arc<Estimator>) -> Arc<dyn TokenCounter> {
    #[cfg(feature = "tokenizer")]
    if let Some(vocabulary) = O200k::of(model) {
        return Arc::new(vocabulary);
    }
    Arc::new(OfModel { estimator: Arc::clone(estimator), model: model.to_owned() })
}

/// For a model nothing is known about.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyModel;

impl TokenCounter for AnyModel {
    fn count(&self, text: &str) -> u64 {
        estimate::tokens(text)
    }
}

/// For one model, corrected by what its provider has reported so far.
#[derive(Debug, Clone)]
pub struct OfModel {
    /// What has been learnt.
    pub estimator: Arc<Estimator>,
    /// The model's full name.
    pub model: String,
}

impl TokenCounter for OfModel {
    fn count(&self, text: &str) -> u64 {
        self.estimator.text(&self.model, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    #[test]
    fn a_model_that_reports_more_is_counted_as_more() {
        let text = "雪夜，门开了。";
        let estimator = Arc::new(Estimator::default());
        let counter = OfModel { estimator: Arc::clone(&estimator), model: "a".into() };
        assert_eq!((AnyModel.count(text), counter.count(text)), (7, 7));
        let request = Request { messages: vec![Message::user("雪".repeat(96))], ..Request::default() };
        estimator.learn("a", &request, 200);
        assert_eq!(counter.count(text), 14);
    }

    #[test]
    fn a_message_costs_more_than_its_text() {
        let plain = Message::user("雪夜，门开了。");
        assert_eq!(of_message(&AnyModel, &plain), 11);
        let call = crate::ToolCall { id: "1".into(), name: "look".into(), arguments: "{}".into() };
        let calling = Message { tool_calls: vec![call], ..Message::assistant("") };
        assert_eq!(of_message(&AnyModel, &calling), 4 + 2 + 1);
        let raw = Message { raw: serde_json::json!("雪".repeat(50)), ..plain };
        assert!(of_message(&AnyModel, &raw) > 50, "what the provider said is sent back");
    }

    #[test]
    fn a_model_without_a_vocabulary_is_estimated() {
        let estimator = Arc::new(Estimator::default());
        let request = Request { messages: vec![Message::user("雪".repeat(96))], ..Request::default() };
        estimator.learn("deepseek/deepseek-flash", &request, 200);
        assert_eq!(counter("deepseek/deepseek-flash", &estimator).count("雪夜，门开了。"), 14);
    }
}
