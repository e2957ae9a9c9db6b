//! The story as far as it is known before a chapter: no plan of this chapter and the later ones, no truth behind the book,
//! no payoff.

use std::collections::BTreeMap;

use qingyu_knowledge::Hit;
use qingyu_knowledge::chunk::{self, Chunker, Source};
use qingyu_story::chapters::{Chapters, outline};
use qingyu_story::{Names, OutlineNodeKind, Piece, PieceKind, Story};

/// The places of the pieces of a story, by the chapters that tell or plan them.
struct PiecePlaces<'s> {
    story: &'s Story,
    names: Names,
    chapters: Chapters,
    /// The place of each outline node that is a chapter or a scene, by position.
    nodes: BTreeMap<usize, u32>,
    /// The place of the chapter that a piece was settled from.
    made: BTreeMap<(PieceKind, &'s str), u32>,
}

/// Returns what is known of `story` before the chapter at `place` in reading order, without the cards, relations and facts
/// made from later chapters. Volumes, arcs and the node of the book plan what comes, and notes of the author may do so:
/// neither is known.
pub(super) fn known_before(story: &Story, place: u32) -> Story {
    let places = PiecePlaces::of(story);
    let is_known = |at: Option<u32>| at.is_some_and(|at| at < place);
    let is_open = |name: &String| is_known(places.of_name(name));
    let mut known = story.clone();
    keep(&mut known.outline_nodes, |position| is_known(places.nodes.get(&position).copied()));
    keep(&mut known.documents, |position| is_known(places.chapters.of_document(position).map(|one| one.place)));
    keep(&mut known.timeline_events, |position| is_known(places.of_event(position)));
    let of_node = |name: Option<&str>| name.and_then(|name| places.of_name(name));
    known.plot_nodes.retain(|plot| is_known(of_node(plot.outline_node.as_deref())));
    let is_to_come = |name: &str| places.of_name(name).is_some_and(|at| at >= place);
    let is_made_later = |kind, id: &str| places.is_made_from(kind, id, place);
    known.facts.retain(|fact| {
        let document = fact.source.as_ref().map(|source| source.document.as_str());
        let is_told = document.is_none_or(|document| is_known(places.of_name(document)));
        is_told && !is_to_come(&fact.from) && !is_made_later(PieceKind::Fact, &fact.id)
    });
    for fact in &mut known.facts {
        fact.known_by.retain(|knower| !is_to_come(&knower.since));
        if is_to_come(&fact.until) {
            fact.until.clear();
        }
    }
    known.characters.retain(|card| !is_made_later(PieceKind::Character, &card.id));
    known.character_relations.retain(|relation| {
        let is_later = relation.since.as_deref().is_some_and(is_to_come);
        !is_later && !is_made_later(PieceKind::Relation, &relation.id)
    });
    for relation in &mut known.character_relations {
        relation.until = relation.until.take().filter(|until| !is_to_come(until));
    }
    known.promises.retain(|promise| promise.planted.iter().any(is_open));
    for promise in &mut known.promises {
        for kept in [&mut promise.planted, &mut promise.advanced, &mut promise.paid] {
            kept.retain(is_open);
        }
        promise.due = None;
    }
    for card in &mut known.characters {
        card.secret.clear();
        card.arc.clear();
        (card.secret_until, card.death) = (None, None);
    }
    if let Some(world) = &mut known.worldview {
        world.locations.retain(|card| !is_made_later(PieceKind::Location, &card.id));
        world.organisations.retain(|card| !is_made_later(PieceKind::Organisation, &card.id));
        world.items.retain(|card| !is_made_later(PieceKind::Item, &card.id));
        world.truth.clear();
        world.truth_until = None;
    }
    known
}

/// Returns the hits on pieces of `known`, with their texts as they are there.
pub(super) fn among(hits: Vec<Hit>, known: &Story) -> Vec<Hit> {
    let chunker = Chunker::new(known);
    let is_hit = |source: &Source| hits.iter().any(|hit| hit.chunk.source == *source);
    let pieces: BTreeMap<Source, Piece> = chunk::pieces(known).filter(|(source, _)| is_hit(source)).collect();
    let as_known = |mut hit: Hit| {
        let piece = pieces.get(&hit.chunk.source)?;
        let chunks = chunker.chunks(&hit.chunk.source.id, piece);
        hit.chunk = chunks.into_iter().find(|chunk| chunk.part == hit.chunk.part)?;
        Some(hit)
    };
    hits.into_iter().filter_map(as_known).collect()
}

/// Returns the hits without those on pieces made from the chapter at `place` or a later one.
pub(super) fn made_before(mut hits: Vec<Hit>, story: &Story, place: u32) -> Vec<Hit> {
    let places = PiecePlaces::of(story);
    hits.retain(|hit| !places.is_made_from(hit.chunk.source.kind, &hit.chunk.source.id, place));
    hits
}

/// Keeps the entries of a list whose positions are kept.
fn keep<T>(list: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
    let mut position = 0;
    list.retain(|_| {
        position += 1;
        is_kept(position - 1)
    });
}

impl<'s> PiecePlaces<'s> {
    /// Returns whether the piece was made from the chapter at `place` or a later one.
    fn is_made_from(&self, kind: PieceKind, id: &str, place: u32) -> bool {
        self.made.get(&(kind, id)).is_some_and(|at| *at >= place)
    }

