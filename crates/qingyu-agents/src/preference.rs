//! Preferences learned from the author's decisions, in the language of the work, and their budget in prompts.
//!
//! The rules need no model; the texts of both languages are kept side by side, as in [`crate::notice`].

use qingyu_llm::estimate;
use qingyu_story::{Language, PieceKind, Story};
use serde_json::Value;

use crate::changes::changes;

mod general;

pub use general::general_rules;

/// Maximum number of rewritten fields to learn from one edit.
const MOST_REWRITTEN: usize = 8;

/// Maximum tokens of all preferences in a prompt.
pub(crate) const MOST_TOKENS: u64 = 400;

/// Returns the preferences that fit into a prompt, earlier lines first; a line over the remaining budget is skipped.
///
/// This bounds the prompt, however many preferences are stored.
pub fn fitting(lines: &[String]) -> Vec<&str> {
    let mut left = MOST_TOKENS;
    let mut fits = |line: &&String| match left.checked_sub(estimate::tokens(line)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    lines.iter().filter(|line| fits(line)).map(String::as_str).collect()
}

/// Fields with the position of a piece instead of its content.
const PLACES: [&str; 4] = ["id", "order", "parent", "version"];

/// A preference indicated by a decision of the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreferenceHint {
    /// The author accepts a manner of writing that a rule of style minds.
    Accepts {
        /// Code of the rule.
        code: String,
        /// The manner of writing, as a noun phrase.
        habit: String,
    },
    /// The author rewrites a field.
    Rewrites {
        /// Kind of the pieces.
        kind: PieceKind,
        /// Name of the field.
        field: String,
    },
    /// The author reverts an agent's changes to a kind of pieces.
    TakesBack {
        /// Name of the agent.
        agent: String,
        /// Name of the kind in the log.
        kind: String,
    },
}

impl PreferenceHint {
    /// Returns the key of the hint, independent of language; hints with equal keys are duplicates.
    pub fn topic(&self) -> String {
        match self {
            Self::Accepts { code, .. } => format!("accepts {code}"),
            Self::Rewrites { kind, field } => format!("rewrites {}.{field}", kind.name()),
            Self::TakesBack { agent, kind } => format!("takes back {kind} of {agent}"),
        }
    }

    /// Returns the hint as text, for agents and for the author.
    pub fn text(&self, language: Language) -> String {
        match (self, language) {
            (Self::Accepts { habit, .. }, Language::Zh) => format!("不介意{habit}，不必为此改动"),
            (Self::Accepts { habit, .. }, Language::En) => {
                format!("does not mind {habit}; nothing need be changed for it")
            }
            (Self::Rewrites { kind, field }, Language::Zh) => {
                format!("会亲自改写 {}.{field}，请照作者改过的样子写", kind.name())
            }
            (Self::Rewrites { kind, field }, Language::En) => {
                format!("rewrites {}.{field} by hand: write it as the author has rewritten it", kind.name())
            }
            (Self::TakesBack { agent, kind }, Language::Zh) => {
                format!("撤销过 {agent} 对 {kind} 的改动，没有要求就不要改动")
            }
            (Self::TakesBack { agent, kind }, Language::En) => {
                format!("has taken back what {agent} did to {kind}: leave it alone unless asked")
            }
        }
    }

    /// Returns the hint with an example: the text before and after the author's edit.
    pub fn with_example(text: &str, before: &str, after: &str, language: Language) -> String {
        match language {
            Language::Zh => format!("{text}（例如“{before}”改成“{after}”）"),
            Language::En => format!("{text} (for instance “{before}” became “{after}”)"),
        }
    }
}

/// A field rewritten by the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewrittenField {
    /// The resulting hint.
    pub hint: PreferenceHint,
    /// The piece, as `character/c-1`.
    pub piece: String,
    /// Text before the edit.
    pub before: String,
    /// Text after the edit.
    pub after: String,
}

/// Returns the differing fields of pieces present in both stories; at most eight, in the story's order.
pub fn rewritten(before: &Story, after: &Story) -> Vec<RewrittenField> {
    let mut found = Vec::new();
    for change in changes(before, after) {
        let kind = change.kind();
        let earlier = (0..before.count(kind)).filter_map(|place| before.piece(kind, place));
        let Some(earlier) = earlier.into_iter().find(|piece| kind.is_single() || piece.id() == change.piece.id())
        else {
            continue;
        };
        let (old, new) = (earlier.fields(), change.piece.fields());
        for (field, value) in &new {
            let was = old.get(field).unwrap_or(&Value::Null);
            if was == value || PLACES.contains(&field.as_str()) || is_nothing(was) || is_nothing(value) {
                continue;
            }
            found.push(RewrittenField {
                hint: PreferenceHint::Rewrites { kind, field: field.clone() },
                piece: format!("{}/{}", kind.name(), change.id),
                before: plain(was),
                after: plain(value),
            });
        }
    }
    found.truncate(MOST_REWRITTEN);
    found
}

/// Filling or emptying a field is not a rewrite.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;

    #[test]
    fn preferences_have_a_budget_of_their_own() {
        let lines = ["一".repeat(300), "二".repeat(200), "三".repeat(100), "四".to_owned()];
        let kept: Vec<String> = fitting(&lines).into_iter().map(str::to_owned).collect();
        let lengths: Vec<usize> = kept.iter().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, [300, 100], "what does not fit makes room for what does");
        assert_eq!(fitting(&kept), kept, "what fits once fits again");
    }

    #[test]
    fn what_was_rewritten_is_found_and_what_was_only_filled_is_not() {
        let card = |id: &str, name: &str, personality: &str, weakness: &str| Character {
            id: id.into(),
            name: name.into(),
            personality: personality.into(),
            weakness: weakness.into(),
            ..Character::default()
        };
        let before = Story {
            characters: vec![card("c-1", "林深", "完美", ""), card("c-2", "苏曼", "冷", "怕水")],
            ..Story::default()
        };
        let after = Story {
            characters: vec![card("c-1", "林深", "固执", "怕黑"), card("c-3", "韩铁", "热", "")],
            ..Story::default()
        };
        let found = rewritten(&before, &after);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("完美", "固执"));
        assert_eq!(
            (found[0].piece.as_str(), found[0].hint.topic().as_str()),
            ("character/c-1", "rewrites character.personality",)
        );
        assert_eq!(rewritten(&before, &before), []);
    }

    #[test]
    fn hints_are_said_in_both_languages() {
        let hint = |habit: &str| PreferenceHint::Accepts { code: "QS023".into(), habit: habit.into() };
        assert_eq!(hint("很长的句子").text(Language::Zh), "不介意很长的句子，不必为此改动");
        let english = hint("very long sentences").text(Language::En);
        assert_eq!(english, "does not mind very long sentences; nothing need be changed for it");
        assert_eq!(hint("").topic(), "accepts QS023");
        assert_eq!(PreferenceHint::with_example("会改写", "甲", "乙", Language::Zh), "会改写（例如“甲”改成“乙”）");
    }
}
