//! Archives with the same bytes every time, and text that XML can hold.

use std::io::Write;

use quick_xml::escape::escape;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Sink;
use crate::Error;

/// An archive that is being written, entry by entry.
pub(super) struct Package<'s> {
    zip: ZipWriter<&'s mut dyn Sink>,
}

impl<'s> Package<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink) -> Self {
        Self { zip: ZipWriter::new(sink) }
    }

    /// Begins an entry; what is written from here on goes into it.
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

    /// A whole entry.
    pub(super) fn entry(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.begin(name, CompressionMethod::Deflated)?;
        self.put(text)
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        self.zip.finish()?;
        Ok(())
    }
}

/// `text` for an element or an attribute; what no XML may hold is shown as `�`.
pub(super) fn xml(text: &str) -> String {
    let forbidden = |c: char| matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.contains(forbidden) {
        escape(text.replace(forbidden, "\u{fffd}")).into_owned()
    } else {
        escape(text).into_owned()
    }
}

/// When a book was changed, as packages say it: to the second, in UTC.
pub(super) fn modified(given: &str) -> &str {
    let bytes = given.as_bytes();
    let fits = bytes.len() == 20 && bytes[4] == b'-' && bytes[10] == b'T' && bytes[19] == b'Z';
    if fits && given.is_ascii() { given } else { "2000-01-01T00:00:00Z" }
}
