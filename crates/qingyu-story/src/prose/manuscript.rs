//! The texts of a book, each read again only when it changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::Prose;
use crate::side_by_side::side_by_side;
use crate::{Document, Story};

/// What was read of a book's texts, by their words: a text is read once, whatever it is called and wherever it stands.
#[derive(Debug, Clone, Default)]
pub struct Manuscript {
    kept: HashMap<Digest, Arc<Prose>>,
    read: usize,
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
        let digests: Vec<Digest> = documents.iter().map(|document| Digest::of(&document.text)).collect();
        let texts = documents.iter().map(|document| document.text.as_str());
        let unread: BTreeMap<Digest, &str> =
            digests.iter().copied().zip(texts).filter(|(digest, _)| !self.kept.contains_key(digest)).collect();
        self.read += unread.len();
        let unread: Vec<(Digest, &str)> = unread.into_iter().collect();
        self.kept.extend(read_all(&unread));
        let present: HashSet<Digest> = digests.iter().copied().collect();
        self.kept.retain(|digest, _| present.contains(digest));
        let chapter = |(document, digest)| Chapter { document, prose: Arc::clone(&self.kept[&digest]) };
        documents.into_iter().zip(digests).map(chapter).collect()
    }

    /// A single document as a chapter, read if it is not known.
    pub(crate) fn chapter<'s>(&mut self, document: &'s Document) -> Chapter<'s> {
        let prose = self.kept.entry(Digest::of(&document.text)).or_insert_with(|| {
            self.read += 1;
            Arc::new(Prose::of(&document.text))
        });
        Chapter { document, prose: Arc::clone(prose) }
    }

    /// How many texts have been read so far.
    pub fn read_so_far(&self) -> usize {
        self.read
    }
}

/// Reads texts.
fn read_all(texts: &[(Digest, &str)]) -> Vec<(Digest, Arc<Prose>)> {
    const MANY: usize = 16;
    side_by_side(texts, MANY, |texts| texts.iter().map(|(digest, text)| (*digest, Arc::new(Prose::of(text)))).collect())
}

/// What a text is known by: 128 bits of its words. Not for secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Digest(u64, u64);

impl Digest {
    fn of(text: &str) -> Self {
        const FACTORS: (u64, u64) = (0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f);
        let mix = |Self(a, b): Self, word: u64| {
            let a = (a.rotate_left(29) ^ word).wrapping_mul(FACTORS.0);
            let b = (b.rotate_left(31) ^ word.rotate_left(32)).wrapping_mul(FACTORS.1) ^ (a >> 32);
            Self(a, b)
        };
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let digest =
            words.iter().fold(Self(text.len() as u64, !0), |digest, word| mix(digest, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let digest = mix(digest, u64::from_le_bytes(last));
        mix(digest, digest.0 ^ digest.1.rotate_left(17))
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
