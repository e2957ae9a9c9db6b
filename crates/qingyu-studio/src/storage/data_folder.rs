//! The folder of data and settings.

use std::path::Path;

use crate::error::Error;
use crate::error::failures::FailureContext;

/// Creates the folder if missing.
pub(crate) fn prepare(home: &Path) -> Result<(), Error> {
    make(home).map_err(|error| FailureContext { database: home, run: "" }.file(home, &error))
}

/// Deletes temporary files older than a day, left over from killed restores and exports of the database.
pub(crate) fn sweep(home: &Path, now: std::time::SystemTime) {
    const OLD: std::time::Duration = std::time::Duration::from_secs(86_400);
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(".qingyu-") || name.starts_with(".probe-"));
        let modified = entry.metadata().ok().filter(std::fs::Metadata::is_file).and_then(|file| file.modified().ok());
        let is_old = modified.and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age > OLD);
        if is_temporary && is_old {
            match std::fs::remove_file(entry.path()) {
                Ok(()) => tracing::info!(path = %entry.path().display(), "leftover temporary file removed"),
                Err(error) => {
                    tracing::warn!(path = %entry.path().display(), %error, "failed to remove a leftover file");
                }
            }
        }
    }
}

/// Validates write access to the folder. Used by the doctor only: on a full disk existing data stay readable.
pub(crate) fn probe(home: &Path) -> Result<(), Error> {
    let probe = home.join(format!(".probe-{}-{}", std::process::id(), uuid::Uuid::new_v4().simple()));
    let probed = std::fs::write(&probe, b"qingyu").and_then(|()| std::fs::remove_file(&probe));
    probed.map_err(|error| FailureContext { database: home, run: "" }.file(home, &error))
}

/// Stories are private to the author: no access for other users of the machine.
#[cfg(unix)]
pub(crate) fn make(home: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(home)
}

#[cfg(not(unix))]
pub(crate) fn make(home: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(home)
}

/// Returns the free bytes on the folder's disk; `None` if unknown.
#[cfg(unix)]
pub(crate) fn free_space(home: &Path) -> Option<u64> {
    let existing = home.ancestors().find(|folder| folder.exists())?;
    let system = rustix::fs::statvfs(existing).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn free_space(_home: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_old_temporary_files_are_swept() {
        let home = tempfile::tempdir().unwrap();
        for name in [".qingyu-abc", ".probe-1", "qingyu.db", ".qingyu-new"] {
            std::fs::write(home.path().join(name), "x").unwrap();
        }
        let (now, old) = (std::time::SystemTime::now(), std::time::Duration::from_secs(100_000));
        for name in [".qingyu-abc", ".probe-1", "qingyu.db"] {
            let file = std::fs::File::options().write(true).open(home.path().join(name)).unwrap();
            file.set_modified(now - old).unwrap();
        }
        sweep(home.path(), now);
        let mut left: Vec<_> = home.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".qingyu-new", "qingyu.db"]);
    }

    #[test]
    fn a_new_folder_is_for_its_owner_alone() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("new/home");
        prepare(&home).unwrap();
        for made in [&home, &place.path().join("new")] {
            assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700, "{}", made.display());
        }
    }
}
