//! RTF, as Word, TextEdit and Scrivener write it: paragraphs with their headings. What is not taken over is counted, as for
//! DOCX.

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::Encoding;

use super::{Collector, Extra, Format, Ingested, Origin, Role};
use crate::{Error, Limits};

/// What such a file begins with.
pub(crate) const BEGINNING: &[u8] = b"{\\rtf";
/// Groups within groups, at most.
const DEEPEST: usize = 1000;
/// Groups whose text is none of the book.
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

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Ingested, Error> {
    let mut reader = Reader {
        bytes,
        at: 0,
        state: State::default(),
        stack: Vec::new(),
        pending: Vec::new(),
        skip: 0,
        page: encoding_rs::WINDOWS_1252,
        fonts: BTreeMap::new(),
        headings: BTreeMap::new(),
        line: String::new(),
        count: 0,
        name: String::new(),
        title: String::new(),
        author: String::new(),
        counted: BTreeSet::new(),
        collector: Collector::new(limits),
    };
    while reader.step()? {}
    reader.flush();
    reader.end_paragraph();
    let (title, author) = (reader.title.trim().to_owned(), reader.author.trim().to_owned());
    let mut ingested = reader.collector.finish(Format::Rtf)?;
    ingested.title = Some(title).filter(|title| !title.is_empty());
    ingested.author = Some(author).filter(|author| !author.is_empty());
    Ok(ingested)
}

/// Where the text of a group goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sink {
    /// The book.
    #[default]
    Book,
    /// Nowhere.
    Nowhere,
    /// The table of fonts.
    Fonts,
    /// The names of styles.
    Styles,
    /// The title of the document.
    Title,
    /// Its author.
    Author,
}

#[derive(Debug, Clone, Copy)]
struct State {
    into: Sink,
    font: i64,
    style: i64,
    level: Option<u8>,
    /// How many characters stand in for one of Unicode.
    fallback: usize,
    is_hidden: bool,
    is_deleted: bool,
    is_marked: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            into: Sink::Book,
            font: -1,
            style: 0,
            level: None,
            fallback: 1,
            is_hidden: false,
            is_deleted: false,
            is_marked: false,
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    state: State,
    stack: Vec<State>,
    /// Bytes in the encoding of the font.
    pending: Vec<u8>,
    /// How many characters are still to be passed over behind one of Unicode.
    skip: usize,
    /// The encoding of the document.
    page: &'static Encoding,
    fonts: BTreeMap<i64, &'static Encoding>,
    /// The levels of the styles that are headings.
    headings: BTreeMap<i64, u8>,
    line: String,
    count: usize,
    /// The name of the style that is being read.
    name: String,
    title: String,
    author: String,
    /// The groups, by where they begin, of which something was counted already.
    counted: BTreeSet<usize>,
    collector: Collector,
}

