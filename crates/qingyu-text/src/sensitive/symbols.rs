//! The alphabet of the automaton: classes of interchangeable characters.

use std::collections::BTreeMap;

use qingyu_story::language::simplified;
use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::lists::Variants;

/// The class of characters in no word.
pub(super) const OTHER: u16 = 0;
/// The class of fillers between the characters of a word.
pub(super) const FILLER: u16 = 1;
/// The first class of symbols.
const FIRST: u16 = 2;
/// The number of characters with classes in a table.
const TABLE: usize = 0x1_0000;

/// The classes of characters, and the kinds of replacement.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    /// The class of each character below [`TABLE`].
    classes: Box<[u16]>,
    /// The classes of the remaining characters.
    beyond: FxHashMap<char, u16>,
    /// The first class without a Latin letter or digit.
    pub(super) latin_end: u16,
    /// The number of classes.
    pub(super) count: u16,
    pub(super) folds: bool,
    fillers: FxHashSet<char>,
    separators: FxHashSet<char>,
    leet: FxHashSet<(char, char)>,
    look: FxHashSet<(char, char)>,
    sound: FxHashSet<(char, char)>,
}

/// The relation between a text character and a word character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharacterMatch {
    Itself,
    Width,
    Traditional,
    Leet,
    Look,
    Sound,
}

/// The kind of a character between two others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GapCharacter {
    Filler,
    Separator,
    NewLine,
}

impl Symbols {
    /// Builds the alphabet for words of the folded characters in `used`; without `folds` only the case of a character
    /// is ignored.
    pub(super) fn new(used: &FxHashSet<char>, variants: &Variants, folds: bool) -> Self {
        let mut groups = Groups::default();
        used.iter().for_each(|c| groups.add(*c));
        let (mut leet, mut look, mut sound) = Default::default();
        if folds {
            for (sign, letters) in &variants.leet {
                for letter in letters.chars().map(|c| c.to_ascii_lowercase()).filter(|letter| used.contains(letter)) {
                    groups.join(*sign, letter);
                    FxHashSet::insert(&mut leet, (*sign, letter));
                }
            }
            for (lists, pairs) in [(&variants.alike.look, &mut look), (&variants.alike.sound, &mut sound)] {
                for group in lists {
                    let group: Vec<char> = group.chars().map(|c| fold(c).unwrap_or(c)).collect();
                    for letter in group.iter().filter(|c| used.contains(c)) {
                        for other in group.iter().filter(|other| *other != letter) {
                            groups.join(*other, *letter);
                            FxHashSet::insert(pairs, (*other, *letter));
                        }
                    }
                }
            }
        }
        let mut symbols = Self {
            classes: vec![OTHER; TABLE].into_boxed_slice(),
            beyond: FxHashMap::default(),
            latin_end: FIRST,
            count: FIRST,
            folds,
            fillers: variants.fillers.chars().collect(),
            separators: variants.separators.chars().collect(),
            leet,
            look,
            sound,
        };
        symbols.number(&groups.all());
        symbols
    }

    /// Numbers the groups, groups with Latin letters first.
    fn number(&mut self, groups: &[Vec<char>]) {
        let has_latin = |group: &&Vec<char>| group.iter().any(char::is_ascii_alphanumeric);
        let mut of_folded: FxHashMap<char, u16> = FxHashMap::default();
        for group in groups.iter().filter(has_latin).chain(groups.iter().filter(|group| !has_latin(group))) {
            of_folded.extend(group.iter().map(|c| (*c, self.count)));
            self.count += 1;
            if has_latin(&group) {
                self.latin_end = self.count;
            }
        }
        for c in self.fillers.iter().chain(&self.separators).chain(&['\n', '\r']).copied().collect::<Vec<_>>() {
            self.set(c, FILLER);
        }
        for (c, class) in &of_folded {
            self.set(*c, *class);
            self.set(c.to_ascii_uppercase(), *class);
        }
        if self.folds {
            for c in (0..TABLE as u32).filter_map(char::from_u32) {
                if self.classes[c as usize] == OTHER
                    && let Some(class) = fold(c).and_then(|folded| of_folded.get(&folded))
                {
                    self.set(c, *class);
                }
            }
        }
    }

