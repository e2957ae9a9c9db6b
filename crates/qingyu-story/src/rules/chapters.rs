//! What the rules about prose share: drafting what was read in the chapters, and finding sentences that come again.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::material::excerpt;
use super::{Draft, Material};
use crate::edit::Replacement;
use crate::piece::PieceKind;
use crate::prose::sketch::{BANDS, Runs};
use crate::prose::{Chapter, Sentence, Sketch, Slip, SlipKind};
use crate::side_by_side::side_by_side;
use crate::{OutlineNode, OutlineNodeKind, says_something};

/// So many places are quoted at most; the texts say how many there are.
pub(super) const QUOTED: usize = 12;
/// Places no further apart than this are near each other: bytes, about twenty thousand Chinese characters or ten thousand
/// words.
const NEAR: usize = 60_000;

/// The chapters and scenes of the outline that are still to be written.
///
/// Written is what a text of the book tells; with a chapter its scenes, and with all its scenes a chapter.
pub(super) fn unwritten<'s>(material: &Material<'s>) -> impl Iterator<Item = &'s OutlineNode> {
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
    nodes
        .filter(move |(position, node)| node.kind != OutlineNodeKind::Act && !written.contains(position))
        .map(|(_, node)| node)
}

/// So many chapters with the same slips have one cause: a habit of the author, or of whoever prepared the text.
const ONE_CAUSE: usize = 5;

/// One finding per chapter that has slips of that kind, with all places mended at once if all can be; one for the book if
/// many chapters have them.
pub(super) fn slips(material: &Material<'_>, kind: SlipKind) -> Vec<Draft> {
    let slips = |chapter: &'_ Chapter<'_>| !chapter.prose.slips(kind).is_empty();
    let having: Vec<&Chapter<'_>> = material.chapters.iter().filter(|chapter| slips(chapter)).collect();
    if having.len() >= ONE_CAUSE {
        return vec![draft_of_book(&having, kind)];
    }
    having.into_iter().map(|chapter| draft(chapter, chapter.prose.slips(kind))).collect()
}

fn draft(chapter: &Chapter<'_>, slips: &[Slip]) -> Draft {
    let draft = Draft::about([chapter.handle()])
        .say("chapter", chapter.title())
        .say("count", slips.len().to_string())
        .affects(chapter.title())
        .quotes(slips.iter().take(QUOTED).map(|slip| quote(chapter, &slip.range)));
    with_fix(draft, chapter, slips)
}

/// The finding about slips that run through the book: with the first place of each of the first chapters.
fn draft_of_book(chapters: &[&Chapter<'_>], kind: SlipKind) -> Draft {
    let count: usize = chapters.iter().map(|chapter| chapter.prose.slips(kind).len()).sum();
    let (first, last) = (chapters[0].title(), chapters[chapters.len() - 1].title());
    let mut draft = Draft::about(["book"])
        .say("chapter", format!("{first} … {last} (×{})", chapters.len()))
        .say("count", count.to_string());
    for chapter in chapters {
        draft = draft.affects(chapter.title());
    }
    let places = chapters.iter().filter_map(|chapter| Some(quote(chapter, &chapter.prose.slips(kind).first()?.range)));
    draft = draft.quotes(places.take(QUOTED));
    chapters.iter().fold(draft, |draft, chapter| with_fix(draft, chapter, chapter.prose.slips(kind)))
}

/// Adds how the slips of a chapter are mended.
fn with_fix(draft: Draft, chapter: &Chapter<'_>, slips: &[Slip]) -> Draft {
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

/// The anchor of a place, and its words: with what stands around a short one, cut to a readable length.
pub(super) fn quote(chapter: &Chapter<'_>, range: &Range<usize>) -> (String, String) {
    const LONGEST: usize = 60;
    let words = chapter.words(range);
    let words = match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if words.chars().count() < 8 => excerpt(&chapter.document.text, range),
        None => words.to_owned(),
    };
    (chapter.anchor(range), words)
}

/// What every chapter of a form of novels begins or ends with, and what publishers put there.
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

/// Whether the sentence is such a formula.
pub(super) fn is_formula(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    FORMULAS.iter().any(|words| sentence.contains(words))
}

/// A place in a chapter, by the chapter's position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) chapter: usize,
    pub(super) range: Range<usize>,
}

/// Whether at least `many` of the spots, which are in reading order, stand near each other.
pub(super) fn come_close(material: &Material<'_>, spots: &[Spot], many: usize) -> bool {
    let distance = |first: &Spot, last: &Spot| {
        let between: usize =
            material.chapters[first.chapter..last.chapter].iter().map(|read| read.document.text.len()).sum();
        (between + last.range.start).saturating_sub(first.range.start)
    };
    spots.windows(many).any(|near| distance(&near[0], &near[many - 1]) <= NEAR)
}

