//! Headings declared by a project of a writing program: followed as they are, whatever their words.

use super::line_mark::LineMark;
use super::parts::HeadingForm;
use crate::headings::{self, HeadingLabel};
use crate::read::ParagraphRole;
use crate::spaces::{tidy, trim};

/// Marks the declared headings; returns the form of the chapters, if any.
pub(super) fn mark(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark]) -> Vec<HeadingForm> {
    let mut form: Option<HeadingForm> = None;
    for (index, role) in roles.iter().enumerate().filter(|(index, _)| !trim(lines[*index]).is_empty()) {
        let (volume, chapter) = match role {
            ParagraphRole::Volume => (Some(label(lines[index])), None),
            ParagraphRole::Chapter { in_volume: true } => (None, Some(label(lines[index]))),
            ParagraphRole::Chapter { in_volume: false } => {
                (Some(HeadingLabel { number: None, words: String::new() }), Some(label(lines[index])))
            }
            _ => continue,
        };
        if let Some(chapter) = &chapter {
            form.get_or_insert_with(|| HeadingForm { example: chapter.words.clone(), count: 0 }).count += 1;
        }
        marks[index] = LineMark::Heading { volume, chapter, again: false };
    }
    form.into_iter().collect()
}

fn label(line: &str) -> HeadingLabel {
    let heading = headings::read(line);
    let number = heading.and_then(|heading| heading.chapter.or(heading.volume)?.number);
    HeadingLabel { number, words: tidy(line) }
}
