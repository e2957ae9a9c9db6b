//! Fixes of a chapter by find and replace; all other bytes stay unchanged.

use std::ops::Range;

use qingyu_story::Prose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::{ChapterFinding, Dimension};

/// The answer of `chapter.fix`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Fixes {
    /// The places to change.
    pub(crate) fixes: Vec<Fix>,
    /// The issues that cannot be mended without undoing what the author asked for; they have no fixes.
    pub(crate) against: Vec<AgainstAuthor>,
    /// The issues that are wrong, because the prose is right as it stands; they have no fixes.
    pub(crate) disputed: Vec<DisputedIssue>,
    /// Why so, a sentence each.
    pub(crate) reasoning: Vec<String>,
}

/// One place to change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Fix {
    /// The words that stand there, exactly, and only there.
    pub(crate) find: String,
    /// The words that are to stand there instead.
    pub(crate) with: String,
    /// The number of the issue that it mends.
    pub(crate) issue: u32,
}

/// An issue that cannot be mended without undoing what the author asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct AgainstAuthor {
    /// The number of the issue.
    pub(crate) issue: u32,
    /// The number of what the author asked for.
    pub(crate) asked: u32,
}

/// An issue that is wrong: the prose does not have the fault, or the record has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct DisputedIssue {
    /// The number of the issue.
    pub(crate) issue: u32,
    /// Why it is wrong, in a sentence.
    pub(crate) reason: String,
}

/// Maximum growth of a place in characters, where the plan is not fulfilled.
const GROWTH: usize = 2_000;

/// The result of applied fixes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FixedText {
    /// Text with the accepted fixes.
    pub(crate) text: String,
    /// Replaced byte ranges of the old text, in order, with the number of inserted bytes.
    pub(crate) places: Vec<(Range<usize>, usize)>,
    /// Indexes of the accepted fixes.
    pub(crate) done: Vec<usize>,
    /// Indexes of the refused fixes, with reasons.
    pub(crate) refused: Vec<(usize, FixRefusal)>,
}

/// The reason a fix was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FixRefusal {
    /// No issue has this number.
    NoIssue,
    /// The words were not found in the text.
    NotThere,
    /// The words occur several times.
    SeveralPlaces,
    /// The place is not near the issue.
    Elsewhere,
    /// The place is outside the range that may be changed.
    OutOfPart,
    /// Another fix changes the same place.
    Overlaps,
    /// The fix changes nothing.
    NoChange,
    /// The replacement is much longer than the original.
    TooLong,
    /// The place is in a sentence that the author wrote by hand.
    ByHand,
}

/// Applies all valid `fixes`. The words of a fix must occur exactly once, at most a sentence away from words quoted by
/// a finding, within `part` if given, and must not overlap an earlier fix. A finding fixed at its quote may be fixed in
/// other places as well.
pub(crate) fn mend(text: &str, fixes: &[Fix], findings: &[ChapterFinding], part: Option<&Range<usize>>) -> FixedText {
    let prose = Prose::of(text);
    let mut mended = FixedText::default();
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
            mended.refused.push((index, FixRefusal::NoIssue));
        } else if !mended_at_quote.contains(&fixes[index].issue) {
            mended.refused.push((index, FixRefusal::Elsewhere));
        } else if overlaps {
            mended.refused.push((index, FixRefusal::Overlaps));
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

/// Returns the finding named by a fix.
fn finding_of<'f>(fix: &Fix, findings: &'f [ChapterFinding]) -> Option<&'f ChapterFinding> {
    findings.get(usize::try_from(fix.issue).ok()?.checked_sub(1)?)
}

