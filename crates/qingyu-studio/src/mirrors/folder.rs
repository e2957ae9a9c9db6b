//! The files of a mirror. A file that was changed outside is never overwritten nor deleted.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use qingyu_formats::{MirrorFile, MirrorSource, file_name};
use qingyu_story::digest::{hexadecimal, prefix};
use serde::{Deserialize, Serialize};

use super::outcome::{MirrorReadingRecord, MirrorUpdateRecord};
use crate::storage::written::write_whole;

/// The file in a mirror with its [`MirrorState`].
pub(super) const STATE: &str = ".qingyu-mirror.json";

/// Manifest of a mirror folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MirrorState {
    /// The project.
    pub(super) project: String,
    /// The version of the project that was written.
    pub(super) version: u64,
    /// The written files, by path below the folder.
    pub(super) files: BTreeMap<String, WrittenFile>,
    /// The files that left the mirror since the last commit.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) removed: BTreeSet<String>,
    /// The last update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_update: Option<MirrorUpdateRecord>,
    /// The last time that edits were read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_reading: Option<MirrorReadingRecord>,
}

/// A file of a mirror, as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WrittenFile {
    /// The digest of the content.
    pub(super) digest: String,
    /// The text of the book in it; empty for a card.
    pub(super) document: String,
    /// The version of the text.
    pub(super) version: u32,
    /// The id of the piece, for a card.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) card: String,
    /// The size and time of the file after it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stamp: Option<FileStamp>,
    /// The version of the text that was put beside the file after a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beside: Option<u32>,
    /// The digest of the content put beside the file; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) beside_digest: String,
}

impl WrittenFile {
    fn of(file: &MirrorFile) -> Self {
        let digest = digest(&file.content);
        match &file.source {
            Some(MirrorSource::Text { document, version }) => {
                Self { digest, document: document.clone(), version: *version, ..Self::default() }
            }
            Some(MirrorSource::Card { id, .. }) => Self { digest, card: id.clone(), ..Self::default() },
            None => Self { digest, ..Self::default() },
        }
    }
}

/// The size and the time of the last change of a file. As long as both stay, an update reads the file only if the book has
/// something else to write there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    size: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

/// A file of a mirror that was changed outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    pub(super) content: String,
    pub(super) written: WrittenFile,
}

impl ChangedFile {
    /// Returns whether the file was written with `content`.
    pub(super) fn was_written_as(&self, content: &str) -> bool {
        self.written.digest == digest(content)
    }
}

/// The files of a mirror that were changed outside since they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChangedFiles {
    pub(super) changed: Vec<ChangedFile>,
    /// The paths of files that are not UTF-8.
    pub(super) not_utf8: Vec<String>,
    /// The paths of files that were deleted.
    pub(super) deleted: Vec<String>,
}

/// The file beside another one, after a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BesideFile {
    pub(super) path: String,
    /// Whether it was edited, so that it was not replaced by the studio's text.
    pub(super) is_kept: bool,
}

/// The paths that an update touched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TouchedFiles {
    pub(super) written: Vec<String>,
    pub(super) removed: Vec<String>,
    /// The files left as they are, since they were changed outside.
    pub(super) kept: Vec<String>,
    /// The number of files that were read.
    pub(super) read: usize,
}

/// A folder with the mirror of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MirrorFolder {
    pub(super) path: PathBuf,
    pub(super) state: MirrorState,
}

impl MirrorFolder {
    /// Opens the folder, existing or not, as the mirror of `project`; `None` if it is the mirror of another project.
    pub(super) fn open(path: &Path, project: &str) -> io::Result<Option<Self>> {
        let state =
            state_in(path)?.unwrap_or_else(|| MirrorState { project: project.to_owned(), ..MirrorState::default() });
        Ok((state.project == project).then(|| Self { path: path.to_owned(), state }))
    }

