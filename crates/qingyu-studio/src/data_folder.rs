//! The folder of data and settings.

use std::path::Path;

use crate::Error;
use crate::failures::Place;

/// Makes the folder if it is not there.
pub(crate) fn prepare(home: &Path) -> Result<(), Error> {
    make(home).map_err(|error| Place { database: home, run: "" }.file(home, &error))
}

/// Sees that the folder can be written. Only the doctor asks: on a full disk, what is there can still be read.
pub(crate) fn probe(home: &Path) -> Result<(), Error> {
    let probe = home.join(format!(".probe-{}-{}", std::process::id(), uuid::Uuid::new_v4().simple()));
    let probed = std::fs::write(&probe, b"qingyu").and_then(|()| std::fs::remove_file(&probe));
    probed.map_err(|error| Place { database: home, run: "" }.file(home, &error))
}

/// The story is the author's: nobody else on the machine may read it.
#[cfg(unix)]
pub(crate) fn make(home: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(home)
}

#[cfg(not(unix))]
pub(crate) fn make(home: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(home)
}

/// Free bytes where the folder is; none where the system does not say.
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
    fn a_new_folder_is_for_its_owner_alone() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("new/home");
        prepare(&home).unwrap();
        for made in [&home, &place.path().join("new")] {
            assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700, "{}", made.display());
        }
    }
}
