//! The vocabulary of edges: the words of facts, and additional words for relations, events and the outline.

use std::collections::HashMap;
use std::sync::LazyLock;

use qingyu_story::language::is_han;
use qingyu_story::names::fold_word;
use qingyu_story::predicate;
use qingyu_story::{Language, OwnRelationKind, RelationKind};
use serde::Deserialize;

use super::parts::EdgeWord;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeVocabularySource {
    word: Vec<VocabularyWord>,
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyWord {
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

struct EdgeVocabulary {
    words: Vec<VocabularyWord>,
    /// The index of a word by key, and whether the key is the inverse.
    by_key: HashMap<String, (usize, bool)>,
    groups: HashMap<String, Vec<String>>,
}

static VOCABULARY: LazyLock<EdgeVocabulary> = LazyLock::new(|| {
    let source: EdgeVocabularySource =
        toml::from_str(include_str!("relations.toml")).expect("the words are part of the program");
    let mut by_key = HashMap::new();
    for (place, word) in source.word.iter().enumerate() {
        let own = word.aliases.iter().chain([&word.name]).map(|name| (fold_word(name), (place, false)));
        let turned = word.inverse_aliases.iter().chain(&word.inverse).map(|name| (fold_word(name), (place, true)));
        by_key.extend(own.chain(turned));
    }
    let groups = source.group.into_iter().map(|group| (fold_word(&group.name), group.stands_for)).collect();
    EdgeVocabulary { words: source.word, by_key, groups }
});

/// A word in the canonical form of edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EdgeWordMeaning {
    /// The word.
    pub(crate) word: EdgeWord,
    /// Whether the edge is reversed relative to the word looked up.
    pub(crate) turned: bool,
    /// Whether the word is in a vocabulary, not the story's own.
    pub(crate) known: bool,
}

/// Returns the meaning of one word of an edge. An unknown word is kept unchanged.
pub(crate) fn meaning(name: &str) -> EdgeWordMeaning {
    if let Some((place, turned)) = VOCABULARY.by_key.get(&fold_word(name)) {
        let VocabularyWord { name, symmetric, .. } = &VOCABULARY.words[*place];
        let word = EdgeWord { name: name.clone(), symmetric: *symmetric, single: false, exclusive: false };
        return EdgeWordMeaning { word, turned: *turned, known: true };
    }
    let Some(found) = predicate::find(name) else {
        let word = EdgeWord { name: name.trim().to_owned(), symmetric: false, single: false, exclusive: false };
        return EdgeWordMeaning { word, turned: false, known: false };
    };
    let place = |name: &str| predicate::all().iter().position(|word| word.name == name);
    let inverse = found.inverse.as_deref().filter(|inverse| place(inverse) < place(&found.name));
    let word = inverse.and_then(predicate::find).unwrap_or(found);
    let edge =
        EdgeWord { name: word.name.clone(), symmetric: word.symmetric, single: word.single, exclusive: word.exclusive };
    EdgeWordMeaning { word: edge, turned: inverse.is_some(), known: true }
}

/// Returns the meaning of a name of an author's own kind of relation.
pub(crate) fn own_meaning(kind: &OwnRelationKind, is_inverse: bool) -> EdgeWordMeaning {
    let name = kind.name.trim().to_owned();
    let word = EdgeWord { name, symmetric: kind.symmetric, single: false, exclusive: false };
    EdgeWordMeaning { word, turned: is_inverse, known: true }
}

/// Returns all meanings of a word in a pattern: the word, or the members of a group.
pub(crate) fn meanings(name: &str) -> Vec<EdgeWordMeaning> {
    match VOCABULARY.groups.get(&fold_word(name)) {
        Some(words) => words.iter().map(|word| meaning(word)).collect(),
        None => vec![meaning(name)],
    }
}

/// Returns whether the word is in a vocabulary.
pub fn is_known(name: &str) -> bool {
    VOCABULARY.groups.contains_key(&fold_word(name)) || meaning(name).known
}

/// Returns an iterator over all words for patterns independent of a story, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    let own = VOCABULARY.words.iter().flat_map(|word| word.aliases.iter().chain([&word.name]).chain(&word.inverse));
    let of_facts = predicate::all().iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
    own.chain(of_facts).chain(VOCABULARY.groups.keys()).map(String::as_str)
}

/// Returns a word in the reader's language: `ally_of` is 盟友 or `ally of`, `student_of` 弟子 or `student of`. A word of the
/// story's own stays unchanged.
pub fn shown(name: &str, language: Language) -> String {
    // What the story's own tables name is called by them everywhere.
    let is_of_story = predicate::find(name).is_some() || RelationKind::named(name).is_some();
    let of_edge = VOCABULARY.by_key.get(&fold_word(name)).filter(|_| !is_of_story);
    let Some((place, turned)) = of_edge else { return predicate::shown(name, language) };
    let word = &VOCABULARY.words[*place];
    let (own, aliases) = match &word.inverse {
        Some(inverse) if *turned => (inverse, &word.inverse_aliases),
        _ => (&word.name, &word.aliases),
    };
    let chinese = aliases.iter().find(|alias| alias.chars().all(is_han)).filter(|_| language == Language::Zh);
    chinese.cloned().unwrap_or_else(|| own.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_says_what_the_object_is_and_a_name_what_the_subject_is() {
        for (word, name, turned) in [
            ("mentor_of", "mentor_of", false),
            ("teacher_of", "mentor_of", false),
            ("教导", "mentor_of", false),
            ("徒弟", "mentor_of", false),
            ("student", "mentor_of", false),
            ("student_of", "mentor_of", true),
            ("师长", "mentor_of", true),
            ("mentor", "mentor_of", true),
            ("雇佣", "employer_of", false),
            ("手下", "employer_of", false),
            ("上司", "employer_of", true),
            ("employer", "employer_of", true),
            ("employee_of", "employer_of", true),
            ("孩子", "parent_of", false),
            ("父亲", "parent_of", true),
            ("mother_of", "parent_of", false),
        ] {
            let meaning = meaning(word);
            assert_eq!((meaning.word.name.as_str(), meaning.turned), (name, turned), "{word}");
        }
    }

    #[test]
    fn no_word_of_one_language_is_shown_in_the_other() {
        let own = VOCABULARY.words.iter().flat_map(|word| word.aliases.iter().chain([&word.name]).chain(&word.inverse));
        let turned = VOCABULARY.words.iter().flat_map(|word| &word.inverse_aliases);
        let of_facts = predicate::all().iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
        for name in own.chain(turned).chain(of_facts) {
            let chinese = shown(name, Language::Zh);
            assert!(chinese.chars().all(is_han), "{name}: {chinese}");
            let english = shown(name, Language::En);
            assert!(!english.contains('_') && !english.chars().any(is_han), "{name}: {english}");
        }
        let both = |name| [Language::Zh, Language::En].map(|language| shown(name, language));
        assert_eq!(both("ally_of"), ["盟友", "ally of"]);
        assert_eq!(both("student_of"), ["弟子", "student of"]);
        assert_eq!(both("betrayed_by"), ["被背叛", "betrayed by"]);
        assert_eq!(both("仰慕"), ["仰慕", "仰慕"]);
    }
}
