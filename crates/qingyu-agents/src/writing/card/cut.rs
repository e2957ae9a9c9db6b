//! Beginnings of texts within a limit of tokens.

use qingyu_llm::estimate;
use qingyu_story::marks;

/// Returns whether the mark `c` at byte `at` ends a sentence.
fn is_end(text: &str, at: usize, c: char) -> bool {
    let next = text[at + c.len_utf8()..].chars().next();
    marks::may_end_sentence(c) && (c != '.' || next.is_none_or(char::is_whitespace))
}

/// Returns the first sentence of a text, with its mark.
pub(super) fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = text.char_indices().find(|(at, c)| is_end(text, *at, *c));
    end.map_or(text, |(at, c)| &text[..at + c.len_utf8()])
}

/// Returns the beginning of a text within `tokens`: up to the end of a sentence, or with `…` inside an overlong
/// sentence.
pub(crate) fn clip(text: &str, tokens: u64) -> String {
    let text = text.trim();
    if estimate::tokens(text) <= tokens {
        return text.to_owned();
    }
    let (mut low, mut high) = (0, text.chars().count());
    let cut = |count: usize| text.chars().take(count).collect::<String>();
    while low < high {
        let middle = (low + high).div_ceil(2);
        if estimate::tokens(&cut(middle)) < tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let beginning = cut(low);
    let end = beginning.char_indices().rev().find(|(at, c)| is_end(text, *at, *c)).map(|(at, c)| at + c.len_utf8());
    let end = end.map(|end| {
        end + beginning[end..].chars().take_while(|c| marks::may_close_quote(*c)).map(char::len_utf8).sum::<usize>()
    });
    match end {
        // A sentence that leaves most of the budget unused says too little.
        Some(end) if end * 3 >= beginning.len() => beginning[..end].to_owned(),
        _ => beginning + "…",
    }
}
