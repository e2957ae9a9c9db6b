//! The story so far, in constant size for any length of the book.

use qingyu_llm::estimate;
use qingyu_story::excerpt::first_sentence;
use qingyu_story::{Document, OutlineNode};

use super::cut::{clip, sentences_within};
use crate::labels::Labels;
use crate::writing::book::{NumberedBook, title};

/// Number of previous chapters with a full summary.
pub(super) const RECENT: u32 = 3;
/// Maximum tokens of a full summary.
const SUMMARY: u64 = 260;
/// Maximum tokens of all earlier chapters.
const OLDER: u64 = 360;
/// Maximum tokens of an unwritten chapter's outline.
const UNWRITTEN: u64 = 100;

/// Returns a line for each arc of older chapters, then a line for each recent chapter.
pub(super) fn so_far(book: &NumberedBook<'_>, number: u32, words: &Labels) -> Vec<String> {
    let first = number.saturating_sub(RECENT).max(1);
    let mut lines = older(book, first, words);
    lines.extend((first..number).filter_map(|before| {
        let node = book.node(before)?;
        Some(match book.document(before).filter(|document| !document.text.trim().is_empty()) {
            Some(document) => {
                let remark = if is_edited(document) { words.remark(words.edited) } else { String::new() };
                words.labelled(
                    &format!("{}{remark}", title(node)),
                    &clip(&chapter_summary(document, node, words), SUMMARY),
                )
            }
            None => {
                let planned =
                    format!("{}{}{}", words.unwritten, words.colon, sentences_within(&node.description, UNWRITTEN));
                words.labelled(title(node), &planned)
            }
        })
    }));
    lines
}

/// Returns the summary of a text, made at its settlement; the fallback is the outline's description, marked as such.
fn chapter_summary(document: &Document, node: &OutlineNode, words: &Labels) -> String {
    match (document.summary.trim(), node.description.trim()) {
        ("", "") => String::new(),
        ("", planned) => {
            let space = words.space();
            format!("{}{space}{planned}", words.remark(words.by_outline).trim_start())
        }
        (summary, _) => summary.to_owned(),
    }
}

/// Returns whether the summary is of an earlier text.
fn is_edited(document: &Document) -> bool {
    !document.summary.trim().is_empty() && document.settled.is_some() && document.current_settlement().is_none()
}

/// Returns the chapters before `end`, a line per arc.
fn older(book: &NumberedBook<'_>, end: u32, words: &Labels) -> Vec<String> {
    let mut arcs: Vec<(String, Vec<(u32, String)>)> = Vec::new();
    for number in 1..end {
        let Some(node) = book.node(number) else { continue };
        let Some(document) = book.document(number).filter(|document| !document.text.trim().is_empty()) else {
            continue;
        };
        let arc = book.above(number).first().map(|above| title(above).to_owned()).unwrap_or_default();
        let line = (number, chapter_summary(document, node, words));
        match arcs.last_mut().filter(|(last, _)| *last == arc) {
            Some((_, lines)) => lines.push(line),
            None => arcs.push((arc, vec![line])),
        }
    }
    let count = u64::try_from(arcs.len()).unwrap_or(u64::MAX);
    // The nearest arc gets half of the budget, the others share the rest.
    let last = arcs.len().saturating_sub(1);
    let share = |index: usize| match (index == last, count) {
        (_, 0 | 1) => OLDER,
        (true, _) => OLDER / 2,
        (false, _) => OLDER / 2 / (count - 1),
    };
    arcs.iter().enumerate().filter_map(|(index, (arc, lines))| folded(arc, lines, words, share(index))).collect()
}

/// Returns the chapters of an arc as a line: full summaries, first sentences, or as many first sentences as fit, evenly
/// spread.
fn folded(arc: &str, lines: &[(u32, String)], words: &Labels, tokens: u64) -> Option<String> {
    let (first, last) = (lines.first()?.0, lines.last()?.0);
    let span = words.chapters(first, last);
    let head = if arc.is_empty() { span } else { format!("{arc}{}", words.remark(&span)) };
    let space = words.space();
    let line = |texts: &[&str]| words.labelled(&head, &texts.join(space));
    let whole: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
    if estimate::tokens(&line(&whole)) <= tokens {
        return Some(line(&whole));
    }
    let short: Vec<&str> = lines.iter().map(|(_, text)| first_sentence(text)).collect();
    let mut keep = short.len();
    while keep > 1 {
        let spread = |at: usize| at * (short.len() - 1) / (keep - 1);
        let texts: Vec<&str> = (0..keep).map(|at| short[spread(at)]).collect();
        if estimate::tokens(&line(&texts)) <= tokens {
            return Some(line(&texts));
        }
        keep -= 1;
    }
    let room = tokens.saturating_sub(estimate::tokens(&head)).max(8);
    Some(words.labelled(&head, &clip(short.last()?, room)))
}
