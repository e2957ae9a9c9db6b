//! Folders of writing programs, recognized before the general folder of manuscripts.

use std::path::{Path, PathBuf};

use qingyu_studio::formats::{Format, project};

/// The folder of a Scrivener or novelWriter project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProjectFolder {
    /// The folder with the index.
    pub(super) path: PathBuf,
    program: Format,
}

impl ProjectFolder {
    /// Returns the project at `path`: a folder with an index, or an index itself; `None` for anything else.
    ///
    /// An unreadable folder is no project; reading it as a general folder reports the error.
    pub(super) fn at(path: &Path) -> Option<Self> {
        if !path.is_dir() {
            let program = program(path)?;
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            return Some(Self { path: parent.unwrap_or(Path::new(".")).to_path_buf(), program });
        }
        let entries = std::fs::read_dir(path).ok()?;
        let program = entries.flatten().find_map(|entry| program(&entry.path()).filter(|_| entry.path().is_file()))?;
        Some(Self { path: path.to_path_buf(), program })
    }

    /// Returns whether an import needs the file with this name, relative to the folder.
    pub(super) fn needs(&self, name: &str) -> bool {
        project::needs(self.program, name)
    }
}

fn program(path: &Path) -> Option<Format> {
    project::of_index(&path.file_name()?.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_told_by_its_index() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("notes.txt"), "x").unwrap();
        assert_eq!(ProjectFolder::at(folder.path()), None);
        assert_eq!(ProjectFolder::at(&path("notes.txt")), None);
        std::fs::write(path("a.scrivx"), "<a/>").unwrap();
        let found = ProjectFolder::at(folder.path()).unwrap();
        assert_eq!(ProjectFolder::at(&path("a.scrivx")), Some(found.clone()));
        let needed = ["a.scrivx", "Files/Data/1/content.rtf", "Files/Docs/3_synopsis.txt"];
        assert!(needed.iter().all(|name| found.needs(name)));
        let other = ["Snapshots/1/a.rtf", "Settings/ui.plist", "Files/Data/1/picture.png", "notes.txt"];
        assert!(!other.iter().any(|name| found.needs(name)));
    }
}
