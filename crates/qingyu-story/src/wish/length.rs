//! Wishes about the length of a new book: its chapters, the words of a chapter, and the words in all.

use serde_json::json;

use super::ReadWish;
use super::demand::WishDemand;
use super::reader::{RequestReader, has_word, is_negated};
use super::verdict::WishState;
use crate::language::{Language, is_han};
use crate::length::{CountRange, LengthDemand, length_demand};
use crate::names::Names;
use crate::numerals::is_digit_or_numeral;
use crate::piece::PieceKind;
use crate::report::Evidence;
use crate::{Action, CorrectionInstruction, Levels, OutlineNode, Story, chapters};

#[cfg(test)]
mod tests;

/// Words that a clause must have for its number to count chapters of the book; 回 mostly counts times.
const CHAPTERS: &[&str] = &["章", "chapter", "chapters"];
/// Words before a number of chapters that are only a part of the book.
const PARTS_ZH: &[&str] = &["前", "后", "头", "末", "最初", "开头", "开篇", "结尾", "中间", "其中", "每", "每隔", "隔"];
const PARTS_EN: &[&str] =
    &["first", "last", "final", "opening", "closing", "middle", "next", "every", "other", "these", "those", "within"];
/// Words that a clause must have for its number of words to be that of the whole book, and not of a letter in the story.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "写", "全书", "全文", "共", "总", "长篇", "中篇", "短篇", "小说", "故事", "篇幅",
    "write", "book", "novel", "novella", "novelette", "story", "tale", "in all", "in total", "altogether", "total", "length",
];
const AT_LEAST: &[&str] = &["至少", "不少于", "不低于", "以上", "at least", "no fewer than", "no less than"];
const AT_MOST: &[&str] = &["至多", "最多", "不超过", "不多于", "以内", "at most", "no more than", "up to"];
/// Words before a number of chapters that is an approximate one.
const ABOUT: &[&str] = &["约", "差不多", "about", "around", "roughly", "some", "approximately", "nearly"];

/// Appends the wishes about length in a sentence, one for each clause.
pub(super) fn note(reader: &mut RequestReader<'_>, sentence: &str) {
    let language = if sentence.chars().any(is_han) { Language::Zh } else { Language::En };
    let parts = sentence.split(['，', '；', '：', ';', ':']);
    for clause in parts.flat_map(|part| part.split(", ")) {
        if let Some(length) = demand_of(clause, language) {
            reader.note(clause, WishDemand::Length { length });
        }
    }
}

/// Replaces the number of chapters in the wishes of a new book by one that was given beside the words.
pub fn with_chapters(requests: &mut Vec<ReadWish>, count: u32, language: Language) {
    for request in requests.iter_mut() {
        if let WishDemand::Length { length } = &mut request.want {
            length.chapters = None;
        }
    }
    let says_nothing = WishDemand::Length { length: LengthDemand::default() };
    requests.retain(|request| request.want != says_nothing);
    let text = match language {
        Language::Zh => format!("共{count}章"),
        Language::En => format!("chapters: {count}"),
    };
    let length = LengthDemand { chapters: Some(CountRange::exactly(count)), ..LengthDemand::default() };
    requests.push(ReadWish { text, want: WishDemand::Length { length } });
}

/// Returns the length of the book that a clause asks for, if it asks for one.
fn demand_of(clause: &str, language: Language) -> Option<LengthDemand> {
    let folded = clause.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| has_word(&folded, word));
    let mut length = length_demand(clause, language);
    let (head, rest) = around_chapters(&folded, language);
    // One chapter is more often one of several.
    let is_single = length.chapters.is_some_and(|range| range.most <= 1);
    if is_single || !has(CHAPTERS) || is_of_part(&head, language) {
        length.chapters = None;
    }
    if !has(WHOLE) {
        length.words = None;
    }
    let (is_least, is_most) = (has(AT_LEAST), has(AT_MOST));
    if length == LengthDemand::default() || !is_least && !is_most && is_negated(clause) {
        return None;
    }
    if is_approximate(&head, rest) {
        length.chapters = length.chapters.map(|range| within(range, 10));
    }
    let bounded = |range: CountRange| match (is_least, is_most) {
        (true, false) => CountRange { most: u32::MAX, ..range },
        (false, true) => CountRange { least: 0, ..range },
        _ => range,
    };
    Some(LengthDemand {
        chapters: length.chapters.map(bounded),
        chapter_words: length.chapter_words.map(bounded),
        words: length.words.map(bounded),
    })
}

