//! Users, keys, the audit, and copies of the database.

use qingyu_studio::{AuditEntry, AuditState, BackedUp, BackupRestored, KeyRow, Limits, MadeKey, UserRow};

use super::lists::moment;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, Page, STRONG, WRONG};
use super::values::size;
use crate::texts::Texts;

pub(crate) fn users(page: &mut Page<'_>, rows: &[UserRow]) {
    let texts = page.texts();
    let header = ["user", "name", "user-role", "status", "created"].map(|key| texts.get(&format!("column-{key}")));
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let state = match row.disabled {
                Some(since) => texts.fill("user-disabled", &[("since", moment(since).into())]),
                None => texts.get("user-enabled"),
            };
            vec![row.user.clone(), row.name.clone(), texts.word("user-role", row.role), state, moment(row.created)]
        })
        .collect();
    page.table(&header, &lines, &[], &[0]);
}

pub(crate) fn keys(page: &mut Page<'_>, rows: &[KeyRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "keys-none", &[]);
    }
    for row in rows {
        key(page, row);
    }
}

/// A key that was made, with the only sight of its secret.
pub(crate) fn made(page: &mut Page<'_>, made: &MadeKey) {
    key(page, &made.row);
    page.gap();
    // In one line, so that it can be copied.
    page.line(made.secret.reveal());
    page.gap();
    page.say(0, CARE, "key-once", &[]);
}

fn key(page: &mut Page<'_>, row: &KeyRow) {
    let texts = page.texts();
    page.lead(0, &format!("{}  ", row.key), NAME, STRONG, &row.name);
    let projects = row.projects.as_ref().map(|projects| projects.join(&texts.get("list-comma")));
    let facts = [
        row.user.clone(),
        texts.word("key-right", row.right),
        texts.word("key-state", row.state),
        projects.unwrap_or_else(|| texts.get("key-all-projects")),
    ];
    page.paragraph(4, PLAIN, &facts.join(" · "));
    let times = [
        Some(texts.fill("key-created", &[("at", moment(row.created).into())])),
        row.expires.map(|at| texts.fill("key-expires", &[("at", moment(at).into())])),
        row.revoked.map(|at| texts.fill("key-revoked", &[("at", moment(at).into())])),
        Some(match row.last_used {
            Some(at) => texts.fill("key-used", &[("at", moment(at).into())]),
            None => texts.get("key-never-used"),
        }),
    ];
    page.paragraph(4, FAINT, &times.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    page.paragraph(4, FAINT, &limits(texts, &row.limits).join(" · "));
}

fn limits(texts: &Texts, limits: &Limits) -> Vec<String> {
    let say = |key: &str, most: Option<String>| most.map(|most| texts.fill(key, &[("most", most.into())]));
    let money = limits.money_per_day.as_ref();
    let money = money.map(|cost| format!("{} {}", cost.micros as f64 / 1e6, cost.currency));
    [
        say("limit-requests", limits.requests_per_minute.map(|most| grouped(most.get().into()))),
        say("limit-runs", limits.parallel_runs.map(|most| grouped(most.into()))),
        say("limit-tokens", limits.tokens_per_day.map(grouped)),
        say("limit-money", money),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(crate) fn audit(page: &mut Page<'_>, rows: &[AuditEntry]) {
    let texts = page.texts();
    if rows.is_empty() {
        return page.say(0, FAINT, "audit-none", &[]);
    }
    let header = ["number", "at", "user", "action", "object", "origin", "result"];
    let header = header.map(|key| texts.get(&format!("column-{key}")));
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let user = match &row.key {
                Some(key) => format!("{} ({key})", row.user),
                None => row.user.clone(),
            };
            let (action, object) = (row.action.clone(), row.object.clone());
            vec![row.seq.to_string(), moment(row.at), user, action, object, row.origin.clone(), row.result.clone()]
        })
        .collect();
    page.table(&header, &lines, &[0], &[]);
}

pub(crate) fn audit_state(page: &mut Page<'_>, state: &AuditState) {
    match state.broken_at {
        Some(at) => page.say(0, WRONG, "audit-broken", &[("number", at.into())]),
        None => page.say(0, GOOD, "audit-whole", &[("count", state.rows.into())]),
    }
    page.labelled(0, "audit-digest", &state.digest);
}

pub(crate) fn backed_up(page: &mut Page<'_>, made: &BackedUp) {
    let path = made.path.display().to_string();
    page.say(0, GOOD, "backup-made", &[("path", path.into()), ("size", size(made.bytes).into())]);
    page.say(0, FAINT, "backup-lacks", &[]);
}

pub(crate) fn restored(page: &mut Page<'_>, restored: &BackupRestored) {
    page.say(0, GOOD, "backup-restored", &[("path", restored.path.display().to_string().into())]);
    if let Some(replaced) = &restored.replaced {
        page.say(0, PLAIN, "backup-replaced", &[("path", replaced.display().to_string().into())]);
    }
}
