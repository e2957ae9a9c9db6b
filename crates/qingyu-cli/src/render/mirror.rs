//! Readable mirrors of books.

use qingyu_studio::{MirrorCommit, MirrorReading, MirrorRefusal, MirrorRefusalReason, MirrorUpdate};
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
        MirrorCommit::Failed { message } => {
            page.say(0, CARE, "mirror-git-failed", &[("message", message.as_str().into())]);
        }
    }
}

fn reading(page: &mut TextPage<'_>, read: &MirrorReading) {
    let MirrorReading { edited, conflicts, refused, cards } = read;
    if edited.is_empty() && conflicts.is_empty() && refused.is_empty() && cards.is_empty() {
        page.say(0, FAINT, "mirror-nothing", &[]);
    }
    for edit in edited {
        let values = [("title", edit.title.as_str().into()), ("version", edit.version.to_string().into())];
        let key = if edit.change.is_some() { "mirror-read" } else { "mirror-same" };
        page.say(0, PLAIN, key, &values);
    }
    for conflict in conflicts {
        let values = [
            ("title", conflict.title.as_str().into()),
            ("path", conflict.path.as_str().into()),
            ("beside", conflict.beside.as_str().into()),
        ];
        let key = if conflict.beside.is_empty() { "mirror-chapter-gone" } else { "mirror-conflict" };
        page.say(0, CARE, key, &values);
        if conflict.is_beside_kept {
            page.say(2, CARE, "mirror-beside-kept", &[("beside", conflict.beside.as_str().into())]);
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
            MirrorRefusalReason::BadTitle { title, message } => {
                let values = [path, ("title", title.as_str().into()), ("message", message.as_str().into())];
                page.say(0, CARE, "mirror-title-refused", &values);
            }
        }
    }
    for path in cards {
        page.say(0, CARE, "mirror-card", &[("path", path.as_str().into())]);
    }
}
