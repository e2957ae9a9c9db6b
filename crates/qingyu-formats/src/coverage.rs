//! The proof that nothing of a manuscript was lost: every character has one place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, PartKind, Split};

/// What is where in a manuscript, in characters. Made only by checking, so it always adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    characters: usize,
    chapters: usize,
    text: usize,
    headings: usize,
    title: usize,
    front: usize,
    contents: usize,
    separators: usize,
    #[serde(default)]
    apart: usize,
    blank: usize,
}

impl Coverage {
    /// Counts `text` by the parts of `split`.
    ///
    /// Fails with [`Error::Uncovered`] unless the parts follow each other from the first byte to the last, and the text of
    /// each chapter has exactly the characters of its parts, in their order, but for spaces.
    pub fn check(text: &str, split: &Split) -> Result<Self, Error> {
        let mut coverage = Self { chapters: split.chapters.len(), ..Self::default() };
        let mut taken: Vec<String> = vec![String::new(); split.chapters.len()];
        let mut at = 0;
        for part in &split.parts {
            let words = text.get(part.range.clone()).filter(|_| part.range.start == at && part.range.end > at);
            let from = at;
            let uncovered = |message: &str| Error::Uncovered { from, until: part.range.end, message: message.into() };
            let words = words.ok_or_else(|| uncovered("the parts do not follow each other"))?;
            at = part.range.end;
            let visible = words.chars().filter(|c| !is_blank(*c)).count();
            let all = words.chars().count();
            coverage.characters += all;
            coverage.blank += all - visible;
            match part.kind {
                PartKind::Title => coverage.title += visible,
                PartKind::Front => coverage.front += visible,
                PartKind::Contents => coverage.contents += visible,
                PartKind::Heading => coverage.headings += visible,
                PartKind::Apart => coverage.apart += visible,
                PartKind::Blank if visible > 0 => return Err(uncovered("what is called blank is not")),
                PartKind::Blank => {}
                PartKind::Text | PartKind::Separator => {
                    let slot = if part.kind == PartKind::Text { &mut coverage.text } else { &mut coverage.separators };
                    *slot += visible;
                    let chapter = part.chapter.and_then(|chapter| taken.get_mut(chapter));
                    chapter.ok_or_else(|| uncovered("it belongs to no chapter"))?.push_str(words);
                }
            }
        }
        if at != text.len() {
            return Err(Error::Uncovered { from: at, until: text.len(), message: "no part reaches it".into() });
        }
        for (chapter, words) in split.chapters.iter().zip(&taken) {
            if !visible(&chapter.text).eq(visible(words)) {
                let message = format!("the text of '{}' is not that of its parts", chapter.title);
                return Err(Error::Uncovered { from: 0, until: text.len(), message });
            }
        }
        Ok(coverage)
    }

    /// All characters of the text.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// How many chapters there are.
    pub fn chapters(&self) -> usize {
        self.chapters
    }

    /// Characters of the prose of chapters.
    pub fn text(&self) -> usize {
        self.text
    }

    /// Characters of headings.
    pub fn headings(&self) -> usize {
        self.headings
    }

    /// Characters of the title of the book and its author.
    pub fn title(&self) -> usize {
        self.title
    }

    /// Characters before the first chapter that are neither title nor contents.
    pub fn front(&self) -> usize {
        self.front
    }

    /// Characters of the table of contents.
    pub fn contents(&self) -> usize {
        self.contents
    }

    /// Characters of the marks between scenes.
    pub fn separators(&self) -> usize {
        self.separators
    }

    /// Characters that are no part of the book, such as a licence.
    pub fn apart(&self) -> usize {
        self.apart
    }

    /// Spaces and line feeds, wherever they stand.
    pub fn blank(&self) -> usize {
        self.blank
    }
}

/// Spaces of every kind, those without width included.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

fn visible(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !is_blank(*c))
}
