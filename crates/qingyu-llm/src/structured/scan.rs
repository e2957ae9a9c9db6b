//! Lenient scanner for JSON-like text: finds the end and normalizes the text to JSON where unambiguous.
//!
//! Handles string errors of models that a general repair cannot see: curly and full-width quotes as delimiters,
//! full-width punctuation between values, raw newlines, and unescaped quotes inside speech. A quote ends its string
//! only if the following text may follow a string at the position.

use std::fmt::Write;

/// The result of a scan.
#[derive(Debug, Default)]
pub(super) struct JsonScan {
    /// Length of the value in bytes.
    pub(super) length: usize,
    /// Whether the closing bracket is present.
    pub(super) whole: bool,
    /// The text normalized to JSON quotes, punctuation and escapes, without comments.
    pub(super) normal: String,
    /// Whether the text was elided with `...`.
    pub(super) elided: bool,
}

/// Scans the value starting with the bracket at the start of `text`.
pub(super) fn scan(text: &str) -> JsonScan {
    let mut scanner = JsonScanner { text, at: 0, open: Vec::new(), place: ScanState::Value, scan: JsonScan::default() };
    scanner.run();
    scanner.scan
}

/// The scan position within an object or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    Key,
    Value,
    /// After a value, before the comma.
    After,
}

struct JsonScanner<'a> {
    text: &'a str,
    at: usize,
    open: Vec<char>,
    place: ScanState,
    scan: JsonScan,
}

impl<'a> JsonScanner<'a> {
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            match c {
                '"' | '“' | '”' | '＂' | '\'' => {
                    self.string(c);
                    continue;
                }
                '/' | '#' if self.skip_comment() => continue,
                '.' | '…' if self.skip_ellipsis() => continue,
                _ => {}
            }
            self.at += c.len_utf8();
            match plain(c) {
                bracket @ ('{' | '[') => self.opened(bracket),
                bracket @ ('}' | ']') => {
                    if self.closed(bracket) {
                        self.scan.whole = true;
                        break;
                    }
                }
                mark => self.marked(mark),
            }
        }
        self.scan.length = self.at;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn opened(&mut self, bracket: char) {
        self.scan.normal.push(bracket);
        self.open.push(bracket);
        self.place = if bracket == '{' { ScanState::Key } else { ScanState::Value };
    }

    /// Closes the innermost bracket of the given kind; an unmatched bracket is removed. Returns true for the outermost.
    fn closed(&mut self, bracket: char) -> bool {
        let opening = if bracket == '}' { '{' } else { '[' };
        let Some(depth) = self.open.iter().rposition(|&open| open == opening) else { return false };
        for forgotten in self.open.drain(depth + 1..).rev() {
            self.scan.normal.push(if forgotten == '{' { '}' } else { ']' });
        }
        self.open.pop();
        self.scan.normal.push(bracket);
        self.place = ScanState::After;
        self.open.is_empty()
    }

    fn marked(&mut self, mark: char) {
        self.scan.normal.push(mark);
        self.place = match mark {
            ':' => ScanState::Value,
            ',' if self.open.last() == Some(&'{') => ScanState::Key,
            ',' => ScanState::Value,
            mark if mark.is_whitespace() || self.place != ScanState::Value || self.in_array() => self.place,
            _ => ScanState::After,
        };
    }

    fn in_array(&self) -> bool {
        self.open.last() == Some(&'[')
    }

    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            return false;
        };
        self.at += length;
        true
    }

    fn skip_ellipsis(&mut self) -> bool {
        let length = self.rest().len() - self.rest().trim_start_matches(['.', '…']).len();
        let elided = length >= "...".len();
        self.scan.elided |= elided;
        if elided {
            self.at += length;
        }
        elided
    }

    fn string(&mut self, quote: char) {
        // After a value with a missing comma, a string in an object is the next key.
        if self.place == ScanState::After && !self.in_array() {
            self.place = ScanState::Key;
        }
        self.at += quote.len_utf8();
        self.scan.normal.push('"');
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            if self.ends(quote, c) {
                break;
            }
            match c {
                '\\' => self.escape(),
                c => self.push_in_string(c),
            }
        }
        self.scan.normal.push('"');
        if self.place == ScanState::Value && !self.in_array() {
            self.place = ScanState::After;
        }
    }

    fn ends(&self, opening: char, c: char) -> bool {
        pairs(opening, c) && self.can_follow_string(self.rest())
    }

    /// Returns whether `rest` may follow a string at the current position.
    fn can_follow_string(&self, rest: &str) -> bool {
        let inside = rest.trim_start();
        let Some(next) = inside.chars().next() else { return true };
        let behind = inside[next.len_utf8()..].trim_start();
        match plain(next) {
            ':' => self.place == ScanState::Key,
            '}' | ']' => true,
            ',' if self.place == ScanState::Key => false,
            ',' if self.in_array() => behind.is_empty() || opens_value(behind),
            ',' => behind.is_empty() || opens_member(behind),
            '/' => behind.starts_with(['/', '*']),
            '"' | '“' | '＂' => rest[..rest.len() - inside.len()].contains('\n'),
            _ => false,
        }
    }

    fn escape(&mut self) {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return self.scan.normal.push_str("\\\\") };
        let unicode = || rest.len() > 4 && rest.as_bytes()[1..5].iter().all(u8::is_ascii_hexdigit);
        match c {
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => self.scan.normal.extend(['\\', c]),
            'u' if unicode() => self.scan.normal.push_str("\\u"),
            '\'' => self.scan.normal.push('\''),
            c => {
                self.scan.normal.push_str("\\\\");
                self.push_in_string(c);
            }
        }
        self.at += c.len_utf8();
    }

    fn push_in_string(&mut self, c: char) {
        let normal = &mut self.scan.normal;
        match c {
            '"' => normal.push_str("\\\""),
            '\n' => normal.push_str("\\n"),
            '\r' => normal.push_str("\\r"),
            '\t' => normal.push_str("\\t"),
            c if c < ' ' => write!(normal, "\\u{:04x}", c as u32).expect("writing to a string cannot fail"),
            c => normal.push(c),
        }
    }
}

