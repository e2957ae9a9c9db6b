//! Reading edits back from the mirror of a book.

use std::path::Path;

use jiff::Timestamp;
use qingyu_formats::{MirrorFile, MirrorSource, chapter_text, chapter_title, mirror};
use qingyu_story::Document;
use qingyu_story::chapters::{ChapterEdit, ChapterName};

use super::folder::{BesideFile, ChangedFile, ChangedFiles, MirrorFolder};
use super::outcome::{
    MirrorConflict, MirrorEdit, MirrorReading, MirrorReadingRecord, MirrorRefusal, MirrorRefusalReason,
};
use crate::error::{ChapterEditRefusal, Error, Noun};
use crate::studio::Studio;

/// Outcome of an edit from a file.
enum FileEdit {
    Edited(MirrorEdit),
    /// The chapter changed meanwhile.
    Changed,
    Refused(MirrorRefusalReason),
}

impl Studio {
    /// Reads the chapters and cards that were edited in the mirror at `folder` back into the project, each in a change of its
    /// own, chapters like any other edit of a chapter. What changed in the studio as well stays, and the studio's text is put
    /// beside the file. A file that is not UTF-8, or whose title is refused, is left out, and so are changes of a
    /// card that cannot be read; the others go on.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be read or is the mirror of another project. Files that were
    /// read back before a failure stay read back.
    pub async fn read_mirror(&self, project: &str, folder: &Path) -> Result<MirrorReading, Error> {
        let (id, mut kept) = self.kept_story(project).await?;
        let title = self.project(&id).await?.title;
        let ChangedFiles { changed, not_utf8, deleted } =
            self.in_mirror(&id, folder, |mirror| mirror.changed()).await?;
        let files = mirror(&kept.story, &title);
        let is_in_book = |path: &String| files.iter().any(|file| file.path == *path);
        let mut reading =
            MirrorReading { deleted: deleted.into_iter().filter(is_in_book).collect(), ..MirrorReading::default() };
        let refused = not_utf8.into_iter().map(|path| MirrorRefusal { path, reason: MirrorRefusalReason::NotUtf8 });
        reading.refused.extend(refused);
        for file in changed {
            if file.written.document.is_empty() {
                match card_in(&file, &files) {
                    Some(card) => self.read_card(&id, &mut kept, folder, &file, &card, &mut reading).await?,
                    None => {
                        let (path, reason) = (file.path, MirrorRefusalReason::WrittenOnly);
                        reading.refused.push(MirrorRefusal { path, reason });
                    }
                }
                continue;
            }
            let found = kept.story.documents.iter().find(|document| document.id == file.written.document);
            let Some(document) = found else {
                reading.conflicts.push(MirrorConflict::gone(file.path));
                continue;
            };
            match self.edit_from(&id, folder, document, &file).await? {
                FileEdit::Edited(edited) => {
                    let version = edited.version;
                    self.in_mirror(&id, folder, move |mirror| mirror.accept(&file, version)).await?;
                    reading.edited.push(edited);
                }
                FileEdit::Changed => reading.conflicts.push(self.conflict(&id, folder, file).await?),
                FileEdit::Refused(reason) => reading.refused.push(MirrorRefusal { path: file.path, reason }),
            }
        }
        let record = MirrorReadingRecord { at: Timestamp::now(), reading: reading.clone() };
        self.in_mirror(&id, folder, move |mirror| mirror.note_reading(record)).await?;
        Ok(reading)
    }

    /// Edits a chapter as in its file: first the title, which may be refused, then the text.
    async fn edit_from(
        &self,
        project: &str,
        folder: &Path,
        document: &Document,
        file: &ChangedFile,
    ) -> Result<FileEdit, Error> {
        let text = chapter_text(&document.text, &file.content);
        let is_new = |title: &String| !title.split(' ').eq(document.title.split_whitespace());
        let new_title = chapter_title(&file.content).filter(is_new);
        let (path, title, version) = (file.path.clone(), document.title.clone(), document.version);
        let mut edit = MirrorEdit { path, title, version, change: None };
        // The studio has this text already, perhaps since a reading that was interrupted.
        if text == document.text && new_title.is_none() {
            return Ok(FileEdit::Edited(edit));
        }
        let (version, of) = (document.version, file.clone());
        let is_current = file.written.version == version
            || self.in_mirror(project, folder, move |mirror| Ok(mirror.is_settled(&of, version))).await?;
        if !is_current {
            return Ok(FileEdit::Changed);
        }
        if let Some(title) = new_title {
            let chapter = ChapterName::from(document.id.clone());
            match self.edit_chapters(project, &ChapterEdit::Rename { chapter, title: title.clone() }).await {
                Ok(renamed) => (edit.title, edit.change) = (title, renamed.change),
                Err(Error::BadChapterEdit { reason: ChapterEditRefusal::NameTaken, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::TitleTaken { title }));
                }
                Err(Error::Unknown { what: Noun::Document, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::NotAChapter { title }));
                }
                Err(Error::BadChapterEdit { message, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::BadTitle { title, message }));
                }
                Err(error) => return Err(error),
            }
        }
        if text != document.text {
            match self.edit_chapter(project, &document.id, &text, Some(document.version)).await {
                Ok(edited) => (edit.version, edit.change) = (edited.version, edited.change.or(edit.change)),
                Err(Error::ChapterChanged { .. }) => return Ok(FileEdit::Changed),
                Err(error) => return Err(error),
            }
        }
        Ok(FileEdit::Edited(edit))
    }

    /// Puts the studio's text beside a file that cannot be read back.
    async fn conflict(&self, project: &str, folder: &Path, file: ChangedFile) -> Result<MirrorConflict, Error> {
        let now = self.chapter_text(project, &file.written.document).await?;
        let content = format!("# {}\n\n{}\n", now.title, now.text.trim_end());
        let path = file.path.clone();
        let put = move |mirror: &mut MirrorFolder| mirror.put_beside(&file, &content, now.version);
        let BesideFile { path: beside, is_kept } = self.in_mirror(project, folder, put).await?;
        Ok(MirrorConflict { path, beside, is_beside_kept: is_kept, title: now.title })
    }
}

/// Returns the id of the card in a file: that of the manifest, or of the file that the book has at the path, since the
/// manifests of early releases have no ids of cards.
fn card_in(file: &ChangedFile, files: &[MirrorFile]) -> Option<String> {
    if !file.written.card.is_empty() {
        return Some(file.written.card.clone());
    }
    let of_path = files.iter().find(|other| other.path == file.path)?;
    match &of_path.source {
        Some(MirrorSource::Card { id, .. }) => Some(id.clone()),
        Some(MirrorSource::Text { .. }) | None => None,
    }
}
