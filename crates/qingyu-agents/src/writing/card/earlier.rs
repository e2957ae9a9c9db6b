//! The ends of earlier books, and canon, in prompts: as facts of the book that is named, each told once.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use qingyu_story::earlier::{EarlierBook, EarlierBooks, EarlierNote, EarlierPerson};
use qingyu_story::names::fold;
use qingyu_story::{Names, Story};

use super::cut::clip;
use super::sections::{CardSections, fitting};
use crate::labels::{self, Labels};

/// Maximum tokens.
mod limit {
    /// Of what earlier books fix for all chapters, together.
    pub(super) const BOOKS: u64 = 700;
    /// Of one book at least.
    pub(super) const BOOK: u64 = 120;
    /// Of a line.
    pub(super) const LINE: u64 = 90;
    /// Of the people of a prompt without a chapter.
    pub(super) const PEOPLE: u64 = 500;
}

/// Somebody who is dead when the book begins, with the book that tells the death.
type DeadPerson<'e> = (&'e EarlierBook, &'e EarlierPerson);

/// Maximum number of dead named in a line.
const DEAD: usize = 20;
/// Maximum number of people told before the book has a cast.
const FIRST: usize = 12;

/// Adds a section for each earlier book: the dead, then rules, ladders, open promises and settings that the story has not
/// itself.
pub(super) fn add_books(sections: &mut CardSections, story: &Story, earlier: &EarlierBooks, words: &Labels) {
    for (heading, lines, tokens) in books(story, earlier, words) {
        sections.add(&heading, lines, tokens);
    }
}

/// Returns what earlier books fix for a prompt without a chapter, a line each with the name of its book: the people of the
/// story who are in both, all people while the story has no cast, then the same as for all chapters.
pub(crate) fn earlier_lines(story: &Story, earlier: &EarlierBooks) -> Vec<String> {
    if earlier.is_empty() {
        return Vec::new();
    }
    let (words, names) = (labels::of(story.language), Names::of(story));
    let people: Vec<String> = match story.characters.is_empty() {
        true => {
            let dead = earlier.dead(&names);
            earlier.iter().flat_map(|book| first(book, &dead, words)).collect()
        }
        false => people(story, &names, earlier, &(0..story.characters.len()).collect::<Vec<_>>()),
    };
    let mut lines = fitting(people, limit::PEOPLE);
    for (heading, book, tokens) in books(story, earlier, words) {
        lines.extend(fitting(book, tokens).into_iter().map(|line| words.labelled(&heading, &line)));
    }
    lines
}

/// Returns what earlier books tell of the characters at the positions, a line for each book and character: whether they
/// are dead, the last statements about them, and their relations to the others. Statements of the story itself are left
/// out.
pub(crate) fn people(story: &Story, names: &Names, earlier: &EarlierBooks, here: &[usize]) -> Vec<String> {
    if earlier.is_empty() || here.is_empty() {
        return Vec::new();
    }
    let words = labels::of(story.language);
    let dead = earlier.dead(names);
    let own: BTreeSet<String> = story.facts.iter().map(|fact| fold(&fact.sentence(story.language))).collect();
    let mut lines = Vec::new();
    for book in earlier.iter() {
        let shared = book.shared(names);
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for position in here {
            let bearers = shared.iter().filter(|(_, other)| *other == position);
            for person in bearers.filter_map(|(name, _)| book.person(name)) {
                let is_here = |name: &str| shared.get(name).is_some_and(|other| here.contains(other));
                let ties = book.ties.iter().filter(|tie| {
                    let is_own = tie.from == person.name || tie.to == person.name;
                    is_own && is_here(&tie.from) && is_here(&tie.to)
                });
                let ties: Vec<&str> = ties.map(|tie| tie.line.as_str()).filter(|line| told.insert(*line)).collect();
                let state = person.state.iter().filter(|line| !own.contains(&fold(line.as_str())));
                let says = says(person, is_in(&dead, person), state.map(String::as_str).chain(ties), words);
                if !says.is_empty() {
                    let name = story.characters[*position].name.trim();
                    lines.push(line(book, name, &says, words));
                }
            }
        }
    }
    lines
}

