//! Characters and their relations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Language;

/// A character card.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Character {
    /// Given by the studio, such as `c-3`; models may leave it empty.
    pub id: String,
    /// The full name; unique in a story.
    pub name: String,
    /// Other names: nickname, title, alias.
    pub alias: Vec<String>,
    /// The part in the story.
    pub role_type: RoleType,
    /// Years of age at the story's beginning, if known.
    pub age: Option<i32>,
    /// The year or date of birth in the story's calendar, such as `2045` or `2045-03-01`, if known.
    pub birth: Option<String>,
    /// The year or date of death in the story's calendar, if the character dies before or during it.
    pub death: Option<String>,
    /// Trade or standing.
    pub occupation: String,
    /// Traits, a word or two each.
    pub traits: Vec<String>,
    /// The weakness that can cost something.
    pub weakness: String,
    /// How the character is.
    pub personality: String,
    /// What came before.
    pub background: String,
    /// What the character wants.
    pub goals: String,
    /// What stands against it, inside and outside.
    pub conflicts: String,
    /// How the character changes.
    pub arc: String,
    /// What the character hides, or does not know of itself; empty if nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub secret: String,
    /// The outline node before which the reader must not learn the secret; none if it may come out at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_until: Option<String>,
    /// Lines that the character says or could say, so that every writer hears the same voice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub voice: Vec<String>,
}

/// The part of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleType {
    /// The story is theirs.
    Protagonist,
    /// Stands against the protagonist.
    Antagonist,
    /// Carries a line of the story.
    #[default]
    Supporting,
    /// Appears.
    Minor,
}

/// What one character is to another. Directed; several per pair are possible.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CharacterRelation {
    /// Given by the studio, such as `r-3`; models may leave it empty.
    pub id: String,
    /// The name of the character whose relation it is.
    pub from: String,
    /// The name of the other.
    pub to: String,
    /// What the other is to them.
    #[serde(rename = "type")]
    pub kind: RelationKind,
    /// How strong, from 0 to 1.
    pub strength: f64,
    /// In a sentence.
    pub description: String,
    /// The outline node from which it holds, if not from the beginning.
    pub since: Option<String>,
    /// The outline node at which it ends, if it does.
    pub until: Option<String>,
}

/// What one character is to another. The first eight are the same in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// Know each other.
    #[default]
    Knows,
    /// Friends.
    Friend,
    /// Enemies.
    Enemy,
    /// Of one family.
    Family,
    /// Lovers.
    Lover,
    /// Rivals.
    Rival,
    /// Colleagues or allies.
    Ally,
    /// Siblings.
    Sibling,
    /// `to` is the child of `from`.
    ParentOf,
    /// `to` is the parent of `from`.
    ChildOf,
    /// `to` learns from `from`.
    MentorOf,
    /// `to` teaches `from`.
    StudentOf,
    /// `to` works for `from`.
    EmployerOf,
    /// `to` employs `from`.
    EmployeeOf,
}

impl RelationKind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Knows,
        Self::Friend,
        Self::Enemy,
        Self::Family,
        Self::Lover,
        Self::Rival,
        Self::Ally,
        Self::Sibling,
        Self::ParentOf,
        Self::ChildOf,
        Self::MentorOf,
        Self::StudentOf,
        Self::EmployerOf,
        Self::EmployeeOf,
    ];

    /// Returns the name in JSON, such as `parent_of`.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// Returns the kind with the name; also with the name of such a fact: `ally_of`, `mentor`. `None` for other words.
    pub fn named(name: &str) -> Option<Self> {
        let bare = |name: &str| name.trim_end_matches("_of").to_owned();
        let name = bare(&crate::predicate::key(name));
        Self::ALL.into_iter().find(|kind| bare(kind.name()) == name)
    }

    /// Returns the kind as a word for a reader: 同伴, or `ally`; of `ParentOf` 父母, or `parent of`.
    pub fn shown(self, language: Language) -> String {
        let (name, chinese) = self.words();
        match language {
            Language::Zh => chinese.to_owned(),
            Language::En => name.replace('_', " "),
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Knows => ("knows", "熟人"),
            Self::Friend => ("friend", "朋友"),
            Self::Enemy => ("enemy", "敌人"),
            Self::Family => ("family", "家人"),
            Self::Lover => ("lover", "恋人"),
            Self::Rival => ("rival", "对手"),
            Self::Ally => ("ally", "同伴"),
            Self::Sibling => ("sibling", "兄弟姐妹"),
            Self::ParentOf => ("parent_of", "父母"),
            Self::ChildOf => ("child_of", "子女"),
            Self::MentorOf => ("mentor_of", "师父"),
            Self::StudentOf => ("student_of", "徒弟"),
            Self::EmployerOf => ("employer_of", "上司"),
            Self::EmployeeOf => ("employee_of", "手下"),
        }
    }

    /// Returns the relation as seen from the other character.
    pub fn inverse(self) -> Self {
        match self {
            Self::ParentOf => Self::ChildOf,
            Self::ChildOf => Self::ParentOf,
            Self::MentorOf => Self::StudentOf,
            Self::StudentOf => Self::MentorOf,
            Self::EmployerOf => Self::EmployeeOf,
            Self::EmployeeOf => Self::EmployerOf,
            same => same,
        }
    }
}
