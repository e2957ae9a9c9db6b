//! The prompts as they are compiled in: every name there is, and its text.

use qingyu_agents::Prompts;
use qingyu_story::Language;

/// A prompt that is compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BuiltIn {
    /// Its name, such as `outline/generate.zh.md`.
    pub(super) name: &'static str,
    /// Its text.
    pub(super) text: &'static str,
}

/// All of them, by name, the Chinese one of each first.
pub(super) fn all() -> impl Iterator<Item = BuiltIn> {
    let stems = Prompts::texts().keys().filter_map(|name| name.strip_suffix(".zh.md"));
    let both = |stem| [Language::Zh, Language::En].map(|language| format!("{stem}.{}.md", language.code()));
    stems.flat_map(both).filter_map(|name| find(&name))
}

/// The one with this name.
pub(super) fn find(name: &str) -> Option<BuiltIn> {
    let (name, text) = Prompts::texts().get_key_value(name)?;
    Some(BuiltIn { name, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_stands_in_both_languages() {
        let names: Vec<&str> = all().map(|prompt| prompt.name).collect();
        assert_eq!(names[..2], ["analysis/judge.zh.md", "analysis/judge.en.md"]);
        assert_eq!(names.len(), Prompts::texts().len());
    }
}