impl Reader<'_> {
    /// Reads one sign; says whether there was one.
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
            // What a reader does not know in such a group it is to pass over.
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
            "plain" => (self.state.is_hidden, self.state.is_deleted) = (false, false),
            "s" => self.state.style = number.unwrap_or_default(),
            "outlinelevel" => {
                self.state.level =
                    number.and_then(|level| u8::try_from(level.saturating_add(1)).ok()).filter(|level| *level < 10);
            }
            "f" => self.state.font = number.unwrap_or(-1),
            "fcharset" if self.state.into == Sink::Fonts => {
                if let Some(encoding) = number.and_then(of_charset) {
                    self.fonts.insert(self.state.font, encoding);
                }
            }
            "b" | "i" if is_on && self.state.into == Sink::Book => self.count_once(Extra::Emphasis),
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
            "fonttbl" => self.state.into = Sink::Fonts,
            "stylesheet" => self.state.into = Sink::Styles,
            "info" => self.state.into = Sink::Nowhere,
            "title" if self.state.into == Sink::Nowhere => self.state.into = Sink::Title,
            "author" if self.state.into == Sink::Nowhere => self.state.into = Sink::Author,
            "pict" => self.leave_out(Extra::Pictures),
            "footnote" => self.leave_out(Extra::Notes),
            "annotation" => self.leave_out(Extra::Comments),
            word if SKIPPED.contains(&word) => self.state.into = Sink::Nowhere,
            _ if is_marked && self.state.into == Sink::Book => self.state.into = Sink::Nowhere,
            _ => {}
        }
    }

    fn unicode(&mut self, number: i64) {
        // Numbers beyond 32,767 are written as negative ones; those beyond the first plane as two halves.
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

    /// The second half of a character beyond the first plane stands behind the first and its stand-ins.
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

    /// Decodes the bytes that wait.
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
            Sink::Book => self.line.push_str(text),
            Sink::Styles => self.name.push_str(text),
            Sink::Title => self.title.push_str(text),
            Sink::Author => self.author.push_str(text),
            Sink::Nowhere | Sink::Fonts => {}
        }
    }

    /// The end of a group in the style sheet is the end of a style: `{\s1 heading 1;}`.
    fn end_style(&mut self) {
        if self.state.into == Sink::Styles {
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
        if self.state.into != Sink::Book {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let level = self.state.level.or_else(|| self.headings.get(&self.state.style).copied());
        let role = match level {
            Some(0) => Role::Title,
            Some(level) if !line.trim().is_empty() => Role::Heading(level),
            _ => Role::Text,
        };
        self.count += 1;
        let origin = Origin::Entry { name: "document".into(), paragraph: self.count };
        self.collector.push(line.trim_start_matches('\t'), role, origin, false);
    }

    /// The rest of the group is not taken over.
    fn leave_out(&mut self, what: Extra) {
        if self.state.into == Sink::Book {
            self.collector.leave_out(what);
        }
        self.state.into = Sink::Nowhere;
    }

    /// Counts a face once a group.
    fn count_once(&mut self, what: Extra) {
        if self.counted.insert(self.stack.len() << 32 | self.count) {
            self.collector.leave_out(what);
        }
    }
}

/// The encoding of a code page.
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

/// The encoding of a font's character set, if it is another than that of the document.
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
mod tests {
    use super::*;

    type Told = (Vec<(String, Role)>, Vec<(Extra, usize)>, Option<String>);

    fn told(rtf: &str) -> Told {
        let ingested = read(rtf.as_bytes(), &Limits::default()).unwrap();
        let paragraph = |one: &super::super::Paragraph| (ingested.text[one.range.clone()].to_owned(), one.role);
        let lines = ingested.paragraphs.iter().map(paragraph).filter(|(text, _)| !text.is_empty()).collect();
        let left = ingested.left_out.iter().map(|left| (left.what, left.count)).collect();
        (lines, left, ingested.title)
    }

    #[test]
    fn chinese_in_bytes_and_in_unicode() {
        let rtf = r"{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 SimSun;}{\f1\fcharset0 Times;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\info{\title \'ba\'d3\'b5\'c6}{\author A}}
\pard\s1\f0 \'b5\'da\'d2\'bb\'d5\'c2\par
\pard\plain\f1 {\b He} left.\u8212 ?\u12300 ?\u-2507 ?\line\f0\'cb\'fb\'d7\'df\'c1\'cb\'a1\'a3\par}";
        let (lines, left, title) = told(rtf);
        let texts: Vec<(&str, Role)> = lines.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        assert_eq!(
            texts,
            [("第一章", Role::Heading(1)), ("He left.—「\u{f635}", Role::Text), ("他走了。", Role::Text)]
        );
        assert_eq!((left, title.as_deref()), (vec![(Extra::Emphasis, 1)], Some("河灯")));
    }

    #[test]
    fn what_is_no_text_is_counted() {
        let rtf = r"{\rtf1\ansi One{\footnote a note}{\*\annotation a word}{\*\unknown x} two{\pict 00ff}{\v hidden} three\u-10179 ?\u-8704 ?\par}";
        let (lines, left, _) = told(rtf);
        assert_eq!(lines, [("One two three😀".to_owned(), Role::Text)]);
        let known: Vec<Extra> = left.into_iter().map(|(what, _)| what).collect();
        assert_eq!(known, [Extra::Notes, Extra::Comments, Extra::Pictures, Extra::Hidden]);
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for rtf in [
            "{\\rtf1",
            "{\\rtf1 text",
            "{\\rtf1 \\u",
            "{\\rtf1 \\'",
            "{\\rtf1 \\bin99999999999 x}",
            "{\\rtf1 }}}} x",
            "{\\rtf1\\u-10179 ",
        ] {
            assert!(read(rtf.as_bytes(), &Limits::default()).is_ok(), "{rtf}");
        }
        assert!(read("{".repeat(5000).as_bytes(), &Limits::default()).is_err());
    }
}
