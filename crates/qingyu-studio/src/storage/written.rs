//! Atomic writing of files.

use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a temporary file beside the target and renames it. Creates the folder if missing; an existing file keeps its
/// permissions, and a new file is private to its owner.
pub(crate) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    crate::storage::data_folder::make(folder)?;
    let mut beside = NamedTempFile::with_prefix_in(".qingyu-", folder)?;
    beside.write_all(text.as_bytes())?;
    if let Ok(before) = path.metadata() {
        beside.as_file().set_permissions(before.permissions())?;
    }
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}
