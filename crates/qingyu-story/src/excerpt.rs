//! Excerpts of prose: cut where a sentence has ended outside of quotations and brackets.
//!
//! Speech and its narration (`“走吧。”他说。`) are one sentence. A quotation without a closing mark ends with its
//! paragraph, unless the next one continues it.

use crate::language::is_han;
use crate::marks::{self, SingleQuoteRole};

/// The sentences of a text as far as it goes.
#[derive(Debug, Default)]
struct SentenceScan {
    /// Byte positions behind the ends of sentences outside of quotations.
    ends: Vec<usize>,
    /// The marks that opened quotations and brackets and are not closed, the outermost first.
    open: Vec<char>,
}

/// Returns the byte positions behind the ends of sentences outside of quotations and brackets, closing marks included.
pub fn sentence_ends(text: &str) -> Vec<usize> {
    SentenceScan::of(text).ends
}

/// Returns the first sentence of a text, with its marks and with the speech that belongs to it.
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    sentence_ends(text).first().map_or(text, |end| &text[..*end])
}

/// Returns the beginning of a text within `limit` bytes (a boundary of characters): up to the end of a sentence outside
/// of quotations, or inside an overlong sentence with `…`, behind which an open quotation is closed.
pub fn within(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = sentence_ends(text).into_iter().rfind(|end| *end <= limit);
    // A sentence that leaves most of the room unused says too little.
    if let Some(end) = end.filter(|end| end * 3 >= limit) {
        return text[..end].to_owned();
    }
    let cut = &text[..limit];
    let closers: String =
        SentenceScan::of(cut).open.iter().rev().filter_map(|opener| marks::closer_of(*opener)).collect();
    if closers.is_empty() {
        return format!("{cut}…");
    }
    let room = cut.char_indices().rev().nth(closers.chars().count()).map_or(0, |(at, _)| at);
    let inner = cut[..room].char_indices().rev().find(|(_, c)| marks::may_end_sentence(*c));
    let inner = inner.map(|(at, c)| at + c.len_utf8()).filter(|end| end * 3 >= limit);
    format!("{}…{closers}", &cut[..inner.unwrap_or(room)])
}

/// Returns the beginning of a text of at most `count` characters, cut as by [`within`]; the marks added to an overlong
/// sentence are not counted.
pub fn beginning(text: &str, count: usize) -> String {
    let text = text.trim_start();
    let limit = text.char_indices().nth(count).map_or(text.len(), |(end, _)| end);
    within(text, limit)
}

/// Returns the last `count` characters of a text from the beginning of a sentence outside of quotations. It is shorter by
/// at most half, and longer, at most twice as long, where a quotation would be cut.
pub fn ending(text: &str, count: usize) -> &str {
    let text = text.trim_end();
    if count == 0 {
        return "";
    }
    let start = text.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at);
    if start == 0 {
        return text;
    }
    let tail = &text[start..];
    let half = tail.len() / 2;
    let ends = sentence_ends(text);
    let behind = ends.iter().copied().find(|end| (start..=start + half).contains(end));
    let before = || {
        let is_quoted = !SentenceScan::of(&text[..start]).open.is_empty();
        let last = std::iter::once(0).chain(ends.iter().copied()).rfind(|end| *end <= start);
        last.filter(|end| is_quoted && start - end <= tail.len())
    };
    match behind.or_else(before) {
        Some(at) => text[at..].trim_start(),
        None => {
            let ends_here = |c: char| c == '\n' || (c != '…' && marks::may_end_sentence(c));
            let inner = tail.char_indices().find(|(_, c)| ends_here(*c)).map(|(at, c)| at + c.len_utf8());
            inner.filter(|at| *at < half).map_or(tail, |at| tail[at..].trim_start())
        }
    }
}

