//! RTF as written by Word, TextEdit and Scrivener: parser of paragraphs with their headings. Omitted content is
//! counted, as for DOCX.

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::Encoding;

use super::collector::Collector;
use super::faces::{Face, FaceTracker, within};
use super::manuscript::{Extra, Format, Ingested, Origin, ParagraphRole, Truncation};
use crate::{Error, FileLimits};

/// The signature of an RTF file.
pub(crate) const BEGINNING: &[u8] = b"{\\rtf";
/// Maximum nesting depth of groups.
const DEEPEST: usize = 1000;
/// Groups without text of the book.
const SKIPPED: &[&str] = &[
    "colortbl",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "fldinst",
    "xe",
    "tc",
    "listtable",
    "listoverridetable",
    "revtbl",
    "rsidtbl",
    "generator",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "object",
    "objdata",
    "bkmkstart",
    "bkmkend",
    "filetbl",
    "nonesttables",
];

pub(crate) fn read(bytes: &[u8], limits: &FileLimits) -> Result<Ingested, Error> {
    let mut reader = RtfReader {
        bytes,
        at: 0,
        state: GroupState::default(),
        stack: Vec::new(),
        pending: Vec::new(),
        skip: 0,
        page: encoding_rs::WINDOWS_1252,
        fonts: BTreeMap::new(),
        headings: BTreeMap::new(),
        line: String::new(),
        faces: FaceTracker::default(),
        count: 0,
        name: String::new(),
        title: String::new(),
        author: String::new(),
        counted: BTreeSet::new(),
        collector: Collector::new(limits),
    };
    while reader.step()? {}
    reader.flush();
    // A complete file closes every group.
    let is_truncated = !reader.stack.is_empty();
    if is_truncated {
        reader.leave_open_groups();
    }
    reader.end_paragraph();
    if is_truncated {
        let truncation = Truncation::after(None, &reader.collector.text);
        if truncation.characters == 0 {
            return Err(Error::damaged("the file", "it ends in the middle before any text"));
        }
        reader.collector.truncated.push(truncation);
    }
    let (title, author) = (reader.title.trim().to_owned(), reader.author.trim().to_owned());
    let mut ingested = reader.collector.finish(Format::Rtf)?;
    ingested.title = Some(title).filter(|title| !title.is_empty());
    ingested.author = Some(author).filter(|author| !author.is_empty());
    Ok(ingested)
}

/// The destination of a group's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TextDestination {
    /// The book.
    #[default]
    Book,
    /// Discarded.
    Nowhere,
    /// The table of fonts.
    Fonts,
    /// The names of styles.
    Styles,
    /// The title of the document.
    Title,
    /// The author of the document.
    Author,
}

#[derive(Debug, Clone, Copy)]
struct GroupState {
    into: TextDestination,
    font: i64,
    style: i64,
    level: Option<u8>,
    /// Number of fallback characters after a Unicode character.
    fallback: usize,
    is_hidden: bool,
    is_deleted: bool,
    is_marked: bool,
    face: Face,
}

impl Default for GroupState {
    fn default() -> Self {
        Self {
            into: TextDestination::Book,
            font: -1,
            style: 0,
            level: None,
            fallback: 1,
            is_hidden: false,
            is_deleted: false,
            is_marked: false,
            face: Face::default(),
        }
    }
}

struct RtfReader<'b> {
    bytes: &'b [u8],
    at: usize,
    state: GroupState,
    stack: Vec<GroupState>,
    /// Buffered bytes in the encoding of the font.
    pending: Vec<u8>,
    /// Number of fallback characters still to skip.
    skip: usize,
    /// The encoding of the document.
    page: &'static Encoding,
    fonts: BTreeMap<i64, &'static Encoding>,
    /// Heading levels by style number.
    headings: BTreeMap<i64, u8>,
    line: String,
    /// The emphasised stretches of the line.
    faces: FaceTracker,
    count: usize,
    /// The name of the style being parsed.
    name: String,
    title: String,
    author: String,
    /// The groups, by start offset, with content already counted.
    counted: BTreeSet<usize>,
    collector: Collector,
}

