//! The built-in prompts: names and texts.

use qingyu_agents::Prompts;
use qingyu_story::Language;

/// A built-in prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuiltIn {
    /// The name, such as `outline/generate.zh.md`.
    pub(crate) name: &'static str,
    /// The text.
    pub(crate) text: &'static str,
}

/// Returns all prompts, sorted by name, with the Chinese version of each first.
pub(crate) fn all() -> impl Iterator<Item = BuiltIn> {
    let stems = Prompts::texts().keys().filter_map(|name| name.strip_suffix(".zh.md"));
    let both = |stem| [Language::Zh, Language::En].map(|language| format!("{stem}.{}.md", language.code()));
    stems.flat_map(both).filter_map(|name| find(&name))
}

/// Returns the prompt with the given name.
pub(crate) fn find(name: &str) -> Option<BuiltIn> {
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
