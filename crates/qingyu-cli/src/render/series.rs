//! The books before a book.

use qingyu_studio::EarlierRow;

use super::page::{CARE, FAINT, NAME, PLAIN, STRONG, TextPage};
use crate::texts::LocalizedTexts;

pub(crate) fn series(page: &mut TextPage<'_>, rows: &[EarlierRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "series-none", &[]);
    }
    let texts = page.texts();
    for (number, row) in (1..).zip(rows) {
        let kind = texts.word("series-kind", row.kind);
        let gap = (!row.gap.is_empty()).then(|| texts.fill("series-gap", &[("gap", row.gap.as_str().into())]));
        let kind = [Some(kind), gap].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        page.lead(0, &format!("{number}. {}  ", title(row, texts)), STRONG, PLAIN, &kind);
        let (style, told) = match (row.missing, row.shared.is_empty()) {
            (true, _) => (CARE, texts.get("series-missing")),
            (false, true) => (FAINT, texts.get("series-no-shared")),
            (false, false) => {
                let names = row.shared.join(&texts.get("list-comma"));
                (FAINT, texts.fill("series-shared", &[("names", names.into())]))
            }
        };
        page.lead(4, &format!("{}  ", row.project), NAME, style, &told);
    }
}

/// Returns the title of an earlier book, or words for a book that the caller may not see.
pub(super) fn title(row: &EarlierRow, texts: &LocalizedTexts) -> String {
    if row.title.is_empty() { texts.get("series-closed") } else { row.title.clone() }
}