    /// Opens the mirror of a project below `root`, where each book has a folder named by its title; a folder with an
    /// earlier title is renamed.
    pub(super) fn below(root: &Path, project: &str, title: &str) -> io::Result<Self> {
        let old = mirrors_below(root)?.into_iter().find(|mirror| mirror.state.project == project);
        Self::titled(root, old, project, title)
    }

    /// Opens the mirror of a project below `root` like [`below`](Self::below), but reads no mirror of another project:
    /// `known` is the folder of the mirror, if it has one.
    pub(super) fn known_below(root: &Path, known: Option<&Path>, project: &str, title: &str) -> io::Result<Self> {
        let name = file_name(title);
        let places =
            known.map(Path::to_owned).into_iter().chain([root.join(&name), root.join(beside_other(&name, project))]);
        for path in places {
            if let Some(state) = logged(state_in(&path)).filter(|state| state.project == project) {
                return Self::titled(root, Some(Self { path, state }), project, title);
            }
        }
        match known {
            // It was moved.
            Some(_) => Self::below(root, project, title),
            None => Self::titled(root, None, project, title),
        }
    }

    fn titled(root: &Path, old: Option<Self>, project: &str, title: &str) -> io::Result<Self> {
        let name = file_name(title);
        let wanted = root.join(&name);
        if let Some(old) = old {
            if old.path == wanted || wanted.exists() {
                return Ok(old);
            }
            std::fs::rename(&old.path, &wanted)?;
            return Ok(Self { path: wanted, state: old.state });
        }
        let path = if wanted.exists() { root.join(beside_other(&name, project)) } else { wanted };
        let state = MirrorState { project: project.to_owned(), ..MirrorState::default() };
        Ok(Self { path, state })
    }

    /// Writes the files that differ, and deletes those that are no longer part of the book.
    pub(super) fn update(&mut self, files: &[MirrorFile], version: u64) -> io::Result<TouchedFiles> {
        let mut touched = TouchedFiles::default();
        for file in files {
            let mut written = WrittenFile::of(file);
            let known = self.state.files.get(&file.path);
            let stamp = known.filter(|known| known.digest == written.digest).and_then(|known| known.stamp);
            if stamp.is_some() && self.stamp(&file.path) == stamp {
                written.stamp = stamp;
                self.state.files.insert(file.path.clone(), written);
                continue;
            }
            touched.read += 1;
            let now = match self.content(&file.path)? {
                FileContent::Text(now) => Some(now),
                FileContent::Missing => None,
                FileContent::NotUtf8 => {
                    touched.kept.push(file.path.clone());
                    continue;
                }
            };
            let is_as_written = |now: &String| known.is_some_and(|known| known.digest == digest(now));
            let is_ours = now.as_ref().is_none_or(|now| *now == file.content || is_as_written(now));
            if !is_ours {
                touched.kept.push(file.path.clone());
                continue;
            }
            if now.as_ref() != Some(&file.content) {
                put(&self.path.join(&file.path), &file.content)?;
                touched.written.push(file.path.clone());
            }
            written.stamp = self.stamp(&file.path);
            self.state.removed.remove(&file.path);
            self.state.files.insert(file.path.clone(), written);
        }
        let current: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let gone: Vec<String> =
            self.state.files.keys().filter(|path| !current.contains(path.as_str())).cloned().collect();
        for path in gone {
            match self.content(&path)? {
                FileContent::NotUtf8 => {
                    touched.kept.push(path);
                    continue;
                }
                FileContent::Text(now) if digest(&now) != self.state.files[&path].digest => {
                    touched.kept.push(path);
                    continue;
                }
                FileContent::Text(_) => {
                    std::fs::remove_file(self.path.join(&path))?;
                    touched.removed.push(path.clone());
                }
                FileContent::Missing => {}
            }
            self.state.files.remove(&path);
            self.state.removed.insert(path);
        }
        self.state.version = version;
        self.save()?;
        Ok(touched)
    }

