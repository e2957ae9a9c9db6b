//! Plain text: every line is a paragraph, until the splitter detects lines broken for a page width.

use super::collector::Collector;
use super::manuscript::{Origin, ParagraphRole};

pub(crate) fn read(mut collector: Collector, text: &str) -> Collector {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{c}', '\u{b}'], "\n");
    let mut after_text = false;
    for (index, line) in text.strip_suffix('\n').unwrap_or(&text).split('\n').enumerate() {
        let blank = line.trim().is_empty();
        collector.push(line, ParagraphRole::Text, Origin::Line(index + 1), after_text && !blank);
        after_text = !blank;
    }
    collector
}
