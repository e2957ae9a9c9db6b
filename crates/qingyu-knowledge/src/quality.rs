//! Comparison of characters by a quality, from the words on the cards: "the most cautious of them".
//!
//! A small dictionary has synonyms and opposites of a quality; an unknown word is its own only synonym. The judgement
//! is only as deep as the words: the words are quoted, so that every reader can verify the result.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Chunk;
use crate::analysis::fold;
use crate::question::Rank;

/// The weight of a trait on a card; other words weigh 1.
const TRAIT: f64 = 3.0;
/// The maximum weight of words outside the traits.
const ELSEWHERE: f64 = 2.0;
/// Negations of a following word.
const DENIALS: [&str; 10] = ["不", "没", "毫无", "并非", "缺乏", "not ", "never ", "hardly ", "no ", "lacks "];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QualitySource {
    quality: Vec<Quality>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quality {
    words: Vec<String>,
    opposite: Vec<String>,
}

static QUALITIES: LazyLock<Vec<Quality>> = LazyLock::new(|| {
    let source: QualitySource =
        toml::from_str(include_str!("quality.toml")).expect("the words are part of the program");
    source.quality
});

/// How much of a quality somebody has.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// Above 0 for what was asked for, below 0 for its contrary, 0 if nothing is said.
    pub score: f64,
    /// The words that say so, as they stand on the card.
    pub because: Vec<String>,
}

/// Returns the synonyms of a quality; the quality first.
pub fn words(quality: &str) -> Vec<String> {
    let known = find(quality).map(|found| found.words.clone()).unwrap_or_default();
    let others = known.into_iter().filter(|word| word != quality);
    std::iter::once(quality.to_owned()).chain(others).collect()
}

/// Returns the score of a card for the quality of `rank`, with the words.
pub fn judge(rank: &Rank, card: &Chunk) -> Judged {
    let own = Quality { words: vec![rank.quality.clone()], opposite: Vec::new() };
    let quality = find(&rank.quality).unwrap_or(&own);
    let mut judged = Judged::default();
    let traits: Vec<&str> = card.texts_of("traits").collect();
    for one in &traits {
        let said = said(&fold(one), quality);
        if said != 0.0 {
            judged.score += TRAIT * said.signum();
            judged.because.push((*one).to_owned());
        }
    }
    let mut elsewhere = 0.0;
    for clause in card.text.split(['，', '。', '；', '、', '\n', ',', '.', ';', '！', '？', '!', '?']).map(str::trim)
    {
        let said = said(&fold(clause), quality);
        if said != 0.0 && !traits.contains(&clause) {
            elsewhere += said;
            judged.because.push(clause.to_owned());
        }
    }
    judged.score += f64::clamp(elsewhere, -ELSEWHERE, ELSEWHERE);
    if !rank.most {
        judged.score = -judged.score;
    }
    judged
}

/// Returns the quality with the given synonym.
fn find(word: &str) -> Option<&'static Quality> {
    let word = fold(word);
    let says = |quality: &&Quality| quality.words.iter().any(|one| fold(one) == word);
    // The main name of a quality takes precedence over synonyms.
    QUALITIES.iter().find(|quality| fold(&quality.words[0]) == word).or_else(|| QUALITIES.iter().find(says))
}

/// Returns the number of synonyms in a folded text, minus the number of opposites.
fn said(text: &str, quality: &Quality) -> f64 {
    let count = |words: &[String]| words.iter().map(|word| stated(text, &fold(word))).sum::<f64>();
    count(&quality.words) - count(&quality.opposite)
}

/// Returns 1 if the text contains the word, -1 if negated, 0 if absent.
fn stated(text: &str, word: &str) -> f64 {
    let is_letter = |c: Option<char>| word.is_ascii() && c.is_some_and(char::is_alphanumeric);
    let places = text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    let mut whole =
        places.filter(|(before, after)| !is_letter(before.chars().next_back()) && !is_letter(after.chars().next()));
    whole
        .next()
        .map_or(0.0, |(before, _)| if DENIALS.iter().any(|denial| before.ends_with(denial)) { -1.0 } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, Piece, Story};

    use super::*;
    use crate::chunk::Chunker;

    fn card(traits: &[&str], personality: &str) -> Chunk {
        let character = Character {
            name: "某人".into(),
            traits: traits.iter().map(|word| (*word).into()).collect(),
            personality: personality.into(),
            ..Character::default()
        };
        Chunker::new(&Story::default()).chunks("c-1", &Piece::Character(character)).remove(0)
    }

    fn score(quality: &str, most: bool, card: &Chunk) -> f64 {
        judge(&Rank { quality: quality.into(), most }, card).score
    }

    #[test]
    fn the_words_of_a_card_decide() {
        let cases: [(&str, &[&str], &str, i8); 9] = [
            ("谨慎", &["谨慎"], "", 1),
            ("谨慎", &[], "做事步步为营。", 1),
            ("谨慎", &["冲动"], "", -1),
            ("谨慎", &[], "为人不谨慎。", -1),
            ("谨慎", &["勇敢"], "爱喝酒。", 0),
            ("cautious", &["careful"], "", 1),
            ("cautious", &[], "She is not careful at all", -1),
            ("kind", &[], "A man of every kindred", 0),
            ("会做饭", &[], "他会做饭，也会修船。", 1),
        ];
        for (quality, traits, personality, sign) in cases {
            let card = card(traits, personality);
            assert_eq!(score(quality, true, &card).total_cmp(&0.0) as i8, sign, "{quality} {traits:?} {personality}");
            let (most, least) = (score(quality, true, &card), score(quality, false, &card));
            assert!((most + least).abs() < 1e-9, "the least is the contrary of the most");
        }
    }

    #[test]
    fn a_trait_weighs_more_than_a_word_and_is_quoted() {
        let (named, told) = (card(&["谨慎"], ""), card(&[], "行事小心"));
        assert!(score("谨慎", true, &named) > score("谨慎", true, &told));
        assert_eq!(judge(&Rank { quality: "谨慎".into(), most: true }, &told).because, ["行事小心"]);
    }
}
