//! The chapter list of a book.

use qingyu_studio::ChapterList;

use super::page::{CARE, FAINT, GOOD, PLAIN, STRONG, TextPage};

/// Draws the chapters in reading order, by volume, and the effect of the edit.
pub(crate) fn list(page: &mut TextPage<'_>, project: &str, list: &ChapterList) {
    if list.chapters.is_empty() {
        return page.say(0, FAINT, "chapters-none", &[]);
    }
    let mut volume = None;
    for row in &list.chapters {
        if row.volume != volume {
            volume.clone_from(&row.volume);
            page.paragraph(0, STRONG, volume.as_deref().unwrap_or_default());
        }
        let ids = row.node.iter().chain(&row.documents).cloned().collect::<Vec<_>>().join(" ");
        page.lead(1, &format!("#{}  ", row.place), FAINT, PLAIN, &format!("{}  {ids}", row.title));
    }
    for same in &list.same_numbers {
        let values = [("number", same.number.to_string().into()), ("chapters", same.chapters.join("; ").into())];
        page.say(0, CARE, "chapters-same-number", &values);
    }
    if let Some(change) = list.change {
        let values = [("change", change.to_string().into()), ("project", project.into())];
        page.say(0, GOOD, "chapters-changed", &values);
    }
}
