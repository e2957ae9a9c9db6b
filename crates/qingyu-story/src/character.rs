//! Characters and their relations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounded::at_most;
use crate::language::{Language, has_any};
use crate::names::fold_word;
use crate::related_pair::RelatedPair;
use crate::relation_kind::RelationKind;
use crate::{predicate, time};

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
    /// The gender, in a word; empty if it does not matter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub gender: String,
    /// How the character looks. Models are not asked for it.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(skip)]
    pub appearance: String,
    /// Fields of the author's own, in the author's order; at most 40. Models are not asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<40, _, _>")]
    #[schemars(skip)]
    pub custom: Vec<CustomField>,
}

/// A field of the author's own on a card, such as 灵根.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CustomField {
    /// The name; at most 40 characters.
    #[serde(deserialize_with = "at_most::<40, _, _>")]
    pub name: String,
    /// The value; at most 1,000 characters.
    #[serde(deserialize_with = "at_most::<1000, _, _>")]
    pub value: String,
}

impl Character {
    /// Takes over the fields that models are not asked for, as far as the card has none.
    pub fn keep_own_fields(&mut self, known: &Self) {
        for (own, known) in [(&mut self.gender, &known.gender), (&mut self.appearance, &known.appearance)] {
            if own.trim().is_empty() {
                own.clone_from(known);
            }
        }
        if self.custom.is_empty() {
            self.custom.clone_from(&known.custom);
        }
    }

    /// Returns whether `name` is the name, the id or another name on the card.
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        !name.is_empty() && [&self.name, &self.id].into_iter().chain(&self.alias).any(|own| own.trim() == name)
    }

    /// Returns whether the gender on the card is male (`true`) or female (`false`); `None` for any other word.
    pub fn is_male(&self) -> Option<bool> {
        let gender = self.gender.trim().to_lowercase();
        match gender.as_str() {
            "male" | "man" | "boy" | "m" => Some(true),
            "female" | "woman" | "girl" | "f" => Some(false),
            _ if gender.starts_with('男') => Some(true),
            _ if gender.starts_with('女') => Some(false),
            _ => None,
        }
    }

    /// Returns whether this character is older than the other, by their births, or else by their ages; `None` if unknown.
    fn is_older_than(&self, other: &Self) -> Option<bool> {
        let birth = |card: &Self| card.birth.as_deref().and_then(|birth| time::parse(birth).moment());
        match (birth(self), birth(other)) {
            (Some(own), Some(other)) if own.is_comparable(&other) => {
                let is_older = own.is_before(&other);
                (is_older || other.is_before(&own)).then_some(is_older)
            }
            _ => self.age.zip(other.age).and_then(|(own, other)| (own != other).then_some(own > other)),
        }
    }

    /// Returns an iterator over the author's own fields that have a name and a value, without space around them.
    pub fn custom_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.custom.iter().map(|field| (field.name.trim(), field.value.trim()));
        fields.filter(|(name, value)| !name.is_empty() && !value.is_empty())
    }
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

/// What one character is to another: `from` is the `type` of `to`. Directed; several per pair are possible.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CharacterRelation {
    /// Given by the studio, such as `r-3`; models may leave it empty.
    pub id: String,
    /// The name of the character whose relation it is.
    pub from: String,
    /// The name of the other.
    pub to: String,
    /// What the first is to the other.
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
    /// The author's own word for what the first is to the other, such as 道侣; shown instead of the kind. Models are not asked for
    /// it.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "at_most::<40, _, _>")]
    #[schemars(skip)]
    pub own_kind: String,
}

