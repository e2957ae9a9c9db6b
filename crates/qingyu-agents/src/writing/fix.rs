//! Mending a chapter by finding and replacing, so that everything else stays byte for byte.

use std::ops::Range;

use qingyu_story::Prose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::{ChapterFinding, Dimension};

/// The answer of `chapter.fix`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Fixes {
    /// The places to change.
    pub fixes: Vec<Fix>,
    /// Why so, a sentence each.
    pub reasoning: Vec<String>,
}

/// One place to change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Fix {
    /// The words that stand there, exactly, and only there.
    pub find: String,
    /// The words that are to stand there instead.
    pub with: String,
    /// The number of the issue that it mends.
    pub issue: u32,
}

/// By how many characters a place may grow where the plan is not filled.
const GROWTH: usize = 2_000;

/// What became of fixes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mended {
    /// The text with the fixes that fit.
    pub text: String,
    /// The bytes of the old text that were replaced, in order, with the number of bytes that stand there now.
    pub places: Vec<(Range<usize>, usize)>,
    /// The fixes that fit, as positions.
    pub done: Vec<usize>,
    /// Those that did not.
    pub refused: Vec<(usize, Refusal)>,
}

/// Why a fix was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// There is no issue of that number.
    NoIssue,
    /// The words do not stand in the text.
    NotThere,
    /// The words stand in several places.
    SeveralPlaces,
    /// The place is not where the issue is.
    Elsewhere,
    /// The place is outside of what may be changed.
    OutOfPart,
    /// Another fix changes the same place.
    Overlaps,
    /// It changes nothing.
    NoChange,
    /// It puts much more there than it takes out.
    TooLong,
}

/// Makes those of `fixes` that fit: each must find its words exactly once, at most a sentence away from words that a
/// finding quotes, within `part` if only that may be changed, and not where an earlier one changes something. A finding
/// that is mended where it is quoted may be mended in other places as well.
pub fn mend(text: &str, fixes: &[Fix], findings: &[ChapterFinding], part: Option<&Range<usize>>) -> Mended {
    let prose = Prose::of(text);
    let mut mended = Mended::default();
    let mut places: Vec<(Range<usize>, &str)> = Vec::new();
    let mut waiting = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        let taken: Vec<Range<usize>> = places.iter().map(|(range, _)| range.clone()).collect();
        match place(text, &prose, fix, findings, part, &taken) {
            Ok((range, true)) => {
                places.push((range, &fix.with));
                mended.done.push(index);
            }
            Ok((range, false)) => waiting.push((index, range)),
            Err(refusal) => mended.refused.push((index, refusal)),
        }
    }
    let mended_at_quote: Vec<u32> = mended.done.iter().map(|index| fixes[*index].issue).collect();
    for (index, range) in waiting {
        let is_known = finding_of(&fixes[index], findings).is_some();
        let overlaps = places.iter().any(|(other, _)| range.start < other.end && other.start < range.end);
        if !is_known {
            mended.refused.push((index, Refusal::NoIssue));
        } else if !mended_at_quote.contains(&fixes[index].issue) {
            mended.refused.push((index, Refusal::Elsewhere));
        } else if overlaps {
            mended.refused.push((index, Refusal::Overlaps));
        } else {
            places.push((range, &fixes[index].with));
            mended.done.push(index);
        }
    }
    mended.refused.sort_by_key(|(index, _)| *index);
    places.sort_by_key(|(range, _)| range.start);
    let mut copied = 0;
    for (range, with) in &places {
        mended.text.push_str(&text[copied..range.start]);
        mended.text.push_str(with);
        copied = range.end;
    }
    mended.text.push_str(&text[copied..]);
    mended.places = places.into_iter().map(|(range, with)| (range, with.len())).collect();
    mended
}

/// The finding that a fix names.
fn finding_of<'f>(fix: &Fix, findings: &'f [ChapterFinding]) -> Option<&'f ChapterFinding> {
    findings.get(usize::try_from(fix.issue).ok()?.checked_sub(1)?)
}