impl SentenceScan {
    fn of(text: &str) -> Self {
        let mut scan = Self::default();
        let (quotes_singly, has_dots) = (marks::singles_quote(text), marks::dots_are_stops(text));
        let mut start = 0;
        // Up to here a quotation over several paragraphs is open.
        let mut carried = 0;
        for line in text.split_inclusive('\n') {
            let paragraph = line.trim_end();
            scan.read(paragraph, start, quotes_singly, has_dots);
            let end = start + paragraph.len();
            start += line.len();
            let Some(outer) = scan.open.first().copied() else {
                scan.end_paragraph(paragraph, end);
                continue;
            };
            if start <= carried || !line.ends_with('\n') {
                continue;
            }
            let rest = &text[start..];
            let next = rest.char_indices().find(|(_, c)| *c == outer || marks::closes(outer, *c));
            if rest.trim_start().starts_with(outer) {
                // The next paragraph opens the quotation again.
                scan.open.clear();
            } else if let Some((at, _)) = next.filter(|(_, c)| *c != outer) {
                scan.open.truncate(1);
                carried = start + at;
            } else {
                scan.open.clear();
                scan.end_paragraph(paragraph, end);
            }
        }
        scan
    }

    /// Reads a paragraph that starts at byte `start` of the text.
    fn read(&mut self, paragraph: &str, start: usize, quotes_singly: bool, has_dots: bool) {
        let singles = if quotes_singly { marks::singles(paragraph) } else { Vec::new() };
        let mut singles = singles.into_iter().peekable();
        // The mark that may have ended a sentence, with nothing but closing marks since.
        let mut stop: Option<char> = None;
        for (at, c) in paragraph.char_indices() {
            let single = singles.next_if(|(place, _)| *place == at).map(|(_, role)| role);
            let is_plain = !matches!(c, '‘' | '’' | '\'');
            let behind = at + c.len_utf8();
            let rest = &paragraph[behind..];
            let may_close = single == Some(SingleQuoteRole::Closes) || is_plain;
            if may_close && self.open.last().is_some_and(|opener| marks::closes(*opener, c)) {
                self.open.pop();
                if self.open.is_empty() && stop.is_some() && starts_anew(rest) {
                    self.ends.push(start + behind);
                }
            } else if single == Some(SingleQuoteRole::Opens) || is_plain && marks::closer_of(c).is_some() {
                self.open.push(c);
                stop = None;
            } else if marks::may_end_sentence(c) && (c != '．' || has_dots) {
                stop = Some(c);
                if self.open.is_empty() && is_over(c, &paragraph[..at], rest) {
                    self.ends.push(start + behind);
                }
            } else if closes_alone(c) {
                if self.open.is_empty() && stop.is_some() && starts_anew(rest) {
                    self.ends.push(start + behind);
                }
            } else {
                stop = None;
            }
        }
    }

    /// Ends the sentence at the end of a paragraph, unless it leads to the next one.
    fn end_paragraph(&mut self, paragraph: &str, end: usize) {
        let leads_on = paragraph.trim().is_empty() || paragraph.ends_with([':', '：', ',', '，', '、']);
        if !leads_on && self.ends.last() != Some(&end) {
            self.ends.push(end);
        }
    }
}

/// Returns whether `c` closes something even if nothing was opened: an excerpt may begin inside a quotation.
fn closes_alone(c: char) -> bool {
    marks::may_close_quote(c) || marks::only_closes(c) || matches!(c, ')' | ']')
}

/// Returns whether a new sentence starts with the rest of a paragraph behind a closed quotation.
fn starts_anew(rest: &str) -> bool {
    let Some(next) = rest.chars().next() else { return true };
    let is_spaced = next.is_whitespace() && !rest.trim_start().starts_with(char::is_lowercase);
    is_spaced || (marks::opens_quote(next) && !closes_alone(next))
}

/// Returns whether a sentence is over at `mark`, which stands outside of quotations between two parts of its paragraph.
fn is_over(mark: char, before: &str, rest: &str) -> bool {
    let Some(next) = rest.chars().next() else { return true };
    if marks::may_end_sentence(next) || closes_alone(next) {
        return false;
    }
    if marks::is_full_stop(mark) || mark == '．' {
        return true;
    }
    let is_spaced = next.is_whitespace() && !rest.trim_start().starts_with(char::is_lowercase);
    match mark {
        '…' => is_spaced,
        '.' => (is_spaced && !is_shortened(before)) || is_han(next),
        _ => is_spaced || is_han(next),
    }
}

