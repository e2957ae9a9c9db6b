//! People that a chapter is about and who do not take part in it.

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

/// Returns the names of the characters named in a text, in order of mention; a name shared by two is ambiguous and skipped.
pub(crate) fn named(story: &Story, names: &Names, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for mention in names.mentions(text) {
        if let [one] = mention.bearers.as_slice()
            && one.kind == PieceKind::Character
            && !found.contains(&story.characters[one.position].name)
        {
            found.push(story.characters[one.position].name.clone());
        }
    }
    found
}
