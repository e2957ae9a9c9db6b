//! A text in the pieces of a stream.

/// The number of characters after which a piece ends at the next opportunity.
const LONG: usize = 40;

/// Splits a text into pieces that make up the text again: sentences, or about 40 characters.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, left) = rest.split_at(end_of_piece(rest));
        rest = left;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns the length in bytes of the first piece of a text.
fn end_of_piece(text: &str) -> usize {
    let mut characters = text.char_indices().enumerate().peekable();
    while let Some((count, (_, character))) = characters.next() {
        let Some((_, (next, following))) = characters.peek().copied() else { break };
        let ends_sentence = match character {
            '。' | '！' | '？' | '…' | '\n' => !is_closing(following),
            '.' | '!' | '?' => following.is_whitespace(),
            '”' | '」' | '』' => following == '\n',
            _ => false,
        };
        let is_long = count + 1 >= LONG && (!character.is_alphanumeric() || !following.is_ascii_alphanumeric());
        if ends_sentence || (is_long && !is_closing(following)) {
            return next;
        }
    }
    text.len()
}

/// Returns whether a character belongs to the preceding one.
fn is_closing(character: char) -> bool {
    matches!(character, '”' | '’' | '」' | '』' | '）' | '》' | '。' | '！' | '？' | '，' | '、' | '…' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_pieces_of_their_own() {
        let split = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(split("灯亮了。“谁？”他问。\n没有人。"), ["灯亮了。", "“谁？”他问。\n", "没有人。"]);
        assert_eq!(split("It rained. Nobody came! 3.5 miles."), ["It rained.", " Nobody came!", " 3.5 miles."]);
        assert_eq!(split("雨"), ["雨"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn long_sentences_are_split_between_words_and_nothing_is_lost() {
        for text in ["雨".repeat(100), "word ".repeat(60), "a".repeat(200), "。".repeat(90), "é\u{301}🙂".repeat(50)]
        {
            assert_eq!(pieces(&text).collect::<String>(), text);
        }
        let words = "word ".repeat(60);
        assert!(pieces(&words).all(|piece| piece.chars().count() <= 45), "{words}");
        assert!(pieces(&words).all(|piece| piece.trim().split(' ').all(|word| word == "word")));
        assert_eq!(pieces(&"雨".repeat(100)).count(), 3);
    }
}
