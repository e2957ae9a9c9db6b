//! Writer of reproducible archives, with text valid in XML.

use std::io::Write;

use quick_xml::escape::escape;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::book::WriteSeek;
use crate::Error;

/// An archive written entry by entry.
pub(super) struct PackageWriter<'s> {
    zip: ZipWriter<&'s mut dyn WriteSeek>,
}

impl<'s> PackageWriter<'s> {
    pub(super) fn new(sink: &'s mut dyn WriteSeek) -> Self {
        Self { zip: ZipWriter::new(sink) }
    }

    /// Begins an entry, the destination of later writes.
    pub(super) fn begin(&mut self, name: &str, method: CompressionMethod) -> Result<(), Error> {
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(false);
        Ok(self.zip.start_file(name, options)?)
    }

    pub(super) fn put(&mut self, text: &str) -> Result<(), Error> {
        self.put_bytes(text.as_bytes())
    }

    pub(super) fn put_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.zip.write_all(bytes).map_err(Error::Write)
    }

    /// Writes a whole entry.
    pub(super) fn entry(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.begin(name, CompressionMethod::Deflated)?;
        self.put(text)
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        self.zip.finish()?;
        Ok(())
    }
}

/// Escapes `text` for an element or an attribute; characters invalid in XML become `�`.
pub(super) fn xml(text: &str) -> String {
    let forbidden = |c: char| matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.contains(forbidden) {
        escape(text.replace(forbidden, "\u{fffd}")).into_owned()
    } else {
        escape(text).into_owned()
    }
}

/// Returns the modification time in the format of packages: to the second, in UTC.
pub(super) fn modified(given: &str) -> &str {
    let bytes = given.as_bytes();
    let fits = bytes.len() == 20 && bytes[4] == b'-' && bytes[10] == b'T' && bytes[19] == b'Z';
    if fits && given.is_ascii() { given } else { "2000-01-01T00:00:00Z" }
}
