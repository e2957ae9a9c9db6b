//! A memory, and edits to memories.

use std::fmt;

use jiff::Timestamp;
use qingyu_knowledge::analysis::fold;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::clock::whole_millis;
use crate::{Error, name};

/// The maximum length of a memory's text, in characters.
pub const LONGEST_TEXT: usize = 2_000;
/// The maximum number of pieces of evidence in a memory, the newest; `count` is the number of all.
pub(crate) const MOST_EVIDENCE: usize = 8;
/// The maximum length of each text in a piece of evidence, in characters; longer texts are truncated and marked.
const LONGEST_EVIDENCE: usize = 600;

/// Names a memory: `m-` and twelve hexadecimal digits, made from its kind, project and topic.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryId(String);

impl MemoryId {
    /// Returns the id of the memory about `topic`. Topics that differ only in width, case, accents, white space at the
    /// ends, or traditional and simplified characters are duplicates.
    pub fn of(kind: Kind, project: Option<&str>, topic: &str) -> Self {
        // No project's name is empty or contains a zero.
        let key = format!("{}\0{}\0{}", kind.name(), project.unwrap_or_default(), fold(topic));
        let digest = Sha256::digest(key);
        let digits = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
        Self(format!("m-{}", digits.collect::<String>()))
    }

    /// Parses an id; `None` if invalid.
    pub fn parse(given: &str) -> Option<Self> {
        let digits = given.strip_prefix("m-")?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (digits.len() == 12 && digits.bytes().all(is_digit)).then(|| Self(given.to_owned()))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl From<MemoryId> for String {
    fn from(id: MemoryId) -> Self {
        id.0
    }
}

impl TryFrom<String> for MemoryId {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        Self::parse(&given).ok_or_else(|| format!("{given} is no id of a memory"))
    }
}

/// What a memory is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What the user likes and does not like.
    Preference,
    /// What was done.
    History,
    /// What the user knows, or has told of the world.
    Knowledge,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Preference, Self::History, Self::Knowledge];

    /// Returns the serialized name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::History => "history",
            Self::Knowledge => "knowledge",
        }
    }
}

/// Where a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The user said it.
    User,
    /// It was learnt from what the user did.
    Learnt,
}

/// Whether a memory is told to anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It was seen too rarely; learning may switch it on.
    Proposed,
    /// It holds.
    On,
    /// The user has switched it off; learning leaves it alone.
    Off,
}

impl Standing {
    /// Returns whether the memory is active.
    pub fn is_active(self) -> bool {
        self == Self::On
    }
}

/// What the user did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Said it.
    Said,
    /// Took work as it was.
    Approved,
    /// Sent work back.
    Rejected,
    /// Changed work by hand.
    Edited,
    /// Let a finding stand.
    Waived,
    /// Took a change back.
    Undid,
}

/// One thing that the user did, and that a memory rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// When. In whole milliseconds once it is kept.
    pub at: Timestamp,
    /// What.
    pub what: What,
    /// Where: a run, a change, a finding; the same place twice is the same evidence. Empty if nowhere.
    pub place: String,
    /// The user's words, or what stood there before.
    pub before: String,
    /// What stands there since; empty if nothing does.
    pub after: String,
}

impl Evidence {
    /// Returns evidence of the user's action `what` at `place`.
    pub fn new(at: Timestamp, what: What, place: impl Into<String>) -> Self {
        Self { at, what, place: place.into(), before: String::new(), after: String::new() }
    }

    /// Adds the user's words.
    #[must_use]
    pub fn words(self, words: impl Into<String>) -> Self {
        Self { before: words.into(), ..self }
    }

    fn kept(self) -> Self {
        Self { at: whole_millis(self.at), before: cut(&self.before), after: cut(&self.after), ..self }
    }
}

/// A memory to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMemory {
    /// The kind of the memory.
    pub kind: Kind,
    /// The project in which the memory holds; `None` is every project.
    pub project: Option<String>,
    /// The topic, which identifies duplicates; usually the text. A memory keeps the topic when the text is edited.
    pub topic: String,
    /// The text, at most [`LONGEST_TEXT`] characters.
    pub text: String,
    /// The evidence.
    pub evidence: Vec<Evidence>,
    /// The origin of the memory.
    pub source: Source,
    /// Whether the memory is active.
    pub standing: Standing,
}

/// A memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// What it is about.
    pub kind: Kind,
    /// The project in which it holds; `None` is every project.
    pub project: Option<String>,
    /// What makes it the same as another.
    pub topic: String,
    /// In words.
    pub text: String,
    /// What it rests on, oldest first; at most 8.
    pub evidence: Vec<Evidence>,
    /// How often it was seen; at least 1, and not less than there is evidence.
    pub count: u32,
    /// Where it comes from.
    pub source: Source,
    /// Whether it holds.
    pub standing: Standing,
    /// When it was added. In whole milliseconds.
    pub created: Timestamp,
    /// When it last changed. In whole milliseconds.
    pub changed: Timestamp,
    /// Counts its changes, from 1.
    pub revision: u64,
}

