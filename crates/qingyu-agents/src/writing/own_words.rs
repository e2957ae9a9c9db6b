//! Sentences that the author wrote by hand, as instructions to keep them.
//!
//! A run may not change them: a finding about such a sentence is held like a finding against an instruction, and becomes a
//! question to the author. A contradiction found by the rules is an exception: it is mended.

use std::ops::Range;

use qingyu_story::{AuthorInstruction, Document, InstructionKind, Language};

/// Returns what the author asked for in a text: the instructions of rewrites, and to keep what was written by hand.
pub(super) fn instructions(document: &Document, language: Language) -> Vec<AuthorInstruction> {
    let of_sentence = |sentence: &String| AuthorInstruction {
        text: words(language).into(),
        passage: sentence.clone(),
        kind: InstructionKind::KeptSentence,
    };
    let by_hand = document.by_hand.iter().filter(|sentence| document.text.contains(sentence.as_str()));
    document.instructions.iter().cloned().chain(by_hand.map(of_sentence)).collect()
}

/// Returns the instruction to keep a sentence, whose words are the passage.
fn words(language: Language) -> &'static str {
    match language {
        Language::Zh => "这一句是作者亲手改定的，保持原样",
        Language::En => "The author wrote this sentence by hand; keep it as it stands",
    }
}

/// Returns whether an instruction still has its words in the text; one that is not about a sentence always has.
pub(super) fn stands(instruction: &AuthorInstruction, text: &str) -> bool {
    instruction.kind.is_request() || text.contains(instruction.passage.as_str())
}

/// Returns the instruction to keep a sentence, among `asked`, that the words `quote` of the text are part of or reach into.
pub(super) fn keeping<'a>(asked: &'a [AuthorInstruction], text: &str, quote: &str) -> Option<&'a AuthorInstruction> {
    if quote.trim().is_empty() {
        return None;
    }
    let places = |words: &str| -> Vec<Range<usize>> {
        text.match_indices(words).map(|(at, found)| at..at + found.len()).collect()
    };
    let quoted = places(quote);
    asked.iter().filter(|one| !one.kind.is_request() && !one.passage.is_empty()).find(|one| {
        let kept = places(&one.passage);
        quoted.iter().any(|place| kept.iter().any(|kept| place.start < kept.end && kept.start < place.end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_a_sentence_written_by_hand_are_kept() {
        let text = "雨停了。他给了四两。门开了。";
        for language in [Language::Zh, Language::En] {
            let document =
                Document { text: text.into(), by_hand: vec!["他给了四两。".into()], ..Document::default() };
            let mut asked = instructions(&document, language);
            asked.push(AuthorInstruction {
                text: "门要关着".into(),
                passage: "门开了。".into(),
                ..AuthorInstruction::default()
            });
            let is_kept = |quote: &str| keeping(&asked, text, quote).is_some();
            assert!(is_kept("四两") && is_kept("雨停了。他给了四两。"));
            assert!(!is_kept("门开了。") && !is_kept("雨停了。") && !is_kept("") && !is_kept("别的话"));
            assert!(stands(&asked[0], text) && !stands(&asked[0], "雨停了。") && stands(&asked[1], "雨停了。"));
        }
    }
}
