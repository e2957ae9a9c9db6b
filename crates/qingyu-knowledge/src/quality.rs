//! Who has most of a quality, by the words on the cards: "the most cautious of them".
//!
//! A small dictionary knows what else says a quality and what says its contrary; a word that it does not know stands for
//! itself. The judgement is only as deep as the words: it quotes them, so that everybody can see why.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Chunk;
use crate::analysis::fold;
use crate::question::Rank;

/// What a trait on a card counts, beside 1 for a word elsewhere.
const TRAIT: f64 = 3.0;
/// The most that words outside of the traits count.
const ELSEWHERE: f64 = 2.0;
/// What makes the contrary of a word that follows it.
const DENIALS: [&str; 10] = ["不", "没", "毫无", "并非", "缺乏", "not ", "never ", "hardly ", "no ", "lacks "];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    quality: Vec<Quality>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quality {
    words: Vec<String>,
    opposite: Vec<String>,
}

static QUALITIES: LazyLock<Vec<Quality>> = LazyLock::new(|| {
    let source: Source = toml::from_str(include_str!("quality.toml")).expect("the words are part of the program");
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

/// The words that say a quality; the quality itself first.
pub fn words(quality: &str) -> Vec<String> {
    let known = find(quality).map(|found| found.words.clone()).unwrap_or_default();
    let others = known.into_iter().filter(|word| word != quality);
    std::iter::once(quality.to_owned()).chain(others).collect()
}

/// How much of what `rank` asks for the card says that somebody has.
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

/// The quality that the word says.
fn find(word: &str) -> Option<&'static Quality> {
    let word = fold(word);
    let says = |quality: &&Quality| quality.words.iter().any(|one| fold(one) == word);
    // What it is named by first comes before what it is also called.
    QUALITIES.iter().find(|quality| fold(&quality.words[0]) == word).or_else(|| QUALITIES.iter().find(says))
}

/// How often a folded text says the quality, less how often it says the contrary.
fn said(text: &str, quality: &Quality) -> f64 {
    let count = |words: &[String]| words.iter().map(|word| stated(text, &fold(word))).sum::<f64>();
    count(&quality.words) - count(&quality.opposite)
}

/// 1 if the text has the word, -1 if it denies it, 0 if neither.
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
