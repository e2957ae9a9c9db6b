//! Whether a piece is told in the text of the book, or only planned.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::fold;
use crate::settlement::open_differences;
use crate::{Character, Document, Fact, Mode, Names, PieceKind, Story, TimelineEvent, chapters};

/// Whether a piece is told, planned, or neither.
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
    /// The truth of the book or the secret of a character: the author knows it, the reader does not.
    Hidden,
    /// A card, or a text outside of the book.
    #[default]
    Noted,
}

/// The pieces of a story that its texts tell.
#[derive(Debug)]
pub struct Tellings<'s> {
    story: &'s Story,
    names: Arc<Names>,
    /// The number of each chapter with a text, by id and title of its document.
    texts: FxHashMap<&'s str, u32>,
    /// The number of the chapter that tells an outline node, by position of the node.
    nodes: FxHashMap<usize, u32>,
    /// The number of the chapter that a piece was settled from.
    made: FxHashMap<(PieceKind, &'s str), u32>,
    /// The number of the chapter whose settlement tells an event that was there, by id of the event.
    told: FxHashMap<&'s str, u32>,
    /// The outline nodes with a text whose settlement says which events it tells, by position.
    settled: FxHashSet<usize>,
    /// The ids and fields of the planned events that a text contradicts.
    otherwise: FxHashSet<(&'s str, &'s str)>,
}

impl<'s> Tellings<'s> {
    /// Indexes the texts of `story`.
    pub fn of(story: &'s Story) -> Self {
        Self::with(story, Arc::new(Names::of(story)))
    }

