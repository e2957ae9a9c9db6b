//! People that a chapter is about and who do not take part in it.

use qingyu_story::kinship::Kinship;
use qingyu_story::{Names, PieceKind, Story};

use crate::writing::book::NumberedBook;

/// Maximum number of absent people with a card.
pub(crate) const ABSENT: usize = 4;

/// Returns the names of the characters that a chapter is about and who do not take part in it, at most a few: those named
/// in `text`, in order of mention, then those whom it calls by what they are to somebody (`her father`), then the holders
/// of a secret about a participant.
pub(super) fn absent(book: &NumberedBook<'_>, participants: &[String], text: &str) -> Vec<String> {
    let (story, names) = (book.story, book.names());
    let resolved = |name: &String| Some(names.resolve(PieceKind::Character, name)?.name.clone());
    let here: Vec<String> = participants.iter().filter_map(resolved).collect();
    let holders = story.characters.iter().filter(|card| {
        !card.secret.trim().is_empty() && named(story, names, &card.secret).iter().any(|name| here.contains(name))
    });
    let mut absent: Vec<String> = Vec::new();
    let relatives = relatives(story, names, participants, text);
    for name in named(story, names, text).into_iter().chain(relatives).chain(holders.map(|card| card.name.clone())) {
        if !here.contains(&name) && !absent.contains(&name) {
            absent.push(name);
        }
    }
    absent.truncate(ABSENT);
    absent
}

/// Returns the names of the characters named in a text, in order of mention; a name shared by two is ambiguous and skipped.
/// A part of a name, such as `Fenwick` of `Fenwick Marsh` or 砚秋 of 沈砚秋, counts if one card alone has it.
pub(crate) fn named(story: &Story, names: &Names, text: &str) -> Vec<String> {
    let mentions = names.mentions(text);
    let whole = mentions.iter().filter_map(|mention| match mention.bearers.as_slice() {
        [one] if one.kind == PieceKind::Character => Some((mention.start, one.position)),
        _ => None,
    });
    let mut places: Vec<(usize, usize)> = whole.chain(names.mentions_in_part(text)).collect();
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

/// Returns the names of the characters whom a text calls by what they are to somebody, in order of mention; a pronoun may
/// mean one of `people`.
pub(crate) fn relatives(story: &Story, names: &Names, people: &[String], text: &str) -> Vec<String> {
    let called = relative_positions(story, names, people, text);
    called.into_iter().map(|who| story.characters[who].name.clone()).collect()
}

/// Same as [`relatives`], returned as positions among the characters.
pub(crate) fn relative_positions(story: &Story, names: &Names, people: &[String], text: &str) -> Vec<usize> {
    let near = people.iter().filter_map(|name| names.resolve(PieceKind::Character, name));
    let near: Vec<usize> = near.map(|named| named.position).collect();
    Kinship::of(story, names).called(&near, text)
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
    }

    #[test]
    fn a_father_without_a_name_is_found_by_the_relations_of_the_cast() {
        let mut story = story();
        story.character_relations = vec![qingyu_story::CharacterRelation {
            from: "Fenwick Marsh".into(),
            to: "Ottilie Marsh".into(),
            kind: qingyu_story::RelationKind::ParentOf,
            ..Default::default()
        }];
        let book = NumberedBook::of(&story);
        let found = |participants: &[&str], text: &str| {
            let participants: Vec<String> = participants.iter().map(|name| (*name).to_owned()).collect();
            absent(&book, &participants, text)
        };
        assert_eq!(found(&["Ottilie Marsh", "Will Pyke"], "She opens her father's desk."), ["Fenwick Marsh"]);
        assert_eq!(found(&["Will Pyke"], "He opens his father's desk."), [""; 0]);
        assert_eq!(found(&["Ottilie Marsh"], "Captain Tull knew her father."), ["Captain Tull", "Fenwick Marsh"]);
    }

    #[test]
    fn an_alias_of_another_is_no_part_of_a_name() {
        let mut story = story();
        story.characters[0].alias = vec!["Fenwick".into()];
        let names = Names::of(&story);
        assert_eq!(named(&story, &names, "Fenwick came."), ["Ottilie Marsh"]);
    }
}
