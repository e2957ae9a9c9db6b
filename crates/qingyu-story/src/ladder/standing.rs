//! The place of a fact's value on a ladder.

use std::cmp::Ordering;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{Ladder, LadderStep};
use crate::language::is_han;
use crate::names::fold;
use crate::numerals;

/// A place on a ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LadderPlace {
    /// The index of the step, or the number on a ladder that is counted in numbers.
    pub(crate) step: u32,
    /// The part of the step, if one is named.
    pub(crate) part: Option<StepPart>,
}

/// A part of a step, on one of the scales in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepPart {
    /// From early (1) through middle and late to the peak (4) and beyond.
    Phase(u32),
    /// A counted layer: the third of nine.
    Layer(u32),
}

/// Words at the end of a value for a phase. A longer word precedes the words in it.
const PHASES: [(&str, u32); 18] = [
    ("大圆满", 5),
    ("圆满", 4),
    ("巅峰", 4),
    ("顶峰", 4),
    ("初期", 1),
    ("前期", 1),
    ("初阶", 1),
    ("初段", 1),
    ("中期", 2),
    ("中阶", 2),
    ("中段", 2),
    ("后期", 3),
    ("高阶", 3),
    ("末期", 3),
    ("early", 1),
    ("middle", 2),
    ("late", 3),
    ("peak", 4),
];
impl LadderPlace {
    /// Compares two places; `None` if they share a step and only one names a part, or the parts are not comparable.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        let parts = || match (self.part, other.part) {
            (None, None) => Some(Ordering::Equal),
            (Some(StepPart::Phase(one)), Some(StepPart::Phase(other)))
            | (Some(StepPart::Layer(one)), Some(StepPart::Layer(other))) => Some(one.cmp(&other)),
            _ => None,
        };
        match self.step.cmp(&other.step) {
            Ordering::Equal => parts(),
            apart => Some(apart),
        }
    }
}

impl Ladder {
    /// Returns the place of a value on the ladder; `None` if it names no step, or a state just below one.
    pub(crate) fn place(&self, value: &Value) -> Option<LadderPlace> {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => fold(text),
            _ => return None,
        };
        let text = text.trim();
        match self.steps.is_empty() {
            true => level(text).map(|step| LadderPlace { step, part: None }),
            false => self.on_step(text),
        }
    }

    /// Returns the step at the index.
    pub(crate) fn step(&self, place: LadderPlace) -> Option<&LadderStep> {
        self.steps.get(usize::try_from(place.step).ok()?)
    }

    fn on_step(&self, text: &str) -> Option<LadderPlace> {
        let (before, text) = match ["early", "mid", "middle", "late", "peak"]
            .iter()
            .find(|word| text.strip_prefix(**word).is_some_and(|rest| rest.starts_with([' ', '-'])))
        {
            Some(word) => {
                (if *word == "mid" { "middle" } else { word }, text[word.len()..].trim_start_matches([' ', '-']))
            }
            None => ("", text),
        };
        let named = |step: &LadderStep| {
            let names = step.alias.iter().chain([&step.name]).map(|name| fold(name)).filter(|name| !name.is_empty());
            names.filter(|name| begins_with(text, name)).map(|name| name.len()).max()
        };
        let found = self.steps.iter().enumerate().filter_map(|(at, step)| Some((named(step)?, at)));
        let (length, step) = found.max_by_key(|(length, at)| (*length, std::cmp::Reverse(*at)))?;
        let rest = if before.is_empty() { &text[length..] } else { before };
        Some(LadderPlace { step: u32::try_from(step).ok()?, part: part(rest) })
    }
}

/// Returns whether `text` begins with the whole name.
fn begins_with(text: &str, name: &str) -> bool {
    let Some(rest) = text.strip_prefix(name) else { return false };
    name.chars().last().is_some_and(is_han) || !rest.starts_with(char::is_alphabetic) || rest.starts_with(is_han)
}

