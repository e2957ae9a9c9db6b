//! The seeded tables: settings, story shapes, temperaments and names, one set per language.

mod phrases;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use qingyu_story::{Language, RelationKind, RoleType};
use serde::Deserialize;

pub(crate) use phrases::Phrases;

/// The tables of a language.
#[derive(Debug)]
pub(crate) struct LanguageTables {
    pub(crate) settings: Vec<SettingTable>,
    pub(crate) shapes: Vec<StoryShape>,
    pub(crate) nature: CharacterNature,
    pub(crate) names: Vec<NameTable>,
    pub(crate) phrases: Phrases,
    pub(crate) levels: LevelTable,
}

/// Volumes, arcs and chapters of long books, for any kind of story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LevelTable {
    pub(crate) volume_price: Vec<String>,
    pub(crate) volume_reveals: Vec<String>,
    pub(crate) volume_opposition: String,
    /// The title of a volume after another of the same act.
    pub(crate) volume_continues: String,
    pub(crate) book_rhythm: String,
    /// The functions of arcs, in order.
    #[serde(rename = "function")]
    pub(crate) functions: Vec<ArcTemplate>,
    #[serde(rename = "beat")]
    pub(crate) beats: Vec<BeatTemplate>,
}

/// An arc with its function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArcTemplate {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) hook: String,
    pub(crate) turns: Vec<String>,
    pub(crate) payoff: String,
}

/// A chapter of an arc.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BeatTemplate {
    pub(crate) phase: BeatPhase,
    pub(crate) place: String,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) goal: String,
    pub(crate) hook: String,
}

/// The part of an arc that a chapter fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BeatPhase {
    Open,
    Middle,
    Close,
}

impl LevelTable {
    /// Returns the chapters for a part of an arc.
    pub(crate) fn of_phase(&self, phase: BeatPhase) -> Vec<&BeatTemplate> {
        self.beats.iter().filter(|beat| beat.phase == phase).collect()
    }
}

/// A kind of world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingTable {
    pub(crate) key: String,
    pub(crate) label: String,
    /// Whether the world is our everyday world, without a worldview.
    #[serde(default)]
    pub(crate) everyday: bool,
    /// The default kind of story.
    pub(crate) shape: String,
    /// Words of a requirement for the setting.
    pub(crate) words: Vec<String>,
    /// Key of the names of people.
    pub(crate) names: String,
    /// Years or reigns; a plain year determines dates and births.
    pub(crate) eras: Vec<String>,
    pub(crate) cities: Vec<String>,
    pub(crate) summary: Vec<String>,
    pub(crate) rules: Vec<RuleTemplate>,
    pub(crate) places: PlaceTable,
    pub(crate) orgs: Vec<ThingNoun>,
    pub(crate) items: Vec<ThingNoun>,
    pub(crate) trades: Trades,
    /// The source of imagery in prose.
    pub(crate) imagery: String,
}

/// A rule of a world, with its cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleTemplate {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) limit: String,
}

/// A named thing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThingNoun {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl ThingNoun {
    /// Returns the name without its article.
    pub(crate) fn bare_name(&self) -> &str {
        self.name.strip_prefix("the ").unwrap_or(&self.name)
    }
}

/// Places by their function in a story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceTable {
    pub(crate) base: Vec<ThingNoun>,
    pub(crate) scene: Vec<ThingNoun>,
    pub(crate) street: Vec<ThingNoun>,
    pub(crate) power: Vec<ThingNoun>,
    pub(crate) hidden: Vec<ThingNoun>,
    pub(crate) last: Vec<ThingNoun>,
}

impl PlaceTable {
    /// Returns the kinds of places in the order of a worldview.
    pub(crate) fn kinds(&self) -> [(&'static str, &[ThingNoun]); 6] {
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
    pub(crate) fn of(&self, standing: SocialStanding) -> &[String] {
        match standing {
            SocialStanding::Power => &self.power,
            SocialStanding::Street => &self.street,
            SocialStanding::Craft => &self.craft,
            SocialStanding::Plain => &self.plain,
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (SocialStanding, &String)> {
        let standings = [SocialStanding::Power, SocialStanding::Street, SocialStanding::Craft, SocialStanding::Plain];
        standings.into_iter().flat_map(|standing| self.of(standing).iter().map(move |trade| (standing, trade)))
    }
}

/// The social standing of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SocialStanding {
    Power,
    Street,
    Craft,
    Plain,
}

/// A kind of story: its parts, cases, acts and chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoryShape {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) words: Vec<String>,
    /// The default setting.
    pub(crate) setting: String,
    /// The structure in a word, such as `三幕`.
    pub(crate) structure: String,
    /// Minimum and maximum number of days between two chapters.
    #[serde(default = "a_few_days")]
    pub(crate) pace: (i32, i32),
    pub(crate) titles: Vec<String>,
    pub(crate) summary: String,
    pub(crate) hero: Hero,
    pub(crate) style: GenreStyle,
    #[serde(rename = "act")]
    pub(crate) acts: Vec<ActTemplate>,
    #[serde(rename = "role")]
    pub(crate) roles: Vec<CastPart>,
    /// The links between parts, without the protagonist.
    #[serde(rename = "link", default)]
    pub(crate) links: Vec<PartLink>,
    #[serde(rename = "case")]
    pub(crate) cases: Vec<CaseTemplate>,
    #[serde(rename = "chapter")]
    pub(crate) chapters: Vec<ChapterTemplate>,
    #[serde(rename = "extra")]
    pub(crate) extras: Vec<ChapterTemplate>,
}

fn a_few_days() -> (i32, i32) {
    (1, 3)
}

impl StoryShape {
    /// Returns the initial holder of an item by number: the part marked as holder, by default the first craftsperson.
    pub(crate) fn keeper(&self, item: usize) -> Option<&CastPart> {
        let mut others = self.roles.iter().filter(|part| !part.holder && !part.spare);
        match item {
            0 => self.roles.iter().find(|part| part.holder),
            1 => others.clone().find(|part| part.standing == SocialStanding::Craft).or_else(|| others.next()),
            _ => None,
        }
    }
}

/// The goal and stakes of the protagonist in a kind of story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hero {
    pub(crate) trades: Vec<String>,
    pub(crate) goal: String,
    pub(crate) conflict: String,
    pub(crate) arc: String,
}

/// The style of a kind of story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GenreStyle {
    pub(crate) view: String,
    pub(crate) tone: String,
    pub(crate) rhythm: String,
    pub(crate) dialogue: String,
    pub(crate) rules: Vec<String>,
    pub(crate) taboos: Vec<String>,
}

