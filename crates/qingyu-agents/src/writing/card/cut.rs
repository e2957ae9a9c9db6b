//! Beginnings of texts within a limit of tokens.

use qingyu_llm::estimate;
use qingyu_story::excerpt;

/// Returns the beginning of a text within `tokens`: up to the end of a sentence outside of quotations, or with `…` inside
/// an overlong sentence.
pub(crate) fn clip(text: &str, tokens: u64) -> String {
    let text = text.trim();
    if estimate::tokens(text) <= tokens {
        return text.to_owned();
    }
    let (mut low, mut high) = (0, text.chars().count());
    let limit = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if estimate::tokens(&text[..limit(middle)]) < tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    excerpt::within(text, limit(low))
}
