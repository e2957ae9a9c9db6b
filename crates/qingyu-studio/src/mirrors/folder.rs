//! The files of a mirror. A file that was changed outside is never overwritten nor deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use qingyu_formats::{MirrorFile, MirrorSource, file_name};
use qingyu_story::digest::{hexadecimal, prefix};
use serde::{Deserialize, Serialize};

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
    /// The version of the text that was put beside the file after a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beside: Option<u32>,
    /// The digest of the content put beside the file; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) beside_digest: String,
}

/// A file of a mirror that was changed outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    pub(super) content: String,
    pub(super) written: WrittenFile,
}

/// The files of a mirror that were changed outside since they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChangedFiles {
    pub(super) changed: Vec<ChangedFile>,
    /// The paths of files that are not UTF-8.
    pub(super) not_utf8: Vec<String>,
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
        let name = file_name(title);
        let wanted = root.join(&name);
        let old = mirrors_below(root)?.into_iter().find(|mirror| mirror.state.project == project);
        if let Some(old) = old {
            if old.path == wanted || wanted.exists() {
                return Ok(old);
            }
            std::fs::rename(&old.path, &wanted)?;
            return Ok(Self { path: wanted, state: old.state });
        }
        let path = if wanted.exists() { root.join(format!("{name} {project}")) } else { wanted };
        let state = MirrorState { project: project.to_owned(), ..MirrorState::default() };
        Ok(Self { path, state })
    }

    /// Writes the files that differ, and deletes those that are no longer part of the book.
    pub(super) fn update(&mut self, files: &[MirrorFile], version: u64) -> io::Result<TouchedFiles> {
        let mut touched = TouchedFiles::default();
        for file in files {
            let known = self.state.files.get(&file.path);
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
            let (document, version) = match &file.source {
                Some(MirrorSource { document, version }) => (document.clone(), *version),
                None => (String::new(), 0),
            };
            let written = WrittenFile { digest: digest(&file.content), document, version, ..WrittenFile::default() };
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
                FileContent::Text(_) | FileContent::Missing => {}
            }
        }
        Ok(files)
    }

    /// Notes that the content of a file is that of a version of its text, and saves the manifest.
    pub(super) fn accept(&mut self, changed: &ChangedFile, version: u32) -> io::Result<()> {
        if let Some(written) = self.state.files.get_mut(&changed.path) {
            let document = changed.written.document.clone();
            *written = WrittenFile { digest: digest(&changed.content), document, version, ..WrittenFile::default() };
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

    /// Saves the manifest.
    pub(super) fn save(&self) -> io::Result<()> {
        put(&self.path.join(STATE), &format!("{}\n", serde_json::to_string_pretty(&self.state)?))
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
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(root, &error)),
    };
    let mut mirrors = Vec::new();
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                tracing::warn!(%error, root = %root.display(), "failed to read a folder of mirrors");
                continue;
            }
        };
        match state_in(&path) {
            Ok(Some(state)) => mirrors.push(MirrorFolder { path, state }),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "failed to read a mirror"),
        }
    }
    Ok(mirrors)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &str, version: u32) -> MirrorFile {
        let source = MirrorSource { document: path.to_owned(), version };
        MirrorFile { path: path.to_owned(), content: content.to_owned(), source: Some(source) }
    }

    #[test]
    fn only_what_differs_is_written_and_nothing_of_the_authors_is_lost() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("书");
        let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
        let first = [file("a/1.md", "一", 1), file("a/2.md", "二", 1), file("a/3.md", "三", 1)];
        assert_eq!(mirror.update(&first, 1).unwrap().written.len(), 3);
        let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
        assert_eq!(mirror.update(&first, 1).unwrap(), TouchedFiles::default());
        std::fs::write(path.join("a/2.md"), "二改").unwrap();
        std::fs::write(path.join("a/4.md"), "别人的").unwrap();
        assert_eq!(mirror.changed().unwrap().changed.len(), 1);
        let second = [file("a/1.md", "一新", 2), file("a/2.md", "二新", 2), file("a/4.md", "四", 1)];
        let touched = mirror.update(&second, 2).unwrap();
        assert_eq!(touched.written, ["a/1.md"]);
        assert_eq!(touched.removed, ["a/3.md"]);
        assert_eq!(touched.kept, ["a/2.md", "a/4.md"], "changed outside, and not ours");
        assert_eq!(std::fs::read_to_string(path.join("a/2.md")).unwrap(), "二改");
        assert_eq!(MirrorFolder::open(&path, "p-2").unwrap(), None, "the mirror of another project");
    }

    #[test]
    fn a_file_in_another_encoding_is_neither_read_nor_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
        mirror.update(&[file("1.md", "一", 1), file("2.md", "二", 1), file("3.md", "三", 1)], 1).unwrap();
        let gbk = [0xd3_u8, 0xea];
        std::fs::write(home.path().join("1.md"), gbk).unwrap();
        std::fs::write(home.path().join("2.md"), "二改").unwrap();
        std::fs::write(home.path().join("3.md"), gbk).unwrap();
        let changed = mirror.changed().unwrap();
        assert_eq!(changed.not_utf8, ["1.md", "3.md"]);
        assert_eq!(changed.changed.len(), 1, "the others go on");
        let touched = mirror.update(&[file("1.md", "一新", 2)], 2).unwrap();
        assert_eq!(touched.kept, ["1.md", "2.md", "3.md"]);
        assert_eq!(std::fs::read(home.path().join("1.md")).unwrap(), gbk);
        assert_eq!(std::fs::read(home.path().join("3.md")).unwrap(), gbk, "no longer part of the book");
    }

    #[test]
    fn a_path_outside_the_folder_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("书");
        let outside = home.path().join("outside.md");
        std::fs::write(&outside, "别动").unwrap();
        let written = || WrittenFile { digest: digest("别动"), ..WrittenFile::default() };
        let paths = ["../outside.md", outside.to_str().unwrap(), "a/../../outside.md", "", "a/1.md"];
        let files = paths.iter().map(|path| ((*path).to_owned(), written())).collect();
        let removed = paths.iter().map(|path| (*path).to_owned()).collect();
        let state = MirrorState { project: "p-1".into(), version: 1, files, removed };
        MirrorFolder { path: path.clone(), state }.save().unwrap();
        let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
        assert_eq!(mirror.state.files.keys().collect::<Vec<_>>(), ["a/1.md"]);
        assert_eq!(mirror.state.removed.iter().collect::<Vec<_>>(), ["a/1.md"]);
        mirror.update(&[], 2).unwrap();
        assert!(outside.exists());
    }

    #[test]
    fn a_damaged_mirror_does_not_hide_the_others() {
        let home = tempfile::tempdir().unwrap();
        let mut mirror = MirrorFolder::below(home.path(), "p-1", "雨夜").unwrap();
        mirror.update(&[], 1).unwrap();
        let damaged = home.path().join("坏");
        std::fs::create_dir(&damaged).unwrap();
        std::fs::write(damaged.join(STATE), "{").unwrap();
        assert_eq!(mirrors_below(home.path()).unwrap().len(), 1);
    }

    #[test]
    fn an_edited_copy_beside_a_file_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
        mirror.update(&[file("1.md", "一", 1)], 1).unwrap();
        std::fs::write(home.path().join("1.md"), "一改").unwrap();
        let changed = mirror.changed().unwrap().changed.remove(0);
        let put = mirror.put_beside(&changed, "一新", 2).unwrap();
        assert_eq!(put, BesideFile { path: "1.studio.md".into(), is_kept: false });
        assert!(!mirror.put_beside(&changed, "一更新", 3).unwrap().is_kept, "ours is replaced");
        let copy = home.path().join("1.studio.md");
        std::fs::write(&copy, "作者在这里合并").unwrap();
        let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
        assert!(mirror.put_beside(&changed, "一最新", 4).unwrap().is_kept);
        assert_eq!(std::fs::read_to_string(&copy).unwrap(), "作者在这里合并");
    }

    #[test]
    fn each_book_has_a_folder_of_its_own_and_keeps_it() {
        let home = tempfile::tempdir().unwrap();
        let open = |project: &str, title: &str| {
            let mut mirror = MirrorFolder::below(home.path(), project, title).unwrap();
            mirror.update(&[], 1).unwrap();
            mirror.path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(open("p-1", "雨夜"), "雨夜");
        assert_eq!(open("p-2", "雨夜"), "雨夜 p-2");
        assert_eq!(open("p-1", "雨/夜 二"), "雨 夜 二");
        assert_eq!(mirrors_below(home.path()).unwrap().len(), 2);
    }
}
