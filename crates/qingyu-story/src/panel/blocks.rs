//! The panels of a text.

use std::ops::Range;

use super::line::PanelItem;
use super::value::PanelValue;
use super::words::PanelWords;
use super::{Panel, PanelEntry};
use crate::names::fold;

/// The most lines of a bracket that opens in one line and closes in another.
const LONGEST_BRACKET: usize = 60;
/// The most blank lines between two lines of one panel.
const MOST_BLANK: usize = 1;

/// Returns the panels of a text, in order.
///
/// A panel is a run of lines in `【】` or `[]`, in bold, quoted with `>` or in a table, or the lines `key：value` below a
/// title. Brackets within a line of narration count too. A bracket or line without a number, a step or a name is not a
/// panel.
pub(crate) fn panels(text: &str) -> Vec<Panel> {
    let words = PanelWords::for_text(text);
    // A line of its own may be the title of a panel without brackets.
    let has_title = || lines(text).any(|line| is_title(&text[line], words));
    // Most chapters of most books have none.
    let may_have =
        text.contains(['【', '[', '|', '［', '`']) || text.contains("**") || text.contains('>') || has_title();
    if !may_have {
        return Vec::new();
    }
    let mut reader = BlockReader { text, words, open: None, blank: 0, panels: Vec::new() };
    let mut skip_to = 0;
    for line in lines(text) {
        if line.start < skip_to {
            continue;
        }
        skip_to = reader.line(line);
    }
    reader.close();
    reader.panels
}

/// Returns the lines of a text without their ends, as byte ranges.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end().len()
    })
}

/// Returns whether a line is a title alone: `——面板——`, `Status`, `林青的属性`.
fn is_title(line: &str, words: &PanelWords) -> bool {
    const LONGEST: usize = 24;
    let bare = bare_title(line);
    let folded = fold(bare);
    let is_long = bare.is_empty()
        || bare.chars().count() > LONGEST
        || bare.contains(['。', '，', '？', '！', '“', '?', '!', ',']);
    !is_long && words.titles.iter().any(|title| folded.ends_with(title.as_str()))
}

fn bare_title(line: &str) -> &str {
    line.trim().trim_matches(|c: char| !c.is_alphanumeric()).trim()
}

/// A panel that is being read.
struct OpenPanel {
    panel: Panel,
    /// Whether a title opened it, so that plain lines count.
    is_titled: bool,
    is_of_other: bool,
}

struct BlockReader<'t> {
    text: &'t str,
    words: &'static PanelWords,
    open: Option<OpenPanel>,
    blank: usize,
    panels: Vec<Panel>,
}