impl RtfReader<'_> {
    /// Parses the next token; returns whether there was a token.
    fn step(&mut self) -> Result<bool, Error> {
        let Some(byte) = self.bytes.get(self.at).copied() else { return Ok(false) };
        self.at += 1;
        match byte {
            b'{' => {
                self.flush();
                if self.stack.len() >= DEEPEST {
                    return Err(Error::damaged("the file", "groups stand too deep within groups"));
                }
                self.stack.push(self.state);
            }
            b'}' => {
                self.flush();
                self.end_style();
                self.state = self.stack.pop().unwrap_or_default();
            }
            b'\\' => self.control(),
            b'\r' | b'\n' => {}
            byte => self.byte(byte),
        }
        Ok(true)
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.pending.push(byte);
        }
    }

    fn control(&mut self) {
        let Some(byte) = self.bytes.get(self.at).copied() else { return };
        if !byte.is_ascii_alphabetic() {
            self.at += 1;
            return self.symbol(byte);
        }
        let from = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.bytes[from..self.at]).unwrap_or_default();
        let from = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let number = std::str::from_utf8(&self.bytes[from..self.at]).ok().and_then(|number| number.parse::<i64>().ok());
        if self.at == self.bytes.len() {
            // A truncated file can end within a word or its number.
            return;
        }
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.flush();
        self.word(word, number);
    }

    fn symbol(&mut self, byte: u8) {
        match byte {
            b'\'' => {
                let digits = self.bytes.get(self.at..self.at + 2).and_then(|digits| std::str::from_utf8(digits).ok());
                if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    self.at += 2;
                    self.byte(byte);
                }
            }
            b'\\' | b'{' | b'}' => self.byte(byte),
            b'~' => self.put("\u{a0}"),
            b'_' => self.put("-"),
            b'\r' | b'\n' => self.word("par", None),
            // Readers must skip an unknown destination in such a group.
            b'*' => self.state.is_marked = true,
            _ => {}
        }
    }

    fn word(&mut self, word: &str, number: Option<i64>) {
        let is_on = number != Some(0);
        let is_marked = std::mem::take(&mut self.state.is_marked);
        match word {
            "ansicpg" => self.page = number.and_then(of_page).unwrap_or(self.page),
            "mac" => self.page = encoding_rs::MACINTOSH,
            "uc" => self.state.fallback = number.and_then(|count| usize::try_from(count).ok()).unwrap_or(1).min(16),
            "u" => self.unicode(number.unwrap_or_default()),
            "bin" => {
                let length = number.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
                self.at = self.at.saturating_add(length).min(self.bytes.len());
            }
            "par" | "sect" | "page" | "row" | "cell" => self.end_paragraph(),
            "line" => self.end_paragraph(),
            "tab" => self.put("\t"),
            "emdash" => self.put("—"),
            "endash" => self.put("–"),
            "lquote" => self.put("‘"),
            "rquote" => self.put("’"),
            "ldblquote" => self.put("“"),
            "rdblquote" => self.put("”"),
            "bullet" => self.put("•"),
            "emspace" | "enspace" => self.put(" "),
            "pard" => (self.state.style, self.state.level) = (0, None),
            "plain" => {
                (self.state.is_hidden, self.state.is_deleted) = (false, false);
                self.state.face = Face::default();
            }
            "s" => self.state.style = number.unwrap_or_default(),
            "outlinelevel" => {
                self.state.level =
                    number.and_then(|level| u8::try_from(level.saturating_add(1)).ok()).filter(|level| *level < 10);
            }
            "f" => self.state.font = number.unwrap_or(-1),
            "fcharset" if self.state.into == TextDestination::Fonts => {
                if let Some(encoding) = number.and_then(of_charset) {
                    self.fonts.insert(self.state.font, encoding);
                }
            }
            "b" => self.state.face.bold = is_on,
            "i" => self.state.face.italic = is_on,
            "ul" | "strike" if is_on && self.state.into == TextDestination::Book => self.count_once(Extra::Emphasis),
            "v" => {
                if is_on && !self.state.is_hidden {
                    self.count_once(Extra::Hidden);
                }
                self.state.is_hidden = is_on;
            }
            "deleted" => {
                if is_on && !self.state.is_deleted {
                    self.count_once(Extra::Deletions);
                }
                self.state.is_deleted = is_on;
            }
            "fonttbl" => self.state.into = TextDestination::Fonts,
            "stylesheet" => self.state.into = TextDestination::Styles,
            "info" => self.state.into = TextDestination::Nowhere,
            "title" if self.state.into == TextDestination::Nowhere => self.state.into = TextDestination::Title,
            "author" if self.state.into == TextDestination::Nowhere => self.state.into = TextDestination::Author,
            "pict" => self.leave_out(Extra::Pictures),
            "footnote" => self.leave_out(Extra::Notes),
            "annotation" => self.leave_out(Extra::Comments),
            word if SKIPPED.contains(&word) => self.state.into = TextDestination::Nowhere,
            _ if is_marked && self.state.into == TextDestination::Book => self.state.into = TextDestination::Nowhere,
            _ => {}
        }
    }

    fn unicode(&mut self, number: i64) {
        // Numbers above 32,767 are written as negative numbers; characters beyond the first plane as two surrogates.
        let unit = u16::try_from(number & 0xffff).unwrap_or_default();
        let half = [unit];
        let mut text = String::new();
        match char::decode_utf16(half).next() {
            Some(Ok(c)) => text.push(c),
            _ if (0xd800..0xdc00).contains(&unit) => return self.pair(unit),
            _ => {}
        }
        self.put(&text);
        self.skip = self.state.fallback;
    }

    /// The low surrogate comes after the high surrogate and its fallback characters.
    fn pair(&mut self, high: u16) {
        let mut skip = self.state.fallback;
        while skip > 0 && self.bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'\\' | b'{' | b'}')) {
            self.at += 1;
            skip -= 1;
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(digits) = rest.strip_prefix(b"\\u") else { return };
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
        let number = std::str::from_utf8(&digits[..length]).ok().and_then(|number| number.parse::<i64>().ok());
        let Some(low) = number.and_then(|number| u16::try_from(number & 0xffff).ok()) else { return };
        if let Some(Ok(c)) = char::decode_utf16([high, low]).next() {
            self.at += 2 + length;
            if self.bytes.get(self.at) == Some(&b' ') {
                self.at += 1;
            }
            self.put(c.encode_utf8(&mut [0; 4]));
            self.skip = self.state.fallback;
        }
    }

    /// Decodes the buffered bytes.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let encoding = self.fonts.get(&self.state.font).copied().unwrap_or(self.page);
        let bytes = std::mem::take(&mut self.pending);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        let text = text.into_owned();
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        if self.state.is_hidden || self.state.is_deleted {
            return;
        }
        match self.state.into {
            TextDestination::Book => {
                self.faces.set(self.line.len(), self.state.face);
                self.line.push_str(text);
            }
            TextDestination::Styles => self.name.push_str(text),
            TextDestination::Title => self.title.push_str(text),
            TextDestination::Author => self.author.push_str(text),
            TextDestination::Nowhere | TextDestination::Fonts => {}
        }
    }

    /// The end of a group in the style sheet is the end of a style: `{\s1 heading 1;}`.
    fn end_style(&mut self) {
        if self.state.into == TextDestination::Styles {
            let name = std::mem::take(&mut self.name);
            let name = name.trim().trim_end_matches(';').to_lowercase();
            let level =
                ["heading ", "标题 ", "標題 "].iter().find_map(|word| name.strip_prefix(word)?.trim().parse().ok());
            let level = level.or_else(|| (name == "title").then_some(0)).or(self.state.level);
            if let Some(level) = level.filter(|level| *level < 10) {
                self.headings.insert(self.state.style, level);
            }
        }
    }

    fn end_paragraph(&mut self) {
        if self.state.into != TextDestination::Book {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let spans = self.faces.take(line.len());
        let level = self.state.level.or_else(|| self.headings.get(&self.state.style).copied());
        let role = match level {
            Some(0) => ParagraphRole::Title,
            Some(level) if !line.trim().is_empty() => ParagraphRole::Heading(level),
            _ => ParagraphRole::Text,
        };
        self.count += 1;
        let origin = Origin::Entry { name: "document".into(), paragraph: self.count };
        // A tab at the beginning of a paragraph is an indent.
        let part = line.len() - line.trim_start_matches('\t').len()..line.len();
        let spans = within(&spans, &part);
        self.collector.push_emphasised(&line[part], &spans, role, origin, false);
    }

    /// Leaves the groups still open at the end of a truncated file, up to the text of the book.
    fn leave_open_groups(&mut self) {
        while self.state.into != TextDestination::Book {
            let Some(outer) = self.stack.pop() else { break };
            self.state = outer;
        }
        // The last character can lack a byte.
        self.line.truncate(self.line.trim_end_matches('\u{fffd}').len());
    }

    /// Discards the rest of the group and counts the omission.
    fn leave_out(&mut self, what: Extra) {
        if self.state.into == TextDestination::Book {
            self.collector.leave_out(what);
        }
        self.state.into = TextDestination::Nowhere;
    }

    /// Counts a character format, at most once per group.
    fn count_once(&mut self, what: Extra) {
        if self.counted.insert(self.stack.len() << 32 | self.count) {
            self.collector.leave_out(what);
        }
    }
}

/// Returns the encoding of a code page.
fn of_page(page: i64) -> Option<&'static Encoding> {
    let label = match page {
        936 | 54936 => "gb18030".to_owned(),
        950 => "big5".to_owned(),
        932 => "shift_jis".to_owned(),
        949 => "euc-kr".to_owned(),
        874 => "windows-874".to_owned(),
        65001 => "utf-8".to_owned(),
        10000 => "macintosh".to_owned(),
        1250..=1258 => format!("windows-{page}"),
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
}

/// Returns the encoding of a font's character set; `None` for the default of the document.
fn of_charset(charset: i64) -> Option<&'static Encoding> {
    of_page(match charset {
        134 => 936,
        136 => 950,
        128 => 932,
        129 => 949,
        77 => 10000,
        204 => 1251,
        238 => 1250,
        161 => 1253,
        162 => 1254,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        163 => 1258,
        222 => 874,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
