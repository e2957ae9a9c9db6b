//! Content for simulated consumers and judges, split into numbered paragraphs.

use std::borrow::Cow;

use qingyu_story::chapters::{Chapter, Chapters};
use qingyu_story::production::Field;
use qingyu_story::{Document, Language, Story, placeholders, without_placeholders};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::golden::as_text;
use crate::{Error, FieldBoard};

/// Maximum number of characters for a reader.
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
    /// The name of the content, at its first paragraph alone; empty elsewhere.
    pub title: String,
    /// The paragraph, in one line, without placeholders.
    pub text: String,
}

/// Where a paragraph stands, as a person looks for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ContentPlace {
    /// The path of the content.
    pub(crate) path: String,
    /// Its name for people.
    pub(crate) title: String,
    /// The paragraph within it, from 1, without headings; a heading has the number of the paragraph behind it.
    pub(crate) paragraph: usize,
}

impl ContentPlace {
    /// Returns the place in words, such as `Lesson 2: Wool, paragraph 3`.
    pub(crate) fn text(&self, language: Language) -> String {
        let title = if self.title.is_empty() { &self.path } else { &self.title };
        match language {
            Language::Zh => format!("「{title}」第 {} 段", self.paragraph),
            Language::En => format!("{title}, paragraph {}", self.paragraph),
        }
    }
}

/// What a reader is given, and what did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Reading {
    /// The paragraphs that are read, in order.
    pub passages: Vec<Passage>,
    /// What is not, in order.
    pub left_out: Vec<LeftOut>,
    /// Content with placeholders, which nobody reads.
    pub open: Vec<OpenContent>,
    /// The names of all contents, by path.
    pub titles: Vec<(String, String)>,
}

/// Content that is still to be written in places.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OpenContent {
    /// The content.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// How many placeholders it has.
    pub placeholders: usize,
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

/// Returns the content of a project: the fields and chapters `given`, by default its content fields, or its chapters if
/// there are no content fields.
///
/// Returns [`Error::UnknownField`] if an entry of `given` is neither a field nor a chapter, and [`Error::Empty`] for an
/// entry without text.
pub fn contents(story: &Story, given: &[String]) -> Result<Vec<Content>, Error> {
    let (board, chapters) = (FieldBoard::new(&story.fields), Chapters::of(story));
    if given.is_empty() {
        let fields = story.fields.iter().filter(|field| field.is_content && field.item.is_none());
        let found: Vec<Content> = fields.flat_map(|field| of_field(&board, field)).collect();
        let found = in_order(story, found);
        // A project with content fields, all still empty, has no content, whatever its chapters.
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

/// Returns contents in the order in which a reader meets them; what the production does not name comes last.
fn in_order(story: &Story, mut contents: Vec<Content>) -> Vec<Content> {
    let order = story.production.as_ref().map(|production| production.reading_order.as_slice()).unwrap_or_default();
    let is_of =
        |path: &str, list: &str| path == list || path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'));
    let place = |content: &Content| order.iter().position(|list| is_of(&content.path, list)).unwrap_or(order.len());
    contents.sort_by_key(place);
    contents
}

/// Returns a text of the caller's own as content, without path and version of the project.
pub fn given_text(text: &str, language: Language) -> Content {
    let title = match language {
        Language::Zh => "给出的文字",
        Language::En => "the given text",
    };
    Content { path: "text".into(), title: title.into(), text: text.trim().to_owned(), version: 0 }
}

/// Returns the texts of a field: its own, or the texts of its items.
fn of_field<'a>(board: &FieldBoard<'a>, field: &'a Field) -> Vec<Content> {
    let fields = if field.is_pattern() { board.items(&field.path).collect() } else { vec![field] };
    let content = |field: &Field| Content {
        path: field.path.clone(),
        title: field.title.clone(),
        text: as_text(&field.value),
        version: field.version,
    };
    fields.into_iter().map(content).filter(|content| !content.text.is_empty()).collect()
}

/// Returns an iterator over the texts of the book in reading order, with their chapter positions.
fn written<'a>(story: &'a Story, chapters: &'a Chapters) -> impl Iterator<Item = (u32, &'a Document)> {
    let texts =
        move |chapter: &'a Chapter| chapter.documents.iter().map(move |at| (chapter.place, &story.documents[*at]));
    chapters.all().iter().flat_map(texts)
}

/// Returns the text named by `given`, with its chapter position; 0 for a text outside the book.
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

/// Returns paragraphs of `contents` in order, at most `budget` characters.
///
/// Paragraphs from the first too long for the rest of the budget are omitted and listed. If even the first paragraph is
/// too long, its beginning is returned.
pub fn reading(contents: &[Content], budget: usize) -> Reading {
    let mut reading = Reading::default();
    let (mut left, mut is_full) = (budget, false);
    for content in contents {
        let mut out = LeftOut { path: content.path.clone(), title: content.title.clone(), ..LeftOut::default() };
        let placeholders = placeholders(&content.text).len();
        if placeholders > 0 {
            let (path, title) = (content.path.clone(), content.title.clone());
            reading.open.push(OpenContent { path, title, placeholders });
        }
        reading.titles.push((content.path.clone(), content.title.clone()));
        let mut is_first = true;
        for line in content.text.lines() {
            let written = without_placeholders(line);
            let line = written.trim();
            // A placeholder is no content, and neither are the marks around it.
            let is_rest = matches!(written, Cow::Owned(_)) && !line.chars().any(char::is_alphanumeric);
            if line.is_empty() || is_rest {
                continue;
            }
            let length = line.chars().count();
            let number = reading.passages.len() + 1;
            let title = if is_first { content.title.clone() } else { String::new() };
            is_first = false;
            let fits = !is_full && length <= left;
            if fits {
                left -= length;
                reading.passages.push(Passage { number, path: content.path.clone(), title, text: line.to_owned() });
                continue;
            }
            let head = if number == 1 && !is_full { left } else { 0 };
            if head > 0 {
                let text = line.chars().take(head).collect();
                reading.passages.push(Passage { number, path: content.path.clone(), title, text });
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
    /// Returns the number of the last paragraph; 0 without paragraphs.
    pub fn last(&self) -> usize {
        self.passages.len()
    }

    /// Returns the paragraph with the number.
    pub fn passage(&self, number: usize) -> Option<&Passage> {
        self.passages.get(number.checked_sub(1)?)
    }

    /// Returns the place of the paragraph with the number.
    pub(crate) fn place(&self, number: usize) -> Option<ContentPlace> {
        let passage = self.passage(number)?;
        let before = self.passages[..number - 1].iter().filter(|other| other.path == passage.path);
        let paragraph = before.filter(|other| !other.text.starts_with('#')).count() + 1;
        let title = self.titles.iter().find(|(path, _)| *path == passage.path).map(|(_, title)| title.clone());
        Some(ContentPlace { path: passage.path.clone(), title: title.unwrap_or_default(), paragraph })
    }

    /// Returns the number of the paragraph with a quote, verbatim apart from white space; prefers the paragraph `near`.
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

/// Returns a text without white space and without quotation marks around a quote.
fn bare(text: &str) -> String {
    let marks = ['"', '“', '”', '「', '」', '『', '』'];
    text.trim().trim_matches(marks).chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[cfg(test)]
mod tests;
