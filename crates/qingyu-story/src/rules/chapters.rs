//! Helpers of the prose rules: drafts for slips in chapters, and search for repeated sentences.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::material::excerpt;
use super::{FindingDraft, RuleMaterial};
use crate::edit::Replacement;
use crate::piece::PieceKind;
use crate::prose::sketch::LetterRuns;
use crate::prose::{AnalyzedChapter, BANDS, ProseSentence, ProseSlip, SentenceSketch, SlipKind};
use crate::side_by_side::side_by_side;
use crate::{OutlineNode, OutlineNodeKind, says_something};

/// The maximum number of quoted passages; the texts give the total.
pub(super) const QUOTED: usize = 12;
/// The maximum distance of neighbouring passages in bytes: about twenty thousand Chinese characters or ten thousand
/// words.
const NEAR: usize = 60_000;

/// Iterates over the unwritten chapters and scenes of the outline.
///
/// A node is written if a text of the book tells the node; a written chapter includes its scenes, and a chapter is
/// written if all its scenes are.
pub(super) fn unwritten<'s>(material: &RuleMaterial<'s>) -> impl Iterator<Item = &'s OutlineNode> {
    let story = material.story;
    let find = |name: Option<&str>| Some(material.names.resolve(PieceKind::OutlineNode, name?)?.position);
    let texts = story.documents.iter().filter(|text| text.order > 0 && says_something(&text.text));
    let told: BTreeSet<usize> = texts.filter_map(|text| find(text.outline_node.as_deref())).collect();
    let mut scenes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut written = told.clone();
    for (scene, node) in story.outline_nodes.iter().enumerate().filter(|(_, node)| node.kind == OutlineNodeKind::Scene)
    {
        if let Some(chapter) = find(node.parent.as_deref()) {
            scenes.entry(chapter).or_default().push(scene);
            if told.contains(&chapter) {
                written.insert(scene);
            }
        }
    }
    let whole = scenes.into_iter().filter(|(_, scenes)| scenes.iter().all(|scene| told.contains(scene)));
    written.extend(whole.map(|(chapter, _)| chapter));
    let nodes = story.outline_nodes.iter().enumerate();
    nodes.filter(move |(position, node)| !node.kind.is_group() && !written.contains(position)).map(|(_, node)| node)
}

/// The minimum number of chapters with the same slips to assume one cause: a habit of the author, or of the text's
/// editor.
const ONE_CAUSE: usize = 3;

/// Returns one draft per chapter with slips of the kind, with a single fix for the chapter; or one draft for the book
/// if many chapters have such slips.
pub(super) fn slips(material: &RuleMaterial<'_>, kind: SlipKind) -> Vec<FindingDraft> {
    slips_where(material, kind, |_, _| true)
}

/// Same as [`slips`], of those slips alone that `is_meant` accepts, given the index of their chapter.
pub(super) fn slips_where(
    material: &RuleMaterial<'_>,
    kind: SlipKind,
    is_meant: impl Fn(usize, &ProseSlip) -> bool,
) -> Vec<FindingDraft> {
    let having: Vec<ChapterSlips<'_>> = material
        .chapters
        .iter()
        .enumerate()
        .map(|(at, chapter)| (chapter, chapter.prose.slips(kind).iter().filter(|slip| is_meant(at, slip)).collect()))
        .filter(|(_, slips): &ChapterSlips<'_>| !slips.is_empty())
        .collect();
    if having.len() >= ONE_CAUSE {
        return vec![draft_of_book(&having)];
    }
    having.iter().map(|(chapter, slips)| draft(chapter, slips)).collect()
}

/// A chapter with its slips, at least one.
type ChapterSlips<'s> = (&'s AnalyzedChapter<'s>, Vec<&'s ProseSlip>);

fn draft(chapter: &AnalyzedChapter<'_>, slips: &[&ProseSlip]) -> FindingDraft {
    let draft = FindingDraft::about([chapter.handle()])
        .say("chapter", chapter.title())
        .say("count", slips.len().to_string())
        .affects(chapter.title())
        .quotes(slips.iter().take(QUOTED).map(|slip| quote(chapter, &slip.range)));
    with_fix(draft, chapter, slips)
}

