//! Readable mirrors of books.

use qingyu_studio::formats::UnreadField;
use qingyu_studio::{
    MirrorCardEdit, MirrorCommit, MirrorConflict, MirrorEdit, MirrorReading, MirrorRefusal, MirrorRefusalReason,
    MirrorUpdate,
};
use serde::Serialize;

use super::page::{CARE, FAINT, GOOD, PLAIN, TextPage};

/// Outcome of `mirror`.
#[derive(Debug, Serialize)]
pub(crate) struct MirroredBook {
    /// The edits read back, if that was asked for.
    pub(crate) read: Option<MirrorReading>,
    /// The files written.
    #[serde(flatten)]
    pub(crate) update: MirrorUpdate,
}

/// Draws the edits read back and the files written.
pub(crate) fn mirrored(page: &mut TextPage<'_>, mirrored: &MirroredBook) {
    if let Some(read) = &mirrored.read {
        reading(page, read);
    }
    let MirrorUpdate { folder, version, written, removed, kept, commit } = &mirrored.update;
    let values = [
        ("folder", folder.display().to_string().into()),
        ("version", version.to_string().into()),
        ("written", written.len().into()),
        ("removed", removed.len().into()),
    ];
    page.say(0, GOOD, "mirror-done", &values);
    for path in kept {
        page.say(2, CARE, "mirror-kept", &[("path", path.as_str().into())]);
    }
    match commit {
        MirrorCommit::Off => {}
        MirrorCommit::Unchanged => page.say(0, FAINT, "mirror-unchanged", &[]),
        MirrorCommit::Committed => page.say(0, GOOD, "mirror-committed", &[]),
        MirrorCommit::Missing => page.say(0, CARE, "mirror-no-git", &[]),
        MirrorCommit::Failed { message } if message.is_empty() => page.say(0, CARE, "mirror-git-failed-there", &[]),
        MirrorCommit::Failed { message } => {
            page.say(0, CARE, "mirror-git-failed", &[("message", message.as_str().into())]);
        }
    }
}

fn reading(page: &mut TextPage<'_>, read: &MirrorReading) {
    let MirrorReading { edited, cards, conflicts, refused, deleted } = read;
    let is_empty = edited.is_empty() && cards.is_empty() && conflicts.is_empty();
    if is_empty && refused.is_empty() && deleted.is_empty() {
        page.say(0, FAINT, "mirror-nothing", &[]);
    }
    for MirrorEdit { title, version, change, .. } in edited {
        let values = [("title", title.as_str().into()), ("version", version.to_string().into())];
        let key = if change.is_some() { "mirror-read" } else { "mirror-same" };
        page.say(0, PLAIN, key, &values);
    }
    for card in cards {
        card_read(page, card);
    }
    for MirrorConflict { title, path, beside, is_beside_kept } in conflicts {
        let values =
            [("title", title.as_str().into()), ("path", path.as_str().into()), ("beside", beside.as_str().into())];
        let key = if beside.is_empty() { "mirror-gone" } else { "mirror-conflict" };
        page.say(0, CARE, key, &values);
        if *is_beside_kept {
            page.say(2, CARE, "mirror-beside-kept", &[("beside", beside.as_str().into())]);
        }
    }
    for MirrorRefusal { path, reason } in refused {
        let path = ("path", path.as_str().into());
        match reason {
            MirrorRefusalReason::NotUtf8 => page.say(0, CARE, "mirror-not-utf8", &[path]),
            MirrorRefusalReason::TitleTaken { title } => {
                page.say(0, CARE, "mirror-title-taken", &[path, ("title", title.as_str().into())]);
            }
            MirrorRefusalReason::NotAChapter { title } => {
                page.say(0, CARE, "mirror-not-a-chapter", &[path, ("title", title.as_str().into())]);
            }
            MirrorRefusalReason::UnreadFields { fields } => {
                let fields = unread(page, fields);
                page.say(0, CARE, "mirror-unread-fields", &[path, ("fields", fields.into())]);
            }
            MirrorRefusalReason::WrittenOnly => page.say(0, CARE, "mirror-written-only", &[path]),
            MirrorRefusalReason::BadTitle { title, message } => {
                let values = [path, ("title", title.as_str().into()), ("message", message.as_str().into())];
                page.say(0, CARE, "mirror-title-refused", &values);
            }
        }
    }
    for path in deleted {
        page.say(0, CARE, "mirror-deleted", &[("path", path.as_str().into())]);
    }
}

fn card_read(page: &mut TextPage<'_>, card: &MirrorCardEdit) {
    if card.fields.is_empty() {
        let values = [("title", card.name.as_str().into())];
        return page.say(0, PLAIN, "mirror-same", &values);
    }
    let text = page.texts().get("mirror-card-text");
    let fields = card.fields.iter().map(|field| if field.is_empty() { text.as_str() } else { field.as_str() });
    let fields = fields.collect::<Vec<_>>().join(&page.texts().get("list-comma"));
    page.say(0, PLAIN, "mirror-card", &[("name", card.name.as_str().into()), ("fields", fields.into())]);
}

/// Returns the changes of a card that were not read, with their reasons.
fn unread(page: &TextPage<'_>, fields: &[UnreadField]) -> String {
    let texts = page.texts();
    let text = texts.get("mirror-card-text");
    let fields = fields.iter().map(|UnreadField { label, reason }| {
        let label = if label.is_empty() { text.as_str() } else { label.as_str() };
        let reason = texts.word("unread", reason);
        texts.fill("mirror-unread-field", &[("label", label.into()), ("reason", reason.into())])
    });
    fields.collect::<Vec<_>>().join(&texts.get("list-semicolon"))
}
