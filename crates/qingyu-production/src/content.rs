//! What simulated consumers read and judges judge: content, cut into numbered paragraphs.

use qingyu_story::chapters::{Chapter, Chapters};
use qingyu_story::production::Field;
use qingyu_story::{Document, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::golden::as_text;
use crate::{Board, Error};

/// Most characters that one reader is given.
pub const BUDGET: usize = 24_000;

/// One thing to read: a field, or a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Content {
    /// Its path; `chapters/3` for a chapter.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Its version.
    pub version: u32,
}

/// A paragraph with its number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Passage {
    /// Counted from 1 through everything that is read.
    pub number: usize,
    /// The content it belongs to.
    pub path: String,
    /// The paragraph, in one line.
    pub text: String,
}

/// What a reader is given, and what did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Reading {
    /// The paragraphs that are read, in order.
    pub passages: Vec<Passage>,
    /// What is not, in order.
    pub left_out: Vec<LeftOut>,
}

/// What of a content is not read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LeftOut {
    /// The content.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// How many of its paragraphs, one that is cut among them.
    pub paragraphs: usize,
    /// How many characters they have.
    pub characters: usize,
}

/// The content of a project that has a text: what is `given`, else its content fields, else its chapters.
///
/// Fails with [`Error::UnknownField`] if something given is neither a field nor a chapter, and with [`Error::Empty`] if it
/// has no text.
pub fn contents(story: &Story, given: &[String]) -> Result<Vec<Content>, Error> {
    let (board, chapters) = (Board::new(&story.fields), Chapters::of(story));
    if given.is_empty() {
        let fields = story.fields.iter().filter(|field| field.is_content && field.item.is_none());
        let found: Vec<Content> = fields.flat_map(|field| of_field(&board, field)).collect();
        // A project with fields for content that are still empty has nothing to read yet, whatever else it holds.
        let has_fields = story.fields.iter().any(|field| field.is_content);
        let texts = || written(story, &chapters).filter_map(|(place, document)| of_chapter(place, document));
        return Ok(if has_fields { found } else { texts().collect() });
    }
    let mut found: Vec<Content> = Vec::new();
    for wanted in given {
        let named = match document_of(story, &chapters, wanted) {
            Some((place, document)) => of_chapter(place, document).into_iter().collect(),
            None => of_field(&board, board.find(wanted)?),
        };
        if named.is_empty() {
            return Err(Error::Empty { path: wanted.clone() });
        }
        for content in named {
            if !found.iter().any(|known| known.path == content.path) {
                found.push(content);
            }
        }
    }
    Ok(found)
}

/// The texts of a field: its own, or those of its items.
fn of_field<'a>(board: &Board<'a>, field: &'a Field) -> Vec<Content> {
    let fields = if field.is_pattern() { board.items(&field.path).collect() } else { vec![field] };
    let content = |field: &Field| Content {
        path: field.path.clone(),
        title: field.title.clone(),
        text: as_text(&field.value),
        version: field.version,
    };
    fields.into_iter().map(content).filter(|content| !content.text.is_empty()).collect()
}

/// The texts of the book in reading order, each with the place of its chapter.
fn written<'a>(story: &'a Story, chapters: &'a Chapters) -> impl Iterator<Item = (u32, &'a Document)> {
    let texts =
        move |chapter: &'a Chapter| chapter.documents.iter().map(move |at| (chapter.place, &story.documents[*at]));
    chapters.all().iter().flat_map(texts)
}

/// The text that `given` means, with the place of its chapter; 0 for a text beside the book.
fn document_of<'a>(story: &'a Story, chapters: &Chapters, given: &str) -> Option<(u32, &'a Document)> {
    let found = chapters.resolve(given).ok().and_then(|chapter| Some((chapter.place, *chapter.documents.first()?)));
    let is_beside = |document: &Document| document.id == given.trim() || document.title == given.trim();
    let beside = || story.documents.iter().position(|document| !given.trim().is_empty() && is_beside(document));
    let (place, document) = found.or_else(|| Some((0, beside()?)))?;
    Some((place, &story.documents[document]))
}

fn of_chapter(place: u32, document: &Document) -> Option<Content> {
    let path = if place == 0 { document.id.clone() } else { format!("chapters/{place}") };
    let (title, version) = (document.title.clone(), document.version);
    Some(Content { path, title, text: document.text.trim().to_owned(), version })
        .filter(|content| !content.text.is_empty())
}

/// What a reader is given of `contents`: paragraphs in order, at most `budget` characters.
///
/// What comes after the first paragraph that does not fit is left out and said. Only if not even the first fits, the
/// beginning of it is given.
pub fn reading(contents: &[Content], budget: usize) -> Reading {
    let mut reading = Reading::default();
    let (mut left, mut is_full) = (budget, false);
    for content in contents {
        let mut out = LeftOut { path: content.path.clone(), title: content.title.clone(), ..LeftOut::default() };
        for line in content.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let length = line.chars().count();
            let number = reading.passages.len() + 1;
            let fits = !is_full && length <= left;
            if fits {
                left -= length;
                reading.passages.push(Passage { number, path: content.path.clone(), text: line.to_owned() });
                continue;
            }
            let head = if number == 1 && !is_full { left } else { 0 };
            if head > 0 {
                let text = line.chars().take(head).collect();
                reading.passages.push(Passage { number, path: content.path.clone(), text });
            }
            is_full = true;
            out.paragraphs += 1;
            out.characters += length - head;
        }
        if out.paragraphs > 0 {
            reading.left_out.push(out);
        }
    }
    reading
}

impl Reading {
    /// The number of the last paragraph; 0 if there is none.
    pub fn last(&self) -> usize {
        self.passages.len()
    }

    /// The paragraph of that number.
    pub fn passage(&self, number: usize) -> Option<&Passage> {
        self.passages.get(number.checked_sub(1)?)
    }

    /// The number of the paragraph in which a quote stands, word for word but for white space; the one `near` if it stands
    /// there too.
    pub fn find(&self, quote: &str, near: Option<usize>) -> Option<usize> {
        let wanted = bare(quote);
        if wanted.is_empty() {
            return None;
        }
        let stands = |passage: &&Passage| bare(&passage.text).contains(&wanted);
        let there = near.and_then(|number| self.passage(number)).filter(stands);
        there.or_else(|| self.passages.iter().find(stands)).map(|passage| passage.number)
    }
}

/// A text without white space and without the marks that a quote was put between.
fn bare(text: &str) -> String {
    let marks = ['"', '“', '”', '「', '」', '『', '』'];
    text.trim().trim_matches(marks).chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[cfg(test)]
mod tests;
