//! The seeded tables: settings, story shapes, temperaments and names, one set per language.

mod phrases;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use qingyu_story::{Language, RelationKind, RoleType};
use serde::Deserialize;

pub(crate) use phrases::Phrases;

/// Everything of one language.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) settings: Vec<Setting>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) nature: Nature,
    pub(crate) names: Vec<Names>,
    pub(crate) phrases: Phrases,
}

/// A kind of world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) label: String,
    /// Whether it is our everyday world, which needs no worldview.
    #[serde(default)]
    pub(crate) everyday: bool,
    /// The kind of story when the requirement names none.
    pub(crate) shape: String,
    /// Words of a requirement that ask for it.
    pub(crate) words: Vec<String>,
    /// Key of the names people have there.
    pub(crate) names: String,
    /// Years or reigns; a plain year gives dates and births.
    pub(crate) eras: Vec<String>,
    pub(crate) cities: Vec<String>,
    pub(crate) summary: Vec<String>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) places: Places,
    pub(crate) orgs: Vec<Thing>,
    pub(crate) items: Vec<Thing>,
    pub(crate) trades: Trades,
    /// What the pictures of the prose are made of.
    pub(crate) imagery: String,
}

/// A rule of a world and what it costs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) limit: String,
}

/// A named thing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thing {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Thing {
    /// The name without the article that it takes in a sentence.
    pub(crate) fn bare_name(&self) -> &str {
        self.name.strip_prefix("the ").unwrap_or(&self.name)
    }
}

/// Places by what a story does there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Places {
    pub(crate) base: Vec<Thing>,
    pub(crate) scene: Vec<Thing>,
    pub(crate) street: Vec<Thing>,
    pub(crate) power: Vec<Thing>,
    pub(crate) hidden: Vec<Thing>,
    pub(crate) last: Vec<Thing>,
}

impl Places {
    /// The kinds in the order in which a worldview lists its places.
    pub(crate) fn kinds(&self) -> [(&'static str, &[Thing]); 6] {
        [
            ("base", &self.base),
            ("scene", &self.scene),
            ("street", &self.street),
            ("power", &self.power),
            ("hidden", &self.hidden),
            ("last", &self.last),
        ]
    }
}

/// Trades by standing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trades {
    pub(crate) power: Vec<String>,
    pub(crate) street: Vec<String>,
    pub(crate) craft: Vec<String>,
    pub(crate) plain: Vec<String>,
}

impl Trades {
    pub(crate) fn of(&self, standing: Standing) -> &[String] {
        match standing {
            Standing::Power => &self.power,
            Standing::Street => &self.street,
            Standing::Craft => &self.craft,
            Standing::Plain => &self.plain,
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (Standing, &String)> {
        let standings = [Standing::Power, Standing::Street, Standing::Craft, Standing::Plain];
        standings.into_iter().flat_map(|standing| self.of(standing).iter().map(move |trade| (standing, trade)))
    }
}

/// Where somebody stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    Power,
    Street,
    Craft,
    Plain,
}

/// A kind of story: its parts, cases, acts and chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) words: Vec<String>,
    /// The setting when the requirement names none.
    pub(crate) setting: String,
    /// The structure in a word, such as `三幕`.
    pub(crate) structure: String,
    /// The fewest and the most days between two chapters.
    #[serde(default = "a_few_days")]
    pub(crate) pace: (i32, i32),
    pub(crate) titles: Vec<String>,
    pub(crate) summary: String,
    pub(crate) hero: Hero,
    pub(crate) style: Style,
    #[serde(rename = "act")]
    pub(crate) acts: Vec<Act>,
    #[serde(rename = "role")]
    pub(crate) roles: Vec<Part>,
    /// What is between others than the protagonist.
    #[serde(rename = "link", default)]
    pub(crate) links: Vec<Link>,
    #[serde(rename = "case")]
    pub(crate) cases: Vec<Case>,
    #[serde(rename = "chapter")]
    pub(crate) chapters: Vec<Chapter>,
    #[serde(rename = "extra")]
    pub(crate) extras: Vec<Chapter>,
}

fn a_few_days() -> (i32, i32) {
    (1, 3)
}

impl Shape {
    /// Who has the item of that number at the beginning: the part that says so, then the first craftsperson.
    pub(crate) fn keeper(&self, item: usize) -> Option<&Part> {
        let mut others = self.roles.iter().filter(|part| !part.holder && !part.spare);
        match item {
            0 => self.roles.iter().find(|part| part.holder),
            1 => others.clone().find(|part| part.standing == Standing::Craft).or_else(|| others.next()),
            _ => None,
        }
    }
}

/// What the protagonist of a kind of story wants and risks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hero {
    pub(crate) trades: Vec<String>,
    pub(crate) goal: String,
    pub(crate) conflict: String,
    pub(crate) arc: String,
}

/// How a kind of story is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Style {
    pub(crate) view: String,
    pub(crate) tone: String,
    pub(crate) rhythm: String,
    pub(crate) dialogue: String,
    pub(crate) rules: Vec<String>,
    pub(crate) taboos: Vec<String>,
}

