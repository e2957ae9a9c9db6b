//! The texts of a book, each read again only when it changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Prose;
use crate::{Document, Story};

/// What was read of a book's texts, by document.
///
/// A text is known by its document's id, version and length: as long as these stay, it is not read again. Documents without
/// an id, and several with one id, are always read.
#[derive(Debug, Clone, Default)]
pub struct Manuscript {
    kept: BTreeMap<String, Kept>,
    read: usize,
}

#[derive(Debug, Clone)]
struct Kept {
    version: u32,
    bytes: usize,
    prose: Arc<Prose>,
}

/// A text of the book, and what was read in it.
#[derive(Debug, Clone)]
pub struct Chapter<'s> {
    /// The document.
    pub document: &'s Document,
    /// Its text, read.
    pub prose: Arc<Prose>,
}

impl Manuscript {
    /// The chapters of `story` in reading order, reading what changed since the last time and forgetting what is gone.
    ///
    /// Documents with the order 0 are notes, not prose of the book, and left out.
    pub fn chapters<'s>(&mut self, story: &'s Story) -> Vec<Chapter<'s>> {
        let mut documents: Vec<&Document> = story.documents.iter().filter(|document| document.order > 0).collect();
        documents.sort_by(|a, b| {
            let key = |document: &Document| (document.order, document.version);
            key(a).cmp(&key(b)).then_with(|| (&a.id, &a.title, &a.text).cmp(&(&b.id, &b.title, &b.text)))
        });
        let mut bearers: BTreeMap<&str, usize> = BTreeMap::new();
        for document in &documents {
            *bearers.entry(document.id.trim()).or_default() += 1;
        }
        let mut kept = std::mem::take(&mut self.kept);
        let mut chapters = Vec::with_capacity(documents.len());
        for document in documents {
            let id = document.id.trim();
            let is_known = !id.is_empty() && bearers[id] == 1;
            let known = kept.remove(id).filter(|kept| is_known && kept.is_of(document));
            let prose = known.map_or_else(|| self.read(&document.text), |kept| kept.prose);
            if is_known {
                let kept = Kept { version: document.version, bytes: document.text.len(), prose: Arc::clone(&prose) };
                self.kept.insert(id.to_owned(), kept);
            }
            chapters.push(Chapter { document, prose });
        }
        chapters
    }

    /// How many texts have been read so far.
    pub fn read_so_far(&self) -> usize {
        self.read
    }

    fn read(&mut self, text: &str) -> Arc<Prose> {
        self.read += 1;
        Arc::new(Prose::of(text))
    }
}

impl Kept {
    fn is_of(&self, document: &Document) -> bool {
        self.version == document.version && self.bytes == document.text.len()
    }
}

impl Chapter<'_> {
    /// The id of the document, or its title.
    pub fn handle(&self) -> &str {
        match self.document.id.trim() {
            "" => self.document.title.trim(),
            id => id,
        }
    }

    /// What a person calls it.
    pub fn title(&self) -> &str {
        match self.document.title.trim() {
            "" => self.document.id.trim(),
            title => title,
        }
    }

    /// Where in the text: `documents/d-3/text@120-168`, in bytes from the beginning of the text, the end not included.
    pub fn anchor(&self, range: &std::ops::Range<usize>) -> String {
        format!("documents/{}/text@{}-{}", self.handle(), range.start, range.end)
    }

    /// The words at `range`.
    pub fn words(&self, range: &std::ops::Range<usize>) -> &str {
        self.document.text.get(range.clone()).unwrap_or_default()
    }
}
