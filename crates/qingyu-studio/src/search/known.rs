//! The story as far as it is known before a chapter: no plan of this chapter and the later ones, no truth behind the book,
//! no payoff.

use std::collections::BTreeMap;

use qingyu_knowledge::Hit;
use qingyu_knowledge::chunk::{self, Chunker, Source};
use qingyu_story::chapters::{Chapters, outline};
use qingyu_story::first_telling::FirstTellings;
use qingyu_story::{Names, OutlineNodeKind, Piece, PieceKind, Story, TimelineEvent};

/// The places of the pieces of a story, by the chapters that tell or plan them.
struct PiecePlaces<'s> {
    story: &'s Story,
    names: Names,
    chapters: Chapters,
    /// The place of each outline node that is a chapter or a scene, by position.
    nodes: BTreeMap<usize, u32>,
    first: FirstTellings<'s, u32>,
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
    keep(&mut known.documents, |position| is_known(places.of_document(position)));
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
        // The goals and conflicts of a character with a secret often reveal the secret.
        let is_secret_open =
            card.secret_until.as_deref().and_then(|until| places.of_name(until)).is_some_and(|at| at < place);
        if !card.secret.trim().is_empty() && !is_secret_open {
            card.goals.clear();
            card.conflicts.clear();
        }
        for field in [&mut card.goals, &mut card.conflicts, &mut card.personality, &mut card.weakness] {
            *field = without_later(field);
        }
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

/// Returns the hits without the pieces that are first told in the chapter at `place` or a later one.
pub(super) fn told_before(mut hits: Vec<Hit>, story: &Story, place: u32) -> Vec<Hit> {
    let places = PiecePlaces::of(story);
    hits.retain(|hit| {
        let Source { kind, id } = &hit.chunk.source;
        let event = story.timeline_events.iter().position(|event| *kind == PieceKind::Event && event.id == *id);
        match event {
            Some(position) => places.of_event(position).is_none_or(|at| at < place),
            None => !places.is_made_from(*kind, id, place),
        }
    });
    hits
}

/// Returns the ids of the events planned for the chapter at `place` or a later one, but told before it.
pub(super) fn told_ahead(story: &Story, place: u32) -> Vec<String> {
    let places = PiecePlaces::of(story);
    let events = story.timeline_events.iter().enumerate().filter(|(_, event)| !event.id.is_empty());
    let ahead = events.filter(|(position, event)| {
        let is_planned_before = places.planned(event).is_some_and(|at| at < place);
        !is_planned_before && event.outline_node.is_some() && places.of_event(*position).is_some_and(|at| at < place)
    });
    ahead.map(|(_, event)| event.id.clone()).collect()
}

/// Words that introduce how a character changes in the course of the book.
const LATER: [&str; 13] = [
    "后来",
    "最后",
    "最终",
    "终于",
    "结局",
    "到头来",
    "later",
    "eventually",
    "finally",
    "ultimately",
    "in the end",
    "at last",
    "by the end",
];

/// Returns the text of a card without its clauses about what comes later in the book.
fn without_later(text: &str) -> String {
    let ends = ['，', '。', '；', '！', '？', '\n', ',', '.', ';', '!', '?'];
    let clauses = text.split_inclusive(ends).filter(|clause| !tells_later(clause));
    let kept: String = clauses.collect();
    kept.trim().trim_end_matches(['，', '；', ',', ';']).to_owned()
}

