//! The outline in a requirement: its cast, places and chapters become pieces of the new project.

use qingyu_formats::{Outline, read_outline};
use qingyu_story::{Language, Worldview, ids};

use crate::error::Error;
use crate::runs::requests::REQUIREMENT_LIMIT;
use crate::studio::Studio;

/// A requirement without its outline.
#[derive(Debug)]
pub(crate) struct Outlined {
    /// The words for the planner.
    pub(crate) requirement: String,
    /// The pieces, with the language of the whole text; `None` for a requirement without an outline.
    pub(crate) outline: Option<(Outline, Language)>,
}

impl Outlined {
    /// Takes the outline out of `given`, for a new project.
    ///
    /// Fails with [`Error::RequirementTooLong`] if the rest is longer than [`REQUIREMENT_LIMIT`].
    pub(crate) fn of(given: String, is_new: bool, language: Option<Language>) -> Result<Self, Error> {
        let mut outline = Some(given.as_str()).filter(|_| is_new).map(read_outline).unwrap_or_default();
        let language = language.unwrap_or_else(|| Language::of(&given));
        if outline.is_empty() {
            return Ok(Self { requirement: within_limit(given)?, outline: None });
        }
        let requirement = match outline.rest.is_empty() {
            true => premise(language).to_owned(),
            false => within_limit(std::mem::take(&mut outline.rest))?,
        };
        Ok(Self { requirement, outline: Some((outline, language)) })
    }
}

/// Returns the words for the planner of an outline without other words.
fn premise(language: Language) -> &'static str {
    match language {
        Language::Zh => "依照已有的大纲、人物和世界观创作这个故事。",
        Language::En => "Write the story of the given outline, cast and world.",
    }
}

fn within_limit(requirement: String) -> Result<String, Error> {
    let bytes = requirement.len();
    if bytes > REQUIREMENT_LIMIT {
        return Err(Error::RequirementTooLong { bytes, limit: REQUIREMENT_LIMIT });
    }
    Ok(requirement)
}

impl Studio {
    /// Saves the pieces of an outline in a new project, as a change by hand.
    pub(crate) async fn keep_outline(&self, project: &str, outline: Outline) -> Result<(), Error> {
        let (id, kept) = self.kept_story(project).await?;
        let mut after = kept.story.clone();
        after.characters.extend(outline.characters);
        after.outline_nodes.extend(outline.nodes);
        if !outline.locations.is_empty() {
            let world = after.worldview.get_or_insert_with(Worldview::default);
            world.summary = outline.setting;
            world.locations.extend(outline.locations);
        }
        ids::assign(&mut after);
        self.put(&id, "outline", &kept, &after).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlined(given: &str) -> Result<Outlined, Error> {
        Outlined::of(given.to_owned(), true, None)
    }

    #[test]
    fn the_outline_may_be_longer_than_the_rest() {
        let row = |number: u32| format!("| {number} | 灯 | {} |\n", "雨下了一夜。".repeat(20));
        let table: String = (1..=300).map(row).collect();
        let long = format!("写一个慢热的故事。\n\n## 大纲\n\n| 章 | 标题 | 概要 |\n|---|---|---|\n{table}");
        assert!(long.len() > REQUIREMENT_LIMIT);
        let found = outlined(&long).unwrap();
        let (outline, language) = found.outline.unwrap();
        assert_eq!(
            (found.requirement.as_str(), outline.chapters(), language),
            ("写一个慢热的故事。", 300, Language::Zh)
        );
        let refused = outlined(&"雨".repeat(REQUIREMENT_LIMIT)).unwrap_err();
        assert_eq!(refused.code(), "requirement_too_long");
    }

    #[test]
    fn an_outline_alone_and_an_existing_project() {
        let text = "## Characters\n\n| Name | Role |\n|---|---|\n| Ann | hero |";
        assert_eq!(outlined(text).unwrap().requirement, premise(Language::En));
        let kept = Outlined::of(text.to_owned(), false, None).unwrap();
        assert!(kept.requirement == text && kept.outline.is_none());
        assert!(outlined("写一个守塔人的故事").unwrap().outline.is_none());
    }
}