/// Returns the draft about slips throughout the book, quoting the first slip of each of the first chapters.
fn draft_of_book(chapters: &[ChapterSlips<'_>]) -> FindingDraft {
    let count: usize = chapters.iter().map(|(_, slips)| slips.len()).sum();
    let (first, last) = (chapters[0].0.title(), chapters[chapters.len() - 1].0.title());
    let mut draft = FindingDraft::about(["book"])
        .say("chapter", format!("{first} … {last} (×{})", chapters.len()))
        .say("count", count.to_string());
    for (chapter, _) in chapters {
        draft = draft.affects(chapter.title());
    }
    let places = chapters.iter().map(|(chapter, slips)| quote(chapter, &slips[0].range));
    draft = draft.quotes(places.take(QUOTED));
    chapters.iter().fold(draft, |draft, (chapter, slips)| with_fix(draft, chapter, slips))
}

/// Adds the fix for a chapter's slips.
fn with_fix(draft: FindingDraft, chapter: &AnalyzedChapter<'_>, slips: &[&ProseSlip]) -> FindingDraft {
    let replacements: Vec<Replacement> = slips
        .iter()
        .filter_map(|slip| {
            let (range, was) = (&slip.range, chapter.words(&slip.range).to_owned());
            Some(Replacement { range: (range.start, range.end), was, with: slip.with.clone()? })
        })
        .collect();
    if replacements.len() == slips.len() {
        draft.fix_text("mend", chapter.document, &replacements)
    } else {
        draft.fix_text("rewrite", chapter.document, &[])
    }
}

/// Returns the anchor of a range and its words: a short range with context, cut to a readable length.
pub(super) fn quote(chapter: &AnalyzedChapter<'_>, range: &Range<usize>) -> (String, String) {
    const LONGEST: usize = 60;
    let words = chapter.words(range);
    let words = match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if words.chars().count() < 8 => excerpt(&chapter.document.text, range),
        None => words.to_owned(),
    };
    (chapter.anchor(range), words)
}

/// Formulas at the beginning or end of every chapter in some genres, and formulas inserted by publishers.
const FORMULAS: [&str; 31] = [
    "下回分解",
    "下囘分解",
    "下回分說",
    "下文分解",
    "下章分解",
    "下卷分解",
    "且看下回",
    "且聽下回",
    "且听下回",
    "再聽下回",
    "再听下回",
    "且看下文",
    "欲知後事",
    "欲知后事",
    "後事如何",
    "后事如何",
    "未知如何",
    "不知如何",
    "不知後來如何",
    "不知后来如何",
    "且待下回",
    "書接上回",
    "书接上回",
    "上回說到",
    "上回说到",
    "有分教",
    "未完待续",
    "未完待續",
    "to be continued",
    "end of chapter",
    "end of volume",
];

/// Returns whether the sentence is such a formula.
pub(super) fn is_formula(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    FORMULAS.iter().any(|words| sentence.contains(words))
}

/// A position in a chapter, with the chapter's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextSpot {
    pub(super) chapter: usize,
    pub(super) range: Range<usize>,
}

/// Returns whether at least `many` of the spots, sorted in reading order, are near each other.
pub(super) fn come_close(material: &RuleMaterial<'_>, spots: &[TextSpot], many: usize) -> bool {
    let distance = |first: &TextSpot, last: &TextSpot| {
        let between: usize =
            material.chapters[first.chapter..last.chapter].iter().map(|read| read.document.text.len()).sum();
        (between + last.range.start).saturating_sub(first.range.start)
    };
    spots.windows(many).any(|near| distance(&near[0], &near[many - 1]) <= NEAR)
}

/// Returns a draft about repeated words, as written at the first spot.
pub(super) fn draft_of_spots(material: &RuleMaterial<'_>, about: String, spots: &[TextSpot]) -> FindingDraft {
    let words = material.chapters[spots[0].chapter].words(&spots[0].range).trim();
    let mut draft = FindingDraft::about([about]).say("words", words).say("count", spots.len().to_string());
    for spot in spots.iter().take(QUOTED) {
        let chapter = &material.chapters[spot.chapter];
        let (anchor, words) = quote(chapter, &spot.range);
        draft = draft.quote(anchor, words).affects(chapter.title());
    }
    draft.fix_text("rewrite", material.chapters[spots[spots.len() - 1].chapter].document, &[])
}

