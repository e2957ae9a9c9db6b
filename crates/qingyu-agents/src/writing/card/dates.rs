//! Dates of facts, as they are written in the book.

use std::collections::BTreeMap;

use qingyu_story::language::is_han;
use qingyu_story::{Fact, Mode, Names, PieceKind, Story};

/// The facts of a story with their dates.
pub(super) struct FactDates<'s> {
    story: &'s Story,
    names: Names,
    facts: BTreeMap<&'s str, &'s Fact>,
}

impl<'s> FactDates<'s> {
    pub(super) fn of(story: &'s Story) -> Self {
        let facts = story.facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
        Self { story, names: Names::of(story), facts }
    }

    /// Returns since when a fact holds; empty if unknown. The year of the book is left out.
    pub(super) fn of_fact(&self, id: &str) -> String {
        self.facts.get(id).map(|fact| self.read(&fact.from)).unwrap_or_default()
    }

    /// Returns the time of an event or chapter, or the words themselves.
    fn read(&self, from: &str) -> String {
        let from = from.trim();
        let events = &self.story.timeline_events;
        let date = if let Some(event) = self.names.resolve(PieceKind::Event, from) {
            events[event.position].timestamp.as_str()
        } else if let Some(node) = self.names.resolve(PieceKind::OutlineNode, from) {
            let is_here = |told: &str| self.names.resolve(PieceKind::OutlineNode, told) == Some(node);
            let first = events.iter().find(|event| {
                let told = event.outline_node.as_deref();
                event.mode == Mode::Narrated && !event.timestamp.trim().is_empty() && told.is_some_and(is_here)
            });
            first.map(|event| day(&event.timestamp)).unwrap_or_default()
        } else {
            from
        };
        let date = date.trim();
        let era = self.story.worldview.as_ref().map(|world| world.era.trim()).unwrap_or_default();
        let rest = if era.is_empty() { None } else { date.strip_prefix(era) };
        rest.map(str::trim).filter(|rest| !rest.is_empty()).unwrap_or(date).to_owned()
    }
}

/// Returns the day of a Chinese time, since a chapter's facts rarely hold from the hour of its first event.
fn day(time: &str) -> &str {
    let time = time.trim();
    if !time.chars().any(is_han) {
        return time;
    }
    let first = time.split_whitespace().next().filter(|first| first.contains(['月', '日', '天'])).unwrap_or(time);
    first.find('日').map_or(first, |end| &first[..end + '日'.len_utf8()])
}

/// Returns the number in an id; later ids have higher numbers.
pub(super) fn number_of(id: &str) -> u64 {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}