/// Splits a clause in lower case at its first word for chapters; of English words before it the last four.
fn around_chapters(folded: &str, language: Language) -> (String, &str) {
    let sign = if language == Language::Zh { "章" } else { "chapter" };
    let (head, rest) = folded.split_once(sign).unwrap_or((folded, ""));
    if language == Language::Zh {
        return (head.to_owned(), rest);
    }
    let words: Vec<&str> = head.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    (words[words.len().saturating_sub(4)..].join(" "), rest)
}

/// Returns whether the number of chapters behind `head` is that of a part of the book: `前三章`, `the last two chapters`.
fn is_of_part(head: &str, language: Language) -> bool {
    match language {
        Language::Zh => {
            let is_of_number = |c: char| is_digit_or_numeral(c) || "多来余个约到至-–—~～ ".contains(c);
            let head = head.trim_end_matches(is_of_number);
            PARTS_ZH.iter().any(|part| head.ends_with(part))
        }
        Language::En => PARTS_EN.iter().any(|part| has_word(head, part)),
    }
}

/// Returns whether a number of chapters is an approximate one: `约十章`, `三百多章`, `about ten chapters`.
fn is_approximate(head: &str, rest: &str) -> bool {
    ABOUT.iter().any(|word| has_word(head, word))
        || head.ends_with(['多', '来', '余'])
        || ["左右", "上下"].iter().any(|word| rest.starts_with(word))
}

/// Widens a range by one in `share` at both ends, and by one at least.
fn within(CountRange { least, most }: CountRange, share: u32) -> CountRange {
    let margin = |count: u32| (count / share).max(1);
    CountRange { least: least.saturating_sub(margin(least)), most: most.saturating_add(margin(most)) }
}

/// Returns the number of words to plan for: the middle of a range, or its only end.
fn planned(CountRange { least, most }: CountRange) -> u32 {
    match (least, most) {
        (least, u32::MAX) => least,
        (0, most) => most,
        (least, most) => least + (most - least) / 2,
    }
}

/// The length of the outline of a story.
struct OutlineLength<'s> {
    nodes: Vec<&'s OutlineNode>,
    /// The planned number of chapters of the whole book.
    chapters: u32,
}

impl<'s> OutlineLength<'s> {
    fn of(story: &'s Story) -> Self {
        let names = Names::of(story);
        let nodes: Vec<&OutlineNode> =
            chapters::nodes(story, &names).into_iter().map(|at| &story.outline_nodes[at]).collect();
        let outlined = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        let planned = Levels::with(story, &names).map_or(0, |levels| levels.length);
        Self { nodes, chapters: outlined.max(planned) }
    }

    /// Returns whether every chapter of the book has a node.
    fn is_whole(&self) -> bool {
        u32::try_from(self.nodes.len()) == Ok(self.chapters)
    }

    /// Returns the planned words of the chapters that have any.
    fn words(&self) -> Vec<u32> {
        self.nodes.iter().filter_map(|node| node.words).filter(|words| *words > 0).collect()
    }

    /// Returns the number of chapters without planned words.
    fn unplanned(&self) -> usize {
        self.nodes.len() - self.words().len()
    }

    fn total(&self) -> u32 {
        self.words().into_iter().fold(0, u32::saturating_add)
    }

    /// Returns whether the length is as asked for, as far as the outline goes. Words may differ by a fifth.
    fn state(&self, asked: &LengthDemand) -> WishState {
        let state = |is_met: bool| if is_met { WishState::Met } else { WishState::Unmet };
        let chapters = asked.chapters.map(|range| state(range.contains(self.chapters)));
        let chapter_words = asked.chapter_words.map(|range| {
            let fits = |words: u32| within(range, 5).contains(words);
            state(self.unplanned() == 0 && self.words().into_iter().all(fits))
        });
        let words = asked.words.map(|range| match self.is_whole() {
            true => state(self.unplanned() == 0 && within(range, 5).contains(self.total())),
            false => WishState::NotCheckable,
        });
        let states: Vec<WishState> = [chapters, chapter_words, words].into_iter().flatten().collect();
        if self.nodes.is_empty() && self.chapters == 0 {
            WishState::NotCheckable
        } else {
            let worst = [WishState::Unmet, WishState::NotCheckable].into_iter().find(|state| states.contains(state));
            worst.unwrap_or(WishState::Met)
        }
    }

