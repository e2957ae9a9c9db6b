//! Resolution of chapter names given by callers.

use std::collections::BTreeSet;

use qingyu_story::chapters::{ChapterLookupError, ChapterName, Chapters};
use qingyu_story::{Names, PieceKind, Story};

use crate::error::{Error, Noun};

impl From<ChapterLookupError> for Error {
    fn from(unresolved: ChapterLookupError) -> Self {
        match unresolved {
            ChapterLookupError::Unknown { given } | ChapterLookupError::NoList { given } => {
                Self::unknown(Noun::Document, given)
            }
            ChapterLookupError::Ambiguous { given, choices } => Self::AmbiguousChapter { given, choices },
        }
    }
}

/// Returns the index of the document named `given`: a chapter's text, or a side text by title or ID.
///
/// Returns [`Error::Unknown`] or [`Error::AmbiguousChapter`] if there is no single match, [`Error::NoText`] if
/// the chapter is only planned.
pub(crate) fn document(story: &Story, given: &str) -> Result<usize, Error> {
    let names = Names::of(story);
    let chapters = Chapters::with(story, &names);
    match chapters.resolve(given) {
        Ok(chapter) => chapter.documents.first().copied().ok_or_else(|| Error::NoText { given: given.into() }),
        Err(error) => match names.find(PieceKind::Document, given).as_slice() {
            [one] if matches!(error, ChapterLookupError::Unknown { .. }) => Ok(one.position),
            _ => Err(error.into()),
        },
    }
}

/// Returns the document indexes of the chapters named `given`; an empty set for an empty list.
pub(crate) fn documents(story: &Story, given: &[ChapterName]) -> Result<BTreeSet<usize>, Error> {
    if given.is_empty() {
        return Ok(BTreeSet::new());
    }
    let chapters = Chapters::of(story);
    let mut found = BTreeSet::new();
    for name in given {
        let named = chapters.resolve_list(name.as_str())?;
        found.extend(named.into_iter().flat_map(|chapter| chapter.documents.iter().copied()));
    }
    Ok(found)
}

/// Returns an error for ambiguous names; missing chapters are reported by the run.
pub(crate) fn refuse_ambiguous(story: &Story, given: &[ChapterName]) -> Result<(), Error> {
    let chapters = Chapters::of(story);
    for name in given {
        if let Err(error @ ChapterLookupError::Ambiguous { .. }) = chapters.resolve_list(name.as_str()) {
            return Err(error.into());
        }
    }
    Ok(())
}