/// A part of the story that holds chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) goal: String,
}

/// A part to be played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    pub(crate) key: String,
    #[serde(rename = "type")]
    pub(crate) role_type: RoleType,
    pub(crate) standing: Standing,
    /// What the protagonist and this person are to each other, seen from the protagonist.
    pub(crate) kind: RelationKind,
    pub(crate) relation: String,
    pub(crate) goal: String,
    pub(crate) conflict: String,
    pub(crate) arc: String,
    /// Whether this person has the key item at the beginning.
    #[serde(default)]
    pub(crate) holder: bool,
    /// Whether only the cast may need this person.
    #[serde(default)]
    pub(crate) spare: bool,
}

/// What one part is to another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: RelationKind,
    pub(crate) text: String,
}

/// What a story is about in particular: slots for its chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// Words of a requirement that ask for this case.
    pub(crate) words: Vec<String>,
    /// Keys of the settings it belongs to; empty if it can happen anywhere.
    #[serde(default)]
    pub(crate) settings: Vec<String>,
    /// Whether it is told only when asked for.
    #[serde(default)]
    pub(crate) only_asked: bool,
    pub(crate) slots: BTreeMap<String, String>,
}

/// A chapter with one or more ways to begin it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chapter {
    /// The act it belongs to, from 0; extras take the act they are put in.
    #[serde(default)]
    pub(crate) act: usize,
    pub(crate) place: String,
    pub(crate) name: Vec<String>,
    pub(crate) text: Vec<String>,
    pub(crate) goal: String,
    #[serde(default)]
    pub(crate) plants: Vec<String>,
    #[serde(default)]
    pub(crate) pays: Vec<String>,
    /// Whether a short outline can do without it.
    #[serde(default)]
    pub(crate) optional: bool,
}

/// What people are like, whatever the story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nature {
    pub(crate) tempers: Vec<Temper>,
    pub(crate) wounds: Vec<String>,
    pub(crate) secrets: Vec<String>,
    pub(crate) contradictions: Vec<String>,
}

/// A temperament with the weakness that comes with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Temper {
    pub(crate) traits: Vec<String>,
    pub(crate) weakness: String,
    pub(crate) text: String,
}

/// The names of a culture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    pub(crate) key: String,
    /// Whether the family name comes first.
    #[serde(default)]
    pub(crate) family_first: bool,
    /// What stands between the parts of a name.
    #[serde(default)]
    pub(crate) between: String,
    pub(crate) family: Vec<String>,
    pub(crate) female: Vec<String>,
    pub(crate) male: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NamesFile {
    culture: Vec<Names>,
}

macro_rules! tables {
    ($language:literal, settings: [$($setting:literal),*], shapes: [$($shape:literal),*]) => {
        Tables {
            settings: vec![$(parse(include_str!(concat!("tables/", $language, "/setting-", $setting, ".toml")))),*],
            shapes: vec![$(parse(include_str!(concat!("tables/", $language, "/shape-", $shape, ".toml")))),*],
            phrases: parse(include_str!(concat!("tables/", $language, "/phrases.toml"))),
            nature: parse(include_str!(concat!("tables/", $language, "/nature.toml"))),
            names: parse::<NamesFile>(include_str!(concat!("tables/", $language, "/names.toml"))).culture,
        }
    };
}

impl Tables {
    /// The tables of `language`, read once.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ZH: OnceLock<Tables> = OnceLock::new();
        static EN: OnceLock<Tables> = OnceLock::new();
        match language {
            Language::Zh => ZH.get_or_init(|| {
                tables!("zh",
                    settings: ["cyberpunk", "space", "xianxia", "wuxia", "imperial", "republic", "city", "campus",
                               "village", "wasteland", "fantasy", "war"],
                    shapes: ["mystery", "romance", "quest", "rise", "revenge", "horror", "survival", "heist", "growth"])
            }),
            Language::En => EN.get_or_init(|| {
                tables!("en",
                    settings: ["cyberpunk", "space", "fantasy", "western", "victorian", "noir", "city", "campus",
                               "village", "wasteland", "war", "court"],
                    shapes: ["mystery", "romance", "quest", "rise", "revenge", "horror", "survival", "heist", "growth"])
            }),
        }
    }

    pub(crate) fn setting(&self, key: &str) -> &Setting {
        self.settings.iter().find(|setting| setting.key == key).unwrap_or(&self.settings[0])
    }

    pub(crate) fn shape(&self, key: &str) -> &Shape {
        self.shapes.iter().find(|shape| shape.key == key).unwrap_or(&self.shapes[0])
    }

    pub(crate) fn names(&self, key: &str) -> &Names {
        self.names.iter().find(|names| names.key == key).unwrap_or(&self.names[0])
    }
}

fn parse<T: for<'de> Deserialize<'de>>(text: &'static str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("a table compiled in does not parse: {error}"))
}

#[cfg(test)]
mod tests;
