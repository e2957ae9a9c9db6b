//! Files that are written whole or not at all.

use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes the file beside its place and puts it there when it is whole. Its folder is made if it is not there; a file that is
/// there keeps who may read it, and a new one is for its owner alone.
pub(crate) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    crate::data_folder::make(folder)?;
    let mut beside = NamedTempFile::with_prefix_in(".qingyu-", folder)?;
    beside.write_all(text.as_bytes())?;
    if let Ok(before) = path.metadata() {
        beside.as_file().set_permissions(before.permissions())?;
    }
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}
