//! The files of recordings in the data folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::settings::values;

/// Returns the cassette folder of a data folder.
pub(crate) fn folder(home: &Path) -> PathBuf {
    home.join("cassettes")
}

/// Returns the path of a run's cassette in a data folder.
pub(crate) fn file(home: &Path, run: &str) -> PathBuf {
    folder(home).join(format!("{run}.jsonl"))
}

/// Deletes expired cassettes, then the oldest cassettes until the total size is within the limit.
pub(crate) fn prune(folder: &Path, kept: values::CassetteSettings, now: SystemTime) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let file = |entry: std::fs::DirEntry| {
        let path = entry.path();
        let data = entry.metadata().ok().filter(|_| path.extension().is_some_and(|extension| extension == "jsonl"))?;
        Some((data.modified().ok()?, data.len(), path))
    };
    let mut files: Vec<_> = entries.filter_map(|entry| file(entry.ok()?)).collect();
    // Newest first.
    files.sort_by(|(a, ..), (b, ..)| b.cmp(a));
    let oldest = kept.keep_days.and_then(|days| now.checked_sub(Duration::from_secs(u64::from(days) * 86_400)));
    let most = kept.keep_megabytes.map_or(u64::MAX, |megabytes| megabytes.saturating_mul(1_000_000));
    let mut size = 0u64;
    for (modified, length, path) in files {
        size = size.saturating_add(length);
        if (oldest.is_some_and(|oldest| modified < oldest) || size > most)
            && let Err(error) = std::fs::remove_file(&path)
        {
            tracing::warn!(path = %path.display(), %error, "failed to remove an old recording");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_recordings_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for (name, days, megabytes) in [("a", 1, 1), ("b", 5, 1), ("c", 20, 1), ("d", 100, 1), ("note.txt", 100, 9)] {
            let name = if name.contains('.') { name.to_owned() } else { format!("{name}.jsonl") };
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_len(megabytes * 1_000_000).unwrap();
            file.set_modified(now - Duration::from_secs(days * 86_400)).unwrap();
        }
        let left = |days, megabytes| {
            prune(
                folder.path(),
                values::CassetteSettings { record: true, keep_days: days, keep_megabytes: megabytes },
                now,
            );
            let mut names: Vec<_> = std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(left(None, None), "a.jsonl b.jsonl c.jsonl d.jsonl note.txt");
        assert_eq!(left(Some(50), None), "a.jsonl b.jsonl c.jsonl note.txt");
        assert_eq!(left(Some(50), Some(2)), "a.jsonl b.jsonl note.txt");
        assert_eq!(left(None, Some(0)), "note.txt");
    }
}
