//! What is left of a quote after an edit of its text: an edit withdraws only what stood in the words that it changed.

use super::changed_words::with_other_form;
use super::quotes::Quotable;
use crate::Prose;
use crate::piece::PieceKind;

/// Returns the words of the text by which it still tells a piece that rests on `quote`; `None` if they are gone.
///
/// A sentence that differs in its form only is the same. Of several sentences, those that make up at least half of the quote
/// are enough for an event or a promise. The sentence of a promise may have another number: the promise does not depend on
/// it.
pub(super) fn words_left(text: &Quotable<'_>, kind: PieceKind, quote: &str) -> Option<String> {
    let quote = quote.trim();
    if text.find(quote, 0).is_some() {
        return Some(quote.to_owned());
    }
    if let Some(words) = with_other_form(text, quote, 0) {
        return Some(words);
    }
    if !matches!(kind, PieceKind::Event | PieceKind::Promise) {
        return None;
    }
    let stands = |sentence: &str| match text.find(sentence, 0) {
        Some(_) => Some(sentence.to_owned()),
        None if kind == PieceKind::Promise => text.with_other_numbers(sentence, 0),
        None => None,
    };
    let sentences: Vec<&str> =
        Prose::of(quote).sentences.iter().map(|sentence| quote[sentence.range.clone()].trim()).collect();
    if sentences.len() < 2 {
        return stands(quote);
    }
    let left: Vec<String> = sentences.into_iter().filter(|sentence| size(sentence) > 0).filter_map(stands).collect();
    let sizes: usize = left.iter().map(|words| size(words)).sum();
    let longest = left.into_iter().max_by_key(|words| size(words));
    longest.filter(|_| sizes * 2 >= size(quote))
}

/// Returns the number of letters.
pub(super) fn size(words: &str) -> usize {
    words.chars().filter(|c| c.is_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stood_in_the_changed_sentence_goes() {
        let text = Quotable::of("雨下了一夜。他把九两银子放在桌上，说两清了。她没有抬头。");
        let left = |kind, quote: &str| words_left(&text, kind, quote);
        let paid = "他把八两银子放在桌上，说两清了。";
        assert_eq!(left(PieceKind::Promise, paid).as_deref(), Some("他把九两银子放在桌上，说两清了。"));
        assert_eq!(left(PieceKind::Event, paid), None);
        assert_eq!(left(PieceKind::Fact, paid), None);
        let both = "他把九两银子放在桌上，说两清了。她笑了。";
        assert_eq!(left(PieceKind::Event, both).as_deref(), Some("他把九两银子放在桌上，说两清了。"));
        assert_eq!(left(PieceKind::Event, "他把银子收了回去，转身出门。她没有抬头。"), None);
        assert_eq!(left(PieceKind::Promise, "他走了。"), None);
    }
}