/// A sentence of the book, by chapter index and sentence index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SentencePosition {
    pub(super) chapter: usize,
    pub(super) sentence: usize,
}

impl<'m> RuleMaterial<'m> {
    pub(super) fn sentence(&self, place: SentencePosition) -> &ProseSentence {
        &self.chapters[place.chapter].prose.sentences[place.sentence]
    }

    /// Iterates over the sentences of all chapters in reading order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = (SentencePosition, &ProseSentence)> {
        self.chapters.iter().enumerate().flat_map(|(chapter, read)| {
            let sentences = read.prose.sentences.iter().enumerate();
            sentences.map(move |(sentence, found)| (SentencePosition { chapter, sentence }, found))
        })
    }

    fn words_of(&self, place: SentencePosition) -> &str {
        self.chapters[place.chapter].words(&self.sentence(place).range)
    }

    /// Returns whether all sentences are first in their chapter, or all last.
    pub(super) fn are_ends(&self, places: &[SentencePosition]) -> bool {
        let is_last =
            |place: &SentencePosition| place.sentence + 1 == self.chapters[place.chapter].prose.sentences.len();
        places.iter().all(|place| place.sentence == 0) || places.iter().all(is_last)
    }
}

/// Returns groups of duplicate sentences, each in reading order, without groups of size 1.
pub(super) fn same(
    material: &RuleMaterial<'_>,
    places: impl Iterator<Item = SentencePosition>,
) -> Vec<Vec<SentencePosition>> {
    let mut shapes: Vec<(u64, SentencePosition)> =
        places.map(|place| (material.sentence(place).shape, place)).collect();
    shapes.sort_unstable();
    let groups = shapes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|(_, place)| *place).collect()).collect()
}

/// Returns groups of near-duplicate, but not equal, sentences, each in reading order.
///
/// Sentences with a common sketch value are compared; among many with the same value, each is compared only with the
/// few before, so that the work stays linear.
pub(super) fn nearly_same(
    material: &RuleMaterial<'_>,
    places: impl Iterator<Item = SentencePosition>,
) -> Vec<Vec<SentencePosition>> {
    const MANY: usize = 10_000;
    const ALIKE: f64 = 0.6;
    let sketched: Vec<SketchedSentence> = places
        .filter_map(|place| {
            let ProseSentence { shape, sketch, .. } = material.sentence(place);
            Some(SketchedSentence { place, shape: *shape, sketch: (*sketch)? })
        })
        .collect();
    // Runs with equal hashes fall into one band, so each band has its own pairs.
    let bands: Vec<usize> = (0..BANDS).collect();
    let few = if sketched.len() < MANY { BANDS + 1 } else { 0 };
    let pairs_of = |bands: &[usize]| bands.iter().flat_map(|band| near(&sketched, *band)).collect();
    let mut pairs: Vec<(u32, u32)> = side_by_side(&bands, few, pairs_of);
    pairs.sort();
    pairs.dedup();
    let mut is_compared = vec![false; sketched.len()];
    for (a, b) in &pairs {
        (is_compared[*a as usize], is_compared[*b as usize]) = (true, true);
    }
    let numbers: Vec<usize> = (0..sketched.len()).collect();
    let runs: Vec<LetterRuns> = side_by_side(&numbers, MANY, |numbers| {
        let runs = |number: &usize| match is_compared[*number] {
            true => LetterRuns::of(material.words_of(sketched[*number].place)),
            false => LetterRuns::default(),
        };
        numbers.iter().map(runs).collect()
    });
    let alike: Vec<(SentencePosition, SentencePosition)> = side_by_side(&pairs, MANY, |pairs| {
        let alike = pairs.iter().filter(|(a, b)| runs[*a as usize].are_like(&runs[*b as usize], ALIKE));
        alike.map(|(a, b)| (sketched[*a as usize].place, sketched[*b as usize].place)).collect()
    });
    join(&alike)
}

/// A sentence with its sketch.
struct SketchedSentence {
    place: SentencePosition,
    shape: u64,
    sketch: SentenceSketch,
}

