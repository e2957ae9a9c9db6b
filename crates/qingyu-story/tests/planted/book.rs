//! A clean story, and what the kinds of errors choose from it.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use qingyu_story::time::moment;
use qingyu_story::{
    Character, CharacterRelation, Fact, Knower, Language, Location, Mode, RelationKind, RoleType, Story, TimelineEvent,
};
use serde_json::Value;

/// How far apart the two sides of an error are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distance {
    /// In neighbouring chapters.
    Near,
    /// A third of the book apart.
    Middle,
    /// At the two ends of the book.
    Far,
}

impl Distance {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Middle => "middle",
            Self::Far => "far",
        }
    }
}

/// The clean stories, by name.
pub(crate) fn fixtures() -> Vec<(String, Story)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/planted/fixtures");
    let files = std::fs::read_dir(&folder).expect("the stories are in the repository");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("the folder can be read").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a story can be read");
        let story = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_stem().expect("a file has a name").to_string_lossy().into_owned(), story)
    };
    paths.into_iter().map(read).collect()
}

/// A clean story to plant in.
pub(crate) struct Book<'s> {
    /// The story.
    pub(crate) story: &'s Story,
    distance: Distance,
    seed: Cell<u64>,
}

impl<'s> Book<'s> {
    /// The same seed always chooses the same.
    pub(crate) fn new(story: &'s Story, distance: Distance, seed: u64) -> Self {
        Self { story, distance, seed: Cell::new(seed) }
    }

    /// The story with a change.
    pub(crate) fn with(&self, change: impl FnOnce(&mut Story)) -> Story {
        let mut story = self.story.clone();
        change(&mut story);
        story
    }

