//! The words of questions, from `words.toml`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use qingyu_story::names::fold;
use serde::Deserialize;

use crate::graph::NodeKind;

/// What a word of a question means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
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

/// What a word for relations means.
#[derive(Debug, PartialEq)]
pub(super) struct Relation {
    /// Each of these is meant; one of the words within.
    pub(super) all: Vec<Vec<String>>,
    /// What stands on the other side.
    pub(super) kind: Option<NodeKind>,
}

impl Relation {
    /// A word that the story itself uses.
    pub(super) fn own(word: &str) -> Arc<Self> {
        Arc::new(Self { all: vec![vec![word.to_owned()]], kind: None })
    }
}

/// Relations, and the words that mean them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
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
struct Source {
    relation: Vec<Words>,
    kind: Vec<Kind>,
    role: Vec<Role>,
    small: Small,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    kinds: Vec<NodeKind>,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Role {
    role: String,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    and: Vec<String>,
    or: Vec<String>,
    not: Vec<String>,
    of: Vec<String>,
    possessive: Vec<String>,
    connected: Vec<String>,
    around: Vec<String>,
    filler: Vec<String>,
}

pub(super) struct Lexicon {
    words: HashMap<Vec<char>, Meaning>,
    /// The most characters of a word.
    longest: usize,
}

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let source: Source = toml::from_str(include_str!("words.toml")).expect("the words are part of the program");
    let mut words: HashMap<Vec<char>, Meaning> = HashMap::new();
    // The least specific first; later lists win.
    let small = source.small;
    let lists = [
        (small.filler, Meaning::Filler),
        (small.and, Meaning::And),
        (small.or, Meaning::Or),
        (small.not, Meaning::Not),
        (small.of, Meaning::Of),
        (small.possessive, Meaning::Possessive),
        (small.connected, Meaning::Connected),
        (small.around, Meaning::Around),
    ];
    let mut add = |word: &str, meaning: Meaning| {
        words.insert(fold(word).chars().collect(), meaning);
    };
    for (list, meaning) in lists {
        list.iter().for_each(|word| add(word, meaning.clone()));
    }
    for Words { all, kind, nouns, verbs, mutual } in source.relation {
        let relation = Arc::new(Relation { all, kind });
        nouns.iter().for_each(|word| add(word, Meaning::Noun(Arc::clone(&relation))));
        verbs.iter().for_each(|word| add(word, Meaning::Verb(Arc::clone(&relation))));
        for word in &mutual {
            let relation = Arc::clone(&relation);
            let is_verb = verbs.contains(word);
            add(word, if is_verb { Meaning::VerbOrMutual(relation) } else { Meaning::Mutual(relation) });
        }
    }
    for kind in source.kind {
        let [kind_of] = kind.kinds[..] else { continue };
        kind.words.iter().for_each(|word| add(word, Meaning::Kind(kind_of)));
    }
    for role in source.role {
        role.words.iter().for_each(|word| add(word, Meaning::Role(role.role.clone())));
    }
    let longest = words.keys().map(Vec::len).max().unwrap_or(0);
    Lexicon { words, longest }
});

impl Lexicon {
    /// The longest word that begins at `at` of folded characters, with its length.
    ///
    /// A word of Latin letters must stand by itself.
    pub(super) fn at(&self, chars: &[char], at: usize) -> Option<(usize, &Meaning)> {
        let most = self.longest.min(chars.len() - at);
        (1..=most).rev().find_map(|length| {
            let end = at + length;
            let meaning = self.words.get(&chars[at..end])?;
            (!cuts_word(chars, at) && !cuts_word(chars, end)).then_some((length, meaning))
        })
    }
}

/// Whether a word of Latin letters or digits goes on across that place.
pub(super) fn cuts_word(chars: &[char], at: usize) -> bool {
    let is_latin = |c: char| c.is_alphanumeric() && !qingyu_story::language::is_han(c);
    at > 0 && at < chars.len() && is_latin(chars[at - 1]) && is_latin(chars[at])
}
