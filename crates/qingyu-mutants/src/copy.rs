//! A copy of the working tree, in which sources are changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use anyhow::{Context, Result, ensure};

/// The names of what was copied, in the folder.
const LIST: &str = ".copied";

/// A folder that holds what the working tree holds, as git sees it: without what is built and fetched.
pub(crate) struct Copy {
    pub root: PathBuf,
}

impl Copy {
    /// Brings the folder up to date. What is the same keeps its time, so that cargo builds only what has changed; what was
    /// copied once and is gone from the tree goes from the folder.
    ///
    /// # Errors
    /// If git does not say what there is, or a file cannot be read or written.
    pub(crate) fn of(tree: &Path, root: PathBuf, but: &BTreeSet<PathBuf>) -> Result<Self> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(tree)
            .output();
        let listed = listed.context("git is needed, to see which files there are")?;
        ensure!(listed.status.success(), "git: {}", String::from_utf8_lossy(&listed.stderr).trim());
        let copy = Self { root };
        let mut copied = BTreeSet::new();
        for name in listed.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
            let name = Path::new(std::str::from_utf8(name).context("a file's name is no UTF-8")?);
            if but.contains(name) {
                continue;
            }
            match fs::read(tree.join(name)) {
                Ok(content) => {
                    copy.write(name, &content)?;
                    copied.insert(name);
                }
                // Deleted and not committed yet.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| tree.join(name).display().to_string()),
            }
        }
        copy.drop_others(&copied, but)?;
        Ok(copy)
    }

    /// Removes what was copied before and is not copied now, unless it is written otherwise.
    fn drop_others(&self, copied: &BTreeSet<&Path>, but: &BTreeSet<PathBuf>) -> Result<()> {
        let list = self.root.join(LIST);
        let before = fs::read_to_string(&list).unwrap_or_default();
        for name in before.lines().map(Path::new).filter(|name| !copied.contains(name) && !but.contains(*name)) {
            let path = self.root.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| path.display().to_string());
                }
                _ => {}
            }
        }
        let names: Vec<_> = copied.iter().map(|name| name.to_string_lossy()).collect();
        self.write(Path::new(LIST), names.join("\n").as_bytes())
    }

    /// Writes a file, if it is not the same already.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, name: &Path, content: &[u8]) -> Result<()> {
        let path = self.root.join(name);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::write(&path, content).with_context(|| path.display().to_string())
    }
}
