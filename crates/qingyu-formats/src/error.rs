//! The error type of the crate, sorted by how the caller can react.

use std::io;

use crate::encoding::Candidate;

/// An error while reading a manuscript or writing a book.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The format could not be detected; name the format.
    #[error(
        "the format of the file is not known: it is no text, Markdown, DOCX, ODT, RTF, EPUB or HTML, and no project of \
         Scrivener or novelWriter"
    )]
    UnknownFormat,
    /// The file is only the index of a project; import the folder around it.
    #[error("the file is the index of a project and has no text; import the folder of the project")]
    ProjectIndex,
    /// The bytes are not text in the presumed encoding; name the encoding.
    #[error("the text cannot be read as {encoding}: {bad} of {characters} characters make no sense")]
    NotText {
        /// The encoding tried.
        encoding: String,
        /// Number of undecodable characters.
        bad: usize,
        /// Number of all characters.
        characters: usize,
        /// The first non-ASCII line decoded in other encodings, the likeliest first.
        candidates: Vec<Candidate>,
    },
    /// No encoding has the name; choose another.
    #[error("no encoding is called '{given}'")]
    UnknownEncoding {
        /// The name given by the caller.
        given: String,
    },
    /// The user's heading pattern is invalid; correct the pattern.
    #[error("'{pattern}' is no pattern: {message}")]
    BadPattern {
        /// The pattern given by the caller.
        pattern: String,
        /// Description of the error.
        message: String,
    },
    /// The user's heading pattern matches no line; compare the pattern with a heading of the file.
    #[error("no line begins with '{pattern}'")]
    NoHeading {
        /// The pattern given by the caller.
        pattern: String,
    },
    /// The file is damaged; get another copy, or save the file again.
    #[error("{place} is broken: {message}")]
    Damaged {
        /// The damaged place: an entry of the archive, such as `word/document.xml`, or the archive itself.
        place: String,
        /// Description of the damage.
        message: String,
    },
    /// The file has a suspicious feature of no real manuscript, so parsing stops.
    #[error("{place} is refused: {message}")]
    Refused {
        /// The entry or file.
        place: String,
        /// Description of the feature.
        message: String,
    },
    /// The file exceeds [`FileLimits`](crate::FileLimits); split the file.
    #[error("{place} has more than {limit} {unit}")]
    TooLarge {
        /// The entry or file.
        place: String,
        /// The limit, in `unit`.
        limit: u64,
        /// The unit of the limit, such as `bytes`.
        unit: &'static str,
    },
    /// The file is encrypted or copy protected; get an unprotected copy.
    #[error("{place} is protected and cannot be read")]
    Protected {
        /// The entry or file.
        place: String,
    },
    /// The file contains no text.
    #[error("there is no text in it")]
    Empty,
    /// A part of the text belongs to no chapter or other part, or to two: a bug of the crate.
    #[error("the characters from byte {from} to byte {until} are not covered: {message}")]
    Uncovered {
        /// Start of the part, as a byte offset.
        from: usize,
        /// End of the part, as a byte offset.
        until: usize,
        /// Description of the error.
        message: String,
    },
    /// The caller could not supply the text of a chapter.
    #[error("chapter {chapter} could not be read")]
    Chapter {
        /// Number of the chapter, from 1.
        chapter: usize,
        /// The error of the caller.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The bytes could not be read.
    #[error("the file could not be read")]
    Read(#[source] io::Error),
    /// The bytes could not be written; the disk may be full.
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
    /// For writing only; errors of reading name the entry.
    fn from(error: zip::result::ZipError) -> Self {
        Self::Write(match error {
            zip::result::ZipError::Io(error) => error,
            other => io::Error::other(other),
        })
    }
}
