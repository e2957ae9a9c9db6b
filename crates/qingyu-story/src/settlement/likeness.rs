//! Likeness of short titles: whether two names probably mean one event or one promise.

use std::collections::BTreeSet;

use crate::Story;
use crate::language::is_han;
use crate::names::{NamedPiece, Names, clear_parts, fold};
use crate::piece::PieceKind;

/// Chinese characters without a meaning of their own in a title: particles and numerals.
const PARTICLES: &str = "的了是在和与之被把向到又再也都就着地得这那个一二三四五六七八九十百千万两";
/// English words without a meaning of their own in a title.
const STOPWORDS: [&str; 34] = [
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "for", "from", "had", "has", "have", "he", "her", "his",
    "in", "into", "is", "it", "its", "of", "on", "or", "she", "that", "the", "their", "they", "to", "was", "who",
    "with",
];

/// Compares titles by the words that carry meaning, apart from the names of people, places and things.
#[derive(Debug)]
pub(super) struct TitleComparer {
    names: Names,
    /// The folded given and family names of the characters, with their positions.
    parts: Vec<(String, usize)>,
}

impl TitleComparer {
    pub(super) fn of(story: &Story) -> Self {
        let cards = story.characters.iter().enumerate();
        let parts = cards.flat_map(|(at, card)| clear_parts(&card.name).map(move |part| (fold(part), at)));
        Self { names: Names::of_entities(story), parts: parts.collect() }
    }

    /// Returns a predicate: whether another title shares most of the shorter one's meaning with `title`, at least two
    /// Chinese characters or a word. Half is enough for titles naming the same people; titles naming other people beside
    /// common ones share more.
    ///
    /// Names of cards alone are no likeness, and titles about different people are not alike.
    pub(super) fn like(&self, title: &str) -> impl Fn(&str) -> bool {
        let one = self.meaning(title);
        move |other| one.is_like(&self.meaning(other))
    }

    fn meaning(&self, title: &str) -> TitleMeaning {
        let mut meaning = TitleMeaning::default();
        let mut rest = String::new();
        let mut at = 0;
        for mention in self.names.mentions(title) {
            // Another name of a thing describes the thing; its words carry meaning.
            let called = fold(&title[mention.start..mention.end]);
            let is_thing = |named: &&NamedPiece| named.kind == PieceKind::Item && fold(&named.name) != called;
            if mention.bearers.iter().all(is_thing) {
                continue;
            }
            rest.push_str(&title[at..mention.start]);
            rest.push(' ');
            at = mention.end;
            let people = mention.bearers.iter().filter(|named| named.kind == PieceKind::Character);
            meaning.people.extend(people.map(|named| named.position));
        }
        rest.push_str(&title[at..]);
        // A part of a name is no more of a likeness than the whole.
        let mut folded = fold(&rest);
        for (part, position) in self.parts.iter().filter(|(part, _)| part.starts_with(is_han)) {
            if folded.contains(part.as_str()) {
                folded = folded.replace(part.as_str(), " ");
                meaning.people.insert(*position);
            }
        }
        let letters = folded.chars().filter(|c| is_han(*c) && !PARTICLES.contains(*c));
        meaning.parts.extend(letters.map(String::from));
        let words = folded.split(|c: char| !c.is_alphanumeric() || is_han(c));
        meaning.people.extend(words.clone().flat_map(|word| self.bearers(word)));
        let words = words.filter(|word| self.bearers(word).next().is_none()).map(stem);
        let words = words.filter(|word| word.len() > 1 && !STOPWORDS.contains(word));
        meaning.parts.extend(words.map(str::to_owned));
        meaning
    }

    /// Returns the positions of the characters with a folded word as a part of the name.
    fn bearers<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.parts.iter().filter(move |(part, _)| part == word).map(|(_, at)| *at)
    }
}

/// The meaning of a title.
#[derive(Debug, Default)]
struct TitleMeaning {
    /// The positions of the characters named in the title.
    people: BTreeSet<usize>,
    /// The single Chinese characters and the stems of Latin words.
    parts: BTreeSet<String>,
}