    /// Returns the files that were changed outside since they were written.
    pub(super) fn changed(&self) -> io::Result<ChangedFiles> {
        let mut files = ChangedFiles::default();
        for (path, written) in &self.state.files {
            match self.content(path)? {
                FileContent::NotUtf8 => files.not_utf8.push(path.clone()),
                FileContent::Text(content) if digest(&content) != written.digest => {
                    files.changed.push(ChangedFile { path: path.clone(), content, written: written.clone() });
                }
                FileContent::Text(_) => {}
                FileContent::Missing => files.deleted.push(path.clone()),
            }
        }
        Ok(files)
    }

    /// Notes that a version of a text was read back from its file, and saves the manifest.
    pub(super) fn accept(&mut self, changed: &ChangedFile, version: u32) -> io::Result<()> {
        let WrittenFile { document, card, .. } = changed.written.clone();
        let digest = digest(&changed.content);
        self.note(&changed.path, WrittenFile { digest, document, version, card, ..WrittenFile::default() })
    }

    /// Notes that a card was read back from its file as far as possible, and saves the manifest. `content` is the file of
    /// the card as it is now: a file with more stays as it is, since it differs from that.
    pub(super) fn accept_card(&mut self, changed: &ChangedFile, card: &str, content: &str) -> io::Result<()> {
        let written = WrittenFile { digest: digest(content), card: card.to_owned(), ..WrittenFile::default() };
        self.note(&changed.path, written)
    }

    /// Notes an update, and saves the manifest.
    pub(super) fn note_update(&mut self, update: MirrorUpdateRecord) -> io::Result<()> {
        self.state.last_update = Some(update);
        self.save()
    }

    /// Notes that edits were read back, and saves the manifest.
    pub(super) fn note_reading(&mut self, reading: MirrorReadingRecord) -> io::Result<()> {
        self.state.last_reading = Some(reading);
        self.save()
    }

    fn note(&mut self, path: &str, as_written: WrittenFile) -> io::Result<()> {
        if let Some(written) = self.state.files.get_mut(path) {
            *written = as_written;
        }
        self.save()
    }

    /// Puts the studio's text beside a file after a conflict, and saves the manifest. A copy that was edited outside
    /// stays as it is.
    pub(super) fn put_beside(&mut self, changed: &ChangedFile, content: &str, version: u32) -> io::Result<BesideFile> {
        let path = beside(&changed.path);
        let is_ours = match self.content(&path)? {
            FileContent::NotUtf8 => false,
            FileContent::Missing => true,
            FileContent::Text(now) => {
                let known = self.state.files.get(&changed.path).map(|written| written.beside_digest.as_str());
                now == content || known == Some(digest(&now).as_str())
            }
        };
        if is_ours {
            put(&self.path.join(&path), content)?;
            if let Some(written) = self.state.files.get_mut(&changed.path) {
                written.beside = Some(version);
                written.beside_digest = digest(content);
            }
            self.save()?;
        }
        Ok(BesideFile { path, is_kept: !is_ours })
    }

    /// Returns whether the author has settled a conflict with this version of the text: its copy beside the file was
    /// deleted.
    pub(super) fn is_settled(&self, changed: &ChangedFile, version: u32) -> bool {
        changed.written.beside == Some(version) && !self.path.join(beside(&changed.path)).exists()
    }

    /// Returns whether the author has settled a conflict with this content of a card: its copy beside the file was deleted.
    pub(super) fn is_card_settled(&self, changed: &ChangedFile, content: &str) -> bool {
        let has_been_beside = changed.written.beside_digest == digest(content);
        has_been_beside && !self.path.join(beside(&changed.path)).exists()
    }

    /// Saves the manifest.
    pub(super) fn save(&self) -> io::Result<()> {
        put(&self.path.join(STATE), &format!("{}\n", serde_json::to_string_pretty(&self.state)?))
    }

    fn stamp(&self, path: &str) -> Option<FileStamp> {
        let file = std::fs::metadata(self.path.join(path)).ok()?;
        let modified = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(FileStamp { size: file.len(), modified: u64::try_from(modified).ok()? })
    }

