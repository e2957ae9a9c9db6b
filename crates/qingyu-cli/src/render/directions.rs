//! The directions offered for a new book.

use qingyu_studio::agents::direction::{DirectionField, DirectionsRequest};

use super::page::{CARE, FAINT, PLAIN, STRONG, TextPage};

/// Draws the numbered directions, with each field on separate lines.
pub(crate) fn offered(page: &mut TextPage<'_>, offered: &DirectionsRequest) {
    let texts = page.texts();
    page.gap();
    page.paragraph(0, CARE.bold(), &texts.get("directions-title"));
    for (number, direction) in (1..).zip(&offered.directions) {
        page.gap();
        page.lead(0, &format!("{number}  "), STRONG, STRONG, &direction.title);
        for field in DirectionField::ALL.into_iter().filter(|field| *field != DirectionField::Title) {
            let text = direction.get(field);
            if !text.trim().is_empty() {
                let label = texts.fill("label", &[("name", field.label(texts.language()).into())]);
                page.lead(3, &label, FAINT, PLAIN, text);
            }
        }
    }
}
