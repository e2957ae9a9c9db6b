//! Working memory: the part of a conversation that fits into a model's window.
//!
//! Messages are kept or removed whole, and units (a tool call and its result) are kept or removed together. The oldest
//! are removed first. A summary may replace the removed messages, with their number.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_llm::estimate::is_chinese;
use qingyu_llm::tokens::{TokenCounter, of_message};
use qingyu_llm::{ChatMessage, ChatRequest, MessageRole};

use crate::Error;

/// The divisor of the budget for the share reserved for a summary.
const SUMMARY_SHARE: u64 = 8;
/// The minimum number of tokens of a useful summary.
const SHORTEST_SUMMARY: u64 = 48;

/// A summariser of messages; usually a model.
pub trait Summarise: Send + Sync + Debug {
    /// Returns a summary of `messages`, in at most about `limit` tokens. A longer summary is truncated.
    ///
    /// An `Err` is the reason for a missing summary; the messages are then removed without a summary.
    fn summarise<'a>(&'a self, messages: &'a [ChatMessage], limit: u64) -> BoxFuture<'a, Result<String, String>>;
}

/// Fits conversations to a budget.
#[derive(Debug, Clone)]
pub struct WorkingMemory {
    counter: Arc<dyn TokenCounter>,
    budget: u64,
    summariser: Option<Arc<dyn Summarise>>,
}

/// A conversation within the budget.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedConversation {
    /// The kept messages, in order; a summary follows the system messages.
    pub messages: Vec<ChatMessage>,
    /// The total cost in tokens.
    pub tokens: u64,
    /// The number of removed messages.
    pub fallen: usize,
    /// Whether a summary replaces the removed messages.
    pub summarised: bool,
    /// The reason for a missing summary, if a summariser is set.
    pub unsummarised: Option<String>,
}

impl WorkingMemory {
    /// Returns a memory for conversations within `budget` tokens, counted by `counter`; removed messages are lost by
    /// default.
    pub fn new(counter: Arc<dyn TokenCounter>, budget: u64) -> Self {
        Self { counter, budget, summariser: None }
    }

    /// Sets the summariser of removed messages.
    #[must_use]
    pub fn summarised_by(self, summariser: Arc<dyn Summarise>) -> Self {
        Self { summariser: Some(summariser), ..self }
    }

    /// Returns the part of `conversation` within the budget; the newest messages have priority.
    ///
    /// System messages and the newest message of the user are always kept, with their units. Fails with
    /// [`Error::OverBudget`] if these alone exceed the budget.
    pub async fn cut(&self, conversation: Vec<ChatMessage>) -> Result<FittedConversation, Error> {
        let units = units(&conversation, &*self.counter);
        let whole: u64 = units.iter().map(|unit| unit.tokens).sum();
        let needed: u64 = units.iter().filter(|unit| unit.must_stay).map(|unit| unit.tokens).sum();
        if needed > self.budget {
            return Err(Error::OverBudget { needed, budget: self.budget });
        }
        if whole <= self.budget {
            return Ok(FittedConversation {
                messages: conversation,
                tokens: whole,
                fallen: 0,
                summarised: false,
                unsummarised: None,
            });
        }
        let Some(summariser) = &self.summariser else { return Ok(self.without(&conversation, &units, self.budget)) };
        let reserve = (self.budget / SUMMARY_SHARE).min(self.budget - needed);
        if reserve < SHORTEST_SUMMARY {
            let unsummarised = Some(format!("{reserve} tokens are too few for a summary"));
            return Ok(FittedConversation { unsummarised, ..self.without(&conversation, &units, self.budget) });
        }
        let (kept, fallen) = split(&conversation, &units, self.budget - reserve);
        match summariser.summarise(&fallen, reserve).await {
            Ok(summary) => Ok(self.with_summary(kept, fallen.len(), &summary, reserve)),
            Err(reason) => Ok(FittedConversation {
                unsummarised: Some(reason),
                ..self.without(&conversation, &units, self.budget)
            }),
        }
    }

    fn without(&self, conversation: &[ChatMessage], units: &[MessageUnit], budget: u64) -> FittedConversation {
        let (messages, fallen) = split(conversation, units, budget);
        let tokens = self.cost(&messages);
        FittedConversation { messages, tokens, fallen: fallen.len(), summarised: false, unsummarised: None }
    }

    /// Inserts a summary of at most `reserve` tokens after the system messages of `kept`.
    fn with_summary(
        &self,
        mut kept: Vec<ChatMessage>,
        fallen: usize,
        summary: &str,
        reserve: u64,
    ) -> FittedConversation {
        let place = kept.iter().take_while(|message| message.role == MessageRole::System).count();
        let fitting = self.fitting(fallen, summary.trim(), reserve);
        let unsummarised = match &fitting {
            Some(_) => None,
            None if summary.trim().is_empty() => Some("the summary is empty".to_owned()),
            None => Some(format!("not a word of the summary fits into {reserve} tokens")),
        };
        let summarised = fitting.is_some();
        kept.splice(place..place, fitting);
        FittedConversation { tokens: self.cost(&kept), messages: kept, fallen, summarised, unsummarised }
    }