/// The changes to a memory. `None` keeps a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    /// The new text.
    pub text: Option<String>,
    /// The new standing.
    pub standing: Option<Standing>,
    /// Another observation: increments the count. Evidence of a duplicate action and place changes nothing.
    pub seen: Option<Evidence>,
}

impl Memory {
    /// Returns the memory stored by [`LongTermMemory::add`](super::LongTermMemory::add), for implementations.
    ///
    /// Fails with [`Error::Unfit`] if text or topic are empty, longer than [`LONGEST_TEXT`] characters, or have control
    /// characters other than tab and line breaks, or if the project is not a valid name.
    pub fn new(new: NewMemory, now: Timestamp) -> Result<Self, Error> {
        let NewMemory { kind, project, topic, text, evidence, source, standing } = new;
        let project = project.map(|project| name::checked("project", &project)).transpose()?;
        let topic = checked_text("topic", &topic)?;
        let text = checked_text("text", &text)?;
        let now = whole_millis(now);
        let count = u32::try_from(evidence.len().max(1)).unwrap_or(u32::MAX);
        let id = MemoryId::of(kind, project.as_deref(), &topic);
        let evidence = newest(evidence.into_iter().map(Evidence::kept).collect());
        Ok(Self {
            id,
            kind,
            project,
            topic,
            text,
            evidence,
            count,
            source,
            standing,
            created: now,
            changed: now,
            revision: 1,
        })
    }

    /// Returns the memory after `edit`, one revision further, for implementations.
    ///
    /// Fails with [`Error::Changed`] if the memory is not at revision `expected`, and with [`Error::Unfit`] if the new
    /// text is invalid.
    pub fn edited(mut self, expected: u64, edit: Edit, now: Timestamp) -> Result<Self, Error> {
        if self.revision != expected {
            return Err(Error::Changed { id: self.id.to_string(), expected, found: self.revision });
        }
        let Edit { text, standing, seen } = edit;
        if let Some(text) = text {
            self.text = checked_text("text", &text)?;
        }
        self.standing = standing.unwrap_or(self.standing);
        if let Some(seen) = seen.filter(|seen| !self.has(seen)) {
            self.count = self.count.saturating_add(1);
            self.evidence.push(seen.kept());
            self.evidence = newest(self.evidence);
        }
        self.changed = whole_millis(now);
        self.revision += 1;
        Ok(self)
    }

    /// Returns whether the evidence is a duplicate. Actions without a place are never duplicates.
    pub fn has(&self, evidence: &Evidence) -> bool {
        let is_it = |known: &Evidence| known.what == evidence.what && known.place == evidence.place;
        !evidence.place.is_empty() && self.evidence.iter().any(is_it)
    }
}

/// A filter of memories. `None` excludes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFilter {
    /// The kind.
    pub kind: Option<Kind>,
    /// The project; also returns memories of every project.
    pub project: Option<String>,
    /// Whether the memories are active.
    pub active: Option<bool>,
}

impl MemoryFilter {
    /// Returns whether `memory` passes.
    pub fn passes(&self, memory: &Memory) -> bool {
        let in_project = |project: &String| memory.project.as_ref().is_none_or(|own| own == project);
        self.kind.is_none_or(|kind| memory.kind == kind)
            && self.project.as_ref().is_none_or(in_project)
            && self.active.is_none_or(|active| memory.standing.is_active() == active)
    }
}

fn checked_text(what: &'static str, text: &str) -> Result<String, Error> {
    let unfit = |reason: String| Err(Error::Unfit { what, reason });
    let text = text.trim();
    let length = text.chars().count();
    if text.is_empty() {
        unfit("it is empty".into())
    } else if length > LONGEST_TEXT {
        unfit(format!("it has {length} characters, at most {LONGEST_TEXT} are kept"))
    } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        unfit("it has control characters".into())
    } else {
        Ok(text.to_owned())
    }
}

/// Returns `text` truncated to [`LONGEST_EVIDENCE`] characters, without characters that some engine cannot store.
fn cut(text: &str) -> String {
    let fit = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut kept: String = text.chars().filter(fit).take(LONGEST_EVIDENCE).collect();
    if text.chars().filter(fit).nth(LONGEST_EVIDENCE).is_some() {
        kept.push('…');
    }
    kept
}

fn newest(mut evidence: Vec<Evidence>) -> Vec<Evidence> {
    evidence.drain(..evidence.len().saturating_sub(MOST_EVIDENCE));
    evidence
}