/// Where the fix is made, and whether that is where a finding is.
fn place(
    text: &str,
    prose: &Prose,
    fix: &Fix,
    findings: &[ChapterFinding],
    part: Option<&Range<usize>>,
    taken: &[Range<usize>],
) -> Result<(Range<usize>, bool), Refusal> {
    if fix.find == fix.with {
        return Err(Refusal::NoChange);
    }
    let mut found = matches(text, &fix.find);
    let range = found.next().ok_or(Refusal::NotThere)?;
    if found.next().is_some() {
        return Err(Refusal::SeveralPlaces);
    }
    if part.is_some_and(|part| range.start < part.start || range.end > part.end) {
        return Err(Refusal::OutOfPart);
    }
    let touches = |zone: &Range<usize>| range.start <= zone.end && zone.start <= range.end;
    let is_near = |finding: &ChapterFinding| matches(text, &finding.quote).any(|quote| touches(&around(prose, &quote)));
    // Models miscount: what counts is that the place is one that was shown.
    let is_shown = findings.iter().any(is_near);
    if taken.iter().any(|other| range.start < other.end && other.start < range.end) {
        return Err(Refusal::Overlaps);
    }
    let (before, after) = (fix.find.chars().count(), fix.with.chars().count());
    // What is too short is to grow.
    let may_grow = finding_of(fix, findings).is_some_and(|finding| finding.dimension == Some(Dimension::Task));
    if after > before * 3 + if may_grow { GROWTH } else { 300 } {
        return Err(Refusal::TooLong);
    }
    Ok((range, is_shown))
}

/// The places of `words`, none if they are empty.
fn matches<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let words = if words.trim().is_empty() { None } else { Some(words) };
    words.into_iter().flat_map(move |words| text.match_indices(words)).map(|(at, found)| at..at + found.len())
}

/// The sentences of a quote, the one before and the one after.
fn around(prose: &Prose, quote: &Range<usize>) -> Range<usize> {
    let first = prose.sentences.partition_point(|sentence| sentence.range.end <= quote.start);
    let last = prose.sentences.partition_point(|sentence| sentence.range.start < quote.end);
    let start = prose.sentences.get(first.saturating_sub(1)).map_or(quote.start, |sentence| sentence.range.start);
    let end = prose.sentences.get(last.min(prose.sentences.len().saturating_sub(1)));
    start.min(quote.start)..end.map_or(quote.end, |sentence| sentence.range.end).max(quote.end)
}

/// Where byte offsets of the old text are in the new one; one within a replaced place moves to its beginning.
pub fn moved(offset: usize, places: &[(Range<usize>, usize)]) -> usize {
    let mut at = offset;
    for (range, length) in places.iter().rev() {
        if range.end <= offset {
            at = at + length - range.len();
        } else if range.start < offset {
            at -= offset - range.start;
        }
    }
    at
}

