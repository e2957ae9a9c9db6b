//! What is known of the models of the providers: their limits, abilities, prices and retirements.
//!
//! The rows are `data/models.toml`, which `make models-catalogue` makes. A model that is not listed is taken for one like the
//! newest of its family, except for its price.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use serde::Deserialize;

use crate::provider::OutputMode;
use crate::{Effort, price::Price};

/// The rows that every build knows.
const BUILT_IN: &str = include_str!("../data/models.toml");

/// Numbers from this one up are dates in the names of models, such as 20250929 or 260915, and no versions.
const DATES: u64 = 100_000;

/// The models that every build knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// When the rows were last changed; their prices are those of that day.
    pub date: Date,
    models: BTreeMap<String, KnownModel>,
}

/// What is known of one model.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownModel {
    /// Tokens of a request and its answer together.
    pub context: Option<u64>,
    /// The most tokens of an answer, thinking included.
    pub answer: Option<u32>,
    /// The strictest way in which it can be given a schema; as its provider's row says when absent.
    pub output: Option<OutputMode>,
    /// Whether it thinks before it answers; absent for models that never do.
    pub thinking: Option<Thinking>,
    /// The levels of effort it takes, such as `low`, in no order.
    #[serde(default)]
    pub efforts: Vec<String>,
    /// Whether it decides by itself how long it thinks, and takes no budget for that.
    #[serde(default)]
    pub adaptive: bool,
    /// Whether a temperature may be sent; yes when absent.
    pub sampling: Option<bool>,
    /// Whether it can be made to call a tool; yes when absent.
    pub forced_tools: Option<bool>,
    /// Whether its provider keeps the beginnings of prompts.
    #[serde(default)]
    pub caching: bool,
    /// From this day on requests for it are refused.
    pub retires: Option<Date>,
    /// What it costs; absent if nobody says.
    pub price: Option<Price>,
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinking {
    /// It cannot be kept from it.
    Always,
    /// Unless it is switched off.
    On,
    /// Only when it is switched on.
    Off,
}

impl KnownModel {
    /// Whether its provider refuses it on `day`.
    pub fn is_retired(&self, day: Date) -> bool {
        self.retires.is_some_and(|retires| retires <= day)
    }

    /// The level that comes nearest to `effort`, the higher of two; `None` if it takes no levels.
    pub fn level(&self, effort: Effort) -> Option<&str> {
        let distance = |level: &&String| {
            let rank = rank_of_level(level);
            (rank.abs_diff(effort.rank()), Reverse(rank))
        };
        self.efforts.iter().min_by_key(distance).map(String::as_str)
    }
}

/// The place of a provider's level among all of them.
fn rank_of_level(level: &str) -> usize {
    const LEVELS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
    LEVELS.iter().position(|known| *known == level).unwrap_or(LEVELS.len())
}

impl Catalogue {
    /// The rows that come with the program.
    pub fn built_in() -> &'static Self {
        static CATALOGUE: LazyLock<Catalogue> =
            LazyLock::new(|| toml::from_str(BUILT_IN).expect("data/models.toml is tested"));
        &CATALOGUE
    }

    /// What is known of `model`, named `provider/model`; a name with a date of release is also found without it.
    pub fn get(&self, model: &str) -> Option<&KnownModel> {
        self.models.get(model).or_else(|| self.models.get(undated(model)?))
    }

    /// What `model` of `provider` can probably do: what is known of it, else of the newest of its family.
    pub fn abilities(&self, provider: &str, model: &str) -> Option<&KnownModel> {
        let known = || self.get(&format!("{provider}/{model}"));
        let relative = || {
            let family = family(model);
            let members = self.of_provider(provider).filter(|name| family_matches(&family, name));
            let newest = members.max_by_key(|name| version(name))?;
            self.get(&format!("{provider}/{newest}"))
        };
        known().or_else(relative)
    }

    /// The models of `provider`, without its name before them.
    pub fn of_provider<'a>(&'a self, provider: &'a str) -> impl Iterator<Item = &'a str> {
        self.models.keys().filter_map(move |name| name.strip_prefix(provider)?.strip_prefix('/'))
    }

    /// All models by their full names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &KnownModel)> {
        self.models.iter().map(|(name, model)| (name.as_str(), model))
    }
}

/// The newest of `names` that has the shape of `pattern`, in which `*` stands for a version: digits, dots and dashes. Letters
/// match in either case.
pub fn newest<'a>(names: impl IntoIterator<Item = &'a str>, pattern: &str) -> Option<&'a str> {
    let fitting = names.into_iter().filter(|name| has_shape(pattern, name));
    fitting.max_by_key(|name| version(name))
}

/// Versions before dates; of two with the same version the one with the shorter name, then the one with the later date.
type Version = (Vec<u64>, Reverse<usize>, Vec<u64>);

