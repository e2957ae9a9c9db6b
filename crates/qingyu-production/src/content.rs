//! What simulated consumers read and judges judge: content, cut into numbered paragraphs.

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
    let board = Board::new(&story.fields);
    if given.is_empty() {
        let fields = story.fields.iter().filter(|field| field.is_content && field.item.is_none());
        let found: Vec<Content> = fields.flat_map(|field| of_field(&board, field)).collect();
        // A project with fields for content that are still empty has nothing to read yet, whatever else it holds.
        let has_fields = story.fields.iter().any(|field| field.is_content);
        return Ok(if has_fields { found } else { chapters(story).filter_map(of_chapter).collect() });
    }
    let mut found: Vec<Content> = Vec::new();
    for wanted in given {
        let named = match chapter(story, wanted) {
            Some(document) => of_chapter(document).into_iter().collect(),
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

/// The chapters of the book, in reading order.
fn chapters(story: &Story) -> impl Iterator<Item = &Document> {
    let mut documents: Vec<&Document> = story.documents.iter().filter(|document| document.order > 0).collect();
    documents.sort_by_key(|document| document.order);
    documents.into_iter()
}

fn chapter<'a>(story: &'a Story, given: &str) -> Option<&'a Document> {
    let given = given.trim().trim_start_matches('@');
    let order =
        given.strip_prefix("chapters/").and_then(|number| number.parse::<u32>().ok()).filter(|order| *order > 0);
    let is_meant = |document: &&Document| {
        let is_numbered = order.is_some_and(|order| document.order == order);
        is_numbered || (!given.is_empty() && (document.id == given || document.title == given))
    };
    story.documents.iter().find(is_meant)
}

fn of_chapter(document: &Document) -> Option<Content> {
    let path = match document.order {
        0 => document.id.clone(),
        order => format!("chapters/{order}"),
    };
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