    fn content(&self, path: &str) -> io::Result<FileContent> {
        match std::fs::read(self.path.join(path)) {
            Ok(bytes) => Ok(String::from_utf8(bytes).map_or(FileContent::NotUtf8, FileContent::Text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(FileContent::Missing),
            Err(error) => Err(named(&self.path.join(path), &error)),
        }
    }
}

/// Content of a file of a mirror.
enum FileContent {
    Text(String),
    NotUtf8,
    Missing,
}

/// Returns the mirrors in the folders below `root`. A damaged or unreadable one is logged and left out.
pub(super) fn mirrors_below(root: &Path) -> io::Result<Vec<MirrorFolder>> {
    let states = folders_below(root)?.into_iter().filter_map(|path| {
        let state = logged(state_in(&path))?;
        Some(MirrorFolder { path, state })
    });
    Ok(states.collect())
}

/// The projects of the mirrors below a folder, with the versions found when they were read first.
#[derive(Debug, Default)]
pub(super) struct MirrorIndex {
    mirrors: BTreeMap<PathBuf, (String, u64)>,
}

impl MirrorIndex {
    /// Reads the mirrors below `root` that are not known yet, and forgets those that are gone; returns the number of
    /// mirrors read.
    pub(super) fn refresh(&mut self, root: &Path) -> io::Result<usize> {
        let mut read = 0;
        let mut mirrors = BTreeMap::new();
        for path in folders_below(root)? {
            let known = self.mirrors.remove(&path).or_else(|| {
                let state = logged(state_in(&path))?;
                read += 1;
                Some((state.project, state.version))
            });
            mirrors.extend(known.map(|known| (path, known)));
        }
        self.mirrors = mirrors;
        Ok(read)
    }

    /// Returns the folder of a project's mirror.
    pub(super) fn folder(&self, project: &str) -> Option<&Path> {
        self.mirrors.iter().find(|(_, (of, _))| of == project).map(|(path, _)| path.as_path())
    }

    /// Returns the projects with the versions found when their mirrors were read first.
    pub(super) fn versions(&self) -> BTreeMap<String, u64> {
        self.mirrors.values().cloned().collect()
    }
}

fn folders_below(root: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(root, &error)),
    };
    let log = |error: &io::Error| tracing::warn!(%error, root = %root.display(), "failed to read a folder of mirrors");
    Ok(entries.filter_map(|entry| entry.inspect_err(log).ok()).map(|entry| entry.path()).collect())
}

/// Returns a manifest; a failure is logged.
fn logged(state: io::Result<Option<MirrorState>>) -> Option<MirrorState> {
    state.inspect_err(|error| tracing::warn!(%error, "failed to read a mirror")).ok().flatten()
}

/// Returns the name of the folder of a project beside a folder with the same name.
fn beside_other(name: &str, project: &str) -> String {
    format!("{name} {project}")
}

/// Returns the manifest of a folder, without paths that lead out of it; `None` if the folder is no mirror.
fn state_in(folder: &Path) -> io::Result<Option<MirrorState>> {
    let path = folder.join(STATE);
    match std::fs::read(&path) {
        Ok(bytes) => {
            let mut state: MirrorState = serde_json::from_slice(&bytes).map_err(|error| named(&path, &error.into()))?;
            state.files.retain(|path, _| is_inside(path));
            state.removed.retain(|path| is_inside(path));
            Ok(Some(state))
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(named(&path, &error)),
    }
}

/// Returns whether a path below a folder stays in it.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn beside(path: &str) -> String {
    format!("{}.studio.md", path.strip_suffix(".md").unwrap_or(path))
}

/// Writes a file whole or not at all; an error names the file.
fn put(path: &Path, content: &str) -> io::Result<()> {
    write_whole(path, content).map_err(|error| named(path, &error))
}

fn digest(content: &str) -> String {
    hexadecimal(&prefix::<16>(content.as_bytes()))
}

/// Returns the error with the path in its message.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
