//! What a caller calls a chapter, resolved in a story.

use std::collections::BTreeSet;

use qingyu_story::chapters::{ChapterName, Chapters, Unresolved};
use qingyu_story::{Names, PieceKind, Story};

use crate::Error;

impl From<Unresolved> for Error {
    fn from(unresolved: Unresolved) -> Self {
        match unresolved {
            Unresolved::Unknown { given } | Unresolved::NoList { given } => Self::UnknownDocument { given },
            Unresolved::Ambiguous { given, choices } => Self::AmbiguousChapter { given, choices },
        }
    }
}

/// The position of the document that `given` means: the text of a chapter, or a text beside the book by its title or id.
///
/// Fails with [`Error::UnknownDocument`] or [`Error::AmbiguousChapter`], with [`Error::NoText`] if the chapter is only
/// planned.
pub(crate) fn document(story: &Story, given: &str) -> Result<usize, Error> {
    let names = Names::of(story);
    let chapters = Chapters::with(story, &names);
    match chapters.resolve(given) {
        Ok(chapter) => chapter.documents.first().copied().ok_or_else(|| Error::NoText { given: given.into() }),
        Err(error) => match names.find(PieceKind::Document, given).as_slice() {
            [one] if matches!(error, Unresolved::Unknown { .. }) => Ok(one.position),
            _ => Err(error.into()),
        },
    }
}

/// The positions of the documents of the chapters that `given` means; none if none is named.
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

/// Refuses names that may mean several chapters; what is not there at all is the business of the run.
pub(crate) fn refuse_ambiguous(story: &Story, given: &[ChapterName]) -> Result<(), Error> {
    let chapters = Chapters::of(story);
    for name in given {
        if let Err(error @ Unresolved::Ambiguous { .. }) = chapters.resolve_list(name.as_str()) {
            return Err(error.into());
        }
    }
    Ok(())
}