impl BlockReader<'_> {
    /// Reads a line, and returns where the next line to read may begin.
    fn line(&mut self, line: Range<usize>) -> usize {
        let words = &self.text[line.clone()];
        if words.trim().is_empty() {
            self.blank += 1;
            if self.blank > MOST_BLANK {
                self.close();
            }
            return line.end;
        }
        self.blank = 0;
        let trimmed = self.trimmed(line.clone());
        let opener = self.text[trimmed.clone()].chars().next();
        if opener.is_some_and(|c| matches!(c, '【' | '[' | '［')) {
            return self.brackets(trimmed);
        }
        if self.text[trimmed.clone()].starts_with('|') {
            self.table_row(trimmed);
            return line.end;
        }
        let is_marked = words.trim_start().starts_with(['>', '*', '`']) && trimmed.start > line.start;
        if is_title(&self.text[trimmed.clone()], self.words) {
            self.begin(trimmed);
            return line.end;
        }
        let is_listed = is_marked || self.open.as_ref().is_some_and(|open| open.is_titled);
        if is_listed && self.items(trimmed.clone()) {
            return line.end;
        }
        self.close();
        // Brackets within narration.
        let mut from = line.start;
        while let Some(at) = self.text[from..line.end].find('【') {
            let start = from + at;
            let Some(end) = self.text[start..line.end].find('】').map(|end| start + end) else { break };
            self.content(start + '【'.len_utf8()..end);
            from = end + '】'.len_utf8();
        }
        self.close();
        line.end
    }

    /// Strips quote marks, bold and bullets from both ends of a line.
    fn trimmed(&self, line: Range<usize>) -> Range<usize> {
        let words = &self.text[line.clone()];
        let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '*' | '_' | '`' | '•' | '▶' | '◆' | '■');
        let start = words.len() - words.trim_start_matches(is_mark).len();
        let end = words.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`')).len();
        line.start + start..line.start + end.max(start)
    }

    /// Reads the brackets from the beginning of a line; returns the offset after them.
    fn brackets(&mut self, line: Range<usize>) -> usize {
        let mut at = line.start;
        let mut last = line.end;
        loop {
            let Some(opener) = self.text[at..].chars().next() else { return last };
            let closer = match opener {
                '【' => '】',
                '［' => '］',
                _ => ']',
            };
            let inside = at + opener.len_utf8();
            let limit =
                lines(&self.text[inside..]).take(LONGEST_BRACKET).last().map_or(inside, |line| inside + line.end);
            let Some(end) = self.text[inside..limit].find(closer).map(|end| inside + end) else {
                self.close();
                return last;
            };
            // A link, a reference or an aside in brackets is no box.
            let behind = self.text[end + closer.len_utf8()..].chars().next();
            if closer == ']' && matches!(behind, Some('(' | '[')) {
                self.close();
                return last;
            }
            at = end + closer.len_utf8();
            let line_end = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
            if self.labelled(inside..end, at..line_end) {
                return last.max(line_end);
            }
            self.content(inside..end);
            last = last.max(line_end);
            let gap = self.text[at..line_end].len() - self.text[at..line_end].trim_start().len();
            let is_next = self.text[at + gap..line_end].starts_with(['【', '[', '［']);
            if !is_next {
                if !self.text[at..line_end].trim_matches(|c: char| c.is_whitespace() || c == '*').is_empty() {
                    self.close();
                }
                return last;
            }
            at += gap;
        }
    }

    /// Reads a bracket that names the value behind it, `【境界】金丹中期`; returns whether it is one.
    fn labelled(&mut self, inside: Range<usize>, behind: Range<usize>) -> bool {
        const LONGEST: usize = 16;
        let (key, value) = (self.text[inside.clone()].trim(), self.text[behind.clone()].trim());
        let is_label = (2..=LONGEST / 2).contains(&key.chars().count())
            && key.chars().all(char::is_alphabetic)
            && !value.is_empty()
            && value.chars().count() <= LONGEST
            && value.starts_with(char::is_alphanumeric)
            && !value.contains(['。', '，', '！', '？', '“', '：', ':', '【']);
        if is_label {
            let item = PanelItem { key: key.to_owned(), value: PanelValue::read(value) };
            self.push(item, inside.start..behind.end);
        }
        is_label
    }

    /// Reads the inside of a bracket: a title, entries, or both.
    fn content(&mut self, range: Range<usize>) {
        let mut is_first = true;
        for line in lines(&self.text[range.clone()]) {
            let line = self.trimmed(range.start + line.start..range.start + line.end);
            let words = &self.text[line.clone()];
            if words.is_empty() {
                continue;
            }
            match is_first && is_title(words, self.words) {
                true => self.begin(line),
                false => drop(self.items(line)),
            }
            is_first = false;
        }
    }

    fn table_row(&mut self, line: Range<usize>) {
        let words = &self.text[line.clone()];
        let mut cells = Vec::new();
        let mut at = line.start;
        for cell in words.split('|') {
            let range = self.trimmed(at..at + cell.len());
            at += cell.len() + 1;
            if !self.text[range.clone()].is_empty() {
                cells.push(range);
            }
        }
        if cells.iter().all(|cell| self.text[cell.clone()].chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            return;
        }
        let row = line.start..line.end;
        for pair in cells.chunks_exact(2) {
            let (key, value) = (self.text[pair[0].clone()].trim_end_matches([':', '：']), &self.text[pair[1].clone()]);
            let item = PanelItem { key: key.to_owned(), value: PanelValue::read(value) };
            self.push(item, row.clone());
        }
    }

    /// Reads the entries of a line, and returns whether there are any.
    fn items(&mut self, line: Range<usize>) -> bool {
        let text = self.text;
        let words = &text[line.clone()];
        if let Some(item) = PanelItem::read(words, false).filter(|item| !is_several(words, item)) {
            self.push(item, line);
            return true;
        }
        let items: Vec<PanelItem> = split(words).filter_map(|part| PanelItem::read(part, true)).collect();
        let any = !items.is_empty();
        items.into_iter().for_each(|item| self.push(item, line.clone()));
        any
    }

    fn begin(&mut self, title: Range<usize>) {
        self.close();
        let words = bare_title(&self.text[title.clone()]).to_owned();
        let is_of_other = self.words.is_of_other(&words);
        let panel = Panel { range: title, title: words, is_sheet: true, owner: String::new(), entries: Vec::new() };
        self.open = Some(OpenPanel { panel, is_titled: true, is_of_other });
    }

    fn push(&mut self, item: PanelItem, range: Range<usize>) {
        let key = fold(&item.key);
        let is_owner = self.words.owners.contains(&key);
        // A second name begins the panel of somebody else.
        if is_owner && self.open.as_ref().is_some_and(|open| !open.panel.owner.is_empty()) {
            self.close();
        }
        let open = self.open.get_or_insert_with(|| OpenPanel {
            panel: Panel {
                range: range.clone(),
                title: String::new(),
                is_sheet: false,
                owner: String::new(),
                entries: Vec::new(),
            },
            is_titled: false,
            is_of_other: false,
        });
        open.panel.range.end = open.panel.range.end.max(range.end);
        if is_owner {
            if let PanelValue::Text(name) = &item.value
                && open.panel.owner.is_empty()
            {
                open.panel.owner.clone_from(name);
                open.panel.is_sheet = true;
            }
            return;
        }
        open.is_of_other |= self.words.is_of_other(&item.key);
        let left = ["剩余", "当前", "现有", "Remaining ", "Current "];
        let bare = left.iter().find_map(|word| item.key.strip_prefix(word)).filter(|key| !key.trim().is_empty());
        let bare = bare.map_or(item.key.as_str(), str::trim);
        if !self.words.is_skipped(&item.key) && !self.words.is_skipped(bare) {
            open.panel.entries.push(PanelEntry { key: bare.to_owned(), value: item.value, range });
        }
    }

    fn close(&mut self) {
        let Some(OpenPanel { mut panel, is_of_other, .. }) = self.open.take() else { return };
        let amounts = panel.entries.iter().filter(|entry| matches!(entry.value, PanelValue::Amount { .. })).count();
        panel.is_sheet |= amounts > 1;
        if !is_of_other && !panel.entries.is_empty() {
            self.panels.push(panel);
        }
    }
}

/// Returns whether the item is only the first of several in the words: the value of its key holds another key.
fn is_several(words: &str, item: &PanelItem) -> bool {
    let PanelValue::Text(value) = &item.value else { return false };
    words.contains(value.as_str()) && value.contains([':', '：', '+', '＋']) && split(words).count() > 1
}

/// Splits a line at marks that part entries. A comma between digits is part of a number.
fn split(words: &str) -> impl Iterator<Item = &str> {
    let bytes = words.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut from = 0;
    let marks: Vec<(usize, usize)> = words
        .char_indices()
        .filter(|(at, c)| match c {
            '，' | '；' | ';' | '｜' | '|' | '、' | '。' | '！' | '!' | '\t' => true,
            ',' => !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))),
            _ => false,
        })
        .map(|(at, c)| (at, at + c.len_utf8()))
        .collect();
    let mut parts = Vec::with_capacity(marks.len() + 1);
    for (start, end) in marks {
        parts.push(&words[from..start]);
        from = end;
    }
    parts.push(&words[from..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty())
}
