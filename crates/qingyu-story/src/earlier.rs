//! Earlier books of a series, and canon: the end of each, as far as a later book must not contradict it.
//!
//! They are part of the checker's configuration; the module `rules` reads the end of a book from its story.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::fnv;
use crate::names::{Names, fold};
use crate::piece::PieceKind;

/// The place of an earlier book beside a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EarlierKind {
    /// A volume of the same series.
    #[default]
    Volume,
    /// Material that the book must not contradict: the original of fan fiction, or the description of a world.
    Canon,
}

impl EarlierKind {
    /// Returns whether a book of this kind ends before the next one begins: a volume, or canon with a stretch of time, in
    /// words, in between.
    pub fn is_past(self, gap: &str) -> bool {
        self == Self::Volume || !gap.trim().is_empty()
    }
}

/// The end of an earlier book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierBook {
    /// The id of its project; empty if the book has none.
    pub id: String,
    /// The title.
    pub title: String,
    /// The place beside the later book.
    pub kind: EarlierKind,
    /// The story time from its end to the beginning of the next book, in words such as `十年`; empty if unknown.
    pub gap: String,
    /// Whether the dead may return in its world.
    pub has_return: bool,
    /// The cast, in the order of the cards.
    pub people: Vec<EarlierPerson>,
    /// Relations between the people.
    pub ties: Vec<EarlierTie>,
    /// The rules of the world.
    pub rules: Vec<EarlierNote>,
    /// Places, organisations and things.
    pub settings: Vec<EarlierNote>,
    /// Ladders of power or standing, with their steps from the lowest on.
    pub ladders: Vec<EarlierNote>,
    /// Promises to the reader that are not kept.
    pub promises: Vec<EarlierNote>,
}

/// A person at the end of an earlier book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierPerson {
    /// The full name.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// Trade or standing.
    pub occupation: String,
    /// The year or date of birth, as written; empty if unknown.
    pub birth: String,
    /// The death; `None` for the living.
    pub(crate) death: Option<EarlierDeath>,
    /// Whether the book says that the person came back, or never died.
    pub is_back: bool,
    /// The last statements about the person, a line each.
    pub state: Vec<String>,
}

/// The death of a person in an earlier book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct EarlierDeath {
    /// The sentence that tells it, or the statement as a line.
    pub(crate) quote: String,
    /// The title of the chapter that tells it; empty if no text does.
    pub(crate) chapter: String,
    /// The time, as written; empty if unknown.
    pub(crate) when: String,
}

/// A relation between two people of an earlier book, by their names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierTie {
    /// The name of one; of a parent and a child, of the parent.
    pub from: String,
    /// The name of the other.
    pub to: String,
    /// The word of kinship, such as `parent_of`; empty for another relation.
    pub kinship: String,
    /// The relation as a line, or the sentence that tells it.
    pub line: String,
}

/// A named piece of an earlier book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierNote {
    /// The name.
    pub name: String,
    /// The description.
    pub text: String,
}

/// The earlier books of a story, in order. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<EarlierBook>", into = "Vec<EarlierBook>")]
pub struct EarlierBooks {
    books: Arc<[EarlierBook]>,
}

impl EarlierBooks {
    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// Returns the books within `bytes` bytes of JSON, an equal share for each, and the number of entries left out. A book
    /// too large for its share keeps its rules first, then the people who are also in the story indexed by `names`, the dead
    /// and those tied to a person in both, with their relations, then everything else.
    pub fn within(&self, bytes: usize, names: &Names) -> (Self, usize) {
        let share = bytes / self.books.len().max(1);
        let books: Vec<EarlierBook> = self.iter().map(|book| book.within(share, names)).collect();
        let entries = |books: &[EarlierBook]| books.iter().map(EarlierBook::entries).sum::<usize>();
        let left_out = entries(&self.books) - entries(&books);
        (books.into(), left_out)
    }

