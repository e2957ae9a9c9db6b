//! What is kept one by one.

use std::fmt;

use qingyu_story::PieceKind;
use serde::{Deserialize, Serialize};

/// The kind of something that is kept, logged and taken back by itself: a piece of the story, or what belongs to the
/// project and is no piece that a correction could change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub enum Kind {
    /// A piece.
    Piece(PieceKind),
    /// A finding that the author lets stand.
    Waiver,
    /// A field of a content production, named by its path.
    Field,
    /// How content is produced.
    Production,
}

impl Kind {
    /// Those that are no pieces.
    const OTHERS: [Self; 3] = [Self::Waiver, Self::Field, Self::Production];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        PieceKind::ALL.into_iter().map(Self::Piece).chain(Self::OTHERS)
    }

    /// The name in tables and logs, such as `outline_node`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Piece(kind) => kind.name(),
            Self::Waiver => "waiver",
            Self::Field => "field",
            Self::Production => "production",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        let other = Self::OTHERS.into_iter().find(|kind| kind.name() == name);
        other.or_else(|| PieceKind::parse(name).map(Self::Piece))
    }

    /// What grows by one version whenever it changes: the field of the piece. None for kinds without versions.
    pub(crate) fn content(self) -> Option<&'static str> {
        match self {
            Self::Piece(PieceKind::Document) => Some("text"),
            Self::Field => Some("value"),
            _ => None,
        }
    }

    /// Where the story as JSON has it.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Piece(kind) => kind.list(),
            Self::Waiver => "waivers",
            Self::Field => "fields",
            Self::Production => "production",
        }
    }

    /// The letters before the dash of ids given to this kind; none if it has no ids.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        match self {
            Self::Piece(kind) => Some(kind.prefix()),
            Self::Waiver | Self::Field | Self::Production => None,
        }
    }

    /// Where its body says what it is named by.
    pub(crate) fn id_key(self) -> &'static str {
        if self == Self::Field { "path" } else { "id" }
    }

    /// Whether there is at most one of it.
    pub(crate) fn is_single(self) -> bool {
        match self {
            Self::Piece(kind) => kind.is_single(),
            Self::Waiver | Self::Field => false,
            Self::Production => true,
        }
    }
}

impl From<PieceKind> for Kind {
    fn from(kind: PieceKind) -> Self {
        Self::Piece(kind)
    }
}

impl From<Kind> for &'static str {
    fn from(kind: Kind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::parse(&name).ok_or_else(|| format!("there is no kind {name}"))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
