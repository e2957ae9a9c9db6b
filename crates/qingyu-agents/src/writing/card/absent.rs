//! People that a chapter is about and who do not take part in it.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::language::is_han;
use qingyu_story::{Names, PieceKind, Story};

use crate::writing::book::NumberedBook;

/// Maximum number of absent people with a card.
pub(crate) const ABSENT: usize = 4;

/// Returns the names of the characters that a chapter is about and who do not take part in it, at most a few: those named
/// in `text`, in order of mention, then the holders of a secret about a participant.
pub(super) fn absent(book: &NumberedBook<'_>, participants: &[String], text: &str) -> Vec<String> {
    let (story, names) = (book.story, book.names());
    let resolved = |name: &String| Some(names.resolve(PieceKind::Character, name)?.name.clone());
    let here: Vec<String> = participants.iter().filter_map(resolved).collect();
    let holders = story.characters.iter().filter(|card| {
        !card.secret.trim().is_empty() && named(story, names, &card.secret).iter().any(|name| here.contains(name))
    });
    let mut absent: Vec<String> = Vec::new();
    for name in named(story, names, text).into_iter().chain(holders.map(|card| card.name.clone())) {
        if !here.contains(&name) && !absent.contains(&name) {
            absent.push(name);
        }
    }
    absent.truncate(ABSENT);
    absent
}

/// Words of names that are titles and mean nobody alone.
const TITLES: [&str; 20] = [
    "Captain",
    "Father",
    "Mother",
    "Sister",
    "Brother",
    "Uncle",
    "Aunt",
    "Lord",
    "Lady",
    "King",
    "Queen",
    "Prince",
    "Princess",
    "Doctor",
    "Professor",
    "Sergeant",
    "Miss",
    "Mrs",
    "Old",
    "The",
];

/// Returns the names of the characters named in a text, in order of mention; a name shared by two is ambiguous and skipped.
/// A part of a name, such as `Fenwick` of `Fenwick Marsh`, counts if one card alone has it.
pub(crate) fn named(story: &Story, names: &Names, text: &str) -> Vec<String> {
    let mentions = names.mentions(text);
    let whole = mentions.iter().filter_map(|mention| match mention.bearers.as_slice() {
        [one] if one.kind == PieceKind::Character => Some((mention.start, one.position)),
        _ => None,
    });
    let mut places: Vec<(usize, usize)> = whole.chain(named_in_part(story, names, text)).collect();
    places.sort_unstable();
    let mut found: Vec<String> = Vec::new();
    for (_, position) in places {
        let name = &story.characters[position].name;
        if !found.contains(name) {
            found.push(name.clone());
        }
    }
    found
}

/// Returns the places in `text` at which a single word names a character whose name of several words has it, each with the
/// index of the character. A word within a longer name, or in the names of two characters, names nobody.
pub(crate) fn named_in_part(story: &Story, names: &Names, text: &str) -> Vec<(usize, usize)> {
    let mut bearers: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (position, card) in story.characters.iter().enumerate() {
        let own = std::iter::once(&card.name).chain(&card.alias).flat_map(|name| words(name)).map(|(_, word)| word);
        for word in own.collect::<BTreeSet<&str>>() {
            bearers.entry(word).and_modify(|one| *one = None).or_insert(Some(position));
        }
    }
    let is_part = |word: &str, position: usize| words(&story.characters[position].name).any(|(_, part)| part == word);
    bearers.retain(|word, one| {
        let is_name = word.starts_with(char::is_uppercase) && word.chars().count() > 2 && !TITLES.contains(word);
        is_name && one.is_some_and(|position| is_part(word, position))
    });
    if bearers.is_empty() {
        return Vec::new();
    }
    let mentions = names.mentions(text);
    let is_free = |at: usize| !mentions.iter().any(|mention| (mention.start..mention.end).contains(&at));
    words(text).filter_map(|(at, word)| Some((at, (*bearers.get(word)?)?))).filter(|(at, _)| is_free(*at)).collect()
}

/// Returns the full name of a participant whom the outline calls by a part of the name.
pub(super) fn full_name(story: &Story, names: &Names, name: &str) -> Option<String> {
    if names.knows(PieceKind::Character, name) {
        return None;
    }
    match named_in_part(story, names, name).as_slice() {
        [(at, position)] if words(name).count() == 1 && name[..*at].trim().is_empty() => {
            Some(story.characters[*position].name.clone())
        }
        _ => None,
    }
}

/// Iterates over the words of a text in an alphabet, with their places; Chinese characters separate words.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |c: char| c.is_alphabetic() && !is_han(c);
    let starts = text.char_indices().scan(false, move |inside, (at, c)| {
        let is_start = is_letter(c) && !*inside;
        *inside = is_letter(c);
        Some((at, is_start))
    });
    starts.filter(|(_, is_start)| *is_start).map(move |(at, _)| {
        let rest = &text[at..];
        (at, &rest[..rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len())])
    })
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;

    fn story() -> Story {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        let characters = ["Ottilie Marsh", "Fenwick Marsh", "Captain Tull", "Will Pyke"].map(card).to_vec();
        Story { characters, ..Story::default() }
    }

    #[test]
    fn a_part_of_a_name_means_the_one_who_has_it() {
        let story = story();
        let names = Names::of(&story);
        let found = |text: &str| named(&story, &names, text);
        assert_eq!(found("Tull has a key. Fenwick's slates."), ["Captain Tull", "Fenwick Marsh"]);
        assert_eq!(found("Fenwick听见Ottilie Marsh来了"), ["Fenwick Marsh", "Ottilie Marsh"]);
        assert_eq!(found("Marsh, the Captain and a fenwick; they will see Fenwicks."), [""; 0]);
        assert_eq!(full_name(&story, &names, " Fenwick ").as_deref(), Some("Fenwick Marsh"));
        assert_eq!(full_name(&story, &names, "Fenwick Marsh"), None, "it is the whole name");
        assert_eq!(full_name(&story, &names, "Fenwick's wife"), None, "it is somebody else");
        assert_eq!(full_name(&story, &names, "Marsh"), None, "two have it");
    }

    #[test]
    fn an_alias_of_another_is_no_part_of_a_name() {
        let mut story = story();
        story.characters[0].alias = vec!["Fenwick".into()];
        let names = Names::of(&story);
        assert_eq!(named(&story, &names, "Fenwick came."), ["Ottilie Marsh"]);
    }
}
