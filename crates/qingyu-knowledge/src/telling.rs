//! Whether a source is told in the text of the book, or only planned.

use qingyu_story::settlement::open_differences;
use qingyu_story::{Fact, Mode, Names, PieceKind, Story, chapters};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Hit, Source};

/// Whether a source is told, planned, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Telling {
    /// The text of a chapter tells it.
    Told {
        /// The chapter, by the number in its heading, by default its place in reading order.
        chapter: u32,
    },
    /// The outline or the plot plans it; the text may tell it otherwise, or not at all.
    Planned,
    /// A card, or a text outside of the book.
    #[default]
    Noted,
}

/// The sources of a story that its texts tell.
#[derive(Debug)]
pub struct Tellings<'s> {
    story: &'s Story,
    names: Names,
    /// The number of each chapter with a text, by id and title of its document.
    texts: FxHashMap<&'s str, u32>,
    /// The number of the chapter that tells an outline node, by position of the node.
    nodes: FxHashMap<usize, u32>,
    /// The number of the chapter that a piece was settled from.
    made: FxHashMap<(PieceKind, &'s str), u32>,
    /// The ids of the planned events that a text tells otherwise.
    otherwise: FxHashSet<&'s str>,
}

impl<'s> Tellings<'s> {
    /// Indexes the texts of `story`.
    pub fn of(story: &'s Story) -> Self {
        let mut tellings = Self {
            story,
            names: Names::of(story),
            texts: FxHashMap::default(),
            nodes: FxHashMap::default(),
            made: FxHashMap::default(),
            otherwise: FxHashSet::default(),
        };
        for document in story.documents.iter().filter(|one| one.order > 0 && !one.text.trim().is_empty()) {
            let number = chapters::heading(&document.title).map_or(document.order, |heading| heading.number);
            for name in [document.id.trim(), document.title.trim()].into_iter().filter(|name| !name.is_empty()) {
                tellings.texts.entry(name).or_insert(number);
            }
            if let Some(node) = document.outline_node.as_deref().and_then(|name| tellings.node(name)) {
                tellings.nodes.entry(node).or_insert(number);
            }
            for made in document.settled.iter().flat_map(|record| &record.made) {
                tellings.made.entry((made.kind, made.id.as_str())).or_insert(number);
            }
        }
        tellings.otherwise = open_differences(story).into_iter().map(|(.., differs)| differs.event.as_str()).collect();
        tellings
    }

    /// Returns whether the source is told or planned.
    ///
    /// The outline and the plot are always a plan. An event is told if it was settled from a text, or if its chapter is
    /// written and does not tell it otherwise than planned; a fact is told by the text it quotes; a promise by the text that
    /// plants it.
    pub fn source(&self, Source { kind, id }: &Source) -> Telling {
        let told = |chapter: Option<u32>| chapter.map(|chapter| Telling::Told { chapter });
        let found = match kind {
            PieceKind::Document => told(self.text(id)),
            PieceKind::OutlineNode | PieceKind::PlotNode => Some(Telling::Planned),
            PieceKind::Event => {
                let event = self.story.timeline_events.iter().find(|event| event.id == *id);
                let event = event.filter(|event| !self.otherwise.contains(event.id.as_str()));
                let chapter = || self.chapter_of(event?.outline_node.as_deref()?);
                told(self.made(*kind, id).or_else(chapter)).or(Some(Telling::Planned))
            }
            PieceKind::Fact => self.story.facts.iter().find(|fact| fact.id == *id).and_then(|fact| self.fact(fact)),
            PieceKind::Promise => {
                let promise = self.story.promises.iter().find(|promise| promise.id == *id);
                let planted = || promise.into_iter().flat_map(|promise| &promise.planted);
                let chapter = || planted().find_map(|name| self.text(name).or_else(|| self.chapter_of(name)));
                let plan = planted().next().map(|_| Telling::Planned);
                told(self.made(*kind, id).or_else(chapter)).or(plan)
            }
            _ => None,
        };
        found.unwrap_or_default()
    }

    fn fact(&self, fact: &Fact) -> Option<Telling> {
        if fact.mode == Mode::Planned {
            return Some(Telling::Planned);
        }
        self.text(&fact.source.as_ref()?.document).map(|chapter| Telling::Told { chapter })
    }

    fn text(&self, name: &str) -> Option<u32> {
        self.texts.get(name.trim()).copied()
    }

    fn made(&self, kind: PieceKind, id: &str) -> Option<u32> {
        self.made.get(&(kind, id)).copied()
    }

    fn node(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
    }

    /// Returns the written chapter of an outline node, or of the chapter that it is a scene of.
    fn chapter_of(&self, name: &str) -> Option<u32> {
        let node = self.node(name)?;
        let parent = || self.node(self.story.outline_nodes[node].parent.as_deref()?);
        self.nodes.get(&node).or_else(|| self.nodes.get(&parent()?)).copied()
    }
}

/// The minimum share of a plan's score for a text of the book to be ranked before the plan.
const NEARLY: f64 = 0.7;