/// A finding about words that come again, in the words of the first spot.
pub(super) fn draft_of_spots(material: &Material<'_>, about: String, spots: &[Spot]) -> Draft {
    let words = material.chapters[spots[0].chapter].words(&spots[0].range).trim();
    let mut draft = Draft::about([about]).say("words", words).say("count", spots.len().to_string());
    for spot in spots.iter().take(QUOTED) {
        let chapter = &material.chapters[spot.chapter];
        let (anchor, words) = quote(chapter, &spot.range);
        draft = draft.quote(anchor, words).affects(chapter.title());
    }
    draft.fix_text("rewrite", material.chapters[spots[spots.len() - 1].chapter].document, &[])
}

/// A sentence of the book, by the positions of its chapter and in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) chapter: usize,
    pub(super) sentence: usize,
}

impl<'m> Material<'m> {
    pub(super) fn sentence(&self, place: Place) -> &Sentence {
        &self.chapters[place.chapter].prose.sentences[place.sentence]
    }

    /// The sentences of all chapters in reading order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = (Place, &Sentence)> {
        self.chapters.iter().enumerate().flat_map(|(chapter, read)| {
            let sentences = read.prose.sentences.iter().enumerate();
            sentences.map(move |(sentence, found)| (Place { chapter, sentence }, found))
        })
    }

    fn words_of(&self, place: Place) -> &str {
        self.chapters[place.chapter].words(&self.sentence(place).range)
    }

    /// Whether all places are the first sentence of their chapter, or all the last.
    pub(super) fn are_ends(&self, places: &[Place]) -> bool {
        let is_last = |place: &Place| place.sentence + 1 == self.chapters[place.chapter].prose.sentences.len();
        places.iter().all(|place| place.sentence == 0) || places.iter().all(is_last)
    }
}

/// The places that say the same, each group in reading order, groups of one left out.
pub(super) fn same(material: &Material<'_>, places: impl Iterator<Item = Place>) -> Vec<Vec<Place>> {
    let mut shapes: Vec<(u64, Place)> = places.map(|place| (material.sentence(place).shape, place)).collect();
    shapes.sort_unstable();
    let groups = shapes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|(_, place)| *place).collect()).collect()
}

/// The places that say nearly the same but not quite, each group in reading order.
///
/// Sentences that share a part of their sketch are compared; of many that share it, each with the few before it, so that the
/// work stays linear.
pub(super) fn nearly_same(material: &Material<'_>, places: impl Iterator<Item = Place>) -> Vec<Vec<Place>> {
    const MANY: usize = 10_000;
    const ALIKE: f64 = 0.6;
    let sketched: Vec<Sketched> = places
        .filter_map(|place| {
            let Sentence { shape, sketch, .. } = material.sentence(place);
            Some(Sketched { place, shape: *shape, sketch: (*sketch)? })
        })
        .collect();
    // Runs that are hashed alike fall into one band, so that each band has its own pairs.
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
    let runs: Vec<Runs> = side_by_side(&numbers, MANY, |numbers| {
        let runs = |number: &usize| match is_compared[*number] {
            true => Runs::of(material.words_of(sketched[*number].place)),
            false => Runs::default(),
        };
        numbers.iter().map(runs).collect()
    });
    let alike: Vec<(Place, Place)> = side_by_side(&pairs, MANY, |pairs| {
        let alike = pairs.iter().filter(|(a, b)| runs[*a as usize].are_like(&runs[*b as usize], ALIKE));
        alike.map(|(a, b)| (sketched[*a as usize].place, sketched[*b as usize].place)).collect()
    });
    join(&alike)
}

/// A sentence that is compared with others.
struct Sketched {
    place: Place,
    shape: u64,
    sketch: Sketch,
}

/// The sentences that share the least run of a band and may say nearly the same, by their numbers, in order.
fn near(sketched: &[Sketched], band: usize) -> Vec<(u32, u32)> {
    const COMPARED: usize = 4;
    let least = sketched.iter().zip(0_u32..).map(|(one, number)| (one.sketch.0[band], number));
    let mut least: Vec<(u64, u32)> = least.filter(|(least, _)| *least != u64::MAX).collect();
    least.sort_unstable();
    let may_be_same = |a: &Sketched, b: &Sketched| {
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

/// The groups that pairs form.
fn join(pairs: &[(Place, Place)]) -> Vec<Vec<Place>> {
    let mut places: Vec<Place> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    places.sort_unstable();
    places.dedup();
    let position = |place: &Place| places.binary_search(place).expect("every place of a pair is listed");
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

/// The first place of the group that `at` belongs to.
fn leader(leaders: &mut [usize], mut at: usize) -> usize {
    while leaders[at] != at {
        leaders[at] = leaders[leaders[at]];
        at = leaders[at];
    }
    at
}

/// A finding about sentences that come again, told by how the first of them reads.
pub(super) fn draft_of_places(material: &Material<'_>, about: &str, places: &[Place]) -> Draft {
    let first = &material.chapters[places[0].chapter];
    let sentence = material.sentence(places[0]);
    let mut draft = Draft::about([about.to_owned(), format!("{:016x}", sentence.shape)])
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