/// Returns the first people of a book, a line each.
fn first(book: &EarlierBook, dead: &[DeadPerson<'_>], words: &Labels) -> Vec<String> {
    let told = |person: &EarlierPerson| {
        let says = says(person, is_in(dead, person), person.state.iter().map(String::as_str), words);
        line(book, &person.name, &says, words)
    };
    book.people.iter().take(FIRST).map(told).collect()
}

/// Returns whether the person of an earlier book is among the dead.
fn is_in(dead: &[DeadPerson<'_>], person: &EarlierPerson) -> bool {
    dead.iter().any(|(_, one)| std::ptr::eq(*one, person))
}

/// Returns the statements about a person in a line: the death first, if the person `is_dead` when the book begins.
fn says<'a>(person: &'a EarlierPerson, is_dead: bool, more: impl Iterator<Item = &'a str>, words: &Labels) -> String {
    let death = person.death_quote().filter(|_| is_dead).map(|quote| words.labelled(words.dead(), quote));
    let trade = Some(person.occupation.clone()).filter(|trade| !trade.is_empty());
    let more: Vec<String> = death.into_iter().chain(trade).chain(more.map(str::to_owned)).collect();
    words.listed(&more)
}

fn line(book: &EarlierBook, name: &str, says: &str, words: &Labels) -> String {
    let space = if words.is_zh() { "" } else { ": " };
    let head = format!("{}{space}{name}", words.titled(&book.title));
    if says.is_empty() { head } else { clip(&words.labelled(&head, says), limit::LINE) }
}

/// Returns the heading, the lines and the maximum tokens for each book with anything to tell.
fn books(story: &Story, earlier: &EarlierBooks, words: &Labels) -> Vec<(String, Vec<String>, u64)> {
    if earlier.is_empty() {
        return Vec::new();
    }
    let all_dead = earlier.dead(&Names::of(story));
    let count = earlier.iter().count().max(1);
    let tokens = (limit::BOOKS / u64::try_from(count).unwrap_or(u64::MAX)).max(limit::BOOK);
    let world = story.worldview.as_ref();
    let own = [
        story.promises.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
        world.into_iter().flat_map(|world| &world.rules).map(|one| one.name.as_str()).collect(),
        world.into_iter().flat_map(|world| &world.ladders).map(|one| one.name.as_str()).collect(),
        world.into_iter().flat_map(|world| &world.locations).map(|one| one.name.as_str()).collect(),
        world.into_iter().flat_map(|world| &world.organisations).map(|one| one.name.as_str()).collect(),
        world.into_iter().flat_map(|world| &world.items).map(|one| one.name.as_str()).collect(),
    ];
    let mut known: BTreeSet<String> = own.into_iter().flatten().map(fold).collect();
    let mut found = Vec::new();
    for book in earlier.iter() {
        let dead = book.people.iter().filter(|person| is_in(&all_dead, person)).take(DEAD);
        let dead: Vec<&str> = dead.map(|person| person.name.as_str()).collect();
        let dead = (!dead.is_empty()).then(|| words.labelled(words.dead(), &dead.join(words.comma)));
        let mut lines: Vec<String> = dead.into_iter().collect();
        let kinds = [
            (words.world_rule(), &book.rules),
            (words.ladder(), &book.ladders),
            (words.open_promise(), &book.promises),
            ("", &book.settings),
        ];
        for (kind, notes) in kinds {
            let new: Vec<&EarlierNote> = notes.iter().filter(|note| known.insert(fold(&note.name))).collect();
            lines.extend(new.into_iter().map(|note| noted(kind, note, words)));
        }
        if !lines.is_empty() {
            found.push((words.earlier_book(book), lines, tokens));
        }
    }
    found
}

fn noted(kind: &str, note: &EarlierNote, words: &Labels) -> String {
    let head = if kind.is_empty() { note.name.clone() } else { words.labelled(kind, &note.name) };
    let says = if note.text.is_empty() { head } else { format!("{head}{}", words.remark(&note.text)) };
    clip(&says, limit::LINE)
}
