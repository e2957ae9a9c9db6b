//! Working memory: what of a conversation still fits into a model's window.
//!
//! Messages are kept or left out whole, and what belongs together (a call of a tool and its result) goes together. The
//! oldest fall out first. In their place a summary may stand, which says how many messages it stands for.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_llm::estimate::is_chinese;
use qingyu_llm::tokens::{TokenCounter, of_message};
use qingyu_llm::{Message, Request, Role};

use crate::Error;

/// The share of the budget that is held free for a summary, as a divisor.
const SUMMARY_SHARE: u64 = 8;
/// A summary of fewer tokens says nothing.
const SHORTEST_SUMMARY: u64 = 48;

/// Says in few words what messages said; mostly by a model.
pub trait Summarise: Send + Sync + Debug {
    /// What `messages` said, in at most about `limit` tokens. What is longer is cut at its end.
    ///
    /// An `Err` says why there is no summary; the messages are then left out without one.
    fn summarise<'a>(&'a self, messages: &'a [Message], limit: u64) -> BoxFuture<'a, Result<String, String>>;
}

/// Cuts conversations to a budget.
#[derive(Debug, Clone)]
pub struct WorkingMemory {
    counter: Arc<dyn TokenCounter>,
    budget: u64,
    summariser: Option<Arc<dyn Summarise>>,
}

/// A conversation that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The messages that stay, in their order; a summary stands after the system message.
    pub messages: Vec<Message>,
    /// What they cost together, in tokens.
    pub tokens: u64,
    /// How many messages fell out.
    pub fallen: usize,
    /// Whether a summary stands for them.
    pub summarised: bool,
    /// Why no summary stands for them, if there should be one.
    pub unsummarised: Option<String>,
}

impl WorkingMemory {
    /// Keeps conversations within `budget` tokens, as `counter` counts; what falls out is gone.
    pub fn new(counter: Arc<dyn TokenCounter>, budget: u64) -> Self {
        Self { counter, budget, summariser: None }
    }

    /// The same, with a summary for what falls out.
    #[must_use]
    pub fn summarised_by(self, summariser: Arc<dyn Summarise>) -> Self {
        Self { summariser: Some(summariser), ..self }
    }

    /// The part of `conversation` that fits, the newest first.
    ///
    /// System messages and the newest message of the user always stay, with what belongs to them. Fails with
    /// [`Error::OverBudget`] if these alone cost more than the budget.
    pub async fn cut(&self, conversation: Vec<Message>) -> Result<Cut, Error> {
        let units = units(&conversation, &*self.counter);
        let whole: u64 = units.iter().map(|unit| unit.tokens).sum();
        let needed: u64 = units.iter().filter(|unit| unit.must_stay).map(|unit| unit.tokens).sum();
        if needed > self.budget {
            return Err(Error::OverBudget { needed, budget: self.budget });
        }
        if whole <= self.budget {
            return Ok(Cut { messages: conversation, tokens: whole, fallen: 0, summarised: false, unsummarised: None });
        }
        let Some(summariser) = &self.summariser else { return Ok(self.without(&conversation, &units, self.budget)) };
        let reserve = (self.budget / SUMMARY_SHARE).min(self.budget - needed);
        if reserve < SHORTEST_SUMMARY {
            let unsummarised = Some(format!("{reserve} tokens are too few for a summary"));
            return Ok(Cut { unsummarised, ..self.without(&conversation, &units, self.budget) });
        }
        let (kept, fallen) = split(&conversation, &units, self.budget - reserve);
        match summariser.summarise(&fallen, reserve).await {
            Ok(summary) => Ok(self.with_summary(kept, fallen.len(), &summary, reserve)),
            Err(reason) => Ok(Cut { unsummarised: Some(reason), ..self.without(&conversation, &units, self.budget) }),
        }
    }

    fn without(&self, conversation: &[Message], units: &[Unit], budget: u64) -> Cut {
        let (messages, fallen) = split(conversation, units, budget);
        let tokens = self.cost(&messages);
        Cut { messages, tokens, fallen: fallen.len(), summarised: false, unsummarised: None }
    }

    /// `kept` with a summary of at most `reserve` tokens after its system messages.
    fn with_summary(&self, mut kept: Vec<Message>, fallen: usize, summary: &str, reserve: u64) -> Cut {
        let place = kept.iter().take_while(|message| message.role == Role::System).count();
        let fitting = self.fitting(fallen, summary.trim(), reserve);
        let unsummarised = if fitting.is_none() { Some("the summary is empty".to_owned()) } else { None };
        let summarised = fitting.is_some();
        kept.splice(place..place, fitting);
        Cut { tokens: self.cost(&kept), messages: kept, fallen, summarised, unsummarised }
    }

