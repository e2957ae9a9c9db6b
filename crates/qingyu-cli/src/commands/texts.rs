//! Reading of text files given by the user, shared by all commands; the reader is the same as for `import`.

use std::io::Read;
use std::path::Path;

use qingyu_studio::formats::{DecodedText, Encoding, Format, ReadOptions, TakenBy, decode, read};

use crate::error::Error;
use crate::screen::Screen;

/// The magic number of ZIP archives, including DOCX and EPUB.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// Maximum bytes read of an input: far above the accepted size of a requirement, so that the error can report the
/// actual size.
const READ_LIMIT: u64 = 64 * 1024 * 1024;

/// Reads the text of a file or of standard input in any supported encoding, or the paragraphs of a DOCX or EPUB. The
/// byte order mark is removed and line endings are normalized.
///
/// Fails with [`Error::NotText`] if the content is not text.
pub(crate) fn text_of(path: &Path) -> Result<String, Error> {
    decoded(path).map(|(text, _)| text)
}

/// Does the same, and notes a guessed encoding or undecodable characters on standard error.
pub(super) fn told_text(screen: &Screen, path: &Path) -> Result<String, Error> {
    let (text, encoding) = decoded(path)?;
    if let Some(encoding) =
        encoding.filter(|encoding| encoding.bad > 0 || matches!(encoding.by, TakenBy::Look | TakenBy::Nearly))
    {
        let texts = screen.texts();
        let by = texts.word("taken-by", encoding.by);
        let values = [
            ("path", path.display().to_string().into()),
            ("encoding", encoding.name.as_str().into()),
            ("by", by.into()),
            ("bad", encoding.bad.into()),
        ];
        screen.note(&format!("{}\n", texts.fill("text-encoding", &values)));
    }
    Ok(text)
}

fn decoded(path: &Path) -> Result<(String, Option<Encoding>), Error> {
    let bytes = read_bounded(path)?;
    let not_text = || Error::NotText { path: path.to_path_buf() };
    let (text, encoding) = if bytes.starts_with(ARCHIVE) {
        let reading = ReadOptions { format: Format::of_name(&path.to_string_lossy()), ..ReadOptions::default() };
        let ingested = read(&mut bytes.as_slice(), &reading).map_err(|_| not_text())?;
        (ingested.text, None)
    } else {
        let DecodedText { text, encoding } = decode(&bytes, None).map_err(|_| not_text())?;
        (text, Some(encoding))
    };
    Ok((text.replace("\r\n", "\n"), encoding))
}

/// Reads a file or standard input, up to the general size limit of inputs.
pub(super) fn read_bounded(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = match path.to_str() {
        Some("-") => bounded(std::io::stdin().lock()),
        _ => std::fs::File::open(path).and_then(bounded),
    };
    bytes.map_err(|error| Error::Unreadable { path: path.to_path_buf(), message: error.to_string() })
}

fn bounded(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(READ_LIMIT).read_to_end(&mut bytes).map(|_| bytes)
}