    /// Returns the people who are dead when the next book begins, each with the last book that tells the death. `names`
    /// are those of the next book.
    ///
    /// A later volume that says that somebody came back is believed, and one in whose world the dead may return leaves
    /// all earlier deaths open. Canon without a stretch of time to the book may tell of its future: nobody in it is dead.
    pub fn dead(&self, names: &Names) -> Vec<(&EarlierBook, &EarlierPerson)> {
        let mut dead: Vec<(&EarlierBook, &EarlierPerson)> = Vec::new();
        for book in self.iter().filter(|book| book.is_past()) {
            if book.has_return {
                dead.clear();
            }
            for person in book.people.iter().filter(|person| person.is_back || person.death.is_some()) {
                dead.retain(|(_, other)| !person.is_same(other, names));
            }
            dead.extend(book.people.iter().filter(|person| person.death.is_some()).map(|person| (book, person)));
        }
        dead
    }

    /// Iterates over the books in order.
    pub fn iter(&self) -> std::slice::Iter<'_, EarlierBook> {
        self.books.iter()
    }
}

/// The titles and a hash of the content: the configuration is part of the keys of cached answers.
impl fmt::Debug for EarlierBooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles: Vec<&str> = self.iter().map(|book| book.title.as_str()).collect();
        let json = serde_json::to_string(&*self.books).map_err(|_| fmt::Error)?;
        formatter.debug_tuple("EarlierBooks").field(&titles).field(&fnv(json.bytes())).finish()
    }
}

impl From<Vec<EarlierBook>> for EarlierBooks {
    fn from(books: Vec<EarlierBook>) -> Self {
        Self { books: books.into() }
    }
}

impl From<EarlierBooks> for Vec<EarlierBook> {
    fn from(earlier: EarlierBooks) -> Self {
        earlier.books.to_vec()
    }
}

impl EarlierBook {
    /// Returns the people who are also characters of the story indexed by `names`: the position of the character, by
    /// name of the person.
    pub fn shared(&self, names: &Names) -> BTreeMap<&str, usize> {
        let shared = self.people.iter().filter_map(|person| Some((person.name.as_str(), person.position(names)?)));
        shared.collect()
    }

    fn within(&self, bytes: usize, names: &Names) -> Self {
        if size(self) <= bytes {
            return self.clone();
        }
        let shared = self.shared(names);
        let is_shared = |name: &str| shared.contains_key(name);
        let is_tied = |name: &str| {
            let mut ties = self.ties.iter();
            ties.any(|tie| (tie.from == name && is_shared(&tie.to)) || (tie.to == name && is_shared(&tie.from)))
        };
        let rank = |at: &usize| match &self.people[*at] {
            person if is_shared(&person.name) => 0,
            person if person.death.is_some() => 1,
            person if is_tied(&person.name) => 2,
            _ => 3,
        };
        let (id, title, gap) = (self.id.clone(), self.title.clone(), self.gap.clone());
        let mut kept = Self { id, title, kind: self.kind, gap, has_return: self.has_return, ..Self::default() };
        let mut left = bytes.saturating_sub(size(&kept));
        kept.rules = fitting(self.rules.iter(), &mut left);
        let (mut near, mut far): (Vec<usize>, Vec<usize>) = (0..self.people.len()).partition(|at| rank(at) < 3);
        near.sort_by_key(rank);
        near.retain(|at| fits(&self.people[*at], &mut left));
        let is_near = |name: &str| near.iter().any(|at| self.people[*at].name == name);
        let ties = self.ties.iter().filter(|tie| is_near(&tie.from) && is_near(&tie.to));
        kept.ties = fitting(ties, &mut left);
        kept.promises = fitting(self.promises.iter(), &mut left);
        kept.ladders = fitting(self.ladders.iter(), &mut left);
        kept.settings = fitting(self.settings.iter(), &mut left);
        far.retain(|at| fits(&self.people[*at], &mut left));
        near.extend(far);
        near.sort_unstable();
        kept.people = near.into_iter().map(|at| self.people[at].clone()).collect();
        kept
    }

    /// Returns the number of people, relations and named pieces.
    fn entries(&self) -> usize {
        let notes = [&self.rules, &self.settings, &self.ladders, &self.promises];
        self.people.len() + self.ties.len() + notes.iter().map(|notes| notes.len()).sum::<usize>()
    }

