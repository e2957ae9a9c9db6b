//! Converts the pieces of a story to bounds.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::beginning::beginning;
use super::order::{Chronology, EventPoints};
use super::references::{EventTimes, told};
use super::said::{BoundOrigin, BoundSource};
use crate::names::Names;
use crate::part::PieceData;
use crate::piece::PieceKind;
use crate::time::civil::DAY;
use crate::time::network::{Bound, Limit, Network, TimePoint};
use crate::time::{Calendar, Moment, RelativeTime, StoryCalendar, TimeShift, Window, length, parse};
use crate::{Mode, RelationKind, Story, TimelineEvent};

impl<'s> Chronology<'s> {
    /// Builds the chronology of `story`; `names` and `story_calendar` must belong to the same story.
    pub(crate) fn of(story: &'s Story, names: &Names, story_calendar: &StoryCalendar) -> Self {
        let mut reader =
            ChronologyReader { story, names, network: Network::default(), bounds: Vec::new(), calendars: Vec::new() };
        let told: Vec<EventTimes<'s>> =
            story.timeline_events.iter().map(|event| told(event, names, story_calendar)).collect();
        let events = reader.events(&told);
        let births: Vec<TimePoint> = story.characters.iter().map(|_| reader.network.add_point()).collect();
        let deaths: Vec<TimePoint> = story.characters.iter().map(|_| reader.network.add_point()).collect();
        reader.cards(&births, &deaths, story_calendar);
        reader.ages(&births, &told);
        reader.kinship(&births);
        let ChronologyReader { mut network, bounds, calendars, .. } = reader;
        network.insert(bounds);
        Self { network, events, births, deaths, calendars, windows: OnceLock::new() }
    }
}

struct ChronologyReader<'s, 'n> {
    story: &'s Story,
    names: &'n Names,
    network: Network<BoundSource<'s>>,
    bounds: Vec<Bound<BoundSource<'s>>>,
    calendars: Vec<(Calendar, TimePoint)>,
}

/// The least and greatest value of a bound.
type BoundEnds = (Option<Limit>, Option<Limit>);

