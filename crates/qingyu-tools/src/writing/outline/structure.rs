//! The predefined outline structures.

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::texts::text;

/// A structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StructureType {
    ThreeAct,
    HeroJourney,
    Custom,
}

/// A beat of a structure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Beat {
    /// The title of the chapter.
    pub(super) name: String,
    /// What it must achieve; may use {protagonist}, {antagonist}, {want}, {conflict} and {weakness}.
    pub(super) goal: String,
    /// The act it belongs to, by name; none if the structure has no acts.
    pub(super) act: Option<String>,
    /// Whether the story's height is here.
    pub(super) climax: bool,
}

/// The beats of the three acts, by the keys of their texts; climax beats are marked.
const THREE_ACT: [(&str, &[(&str, bool)]); 3] = [
    ("act.setup", &[("three_act.opening", false), ("three_act.inciting", false), ("three_act.first_turn", false)]),
    (
        "act.confrontation",
        &[("three_act.rising", false), ("three_act.midpoint", false), ("three_act.low_point", false)],
    ),
    ("act.resolution", &[("three_act.climax", true), ("three_act.ending", false)]),
];

const HERO_JOURNEY: [(&str, &[(&str, bool)]); 3] = [
    (
        "act.departure",
        &[
            ("hero.ordinary_world", false),
            ("hero.call", false),
            ("hero.refusal", false),
            ("hero.mentor", false),
            ("hero.threshold", false),
        ],
    ),
    (
        "act.initiation",
        &[("hero.trials", false), ("hero.approach", false), ("hero.ordeal", false), ("hero.reward", false)],
    ),
    ("act.return", &[("hero.road_back", false), ("hero.resurrection", true), ("hero.elixir", false)]),
];

/// Returns the beats of a structure, in order; for a custom structure the given beats.
pub(super) fn beats(structure: StructureType, own: Vec<Beat>, language: Language) -> Vec<Beat> {
    let table = match structure {
        StructureType::ThreeAct => &THREE_ACT,
        StructureType::HeroJourney => &HERO_JOURNEY,
        StructureType::Custom => return own,
    };
    let of_act = |(act, beats): &(&str, &'static [(&str, bool)])| {
        let act = text(language, act).to_owned();
        beats.iter().map(move |(key, climax)| Beat {
            name: text(language, key).to_owned(),
            goal: text(language, &format!("{key}.goal")).to_owned(),
            act: Some(act.clone()),
            climax: *climax,
        })
    };
    table.iter().flat_map(of_act).collect()
}