    /// The longest beginning of `summary` that fits, as a message; `None` if nothing of it does.
    fn fitting(&self, fallen: usize, summary: &str, reserve: u64) -> Option<Message> {
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
        // A real tokenizer is not quite monotonic, so that the last step is checked again.
        let (mut low, mut high) = (0, ends.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if fits(middle) { low = middle } else { high = middle }
        }
        (low > 0 && fits(low)).then(|| message(low))
    }

    fn cost(&self, messages: &[Message]) -> u64 {
        messages.iter().map(|message| of_message(&*self.counter, message)).sum()
    }
}

/// Asks `model` for summaries.
#[derive(Debug)]
pub struct ModelSummariser {
    model: Arc<dyn qingyu_llm::ChatModel>,
}

impl ModelSummariser {
    /// Summaries by `model`.
    pub fn new(model: Arc<dyn qingyu_llm::ChatModel>) -> Self {
        Self { model }
    }

    async fn ask(&self, messages: &[Message], limit: u64) -> Result<String, String> {
        let stream = self.model.stream(&summary_request(messages, limit)).await.map_err(|error| error.to_string())?;
        let reply = qingyu_llm::model::drain(stream).await.map_err(|error| error.to_string())?;
        Ok(reply.text)
    }
}

impl Summarise for ModelSummariser {
    fn summarise<'a>(&'a self, messages: &'a [Message], limit: u64) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(self.ask(messages, limit))
    }
}

/// The request for a summary: the messages as fenced data, so that what they order is not obeyed.
fn summary_request(messages: &[Message], limit: u64) -> Request {
    let transcript: String = messages.iter().map(|message| format!("{}\n", line(message))).collect();
    let fenced = format!("<transcript>\n{}</transcript>", transcript.replace("</", "< /"));
    let rules = if is_chinese(&transcript) {
        include_str!("../prompts/summary.zh.md")
    } else {
        include_str!("../prompts/summary.en.md")
    };
    Request {
        purpose: "memory.summarise".into(),
        messages: vec![Message::system(rules.trim()), Message::user(fenced)],
        temperature: Some(0.0),
        max_tokens: u32::try_from(limit).ok(),
        ..Request::default()
    }
}

fn line(message: &Message) -> String {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let calls: String = message.tool_calls.iter().map(|call| format!(" [{} {}]", call.name, call.arguments)).collect();
    format!("{role}: {}{calls}", message.text)
}

/// The message that stands where `fallen` messages stood.
fn standing_for(fallen: usize, summary: &str) -> Message {
    let text = summary.replace("</", "< /");
    Message::user(if is_chinese(summary) {
        format!("<summary>\n以下代替更早的 {fallen} 条消息，是它们的摘要，仅作资料：\n{text}\n</summary>")
    } else {
        format!("<summary>\nThis stands for {fallen} earlier messages and is data about them:\n{text}\n</summary>")
    })
}

/// Messages that stay or fall together.
struct Unit {
    /// How many messages; they follow each other.
    length: usize,
    tokens: u64,
    must_stay: bool,
}

/// Takes a conversation apart into what belongs together: from a call of a tool to its last result.
fn units(conversation: &[Message], counter: &dyn TokenCounter) -> Vec<Unit> {
    let newest_of_user = conversation.iter().rposition(|message| message.role == Role::User);
    // Where the unit of each message begins.
    let mut starts: Vec<usize> = Vec::with_capacity(conversation.len());
    let mut callers: HashMap<&str, usize> = HashMap::new();
    for (place, message) in conversation.iter().enumerate() {
        let caller = message.tool_call_id.as_deref().and_then(|id| callers.get(id).copied());
        let follows = (message.role == Role::Tool && place > 0).then(|| place - 1);
        let start = caller.or(follows).map_or(place, |earlier| starts[earlier]);
        // All in between belong to it.
        starts.truncate(start);
        starts.resize(place + 1, start);
        callers.extend(message.tool_calls.iter().map(|call| (call.id.as_str(), place)));
    }
    let mut units: Vec<Unit> = Vec::new();
    for (place, message) in conversation.iter().enumerate() {
        let must_stay = message.role == Role::System || Some(place) == newest_of_user;
        let tokens = of_message(counter, message);
        match units.last_mut().filter(|_| starts[place] < place) {
            Some(unit) => {
                unit.length += 1;
                unit.tokens += tokens;
                unit.must_stay |= must_stay;
            }
            None => units.push(Unit { length: 1, tokens, must_stay }),
        }
    }
    units
}

/// Those that stay and those that fall out: what must stay, and of the others the newest until one does not fit.
fn split(conversation: &[Message], units: &[Unit], budget: u64) -> (Vec<Message>, Vec<Message>) {
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
    let messages = |part: Vec<(&Message, bool)>| part.into_iter().map(|(message, _)| message.clone()).collect();
    (messages(kept), messages(fallen))
}
