//! Planned events that somebody in the text only speaks of, under other names.

use super::reconciler::Reconciler;
use crate::piece::PieceKind;
use crate::settlement::date_words::writes_day;
use crate::settlement::extraction::ToldEvent;
use crate::settlement::likeness::TitleComparer;
use crate::time::{LONGEST_DAY, are_other_hours, parse, with_year};
use crate::{Mode, TimelineEvent};

impl Reconciler<'_> {
    /// Returns whether a told event may be somebody's words about a planned event that no text made. An event of a later chapter
    /// does not count, unless the plan has the same person say it there; nor do planned dreams and lies.
    pub(super) fn may_speak_of(&self, event: &ToldEvent, known: &TimelineEvent) -> bool {
        let is_said = matches!(event.mode, Mode::Said | Mode::Believed);
        let is_planned = matches!(known.mode, Mode::Narrated | Mode::Flashback | Mode::Said)
            && !self.made_events().contains(known.id.as_str());
        is_said && is_planned && (!self.is_of_later_chapter(known) || self.has_same_teller(event, known))
    }

    /// Returns whether the person who says it here is the one who says it in the plan.
    fn has_same_teller(&self, event: &ToldEvent, known: &TimelineEvent) -> bool {
        let tellers = event.by.as_deref().zip(known.by.as_deref()).filter(|_| known.mode == Mode::Said);
        tellers.is_some_and(|(one, other)| self.is_same(PieceKind::Character, one, other))
    }

    /// Returns whether an event that somebody speaks of may be the planned one under another name. Both must be on one day, not
    /// at other hours, and have a participant in common, if both have participants. If the day is unknown, the
    /// participants of one must be among those of the other, and their words must be alike.
    pub(super) fn may_be_spoken_of(&self, event: &ToldEvent, people: &[String], known: &TimelineEvent) -> bool {
        if !self.may_speak_of(event, known) || are_other_hours(&event.timestamp, &known.timestamp) {
            return false;
        }
        let is_among = |name: &String, people: &[String]| {
            people.iter().any(|other| self.is_same(PieceKind::Character, name, other))
        };
        let has_common = people.iter().any(|name| is_among(name, &known.participants));
        let has_people = !people.is_empty() && !known.participants.is_empty();
        let are_same = has_common
            && (people.iter().all(|name| is_among(name, &known.participants))
                || known.participants.iter().all(|name| is_among(name, people)));
        match is_on_same_day(event, known) {
            Some(is_same) => is_same && (has_common || !has_people),
            None => are_same && self.has_like_words(event, known),
        }
    }

    /// Returns whether the titles or the descriptions are alike.
    fn has_like_words(&self, event: &ToldEvent, known: &TimelineEvent) -> bool {
        let titles = self.titles.get_or_init(|| TitleComparer::of(self.story));
        let are_described = !event.description.trim().is_empty() && !known.description.trim().is_empty();
        titles.like(&event.title)(&known.title) || are_described && titles.like(&event.description)(&known.description)
    }

    /// Returns whether the event is planned for another chapter, and that is not known to be an earlier one.
    fn is_of_later_chapter(&self, known: &TimelineEvent) -> bool {
        let Some(node) = known.outline_node.as_deref() else { return false };
        let order = |name: &str| {
            let named = self.cast.names().resolve(PieceKind::OutlineNode, name)?;
            Some(self.story.outline_nodes[named.position].order).filter(|order| *order > 0)
        };
        let orders = || order(node).zip(order(self.document.outline_node.as_deref()?));
        !self.is_own_node(node) && orders().is_none_or(|(planned, own)| planned >= own)
    }
}

/// Returns whether the told event is on the day of the planned one; `None` if the text does not say.
pub(super) fn is_on_same_day(event: &ToldEvent, known: &TimelineEvent) -> Option<bool> {
    let planned = known.timestamp.trim();
    let told = with_year(planned, &event.timestamp);
    let times = parse(&told).moment().zip(parse(planned).moment());
    match times.filter(|(told, planned)| told.is_comparable(planned)) {
        Some((told, planned)) if told.is_before(&planned) || planned.is_before(&told) => Some(false),
        Some((told, planned)) => {
            let are_days = told.seconds() <= LONGEST_DAY && planned.seconds() <= LONGEST_DAY;
            are_days.then_some(true)
        }
        None => {
            let words = [&event.timestamp, &event.title, &event.description, &event.quote];
            words.into_iter().any(|words| writes_day(words, planned)).then_some(true)
        }
    }
}
