//! Books go out: the chapters of a project, in order, as a file.

use std::ops::RangeInclusive;

use qingyu_formats::write::Sink;
use qingyu_formats::{Book, Form, Opening, write};
use qingyu_story::{Document, OutlineNode, OutlineNodeKind, Story};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{Error, Studio};

/// Which chapters, and in which form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// The form.
    pub form: Form,
    /// Only these chapters, counted from 1 in reading order; all without it.
    pub chapters: Option<RangeInclusive<usize>>,
    /// The author, for the cover.
    pub author: Option<String>,
}

/// A book that is ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadyBook {
    /// What stands on the cover.
    pub book: Book,
    form: Form,
    openings: Vec<Opening>,
    texts: Vec<String>,
}

/// A book that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Its title.
    pub title: String,
    /// How many chapters it has.
    pub chapters: usize,
    /// How many characters, spaces not counted.
    pub characters: usize,
    /// The chapters without text.
    pub empty: Vec<String>,
}

impl Studio {
    /// Gathers the chapters of a project, named as for [`show`](Self::show).
    ///
    /// Fails with [`Error::NoChapters`] if there is none, or none of those that were asked for.
    pub async fn book(&self, project: &str, request: &ExportRequest) -> Result<ReadyBook, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let mut documents: Vec<&Document> = kept.story.documents.iter().filter(|document| document.order > 0).collect();
        documents.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        let (first, last) = request.chapters.as_ref().map_or((1, usize::MAX), |range| (*range.start(), *range.end()));
        let all = documents.len();
        let chosen = documents.into_iter().enumerate().filter(|(index, _)| (first..=last).contains(&(index + 1)));
        let chosen: Vec<&Document> = chosen.map(|(_, document)| document).collect();
        if chosen.is_empty() {
            return Err(Error::NoChapters { project: id, chapters: all });
        }
        let opening =
            |document: &&Document| Opening { volume: volume(&kept.story, document), title: document.title.clone() };
        let book = Book {
            title: row.title,
            author: request.author.clone(),
            language: row.language,
            identifier: identifier(&id),
            modified: row.updated.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        let openings = chosen.iter().map(opening).collect();
        let texts = chosen.iter().map(|document| document.text.clone()).collect();
        Ok(ReadyBook { book, form: request.form.clone(), openings, texts })
    }
}

impl ReadyBook {
    /// How many chapters there are.
    pub fn chapters(&self) -> usize {
        self.openings.len()
    }

    /// Writes the book; `tell` learns how many chapters are done.
    ///
    /// Fails with [`Error::Unwritten`] if the sink does.
    pub fn write(&self, sink: &mut dyn Sink, mut tell: impl FnMut(usize)) -> Result<Exported, Error> {
        let mut texts = |chapter: usize| {
            tell(chapter);
            Ok(self.texts[chapter].clone())
        };
        write(&self.book, &self.openings, &mut texts, &self.form, sink).map_err(|error| match error {
            qingyu_formats::Error::Write(error) => Error::Unwritten { message: error.to_string() },
            other => Error::of_manuscript(&other),
        })?;
        let visible = |text: &String| text.chars().filter(|c| !c.is_whitespace()).count();
        let empty = self.openings.iter().zip(&self.texts).filter(|(_, text)| visible(text) == 0);
        Ok(Exported {
            title: self.book.title.clone(),
            chapters: self.openings.len(),
            characters: self.texts.iter().map(visible).sum(),
            empty: empty.map(|(opening, _)| opening.title.clone()).collect(),
        })
    }
}

/// The act that the outline has above a document.
fn volume(story: &Story, document: &Document) -> Option<String> {
    const DEEPEST: usize = 8;
    let find = |name: &str| story.outline_nodes.iter().find(|node| node.id == name || node.name == name);
    let mut node: &OutlineNode = find(document.outline_node.as_deref()?)?;
    for _ in 0..DEEPEST {
        if node.kind == OutlineNodeKind::Act {
            return Some(node.name.clone());
        }
        node = find(node.parent.as_deref()?)?;
    }
    None
}

/// The same for a project every time, and for no other.
fn identifier(project: &str) -> String {
    let hash = Sha256::digest(format!("qingyu book {project}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    format!("urn:uuid:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid())
}
