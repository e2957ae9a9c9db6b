//! Pictures of cards.

use qingyu_studio::{CardPicture, PictureRow};

use super::page::{FAINT, NAME, PLAIN, TextPage};

/// Draws the cards with a picture, and its description.
pub(crate) fn list(page: &mut TextPage<'_>, rows: &[PictureRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "pictures-none", &[]);
    }
    for row in rows {
        page.lead(0, &format!("{}  ", row.name), NAME, PLAIN, &described(&row.media_type, &row.alt));
    }
}

/// Draws the details of the picture of a card.
pub(crate) fn card(page: &mut TextPage<'_>, found: &CardPicture) {
    let Some(kind) = &found.media_type else {
        return page.say(0, FAINT, "card-picture-none", &[("name", found.name.as_str().into())]);
    };
    let kilobytes = found.picture.len().div_ceil(1_000);
    let values =
        [("name", found.name.as_str().into()), ("kind", kind.as_str().into()), ("kilobytes", kilobytes.into())];
    page.say(0, PLAIN, "card-picture-is", &values);
    match found.alt.is_empty() {
        true => page.say(1, FAINT, "card-picture-undescribed", &[]),
        false => page.paragraph(1, PLAIN, &found.alt),
    }
}

fn described(kind: &str, alt: &str) -> String {
    if alt.is_empty() { kind.to_owned() } else { format!("{kind} · {alt}") }
}