/// Returns whether a clause has one of the [words](LATER) for what comes later; English words count whole.
fn tells_later(clause: &str) -> bool {
    let clause = clause.to_lowercase();
    LATER.iter().any(|word| {
        clause.match_indices(word).any(|(start, _)| {
            let around = [clause[..start].chars().next_back(), clause[start + word.len()..].chars().next()];
            !word.is_ascii() || around.into_iter().flatten().all(|next| !next.is_alphanumeric())
        })
    })
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
        self.first.piece(kind, id).is_some_and(|at| at >= place)
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
        let first = FirstTellings::of(story, |document| chapters.of_document(document).map(|chapter| chapter.place));
        Self { story, names, chapters, nodes, first }
    }

    /// Returns the place of the outline node, text or event with this name or id.
    fn of_name(&self, name: &str) -> Option<u32> {
        let find = |kind| self.names.resolve(kind, name).map(|named| named.position);
        let node = || self.nodes.get(&find(PieceKind::OutlineNode)?).copied();
        let text = || self.of_document(find(PieceKind::Document)?);
        node().or_else(text).or_else(|| self.of_event(find(PieceKind::Event)?))
    }

    /// Returns the place of the chapter told by the document at the position.
    fn of_document(&self, position: usize) -> Option<u32> {
        self.chapters.of_document(position).map(|chapter| chapter.place)
    }

    /// Returns the place at which the event is first told, or planned.
    fn of_event(&self, position: usize) -> Option<u32> {
        let event = &self.story.timeline_events[position];
        self.first.event(event, self.planned(event))
    }

    /// Returns the place of the chapter that the event is planned for.
    fn planned(&self, event: &TimelineEvent) -> Option<u32> {
        let node = event.outline_node.as_deref().and_then(|name| self.names.resolve(PieceKind::OutlineNode, name));
        node.and_then(|node| self.nodes.get(&node.position).copied())
    }
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::{MemoryIndex, Query};
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

    #[test]
    fn a_card_before_a_chapter_tells_neither_the_secret_nor_what_comes_later() {
        for (text, kept) in [
            ("起初只想躲开，后来想把验尸单改回来", "起初只想躲开"),
            ("想回家。最后留在镇上。", "想回家。"),
            ("Wants to be left alone, but later sues the mill.", "Wants to be left alone"),
            ("Keeps the collateral.", "Keeps the collateral."),
            ("保住儿子", "保住儿子"),
        ] {
            assert_eq!(without_later(text), kept);
        }
        let story: Story = serde_json::from_value(json!({
            "language": "zh",
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2}],
            "characters": [{"id": "c-1", "name": "韩阿四", "conflicts": "收了钱又怕吃官司", "secret": "他看见了。",
                "secret_until": "第二章"}, {"id": "c-2", "name": "沈砚冬", "conflicts": "东家的账不干净"}]
        }))
        .unwrap();
        let conflicts = |place| known_before(&story, place).characters.into_iter().map(|card| card.conflicts).collect();
        let before: Vec<String> = conflicts(2);
        assert_eq!(before, ["", "东家的账不干净"]);
        let after: Vec<String> = conflicts(3);
        assert_eq!(after, ["收了钱又怕吃官司", "东家的账不干净"]);
    }

    /// Three chapters with texts. Events are planned for the third, told in the first, and the other way round.
    fn told_out_of_order() -> Story {
        let told = |event: &str| json!({"version": 1, "digest": "", "events": [{"event": event, "quote": "灯灭了。"}]});
        let mut story: Story = serde_json::from_value(json!({
            "language": "zh",
            "characters": [{"id": "c-1", "name": "苏曼", "background": "守着灯塔"},
                {"id": "c-2", "name": "船长", "background": "望着灯塔"}],
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2},
                {"id": "o-3", "name": "第三章", "order": 3}],
            "timeline_events": [
                {"id": "e-1", "title": "灯塔早早熄灭", "outline_node": "o-3"},
                {"id": "e-2", "title": "灯塔迟迟不灭", "outline_node": "o-1"},
                {"id": "e-3", "title": "灯塔还亮着", "outline_node": "o-3"},
                {"id": "e-4", "title": "灯塔建成"}
            ],
            "documents": [
                {"id": "d-3", "title": "第三章", "order": 3, "outline_node": "o-3", "text": "灯灭了。", "settled": told("e-2")},
                {"id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "灯灭了。", "settled": told("e-1")}
            ]
        }))
        .unwrap();
        let record = story.documents[0].settled.as_mut().unwrap();
        record.made = serde_json::from_value(json!([{"kind": "character", "id": "c-2", "digest": ""}])).unwrap();
        story
    }

    #[test]
    fn only_what_is_told_in_the_chapter_or_later_is_hidden() {
        let story = told_out_of_order();
        assert_eq!(told_ahead(&story, 2), ["e-1"]);
        assert!(told_ahead(&story, 1).is_empty());
        let index = MemoryIndex::new(chunk::of(&story));
        let found = |place: Option<u32>| {
            let told = place.map(|place| told_ahead(&story, place)).unwrap_or_default();
            let hits = index.search(&Query { before: place, told, limit: 20, ..Query::new("灯塔") });
            let hits = match place {
                Some(place) => told_before(hits, &story, place),
                None => hits,
            };
            let is_card = |hit: &&Hit| matches!(hit.chunk.source.kind, PieceKind::Character | PieceKind::Event);
            let mut ids: Vec<String> = hits.iter().filter(is_card).map(|hit| hit.chunk.source.id.clone()).collect();
            ids.sort();
            ids.join(" ")
        };
        assert_eq!(found(None), "c-1 c-2 e-1 e-2 e-3 e-4");
        assert_eq!(found(Some(2)), "c-1 e-1 e-4");
        assert_eq!(found(Some(4)), "c-1 c-2 e-1 e-2 e-3 e-4");
        let events: Vec<String> = known_before(&story, 2).timeline_events.into_iter().map(|event| event.id).collect();
        assert_eq!(events, ["e-1"]);
    }
}
