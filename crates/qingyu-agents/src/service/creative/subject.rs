//! The subject and the material of a writing task, and limits on them.

use serde::{Deserialize, Serialize};

use crate::service::target::TaskTarget;

/// Keywords that ask to change a text.
pub(crate) const REWRITES: [&str; 17] = [
    "改得",
    "改成",
    "改写",
    "改一改",
    "重写",
    "修改",
    "润色",
    "缩写",
    "扩写",
    "精简",
    "rewrite",
    "revise",
    "polish",
    "change ",
    "tighten",
    "shorten",
    "edit ",
];
/// Maximum characters of the preceding text in a prompt.
pub(super) const BEFORE: usize = 1_500;
/// Maximum characters of a text to change in a prompt.
pub(super) const PASSAGE: usize = 12_000;
/// Maximum number of fix rounds.
pub(super) const MENDS: usize = 2;

/// The subject of a writing task.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WritingSubject {
    pub(super) kind: String,
    pub(super) target: TaskTarget,
    pub(super) characters: Vec<String>,
}

/// Material collected before writing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WritingMaterial {
    pub(super) material: String,
    pub(super) cards: Vec<String>,
    pub(super) relations: Vec<String>,
}
