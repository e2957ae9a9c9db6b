//! Readable mirrors of books.

use qingyu_studio::{MirrorCommit, MirrorReading, MirrorUpdate};
use serde::Serialize;

use super::page::{CARE, FAINT, GOOD, PLAIN, TextPage};

/// What a mirror brought back and wrote.
#[derive(Debug, Serialize)]
pub(crate) struct MirroredBook {
    /// What was read back, if that was asked for.
    pub(crate) read: Option<MirrorReading>,
    /// What was written.
    #[serde(flatten)]
    pub(crate) update: MirrorUpdate,
}

/// Draws what a mirror brought back and wrote.
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
        MirrorCommit::Failed { message } => {
            page.say(0, CARE, "mirror-git-failed", &[("message", message.as_str().into())]);
        }
    }
}

fn reading(page: &mut TextPage<'_>, read: &MirrorReading) {
    if read.edited.is_empty() && read.conflicts.is_empty() && read.cards.is_empty() {
        page.say(0, FAINT, "mirror-nothing", &[]);
    }
    for edit in &read.edited {
        let values = [("title", edit.title.as_str().into()), ("version", edit.version.to_string().into())];
        let key = if edit.change.is_some() { "mirror-read" } else { "mirror-same" };
        page.say(0, PLAIN, key, &values);
    }
    for conflict in &read.conflicts {
        let values = [
            ("title", conflict.title.as_str().into()),
            ("path", conflict.path.as_str().into()),
            ("beside", conflict.beside.as_str().into()),
        ];
        let key = if conflict.beside.is_empty() { "mirror-chapter-gone" } else { "mirror-conflict" };
        page.say(0, CARE, key, &values);
    }
    for path in &read.cards {
        page.say(0, CARE, "mirror-card", &[("path", path.as_str().into())]);
    }
}
