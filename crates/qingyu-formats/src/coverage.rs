//! The check that no character of a manuscript was lost or counted twice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::spaces::is_blank;
use crate::split::{PartKind, SplitChapter, TextPart};

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
    /// Counts the characters of `text` by its `parts`, of which some belong to `chapters`.
    ///
    /// Returns [`Error::Uncovered`] unless the parts are contiguous from the first byte to the last, and the text of
    /// each chapter has exactly the characters of its parts, in order, apart from spaces and marks of emphasis.
    pub(crate) fn check(text: &str, parts: &[TextPart], chapters: &[SplitChapter]) -> Result<Self, Error> {
        let mut coverage = Self { chapters: chapters.len(), ..Self::default() };
        let mut taken: Vec<String> = vec![String::new(); chapters.len()];
        let mut at = 0;
        for part in parts {
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
        for (chapter, words) in chapters.iter().zip(&taken) {
            if !counted_chars(&chapter.text).eq(counted_chars(words)) {
                let message = format!("the text of '{}' is not that of its parts", chapter.title);
                return Err(Error::Uncovered { from: 0, until: text.len(), message });
            }
        }
        Ok(coverage)
    }

    /// Returns the number of characters of the text.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// Returns the number of chapters.
    pub fn chapters(&self) -> usize {
        self.chapters
    }

    /// Returns the number of characters in the prose of chapters.
    pub fn text(&self) -> usize {
        self.text
    }

    /// Returns the number of characters in headings.
    pub fn headings(&self) -> usize {
        self.headings
    }

    /// Returns the number of characters in the title of the book and its author.
    pub fn title(&self) -> usize {
        self.title
    }

    /// Returns the number of characters before the first chapter, without title and contents.
    pub fn front(&self) -> usize {
        self.front
    }

    /// Returns the number of characters in the table of contents.
    pub fn contents(&self) -> usize {
        self.contents
    }

    /// Returns the number of characters in separators between scenes.
    pub fn separators(&self) -> usize {
        self.separators
    }

    /// Returns the number of characters outside the book, such as a licence.
    pub fn apart(&self) -> usize {
        self.apart
    }

    /// Returns the number of spaces and line feeds anywhere in the text.
    pub fn blank(&self) -> usize {
        self.blank
    }
}

/// Returns the characters of a text without spaces and marks of emphasis.
fn counted_chars(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !is_blank(*c) && *c != '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions, SplitOptions, read, split};

    #[test]
    fn a_lie_is_found() {
        let reading = ReadOptions { format: Format::of_name("a.txt"), ..ReadOptions::default() };
        let ingested = read(&mut "第一章\n雨。\n第二章\n灯。\n".as_bytes(), &reading).unwrap();
        let good = split(&ingested, &SplitOptions::default()).unwrap();
        assert_eq!(Coverage::check(&ingested.text, &good.parts, &good.chapters).unwrap(), good.coverage);
        let mut gap = good.clone();
        gap.parts.remove(1);
        let mut short = good.clone();
        short.parts.pop();
        let mut lost = good.clone();
        lost.chapters[1].text = "灯".into();
        let mut swapped = good.clone();
        swapped.chapters.swap(0, 1);
        for lie in [gap, short, lost, swapped] {
            assert!(matches!(Coverage::check(&ingested.text, &lie.parts, &lie.chapters), Err(Error::Uncovered { .. })));
        }
    }
}