/// An act of the story, with chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActTemplate {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) goal: String,
}

/// A part to be cast.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CastPart {
    pub(crate) key: String,
    #[serde(rename = "type")]
    pub(crate) role_type: RoleType,
    pub(crate) standing: SocialStanding,
    /// The relation to the protagonist, as seen by the protagonist.
    pub(crate) kind: RelationKind,
    pub(crate) relation: String,
    pub(crate) goal: String,
    pub(crate) conflict: String,
    pub(crate) arc: String,
    /// Whether the person holds the key item at the beginning.
    #[serde(default)]
    pub(crate) holder: bool,
    /// Whether only the cast may need the person.
    #[serde(default)]
    pub(crate) spare: bool,
}

/// The relation between two parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartLink {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: RelationKind,
    pub(crate) text: String,
}

/// The particular subject of a story: slots for its chapters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseTemplate {
    /// Words of a requirement for the case.
    pub(crate) words: Vec<String>,
    /// Keys of the possible settings; by default any setting.
    #[serde(default)]
    pub(crate) settings: Vec<String>,
    /// Whether the case is used only on request.
    #[serde(default)]
    pub(crate) only_asked: bool,
    pub(crate) slots: BTreeMap<String, String>,
}

/// A chapter with alternative beginnings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChapterTemplate {
    /// The act, from 0; for extras overridden by the act of insertion.
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
    /// Whether a short outline can omit the chapter.
    #[serde(default)]
    pub(crate) optional: bool,
}

/// Traits of people in any kind of story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CharacterNature {
    pub(crate) tempers: Vec<CharacterTemper>,
    pub(crate) wounds: Vec<String>,
    pub(crate) secrets: Vec<String>,
    pub(crate) contradictions: Vec<String>,
}

/// A temperament with its weakness.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CharacterTemper {
    pub(crate) traits: Vec<String>,
    pub(crate) weakness: String,
    pub(crate) text: String,
}

/// The names of a culture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameTable {
    pub(crate) key: String,
    /// Whether the family name comes first.
    #[serde(default)]
    pub(crate) family_first: bool,
    /// The separator between the parts of a name.
    #[serde(default)]
    pub(crate) between: String,
    pub(crate) family: Vec<String>,
    pub(crate) female: Vec<String>,
    pub(crate) male: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NamesFile {
    culture: Vec<NameTable>,
}

macro_rules! tables {
    ($language:literal, settings: [$($setting:literal),*], shapes: [$($shape:literal),*]) => {
        LanguageTables {
            settings: vec![$(parse(include_str!(concat!("tables/", $language, "/setting-", $setting, ".toml")))),*],
            shapes: vec![$(parse(include_str!(concat!("tables/", $language, "/shape-", $shape, ".toml")))),*],
            phrases: parse(include_str!(concat!("tables/", $language, "/phrases.toml"))),
            nature: parse(include_str!(concat!("tables/", $language, "/nature.toml"))),
            levels: parse(include_str!(concat!("tables/", $language, "/levels.toml"))),
            names: parse::<NamesFile>(include_str!(concat!("tables/", $language, "/names.toml"))).culture,
        }
    };
}

impl LanguageTables {
    /// Returns the tables of `language`, parsed once.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ZH: OnceLock<LanguageTables> = OnceLock::new();
        static EN: OnceLock<LanguageTables> = OnceLock::new();
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

    pub(crate) fn setting(&self, key: &str) -> &SettingTable {
        self.settings.iter().find(|setting| setting.key == key).unwrap_or(&self.settings[0])
    }

    pub(crate) fn shape(&self, key: &str) -> &StoryShape {
        self.shapes.iter().find(|shape| shape.key == key).unwrap_or(&self.shapes[0])
    }

    pub(crate) fn names(&self, key: &str) -> &NameTable {
        self.names.iter().find(|names| names.key == key).unwrap_or(&self.names[0])
    }
}

fn parse<T: for<'de> Deserialize<'de>>(text: &'static str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("a table compiled in does not parse: {error}"))
}

#[cfg(test)]
mod tests;