    fn of(story: &'s Story) -> Self {
        let names = Names::of(story);
        let chapters = Chapters::with(story, &names);
        let (mut nodes, mut last) = (BTreeMap::new(), None);
        for position in outline(story) {
            let own = chapters.of_node(position).map(|chapter| chapter.place);
            last = own.or(last);
            let is_scene = story.outline_nodes[position].kind == OutlineNodeKind::Scene;
            // A scene belongs to the chapter before.
            nodes.extend(own.or(last.filter(|_| is_scene)).map(|place| (position, place)));
        }
        let mut made = BTreeMap::new();
        for (position, document) in story.documents.iter().enumerate() {
            let Some(chapter) = chapters.of_document(position) else { continue };
            for piece in document.settled.iter().flat_map(|settled| &settled.made) {
                made.entry((piece.kind, piece.id.as_str())).or_insert(chapter.place);
            }
        }
        Self { story, names, chapters, nodes, made }
    }

    /// Returns the place of the outline node, text or event with this name or id.
    fn of_name(&self, name: &str) -> Option<u32> {
        let find = |kind| self.names.resolve(kind, name).map(|named| named.position);
        let node = || self.nodes.get(&find(PieceKind::OutlineNode)?).copied();
        let text = || Some(self.chapters.of_document(find(PieceKind::Document)?)?.place);
        node().or_else(text).or_else(|| self.of_event(find(PieceKind::Event)?))
    }

    fn of_event(&self, position: usize) -> Option<u32> {
        let event = &self.story.timeline_events[position];
        let node = event.outline_node.as_deref().and_then(|name| self.names.resolve(PieceKind::OutlineNode, name));
        let planned = node.and_then(|node| self.nodes.get(&node.position).copied());
        planned.or_else(|| self.made.get(&(PieceKind::Event, event.id.as_str())).copied())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_that_is_planned_or_hidden_is_known() {
        let story: Story = serde_json::from_value(json!({
            "language": "zh",
            "worldview": {"summary": "海港", "truth": "灯是苏曼灭的。"},
            "characters": [{"id": "c-1", "name": "苏曼", "occupation": "守灯人", "secret": "她灭了灯。",
                "arc": "从沉默到自首", "death": "第三章"}, {"id": "c-2", "name": "船长"}],
            "outline_nodes": [
                {"id": "o-1", "name": "全书", "kind": "book", "order": 1, "description": "苏曼自首。"},
                {"id": "o-2", "name": "第一幕", "kind": "arc", "order": 2, "payoff": "灯重新亮起"},
                {"id": "o-3", "name": "第一章 灯灭", "order": 3, "description": "灯灭了。"},
                {"id": "o-4", "name": "码头", "kind": "scene", "order": 4, "description": "苏曼在码头。"},
                {"id": "o-5", "name": "第二章 船", "order": 5, "description": "船来了。"},
                {"id": "o-6", "name": "第三章 自首", "order": 6, "description": "苏曼自首。"}
            ],
            "timeline_events": [
                {"id": "e-1", "title": "灯灭", "outline_node": "o-3"},
                {"id": "e-2", "title": "自首", "outline_node": "o-6"},
                {"id": "e-3", "title": "旧事"}
            ],
            "plot_nodes": [{"id": "p-1", "title": "真相", "outline_node": "o-6"}, {"id": "p-2", "title": "开端",
                "outline_node": "o-3"}],
            "character_relations": [
                {"id": "r-1", "from": "苏曼", "to": "苏曼", "type": "friend", "until": "自首"},
                {"id": "r-2", "from": "苏曼", "to": "苏曼", "type": "enemy", "since": "o-6"}
            ],
            "documents": [
                {"id": "d-1", "title": "第一章 灯灭", "order": 1, "outline_node": "o-3", "text": "灯灭了。"},
                {"id": "d-2", "title": "第二章 船", "order": 2, "outline_node": "o-5", "text": "船来了。", "settled": {
                    "version": 1, "digest": "", "made": [{"kind": "character", "id": "c-2", "digest": ""}]}},
                {"id": "d-3", "title": "笔记", "order": 0, "text": "结局：苏曼自首。"}
            ],
            "facts": [{"id": "f-1", "subject": "苏曼", "predicate": "怕", "value": "船",
                "source": {"document": "d-2", "quote": "船来了。"}},
                {"id": "f-2", "subject": "苏曼", "predicate": "职业", "value": "囚犯", "from": "o-6"},
                {"id": "f-3", "subject": "苏曼", "predicate": "职业", "value": "守灯人",
                    "known_by": [{"who": "船长", "since": "e-2", "how": "听她承认"}]}],
            "promises": [
                {"id": "promise-1", "name": "灯为什么灭", "planted": ["o-3"], "paid": ["o-6"], "due": "o-6"},
                {"id": "promise-2", "name": "船上的人", "planted": ["o-5"]}
            ]
        }))
        .unwrap();
        let known = known_before(&story, 2);
        let ids: Vec<String> = known.pieces().map(|piece| piece.id().to_owned()).filter(|id| !id.is_empty()).collect();
        for gone in
            ["o-1", "o-2", "o-5", "o-6", "e-2", "e-3", "p-1", "r-2", "d-2", "d-3", "f-1", "f-2", "c-2", "promise-2"]
        {
            assert!(!ids.iter().any(|id| id == gone), "{gone} is not known: {ids:?}");
        }
        for kept in ["c-1", "o-3", "o-4", "e-1", "p-2", "r-1", "d-1", "f-3", "promise-1"] {
            assert!(ids.iter().any(|id| id == kept), "{kept} is known: {ids:?}");
        }
        let told = serde_json::to_string(&known).unwrap();
        for hidden in ["苏曼灭的", "她灭了灯", "自首", "重新亮起", "o-6", "船长", "听她承认"] {
            assert!(!told.contains(hidden), "{hidden}: {told}");
        }
        assert_eq!(known_before(&story, 4).documents.len(), 2, "notes are never known");
    }
}