    /// The words in the story's language.
    pub(crate) fn say(&self, zh: &'static str, en: &'static str) -> &'static str {
        if self.is_zh() { zh } else { en }
    }

    /// Whether the story is told in Chinese.
    pub(crate) fn is_zh(&self) -> bool {
        self.story.language == Language::Zh
    }

    /// One of the choices (splitmix64); none if there are none.
    pub(crate) fn pick<T: Clone>(&self, choices: &[T]) -> Option<T> {
        let seed = self.seed.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.seed.set(seed);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let count = u64::try_from(choices.len()).ok().filter(|count| *count > 0)?;
        choices.get(usize::try_from((mixed ^ (mixed >> 31)) % count).ok()?).cloned()
    }

    /// The narrated events with a date of their own, by chapter.
    pub(crate) fn dated(&self) -> Vec<&'s TimelineEvent> {
        let is_dated = |event: &&TimelineEvent| event.mode == Mode::Narrated && self.day(event).is_some();
        let mut events: Vec<_> = self.story.timeline_events.iter().filter(is_dated).collect();
        events.sort_by_key(|event| self.chapter(event));
        events
    }

    /// The place of the chapter that tells the event.
    pub(crate) fn chapter(&self, event: &TimelineEvent) -> u32 {
        let node = self.story.outline_nodes.iter().find(|node| Some(&node.id) == event.outline_node.as_ref());
        node.map_or(0, |node| node.order)
    }

    /// Two events in the order of story time, as far apart as asked for.
    pub(crate) fn pair(&self) -> Option<(&'s TimelineEvent, &'s TimelineEvent)> {
        self.pair_of(&self.dated())
    }

    /// Two of the events, which must be in order, as far apart as asked for.
    pub(crate) fn pair_of(&self, events: &[&'s TimelineEvent]) -> Option<(&'s TimelineEvent, &'s TimelineEvent)> {
        let chapters = u32::try_from(self.story.outline_nodes.len()).ok()?;
        let fits = |gap: u32| match self.distance {
            Distance::Near => gap <= 2,
            Distance::Middle => (chapters / 4..=chapters / 2).contains(&gap),
            Distance::Far => gap >= chapters * 3 / 5,
        };
        let mut pairs = Vec::new();
        let mut widest: Option<(u32, &TimelineEvent, &TimelineEvent)> = None;
        for (place, first) in events.iter().enumerate() {
            for second in &events[place + 1..] {
                let is_before = moment(&first.timestamp)?.is_before(&moment(&second.timestamp)?);
                let gap = self.chapter(second) - self.chapter(first);
                if is_before && fits(gap) {
                    pairs.push((*first, *second));
                }
                if is_before && widest.is_none_or(|(known, ..)| gap > known) {
                    widest = Some((gap, *first, *second));
                }
            }
        }
        // In a book too short for the distance, as far as it goes.
        self.pick(&pairs).or(widest.map(|(_, first, second)| (first, second)))
    }

    /// The day of an event as it is written, without the hour.
    pub(crate) fn day(&self, event: &'s TimelineEvent) -> Option<&'s str> {
        let text = event.timestamp.trim();
        let ends = text.char_indices().filter(|(_, c)| matches!(c, ' ' | ',')).map(|(at, _)| at).chain([text.len()]);
        ends.map(|end| &text[..end]).find(|day| moment(day).is_some())
    }

    /// The day of an event with an hour.
    pub(crate) fn hour(&self, event: &'s TimelineEvent, hour: u32) -> Option<String> {
        Some(format!("{} {hour:02}:00", self.day(event)?))
    }

    /// The characters who do not die.
    pub(crate) fn living(&self) -> Vec<&'s Character> {
        let dead: BTreeSet<&String> = self.story.timeline_events.iter().flat_map(|event| &event.deaths).collect();
        self.story.characters.iter().filter(|card| !dead.contains(&card.name)).collect()
    }

    /// A character who does not die.
    pub(crate) fn somebody(&self) -> Option<&'s Character> {
        self.pick(&self.living())
    }

    /// Two of them.
    pub(crate) fn two(&self) -> Option<(&'s Character, &'s Character)> {
        let first = self.somebody()?;
        let others: Vec<_> = self.living().into_iter().filter(|card| card.name != first.name).collect();
        Some((first, self.pick(&others)?))
    }

    /// Two characters between whom nothing is said, neither by relations nor, through others, by kinship.
    pub(crate) fn strangers(&self) -> Option<(&'s Character, &'s Character)> {
        let is_between = |a: &str, b: &str| {
            self.story
                .character_relations
                .iter()
                .any(|one| (one.from == a && one.to == b) || (one.from == b && one.to == a))
        };
        let is_kin = |name: &str| {
            let kinds = [RelationKind::ParentOf, RelationKind::ChildOf, RelationKind::Sibling, RelationKind::Family];
            self.story
                .character_relations
                .iter()
                .any(|one| kinds.contains(&one.kind) && (one.from == name || one.to == name))
        };
        let cards: Vec<_> = self.living().into_iter().filter(|card| !is_kin(&card.name)).collect();
        let mut pairs = Vec::new();
        for first in &cards {
            pairs.extend(cards.iter().filter(|other| first.name < other.name).map(|other| (*first, *other)));
        }
        pairs.retain(|(a, b)| !is_between(&a.name, &b.name));
        self.pick(&pairs)
    }

    /// Somebody who dies, with the event of the death.
    pub(crate) fn dead(&self) -> Option<(&'s str, &'s TimelineEvent)> {
        let events = self.story.timeline_events.iter().filter(|event| event.mode == Mode::Narrated);
        let deaths: Vec<_> =
            events.flat_map(|event| event.deaths.iter().map(move |name| (name.as_str(), event))).collect();
        self.pick(&deaths)
    }

    /// A dated event after `event`, as far from it as asked for.
    pub(crate) fn later(&self, event: &'s TimelineEvent) -> Option<&'s TimelineEvent> {
        let start = moment(&event.timestamp)?;
        let is_later = |other: &&TimelineEvent| moment(&other.timestamp).is_some_and(|time| start.is_before(&time));
        let later: Vec<_> = self.dated().into_iter().filter(is_later).collect();
        let place = match self.distance {
            Distance::Near => 0,
            Distance::Middle => later.len() / 2,
            Distance::Far => later.len().checked_sub(1)?,
        };
        later.get(place).copied()
    }

    /// A thing of which no fact and no rule speaks.
    pub(crate) fn thing(&self) -> Option<&'s str> {
        let text = serde_json::to_string(&(&self.story.facts, self.story.world_rules())).ok()?;
        let things = self.story.items().iter().map(|item| item.name.as_str());
        let free: Vec<&str> = things.filter(|name| !text.contains(name)).collect();
        self.pick(&free)
    }

    /// Two places that are certainly apart and between which the world says nothing.
    pub(crate) fn places(&self) -> Option<(&'s Location, &'s Location)> {
        let mut pairs = Vec::new();
        for here in self.story.locations() {
            let others = self.story.locations().iter().filter(|there| here.name < there.name);
            pairs.extend(others.filter(|there| self.are_apart(here, there)).map(|there| (here, there)));
        }
        self.pick(&pairs)
    }

    /// Two places with the time it takes from one to the other.
    pub(crate) fn way(&self) -> Option<(&'s str, &'s str, &'s str)> {
        let far = |duration: &str| !duration.contains(['小', 'h']);
        let ways = self.story.locations().iter().flat_map(|place| {
            let ways = place.travel.iter().filter(move |way| far(&way.duration));
            ways.map(move |way| (place.name.as_str(), way.to.as_str(), way.duration.as_str()))
        });
        self.pick(&ways.collect::<Vec<_>>())
    }

    fn are_apart(&self, here: &Location, there: &Location) -> bool {
        let names = |place: &Location| self.around(&place.name);
        let says = |a: &Location, b: &Location| a.description.contains(&b.name);
        let is_bound = |place: &Location| {
            let clauses = self.story.world_rules().iter().flat_map(|rule| [&rule.forbids, &rule.demands]);
            clauses.flatten().any(|clause| clause.place.as_ref() == Some(&place.name))
        };
        names(here).is_disjoint(&names(there))
            && !says(here, there)
            && !says(there, here)
            && !is_bound(here)
            && !is_bound(there)
            && here.travel.is_empty()
            && there.travel.is_empty()
    }

    /// The place and those it lies in.
    fn around(&self, place: &str) -> BTreeSet<String> {
        let mut all = BTreeSet::from([place.to_owned()]);
        for fact in self.story.facts.iter().filter(|fact| matches!(fact.predicate.as_str(), "地处" | "within")) {
            if fact.subject == place {
                all.extend(fact.object.iter().flat_map(|region| self.around(region)));
            }
        }
        all
    }
}

