//! Splitting prose.

use std::ops::Range;

use qingyu_story::chapters::{HeadingLevel, heading};
use qingyu_story::{Prose, marks};

/// The length in characters at which a chunk is closed at the next paragraph.
const ENOUGH: usize = 300;
/// The maximum length of a chunk, except for a long quotation.
const MOST: usize = 500;
/// The length from which a chunk is closed before a paragraph that would have to be split.
const EARLY: usize = 200;
/// A scene's last chunk shorter than this is joined to the chunk before.
const STUB: usize = 100;
/// The maximum length of a quotation kept whole; longer quotations are split like prose.
const LONGEST_QUOTATION: usize = 2_000;
/// The maximum length of a sentence repeated in the next chunk.
const LONGEST_OVERLAP: usize = 120;
/// The maximum length of a heading.
const LONGEST_HEADING: usize = 40;

/// A chunk of prose. All ranges are bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProseCut {
    /// The chunk's own range; the ranges of a text are contiguous.
    pub(crate) range: Range<usize>,
    /// The start of the repeated sentence before; by default the start of `range`.
    pub(crate) overlap: usize,
    /// The scene, counted from 1.
    pub(crate) scene: u32,
}

/// Splits a text at headings and scene breaks, then at ends of paragraphs, then at ends of sentences; never inside a
/// quotation of at most 2,000 characters. White space belongs to the preceding text. Linear in the length of the text.
pub(crate) fn cut(text: &str) -> Vec<ProseCut> {
    let atoms = atoms(text);
    let mut cuts: Vec<ProseCut> = Vec::new();
    let mut from = 0;
    while from < atoms.len() {
        let until = (from + 1..atoms.len()).find(|at| atoms[*at].border == AtomBorder::Scene).unwrap_or(atoms.len());
        let scene = cuts.last().map_or(1, |cut| cut.scene + 1);
        cut_scene(text, &atoms[from..until], scene, &mut cuts);
        from = until;
    }
    cuts
}

/// The border before an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AtomBorder {
    Sentence,
    Paragraph,
    Scene,
}

/// A unit of text that is not split further.
#[derive(Debug)]
struct Atom {
    range: Range<usize>,
    length: usize,
    border: AtomBorder,
    /// Whether the atom is one sentence; `false` for several held together by a quotation.
    is_sentence: bool,
}

/// Returns sentences with the following white space, joined where a quotation crosses the border.
fn atoms(text: &str) -> Vec<Atom> {
    let prose = Prose::of(text);
    let mut atoms: Vec<Atom> = Vec::new();
    let mut is_after_break = false;
    for paragraph in &prose.paragraphs {
        let words = &text[paragraph.range.clone()];
        let is_break = is_scene_break(words);
        let opens_scene = is_after_break || is_heading(words) || is_break;
        // A break belongs to the next scene, with the text that follows.
        is_after_break = false;
        let sentences = &prose.sentences[paragraph.sentences.clone()];
        let begins = sentences.iter().map(|sentence| sentence.range.start).filter(|at| *at > paragraph.range.start);
        let mut speeches = prose
            .speeches
            .iter()
            .skip(prose.speeches.partition_point(|speech| speech.range.end <= paragraph.range.start));
        let mut speech = speeches.next();
        for (position, at) in [paragraph.range.start].into_iter().chain(begins).enumerate() {
            while speech.is_some_and(|speech| speech.range.end <= at) {
                speech = speeches.next();
            }
            let quotation = speech.filter(|speech| speech.range.start < at).map(|speech| &speech.range);
            let is_held = position > 0 && quotation.is_some_and(|range| is_whole(text, range));
            match atoms.last_mut() {
                Some(last) if is_held => last.is_sentence = false,
                _ => {
                    let border = match position {
                        0 if opens_scene => AtomBorder::Scene,
                        0 => AtomBorder::Paragraph,
                        _ => AtomBorder::Sentence,
                    };
                    // The first atom starts at 0, including leading white space.
                    let start = if atoms.is_empty() { 0 } else { at };
                    atoms.push(Atom { range: start..text.len(), length: 0, border, is_sentence: true });
                }
            }
        }
    }
    if atoms.is_empty() && !text.is_empty() {
        atoms.push(Atom { range: 0..text.len(), length: 0, border: AtomBorder::Scene, is_sentence: true });
    }
    for next in (1..atoms.len()).rev() {
        atoms[next - 1].range.end = atoms[next].range.start;
    }
    atoms.into_iter().flat_map(|atom| measured(text, atom)).collect()
}

/// Returns whether a quotation is short enough to stay whole.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    range.len() <= LONGEST_QUOTATION
        || text[range.clone()].chars().take(LONGEST_QUOTATION + 1).count() <= LONGEST_QUOTATION
}

