//! The words of questions, parsed from `words.toml`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use qingyu_story::names::fold;
use serde::Deserialize;

use crate::graph::NodeKind;

/// The meaning of a word of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WordMeaning {
    /// "x is the friend of y".
    Noun(Arc<Relation>),
    /// "x knows y".
    Verb(Arc<Relation>),
    /// "x and y are on good terms".
    Mutual(Arc<Relation>),
    /// The same word as verb and as mutual word.
    VerbOrMutual(Arc<Relation>),
    Kind(NodeKind),
    Role(String),
    And,
    Or,
    Not,
    Of,
    Possessive,
    Connected,
    Around,
    Filler,
}

/// The meaning of a word for relations.
#[derive(Debug, PartialEq)]
pub(super) struct Relation {
    /// All lists must match, each by any of its words.
    pub(super) all: Vec<Vec<String>>,
    /// The kind of the other end.
    pub(super) kind: Option<NodeKind>,
}

impl Relation {
    /// Returns the relation of a word of the story's own.
    pub(super) fn own(word: &str) -> Arc<Self> {
        Arc::new(Self { all: vec![vec![word.to_owned()]], kind: None })
    }
}

/// Relations, and their words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RelationWords {
    all: Vec<Vec<String>>,
    kind: Option<NodeKind>,
    #[serde(default)]
    nouns: Vec<String>,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    mutual: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LexiconSource {
    relation: Vec<RelationWords>,
    kind: Vec<LexiconKind>,
    role: Vec<LexiconRole>,
    small: FunctionWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LexiconKind {
    kinds: Vec<NodeKind>,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LexiconRole {
    role: String,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionWords {
    and: Vec<String>,
    or: Vec<String>,
    not: Vec<String>,
    of: Vec<String>,
    possessive: Vec<String>,
    connected: Vec<String>,
    around: Vec<String>,
    filler: Vec<String>,
}

pub(super) struct QuestionLexicon {
    words: HashMap<Vec<char>, WordMeaning>,
    /// The length of the longest word, in characters.
    longest: usize,
}

pub(super) static LEXICON: LazyLock<QuestionLexicon> = LazyLock::new(|| {
    let source: LexiconSource = toml::from_str(include_str!("words.toml")).expect("the words are part of the program");
    let mut words: HashMap<Vec<char>, WordMeaning> = HashMap::new();
    // The least specific first; later lists override earlier ones.
    let small = source.small;
    let lists = [
        (small.filler, WordMeaning::Filler),
        (small.and, WordMeaning::And),
        (small.or, WordMeaning::Or),
        (small.not, WordMeaning::Not),
        (small.of, WordMeaning::Of),
        (small.possessive, WordMeaning::Possessive),
        (small.connected, WordMeaning::Connected),
        (small.around, WordMeaning::Around),
    ];
    let mut add = |word: &str, meaning: WordMeaning| {
        words.insert(fold(word).chars().collect(), meaning);
    };
    for (list, meaning) in lists {
        list.iter().for_each(|word| add(word, meaning.clone()));
    }
    for RelationWords { all, kind, nouns, verbs, mutual } in source.relation {
        let relation = Arc::new(Relation { all, kind });
        nouns.iter().for_each(|word| add(word, WordMeaning::Noun(Arc::clone(&relation))));
        verbs.iter().for_each(|word| add(word, WordMeaning::Verb(Arc::clone(&relation))));
        for word in &mutual {
            let relation = Arc::clone(&relation);
            let is_verb = verbs.contains(word);
            add(word, if is_verb { WordMeaning::VerbOrMutual(relation) } else { WordMeaning::Mutual(relation) });
        }
    }
    for kind in source.kind {
        let [kind_of] = kind.kinds[..] else { continue };
        kind.words.iter().for_each(|word| add(word, WordMeaning::Kind(kind_of)));
    }
    for role in source.role {
        role.words.iter().for_each(|word| add(word, WordMeaning::Role(role.role.clone())));
    }
    let longest = words.keys().map(Vec::len).max().unwrap_or(0);
    QuestionLexicon { words, longest }
});

impl QuestionLexicon {
    /// Returns the longest word at `at` of folded characters, with the length.
    ///
    /// A word of Latin letters must not be part of another word.
    pub(super) fn at(&self, chars: &[char], at: usize) -> Option<(usize, &WordMeaning)> {
        let most = self.longest.min(chars.len() - at);
        (1..=most).rev().find_map(|length| {
            let end = at + length;
            let meaning = self.words.get(&chars[at..end])?;
            (!cuts_word(chars, at) && !cuts_word(chars, end)).then_some((length, meaning))
        })
    }
}

/// Returns whether the position is inside a word of Latin letters or digits.
pub(super) fn cuts_word(chars: &[char], at: usize) -> bool {
    let is_latin = |c: char| c.is_alphanumeric() && !qingyu_story::language::is_han(c);
    at > 0 && at < chars.len() && is_latin(chars[at - 1]) && is_latin(chars[at])
}