impl<'s> ChronologyReader<'s, '_> {
    fn events(&mut self, told: &[EventTimes<'s>]) -> Vec<Option<EventPoints>> {
        let happens = |event: &TimelineEvent| matches!(event.mode, Mode::Narrated | Mode::Flashback);
        let mut points = Vec::with_capacity(self.story.timeline_events.len());
        for event in &self.story.timeline_events {
            let mut point = || self.network.add_point();
            let lasts = !event.duration.trim().is_empty();
            points.push(happens(event).then(|| EventPoints { start: point(), end: point(), day: point(), lasts }));
        }
        for (position, event) in self.story.timeline_events.iter().enumerate() {
            let Some(own) = points[position] else { continue };
            self.event((position, event), own, &told[position]);
            self.order((position, event), own, &points);
            if let Some((time, field, words, named)) = told[position].relative
                && let Some(other) = named.filter(|named| *named != position).or_else(|| self.reference(event, time))
                && let Some(from) = points[other]
            {
                let from = TimeReference { position: other, points: from, told: &told[other] };
                self.relative((position, event), own, (time, field, words), &from);
            }
        }
        points
    }

    /// Inserts the bounds stated by an event itself.
    fn event(&mut self, (position, event): (usize, &'s TimelineEvent), points: EventPoints, told: &EventTimes<'s>) {
        let EventPoints { start, end, day, lasts } = points;
        let said = |how| BoundSource::new(how, PieceKind::Event, (position, handle(event)));
        let structure = said(BoundOrigin::Structure);
        self.bound(start, end, (Some(Limit::exactly(0)), None), structure);
        if let Some(length) = length(&event.duration) {
            let ends = match length.slack {
                0 => (Limit::exactly(length.least), Limit::exactly(length.most)),
                slack => (Limit::above((length.least - slack).max(0)), Limit::below(length.most + slack)),
            };
            self.bound(
                start,
                end,
                (Some(ends.0), Some(ends.1)),
                said(BoundOrigin::Duration).words("duration", &event.duration),
            );
        }
        // A stated time without a duration covers the whole event.
        let is_whole = !lasts;
        let mut window = None;
        if let Some((moment, words)) = &told.date {
            let said = said(BoundOrigin::Date).words("timestamp", words);
            let origin = self.origin(&moment.calendar);
            match moment.day() {
                Some((midnight, hours)) => {
                    let midnight = Limit::exactly(midnight);
                    self.bound(origin, day, (Some(midnight), Some(midnight)), said);
                    window = Some((hours, said));
                }
                None => {
                    let (first, last) = (Limit::exactly(moment.start), Limit::below(moment.end));
                    self.bound(origin, start, (Some(first), Some(last)), said);
                    if is_whole {
                        self.bound(origin, end, (None, Some(last)), said.part(1));
                    }
                }
            }
        } else if let Some((RelativeTime { shift: TimeShift::Days { .. }, window: hours }, field, words, _)) =
            told.relative
        {
            window = Some((hours.unwrap_or((0, DAY)), said(BoundOrigin::Date).words(field, words)));
        }
        let (hours, said) = window.map_or(((0, DAY), structure.part(1)), |(hours, said)| (hours, said.part(2)));
        self.bound(day, start, (Some(Limit::exactly(hours.0)), Some(Limit::below(hours.1))), said);
        if is_whole && window.is_some() {
            self.bound(day, end, (None, Some(Limit::below(hours.1))), said.part(3));
        }
    }

    /// Inserts the order of narrated events. In other modes the order is only the order of telling.
    fn order(
        &mut self,
        (position, event): (usize, &'s TimelineEvent),
        points: EventPoints,
        all: &[Option<EventPoints>],
    ) {
        if event.mode != Mode::Narrated {
            return;
        }
        for name in &event.after {
            let Some(other) = self.narrated(name) else { continue };
            let Some(from) = all[other] else { continue };
            let said = BoundSource::new(BoundOrigin::After, PieceKind::Event, (position, handle(event)));
            let said = said.words("after", name).of(other);
            self.bound(from.end, points.start, (Some(Limit::above(0)), None), said);
        }
    }

    /// Inserts the bounds of a time relative to another event.
    fn relative(
        &mut self,
        (position, event): (usize, &'s TimelineEvent),
        own: EventPoints,
        (time, field, words): (RelativeTime, &'static str, &'s str),
        from: &TimeReference<'_, 's>,
    ) {
        let said = BoundSource::new(BoundOrigin::Relative, PieceKind::Event, (position, handle(event)));
        let said = said.words(field, words).of(from.position);
        match time.shift {
            TimeShift::Days { least, most } => {
                // In the small hours, the next day may be the day already begun.
                let least = least - i64::from(from.is_in_small_hours());
                self.bound(from.points.day, own.day, (Some(Limit::exactly(least * DAY)), None), said);
                let last = if from.points.lasts { from.points.end } else { from.points.day };
                self.bound(last, own.day, (None, Some(Limit::exactly(most * DAY))), said.part(1));
            }
            TimeShift::Between { least, most } => {
                self.bound(from.points.start, own.start, (Some(Limit::above(least)), None), said);
                self.bound(from.points.end, own.start, (None, Some(Limit::below(most))), said.part(1));
            }
            TimeShift::Later => self.bound(from.points.end, own.start, (Some(Limit::above(0)), None), said),
        }
    }

    /// Returns the default reference event of a relative time without a named event: the single predecessor. The
    /// predecessor of a flashback only gives the order of telling, so only earlier times can refer to it.
    fn reference(&self, event: &TimelineEvent, time: RelativeTime) -> Option<usize> {
        let is_back = match time.shift {
            TimeShift::Days { most, .. } | TimeShift::Between { most, .. } => most < 0,
            TimeShift::Later => false,
        };
        let fits = if event.mode == Mode::Narrated { !is_back } else { is_back };
        match event.after.as_slice() {
            [name] if fits => self.narrated(name),
            _ => None,
        }
    }

    /// Returns the position of the narrated event with the given name.
    fn narrated(&self, name: &str) -> Option<usize> {
        let position = self.names.resolve(PieceKind::Event, name)?.position;
        (self.story.timeline_events[position].mode == Mode::Narrated).then_some(position)
    }

    fn cards(&mut self, births: &[TimePoint], deaths: &[TimePoint], story_calendar: &StoryCalendar) {
        for (position, card) in self.story.characters.iter().enumerate() {
            let said = |how| BoundSource::new(how, PieceKind::Character, (position, handle(card)));
            let (birth, death) = (births[position], deaths[position]);
            self.bound(birth, death, (Some(Limit::exactly(0)), None), said(BoundOrigin::Structure));
            for (point, field, date) in [(birth, "birth", &card.birth), (death, "death", &card.death)] {
                let Some(words) = date else { continue };
                let Some(moment) = story_calendar.moment(words) else { continue };
                self.within(point, &moment, said(BoundOrigin::Card).words(field, words));
            }
        }
    }

    /// Inserts the ages on cards, valid at the beginning of the story.
    fn ages(&mut self, births: &[TimePoint], told: &[EventTimes<'s>]) {
        const OLDEST: i32 = 100_000;
        let beginning = self.network.add_point();
        let era = self.story.worldview.as_ref().map(|world| world.era.as_str());
        let era = era.and_then(|words| Some((parse(words).moment()?, words)));
        if let Some((moment, said)) = self.beginning(era.as_ref(), told) {
            self.within(beginning, &moment, said);
        }
        for (position, card) in self.story.characters.iter().enumerate() {
            let Some(age) = card.age.filter(|age| (0..OLDEST).contains(age)).map(i64::from) else { continue };
            let said =
                BoundSource::new(BoundOrigin::Age, PieceKind::Character, (position, handle(card))).words("age", "");
            let ends = (Some(Limit::exactly(age * 365 * DAY)), Some(Limit::below((age + 1) * 366 * DAY)));
            self.bound(births[position], beginning, ends, said);
        }
    }

    /// Returns the beginning of the book with its source. Without an era, it is known if all events share a calendar.
    fn beginning(&self, era: Option<&(Moment, &'s str)>, told: &[EventTimes<'s>]) -> Option<(Moment, BoundSource<'s>)> {
        let events = self.story.timeline_events.iter().zip(told);
        let dates = events.filter(|(event, _)| event.mode == Mode::Narrated).filter_map(|(_, told)| told.date.as_ref());
        let calendars: BTreeSet<&Calendar> = dates.map(|(moment, _)| &moment.calendar).collect();
        let calendar = match era {
            Some((era, _)) => Some(era.calendar.clone()),
            None => calendars.first().filter(|_| calendars.len() == 1).map(|calendar| (*calendar).clone()),
        };
        let calendar = calendar?;
        let date = |position: usize| told[position].date.as_ref().filter(|(moment, _)| moment.calendar == calendar);
        let time = |position: usize| date(position).map(|(moment, _)| moment.clone());
        let begun = beginning(self.story, self.names, era.map(|(moment, _)| moment.clone()), time)?;
        if let Some((_, words)) = era {
            let said = BoundSource::new(BoundOrigin::Beginning, PieceKind::Worldview, (0, "")).words("era", words);
            return Some((begun.moment, said));
        }
        let position = begun.event?;
        let (_, words) = date(position)?;
        let event = handle(&self.story.timeline_events[position]);
        let said =
            BoundSource::new(BoundOrigin::Beginning, PieceKind::Event, (position, event)).words("timestamp", words);
        Some((begun.moment, said))
    }

    /// Inserts the order of births: parents are born before their children.
    fn kinship(&mut self, births: &[TimePoint]) {
        for (position, relation) in self.story.character_relations.iter().enumerate() {
            let find = |name: &str| self.names.resolve(PieceKind::Character, name).map(|named| named.position);
            let (Some(from), Some(to)) = (find(&relation.from), find(&relation.to)) else { continue };
            let (parent, child) = match relation.kind {
                RelationKind::ParentOf => (from, to),
                RelationKind::ChildOf => (to, from),
                _ => continue,
            };
            let handle = if relation.id.trim().is_empty() { relation.from.trim() } else { relation.id.trim() };
            let said = BoundSource::new(BoundOrigin::Kinship, PieceKind::Relation, (position, handle))
                .words("type", &relation.to);
            self.bound(births[parent], births[child], (Some(Limit::above(0)), None), said);
        }
    }

    fn within(&mut self, point: TimePoint, moment: &Moment, said: BoundSource<'s>) {
        let origin = self.origin(&moment.calendar);
        self.bound(origin, point, (Some(Limit::exactly(moment.start)), Some(Limit::below(moment.end))), said);
    }

    fn bound(&mut self, from: TimePoint, to: TimePoint, (least, most): BoundEnds, said: BoundSource<'s>) {
        self.bounds.push(Bound { from, to, least, most, said });
    }

    fn origin(&mut self, calendar: &Calendar) -> TimePoint {
        if let Some((_, origin)) = self.calendars.iter().find(|(known, _)| known == calendar) {
            return *origin;
        }
        let origin = self.network.add_point();
        self.calendars.push((calendar.clone(), origin));
        origin
    }
}

/// The reference event of a relative time.
struct TimeReference<'t, 's> {
    position: usize,
    points: EventPoints,
    told: &'t EventTimes<'s>,
}

impl TimeReference<'_, '_> {
    /// Returns whether the event may be between midnight and morning, by the words of the time.
    fn is_in_small_hours(&self) -> bool {
        const MORNING: i64 = 6 * 3600;
        let dated = self.told.date.as_ref().and_then(|(moment, _)| moment.day()).map(|(_, hours)| hours);
        let told = self.told.relative.and_then(|(time, ..)| time.window);
        let is_small = |hours: Window| hours != (0, DAY) && hours.0 < MORNING;
        dated.or(told).is_some_and(is_small)
    }
}

/// Returns the id of a piece, with the name as fallback.
fn handle<P: PieceData>(part: &P) -> &str {
    if part.id().trim().is_empty() { part.name().trim() } else { part.id().trim() }
}
