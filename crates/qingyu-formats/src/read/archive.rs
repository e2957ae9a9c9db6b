//! Reading of untrusted archives: entries are read to memory by name, within limits, and never written to files.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::{Error, FileLimits};

const WHOLE: &str = "the archive";
/// Signature of the end record of an archive, and its length without the comment.
const END: (&[u8], usize) = (b"PK\x05\x06", 22);

/// An archive with a validated directory.
pub(crate) struct ZipReader<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    limits: FileLimits,
    left: u64,
}

impl<'b> ZipReader<'b> {
    /// Opens the archive in `bytes`.
    ///
    /// Returns an error for features of no real manuscript: too many entries, duplicate names, overlapping entries,
    /// links, path traversal, encryption.
    pub(crate) fn open(bytes: &'b [u8], limits: &FileLimits) -> Result<Self, Error> {
        let announced = announced(bytes)
            .ok_or_else(|| Error::damaged(WHOLE, "it ends in the middle without its list of contents"))?;
        if announced > limits.entries {
            return Err(Error::TooLarge { place: WHOLE.into(), limit: limits.entries as u64, unit: "entries" });
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(WHOLE, &error))?;
        if zip.len() != announced {
            return Err(Error::refused(WHOLE, "two entries have the same name"));
        }
        for index in 0..zip.len() {
            let entry = zip.by_index_raw(index).map_err(|error| damaged(WHOLE, &error))?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            if entry.encrypted() {
                return Err(Error::Protected { place: name });
            }
            if entry.is_symlink() {
                return Err(Error::refused(&name, "it is a link"));
            }
            if name.len() > FileLimits::NAME {
                return Err(Error::TooLarge {
                    place: WHOLE.into(),
                    limit: FileLimits::NAME as u64,
                    unit: "bytes in a name",
                });
            }
            if leads_elsewhere(&name) {
                return Err(Error::refused(&name, "its name leads out of the archive"));
            }
        }
        if zip.has_overlapping_entries().map_err(|error| damaged(WHOLE, &error))? {
            return Err(Error::refused(WHOLE, "its entries lie upon each other"));
        }
        Ok(Self { zip, limits: limits.clone(), left: limits.unpacked })
    }

    /// Returns whether the entry exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// Returns the bytes of an entry; `None` if the entry does not exist.
    pub(crate) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let entry = self.zip.by_index(index).map_err(|error| damaged(name, &error))?;
        let packed = entry.compressed_size().max(1);
        let most = self.limits.entry.min(packed.saturating_mul(self.limits.ratio).max(FileLimits::FREE)).min(self.left);
        let mut bytes = Vec::new();
        let read =
            entry.take(most + 1).read_to_end(&mut bytes).map_err(|error| Error::damaged(name, error.to_string()))?;
        if read as u64 > most {
            return Err(Error::TooLarge { place: name.into(), limit: most, unit: "bytes" });
        }
        self.left -= read as u64;
        Ok(Some(bytes))
    }

    /// Returns the bytes of a required entry, or an error if the entry does not exist.
    pub(crate) fn need(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        self.read(name)?.ok_or_else(|| Error::damaged(WHOLE, format!("'{name}' is missing")))
    }
}

/// Returns the number of entries in the end record; 65,535 for ZIP64.
fn announced(bytes: &[u8]) -> Option<usize> {
    let from = bytes.len().saturating_sub(END.1 + usize::from(u16::MAX));
    let tail = &bytes[from..];
    let at = tail.windows(END.1).rposition(|window| window.starts_with(END.0))?;
    Some(usize::from(u16::from_le_bytes([tail[at + 10], tail[at + 11]])))
}

fn leads_elsewhere(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    let up = name.split(['/', '\\']).any(|part| part == "..");
    drive || up || name.starts_with(['/', '\\']) || name.contains('\0')
}

fn damaged(place: &str, error: &ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(why) if why.contains("assword") => Error::Protected { place: place.into() },
        other => Error::damaged(place, other.to_string()),
    }
}
