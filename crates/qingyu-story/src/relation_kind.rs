//! The kinds of relations between characters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Language;
use crate::names::fold_word;
use crate::related_pair::RelatedPair;

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
        let name = bare(&fold_word(name));
        Self::ALL.into_iter().find(|kind| bare(kind.name()) == name)
    }

    /// Returns the kind as a word for a reader: 盟友, or `ally`; of `ParentOf` 父母, or `parent of`.
    pub fn shown(self, language: Language) -> String {
        let (name, chinese) = self.words();
        match language {
            Language::Zh => chinese.to_owned(),
            Language::En => name.replace('_', " "),
        }
    }

    /// Returns the kind as what one person is to another, by that person's gender (`is_male`, as the card
    /// of a character tells it): 父亲, 母亲, without a gender 父母之一; otherwise as
    /// [`shown`](Self::shown).
    pub fn of_one(self, is_male: Option<bool>, language: Language) -> String {
        let word = match (self, language, is_male) {
            (Self::ParentOf, Language::Zh, Some(true)) => "父亲",
            (Self::ParentOf, Language::Zh, Some(false)) => "母亲",
            (Self::ParentOf, Language::Zh, None) => "父母之一",
            (Self::ChildOf, Language::Zh, Some(true)) => "儿子",
            (Self::ChildOf, Language::Zh, Some(false)) => "女儿",
            _ => return self.shown(language),
        };
        word.to_owned()
    }

    /// Returns what `from` is to `to` as a sentence that reads in one direction only: `林深是苏曼的师长`, `Ann is Ben's
    /// teacher`, `Ann and Ben are friends`. `pair` gives the sexes of `from` and `to`, and which is older.
    pub fn sentence(self, from: &str, to: &str, pair: RelatedPair, language: Language) -> String {
        if language == Language::Zh {
            return match self {
                Self::Sibling => pair.siblings(from, to, language),
                Self::Knows => format!("{from}和{to}相识"),
                kind if kind.inverse() == kind => format!("{from}和{to}是{}", kind.shown(language)),
                kind => format!("{from}是{to}的{}", kind.of_one(pair.are_male[0], language)),
            };
        }
        let word = match self {
            Self::Knows => return format!("{from} and {to} know each other"),
            Self::Friend => return format!("{from} and {to} are friends"),
            Self::Enemy => return format!("{from} and {to} are enemies"),
            Self::Family => return format!("{from} and {to} are family"),
            Self::Lover => return format!("{from} and {to} are lovers"),
            Self::Rival => return format!("{from} and {to} are rivals"),
            Self::Ally => return format!("{from} and {to} work together"),
            Self::Sibling => return pair.siblings(from, to, language),
            Self::ParentOf => "parent",
            Self::ChildOf => "child",
            Self::MentorOf => "teacher",
            Self::StudentOf => "pupil",
            Self::EmployerOf => "employer",
            Self::EmployeeOf => "employee",
        };
        format!("{from} is {to}'s {word}")
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Knows => ("knows", "熟人"),
            Self::Friend => ("friend", "朋友"),
            Self::Enemy => ("enemy", "敌人"),
            Self::Family => ("family", "家人"),
            Self::Lover => ("lover", "恋人"),
            Self::Rival => ("rival", "对手"),
            Self::Ally => ("ally", "盟友"),
            Self::Sibling => ("sibling", "兄弟姐妹"),
            Self::ParentOf => ("parent_of", "父母"),
            Self::ChildOf => ("child_of", "子女"),
            Self::MentorOf => ("mentor_of", "师长"),
            Self::StudentOf => ("student_of", "弟子"),
            Self::EmployerOf => ("employer_of", "上司"),
            Self::EmployeeOf => ("employee_of", "手下"),
        }
    }

    /// Returns whether the relation is one between relatives.
    pub fn is_kinship(self) -> bool {
        matches!(self, Self::Family | Self::Sibling | Self::ParentOf | Self::ChildOf)
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
