//! Judges that differ by what they look at.

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

/// A role in which content is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgeRole {
    /// The name in data, such as `editor`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The judge's point of view, as words to a model.
    pub view: String,
}

/// Name, Chinese title and view, English title and view.
const ROLES: [(&str, [&str; 2], [&str; 2]); 3] = [
    (
        "editor",
        ["编辑", "你多年审稿：先看结构、顺序和语言，读者在哪里会绊住，哪一句是空话。"],
        [
            "editor",
            "You have edited for years: you look at structure, order and language first, where a reader stumbles and which sentence is empty.",
        ],
    ),
    (
        "practitioner",
        ["实做的人", "你要照着去做：先看每一步做不做得到，例子是不是真实处境，做完能不能看出对错。"],
        [
            "practitioner",
            "You have to do it: you look first at whether each step can be done, whether the examples are real situations, and whether one can see that it is right.",
        ],
    ),
    (
        "sceptic",
        ["较真的人", "你不轻信：先看每个事实和许诺有没有依据，有没有说过头，少了哪一种反对意见。"],
        [
            "sceptic",
            "You believe nothing easily: you look first at whether each fact and promise has support, what is overstated, and which objection is missing.",
        ],
    ),
];

/// Returns the role of the run with the number `run`, from 1; after the last role, the first judges again.
pub fn role(run: u32, language: Language) -> JudgeRole {
    let place = usize::try_from(run.saturating_sub(1)).unwrap_or(0) % ROLES.len();
    let (name, zh, en) = ROLES[place];
    let [title, view] = if language == Language::Zh { zh } else { en };
    JudgeRole { name: name.into(), title: title.into(), view: view.into() }
}