/// Returns the place of a fix, and whether it is near a finding.
fn place(
    text: &str,
    prose: &Prose,
    fix: &Fix,
    findings: &[ChapterFinding],
    part: Option<&Range<usize>>,
    taken: &[Range<usize>],
) -> Result<(Range<usize>, bool), FixRefusal> {
    if fix.find == fix.with {
        return Err(FixRefusal::NoChange);
    }
    let mut found = matches(text, &fix.find);
    let range = found.next().ok_or(FixRefusal::NotThere)?;
    if found.next().is_some() {
        return Err(FixRefusal::SeveralPlaces);
    }
    if part.is_some_and(|part| range.start < part.start || range.end > part.end) {
        return Err(FixRefusal::OutOfPart);
    }
    let touches = |zone: &Range<usize>| range.start <= zone.end && zone.start <= range.end;
    let is_near = |finding: &ChapterFinding| matches(text, &finding.quote).any(|quote| touches(&around(prose, &quote)));
    // Models miscount issues, so any place near a shown finding is valid.
    let is_shown = findings.iter().any(is_near);
    if taken.iter().any(|other| range.start < other.end && other.start < range.end) {
        return Err(FixRefusal::Overlaps);
    }
    let (before, after) = (fix.find.chars().count(), fix.with.chars().count());
    // A text that is too short may grow.
    let may_grow = finding_of(fix, findings).is_some_and(|finding| finding.dimension == Some(Dimension::Task));
    if after > before * 3 + if may_grow { GROWTH } else { 300 } {
        return Err(FixRefusal::TooLong);
    }
    Ok((range, is_shown))
}

/// Returns the occurrences of `words`; empty for empty words.
fn matches<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let words = if words.trim().is_empty() { None } else { Some(words) };
    words.into_iter().flat_map(move |words| text.match_indices(words)).map(|(at, found)| at..at + found.len())
}

/// Returns the sentences of a quote, with one sentence before and after.
fn around(prose: &Prose, quote: &Range<usize>) -> Range<usize> {
    let first = prose.sentences.partition_point(|sentence| sentence.range.end <= quote.start);
    let last = prose.sentences.partition_point(|sentence| sentence.range.start < quote.end);
    let start = prose.sentences.get(first.saturating_sub(1)).map_or(quote.start, |sentence| sentence.range.start);
    let end = prose.sentences.get(last.min(prose.sentences.len().saturating_sub(1)));
    start.min(quote.start)..end.map_or(quote.end, |sentence| sentence.range.end).max(quote.end)
}

/// Converts a byte offset of the old text to the new text; an offset inside a replaced place moves to its beginning.
pub(crate) fn moved(offset: usize, places: &[(Range<usize>, usize)]) -> usize {
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

/// Returns whether the finding's quoted words are gone, as required of any fix.
pub(crate) fn is_gone(finding: &ChapterFinding, text: &str) -> bool {
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

    fn refusals(fixes: &[Fix]) -> Vec<FixRefusal> {
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
            (fix("夜里又下起雨来", "夜", 3), FixRefusal::NoIssue),
            (fix("绿眼睛", "黑眼睛", 1), FixRefusal::NotThere),
            (fix("雨", "雪", 1), FixRefusal::SeveralPlaces),
            (fix("", "雪", 1), FixRefusal::NotThere),
            (fix("夜里又下起雨来。", "", 1), FixRefusal::Elsewhere),
            (fix("蓝眼睛", "蓝眼睛", 1), FixRefusal::NoChange),
        ];
        for (fix, why) in cases {
            assert_eq!(refusals(std::slice::from_ref(&fix)), [why], "{fix:?}");
        }
        assert_eq!(refusals(&[fix("蓝眼睛", "黑眼睛", 1), fix("的蓝眼睛看", "看", 1)]), [FixRefusal::Overlaps]);
        assert_eq!(refusals(&[fix("蓝眼睛", &"黑".repeat(400), 1)]), [FixRefusal::TooLong]);
        let findings = [finding("他转身走了。")];
        let outside = mend(TEXT, &[fix("他转身走了", "他没有走", 1)], &findings, Some(&(0..12)));
        assert_eq!(outside.refused, [(0, FixRefusal::OutOfPart)]);
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
        assert_eq!(mended.refused, [(2, FixRefusal::Elsewhere)], "the second is not mended where it is quoted");
        assert_eq!(mended.text, text.replace("怀里揣着手炉", "捻着胡须").replace("的手炉停了", "捻须的手停了"));
    }

    #[test]
    fn what_is_too_short_may_grow() {
        let findings = [ChapterFinding { dimension: Some(Dimension::Task), ..finding("他转身走了。") }];
        let longer = "他转身走了，走得很慢。".repeat(60);
        assert_eq!(mend(TEXT, &[fix("他转身走了。", &longer, 1)], &findings, None).refused, []);
    }

    proptest! {
        // For any fixes, the text outside the fixed places stays unchanged, byte for byte.
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