fn part(rest: &str) -> Option<StepPart> {
    static LAYER: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?:^|[^0-9零〇一二三四五六七八九十百千万两])([0-9]{1,6}|[零〇一二三四五六七八九十百千万两]{1,8})(?:层|重|星|阶|段|转|级|品|小层)?$";
        Regex::new(pattern).expect("the pattern is part of the program")
    });
    let rest = rest.trim().trim_end_matches([')', '）']);
    if let Some((_, phase)) = PHASES.iter().find(|(word, _)| rest.ends_with(word)) {
        return Some(StepPart::Phase(*phase));
    }
    let number = LAYER.captures(rest)?.get(1)?.as_str();
    let number = number.parse().ok().or_else(|| numerals::read(number))?;
    Some(StepPart::Layer(number))
}

/// Returns the number of a level: `5`, `lv.5`, `level 5`, `5级`, `五级`.
fn level(text: &str) -> Option<u32> {
    let bare = ["level", "lvl.", "lvl", "lv.", "lv", "rank", "第"].iter().find_map(|word| text.strip_prefix(*word));
    let bare = bare.unwrap_or(text).trim();
    let bare = bare.trim_end_matches(['级', '層', '层', '阶', '等', '星']).trim();
    match bare.is_empty() || bare.starts_with(['+', '-']) {
        true => None,
        false => {
            bare.parse().ok().or_else(|| bare.chars().all(numerals::is_plain_numeral).then(|| numerals::read(bare))?)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ladder(steps: &[&str]) -> Ladder {
        let step = |name: &&str| LadderStep { name: (*name).into(), ..LadderStep::default() };
        Ladder { name: "境界".into(), steps: steps.iter().map(step).collect(), ..Ladder::default() }
    }

    #[test]
    fn a_value_stands_on_the_step_that_it_names() {
        let ladder = ladder(&["炼气", "筑基", "金丹", "Golden Core", "Core"]);
        let read = |text: &str| ladder.place(&json!(text)).map(|found| (found.step, found.part));
        assert_eq!(read("炼气"), Some((0, None)));
        assert_eq!(read("炼气九层"), Some((0, Some(StepPart::Layer(9)))));
        assert_eq!(read("炼气期第3层"), Some((0, Some(StepPart::Layer(3)))));
        assert_eq!(read("炼气1000层"), Some((0, Some(StepPart::Layer(1000)))));
        assert_eq!(read("炼气一百二十三层"), Some((0, Some(StepPart::Layer(123)))));
        assert_eq!(read("炼气期第一百二十三层"), Some((0, Some(StepPart::Layer(123)))));
        assert_eq!(read("筑基中期"), Some((1, Some(StepPart::Phase(2)))));
        assert_eq!(read("金丹大圆满"), Some((2, Some(StepPart::Phase(5)))));
        assert_eq!(read("Peak Golden Core"), Some((3, Some(StepPart::Phase(4)))));
        assert_eq!(read("golden core 3"), Some((3, Some(StepPart::Layer(3)))));
        assert_eq!((read("半步金丹"), read("凡人"), read("Cores")), (None, None, None));
    }

    #[test]
    fn a_level_is_a_number() {
        let ladder = ladder(&[]);
        let read = |value: Value| ladder.place(&value).map(|found| found.step);
        assert_eq!([json!(5), json!("Lv.5"), json!("5级"), json!("五级"), json!("Level 5")].map(read), [Some(5); 5]);
        assert_eq!((read(json!("high")), read(json!("+5"))), (None, None));
    }

    #[test]
    fn only_parts_of_one_scale_are_compared() {
        let at = |step, part| LadderPlace { step, part };
        let compare = |one: LadderPlace, other: LadderPlace| one.compare(&other);
        assert_eq!(compare(at(1, None), at(2, None)), Some(Ordering::Less));
        assert_eq!(compare(at(1, Some(StepPart::Layer(9))), at(1, Some(StepPart::Layer(3)))), Some(Ordering::Greater));
        assert_eq!(compare(at(1, Some(StepPart::Layer(9))), at(1, Some(StepPart::Phase(1)))), None);
        assert_eq!(compare(at(1, None), at(1, Some(StepPart::Phase(1)))), None);
    }
}
