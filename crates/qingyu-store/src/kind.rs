//! Kinds of stored items.

use std::fmt;

use qingyu_story::PieceKind;
use qingyu_story::comment::COMMENT_PREFIX;
use serde::{Deserialize, Serialize};

/// The kind of an item stored, logged and reverted separately: a piece of the story, or an item of the project which no
/// correction can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub enum StoredKind {
    /// A piece of the story.
    Piece(PieceKind),
    /// A finding accepted by the author.
    Waiver,
    /// A comment on words of a text.
    Comment,
    /// A field of a content production, named by its path.
    Field,
    /// How content is produced.
    Production,
}

impl StoredKind {
    /// The kinds outside the story.
    const OTHERS: [Self; 4] = [Self::Waiver, Self::Comment, Self::Field, Self::Production];

    /// Returns an iterator over all kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        PieceKind::ALL.into_iter().map(Self::Piece).chain(Self::OTHERS)
    }

    /// Returns the name in tables and logs, such as `outline_node`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Piece(kind) => kind.name(),
            Self::Waiver => "waiver",
            Self::Comment => "comment",
            Self::Field => "field",
            Self::Production => "production",
        }
    }

    /// Parses the name of a kind; `None` if unknown.
    pub fn parse(name: &str) -> Option<Self> {
        let other = Self::OTHERS.into_iter().find(|kind| kind.name() == name);
        other.or_else(|| PieceKind::parse(name).map(Self::Piece))
    }

    /// Returns the body field with its own version number, incremented by every change; `None` for kinds without
    /// versions.
    pub(crate) fn content(self) -> Option<&'static str> {
        match self {
            Self::Piece(PieceKind::Document) => Some("text"),
            Self::Field => Some("value"),
            _ => None,
        }
    }

    /// Returns the path in the story JSON.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Piece(kind) => kind.list(),
            Self::Waiver => "waivers",
            Self::Comment => "comments",
            Self::Field => "fields",
            Self::Production => "production",
        }
    }

    /// Returns the prefix of generated ids, before the dash; `None` for kinds without ids.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        match self {
            Self::Piece(kind) => Some(kind.prefix()),
            Self::Comment => Some(COMMENT_PREFIX),
            Self::Waiver | Self::Field | Self::Production => None,
        }
    }

    /// Returns the body fields that do not count as content: version numbers, and the place of a comment, which follows
    /// the text.
    pub(crate) fn bookkeeping(self) -> &'static [&'static str] {
        match self {
            Self::Comment => &["document", "anchor"],
            kind if kind.content().is_some() => &["version"],
            _ => &[],
        }
    }

    /// Returns the body field of the id.
    pub(crate) fn id_key(self) -> &'static str {
        if self == Self::Field { "path" } else { "id" }
    }

    /// Returns whether a project has at most one piece of the kind.
    pub(crate) fn is_single(self) -> bool {
        match self {
            Self::Piece(kind) => kind.is_single(),
            Self::Waiver | Self::Comment | Self::Field => false,
            Self::Production => true,
        }
    }
}

impl From<PieceKind> for StoredKind {
    fn from(kind: PieceKind) -> Self {
        Self::Piece(kind)
    }
}

impl From<StoredKind> for &'static str {
    fn from(kind: StoredKind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for StoredKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::parse(&name).ok_or_else(|| format!("there is no kind {name}"))
    }
}

impl fmt::Display for StoredKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