/// Ranks planned sources behind texts of the book that fit nearly as well. All other hits keep their order, and so does a
/// plan that answers a pattern.
pub fn told_first(hits: Vec<Hit>, tellings: &Tellings<'_>) -> Vec<Hit> {
    let states: Vec<Telling> = hits.iter().map(|hit| tellings.source(&hit.chunk.source)).collect();
    let is_told = |at: &usize| matches!(states[*at], Telling::Told { .. });
    let place = |at: usize, hit: &Hit| {
        let is_better = |other: &usize| is_told(other) && hits[*other].score >= hit.score * NEARLY;
        let is_moved = states[at] == Telling::Planned && hit.way.is_none();
        let last = (at + 1..hits.len()).rev().find(is_better).filter(|_| is_moved);
        last.map_or((at, 0), |last| (last, 1))
    };
    let mut placed: Vec<((usize, usize), usize)> =
        hits.iter().enumerate().map(|(at, hit)| (place(at, hit), at)).collect();
    placed.sort_unstable();
    let mut hits: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
    placed.into_iter().filter_map(|(_, at)| hits[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;
    use serde_json::json;

    use super::*;
    use crate::chunk;

    /// Two planned chapters, of which the first is written.
    fn story(language: Language) -> Story {
        let (first, second) = match language {
            Language::Zh => ("第三章 夜雨", "第四章 天亮"),
            Language::En => ("Chapter 3: Rain", "Chapter 4: Dawn"),
        };
        serde_json::from_value(json!({
            "language": language,
            "characters": [{"id": "c-1", "name": "林青", "occupation": "侦探"}],
            "outline_nodes": [{"id": "o-1", "name": first, "order": 1, "description": "雨停了。"}, {"id": "o-2", "name": second, "order": 2},
                {"id": "o-3", "name": "scene", "kind": "scene", "parent": "o-1", "order": 3}],
            "timeline_events": [{"id": "e-1", "title": "a", "outline_node": "o-3"}, {"id": "e-2", "title": "b", "outline_node": "o-2"},
                {"id": "e-3", "title": "c", "description": "雨一直下。", "outline_node": "o-1"}],
            "documents": [{"id": "d-1", "title": first, "order": 1, "outline_node": "o-1", "text": "雨停了。", "settled": {"differs": [
                    {"event": "e-3", "field": "description", "told": "雨停了。", "quote": "雨停了。"}]}},
                {"id": "d-2", "title": "notes", "order": 0, "text": "雨"}],
            "facts": [
                {"id": "f-1", "subject": "林青", "predicate": "在", "value": "旧港", "source": {"document": "d-1", "quote": "雨停了。"}},
                {"id": "f-2", "subject": "林青", "predicate": "在", "value": "旧港", "mode": "planned"},
                {"id": "f-3", "subject": "林青", "predicate": "在", "value": "旧港"}
            ],
            "promises": [{"id": "promise-1", "name": "x", "planted": ["d-1"]}, {"id": "promise-2", "name": "y", "planted": ["o-2"]}]
        }))
        .unwrap()
    }

    fn source(kind: PieceKind, id: &str) -> Source {
        Source { kind, id: id.into() }
    }

    #[test]
    fn what_a_text_says_is_told_and_the_outline_is_a_plan() {
        for language in [Language::Zh, Language::En] {
            let story = story(language);
            let tellings = Tellings::of(&story);
            let told = Telling::Told { chapter: 3 };
            let cases = [
                (PieceKind::Document, "d-1", told),
                (PieceKind::Document, "d-2", Telling::Noted),
                (PieceKind::OutlineNode, "o-1", Telling::Planned),
                (PieceKind::Event, "e-1", told),
                (PieceKind::Event, "e-2", Telling::Planned),
                (PieceKind::Event, "e-3", Telling::Planned),
                (PieceKind::Fact, "f-1", told),
                (PieceKind::Fact, "f-2", Telling::Planned),
                (PieceKind::Fact, "f-3", Telling::Noted),
                (PieceKind::Promise, "promise-1", told),
                (PieceKind::Promise, "promise-2", Telling::Planned),
                (PieceKind::Character, "c-1", Telling::Noted),
            ];
            for (kind, id, wanted) in cases {
                assert_eq!(tellings.source(&source(kind, id)), wanted, "{id}");
            }
        }
    }

    #[test]
    fn an_empty_name_is_no_text() {
        let story: Story = serde_json::from_value(json!({
            "documents": [{"id": "d-1", "title": "", "order": 1, "text": "雨停了。"}],
            "facts": [{"id": "f-1", "subject": "林青", "predicate": "在", "value": "旧港", "source": {"document": "", "quote": "雨停了。"}}]
        }))
        .unwrap();
        let tellings = Tellings::of(&story);
        assert_eq!(tellings.source(&source(PieceKind::Document, "d-1")), Telling::Told { chapter: 1 });
        assert_eq!(tellings.source(&source(PieceKind::Document, "")), Telling::Noted);
        assert_eq!(tellings.source(&source(PieceKind::Fact, "f-1")), Telling::Noted);
    }

    #[test]
    fn a_plan_stands_behind_a_text_that_fits_nearly_as_well() {
        let story = story(Language::Zh);
        let tellings = Tellings::of(&story);
        let chunks = chunk::of(&story);
        let hit = |(kind, id, score): (PieceKind, &str, f64)| Hit {
            chunk: chunks.iter().find(|chunk| chunk.source == source(kind, id)).unwrap().clone(),
            score,
            keyword: None,
            vector: None,
            way: None,
            emphasis: 1.0,
            suspicious: None,
        };
        let order = |hits: &[(PieceKind, &str, f64)]| -> Vec<String> {
            let hits = told_first(hits.iter().copied().map(hit).collect(), &tellings);
            hits.into_iter().map(|hit| hit.chunk.source.id).collect()
        };
        let plan = |score| (PieceKind::OutlineNode, "o-1", score);
        let (card, text) = ((PieceKind::Character, "c-1", 0.9), (PieceKind::Document, "d-1", 0.8));
        assert_eq!(order(&[plan(1.0), card, text]), ["c-1", "d-1", "o-1"]);
        assert_eq!(order(&[plan(2.0), card, text]), ["o-1", "c-1", "d-1"], "the text hardly fits");
        assert_eq!(order(&[plan(1.0), card]), ["o-1", "c-1"], "nothing is told");
    }
}