/// Returns whether the last word before a full stop is an abbreviation or an initial.
fn is_shortened(before: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_initial = word != "I" && word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    is_initial || marks::is_abbreviation(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sentences of a text.
    fn sentences(text: &str) -> Vec<&str> {
        let ends = sentence_ends(text);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, end)| text[start..*end].trim()).collect()
    }

    #[test]
    fn sentences_end_outside_of_quotations() {
        for (text, expected) in [
            ("雨停了。“走吧。灯还亮着。”他说。门开了！", &["雨停了。", "“走吧。灯还亮着。”他说。", "门开了！"][..]),
            ("“走吧。”“好。”\n「灯亮了。『快走。』」她说。", &["“走吧。”", "“好。”", "「灯亮了。『快走。』」她说。"]),
            ("他……走了。（没有人看见。）门开着……", &["他……走了。", "（没有人看见。）门开着……"]),
            ("信上写：\n「灯亮了。\n快走。」\n他烧了信。", &["信上写：\n「灯亮了。\n快走。」", "他烧了信。"]),
            ("“走吧。他没有回答。\n雨停了。", &["“走吧。他没有回答。", "雨停了。"]),
            (
                "Dr. Vale left. \"Wait! The lamp is out,\" said Nora. It was 3.5 miles.",
                &["Dr. Vale left.", "\"Wait! The lamp is out,\" said Nora.", "It was 3.5 miles."],
            ),
            ("“Go. Now!” she said. “Why?” He left.", &["“Go. Now!” she said.", "“Why?”", "He left."]),
            ("‘It’s late. Go,’ said Nora. He went.", &["‘It’s late. Go,’ said Nora.", "He went."]),
            (
                "“It began. I saw it.\n\n“Then it ended.”\n\nHe slept.",
                &["“It began. I saw it.\n\n“Then it ended.”", "He slept."],
            ),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    #[test]
    fn beginnings_are_cut_outside_of_quotations() {
        assert_eq!(beginning("雨停了。“走吧。灯还亮着。”他说。", 11), "雨停了。");
        assert_eq!(beginning("It rained. “Go. The lamp is out,” she said.", 20), "It rained.");
        assert_eq!(beginning("雨停了", 2), "雨停…");
        assert_eq!(beginning("雨停了。", 9), "雨停了。");
        // A quotation longer than the excerpt is closed.
        assert_eq!(beginning("“走吧。灯还亮着，门也开着，谁都没有睡。”他说。", 10), "“走吧。…”");
        assert_eq!(first_sentence("“走吧。灯亮了。”他说。门开了。"), "“走吧。灯亮了。”他说。");
    }

    #[test]
    fn endings_begin_outside_of_quotations() {
        assert_eq!(ending("他走了。雨停了。天亮了，街上没有人。", 12), "天亮了，街上没有人。");
        let speech = "雨停了。“灯还亮着。你先走吧，我再等等。”她说。";
        // The last twelve characters begin inside the speech, which begins not far before.
        assert_eq!(ending(speech, 14), "“灯还亮着。你先走吧，我再等等。”她说。");
        let speech = "He left. “Go. The lamp is out,” said Nora. It rained.";
        assert_eq!(ending(speech, 30), "“Go. The lamp is out,” said Nora. It rained.");
        assert_eq!(ending(speech, 17), "It rained.");
        assert_eq!(ending("短。", 500), "短。");
        assert_eq!(ending("短。", 0), "");
    }

    #[test]
    fn every_cut_is_a_boundary() {
        let text = "“走吧。 Go. 'Now!'（灯……）\n「雨。』\"Why?\" she said.\n";
        for count in 0..=text.chars().count() + 1 {
            assert!(text.ends_with(ending(text, count)) || text.trim_end().ends_with(ending(text, count)));
            assert!(beginning(text, count).chars().count() <= count + 4, "{count}");
        }
    }
}