impl CharacterRelation {
    /// Returns the relation as a sentence that reads in one direction only, with the author's own word if there is one:
    /// `林深是苏曼的师长`, `Ann to Ben: sworn sister`. The cards of both in `cast` tell their genders and ages.
    pub fn sentence(&self, cast: &[Character], language: Language) -> String {
        let (from, to) = (self.from.trim(), self.to.trim());
        match (self.own_kind.trim(), language) {
            ("", Language::Zh) if self.is_marriage() => format!("{from}和{to}是夫妻"),
            ("", Language::En) if self.is_marriage() => format!("{from} and {to} are married"),
            ("", _) => self.kind.sentence(from, to, self.pair(cast), language),
            (own, Language::Zh) => format!("{from}之于{to}：{own}"),
            (own, Language::En) => format!("{from} to {to}: {own}"),
        }
    }

    /// Returns whether the description says of two people in love that they are married to each other.
    fn is_marriage(&self) -> bool {
        const MARRIED: [&str; 10] = [
            "夫妻",
            "夫妇",
            "配偶",
            "结发",
            "husband and wife",
            "man and wife",
            "married couple",
            "spouse",
            "spouses",
            "married to each other",
        ];
        const NOT: [&str; 15] = [
            "未婚",
            "不是",
            "假",
            "前夫",
            "从前",
            "曾",
            "离婚",
            "离异",
            "former",
            "not",
            "once",
            "divorced",
            "separated",
            "engaged",
            "fake",
        ];
        let says = |words: &[&str]| has_any(&self.description, words);
        self.kind == RelationKind::Lover && says(&MARRIED) && !says(&NOT)
    }

    /// Returns the sexes and the relative age of both people, by their cards in `cast`; for siblings also by the description.
    pub fn pair(&self, cast: &[Character]) -> RelatedPair {
        let cards = [&self.from, &self.to].map(|name| cast.iter().find(|card| card.is_called(name)));
        let is_first_older = match cards {
            [Some(first), Some(second)] => first.is_older_than(second),
            _ => None,
        };
        let pair = RelatedPair::new(cards.map(|card| card.and_then(Character::is_male)), is_first_older);
        if self.kind == RelationKind::Sibling { pair.told_in(&self.description) } else { pair }
    }
}

/// A kind of relation of the author's own, such as 供奉. Facts and relations use its names as their words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OwnRelationKind {
    /// The name, such as `供奉`; at most 40 characters.
    #[serde(deserialize_with = "at_most::<40, _, _>")]
    pub name: String,
    /// The name as seen from the other side, such as `受供于`; empty if there is none. A symmetric kind has none.
    #[serde(deserialize_with = "at_most::<40, _, _>")]
    pub inverse: String,
    /// Whether it holds in both directions.
    pub symmetric: bool,
}

impl OwnRelationKind {
    /// Returns the kind that a word names, and whether the word is its inverse; `None` for words of the vocabulary and all
    /// others.
    pub fn named<'k>(kinds: &'k [Self], word: &str) -> Option<(&'k Self, bool)> {
        if kinds.is_empty() || word.trim().is_empty() || predicate::find(word).is_some() {
            return None;
        }
        let key = fold_word(word);
        kinds.iter().find_map(|kind| match () {
            () if fold_word(&kind.name) == key => Some((kind, false)),
            () if !kind.symmetric && fold_word(&kind.inverse) == key => Some((kind, true)),
            () => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_in_love_who_are_married_are_called_so() {
        let told = |description: &str, language: Language| {
            let relation = CharacterRelation {
                from: "甲".into(),
                to: "乙".into(),
                kind: RelationKind::Lover,
                description: description.into(),
                ..CharacterRelation::default()
            };
            relation.sentence(&[], language)
        };
        for description in ["夫妻", "结发夫妻，一起开当铺"] {
            assert_eq!(told(description, Language::Zh), "甲和乙是夫妻", "{description}");
        }
        for description in ["", "青梅竹马", "未婚夫妻", "不是夫妻", "离婚的夫妻"] {
            assert_eq!(told(description, Language::Zh), "甲和乙是恋人", "{description}");
        }
        assert_eq!(told("husband and wife", Language::En), "甲 and 乙 are married");
        assert_eq!(told("formerly close; once a married couple", Language::En), "甲 and 乙 are lovers");
    }
}