impl TitleMeaning {
    fn is_like(&self, other: &Self) -> bool {
        let names_people = !self.people.is_empty() && !other.people.is_empty();
        let is_apart = names_people && self.people.is_disjoint(&other.people);
        let least = self.parts.len().min(other.parts.len());
        let shared: Vec<&String> = self.parts.intersection(&other.parts).collect();
        let weight: usize = shared.iter().map(|part| if part.chars().all(is_han) { 1 } else { 2 }).sum();
        let is_most = match self.people == other.people {
            true => weight >= 2 && shared.len() * 2 >= least,
            false => weight >= if names_people { 3 } else { 2 } && shared.len() * 2 > least,
        };
        !is_apart && is_most
    }
}

/// Returns an English word without a common ending.
fn stem(word: &str) -> &str {
    let endings = ["ing", "ed", "es", "s"];
    let ending = endings.iter().find(|ending| word.len() > ending.len() + 2 && word.ends_with(**ending));
    ending.map_or(word, |ending| &word[..word.len() - ending.len()])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::TitleComparer;
    use crate::Story;

    fn comparer() -> TitleComparer {
        let story: Story = serde_json::from_value(json!({
            "characters": [
                {"id": "c-1", "name": "沈伯安"}, {"id": "c-2", "name": "田七"}, {"id": "c-3", "name": "裴慎之"},
                {"id": "c-4", "name": "阿蘅"}, {"id": "c-5", "name": "沈砚秋"}, {"id": "c-6", "name": "Mara Hale", "alias": ["Mara"]}
            ],
            "worldview": {"items": [
                {"id": "i-1", "name": "银骨尺"}, {"id": "i-2", "name": "双鱼玉扣", "alias": ["玉扣"]},
                {"id": "i-3", "name": "口供抄本", "alias": ["二十三份口供"]}
            ]}
        }))
        .expect("it is a story");
        TitleComparer::of(&story)
    }

    #[test]
    fn titles_that_say_the_same_in_other_words_are_alike() {
        let comparer = comparer();
        for (one, other) in [
            ("尺尾的空声", "银骨尺的尺尾中空"),
            ("二十三份口供一字不差", "二十三份口供用同一句话"),
            ("田七否认见过沈伯安", "田七说没见过沈伯安"),
            ("棺中没有玉扣", "棺中没有双鱼玉扣"),
            ("掌心的半个字", "阿蘅在掌心划的字"),
            ("沈伯安离家进京", "沈伯安进京"),
            ("沈伯安冬月进京", "沈伯安进京"),
            ("砚秋点清旧账", "沈砚秋点清账目"),
            ("the hollow end of the ruler", "hollow sound at the ruler's end"),
            ("Mara leaves", "Mara left the harbour, leaving"),
        ] {
            assert!(comparer.like(one)(other) && comparer.like(other)(one), "{one} / {other}");
        }
    }

    #[test]
    fn titles_that_share_only_names_or_particles_are_not() {
        let comparer = comparer();
        for (one, other) in [
            ("裴慎之是否认识沈伯安", "裴慎之说密旨是皇上点名"),
            ("裴慎之是否认识沈伯安", "沈伯安肋骨上的刀口"),
            ("裴慎之是否认识沈伯安", "裴慎之是东宫旧属"),
            ("裴慎之是否认识沈伯安", "田七否认见过沈伯安"),
            ("谁寄回了银骨尺", "银骨尺的尺尾中空"),
            ("第三杯酒", "二十三份口供用同一句话"),
            ("沈砚秋抵京", "沈伯安进京"),
            ("田七进京", "沈伯安进京"),
            ("七月二十的路引", "二十三份口供用同一句话"),
            ("Mara's debt", "Mara's brother"),
            ("砚秋记账", "砚秋奔丧"),
            ("Hale's arrival", "Hale's ledger"),
            ("a letter of the dead", "the key to the house"),
        ] {
            assert!(!comparer.like(one)(other), "{one} / {other}");
        }
    }
}