    fn set(&mut self, c: char, class: u16) {
        match self.classes.get_mut(c as usize) {
            Some(slot) => *slot = class,
            None => drop(self.beyond.insert(c, class)),
        }
    }

    /// Returns the class of a text character.
    #[inline]
    pub(super) fn class(&self, c: char) -> u16 {
        match self.classes.get(c as usize) {
            Some(class) => *class,
            None => self.class_beyond(c),
        }
    }

    #[cold]
    fn class_beyond(&self, c: char) -> u16 {
        let folded = if self.folds { fold(c).unwrap_or(c) } else { c };
        match self.beyond.get(&c) {
            Some(class) => *class,
            None => self.classes.get(folded as usize).copied().unwrap_or(OTHER),
        }
    }

    /// Returns the folded form of `c`, as stored in patterns.
    pub(super) fn folded(&self, c: char) -> char {
        if self.folds { fold(c).unwrap_or(c) } else { c.to_ascii_lowercase() }
    }

    /// Returns the relation of the text character `c` to the word character `letter`, or `None` if unrelated.
    pub(super) fn stands_for(&self, c: char, letter: char) -> Option<CharacterMatch> {
        if c.to_ascii_lowercase() == letter {
            return Some(CharacterMatch::Itself);
        }
        if !self.folds {
            return None;
        }
        let folded = fold(c).unwrap_or(c);
        if folded == letter {
            let is_han = qingyu_story::language::is_han(c);
            return Some(if is_han { CharacterMatch::Traditional } else { CharacterMatch::Width });
        }
        let pair = (folded, letter);
        let ways = [
            (&self.leet, CharacterMatch::Leet),
            (&self.look, CharacterMatch::Look),
            (&self.sound, CharacterMatch::Sound),
        ];
        ways.into_iter().find(|(pairs, _)| pairs.contains(&pair)).map(|(_, stands)| stands)
    }

    /// Returns the kind of `c` between the characters of a word, or `None` if not allowed there.
    pub(super) fn between(&self, c: char) -> Option<GapCharacter> {
        match c {
            '\n' | '\r' => Some(GapCharacter::NewLine),
            c if self.fillers.contains(&c) => Some(GapCharacter::Filler),
            c if self.separators.contains(&c) => Some(GapCharacter::Separator),
            _ => None,
        }
    }
}

/// Returns a character without width, case, accent and traditional form, or `None` if the result is not a single
/// character.
fn fold(c: char) -> Option<char> {
    match c {
        '\0'..='\x7f' => Some(c.to_ascii_lowercase()),
        '\u{3400}'..='\u{9fff}' => Some(simplified(c)),
        '\u{ac00}'..='\u{d7a3}' => Some(c),
        _ => {
            let (mut folded, mut count) = (None, 0);
            decompose_compatible(c, |part| {
                if !is_combining_mark(part) {
                    count += 1;
                    folded = part.to_lowercase().next().map(simplified);
                }
            });
            folded.filter(|_| count == 1)
        }
    }
}

/// Groups of interchangeable characters, merged incrementally.
#[derive(Debug, Default)]
struct Groups {
    parent: BTreeMap<char, char>,
}

impl Groups {
    fn add(&mut self, c: char) {
        self.parent.entry(c).or_insert(c);
    }

    fn root(&self, mut c: char) -> char {
        while let Some(parent) = self.parent.get(&c).filter(|parent| **parent != c) {
            c = *parent;
        }
        c
    }

    fn join(&mut self, a: char, b: char) {
        self.add(a);
        self.add(b);
        let (a, b) = (self.root(a), self.root(b));
        self.parent.insert(a, b);
    }

    fn all(&self) -> Vec<Vec<char>> {
        let mut groups: BTreeMap<char, Vec<char>> = BTreeMap::new();
        for c in self.parent.keys() {
            groups.entry(self.root(*c)).or_default().push(*c);
        }
        groups.into_values().collect()
    }
}
