//! JSON files of notes: one file per note, replaced as a whole.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// Returns the value in a file; `None` if there is no such file.
///
/// Fails with [`io::ErrorKind::InvalidData`] if the file holds another value.
pub async fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match tokio::fs::read(path).await {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a value to a temporary file beside `path` and renames it, so that readers never see a partial file. Creates the
/// folder if it is missing.
pub async fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    let beside = path.with_extension(format!("{}.new", Uuid::now_v7().simple()));
    tokio::fs::write(&beside, serde_json::to_vec(value)?).await?;
    tokio::fs::rename(&beside, path).await
}
