//! Texts that the user names as files: one reader for all commands, the same that `import` has.

use std::path::Path;

use qingyu_studio::formats::{Encoding, Format, Reading, TakenBy, decode, read};

use super::read_bounded;
use crate::error::Error;
use crate::screen::Screen;

/// What an archive begins with: DOCX and EPUB are ones.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// The text of a file or of standard input, in whatever encoding it is; of a DOCX or an EPUB its paragraphs. A byte order
/// mark is none of it, and lines end as they do here.
///
/// Fails with [`Error::NotText`] if it is none.
pub(crate) fn text_of(path: &Path) -> Result<String, Error> {
    decoded(path).map(|(text, _)| text)
}

/// The same, and says if the encoding is a guess, or if something of the text makes no sense in it.
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
        let reading = Reading { format: Format::of_name(&path.to_string_lossy()), ..Reading::default() };
        let ingested = read(&mut bytes.as_slice(), &reading).map_err(|_| not_text())?;
        (ingested.text, None)
    } else {
        let decoded = decode(&bytes, None).map_err(|_| not_text())?;
        (decoded.text, Some(decoded.encoding))
    };
    Ok((text.replace("\r\n", "\n"), encoding))
}
