//! States that are denied because they are over: an injury that has healed, a seal that is broken.

use serde_json::Value;

use crate::language::{Language, has_any};
use crate::predicate::{PredicateRole, find, written_or_shown};

/// Words of a sentence by which an injury or another weakness is over.
const HEALED: [&str; 27] = [
    "收口",
    "收了口",
    "愈合",
    "痊愈",
    "伤愈",
    "结痂",
    "结了痂",
    "伤好",
    "好全",
    "养好",
    "长好",
    "复原",
    "康复",
    "解了毒",
    "毒解",
    "healed",
    "heals",
    "healing",
    "has closed",
    "had closed",
    "scab",
    "scabbed",
    "recovered",
    "recovers",
    "mended",
    "cured",
    "well again",
];

/// Returns whether a predicate tells a state of weakness that ends.
pub(crate) fn is_passing(name: &str) -> bool {
    let role = find(name).and_then(|word| word.role);
    matches!(role, Some(PredicateRole::Weakness | PredicateRole::Seal))
}

/// Returns the words for a denied state that is over: 伤已好, `no longer weakened`. `quote` is the sentence that denies it, and
/// `was_so` says whether the state is told before; `None` for a state that may never have been.
pub fn ended(name: &str, value: &Value, quote: &str, was_so: bool, language: Language) -> Option<String> {
    let is_over = *value == Value::Bool(false) && is_passing(name) && (was_so || has_any(quote, &HEALED));
    let word = is_over.then(|| written_or_shown(name.trim(), language))?;
    Some(match language {
        Language::En => format!("no longer {}", word.trim_start_matches("is ")),
        Language::Zh if word.contains('毒') => "毒已解".to_owned(),
        Language::Zh if word.contains('伤') => "伤已好".to_owned(),
        Language::Zh => format!("不再{word}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_injury_that_has_healed_is_not_told_as_one_that_never_was() {
        let told = |name: &str, value: bool, quote: &str, was_so: bool| {
            [Language::Zh, Language::En].map(|language| ended(name, &value.into(), quote, was_so, language))
        };
        let healed = |chinese: &str, english: &str| [Some(chinese.to_owned()), Some(english.to_owned())];
        assert_eq!(told("受伤", false, "“收口了。”", false), healed("伤已好", "no longer weakened"));
        assert_eq!(told("wounded", false, "The cut HAS CLOSED.", false), healed("伤已好", "no longer wounded"));
        assert_eq!(told("中毒", false, "他能起身了。", true), healed("毒已解", "no longer weakened"));
        assert_eq!(told("被封印", false, "", true), healed("不再被封印", "no longer sealed"));
        for (name, value, quote, was_so) in [
            ("受伤", false, "他没有受伤。", false),
            ("受伤", true, "伤口愈合得慢。", true),
            ("死亡", false, "", true),
            ("仰慕", false, "", true),
        ] {
            assert_eq!(told(name, value, quote, was_so), [None, None], "{name}");
        }
    }
}
