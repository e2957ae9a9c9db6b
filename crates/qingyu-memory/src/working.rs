//! Working memory: the part of a conversation that fits into a model's window.
//!
//! Messages are kept or removed whole, and units (a tool call and its result) are kept or removed together. The oldest
//! are removed first.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use qingyu_llm::tokens::{TokenCounter, of_message};
use qingyu_llm::{ChatMessage, MessageRole};

use crate::Error;

/// Fits conversations to a budget.
#[derive(Debug, Clone)]
pub struct WorkingMemory {
    counter: Arc<dyn TokenCounter>,
    budget: u64,
}

impl WorkingMemory {
    /// Returns a memory for conversations within `budget` tokens, counted by `counter`.
    pub fn new(counter: Arc<dyn TokenCounter>, budget: u64) -> Self {
        Self { counter, budget }
    }

    /// Returns the messages of `conversation` within the budget, in order; the newest messages have priority.
    ///
    /// System messages and the newest message of the user are always kept, with their units. Fails with
    /// [`Error::OverBudget`] if these alone exceed the budget.
    pub fn cut(&self, conversation: Vec<ChatMessage>) -> Result<Vec<ChatMessage>, Error> {
        let units = units(&conversation, &*self.counter);
        let whole: u64 = units.iter().map(|unit| unit.tokens).sum();
        let needed: u64 = units.iter().filter(|unit| unit.must_stay).map(|unit| unit.tokens).sum();
        if needed > self.budget {
            return Err(Error::OverBudget { needed, budget: self.budget });
        }
        Ok(if whole <= self.budget { conversation } else { newest(conversation, &units, self.budget - needed) })
    }
}

/// Messages kept or removed together.
struct MessageUnit {
    /// The number of consecutive messages.
    length: usize,
    tokens: u64,
    must_stay: bool,
}

/// Splits a conversation into units: from a tool call to the last result.
fn units(conversation: &[ChatMessage], counter: &dyn TokenCounter) -> Vec<MessageUnit> {
    let newest_of_user = conversation.iter().rposition(|message| message.role == MessageRole::User);
    // The start of each message's unit.
    let mut starts: Vec<usize> = Vec::with_capacity(conversation.len());
    let mut callers: HashMap<&str, usize> = HashMap::new();
    for (place, message) in conversation.iter().enumerate() {
        let caller = message.tool_call_id.as_deref().and_then(|id| callers.get(id).copied());
        let follows = (message.role == MessageRole::Tool && place > 0).then(|| place - 1);
        let start = caller.or(follows).map_or(place, |earlier| starts[earlier]);
        // All messages in between belong to the unit.
        starts.truncate(start);
        starts.resize(place + 1, start);
        callers.extend(message.tool_calls.iter().map(|call| (call.id.as_str(), place)));
    }
    let mut units: Vec<MessageUnit> = Vec::new();
    for (place, message) in conversation.iter().enumerate() {
        let must_stay = message.role == MessageRole::System || Some(place) == newest_of_user;
        let tokens = of_message(counter, message);
        match units.last_mut().filter(|_| starts[place] < place) {
            Some(unit) => {
                unit.length += 1;
                unit.tokens += tokens;
                unit.must_stay |= must_stay;
            }
            None => units.push(MessageUnit { length: 1, tokens, must_stay }),
        }
    }
    units
}

/// Returns the required messages, and of the others the newest within `left` tokens.
fn newest(conversation: Vec<ChatMessage>, units: &[MessageUnit], mut left: u64) -> Vec<ChatMessage> {
    let mut stays: Vec<bool> = units.iter().map(|unit| unit.must_stay).collect();
    for (place, unit) in units.iter().enumerate().rev().filter(|(_, unit)| !unit.must_stay) {
        let Some(rest) = left.checked_sub(unit.tokens) else { break };
        left = rest;
        stays[place] = true;
    }
    let of_messages = units.iter().zip(stays).flat_map(|(unit, stays)| std::iter::repeat_n(stays, unit.length));
    conversation.into_iter().zip(of_messages).filter_map(|(message, stays)| stays.then_some(message)).collect()
}