fn version(name: &str) -> Version {
    let numbers: Vec<u64> =
        name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    let short = numbers.iter().copied().filter(|number| *number < DATES).collect();
    (short, Reverse(name.len()), numbers)
}

fn has_shape(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    let parts: Vec<&str> = pattern.split('*').collect();
    fits(&parts, &name)
}

/// Whether `name` is the parts with a version between each two of them.
fn fits(parts: &[&str], name: &str) -> bool {
    let [first, others @ ..] = parts else { return name.is_empty() };
    let Some(rest) = name.strip_prefix(first) else { return false };
    if others.is_empty() {
        return rest.is_empty();
    }
    let longest = rest.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')).count();
    (1..=longest).rev().any(|length| fits(others, &rest[length..]))
}

/// The name of a model without what a version is: `claude-sonnet` of `claude-sonnet-5-5`.
fn family(model: &str) -> Vec<String> {
    let words = model.split(['-', '.', '_', ':']).map(|word| word.trim_matches(|c: char| c.is_ascii_digit()));
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

fn family_matches(wanted: &[String], name: &str) -> bool {
    !wanted.is_empty() && family(name) == wanted
}

/// The name without the date that it ends with, such as `-20260929`, `-260915` or `-2026-09-29`; `None` if it ends with none.
pub(crate) fn undated(name: &str) -> Option<&str> {
    let is_number =
        |part: &str, lengths: &[usize]| lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let (before, last) = name.rsplit_once('-')?;
    if is_number(last, &[6, 8]) {
        return Some(before);
    }
    let (before, month) = before.rsplit_once('-')?;
    let (before, year) = before.rsplit_once('-')?;
    (is_number(last, &[2]) && is_number(month, &[2]) && is_number(year, &[4])).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_whole() {
        let catalogue = Catalogue::built_in();
        assert!(catalogue.iter().count() > 100);
        for (name, model) in catalogue.iter() {
            assert!(name.contains('/') || name == "offline-rules-1", "{name}");
            let (context, answer) = (model.context.unwrap_or(u64::MAX), model.answer.unwrap_or(1));
            assert!(u64::from(answer) <= context, "{name}");
            if let Some(price) = &model.price {
                assert!(price.is_valid(), "{name}");
            }
        }
    }

    #[test]
    fn the_newest_of_a_family_is_found() {
        let names = [
            "claude-sonnet-4-5-20250929",
            "claude-sonnet-4-6",
            "claude-sonnet-5",
            "claude-sonnet-5-5",
            "gpt-6-sol",
            "gpt-6.1-sol",
            "gpt-5.6-luna",
            "glm-5.3",
            "glm-5.3-flash",
            "doubao-seed-2-1-pro-260628",
            "doubao-seed-2-1-pro-260915",
        ];
        for (pattern, expected) in [
            ("claude-sonnet-*", Some("claude-sonnet-5-5")),
            ("claude-sonnet-4-*", Some("claude-sonnet-4-6")),
            ("gpt-*-sol", Some("gpt-6.1-sol")),
            ("GLM-*", Some("glm-5.3")),
            ("glm-*-flash", Some("glm-5.3-flash")),
            ("doubao-seed-*-pro-*", Some("doubao-seed-2-1-pro-260915")),
            ("glm-5.3", Some("glm-5.3")),
            ("glm-", None),
            ("glm*-air", None),
        ] {
            assert_eq!(newest(names, pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn a_model_that_is_newer_than_the_catalogue_is_like_its_family() {
        let catalogue = Catalogue::built_in();
        let known = catalogue.abilities("anthropic", "claude-sonnet-6").unwrap();
        assert_eq!((known.sampling, known.forced_tools), (Some(false), Some(false)));
        assert!(catalogue.get("anthropic/claude-sonnet-6").is_none(), "its price is not known");
        assert!(catalogue.get("anthropic/claude-opus-5-5-20261001").is_some(), "a date changes nothing");
        assert!(catalogue.abilities("anthropic", "own").is_none());
    }

    #[test]
    fn the_nearest_level_is_taken() {
        let known = |levels: &[&str]| KnownModel {
            efforts: levels.iter().map(|level| (*level).into()).collect(),
            ..KnownModel::default()
        };
        let deepseek = known(&["low", "high", "max"]);
        for (effort, level) in
            [(Effort::Off, "low"), (Effort::Low, "low"), (Effort::Medium, "high"), (Effort::High, "high")]
        {
            assert_eq!(deepseek.level(effort), Some(level), "{effort:?}");
        }
        assert_eq!(known(&["none", "low"]).level(Effort::Off), Some("none"));
        assert_eq!(known(&[]).level(Effort::High), None);
    }
}