/// Whether the words that a finding quotes are gone from the text: what its mending must have come to.
pub fn is_gone(finding: &ChapterFinding, text: &str) -> bool {
    finding.quote.trim().is_empty() || !text.contains(&finding.quote)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "雨停了。林青的蓝眼睛看着港口。船不在。他转身走了。夜里又下起雨来。";

    fn finding(quote: &str) -> ChapterFinding {
        ChapterFinding { quote: quote.into(), ..ChapterFinding::default() }
    }

    fn fix(find: &str, with: &str, issue: u32) -> Fix {
        Fix { find: find.into(), with: with.into(), issue }
    }

    fn refusals(fixes: &[Fix]) -> Vec<Refusal> {
        let findings = [finding("林青的蓝眼睛看着港口。")];
        mend(TEXT, fixes, &findings, None).refused.into_iter().map(|(_, why)| why).collect()
    }

    #[test]
    fn a_fix_that_fits_is_made_and_nothing_else_changes() {
        let findings = [finding("林青的蓝眼睛看着港口。")];
        let mended = mend(TEXT, &[fix("蓝眼睛", "黑眼睛", 1)], &findings, None);
        assert_eq!(mended.text, TEXT.replace("蓝眼睛", "黑眼睛"));
        assert!(is_gone(&findings[0], &mended.text) && !is_gone(&findings[0], TEXT));
        let miscounted = mend(TEXT, &[fix("蓝眼睛", "黑眼睛", 7)], &findings, None);
        assert_eq!(miscounted.text, mended.text, "the place counts, not the number");
        let next = mend(TEXT, &[fix("船不在。", "", 1)], &findings, None);
        assert_eq!(next.text, TEXT.replace("船不在。", ""), "a sentence away is near enough");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let cases = [
            (fix("夜里又下起雨来", "夜", 3), Refusal::NoIssue),
            (fix("绿眼睛", "黑眼睛", 1), Refusal::NotThere),
            (fix("雨", "雪", 1), Refusal::SeveralPlaces),
            (fix("", "雪", 1), Refusal::NotThere),
            (fix("夜里又下起雨来。", "", 1), Refusal::Elsewhere),
            (fix("蓝眼睛", "蓝眼睛", 1), Refusal::NoChange),
        ];
        for (fix, why) in cases {
            assert_eq!(refusals(std::slice::from_ref(&fix)), [why], "{fix:?}");
        }
        assert_eq!(refusals(&[fix("蓝眼睛", "黑眼睛", 1), fix("的蓝眼睛看", "看", 1)]), [Refusal::Overlaps]);
        assert_eq!(refusals(&[fix("蓝眼睛", &"黑".repeat(400), 1)]), [Refusal::TooLong]);
        let findings = [finding("他转身走了。")];
        let outside = mend(TEXT, &[fix("他转身走了", "他没有走", 1)], &findings, Some(&(0..12)));
        assert_eq!(outside.refused, [(0, Refusal::OutOfPart)]);
    }

    #[test]
    fn a_finding_may_be_mended_in_several_places() {
        let text =
            "崔景明怀里揣着手炉。冰房里点了十二盏灯。她数过三遍。净水从井里打来。崔景明的手炉停了一停。水线很细。";
        let findings = [finding("崔景明怀里揣着手炉。"), finding("她数过三遍。")];
        let fixes = [
            fix("崔景明的手炉停了一停。", "崔景明捻须的手停了一停。", 1),
            fix("崔景明怀里揣着手炉。", "崔景明捻着胡须。", 1),
            fix("水线很细。", "", 2),
        ];
        let mended = mend(text, &fixes, &findings, None);
        assert_eq!(mended.refused, [(2, Refusal::Elsewhere)], "the second is not mended where it is quoted");
        assert_eq!(mended.text, text.replace("怀里揣着手炉", "捻着胡须").replace("的手炉停了", "捻须的手停了"));
    }

    #[test]
    fn what_is_too_short_may_grow() {
        let findings = [ChapterFinding { dimension: Some(Dimension::Task), ..finding("他转身走了。") }];
        let longer = "他转身走了，走得很慢。".repeat(60);
        assert_eq!(mend(TEXT, &[fix("他转身走了。", &longer, 1)], &findings, None).refused, []);
    }

    proptest! {
        // Whatever the fixes are: outside the places that were mended, the text is the same, byte for byte.
        #[test]
        fn everything_else_stays(
            sentences in prop::collection::vec("[雨夜林青港口船灯a-z]{1,8}", 1..12),
            fixes in prop::collection::vec((0..12_usize, 0..8_usize, 1..6_usize, "[雪风a-z。]{0,10}", 0..5_u32), 0..8),
        ) {
            let text = sentences.iter().map(|sentence| format!("{sentence}。")).collect::<String>();
            let characters: Vec<char> = text.chars().collect();
            let findings: Vec<ChapterFinding> =
                sentences.iter().take(4).map(|sentence| finding(sentence)).collect();
            let fixes: Vec<Fix> = fixes
                .into_iter()
                .map(|(from, skip, length, with, issue)| {
                    let from = (from * 3 + skip) % characters.len();
                    let find = characters[from..(from + length).min(characters.len())].iter().collect::<String>();
                    Fix { find, with, issue }
                })
                .collect();
            let mended = mend(&text, &fixes, &findings, None);
            prop_assert_eq!(mended.done.len() + mended.refused.len(), fixes.len());
            let (mut old, mut new) = (0, 0);
            for (range, length) in &mended.places {
                let kept = range.start - old;
                prop_assert_eq!(&text[old..range.start], &mended.text[new..new + kept]);
                prop_assert_eq!(moved(range.start, &mended.places), new + kept);
                (old, new) = (range.end, new + kept + length);
            }
            prop_assert_eq!(&text[old..], &mended.text[new..]);
            prop_assert_eq!(moved(text.len(), &mended.places), mended.text.len());
        }
    }
}
