//! Counting tokens.

use std::fmt::Debug;
use std::sync::Arc;

use qingyu_llm::estimate::{self, Estimator};

/// Counts the tokens that a text costs. The same text costs the same until the counter learns better.
pub trait TokenCounter: Debug + Send + Sync {
    /// The tokens of `text`.
    fn count(&self, text: &str) -> u64;
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
    use qingyu_llm::{Message, Request};

    use super::*;

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
}
