//! What can go wrong, sorted by what the caller can do.

use std::io;

use crate::Candidate;

/// Why a manuscript could not be read, or a book not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing tells which format it is: name it.
    #[error("the format of the file is not known: it is no text, no DOCX, no ODT and no EPUB")]
    UnknownFormat,
    /// The bytes are no text in the encoding they seem to have: name the encoding.
    #[error("the text cannot be read as {encoding}: {bad} of {characters} characters make no sense")]
    NotText {
        /// The encoding that was tried.
        encoding: String,
        /// How many characters could not be read.
        bad: usize,
        /// How many there are.
        characters: usize,
        /// How its first telling line reads in other encodings, the likeliest first.
        candidates: Vec<Candidate>,
    },
    /// No encoding has that name: choose another.
    #[error("no encoding is called '{given}'")]
    UnknownEncoding {
        /// What was given.
        given: String,
    },
    /// The user's pattern of headings is none: mend it.
    #[error("'{pattern}' is no pattern: {message}")]
    BadPattern {
        /// What was given.
        pattern: String,
        /// What is wrong with it.
        message: String,
    },
    /// The user's pattern of headings fits no line: look at how a heading stands in the file.
    #[error("no line begins with '{pattern}'")]
    NoHeading {
        /// What was given.
        pattern: String,
    },
    /// The file is broken: get another copy, or save it anew.
    #[error("{place} is broken: {message}")]
    Damaged {
        /// Where: an entry of the archive, such as `word/document.xml`, or the archive itself.
        place: String,
        /// What is wrong there.
        message: String,
    },
    /// The file does what no manuscript does, so it is not opened further.
    #[error("{place} is refused: {message}")]
    Refused {
        /// Where.
        place: String,
        /// What it does.
        message: String,
    },
    /// It is larger than [`Limits`](crate::Limits) allow: split it.
    #[error("{place} has more than {limit} {unit}")]
    TooLarge {
        /// Where.
        place: String,
        /// How many are allowed.
        limit: u64,
        /// Of what, such as `bytes`.
        unit: &'static str,
    },
    /// It is encrypted or copy protected: get a copy that is not.
    #[error("{place} is protected and cannot be read")]
    Protected {
        /// Where.
        place: String,
    },
    /// There is no text in it.
    #[error("there is no text in it")]
    Empty,
    /// A part of the text belongs to no chapter and to nothing else, or to two: a mistake of this crate.
    #[error("the characters from byte {from} to byte {until} are not covered: {message}")]
    Uncovered {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        until: usize,
        /// What is wrong there.
        message: String,
    },
    /// A chapter could not be had from where it is kept.
    #[error("chapter {chapter} could not be had")]
    Chapter {
        /// Which, counted from 1.
        chapter: usize,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The bytes could not be read.
    #[error("the file could not be read")]
    Read(#[source] io::Error),
    /// The bytes could not be written: there may be no room.
    #[error("the file could not be written")]
    Write(#[source] io::Error),
}

impl Error {
    pub(crate) fn damaged(place: &str, message: impl Into<String>) -> Self {
        Self::Damaged { place: place.into(), message: message.into() }
    }

    pub(crate) fn refused(place: &str, message: impl Into<String>) -> Self {
        Self::Refused { place: place.into(), message: message.into() }
    }
}

impl From<zip::result::ZipError> for Error {
    /// For writing; reading says where.
    fn from(error: zip::result::ZipError) -> Self {
        Self::Write(match error {
            zip::result::ZipError::Io(error) => error,
            other => io::Error::other(other),
        })
    }
}