/// Returns the atom with its length, split anywhere if the sentence is too long.
fn measured(text: &str, atom: Atom) -> Vec<Atom> {
    let length = text[atom.range.clone()].chars().count();
    let limit = if atom.is_sentence && !holds_quotation(&text[atom.range.clone()]) { MOST } else { LONGEST_ATOM };
    if length <= limit {
        return vec![Atom { length, ..atom }];
    }
    let mut parts: Vec<Atom> = Vec::new();
    let mut count = 0;
    for (at, _) in text[atom.range.clone()].char_indices() {
        if count % MOST == 0 {
            let start = atom.range.start + at;
            let border = if count == 0 { atom.border } else { AtomBorder::Sentence };
            if let Some(last) = parts.last_mut() {
                last.range.end = start;
            }
            parts.push(Atom { range: start..atom.range.end, length: 0, border, is_sentence: false });
        }
        count += 1;
    }
    let last = parts.len() - 1;
    for (position, part) in parts.iter_mut().enumerate() {
        part.length = if position == last { count - MOST * last } else { MOST };
    }
    parts
}

/// The maximum length of a quotation with the surrounding words.
const LONGEST_ATOM: usize = LONGEST_QUOTATION + MOST;

fn holds_quotation(words: &str) -> bool {
    words.contains(marks::opens_quote)
}

fn cut_scene(text: &str, atoms: &[Atom], scene: u32, cuts: &mut Vec<ProseCut>) {
    let first = cuts.len();
    let paragraphs = paragraph_lengths(atoms);
    let mut start = 0;
    let mut length = 0;
    for (at, atom) in atoms.iter().enumerate() {
        let is_border = atom.border >= AtomBorder::Paragraph;
        let cuts_paragraph = is_border && length + paragraphs[at] > MOST;
        let closes =
            length + atom.length > MOST || (is_border && (length >= ENOUGH || (length >= EARLY && cuts_paragraph)));
        if at > start && closes {
            push(text, atoms, start..at, scene, first, cuts);
            (start, length) = (at, 0);
        }
        length += atom.length;
    }
    if start < atoms.len() {
        push(text, atoms, start..atoms.len(), scene, first, cuts);
    }
    join_stub(text, first, cuts);
}

/// Returns the length of the paragraph for each atom that begins a paragraph.
fn paragraph_lengths(atoms: &[Atom]) -> Vec<usize> {
    let mut lengths = vec![0; atoms.len()];
    let mut length = 0;
    for (at, atom) in atoms.iter().enumerate().rev() {
        length += atom.length;
        lengths[at] = length;
        if atom.border >= AtomBorder::Paragraph {
            length = 0;
        }
    }
    lengths
}

fn push(text: &str, atoms: &[Atom], range: Range<usize>, scene: u32, first: usize, cuts: &mut Vec<ProseCut>) {
    let start = atoms[range.start].range.start;
    let before = range.start.checked_sub(1).map(|at| &atoms[at]).filter(|_| cuts.len() > first);
    let repeated = before.filter(|atom| {
        atom.is_sentence
            && atom.length <= LONGEST_OVERLAP
            && text[atom.range.clone()].chars().any(char::is_alphanumeric)
    });
    let overlap = repeated.map_or(start, |atom| atom.range.start);
    cuts.push(ProseCut { range: start..atoms[range.end - 1].range.end, overlap, scene });
}

/// Joins a few words at the end of a scene to the chunk before.
fn join_stub(text: &str, first: usize, cuts: &mut Vec<ProseCut>) {
    let is_stub = |cut: &ProseCut| cut.range.len() < 4 * STUB && text[cut.range.clone()].chars().count() < STUB;
    if cuts.len() > first + 1
        && let Some(last) = cuts.pop_if(|last| is_stub(last))
        && let Some(before) = cuts.last_mut()
    {
        before.range.end = last.range.end;
    }
}

/// Returns whether a line is only a mark between scenes, such as `***`, `——` or `◇`.
fn is_scene_break(line: &str) -> bool {
    let is_mark = |c: char| "*＊-—–─━=＝~～·•◇◆○●☆★※#＃§_".contains(c) || c.is_whitespace();
    !line.is_empty() && line.chars().count() <= LONGEST_HEADING && line.chars().all(is_mark)
}