    /// Returns the actual numbers for those that the demand has.
    fn told(&self, asked: &LengthDemand, language: Language) -> String {
        let mut parts = Vec::new();
        if asked.chapters.is_some() {
            parts.push(match language {
                Language::Zh => format!("大纲共 {} 章", self.chapters),
                Language::En => format!("the outline has {}", counted(self.chapters, "chapter")),
            });
        }
        let lengths = self.words();
        let ends = lengths.iter().min().zip(lengths.iter().max());
        if let (Some((least, most)), true) = (ends, asked.chapter_words.is_some()) {
            parts.push(match (language, least == most) {
                (Language::Zh, true) => format!("每章 {least} 字"),
                (Language::Zh, false) => format!("每章 {least}～{most} 字"),
                (Language::En, true) => format!("{} a chapter", counted(*least, "word")),
                (Language::En, false) => format!("{least} to {most} words a chapter"),
            });
        }
        if asked.words.is_some() && !lengths.is_empty() {
            parts.push(match language {
                Language::Zh => format!("合计 {} 字", self.total()),
                Language::En => format!("{} in all", counted(self.total(), "word")),
            });
        }
        let (unplanned, is_of_words) = (self.unplanned(), asked.chapter_words.or(asked.words).is_some());
        if unplanned > 0 && is_of_words {
            parts.push(match language {
                Language::Zh => format!("{unplanned} 章没有写明字数"),
                Language::En => format!("chapters without a planned length: {unplanned}"),
            });
        }
        parts.join(if language == Language::Zh { "，" } else { ", " })
    }
}

fn counted(count: u32, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns whether the outline of a story has the length, and its numbers.
pub(super) fn measured(story: &Story, asked: &LengthDemand, language: Language) -> (WishState, Evidence) {
    let outline = OutlineLength::of(story);
    let evidence = Evidence { anchor: PieceKind::OutlineNode.list().to_owned(), quote: outline.told(asked, language) };
    (outline.state(asked), evidence)
}

/// Returns the changes that give the outline the length, as far as data can express them: new chapters, and planned words of
/// chapters. A person has to choose which of too many chapters to delete.
pub(super) fn instructions(story: &Story, asked: &LengthDemand, text: &str, id: &str) -> Vec<CorrectionInstruction> {
    let outline = OutlineLength::of(story);
    let instruction = |action: Action, parameters: serde_json::Value| CorrectionInstruction {
        issue_id: id.to_owned(),
        target_agent: PieceKind::OutlineNode.agent(),
        action,
        specific_instruction: text.to_owned(),
        parameters,
        priority: 10,
    };
    let mut changes = Vec::new();
    if asked.chapters.is_some_and(|range| outline.chapters < range.least) {
        changes.push(instruction(Action::Create, json!({ "kind": PieceKind::OutlineNode })));
    }
    let is_total_unfit = |range: &CountRange| {
        outline.is_whole() && (outline.unplanned() > 0 || !within(*range, 5).contains(outline.total()))
    };
    let of_chapter = asked.chapter_words.map(|range| (planned(range), within(range, 5)));
    let of_whole = asked.words.filter(is_total_unfit).map(|range| planned(range) / outline.chapters.max(1));
    let wanted = of_chapter.or_else(|| of_whole.map(|words| (words, CountRange::exactly(words))));
    let Some((words, accepted)) = wanted.filter(|(words, _)| *words > 0) else { return changes };
    let unfit = outline.nodes.iter().filter(|node| !node.words.is_some_and(|words| accepted.contains(words)));
    let update = |node: &&OutlineNode| {
        let parameters = json!({ "kind": PieceKind::OutlineNode, "id": node.id, "words": words });
        instruction(Action::Update, parameters)
    };
    changes.extend(unfit.map(update));
    changes
}