    /// Returns whether the book ends before the next one begins.
    pub fn is_past(&self) -> bool {
        self.kind.is_past(&self.gap)
    }

    /// Returns what identifies the book in findings: the id, which outlasts a new title, or the title if it has no id.
    pub fn key(&self) -> &str {
        if self.id.is_empty() { &self.title } else { &self.id }
    }

    /// Returns the person with the name.
    pub fn person(&self, name: &str) -> Option<&EarlierPerson> {
        self.people.iter().find(|person| person.name == name)
    }
}

impl EarlierPerson {
    /// Returns the sentence that tells the person's death, or the statement as a line; `None` for the living.
    pub fn death_quote(&self) -> Option<&str> {
        self.death.as_ref().map(|death| death.quote.as_str())
    }

    /// Returns whether `other`, of another earlier book, is the same person: the name of one is a name of the other, or
    /// both are the same character of the story indexed by `names`.
    fn is_same(&self, other: &Self, names: &Names) -> bool {
        let is_called = |one: &Self, name: &str| one.alias.iter().chain([&one.name]).any(|own| fold(own) == fold(name));
        is_called(self, &other.name)
            || is_called(other, &self.name)
            || self.position(names).is_some_and(|position| other.position(names) == Some(position))
    }

    /// Returns the position of the only character with the person's name, as name or as another name; if there is none,
    /// of the only character whose name is one of the person's other names. A name that is another name of both, such as
    /// a title or a rank, passes to the next holder and is not compared; a part of a name is not enough, since the people
    /// of two books may share one.
    pub fn position(&self, names: &Names) -> Option<usize> {
        match names.find(PieceKind::Character, &self.name).as_slice() {
            [] => {}
            [one] => return Some(one.position),
            _ => return None,
        }
        let is_name = |alias: &str| match names.find(PieceKind::Character, alias).as_slice() {
            [one] if fold(&one.name) == fold(alias) => Some(one.position),
            _ => None,
        };
        let mut found: Vec<usize> = self.alias.iter().filter_map(|alias| is_name(alias)).collect();
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Returns the entries that fit into the bytes that are left, in order.
fn fitting<'e, T: Clone + Serialize + 'e>(entries: impl Iterator<Item = &'e T>, left: &mut usize) -> Vec<T> {
    entries.filter(|entry| fits(*entry, left)).cloned().collect()
}

/// Returns whether an entry fits into the bytes that are left, and takes them.
fn fits(entry: &impl Serialize, left: &mut usize) -> bool {
    // With the comma after it.
    let rest = left.checked_sub(size(entry) + 1);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// Returns the size as JSON, in bytes.
fn size(value: &impl Serialize) -> usize {
    serde_json::to_string(value).expect("an earlier book is plain data").len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Character, Story};

    fn names(cast: &[(&str, &[&str])]) -> Names {
        let card = |(name, alias): &(&str, &[&str])| Character {
            name: (*name).into(),
            alias: alias.iter().map(|name| (*name).to_owned()).collect(),
            ..Character::default()
        };
        Names::of(&Story { characters: cast.iter().map(card).collect(), ..Story::default() })
    }

    #[test]
    fn a_person_is_found_by_name_and_then_by_other_names() {
        let person = |name: &str, alias: &[&str]| EarlierPerson {
            name: name.into(),
            alias: alias.iter().map(|name| (*name).to_owned()).collect(),
            ..EarlierPerson::default()
        };
        let names = names(&[("林青", &[]), ("周德海", &["老周"]), ("白鸽", &["信使"]), ("苏曼", &["信使"])]);
        assert_eq!(person("林青", &["老周"]).position(&names), Some(0), "the name comes first");
        assert_eq!(person("老周", &[]).position(&names), Some(1));
        assert_eq!(person("老周头", &["周德海"]).position(&names), Some(1));
        assert_eq!(person("周船长", &["老周"]).position(&names), None, "another name of both may be a title");
        assert_eq!(person("信使", &[]).position(&names), None, "two bear the name");
        assert_eq!(person("周船长", &["周德海", "林青"]).position(&names), None, "the names mean two people");
        assert_eq!(person("何人", &["无名"]).position(&names), None);
        assert_eq!(
            person("德海", &[]).position(&names),
            None,
            "a part of a name may be somebody else's in another book"
        );
    }

    #[test]
    fn a_large_book_keeps_rules_and_those_who_matter_to_the_later_one() {
        let person = |number: usize| EarlierPerson {
            name: format!("人{number}"),
            state: vec!["在旧港守灯塔。".repeat(10)],
            death: (number == 250).then(|| EarlierDeath { quote: "他死了。".into(), ..EarlierDeath::default() }),
            ..EarlierPerson::default()
        };
        let tie = |from: &str, to: &str| EarlierTie { from: from.into(), to: to.into(), ..EarlierTie::default() };
        let book = EarlierBook {
            people: (0..300).map(person).collect(),
            ties: vec![tie("人290", "人299"), tie("人1", "人2")],
            rules: vec![EarlierNote { name: "潮".into(), text: "夜里无人出海。".into() }],
            ..EarlierBook::default()
        };
        let names = names(&[("人299", &[])]);
        let books = EarlierBooks::from(vec![book.clone(), EarlierBook::default()]);
        let (cut, left_out) = books.within(20_000, &names);
        let first = cut.iter().next().unwrap();
        assert!(size(first) <= 10_000, "{}", size(first));
        assert_eq!((&first.rules, first.ties.as_slice()), (&book.rules, &book.ties[..1]));
        for name in ["人250", "人290", "人299", "人0"] {
            assert!(first.person(name).is_some(), "{name}");
        }
        assert_eq!(left_out, 301 - first.people.len());
        assert_eq!(cut.within(20_000, &names), (cut.clone(), 0), "cut once");
        assert_eq!(books.within(1_000_000, &names), (books.clone(), 0));
    }

    #[test]
    fn the_heir_of_a_title_is_another_person() {
        let dead = EarlierPerson { name: "赵桓".into(), alias: vec!["国王".into()], ..EarlierPerson::default() };
        let heirs = names(&[("赵恒", &["国王"]), ("国王", &[])]);
        assert_eq!(dead.position(&names(&[("赵恒", &["国王"])])), None);
        assert_eq!(dead.position(&heirs), Some(1), "a card of that name is the person");
    }

    #[test]
    fn later_volumes_lift_earlier_deaths() {
        let person = |name: &str, is_dead: bool| EarlierPerson {
            name: name.into(),
            death: is_dead.then(EarlierDeath::default),
            is_back: !is_dead,
            ..EarlierPerson::default()
        };
        let book = |title: &str, people: Vec<EarlierPerson>| EarlierBook {
            title: title.into(),
            people,
            ..EarlierBook::default()
        };
        let first = || book("一", vec![person("老周", true), person("林青", true)]);
        let dead = |books: Vec<EarlierBook>| {
            let books = EarlierBooks::from(books);
            let dead = books.dead(&names(&[]));
            dead.iter().map(|(book, person)| format!("{}/{}", book.title, person.name)).collect::<Vec<_>>()
        };
        assert_eq!(dead(vec![first()]), ["一/老周", "一/林青"]);
        assert_eq!(dead(vec![first(), book("二", vec![person("老周", false)])]), ["一/林青"]);
        assert_eq!(dead(vec![first(), book("二", vec![person("老周", true)])]), ["一/林青", "二/老周"]);
        let open = EarlierBook { has_return: true, ..book("二", vec![person("苏曼", true)]) };
        assert_eq!(dead(vec![first(), open]), ["二/苏曼"]);
        let canon = |gap: &str| EarlierBook { kind: EarlierKind::Canon, gap: gap.into(), ..first() };
        assert_eq!(dead(vec![canon("")]), [""; 0], "canon may be the future of the book");
        assert_eq!(dead(vec![canon("十年")]), ["一/老周", "一/林青"]);
    }

    #[test]
    fn earlier_books_survive_json() {
        let book = EarlierBook { title: "潮声".into(), kind: EarlierKind::Canon, ..EarlierBook::default() };
        let books = EarlierBooks::from(vec![book]);
        let json = serde_json::to_string(&books).unwrap();
        assert_eq!(serde_json::from_str::<EarlierBooks>(&json).unwrap(), books);
    }
}