/// Returns the pairs of sentences with the same minimum in a band and a possible match, by index, sorted.
fn near(sketched: &[SketchedSentence], band: usize) -> Vec<(u32, u32)> {
    const COMPARED: usize = 4;
    let least = sketched.iter().zip(0_u32..).map(|(one, number)| (one.sketch.0[band], number));
    let mut least: Vec<(u64, u32)> = least.filter(|(least, _)| *least != u64::MAX).collect();
    least.sort_unstable();
    let may_be_same = |a: &SketchedSentence, b: &SketchedSentence| {
        let is_parallel = a.place.chapter == b.place.chapter && a.place.sentence.abs_diff(b.place.sentence) <= 3;
        !is_parallel && a.shape != b.shape && a.sketch.is_near(&b.sketch)
    };
    let mut pairs = Vec::new();
    for group in least.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        for (at, (_, later)) in group.iter().enumerate() {
            let before = group[at.saturating_sub(COMPARED)..at].iter().map(|(_, earlier)| (*earlier, *later));
            pairs.extend(before.filter(|(a, b)| may_be_same(&sketched[*a as usize], &sketched[*b as usize])));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the groups connected by pairs.
fn join(pairs: &[(SentencePosition, SentencePosition)]) -> Vec<Vec<SentencePosition>> {
    let mut places: Vec<SentencePosition> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    places.sort_unstable();
    places.dedup();
    let position = |place: &SentencePosition| places.binary_search(place).expect("every place of a pair is listed");
    let mut leaders: Vec<usize> = (0..places.len()).collect();
    for (a, b) in pairs {
        let (a, b) = (leader(&mut leaders, position(a)), leader(&mut leaders, position(b)));
        leaders[a.max(b)] = a.min(b);
    }
    let mut groups = vec![Vec::new(); places.len()];
    for (at, place) in places.iter().enumerate() {
        groups[leader(&mut leaders, at)].push(*place);
    }
    groups.into_iter().filter(|group| group.len() > 1).collect()
}

/// Returns the representative of the group of `at`.
fn leader(leaders: &mut [usize], mut at: usize) -> usize {
    while leaders[at] != at {
        leaders[at] = leaders[leaders[at]];
        at = leaders[at];
    }
    at
}

/// Returns one draft per group of repeated sentences; or one draft for all groups between the same chapters, if there are
/// several: a passage occurs in each of them.
pub(super) fn drafts_of_groups(
    material: &RuleMaterial<'_>,
    about: &str,
    groups: &[Vec<SentencePosition>],
) -> Vec<FindingDraft> {
    let mut by_chapters: BTreeMap<BTreeSet<usize>, Vec<&Vec<SentencePosition>>> = BTreeMap::new();
    for group in groups {
        by_chapters.entry(group.iter().map(|place| place.chapter).collect()).or_default().push(group);
    }
    let place = |place: &SentencePosition| quote(&material.chapters[place.chapter], &material.sentence(*place).range);
    let mut drafts = Vec::new();
    for (chapters, groups) in by_chapters {
        if chapters.len() > 1 && groups.len() >= ONE_CAUSE {
            let others: Vec<_> = groups[1..].iter().flat_map(|group| group.iter()).take(QUOTED).map(place).collect();
            drafts.push(draft_of_places(material, about, groups[0]).quotes(others));
        } else {
            drafts.extend(groups.into_iter().map(|group| draft_of_places(material, about, group)));
        }
    }
    drafts
}

/// Returns a draft about repeated sentences, identified by the wording of the first.
pub(super) fn draft_of_places(material: &RuleMaterial<'_>, about: &str, places: &[SentencePosition]) -> FindingDraft {
    let first = &material.chapters[places[0].chapter];
    let sentence = material.sentence(places[0]);
    let mut draft = FindingDraft::about([about.to_owned(), format!("{:016x}", sentence.shape)])
        .say("chapter", first.title())
        .say("sentence", quote(first, &sentence.range).1)
        .say("count", places.len().to_string());
    for place in places.iter().take(QUOTED) {
        let chapter = &material.chapters[place.chapter];
        let (anchor, words) = quote(chapter, &material.sentence(*place).range);
        draft = draft.quote(anchor, words).affects(chapter.title());
    }
    let last = &material.chapters[places[places.len() - 1].chapter];
    draft.fix_text("rewrite", last.document, &[])
}
