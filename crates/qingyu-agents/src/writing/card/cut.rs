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

/// Returns whole sentences within `tokens`. A first sentence that alone is longer stays whole up to twice as many, and is
/// cut as by [`clip`] beyond.
pub(crate) fn sentences_within(text: &str, tokens: u64) -> String {
    let text = text.trim();
    let within = clip(text, tokens);
    if text.starts_with(&within) { within } else { clip(excerpt::first_sentence(text), tokens * 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_sentence_is_not_cut_in_its_middle() {
        let first = "In 1905 Amos left the boy alone in the bell-house for ten minutes, and found the stool too late.";
        let text = format!("{first} Edith promises to say nothing.");
        let (short, all) = (estimate::tokens(first), estimate::tokens(&text));
        assert_eq!(sentences_within(&text, short - 5), first);
        assert_eq!(sentences_within(&text, all), text);
        assert_eq!(sentences_within(&text, short + 2), first);
        let endless = "雨".repeat(500);
        assert!(sentences_within(&endless, 20).ends_with('…'));
        assert!(estimate::tokens(&sentences_within(&endless, 20)) <= 40);
    }
}
