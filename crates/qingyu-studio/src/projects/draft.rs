//! New projects.

use qingyu_store::ProjectDraft;
use qingyu_story::{Language, title};

/// Returns a new project with the given title, or a title derived from the premise, or else marked as untitled.
pub(crate) fn new_project(given: Option<&str>, premise: &str, language: Language) -> ProjectDraft {
    let given = given.map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned);
    let found = given.or_else(|| title::named_in(premise));
    let untitled = found.is_none();
    let title = found.unwrap_or_else(|| title::untitled(language).to_owned());
    ProjectDraft { title, language, premise: premise.to_owned(), untitled }
}
