//! A cache of a book's parsed texts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::Prose;
use crate::side_by_side::side_by_side;
use crate::{Document, Story};

/// A cache of parsed texts, keyed by content: a text is parsed once, regardless of title and position.
#[derive(Debug, Clone, Default)]
pub struct Manuscript {
    kept: HashMap<ProseDigest, Arc<Prose>>,
}

/// A text of the book with its parsed prose.
#[derive(Debug, Clone)]
pub struct AnalyzedChapter<'s> {
    /// The document.
    pub document: &'s Document,
    /// The parsed text.
    pub prose: Arc<Prose>,
}

impl Manuscript {
    /// Returns the chapters of `story` in reading order; parses changed texts and removes deleted texts from the cache.
    ///
    /// Skips documents with order 0: notes, not prose of the book.
    pub fn chapters<'s>(&mut self, story: &'s Story) -> Vec<AnalyzedChapter<'s>> {
        let mut documents: Vec<&Document> = story.documents.iter().filter(|document| document.order > 0).collect();
        documents.sort_by(|a, b| {
            let key = |document: &Document| (document.order, document.version);
            key(a).cmp(&key(b)).then_with(|| (&a.id, &a.title, &a.text).cmp(&(&b.id, &b.title, &b.text)))
        });
        let digests: Vec<ProseDigest> = documents.iter().map(|document| ProseDigest::of(&document.text)).collect();
        let texts = documents.iter().map(|document| document.text.as_str());
        let unread: BTreeMap<ProseDigest, &str> =
            digests.iter().copied().zip(texts).filter(|(digest, _)| !self.kept.contains_key(digest)).collect();
        let unread: Vec<(ProseDigest, &str)> = unread.into_iter().collect();
        self.kept.extend(read_all(&unread));
        let present: HashSet<ProseDigest> = digests.iter().copied().collect();
        self.kept.retain(|digest, _| present.contains(digest));
        let chapter = |(document, digest)| AnalyzedChapter { document, prose: Arc::clone(&self.kept[&digest]) };
        documents.into_iter().zip(digests).map(chapter).collect()
    }

    /// Returns a single document as a chapter, parsed if not cached.
    pub(crate) fn chapter<'s>(&mut self, document: &'s Document) -> AnalyzedChapter<'s> {
        let digest = ProseDigest::of(&document.text);
        let prose = self.kept.entry(digest).or_insert_with(|| Arc::new(Prose::of(&document.text)));
        AnalyzedChapter { document, prose: Arc::clone(prose) }
    }
}

/// Parses texts.
fn read_all(texts: &[(ProseDigest, &str)]) -> Vec<(ProseDigest, Arc<Prose>)> {
    const MANY: usize = 16;
    side_by_side(texts, MANY, |texts| texts.iter().map(|(digest, text)| (*digest, Arc::new(Prose::of(text)))).collect())
}

/// A 128-bit content hash of a text. Not cryptographic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ProseDigest(u64, u64);

impl ProseDigest {
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

impl AnalyzedChapter<'_> {
    /// Returns the document's id, or the title as a fallback.
    pub(crate) fn handle(&self) -> &str {
        match self.document.id.trim() {
            "" => self.document.title.trim(),
            id => id,
        }
    }

    /// Returns the display title.
    pub(crate) fn title(&self) -> &str {
        match self.document.title.trim() {
            "" => self.document.id.trim(),
            title => title,
        }
    }

    /// Returns the anchor of a range: `documents/d-3/text@120-168`, in bytes from the beginning of the text, end
    /// exclusive.
    pub(crate) fn anchor(&self, range: &std::ops::Range<usize>) -> String {
        format!("documents/{}/text@{}-{}", self.handle(), range.start, range.end)
    }

    /// Returns the words at `range`.
    pub(crate) fn words(&self, range: &std::ops::Range<usize>) -> &str {
        self.document.text.get(range.clone()).unwrap_or_default()
    }
}
