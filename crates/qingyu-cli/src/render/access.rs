//! Users, keys, the audit log, and backups of the database.

use qingyu_studio::{
    AuditEntry, AuditState, BackupFailure, BackupFile, BackupRestored, BackupStatus, BackupSummary, CreatedKey, KeyRow,
    KeyUsageLimits, UserRow,
};

use super::lists::moment;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG};
use super::values::size;
use crate::texts::LocalizedTexts;

pub(crate) fn users(page: &mut TextPage<'_>, rows: &[UserRow]) {
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

pub(crate) fn keys(page: &mut TextPage<'_>, rows: &[KeyRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "keys-none", &[]);
    }
    for row in rows {
        key(page, row);
    }
}

/// Draws a new key with its secret, which is shown only here.
pub(crate) fn made(page: &mut TextPage<'_>, made: &CreatedKey) {
    key(page, &made.row);
    page.gap();
    // On a single line, for copying.
    page.line(made.secret.reveal());
    page.gap();
    page.say(0, CARE, "key-once", &[]);
}

/// Draws a revoked key.
pub(crate) fn revoked(page: &mut TextPage<'_>, row: &KeyRow) {
    keys(page, std::slice::from_ref(row));
    if row.projects.is_none() && row.right >= qingyu_studio::Right::Approve {
        page.say(0, CARE, "key-revoked-members", &[]);
    }
}

fn key(page: &mut TextPage<'_>, row: &KeyRow) {
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

fn limits(texts: &LocalizedTexts, limits: &KeyUsageLimits) -> Vec<String> {
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

pub(crate) fn audit(page: &mut TextPage<'_>, rows: &[AuditEntry]) {
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

pub(crate) fn audit_state(page: &mut TextPage<'_>, state: &AuditState) {
    match state.broken_at {
        Some(at) => page.say(0, WRONG, "audit-broken", &[("number", at.into())]),
        None => page.say(0, GOOD, "audit-whole", &[("count", state.rows.into())]),
    }
    page.labelled(0, "audit-digest", &state.digest);
}

pub(crate) fn backed_up(page: &mut TextPage<'_>, made: &BackupSummary) {
    let path = made.path.display().to_string();
    page.say(0, GOOD, "backup-made", &[("path", path.into()), ("size", size(made.bytes).into())]);
    page.say(0, FAINT, "backup-lacks", &[]);
}

pub(crate) fn scheduled_backups(page: &mut TextPage<'_>, status: &BackupStatus) {
    let path = ("path", status.folder.display().to_string().into());
    match (&status.every, status.next) {
        (Some(every), Some(next)) => {
            let (keep, next) = (("keep", status.keep.into()), ("next", moment(next).into()));
            page.say(0, PLAIN, "backup-schedule", &[("every", every.as_str().into()), keep, path, next]);
        }
        _ if !status.is_available => page.say(0, PLAIN, "backup-on-server", &[]),
        _ => page.say(0, FAINT, "backup-no-schedule", &[path]),
    }
    if let Some(BackupFailure { at, message, .. }) = &status.failure {
        let values = [("when", moment(*at).into()), ("message", message.as_str().into())];
        page.say(0, CARE, "backup-failed", &values);
    }
    if status.backups.is_empty() && status.is_available {
        page.say(0, FAINT, "backup-none", &[]);
    }
    status.backups.iter().for_each(|file| backup_file(page, file));
}

fn backup_file(page: &mut TextPage<'_>, file: &BackupFile) {
    let mut line = format!("{}  {}  {}", moment(file.at), size(file.bytes), file.name);
    if file.is_requested {
        line = format!("{line}  {}", page.texts().get("backup-requested"));
    }
    page.paragraph(2, PLAIN, &line);
}

pub(crate) fn restored(page: &mut TextPage<'_>, restored: &BackupRestored) {
    page.say(0, GOOD, "backup-restored", &[("path", restored.path.display().to_string().into())]);
    if let Some(replaced) = &restored.replaced {
        page.say(0, PLAIN, "backup-replaced", &[("path", replaced.display().to_string().into())]);
    }
}
