//! Token counters: the interface, and the estimate for any model.

mod token_counter;

use crate::ChatMessage;
use crate::estimate;

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

/// A counter for an unknown model.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultCounter;

impl TokenCounter for DefaultCounter {
    fn count(&self, text: &str) -> u64 {
        estimate::tokens(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
