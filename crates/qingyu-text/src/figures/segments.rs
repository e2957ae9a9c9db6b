//! Splits a text into even parts between sentences.

use std::ops::Range;

use qingyu_story::Prose;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// The byte range.
    pub(super) span: Range<usize>,
    /// The sentences, as positions in the prose.
    pub(super) sentences: Range<usize>,
    /// The length in Chinese characters and Latin words.
    pub(super) length: usize,
}

/// Splits `prose` into at most `most` parts of about equal length, each at least `least` long unless the text is
/// shorter.
pub(super) fn cut(prose: &Prose, most: usize, least: usize) -> Vec<Segment> {
    let total: usize = prose.sentences.iter().map(|sentence| sentence.length).sum();
    let parts = most.min(total / least.max(1)).max(1);
    let mut segments = Vec::with_capacity(parts);
    let (mut first, mut read, mut length) = (0, 0, 0);
    for (at, sentence) in prose.sentences.iter().enumerate() {
        read += sentence.length;
        length += sentence.length;
        let is_last = at + 1 == prose.sentences.len();
        if is_last || read * parts >= total * (segments.len() + 1) {
            let span = prose.sentences[first].range.start..sentence.range.end;
            segments.push(Segment { span, sentences: first..at + 1, length });
            (first, length) = (at + 1, 0);
        }
    }
    segments
}

/// Returns the positions in the ordered list `found` for each segment, assigned by their start.
pub(super) fn spread<T>(segments: &[Segment], found: &[(Range<usize>, T)]) -> Vec<Range<usize>> {
    let mut from = 0;
    let within = |segment: &Segment| {
        let until = found.partition_point(|(range, _)| range.start < segment.span.end);
        let range = from.min(until)..until;
        from = until;
        range
    };
    segments.iter().map(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_cover_all_sentences() {
        let text = "雨下了一夜。她等着门响。没有人来！\n天亮了，她把灯吹灭，走到院子里去。井边站着一个人。";
        let prose = Prose::of(text);
        for most in 1..8 {
            let segments = cut(&prose, most, 1);
            assert!(segments.len() <= most);
            let covered: Vec<usize> = segments.iter().flat_map(|segment| segment.sentences.clone()).collect();
            assert_eq!(covered, (0..prose.sentences.len()).collect::<Vec<_>>(), "{most}");
        }
        assert_eq!(cut(&prose, 20, 1000).len(), 1);
        assert_eq!(cut(&Prose::of(""), 20, 10), []);
    }
}
