//! What the words of edges mean: those of facts, and those that relations, events and the outline add.

use std::collections::HashMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use qingyu_story::language::is_han;
use qingyu_story::predicate::{self, key};
use serde::Deserialize;

use super::EdgeWord;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    word: Vec<Word>,
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    symmetric: bool,
    inverse: Option<String>,
    #[serde(default)]
    inverse_aliases: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: String,
    stands_for: Vec<String>,
}

struct Vocabulary {
    words: Vec<Word>,
    /// The place of a word by its key, and whether it is its inverse.
    by_key: HashMap<String, (usize, bool)>,
    groups: HashMap<String, Vec<String>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let source: Source = toml::from_str(include_str!("relations.toml")).expect("the words are part of the program");
    let mut by_key = HashMap::new();
    for (place, word) in source.word.iter().enumerate() {
        let own = word.aliases.iter().chain([&word.name]).map(|name| (key(name), (place, false)));
        let turned = word.inverse_aliases.iter().chain(&word.inverse).map(|name| (key(name), (place, true)));
        by_key.extend(own.chain(turned));
    }
    let groups = source.group.into_iter().map(|group| (key(&group.name), group.stands_for)).collect();
    Vocabulary { words: source.word, by_key, groups }
});

/// A word as edges are kept under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// The word.
    pub word: EdgeWord,
    /// Whether the edge runs the other way than the word that was looked up says.
    pub turned: bool,
    /// Whether the word is in a vocabulary, not one of the story's own.
    pub known: bool,
}

/// What one word means as the word of an edge. A word that is in no vocabulary is kept as it is.
pub fn meaning(name: &str) -> Meaning {
    if let Some((place, turned)) = VOCABULARY.by_key.get(&key(name)) {
        let Word { name, symmetric, .. } = &VOCABULARY.words[*place];
        let word = EdgeWord { name: name.clone(), symmetric: *symmetric, single: false, exclusive: false };
        return Meaning { word, turned: *turned, known: true };
    }
    let Some(found) = predicate::find(name) else {
        let word = EdgeWord { name: name.trim().to_owned(), symmetric: false, single: false, exclusive: false };
        return Meaning { word, turned: false, known: false };
    };
    let place = |name: &str| predicate::all().iter().position(|word| word.name == name);
    let inverse = found.inverse.as_deref().filter(|inverse| place(inverse) < place(&found.name));
    let word = inverse.and_then(predicate::find).unwrap_or(found);
    let edge =
        EdgeWord { name: word.name.clone(), symmetric: word.symmetric, single: word.single, exclusive: word.exclusive };
    Meaning { word: edge, turned: inverse.is_some(), known: true }
}

/// All that a word of a pattern means: itself, or the words that it stands for.
pub fn meanings(name: &str) -> Vec<Meaning> {
    match VOCABULARY.groups.get(&key(name)) {
        Some(words) => words.iter().map(|word| meaning(word)).collect(),
        None => vec![meaning(name)],
    }
}

/// Whether the word is in a vocabulary.
pub fn is_known(name: &str) -> bool {
    VOCABULARY.groups.contains_key(&key(name)) || meaning(name).known
}

/// All names of words that can stand in a pattern without a story of its own, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    let own = VOCABULARY.words.iter().flat_map(|word| word.aliases.iter().chain([&word.name]).chain(&word.inverse));
    let of_facts = predicate::all().iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
    own.chain(of_facts).chain(VOCABULARY.groups.keys()).map(String::as_str)
}

/// A word as a reader of that language writes it: `enemy_of` is 敌人 or `enemy of`. A word of the story's own stays.
pub fn shown(name: &str, language: Language) -> String {
    if language == Language::En {
        return name.replace('_', " ");
    }
    let own = VOCABULARY.words.iter().find(|word| word.name == name).map(|word| &word.aliases);
    let aliases = own.or_else(|| predicate::find(name).map(|word| &word.aliases));
    let chinese = aliases.into_iter().flatten().find(|alias| alias.chars().any(is_han));
    chinese.cloned().unwrap_or_else(|| name.to_owned())
}
