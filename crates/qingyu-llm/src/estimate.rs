//! Token estimates without a tokenizer, corrected by the usage providers report.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::{ChatMessage, ChatRequest};

/// Tokens of a CJK character or full-width mark.
const WIDE: f64 = 1.0;

/// Tokens of any other character.
const NARROW: f64 = 0.27;

/// Tokens of the role and separators around a message.
const MESSAGE: f64 = 4.0;

/// Weight of the newest report in a model's factor.
const NEWEST: f64 = 0.3;

/// A report outside these bounds reflects the provider (caching, hidden prompts), not the tokenizer.
const FACTORS: std::ops::RangeInclusive<f64> = 0.3..=3.0;

/// Estimates tokens per model: character counts times a factor learned from reported usage.
#[derive(Debug, Default)]
pub(crate) struct Estimator {
    factors: Mutex<BTreeMap<String, f64>>,
}

impl Estimator {
    /// Returns the estimated tokens of `text` for `model`.
    pub(crate) fn text(&self, model: &str, text: &str) -> u64 {
        whole(weight(text) * self.factor(model))
    }

    /// Returns the estimated tokens of `request` for `model`: messages, tools and schema.
    pub(crate) fn request(&self, model: &str, request: &ChatRequest) -> u64 {
        whole(request_weight(request) * self.factor(model))
    }

    /// Corrects the factor of `model` with the reported input tokens of `request`.
    pub(crate) fn learn(&self, model: &str, request: &ChatRequest, reported: u64) {
        let expected = request_weight(request);
        if reported == 0 || expected < 1.0 {
            return;
        }
        let seen = (reported as f64 / expected).clamp(*FACTORS.start(), *FACTORS.end());
        let mut factors = self.factors.lock().expect("no estimate panics");
        factors
            .entry(model.to_owned())
            .and_modify(|factor| *factor += NEWEST * (seen - *factor))
            // The first report is more accurate than the default constants.
            .or_insert(seen);
    }

    fn factor(&self, model: &str) -> f64 {
        self.factors.lock().expect("no estimate panics").get(model).copied().unwrap_or(1.0)
    }
}

/// Returns the estimated tokens of `text` for an unknown model.
pub fn tokens(text: &str) -> u64 {
    whole(weight(text))
}

/// Returns whether most letters of `text` are Chinese.
pub fn is_chinese(text: &str) -> bool {
    let wide = text.chars().filter(|&c| is_wide(c)).count();
    // A Chinese character carries about as much meaning as four Latin letters.
    wide * 4 > text.chars().filter(char::is_ascii_alphabetic).count()
}

fn request_weight(request: &ChatRequest) -> f64 {
    let messages: f64 = request.messages.iter().map(message_weight).sum();
    let tools: f64 = request
        .tools
        .iter()
        .map(|tool| weight(&tool.name) + weight(&tool.description) + weight(&tool.parameters.to_string()))
        .sum();
    let schema = request.output.as_ref().map_or(0.0, |output| weight(&output.schema.to_string()));
    messages + tools + schema
}

fn message_weight(message: &ChatMessage) -> f64 {
    let calls: f64 = message.tool_calls.iter().map(|call| weight(&call.name) + weight(&call.arguments)).sum();
    MESSAGE + weight(&message.text) + calls
}

fn weight(text: &str) -> f64 {
    text.chars().map(|c| if is_wide(c) { WIDE } else { NARROW }).sum()
}

fn whole(tokens: f64) -> u64 {
    tokens.ceil() as u64
}

/// Matches CJK ideographs, kana, hangul, and full-width punctuation.
fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{2014}' | '\u{2018}'..='\u{201D}' | '\u{2026}'
        | '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns the start of `text` up to `limit` tokens, with an ellipsis if truncated.
pub fn cut(text: &str, limit: u64) -> String {
    if tokens(text) <= limit {
        return text.to_owned();
    }
    let length = text.chars().count() as u64;
    // A proportional cut first, then slightly shorter until the text fits.
    let mut keep = length * limit / tokens(text).max(1);
    loop {
        let kept: String = text.chars().take(usize::try_from(keep).unwrap_or(usize::MAX)).collect();
        if keep == 0 || tokens(&kept) <= limit {
            return format!("{kept}…");
        }
        keep -= keep.div_ceil(20);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.90 tokens per character were measured for Chinese prose with o200k, 0.23 for English.
    #[test]
    fn estimates_lie_near_measured_tokenizers() {
        assert_eq!(tokens("雪夜，门开了。"), 7);
        assert_eq!(tokens("It was a dark and stormy night."), 9);
        assert_eq!(tokens(""), 0);
    }

    #[test]
    fn a_model_s_factor_follows_its_reports() {
        let estimator = Estimator::default();
        let request = ChatRequest { messages: vec![ChatMessage::user("雪".repeat(96))], ..ChatRequest::default() };
        assert_eq!(estimator.request("a", &request), 100);
        estimator.learn("a", &request, 150);
        assert_eq!(estimator.request("a", &request), 150);
        estimator.learn("a", &request, 100);
        assert_eq!(estimator.request("a", &request), 135);
        assert_eq!(estimator.request("b", &request), 100, "models do not share factors");
    }

    #[test]
    fn odd_reports_are_bounded_or_ignored() {
        let estimator = Estimator::default();
        let request = ChatRequest { messages: vec![ChatMessage::user("雪".repeat(96))], ..ChatRequest::default() };
        estimator.learn("a", &request, 0);
        assert_eq!(estimator.request("a", &request), 100);
        estimator.learn("a", &request, 1_000_000);
        assert_eq!(estimator.request("a", &request), 300);
    }

    #[test]
    fn the_language_of_a_text() {
        assert!(is_chinese("创作一部 cyberpunk 小说"));
        assert!(!is_chinese("A story about 青羽, a detective"));
        assert!(!is_chinese(""));
    }

    #[test]
    fn texts_are_cut_to_a_budget() {
        assert_eq!(cut("雪夜。", 10), "雪夜。");
        let cut = cut(&"雪".repeat(10_000), 100);
        assert!(cut.ends_with('…') && tokens(&cut) <= 102 && cut.chars().count() > 50, "{}", cut.len());
    }
}
