//! Layout analysis: speech opened by a dash, captions and verse.

use std::ops::Range;

use super::{Prose, SentenceVoice, Speech};
use crate::language::is_han;
use crate::marks;

/// Dashes opening a speech at the beginning of a paragraph.
const DASHES: [char; 3] = ['—', '―', '–'];
/// The minimum number of such paragraphs to treat dashes as speech marks.
const DASHED: usize = 2;
/// Opening words of a bracketed caption or note.
const CAPTIONS: [&str; 14] = [
    "illustration",
    "picture",
    "image",
    "plate",
    "frontispiece",
    "figure",
    "footnote",
    "map",
    "图",
    "圖",
    "插图",
    "插圖",
    "附图",
    "附圖",
];
/// The maximum length of a caption, in lines.
const LONGEST_CAPTION: usize = 12;

/// Parses paragraphs opened by a dash as speech, in a text without quotation marks.
///
/// Within such a paragraph, dashes after a mark or before a small letter delimit the narrator's words.
pub(super) fn dialogue_by_dashes(text: &str, prose: &mut Prose) {
    if !prose.speeches.is_empty() {
        return;
    }
    let dashed: Vec<Range<usize>> =
        prose.paragraphs.iter().map(|one| one.range.clone()).filter(|range| is_dashed(&text[range.clone()])).collect();
    if dashed.len() < DASHED {
        return;
    }
    for range in dashed {
        prose.speeches.extend(speeches_of(text, &range));
    }
    let mut speeches = prose.speeches.iter().peekable();
    for sentence in &mut prose.sentences {
        while speeches.next_if(|speech| speech.range.end <= sentence.range.start).is_some() {}
        let Some(speech) = speeches.peek().filter(|speech| speech.range.start < sentence.range.end) else { continue };
        sentence.voice =
            if speech.range.start <= sentence.range.start { SentenceVoice::Spoken } else { SentenceVoice::Mixed };
    }
}

/// Returns whether the paragraph begins with a single dash before words; a double dash is Chinese punctuation.
fn is_dashed(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(DASHES) else { return false };
    let rest = rest.trim_start();
    rest.starts_with(char::is_alphanumeric) || rest.starts_with(['¿', '¡'])
}

fn speeches_of(text: &str, paragraph: &Range<usize>) -> Vec<Speech> {
    let line = &text[paragraph.clone()];
    let mut speeches = Vec::new();
    let mut start = Some(0);
    let mut before = ' ';
    for (at, c) in line.char_indices().skip(1) {
        if DASHES.contains(&c) && before == ' ' {
            match start.take() {
                Some(from) => speeches.push(from..at),
                None => start = Some(at),
            }
        }
        before = c;
    }
    speeches.extend(start.map(|from| from..line.len()));
    let speech = |range: Range<usize>| {
        let end = range.start + line[range.clone()].trim_end().len();
        let opener = line[range.start..].chars().next().unwrap_or('—');
        Speech { range: paragraph.start + range.start..paragraph.start + end, opener }
    };
    speeches.into_iter().map(speech).collect()
}

/// Marks the sentences of captions and verse, so that no rule treats them as narration.
pub(super) fn set_apart(text: &str, prose: &mut Prose) {
    let mut apart: Vec<Range<usize>> = captions(text, prose);
    apart.extend(verse_in_lines(text, prose));
    for range in apart {
        for sentence in &mut prose.sentences[range] {
            sentence.voice = SentenceVoice::Apart;
        }
    }
    regular_verse(text, prose);
}

/// Returns the sentences of captions: lines consisting of a bracket.
fn captions(text: &str, prose: &Prose) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = 0;
    for paragraph in &prose.paragraphs {
        let line = text[paragraph.range.clone()].trim_matches(['*', '_']);
        let is_whole = (line.starts_with('[') && line.ends_with(']'))
            || (line.starts_with('【') && line.ends_with('】'))
            || (line.starts_with("![") && line.ends_with(')'));
        let head = line.strip_prefix(['[', '【', '〔']).map(|rest| rest.trim_start().to_lowercase());
        let begins = head.is_some_and(|head| CAPTIONS.iter().any(|word| head.starts_with(word)));
        let closes = line.contains([']', '】', '〕']);
        if is_whole || begins || open > 0 {
            found.push(paragraph.sentences.clone());
        }
        open = match () {
            () if closes => 0,
            () if begins => LONGEST_CAPTION,
            () => open.saturating_sub(1),
        };
    }
    found
}

/// Returns the sentences laid out as verse: several short lines, mostly without a sentence end.
fn verse_in_lines(text: &str, prose: &Prose) -> Vec<Range<usize>> {
    const LINES: usize = 4;
    const LONGEST: usize = 14;
    let is_short =
        |paragraph: &super::ProseParagraph| (1..=LONGEST).contains(&paragraph.length) && paragraph.sentences.len() <= 1;
    let runs = prose.paragraphs.chunk_by(|a, b| is_short(a) && is_short(b)).filter(|run| run.len() >= LINES);
    let is_open = |paragraph: &super::ProseParagraph| {
        let line = &text[paragraph.range.clone()];
        !marks::ends_sentence(line) && !line.contains(marks::is_double_quote)
    };
    let verse = runs.filter(|run| run.iter().filter(|line| is_open(line)).count() * 2 > run.len());
    verse.map(|run| run[0].sentences.start..run[run.len() - 1].sentences.end).collect()
}

