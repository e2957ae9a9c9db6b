//! Token counters: estimated for any model, corrected for a specific model, or exact for known vocabularies.

#[cfg(feature = "tokenizer")]
mod o200k;
mod token_counter;

use std::sync::Arc;

use crate::ChatMessage;
use crate::estimate::{self, Estimator};

#[cfg(feature = "tokenizer")]
use o200k::O200k;
pub use token_counter::TokenCounter;

/// Tokens of the role and separators around a message.
const AROUND: u64 = 4;

/// Returns the tokens of `message`: text and calls, or the provider's own blocks if longer, plus the message overhead.
pub fn of_message(counter: &dyn TokenCounter, message: &ChatMessage) -> u64 {
    let calls = message.tool_calls.iter().map(|call| counter.count(&call.name) + counter.count(&call.arguments));
    let said = counter.count(&message.text) + calls.sum::<u64>();
    let raw = if message.raw.is_null() { 0 } else { counter.count(&message.raw.to_string()) };
    AROUND + said.max(raw)
}

/// Returns the best counter for `model`: its built-in vocabulary, or as a fallback the estimate corrected by
/// `estimator`.
pub fn counter(model: &str, estimator: &Arc<Estimator>) -> Arc<dyn TokenCounter> {
    #[cfg(feature = "tokenizer")]
    if let Some(vocabulary) = O200k::of(model) {
        return Arc::new(vocabulary);
    }
    Arc::new(ModelCounter { estimator: Arc::clone(estimator), model: model.to_owned() })
}

/// A counter for an unknown model.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultCounter;

impl TokenCounter for DefaultCounter {
    fn count(&self, text: &str) -> u64 {
        estimate::tokens(text)
    }
}

/// A counter for a specific model, corrected by its provider's usage reports.
#[derive(Debug, Clone)]
struct ModelCounter {
    /// The learned corrections.
    estimator: Arc<Estimator>,
    /// The model's full name.
    model: String,
}

impl TokenCounter for ModelCounter {
    fn count(&self, text: &str) -> u64 {
        self.estimator.text(&self.model, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChatRequest;

    #[test]
    fn a_model_that_reports_more_is_counted_as_more() {
        let text = "雪夜，门开了。";
        let estimator = Arc::new(Estimator::default());
        let counter = ModelCounter { estimator: Arc::clone(&estimator), model: "a".into() };
        assert_eq!((DefaultCounter.count(text), counter.count(text)), (7, 7));
        let request = ChatRequest { messages: vec![ChatMessage::user("雪".repeat(96))], ..ChatRequest::default() };
        estimator.learn("a", &request, 200);
        assert_eq!(counter.count(text), 14);
    }

    #[test]
    fn a_message_costs_more_than_its_text() {
        let plain = ChatMessage::user("雪夜，门开了。");
        assert_eq!(of_message(&DefaultCounter, &plain), 11);
        let call = crate::ToolCall { id: "1".into(), name: "look".into(), arguments: "{}".into() };
        let calling = ChatMessage { tool_calls: vec![call], ..ChatMessage::assistant("") };
        assert_eq!(of_message(&DefaultCounter, &calling), 4 + 2 + 1);
        let raw = ChatMessage { raw: serde_json::json!("雪".repeat(50)), ..plain };
        assert!(of_message(&DefaultCounter, &raw) > 50, "what the provider said is sent back");
    }

    #[test]
    fn a_model_without_a_vocabulary_is_estimated() {
        let estimator = Arc::new(Estimator::default());
        let request = ChatRequest { messages: vec![ChatMessage::user("雪".repeat(96))], ..ChatRequest::default() };
        estimator.learn("deepseek/deepseek-flash", &request, 200);
        assert_eq!(counter("deepseek/deepseek-flash", &estimator).count("雪夜，门开了。"), 14);
    }
}