/// A narrated event.
pub(crate) fn event(title: &str, time: &str, who: &[&str], place: Option<&str>) -> TimelineEvent {
    TimelineEvent {
        id: format!("e-{title}"),
        title: title.to_owned(),
        timestamp: time.to_owned(),
        participants: who.iter().map(|name| (*name).to_owned()).collect(),
        location: place.map(str::to_owned),
        importance: 3,
        ..TimelineEvent::default()
    }
}

/// A narrated fact with an object, from a time on.
pub(crate) fn fact(id: &str, subject: &str, predicate: &str, object: &str, from: &str) -> Fact {
    Fact {
        id: id.to_owned(),
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: Some(object.to_owned()).filter(|object| !object.is_empty()),
        from: from.to_owned(),
        ..Fact::default()
    }
}

/// A narrated fact with a value.
pub(crate) fn value(id: &str, subject: &str, predicate: &str, value: impl Into<Value>, from: &str) -> Fact {
    Fact { value: value.into(), ..fact(id, subject, predicate, "", from) }
}

/// Somebody who knows a fact.
pub(crate) fn knower(who: &str, since: &str, how: &str, told_by: Option<&str>) -> Knower {
    Knower { who: who.to_owned(), since: since.to_owned(), how: how.to_owned(), told_by: told_by.map(str::to_owned) }
}

/// A relation.
pub(crate) fn relation(id: &str, from: &str, to: &str, kind: RelationKind) -> CharacterRelation {
    CharacterRelation {
        id: id.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
        kind,
        strength: 0.5,
        ..CharacterRelation::default()
    }
}

/// Adds somebody who is nowhere else.
pub(crate) fn newcomer(book: &Book<'_>, story: &mut Story) -> &'static str {
    let name = book.say("信使阿陶", "Tobias Reed");
    story.characters.push(Character {
        id: "c-90".into(),
        name: name.into(),
        role_type: RoleType::Minor,
        ..Character::default()
    });
    name
}
