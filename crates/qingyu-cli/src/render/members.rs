//! Members of a project.

use qingyu_studio::MemberRow;
use qingyu_studio::operations::NewMember;

use super::lists::moment;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};

pub(crate) fn members(page: &mut TextPage<'_>, rows: &[MemberRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "members-none", &[]);
    }
    for row in rows {
        member(page, row);
    }
}

/// Draws a new member with the person's key, which is shown only here.
pub(crate) fn added(page: &mut TextPage<'_>, added: &NewMember) {
    member(page, &added.row);
    page.gap();
    // On a single line, for copying.
    page.line(&added.secret);
    page.gap();
    page.say(0, CARE, "member-key-once", &[("name", added.row.name.as_str().into())]);
}

pub(crate) fn removed(page: &mut TextPage<'_>, row: &MemberRow) {
    page.say(0, GOOD, "member-removed", &[("name", row.name.as_str().into())]);
}

fn member(page: &mut TextPage<'_>, row: &MemberRow) {
    let texts = page.texts();
    page.lead(0, &format!("{}  ", row.name), STRONG, PLAIN, &texts.word("member-role", row.role));
    let times = [
        Some(texts.fill("member-since", &[("at", moment(row.since).into())])),
        row.expires.map(|at| texts.fill("key-expires", &[("at", moment(at).into())])),
        Some(match row.last_used {
            Some(at) => texts.fill("member-seen", &[("at", moment(at).into())]),
            None => texts.get("member-never-seen"),
        }),
    ];
    let times = times.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    page.lead(4, &format!("{}  ", row.key), NAME, FAINT, &times);
}