/// Returns the JSON character for a full-width character between values.
fn plain(c: char) -> char {
    match c {
        '：' => ':',
        '，' => ',',
        '｛' => '{',
        '｝' => '}',
        '［' => '[',
        '］' => ']',
        '\u{3000}' | '\u{A0}' | '\u{FEFF}' | '\u{200B}' => ' ',
        c => c,
    }
}

/// Returns whether `c` may close `opening`.
fn pairs(opening: char, c: char) -> bool {
    match opening {
        '\'' => matches!(c, '\'' | '’'),
        '"' => matches!(c, '"' | '＂'),
        _ => matches!(c, '"' | '＂' | '“' | '”'),
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '＂' | '\'')
}

/// Returns whether `text` starts with a value, a closing bracket or a comment.
fn opens_value(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return true };
    is_quote(first)
        || matches!(plain(first), '{' | '[' | '}' | ']' | '-' | '0'..='9' | '/' | '#' | '.' | '…')
        || opens_literal(text)
}

/// Returns whether `text` starts with `true`, `None` or similar.
pub(super) fn opens_literal(text: &str) -> bool {
    let word: String = text.chars().take_while(char::is_ascii_alphanumeric).collect();
    matches!(word.as_str(), "true" | "false" | "null" | "True" | "False" | "None" | "NaN" | "undefined")
}

/// Returns whether `text` starts with a key and colon, a closing bracket or a comment.
fn opens_member(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some(quote) if is_quote(quote) => {
            let mut escaped = false;
            let ended = characters.any(|c| {
                let ends = !escaped && pairs(quote, c);
                escaped = c == '\\' && !escaped;
                ends
            });
            let behind = characters.as_str().trim_start();
            !ended || behind.is_empty() || behind.starts_with([':', '：'])
        }
        Some(first) => matches!(plain(first), '}' | ']' | '/' | '#' | '.' | '…') || opens_bare_key(text),
        None => true,
    }
}

/// Returns whether `text` starts with an unquoted key and colon.
pub(super) fn opens_bare_key(text: &str) -> bool {
    let key = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    key.len() < text.len() && key.trim_start().starts_with([':', '：'])
}