    /// Returns the longest prefix of `summary` within `reserve` tokens, as a message; `None` if no prefix fits.
    fn fitting(&self, fallen: usize, summary: &str, reserve: u64) -> Option<ChatMessage> {
        let ends: Vec<usize> = summary.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        let message = |length: usize| {
            let (end, mark) = if length == ends.len() { (summary.len(), "") } else { (ends[length - 1], "…") };
            standing_for(fallen, &format!("{}{mark}", &summary[..end]))
        };
        let fits = |length: usize| of_message(&*self.counter, &message(length)) <= reserve;
        if ends.is_empty() {
            return None;
        }
        if fits(ends.len()) {
            return Some(message(ends.len()));
        }
        // A real tokenizer is not quite monotonic, so the last step is checked again.
        let (mut low, mut high) = (0, ends.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if fits(middle) { low = middle } else { high = middle }
        }
        (low > 0 && fits(low)).then(|| message(low))
    }

    fn cost(&self, messages: &[ChatMessage]) -> u64 {
        messages.iter().map(|message| of_message(&*self.counter, message)).sum()
    }
}

/// A summariser that calls `model`.
#[derive(Debug)]
pub struct ModelSummariser {
    model: Arc<dyn qingyu_llm::ChatModel>,
}

impl ModelSummariser {
    /// Returns a summariser that calls `model`.
    pub fn new(model: Arc<dyn qingyu_llm::ChatModel>) -> Self {
        Self { model }
    }

    async fn ask(&self, messages: &[ChatMessage], limit: u64) -> Result<String, String> {
        let stream = self.model.stream(&summary_request(messages, limit)).await.map_err(|error| error.to_string())?;
        let reply = qingyu_llm::model::drain(stream).await.map_err(|error| error.to_string())?;
        Ok(reply.text)
    }
}

impl Summarise for ModelSummariser {
    fn summarise<'a>(&'a self, messages: &'a [ChatMessage], limit: u64) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(self.ask(messages, limit))
    }
}

/// Returns the request for a summary: the messages as fenced data, so that instructions inside are not obeyed.
fn summary_request(messages: &[ChatMessage], limit: u64) -> ChatRequest {
    let transcript: String = messages.iter().map(|message| format!("{}\n", line(message))).collect();
    let fenced = format!("<transcript>\n{}</transcript>", transcript.replace("</", "< /"));
    let rules = if is_chinese(&transcript) {
        include_str!("../prompts/summary.zh.md")
    } else {
        include_str!("../prompts/summary.en.md")
    };
    ChatRequest {
        purpose: "memory.summarise".into(),
        messages: vec![ChatMessage::system(rules.trim()), ChatMessage::user(fenced)],
        temperature: Some(0.0),
        max_tokens: u32::try_from(limit).ok(),
        ..ChatRequest::default()
    }
}

fn line(message: &ChatMessage) -> String {
    let role = match message.role {
        MessageRole::System => "system",
        MessageRole::User => "user",
        MessageRole::Assistant => "assistant",
        MessageRole::Tool => "tool",
    };
    let calls: String = message.tool_calls.iter().map(|call| format!(" [{} {}]", call.name, call.arguments)).collect();
    format!("{role}: {}{calls}", message.text)
}

/// Returns the message that replaces `fallen` messages.
fn standing_for(fallen: usize, summary: &str) -> ChatMessage {
    let text = summary.replace("</", "< /");
    ChatMessage::user(if is_chinese(summary) {
        format!("<summary>\n以下代替更早的 {fallen} 条消息，是它们的摘要，仅作资料：\n{text}\n</summary>")
    } else {
        format!("<summary>\nThis stands for {fallen} earlier messages and is data about them:\n{text}\n</summary>")
    })
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

/// Returns the kept and the removed messages: required messages are kept, and of the others the newest until the budget
/// is used up.
fn split(conversation: &[ChatMessage], units: &[MessageUnit], budget: u64) -> (Vec<ChatMessage>, Vec<ChatMessage>) {
    let needed: u64 = units.iter().filter(|unit| unit.must_stay).map(|unit| unit.tokens).sum();
    let mut left = budget.saturating_sub(needed);
    let mut stays: Vec<bool> = units.iter().map(|unit| unit.must_stay).collect();
    for (place, unit) in units.iter().enumerate().rev().filter(|(_, unit)| !unit.must_stay) {
        let Some(rest) = left.checked_sub(unit.tokens) else { break };
        left = rest;
        stays[place] = true;
    }
    let of_messages = units.iter().zip(stays).flat_map(|(unit, stays)| std::iter::repeat_n(stays, unit.length));
    let (kept, fallen): (Vec<_>, Vec<_>) = conversation.iter().zip(of_messages).partition(|(_, stays)| *stays);
    let messages = |part: Vec<(&ChatMessage, bool)>| part.into_iter().map(|(message, _)| message.clone()).collect();
    (messages(kept), messages(fallen))
}
