//! Words in a text, and words in common of two texts, to find what concerns a subject without a model.

use std::collections::BTreeSet;

use qingyu_story::language::is_han;

/// Latin words that say nothing about a subject.
const STOP: [&str; 60] = [
    "about", "after", "all", "also", "and", "any", "are", "because", "been", "before", "but", "can", "did", "does",
    "each", "for", "from", "had", "has", "have", "her", "his", "how", "into", "its", "just", "like", "made", "make",
    "more", "most", "much", "not", "one", "only", "other", "our", "out", "over", "own", "say", "she", "some", "such",
    "than", "that", "the", "their", "them", "then", "they", "this", "was", "what", "when", "which", "who", "will",
    "with", "your",
];
/// Chinese characters that say nothing about a subject.
const EMPTY: &str = "的了是在和有不这那与及或也都就而且把被让给对于为以从到一个们它他她你我";

/// Returns the terms of a text: Latin words in lower case without plural endings, and pairs of Chinese characters.
pub fn terms(text: &str) -> BTreeSet<String> {
    let (mut terms, mut word, mut before) = (BTreeSet::new(), String::new(), None);
    for letter in text.to_lowercase().chars().chain([' ']) {
        let is_latin = letter.is_alphanumeric() && !is_han(letter);
        if is_latin {
            word.push(letter);
        } else if !word.is_empty() {
            let stem = if word.len() > 3 { word.trim_end_matches('s') } else { &word };
            if word.chars().count() > 2 && !STOP.contains(&word.as_str()) {
                terms.insert(stem.to_owned());
            }
            word.clear();
        }
        let han = Some(letter).filter(|letter| is_han(*letter) && !EMPTY.contains(*letter));
        if let (Some(one), Some(other)) = (before, han) {
            terms.insert([one, other].iter().collect());
        }
        before = han;
    }
    terms
}

/// Returns the position of a word; Latin words match only as whole words.
pub(crate) fn find(text: &str, word: &str) -> Option<usize> {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !(word.starts_with(is_latin) && before.ends_with(is_latin)
            || word.ends_with(is_latin) && after.starts_with(is_latin))
    })
}

/// Returns the share of the terms of `claim` that occur in `text`, from 0 to 1; 0 for a claim without terms.
pub fn overlap(claim: &str, text: &str) -> f64 {
    let (claim, text) = (terms(claim), terms(text));
    let shared = claim.intersection(&text).count();
    shared as f64 / claim.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_something_are_terms() {
        assert_eq!(terms("The prices of 3 libraries").into_iter().collect::<Vec<_>>(), ["librarie", "price"]);
        assert_eq!(terms("定价的方法").into_iter().collect::<Vec<_>>(), ["定价", "方法"]);
        assert!(terms("的 a 了").is_empty());
    }

    #[test]
    fn overlap_is_a_share_of_the_claim() {
        assert!((overlap("定价方法", "三种定价方法") - 1.0).abs() < 1e-9);
        assert!(overlap("prices rise", "weather report") < 1e-9);
        assert!(overlap("", "x").abs() < 1e-9);
    }
}