/// Marks narrated Chinese sentences with clauses of five or seven characters only, or in longer series of four or six.
fn regular_verse(text: &str, prose: &mut Prose) {
    let measure = |sentence: &super::ProseSentence| {
        if sentence.voice != SentenceVoice::Narrated {
            return None;
        }
        let clauses = text[sentence.range.clone()].split(['，', '、', '；', '。', '！', '？', ',']);
        let lengths: Vec<usize> =
            clauses.map(|clause| clause.chars().filter(|c| is_han(*c)).count()).filter(|length| *length > 0).collect();
        let first = *lengths.first()?;
        // Two lines without a separating mark.
        if let ([length], true) = (lengths.as_slice(), matches!(first, 8 | 10 | 14)) {
            return Some((length / 2, 2));
        }
        (lengths.len() >= 2 && (4..=7).contains(&first) && lengths.iter().all(|length| *length == first))
            .then_some((first, lengths.len()))
    };
    let measures: Vec<Option<(usize, usize)>> = prose.sentences.iter().map(measure).collect();
    let mut from = 0;
    while from < measures.len() {
        let Some((length, _)) = measures[from] else {
            from += 1;
            continue;
        };
        let run = measures[from..].iter().take_while(|one| one.is_some_and(|(other, _)| other == length));
        let counts: Vec<usize> = run.flatten().map(|(_, clauses)| *clauses).collect();
        let least = if matches!(length, 5 | 7) { 4 } else { 8 };
        if counts.iter().sum::<usize>() >= least && counts.len() >= 2 {
            for sentence in &mut prose.sentences[from..from + counts.len()] {
                sentence.voice = SentenceVoice::Apart;
            }
        }
        from += counts.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Prose, SentenceVoice, SlipKind};

    fn voices(text: &str) -> Vec<SentenceVoice> {
        Prose::of(text).sentences.iter().map(|sentence| sentence.voice).collect()
    }

    fn speeches(text: &str) -> Vec<String> {
        Prose::of(text).speeches.iter().map(|speech| text[speech.range.clone()].to_owned()).collect()
    }

    #[test]
    fn speech_may_begin_with_a_dash() {
        let text = "—The gate is shut.\n\n— Who shut it? — asked Nora. — Tell me.\n\nShe waited.";
        assert_eq!(speeches(text), ["—The gate is shut.", "— Who shut it?", "— Tell me."]);
        let text = "——三年前的事。\n\n——没有人记得。\n\n他走了。";
        assert!(speeches(text).is_empty(), "a dash of two is no speech");
        assert!(speeches("— So it ended.\n\nShe waited.").is_empty(), "one is no manner");
    }

    #[test]
    fn quotation_marks_of_all_styles_are_speech() {
        for text in [
            "‘Come in,’ said Nora. ‘The gate isn’t shut.’\n\n‘Who shut it?’",
            "'Come in,' said Nora. 'The gate isn't shut.'\n\n'Who shut it?'",
            "“Come in,” said Nora. “The gate isn’t shut.”\n\n“Who shut it?”",
            "«Come in,» said Nora. «The gate isn’t shut.»\n\n«Who shut it?»",
            "﹁進來，﹂諾拉說，﹁門關著。﹂\n\n﹁誰關的？﹂",
            "｢進來，｣諾拉說，｢門關著。｣\n\n｢誰關的？｣",
            "〝進來，〞諾拉說，〝門關著。〞\n\n〝誰關的？〞",
            "＂進來，＂諾拉說，＂門關著。＂\n\n＂誰關的？＂",
        ] {
            assert_eq!(speeches(text).len(), 3, "{text}: {:?}", speeches(text));
            assert!(Prose::of(text).slips(SlipKind::Unbalanced).is_empty(), "{text}");
        }
        let scare = "“Go,” she said. He wrote ‘gate’ on the wall. “No,” he said.";
        assert_eq!(speeches(scare).len(), 2, "a word in single marks is no speech where double ones are");
    }

    #[test]
    fn captions_and_verse_stand_apart() {
        use SentenceVoice::{Apart, Narrated};
        assert_eq!(voices("She ran.\n\n[Illustration: She ran.]\n\nHe came."), [Narrated, Apart, Narrated]);
        assert_eq!(
            voices("[Illustration:\nShe ran.\nHe came.]\nRain fell on the long road home."),
            [Apart, Apart, Apart, Narrated]
        );
        assert_eq!(voices("雨声敲夜窗，孤灯照旧书。故人何处去，明月满空庐。"), [Apart, Apart]);
        assert_eq!(voices("他推门进来，把伞放下。屋里没有人。"), [Narrated, Narrated]);
        let song = "The rain is on the river\nThe moon is on the sea\nAnd nobody has told her\nThat I am coming home";
        assert_eq!(voices(song), [Apart; 4]);
    }
}