    /// Same as [`of`](Self::of), with the names of the story.
    pub(crate) fn with(story: &'s Story, names: Arc<Names>) -> Self {
        let mut tellings = Self {
            story,
            names,
            texts: FxHashMap::default(),
            nodes: FxHashMap::default(),
            made: FxHashMap::default(),
            told: FxHashMap::default(),
            settled: FxHashSet::default(),
            otherwise: FxHashSet::default(),
        };
        for document in story.documents.iter().filter(|one| one.order > 0 && !one.text.trim().is_empty()) {
            let number = chapters::heading(&document.title).map_or(document.order, |heading| heading.number);
            for name in [document.id.trim(), document.title.trim()].into_iter().filter(|name| !name.is_empty()) {
                tellings.texts.entry(name).or_insert(number);
            }
            if let Some(node) = document.outline_node.as_deref().and_then(|name| tellings.node(name)) {
                tellings.nodes.entry(node).or_insert(number);
                if document.settled.as_ref().is_some_and(|record| record.events.is_some()) {
                    tellings.settled.insert(node);
                }
            }
            let events = document.settled.iter().flat_map(|record| record.events.iter().flatten());
            for here in events.filter(|here| document.text.contains(here.quote.trim())) {
                tellings.told.entry(here.event.as_str()).or_insert(number);
            }
            for made in document.settled.iter().flat_map(|record| &record.made) {
                tellings.made.entry((made.kind, made.id.as_str())).or_insert(number);
            }
        }
        let open = open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction());
        tellings.otherwise = open.map(|(.., differs)| (differs.event.as_str(), differs.field.as_str())).collect();
        tellings
    }

    /// Returns whether the piece is told or planned.
    ///
    /// The outline and the plot are always a plan. An event is told if it was settled from a text, or if a settlement found it
    /// in a text that does not contradict it; of a chapter whose settlement does not say what it tells, if the chapter is
    /// written. A fact is told by the text it quotes; a promise by the text that plants it.
    pub fn piece(&self, kind: PieceKind, id: &str) -> Telling {
        let told = |chapter: Option<u32>| chapter.map(|chapter| Telling::Told { chapter });
        match kind {
            PieceKind::Document => told(self.text(id)).unwrap_or_default(),
            PieceKind::OutlineNode | PieceKind::PlotNode => Telling::Planned,
            PieceKind::Event => {
                let event = self.story.timeline_events.iter().find(|event| event.id == id);
                event.map_or(Telling::Planned, |event| self.event(event))
            }
            PieceKind::Fact => {
                let fact = self.story.facts.iter().find(|fact| fact.id == id);
                fact.map(|fact| self.fact(fact)).unwrap_or_default()
            }
            PieceKind::Promise => {
                let promise = self.story.promises.iter().find(|promise| promise.id == id);
                let planted = || promise.into_iter().flat_map(|promise| &promise.planted);
                let chapter = || planted().find_map(|name| self.text(name).or_else(|| self.chapter_of(name)));
                let plan = planted().next().map(|_| Telling::Planned);
                told(self.made(kind, id).or_else(chapter)).or(plan).unwrap_or_default()
            }
            _ => Telling::Noted,
        }
    }

    /// Same as [`piece`](Self::piece), for an event of the story.
    pub(crate) fn event(&self, event: &TimelineEvent) -> Telling {
        let is_contradicted = self.otherwise.iter().any(|(id, _)| *id == event.id);
        self.event_unless(event, is_contradicted)
    }

    /// Returns whether a text tells the event, be it otherwise than planned.
    pub fn is_told(&self, event: &TimelineEvent) -> bool {
        matches!(self.event_unless(event, false), Telling::Told { .. })
    }

    /// Returns whether a field of an event is told or planned.
    pub(crate) fn event_field(&self, event: &TimelineEvent, field: &str) -> Telling {
        self.event_unless(event, self.otherwise.contains(&(event.id.as_str(), field)))
    }

    fn event_unless(&self, event: &TimelineEvent, is_contradicted: bool) -> Telling {
        let told = || self.told.get(event.id.as_str()).copied();
        let chapter = || event.outline_node.as_deref().and_then(|node| self.unread_chapter_of(node));
        let by_plan = || told().or_else(chapter).filter(|_| !is_contradicted);
        let chapter = self.made(PieceKind::Event, &event.id).or_else(by_plan);
        chapter.map_or(Telling::Planned, |chapter| Telling::Told { chapter })
    }

    /// Same as [`chapter_of`](Self::chapter_of), but for a chapter whose settlement says which events it tells.
    fn unread_chapter_of(&self, name: &str) -> Option<u32> {
        let node = self.node(name)?;
        let parent = || self.node(self.story.outline_nodes[node].parent.as_deref()?);
        let written = if self.nodes.contains_key(&node) { Some(node) } else { parent() };
        written.filter(|node| !self.settled.contains(node)).and_then(|node| self.nodes.get(&node).copied())
    }

    /// Returns whether the event belongs to a chapter that has no text yet, or whose text does not tell it; an event of no
    /// chapter has happened before the book, and so has the death of somebody whose death a text tells as a fact.
    pub fn is_untold(&self, event: &TimelineEvent) -> bool {
        let node = event.outline_node.as_deref().map(str::trim).filter(|node| !node.is_empty());
        let is_told = self.made(PieceKind::Event, &event.id).is_some()
            || self.told.contains_key(event.id.as_str())
            || !event.deaths.is_empty() && event.deaths.iter().all(|name| self.tells_death(name));
        !is_told && node.is_some_and(|node| self.unread_chapter_of(node).is_none())
    }

    /// Returns whether a fact that a text tells is the death of the character.
    fn tells_death(&self, name: &str) -> bool {
        self.story.facts.iter().filter(|fact| matches!(fact.mode, Mode::Narrated | Mode::Flashback)).any(|fact| {
            fact.victim().is_some_and(|dead| fold(dead) == fold(name))
                && matches!(self.fact(fact), Telling::Told { .. })
        })
    }

    /// Same as [`piece`](Self::piece), for a fact of the story.
    pub(crate) fn fact(&self, fact: &Fact) -> Telling {
        let chapter = || self.text(&fact.source.as_ref()?.document);
        match fact.mode {
            Mode::Planned => Telling::Planned,
            _ => chapter().map_or(Telling::Noted, |chapter| Telling::Told { chapter }),
        }
    }

    /// Returns whether readers of the written chapters do not know the secret of a character, or without one the truth of
    /// the book: no text tells it, and none of its last outline node or of a later one is written.
    pub fn keeps_secret(&self, of: Option<&Character>) -> bool {
        let is_it = |name: &str| match of {
            Some(card) => !name.is_empty() && [card.id.trim(), card.name.trim()].contains(&name),
            None => name.is_empty(),
        };
        let mut texts = self.story.documents.iter().filter(|document| document.order > 0);
        let is_told = texts.any(|document| document.reveals().any(|told| is_it(told.of.trim())));
        let until = match of {
            Some(card) => card.secret_until.as_deref(),
            None => self.story.worldview.as_ref().and_then(|world| world.truth_until.as_deref()),
        };
        let order = |node: usize| Some(self.story.outline_nodes[node].order).filter(|order| *order > 0);
        let until = until.and_then(|name| self.node(name));
        // A scene is part of its chapter.
        let is_written = |name: &str| self.chapter_of(name).is_some();
        let is_reached = until.is_some_and(|node| {
            let is_later = |written: &usize| order(node).is_some_and(|until| order(*written) >= Some(until));
            is_written(&self.story.outline_nodes[node].id) || self.nodes.keys().any(is_later)
        });
        !is_told && !is_reached
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

/// Returns the first document in reading order that an event was settled from, or whose settlement finds it in the text.
pub fn first_teller<'s>(story: &'s Story, event: &TimelineEvent) -> Option<&'s Document> {
    let is_made = |document: &Document| {
        document.settled.as_ref().is_some_and(|record| record.made(PieceKind::Event, &event.id).is_some())
    };
    let tells = |document: &Document| is_made(document) || document.tells(&event.id);
    let tellers = story.documents.iter().filter(|document| document.order > 0 && tells(document));
    tellers.min_by_key(|document| document.order)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Language;
    use crate::settlement::ToldHere;

    /// Two planned chapters, of which the first is written.
    fn story(language: Language) -> Story {
        let (first, second) = match language {
            Language::Zh => ("第三章 夜雨", "第四章 天亮"),
            Language::En => ("Chapter 3: Rain", "Chapter 4: Dawn"),
        };
        serde_json::from_value(json!({
            "language": language,
            "characters": [{"id": "c-1", "name": "林青", "occupation": "侦探"}],
            "worldview": {"locations": [{"id": "l-1", "name": "大理寺"}, {"id": "l-2", "name": "旧港"}]},
            "outline_nodes": [{"id": "o-1", "name": first, "order": 1, "description": "雨停了。"}, {"id": "o-2", "name": second, "order": 2},
                {"id": "o-3", "name": "scene", "kind": "scene", "parent": "o-1", "order": 3}],
            "timeline_events": [{"id": "e-1", "title": "a", "outline_node": "o-3"}, {"id": "e-2", "title": "b", "outline_node": "o-2"},
                {"id": "e-3", "title": "c", "description": "雨一直下。", "outline_node": "o-1"},
                {"id": "e-4", "title": "d", "location": "大理寺", "outline_node": "o-1"}],
            "documents": [{"id": "d-1", "title": first, "order": 1, "outline_node": "o-1", "text": "雨停了。", "settled": {"differs": [
                    {"event": "e-3", "field": "description", "told": "雨停了。", "quote": "雨停了。"},
                    {"event": "e-4", "field": "location", "told": "旧港", "quote": "雨停了。"}]}},
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
                (PieceKind::Event, "e-3", told),
                (PieceKind::Event, "e-4", Telling::Planned),
                (PieceKind::Fact, "f-1", told),
                (PieceKind::Fact, "f-2", Telling::Planned),
                (PieceKind::Fact, "f-3", Telling::Noted),
                (PieceKind::Promise, "promise-1", told),
                (PieceKind::Promise, "promise-2", Telling::Planned),
                (PieceKind::Character, "c-1", Telling::Noted),
            ];
            for (kind, id, wanted) in cases {
                assert_eq!(tellings.piece(kind, id), wanted, "{id}");
            }
        }
    }

    #[test]
    fn an_event_that_its_chapter_does_not_tell_is_planned() {
        let mut story = story(Language::Zh);
        let record = story.documents[0].settled.as_mut().unwrap();
        record.events = Some(vec![
            ToldHere { event: "e-3".into(), quote: "雨停了。".into() },
            ToldHere { event: "e-4".into(), quote: "雨停了。".into() },
            ToldHere { event: "e-2".into(), quote: "天亮了。".into() },
        ]);
        let tellings = Tellings::of(&story);
        let told = Telling::Told { chapter: 3 };
        let states = ["e-1", "e-2", "e-3", "e-4"].map(|id| tellings.piece(PieceKind::Event, id));
        assert_eq!(states, [Telling::Planned, Telling::Planned, told, Telling::Planned]);
        let event = &story.timeline_events[3];
        let fields = ["deaths", "location"].map(|field| tellings.event_field(event, field));
        assert_eq!(fields, [told, Telling::Planned], "only the place is told otherwise");
        assert!(tellings.is_told(event) && !tellings.is_told(&story.timeline_events[0]));
    }

    #[test]
    fn a_secret_is_kept_until_a_written_chapter_tells_it_or_its_time_has_come() {
        for (language, until) in [(Language::Zh, "第四章 天亮"), (Language::En, "Chapter 4: Dawn")] {
            let mut story = story(language);
            let character: Character =
                serde_json::from_value(json!({"id": "c-9", "name": "苏婉", "secret": "x", "secret_until": until}))
                    .unwrap();
            let keeps = |story: &Story| Tellings::of(story).keeps_secret(Some(&character));
            assert!(keeps(&story));
            let record = story.documents[0].settled.as_mut().unwrap();
            record.revealed = serde_json::from_value(json!([{"of": "c-9", "quote": "雨停了。"}])).unwrap();
            assert!(!keeps(&story), "a chapter tells it");
            assert!(Tellings::of(&story).keeps_secret(None), "another secret");
            story.documents[0].text = "雪停了。".into();
            assert!(keeps(&story), "the sentence is gone");
            let next = json!({"id": "d-4", "title": "x", "order": 2, "outline_node": "o-2", "text": "天亮了。"});
            story.documents.push(serde_json::from_value(next).unwrap());
            assert!(!keeps(&story), "its chapter is written");
            assert!(Tellings::of(&story).keeps_secret(None), "the truth has no end");
        }
    }

    #[test]
    fn an_event_is_told_by_the_text_that_made_it_before_one_that_tells_it_again() {
        let mut story = story(Language::Zh);
        let next = json!({"id": "d-4", "title": "x", "order": 2, "outline_node": "o-2", "text": "天亮了。",
            "settled": {"events": [{"event": "e-1", "quote": "天亮了。"}, {"event": "e-2", "quote": "天亮了。"}]}});
        story.documents.push(serde_json::from_value(next).unwrap());
        let record = story.documents[0].settled.as_mut().unwrap();
        record.made = serde_json::from_value(json!([{"kind": "event", "id": "e-1", "digest": ""}])).unwrap();
        let first = |at: usize| first_teller(&story, &story.timeline_events[at]).map(|document| document.id.as_str());
        assert_eq!([first(0), first(1), first(2)], [Some("d-1"), Some("d-4"), None]);
    }

    #[test]
    fn an_empty_name_is_no_text() {
        let story: Story = serde_json::from_value(json!({
            "documents": [{"id": "d-1", "title": "", "order": 1, "text": "雨停了。"}],
            "facts": [{"id": "f-1", "subject": "林青", "predicate": "在", "value": "旧港", "source": {"document": "", "quote": "雨停了。"}}]
        }))
        .unwrap();
        let tellings = Tellings::of(&story);
        assert_eq!(tellings.piece(PieceKind::Document, "d-1"), Telling::Told { chapter: 1 });
        assert_eq!(tellings.piece(PieceKind::Document, ""), Telling::Noted);
        assert_eq!(tellings.piece(PieceKind::Fact, "f-1"), Telling::Noted);
    }

    #[test]
    fn an_event_of_a_chapter_that_does_not_tell_it_is_untold() {
        let mut story = story(Language::Zh);
        let untold = |story: &Story| -> Vec<String> {
            let tellings = Tellings::of(story);
            let untold = story.timeline_events.iter().filter(|event| tellings.is_untold(event));
            untold.map(|event| event.id.clone()).collect()
        };
        assert_eq!(untold(&story), ["e-2"], "its chapter has no text");
        let record = story.documents[0].settled.as_mut().unwrap();
        record.events = Some(vec![ToldHere { event: "e-4".into(), quote: "雨停了。".into() }]);
        assert_eq!(untold(&story), ["e-1", "e-2", "e-3"], "the text of their chapter tells another");
        let fact = json!({"subject": "林青", "predicate": "dies", "value": true, "source": {"document": "d-1", "quote": "雨停了。"}});
        story.facts.push(serde_json::from_value(fact).unwrap());
        story.timeline_events[0].deaths = vec!["林青".into()];
        story.timeline_events[2].deaths = vec!["林青".into(), "苏婉".into()];
        assert_eq!(untold(&story), ["e-2", "e-3"], "a fact tells the death of one, and not of the other");
        let backstory = TimelineEvent { id: "e-9".into(), ..TimelineEvent::default() };
        assert!(!Tellings::of(&story).is_untold(&backstory), "it belongs to no chapter");
    }
}