/// Returns whether a line is the title of a chapter: `第三章 夜雨`, `Chapter 3`, `## 夜雨`.
fn is_heading(line: &str) -> bool {
    if line.chars().count() > LONGEST_HEADING
        || line.ends_with(['。', '，', ','])
        || line.ends_with(marks::is_double_quote)
    {
        return false;
    }
    let known = |unit: &str| !unit.is_ascii() || ["chapter", "act", "part", "scene"].contains(&unit);
    let is_numbered =
        heading(line).is_some_and(|head| head.rank != HeadingLevel::Bare && known(&head.unit.to_lowercase()));
    let mut words = line.split_whitespace();
    let is_marked = words.next().is_some_and(|word| word.chars().all(|c| c == '#')) && words.next().is_some();
    (is_numbered || is_marked) && !line.ends_with('.')
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;

    fn scenes(text: &str) -> String {
        let mut said = String::new();
        for cut in cut(text) {
            write!(said, "{}:{}|", cut.scene, text[cut.range].trim().replace('\n', "/")).unwrap();
        }
        said
    }

    #[test]
    fn scenes_and_chapters_are_borders() {
        assert_eq!(scenes("甲来了。\n\n***\n\n乙走了。"), "1:甲来了。|2:***//乙走了。|");
        assert_eq!(
            scenes("第一章 雨夜\n甲来了。\n第二章 天明\n乙走了。"),
            "1:第一章 雨夜/甲来了。|2:第二章 天明/乙走了。|"
        );
        assert_eq!(
            scenes("第一章的故事他听过很多遍，每一遍都不一样。"),
            "1:第一章的故事他听过很多遍，每一遍都不一样。|"
        );
        assert_eq!(scenes("Chapter 2\nHe left.\n# 3\nShe stayed."), "1:Chapter 2/He left.|2:# 3/She stayed.|");
        assert_eq!(scenes(""), "");
        assert_eq!(scenes(" \n "), "1:|");
    }

    #[test]
    fn paragraphs_are_kept_where_they_fit() {
        let paragraph = |letter: &str, length: usize| format!("{}。\n", letter.repeat(length - 2));
        let text = [("甲", 250), ("乙", 200), ("丙", 320), ("丁", 60), ("戊", 400), ("己", 150)]
            .map(|(c, length)| paragraph(c, length))
            .concat();
        let cuts: Vec<String> = cut(&text).into_iter().map(|cut| text[cut.range].chars().take(1).collect()).collect();
        assert_eq!(cuts, ["甲", "丙", "丁", "己"]);
    }

    #[test]
    fn the_sentence_before_is_repeated() {
        let text = format!("{}他停下来。{}", "雨一直下个不停。".repeat(60), "没有人说话，只有风。".repeat(90));
        let cuts = cut(&text);
        assert!(cuts.len() > 2);
        for pair in cuts.windows(2) {
            let overlap = &text[pair[1].overlap..pair[1].range.start];
            assert!(overlap.ends_with('。') && overlap.matches('。').count() == 1, "{overlap}");
        }
        assert_eq!(cuts[0].overlap, 0);
    }

    #[test]
    fn a_quotation_stays_whole() {
        let speech = format!("“{}”他说。", "我不会走的。".repeat(150));
        let text = format!("{}{speech}{}", "雨下着。".repeat(90), "风停了。".repeat(90));
        let quoted = text.find('“').unwrap()..text.find('”').unwrap();
        let cuts = cut(&text);
        assert!(cuts.iter().all(|cut| !quoted.contains(&cut.range.start) || cut.range.start == quoted.start));
        let endless = format!("“{}", "我不会走的。".repeat(2_000));
        assert!(cut(&endless).iter().all(|cut| endless[cut.range.clone()].chars().count() <= LONGEST_ATOM));
    }

    #[test]
    fn a_paste_of_two_megabytes_is_linear() {
        for unit in ["雨下着，没有人说话。“说。”\n", "字", "“", "\n"] {
            let text = |bytes: usize| unit.repeat(bytes / unit.len());
            let (short, long) = (text(125_000), text(2_000_000));
            let time = |text: &str| {
                let start = Instant::now();
                assert!(!cut(text).is_empty());
                start.elapsed().as_secs_f64()
            };
            let (first, second) = (time(&short), time(&long));
            // Sixteen times the text; quadratic time would be 256 times.
            assert!(second < first.max(0.01) * 80.0, "{unit:?}: {first} s, then {second} s");
        }
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("“别动！”他说。".to_owned()),
            Just("\n".to_owned()),
            Just("\n\n".to_owned()),
            Just("“一。二。\n".to_owned()),
            Just("\n***\n".to_owned()),
            Just("\n第三章 夜\n".to_owned()),
            "[一-十，。！？]{1,80}",
            "[a-z ,.\"“”‘’「」\r\n　]{0,60}",
            "\\PC{0,10}",
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn the_ranges_cover_the_text(text in pieces()) {
            let cuts = cut(&text);
            let mut reached = 0;
            for one in &cuts {
                prop_assert_eq!(one.range.start, reached);
                prop_assert!(one.range.end > reached && one.overlap <= one.range.start);
                prop_assert!(text.get(one.overlap..one.range.end).is_some(), "whole characters");
                reached = one.range.end;
            }
            prop_assert_eq!(reached, text.len());
            prop_assert_eq!(cut(&text), cuts);
        }

        #[test]
        fn no_cut_stands_inside_a_quotation(text in pieces()) {
            let prose = Prose::of(&text);
            for one in cut(&text) {
                let inside = prose.speeches.iter().find(|speech| {
                    speech.range.start < one.range.start && one.range.start < speech.range.end
                });
                let is_paragraph = prose.paragraphs.iter().any(|paragraph| paragraph.range.start == one.range.start);
                prop_assert!(inside.is_none() || is_paragraph, "{:?} in {:?}", one, inside);
            }
        }
    }
}
